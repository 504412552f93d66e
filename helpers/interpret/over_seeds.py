"""What 08 says of one translator, measured on several: the experiments `inside` and `saws`."""

from helpers.interpret.ablation_cases import sets_off
from helpers.interpret.activation_patching import (
    looks_of,
    read_twins,
    reading_shares,
    rows_exchanged,
    two_by_two,
)
from helpers.interpret.alignment import cross_maps, lookers_of
from helpers.interpret.head_ablation import costs_alone, switched_off
from helpers.interpret.head_patching import NEWS, marks_given
from helpers.interpret.probe_sets import TwinBatch
from helpers.interpret.saw_patching import COPIES, saws_exchanged, two_saws
from helpers.interpret.scored_sentences import Sentences, all_tokens
from helpers.recipe import Recipe
from helpers.transformer import Transformer

GANG, DRAWS = 3, 10
CLUE = "Tom bought an old saw yesterday."


def all_test_sentences(recipe: Recipe) -> Sentences:
    """Take every sentence of the test."""
    pairs = recipe.pairs.tests["test"]
    return Sentences(pairs, recipe.encode(pairs), recipe.device)


def measure_inside(recipe: Recipe) -> dict:
    """Train, and take the evidence of notebook 08 about heads, and about brother."""
    recipe.train(reuse=True, log=str)
    model, sentences = recipe.translator().model, all_test_sentences(recipe)
    lookers, weights = lookers_of(cross_maps(model, sentences), sentences)
    wrong = {head: kinds for head, (_, kinds) in costs_alone(model, sentences).items()}
    suspect = max(lookers, key=lambda head: wrong[head]["final mark"])
    sets, totals = sets_off(model, sentences, lookers, suspect, DRAWS), all_tokens(sentences)
    three, lots = sets.together[GANG - 1], sets.by_lot[GANG - 1]
    figures = {
        "measure_words": totals["measure word"],
        "marks": totals["final mark"],
        "looker_weight": weights[lookers[0]],
        "suspect_on_nouns": weights[suspect],
        "suspect_marks_wrong.zero": wrong[suspect]["final mark"],
        "suspect_measure_words_wrong.zero": wrong[suspect]["measure word"],
        "most_measure_words.zero": max(kinds["measure word"] for kinds in wrong.values()),
        "gang_of_three": three["measure word"],
        "marks_of_three": three["final mark"],
        "drawn_at_most": max(kinds["measure word"] for kinds in lots),
        "mark_given": marks_given(model, sentences, recipe, suspect)[NEWS[1]],
    }
    twins = read_twins("brother", recipe)
    figures |= turned_at_all(model, twins) | {"brother_two_rows": two_by_two(model, twins)}
    looks = looks_of(model, twins)
    for number, name in enumerate(("decider", "word")):
        ranked = sorted(looks, key=lambda head: looks[head][number], reverse=True)
        with switched_off(model, ranked[:2]):
            figures[f"brother_right.{name} off 2"] = reading_shares(model, twins)[0]
    return figures


def turned_at_all(model: Transformer, twins: TwinBatch) -> dict[str, float]:
    """Say which share turns with the word's row at most, and with the decider's at least."""
    turned = rows_exchanged(model, twins)
    return {
        "turned_at_most.word": max(turned["word"]),
        "turned_at_least.decider": min(turned["decider"]),
    }


def measure_saws(recipe: Recipe) -> dict:
    """Change the rows of two saws, layer by layer, and patch the saws with a far decider."""
    recipe.train(reuse=True, log=str)
    model, unseen = recipe.translator().model, sum(recipe.pairs.tests.values(), start=[])
    saws = two_saws([*recipe.pairs.train, *recipe.pairs.valid, *unseen])
    layers = range(len(model.encoder_layers))
    changed = [saws_exchanged(model, saws, recipe, layer) for layer in layers]
    figures = dict(two_saws=len(saws))
    for case in changed[0]:
        name = case.replace("instead of", "for").removesuffix("'s row")
        counts = [[verbs, tools] for verbs, _, tools in (each[case] for each in changed)]
        figures[f"{'copied' if case in COPIES else 'given'}.{name}"] = counts
    copied = [count for case in COPIES for each in figures[f"copied.{case}"] for count in each]
    given = [tools for _, tools in figures["given.map for the tool"]]
    given += [verbs for verbs, _ in figures["given.bought for the verb"]]
    figures |= dict(copied_at_most=max(copied), given_at_least=min(given) / max(len(saws), 1))
    turned = turned_at_all(model, read_twins("saw", recipe))
    return figures | {f"far_{name}": share for name, share in turned.items()}


def record_clue(recipe: Recipe) -> dict:
    """Keep the map that 08 opens with: the head with most weight on nouns, in one sentence."""
    recipe.train(reuse=True, log=str)
    translator, sentences = recipe.translator(), all_test_sentences(recipe)
    lookers, weights = lookers_of(cross_maps(translator.model, sentences), sentences)
    _, layer, number = lookers[0]
    source, written, maps = translator.cross_attention(CLUE)
    rows = maps[layer - 1, number - 1].tolist()
    rounded = [[round(weight, 2) for weight in row] for row in rows]
    found = dict(source=source, written=written, weights=rounded)
    return found | dict(head=list(lookers[0]), noun_weight=round(weights[lookers[0]], 2))
