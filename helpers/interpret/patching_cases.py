"""The experiments of notebook 08 that fill a table or a picture: one call each."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product

import torch
from torch import Tensor

from helpers.attention import MultiHeadAttention
from helpers.display.explorers import damage
from helpers.display.html_maps import Picture
from helpers.interpret import patching
from helpers.interpret.patching import Head, Sentences, Twins
from helpers.interpret.patching_seeds import LOOKERS, draws_of, rows_to_patch
from helpers.recipe import Recipe
from helpers.transformer import Transformer, evaluating
from helpers.translator import Translator

MEASURE = "把"  # of a saw


@dataclass(frozen=True)
class Cost:
    """What one head costs: sentences lost of 100, by zeros and by means; wrong tokens, by zeros."""

    zero: float
    mean: float
    wrong: Counter


def points_of(model: Transformer, sentences: Sentences, heads: Sequence[Head]) -> dict[Head, float]:
    """Switch off heads, one at a time; say how many sentences of 100 each of them costs."""
    healthy = patching.next_tokens(model, sentences)
    return {
        head: patching.points_lost(healthy, patching.without(model, sentences, [head]), sentences)
        for head in heads
    }


def costs_of_each(
    model: Transformer, sentences: Sentences, my_costs: Callable | None = None
) -> dict[Head, Cost]:
    """Switch off each head in turn, once by zeros and once by its mean.

    my_costs: counts the points lost by zeros in place of ours: {head: points} of a list of heads.
    """
    healthy = patching.without(model, sentences, [])
    off = patching.each_off(model, sentences)
    by_mean = patching.each_off(model, sentences, patching.mean_contexts(model, sentences))
    points = {head: patching.points_lost(healthy, off[head], sentences) for head in off}
    points |= my_costs([*off]) if my_costs else {}
    return {
        head: Cost(
            points[head],
            patching.points_lost(healthy, by_mean[head], sentences),
            patching.wrong_tokens(off[head], sentences),
        )
        for head in off
    }


ENGLISH = {"。": "full stop", "？": "question mark", "们": "plural", "把": "measure word"}


def damage_of(
    translator: Translator, sentences: Sentences, costs: dict[Head, Cost], heads: Sequence[Head]
) -> Picture:
    """Show what each head costs, and sentences that break without some of them."""
    healthy = patching.without(translator.model, sentences, [])
    cases = {
        head: patching.broken_translations(translator, sentences, healthy, head, shown=4)
        for head in heads
    }
    grids = patching.grids_of({head: cost.zero for head, cost in costs.items()})
    title = "Who breaks what?"
    return damage(grids, cases, patching.mark_or_not, 4, title, english=ENGLISH)


@dataclass(frozen=True)
class Sets:
    """What goes wrong with several heads off, as Counters of wrong tokens.

    together: without the best looker, the best two, and so on. by_lot: for each of these sizes, of
    several sets drawn by lot.
    """

    together: list[Counter]
    by_lot: list[list[Counter]]

    def measure_words(self) -> tuple[list[int], list[list[int]]]:
        """Give what draw_gang draws."""
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
        return patching.wrong_without(model, sentences, heads)

    return Sets(
        [wrong(gang[:size]) for size in sizes],
        [[wrong(heads) for heads in draws_of(gang[LOOKERS:], size, draws)] for size in sizes],
    )


class MarkStep:
    """Sentences with a final mark, at the step where the mark is due, and their bare twins."""

    def __init__(self, model: Transformer, sentences: Sentences, recipe: Recipe):
        """Take both versions; the Chinese is the right one, up to its mark."""
        self.model, encode = model, recipe.vocabularies[1].encode
        self.marked, self.bare, self.text, self.steps = patching.marked_twins(sentences, recipe)
        self.rows = torch.arange(len(self.text), device=self.text.device)
        self.marks = torch.tensor(encode([*patching.MARKS]), device=self.text.device)
        (self.question,) = encode(["？"])
        last = [pair.target[-1] for pair in sentences.pairs]
        asked = [mark == "？" for mark in last if mark in patching.MARKS]
        self.asked = torch.tensor(asked, device=self.text.device)

    def contexts(self, source: Tensor, block: MultiHeadAttention) -> Tensor:
        """Catch what the heads of a block bring at the step: (batch, channels)."""
        seen = []
        with evaluating(self.model), patching.before(block.output, lambda x: seen.append(x) or x):
            self.model(source, self.text)
        return seen[0][self.rows, self.steps]

    def next_tokens(self, source: Tensor, block=None, change: Callable | None = None) -> Tensor:
        """Write the next token; change(contexts) takes their place at this one step."""

        def at_the_step(x: Tensor) -> Tensor:
            x = x.clone()
            x[self.rows, self.steps] = change(x[self.rows, self.steps])
            return x

        with ExitStack() as stack, evaluating(self.model):
            if change is not None:
                stack.enter_context(patching.before(block.output, at_the_step))
            return self.model(source, self.text)[self.rows, self.steps].argmax(-1)

    def share(self, tokens: Tensor) -> float:
        """Say which share of the next tokens are marks."""
        return torch.isin(tokens, self.marks).float().mean().item()


NEWS = (
    "nothing",
    "the suspect's numbers, from its marked twin",
    "another head of its layer, from that twin (the best)",
    "the suspect's, from another sentence with a mark",
    "the suspect's, from another sentence without one",
    "the suspect's, from a question into a statement: ？ comes",
)


def marks_given(
    model: Transformer, sentences: Sentences, recipe: Recipe, head: Head,
    exchange=patching.take_head,
) -> dict[str, float]:
    """Put numbers of one head into sentences without a mark; say which share then gets one.

    exchange: gives one head's channels of another context (see patching.take_head).
    Returns: a share for each case of NEWS.
    """
    if not any(pair.target[-1] in patching.MARKS for pair in sentences.pairs):
        return dict.fromkeys(NEWS, 0.0)
    step, blocks = MarkStep(model, sentences, recipe), patching.blocks_of(model)

    def with_head(source: Tensor, given: Tensor, head: Head) -> Tensor:
        block, number = blocks[head[:2]], head[2]
        return step.next_tokens(
            source, block, lambda context: exchange(context, given, number, block.d_head)
        )

    block = blocks[head[:2]]
    marked, bare = (step.contexts(source, block) for source in (step.marked, step.bare))
    others = [each for each in patching.heads_of(model) if each[:2] == head[:2] and each != head]
    next_one = step.rows.roll(-1)
    found = [
        step.share(step.next_tokens(step.bare)),
        step.share(with_head(step.bare, marked, head)),
        max(step.share(with_head(step.bare, marked, each)) for each in others),
        step.share(with_head(step.bare, marked[next_one], head)),
        step.share(with_head(step.bare, bare[next_one], head)),
        _questions(step, marked, lambda given: with_head(step.bare, given, head)),
    ]
    return dict(zip(NEWS, found, strict=True))


def _questions(step: MarkStep, marked: Tensor, write: Callable) -> float:
    """Give statements what a question's head says; say which share asks then."""
    askers = step.asked.nonzero().flatten()
    if not len(askers) or step.asked.all():
        return 0.0
    donors = askers[step.rows % len(askers)]
    return (write(marked[donors]) == step.question)[~step.asked].float().mean().item()


def rows_exchanged(
    model: Transformer, twins: Twins, word: str, patch: Callable = patching.exchange
) -> dict[str, list[float]]:
    """Take one row of the encoder from the twin, after each layer; the shares that turn.

    In the last two lines the decider's row comes from a stranger, another sentence that says the
    same, or the opposite. patch: puts rows in (see patching.exchange).
    """
    stops = patching.stops_of(model.encoder_layers, model.encoder_norm)
    given = patching.vectors_at(model, stops, twins.twin_source, twins.twin_target_in)
    own = patching.vectors_at(model, stops, twins.source, twins.target_in)
    rows = {name.replace("word", word): at for name, at in rows_to_patch(twins).items()}
    donors = {name: (at, given, twins.rows, at) for name, at in rows.items()}
    for says in ("same", "opposite"):
        who = patching.strangers(twins, same_decider=says == "same")
        donors[f"decider, a stranger says the {says}"] = twins.decider, own, who, twins.decider[who]

    return {
        name: [
            patching.turned(model, twins, stops[stop], at, source[stop][row, place], patch)
            for stop in [*stops][1:]  # before the first layer the twins differ in one row only
        ]
        for name, (at, source, row, place) in donors.items()
    }


def without_who_looks(model: Transformer, twins: Twins) -> dict[str, tuple[list, float]]:
    """Switch off two heads that look most at the decider, and others as controls.

    Returns: for each case the heads, each with its weight there, and the share right without them.
    """
    looks = patching.looks_of(model, twins)

    def right_without(heads: Sequence[Head], switch=None) -> float:
        with patching.switched_off(model, heads, switch=switch):
            return patching.readings(model, twins)[0]

    def at_the_step(x: Tensor, head: int, d_head: int) -> Tensor:
        x, row = x.clone(), (twins.rows, twins.step)
        x[row] = patching.mute(x[row], head, d_head)
        return x

    top = [sorted(looks, key=lambda head: looks[head][n], reverse=True)[:2] for n in (0, 1)]
    seekers, at_word = ([(head, looks[head][n]) for head in top[n]] for n in (0, 1))
    found = {
        "most at the decider": (seekers, right_without(top[0])),
        "the first of them alone": (seekers[:1], right_without(top[0][:1])),
        "the second alone": (seekers[1:], right_without(top[0][1:])),
        "both, at this step only": (seekers, right_without(top[0], at_the_step)),
    }
    others = [head for head in looks if head[1] == top[0][0][1] and head not in top[0]]
    pairs = [*combinations(others, 2)][:10]
    if pairs:
        name = f"others of their layer: worst of {len(pairs)} pairs"
        found[name] = ([], min(map(right_without, pairs)))
    return found | {"most at the word": (at_word, right_without(top[1]))}


def saw_margins(model: Transformer, saws: list, recipe: Recipe) -> dict[str, list[float]]:
    """Average by how much the right one of 看 and 锯 scores above the other, at verb and tool.

    Returns: as they are, and with both rows of the encoder's output from one of the two.
    """
    if not saws:
        return {}
    ids = recipe.vocabularies[1].encode([name[0] for name in patching.READINGS])
    changes = {"as they are": None}
    changes |= {case: patching.change_of(saws, recipe, case) for case in patching.COPIES[:2]}
    found = {}
    for case, change in changes.items():
        module = model.encoder_norm if change else None
        scores = patching.steps_scored(model, saws, recipe, module, change)[..., ids]
        margin = (scores[..., 0] - scores[..., 1]).mean(0)
        found[case] = [margin[0].item(), -margin[1].item()]
    return found


def at_the_measure_word(saws: list) -> list:
    """Put the step that writes the tool's measure word, 把, in the place of the tool's own."""
    found = []
    for pair, places, (verb, tool) in saws:
        before = [j for j in range(tool) if pair.target_tokens[j] == MEASURE]
        found.append((pair, places, [verb, max(before, default=tool)]))
    return found


def saws_exchanged(model: Transformer, saws: list, recipe: Recipe) -> dict[str, list[int]]:
    """Copy rows of two saws, or put in those of map and bought, in what the decoder gets.

    Returns: for each case how many verbs, measure words and tools begin otherwise then.
    """
    top = model.encoder_norm
    cases = {case: partial(patching.copied, module=top, which=case) for case in patching.COPIES[:2]}
    for word, (place, name) in product(patching.GIVEN, enumerate(("verb", "tool"))):
        cases[f"{word} instead of the {name}'s row"] = partial(_given, word=word, place=place)
    found = {}
    for case, count in cases.items():
        verbs, tools = count(model, saws, recipe)
        found[case] = [verbs, count(model, at_the_measure_word(saws), recipe)[1], tools]
    return found


def _given(model: Transformer, saws: list, recipe: Recipe, word: str, place: int) -> list[int]:
    return patching.given_rows(model, saws, recipe, word, place)[-1]


def four_and_one(sets: Sets, suspect: Cost, given: dict, totals: Counter) -> list[float]:
    """Give the shares of the five claims that 08 holds against other translators."""
    three, kinds = sets.together[2], ("measure word", "final mark")
    both = [[wrong[kind] / totals[kind] for kind in kinds] for wrong in (three, suspect.wrong)]
    return [*both[0], both[1][1], both[1][0], given[NEWS[1]]]
