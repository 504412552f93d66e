"""How much do the costliest heads bring back alone? The experiment `head_order`."""

import random
from collections.abc import Sequence

from helpers.interpret import patching
from helpers.interpret.patching import Head, Sentences
from helpers.recipe import Recipe
from helpers.transformer import Transformer

SENTENCES, STEP, LOTS = 300, 3, 4


def two_halves(recipe: Recipe, count: int) -> list[Sentences]:
    """Take two lots of test sentences, at most so many each: to sort the heads by, and to score.

    Raises: ValueError as patching.sentences_of does.
    """
    pairs = patching.sentences_of(recipe, 2 * count).pairs
    parts = pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]
    return [Sentences(part, recipe.encode(part), recipe.device) for part in parts]


def costs_alone(
    model: Transformer, sentences: Sentences, means=None
) -> dict[Head, tuple[float, int]]:
    """Say what each head costs when it alone is off: sentences of 100, and wrong tokens."""
    healthy, found = patching.next_tokens(model, sentences), {}
    for head in patching.heads_of(model):
        written = patching.without(model, sentences, [head], means)
        lost = patching.points_lost(healthy, written, sentences)
        found[head] = lost, patching.wrong_tokens(written, sentences).total()
    return found


def costliest_first(cost: dict[Head, tuple[float, int]]) -> list[Head]:
    """Sort heads by what they cost; of equal losses the one with more wrong tokens first."""
    return sorted(cost, key=cost.get, reverse=True)


def brought_back(
    model: Transformer, sentences: Sentences, order: Sequence[Head], counts, means=None
) -> dict[str, list[float]]:
    """Switch everything off but the first heads of an order, so many each time.

    Returns: the shares right, of the sentences and of each kind of token.
    """
    totals, found = patching.all_tokens(sentences), {"sentences": []}
    for count in counts:
        written = patching.without(model, sentences, order[count:], means)
        right = patching.right_sentences(written, sentences)
        found["sentences"].append(sum(right) / len(right))
        for kind, wrong in patching.wrong_tokens(written, sentences).items():
            found.setdefault(kind, []).append(1 - wrong / max(1, totals[kind]))
    return found


def measure(recipe: Recipe) -> dict:
    """Sort the heads on some sentences, score on others; by zeros and by means, beside lots."""
    recipe.train(reuse=True, log=str)
    model = recipe.translator().model
    to_sort, to_score = two_halves(recipe, SENTENCES)
    counts = [*range(0, len(patching.heads_of(model)) + 1, STEP)]
    found = dict(counts=counts)
    for how, means in (("zero", None), ("mean", patching.mean_contexts(model, to_sort))):
        cost = costs_alone(model, to_sort, means)
        order = costliest_first(cost)
        found[f"order.{how}"] = [list(head) for head in order]
        found[f"below_a_point.{how}"] = sum(lost < 1 for lost, _ in cost.values())
        found[f"best.{how}"] = brought_back(model, to_score, order, counts, means)
        lots = random.Random(recipe.seed)
        drawn = [lots.sample(sorted(order), len(order)) for _ in range(LOTS)]
        lines = [brought_back(model, to_score, each, counts, means) for each in drawn]
        found[f"lots.{how}"] = [line["sentences"] for line in lines]
    return found
