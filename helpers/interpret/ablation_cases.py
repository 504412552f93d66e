"""What notebook 08 shows of heads that are off: their costs, what breaks, several at once."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from helpers.display.explorers import damage
from helpers.display.html_maps import Picture
from helpers.interpret.head_ablation import (
    Head,
    costs_alone,
    mean_contexts,
    next_tokens,
    switched_off,
    wrong_without,
)
from helpers.interpret.scored_sentences import MARKS, Sentences, newly_broken
from helpers.text import EOS
from helpers.transformer import Transformer
from helpers.translator import Translator

ENGLISH = {"。": "full stop", "？": "question mark", "们": "plural", "把": "measure word"}
LOOKERS = 4  # of those who look at nouns most none is drawn by lot


@dataclass(frozen=True)
class Cost:
    """What one head costs: sentences lost of 100, by zeros and by means; wrong tokens, by zeros."""

    zero: float
    mean: float
    wrong: Counter


def points_of(model: Transformer, sentences: Sentences, heads: Sequence[Head]) -> dict[Head, float]:
    """Switch off heads, one at a time; say how many sentences of 100 each of them costs."""
    costs = costs_alone(model, sentences, heads=heads)
    return {head: lost for head, (lost, _) in costs.items()}


def costs_of_each(
    model: Transformer, sentences: Sentences, my_costs: Callable | None = None
) -> dict[Head, Cost]:
    """Switch off each head in turn, once by zeros and once by its mean.

    my_costs: counts the points lost by zeros in place of ours: {head: points} of a list of heads.
    """
    zero = costs_alone(model, sentences)
    mean = costs_alone(model, sentences, mean_contexts(model, sentences))
    points = {head: lost for head, (lost, _) in zero.items()}
    points |= my_costs([*zero]) if my_costs else {}
    return {head: Cost(points[head], mean[head][0], wrong) for head, (_, wrong) in zero.items()}


def damage_of(
    translator: Translator, sentences: Sentences, costs: dict[Head, Cost], heads: Sequence[Head]
) -> Picture:
    """Show what each head costs, and sentences that break without some of them."""
    healthy = next_tokens(translator.model, sentences)
    cases = {
        head: broken_translations(translator, sentences, healthy, head, shown=4) for head in heads
    }
    grids = grids_of({head: cost.zero for head, cost in costs.items()})
    title = "Who breaks what?"
    return damage(grids, cases, mark_or_not, 4, title, english=ENGLISH)


def mark_or_not(token: str) -> str:
    """Sort a token for the explorer of broken sentences."""
    return "final mark" if token in MARKS else "(end)" if token == "<eos>" else "word"


def grids_of(values: dict[Head, float]) -> dict[str, Tensor]:
    """Lay one number for each head out as (n_layers, n_heads) for each kind."""
    grids = {kind: [] for kind, _, _ in values}
    for (kind, _, _), value in values.items():
        grids[kind].append(value)
    layers = max(layer for _, layer, _ in values)
    return {kind: torch.tensor(each).view(layers, -1) for kind, each in grids.items()}


def broken_translations(
    translator: Translator, sentences: Sentences, healthy: list, head: Head, shown: int
) -> list[tuple[str, str, str]]:
    """List the sentences that break without a head: source, right, and what is written now.

    The first `shown` are written to their ends by greedy decoding, of the others up to the fault.
    """
    with switched_off(translator.model, [head]):
        written = next_tokens(translator.model, sentences)
        found = newly_broken(healthy, written, sentences)
        first = [sentences.pairs[number].source for number, _ in found[:shown]]
        texts = translator.translate(first) if first else []
    names = translator.target_vocabulary.tokens
    for number, place in found[shown:]:
        ids = written[number][: place + 1]
        texts.append("".join(names[each] for each in ids if each != EOS))
    pairs = [sentences.pairs[number] for number, _ in found]
    rows = [(pair.source, pair.target, text) for pair, text in zip(pairs, texts, strict=True)]
    return [row for row in rows if row[1] != row[2]]


@dataclass(frozen=True)
class Sets:
    """What goes wrong with several heads off, as Counters of wrong tokens.

    together: without the best looker, the best two, and so on. by_lot: for each of these sizes, of
    several sets drawn by lot.
    """

    together: list[Counter]
    by_lot: list[list[Counter]]

    def measure_words(self) -> tuple[list[int], list[list[int]]]:
        """Give what draw_sets draws."""
        key = "measure word"
        lots = [[each[key] for each in of_size] for of_size in self.by_lot]
        return [each[key] for each in self.together], lots

    def mean_lot(self, size: int) -> dict[str, float]:
        """Average what goes wrong over the lots of one size."""
        lots = self.by_lot[size - 1]
        return {kind: sum(lot[kind] for lot in lots) / len(lots) for kind in lots[0]}


def sets_off(
    model: Transformer, sentences: Sentences, lookers: list[Head], suspect: Head, draws: int
) -> Sets:
    """Switch off the best lookers together, and as many others drawn by lot.

    The suspect stays on throughout, and the four best lookers are in no lot.
    """
    gang = [head for head in lookers if head != suspect]
    sizes = range(1, min(LOOKERS, len(gang) - LOOKERS) + 1)

    def wrong(heads: list[Head]) -> Counter:
        return wrong_without(model, sentences, heads)

    return Sets(
        [wrong(gang[:size]) for size in sizes],
        [[wrong(heads) for heads in draws_of(gang[LOOKERS:], size, draws)] for size in sizes],
    )


def draws_of(heads: list[Head], count: int, draws: int) -> list[list[Head]]:
    """Draw sets of heads, as many as there are draws, always the same ones."""
    lots = random.Random(0)
    return [lots.sample(sorted(heads), count) for _ in range(draws)]
