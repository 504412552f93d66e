"""What 08 says of one translator, measured on several: `inside`, `saws`, `head_order`."""

import random
from collections.abc import Sequence

from helpers.interpret import activation_patching, head_ablation, scored_sentences
from helpers.interpret.activation_patching import looks_of, read_twins, reading_shares
from helpers.interpret.alignment import cross_maps, lookers_of
from helpers.interpret.head_ablation import Head, costs_alone, sets_off
from helpers.interpret.head_patching import FROM_ITS_TWIN, marks_given
from helpers.interpret.probe_sets import TwinBatch
from helpers.interpret.saw_patching import COPIES, saws_exchanged, two_saws
from helpers.interpret.scored_sentences import Sentences, all_tokens, sentences_of
from helpers.recipe import Recipe
from helpers.transformer import Transformer

GANG, DRAWS = 3, 10
SENTENCES, STEP, LOTS = 300, 3, 4  # of head_order


def measure_inside(recipe: Recipe) -> dict:
    """Train, and take the evidence of notebook 08 about heads, and about brother."""
    recipe.train(reuse=True, log=str)
    model, sentences = recipe.translator().model, sentences_of(recipe)
    lookers, _ = lookers_of(cross_maps(model, sentences), sentences)
    wrong = {head: kinds for head, (_, kinds) in costs_alone(model, sentences).items()}
    suspect = max(lookers, key=lambda head: wrong[head]["final mark"])
    sets, totals = sets_off(model, sentences, lookers, suspect, DRAWS), all_tokens(sentences)
    three, lots = sets.together[GANG - 1], sets.by_lot[GANG - 1]
    figures = {
        "measure_words": totals["measure word"],
        "marks": totals["final mark"],
        "suspect_marks_wrong.zero": wrong[suspect]["final mark"],
        "suspect_measure_words_wrong.zero": wrong[suspect]["measure word"],
        "most_measure_words.zero": max(kinds["measure word"] for kinds in wrong.values()),
        "gang_of_three": three["measure word"],
        "marks_of_three": three["final mark"],
        "drawn_at_most": max(kinds["measure word"] for kinds in lots),
        "mark_given": marks_given(model, sentences, recipe, suspect)[FROM_ITS_TWIN],
    }
    twins = read_twins("brother", recipe)
    figures |= turned_at_all(model, twins)
    looks = looks_of(model, twins)
    for number, name in enumerate(("decider", "word")):
        ranked = sorted(looks, key=lambda head: looks[head][number], reverse=True)
        with head_ablation.switched_off(model, ranked[:2]):
            figures[f"brother_right.{name} off 2"] = reading_shares(model, twins)[0]
    return figures


def turned_at_all(model: Transformer, twins: TwinBatch) -> dict[str, float]:
    """Say which share turns with the word's row at most, and with the decider's at least."""
    turned = activation_patching.rows_exchanged(model, twins)
    return {
        "turned_at_most.word": max(turned["word"]),
        "turned_at_least.decider": min(turned["decider"]),
    }


def measure_saws(recipe: Recipe) -> dict:
    """Change the rows of two saws, layer by layer, and patch the saws with a far decider."""
    recipe.train(reuse=True, log=str)
    model, unseen = recipe.translator().model, sum(recipe.pairs.tests.values(), start=[])
    saws = two_saws([*recipe.pairs.train, *recipe.pairs.valid, *unseen])
    copied, given = [], []
    for layer in range(len(model.encoder_layers)):
        changed = saws_exchanged(model, saws, recipe, layer)
        copied += [count for case in COPIES for count in (changed[case][0], changed[case][-1])]
        given.append(changed["map instead of the tool's row"][-1])
        given.append(changed["bought instead of the verb's row"][0])
    figures = dict(copied_at_most=max(copied), given_at_least=min(given) / max(len(saws), 1))
    turned = turned_at_all(model, read_twins("saw", recipe))
    return figures | {f"far_{name}": share for name, share in turned.items()}


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
        written = head_ablation.next_tokens(model, sentences, order[count:], means)
        right = scored_sentences.right_sentences(written, sentences)
        found["sentences"].append(sum(right) / len(right))
        for kind, wrong in scored_sentences.wrong_tokens(written, sentences).items():
            found.setdefault(kind, []).append(1 - wrong / max(1, totals[kind]))
    return found


def measure_head_order(recipe: Recipe) -> dict:
    """Sort the heads on some sentences, score on others; by zeros and by means, beside lots.

    Score also without all heads of a kind: the encoder's, the decoder's own, those of the cross.
    """
    recipe.train(reuse=True, log=str)
    model, pairs = recipe.translator().model, sentences_of(recipe, 2 * SENTENCES).pairs
    parts = pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]
    to_sort, to_score = (Sentences(part, recipe.encode(part), recipe.device) for part in parts)
    counts = [*range(0, len(head_ablation.heads_of(model)) + 1, STEP)]
    found = dict(counts=counts)
    for how, means in (("zero", None), ("mean", head_ablation.mean_contexts(model, to_sort))):
        cost = costs_alone(model, to_sort, means)
        order = costliest_first(cost)
        found[f"below_a_point.{how}"] = sum(lost < 1 for lost, _ in cost.values())
        found[f"best.{how}"] = brought_back(model, to_score, order, counts, means)
        found[f"without.{how}"] = {}
        for kind in ("encoder", "decoder", "cross"):
            off = [head for head in order if head[0] == kind]
            without = brought_back(model, to_score, off, [0], means)["sentences"]
            found[f"without.{how}"][kind] = without[0]
        lots = random.Random(recipe.seed)
        drawn = [lots.sample(sorted(order), len(order)) for _ in range(LOTS)]
        lines = [brought_back(model, to_score, each, counts, means) for each in drawn]
        found[f"lots.{how}"] = [line["sentences"] for line in lines]
    return found
