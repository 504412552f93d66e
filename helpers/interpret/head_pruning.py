"""How much do the costliest heads bring back alone? The experiment `head_order`."""

import random
from collections.abc import Sequence

from helpers.interpret.head_ablation import (
    Head,
    costs_alone,
    heads_of,
    mean_contexts,
    next_tokens,
)
from helpers.interpret.scored_sentences import (
    Sentences,
    all_tokens,
    right_sentences,
    sentences_of,
    wrong_tokens,
)
from helpers.recipe import Recipe
from helpers.transformer import Transformer

SENTENCES, STEP, LOTS = 300, 3, 4


def costliest_first(cost: dict[Head, tuple]) -> list[Head]:
    """Sort heads by what they cost; of equal losses the one with more wrong tokens first."""
    return sorted(cost, key=lambda head: (cost[head][0], cost[head][1].total()), reverse=True)


def brought_back(
    model: Transformer, sentences: Sentences, order: Sequence[Head], counts, means=None
) -> dict[str, list[float]]:
    """Switch everything off but the first heads of an order, so many each time.

    Returns: the shares right, of the sentences and of each kind of token.
    """
    totals, found = all_tokens(sentences), {"sentences": []}
    for count in counts:
        written = next_tokens(model, sentences, order[count:], means)
        right = right_sentences(written, sentences)
        found["sentences"].append(sum(right) / len(right))
        for kind, wrong in wrong_tokens(written, sentences).items():
            found.setdefault(kind, []).append(1 - wrong / max(1, totals[kind]))
    return found


def measure_head_order(recipe: Recipe) -> dict:
    """Sort the heads on some sentences, score on others; by zeros and by means, beside lots."""
    recipe.train(reuse=True, log=str)
    model, pairs = recipe.translator().model, sentences_of(recipe, 2 * SENTENCES).pairs
    parts = pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]
    to_sort, to_score = (Sentences(part, recipe.encode(part), recipe.device) for part in parts)
    counts = [*range(0, len(heads_of(model)) + 1, STEP)]
    found = dict(counts=counts)
    for how, means in (("zero", None), ("mean", mean_contexts(model, to_sort))):
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
