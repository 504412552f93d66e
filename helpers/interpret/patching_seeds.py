"""What 08 says of one translator, measured on several: the experiment `inside`."""

import random
from collections import Counter
from itertools import combinations, product

from helpers.interpret import patching
from helpers.interpret.patching import Head, Sentences
from helpers.recipe import Recipe

GANG, DRAWS = 3, 10
LOOKERS = 4  # of those who look at nouns most none is drawn by lot


def measure(recipe: Recipe) -> dict:
    """Train, and take all the evidence of notebook 08."""
    recipe.train(reuse=True, log=str)
    model, pairs = recipe.translator().model, recipe.pairs.tests["test"]
    sentences = Sentences(pairs, recipe.encode(pairs), recipe.device)
    figures, suspect, lookers = heads_alone(model, sentences)
    figures |= sets_of_heads(model, sentences, suspect, lookers)
    figures |= trios_and_marks(model, sentences, recipe)
    return figures | twins(model, recipe) | two_rows(model, recipe, "brother") | saws(model, recipe)


def suspect_of(model, sentences: Sentences, heads: list[Head]) -> Head:
    """Find the head without which most final marks go wrong."""
    return max(heads, key=lambda head: without(model, sentences, [head])["marks_wrong"])


def trios_and_marks(model, sentences: Sentences, recipe: Recipe) -> dict:
    """Switch off sets of three of the lookers' layer; give the suspect's output for the mark."""
    lookers, weights = lookers_of(patching.cross_maps(model, sentences), sentences)
    suspect, found = suspect_of(model, sentences, lookers), []
    for heads in trios(lookers, suspect):
        off = without(model, sentences, heads)
        weight = sum(weights[head] for head in heads) / len(heads)
        found.append([weight, off["measure_words_wrong"], off["marks_wrong"]])
    shares = patching.marks_next(model, sentences, recipe, suspect)[patching.MARK_CASES[2]]
    return dict(trios=found, mark_taken=1 - shares[0], mark_given=shares[1])


def trios(lookers: list[Head], suspect: Head, most: int = 10) -> list[list[Head]]:
    """List the sets of three heads of the layer that has most of the best lookers.

    The suspect is left out; if there are more sets than `most`, so many are drawn.
    """
    gang = [head for head in lookers if head != suspect]
    layer, _ = Counter(head[1] for head in gang[:GANG]).most_common(1)[0]
    found = [*map(list, combinations([head for head in gang if head[1] == layer], GANG))]
    return found if len(found) <= most else random.Random(0).sample(found, most)


def two_rows(model, recipe: Recipe, word: str) -> dict:
    """Patch the word's row while the decider's is its own, and while it's silenced."""
    cases = patching.two_by_two(model, patching.read_twins(word, recipe))
    (_, _, right, gap), *others = cases
    figures = {f"{word}_two_rows": [[of_two, of_word, *each] for of_two, of_word, *each in cases]}
    names = ("decider's own, word's twin", "silenced, word's own", "silenced, word's twin")
    for name, (_, _, share, of_gap) in zip(names, others, strict=True):
        figures[f"{word}_right.{name}"] = share
        figures[f"{word}_gap.{name}"] = of_gap / gap
    return figures


CLUE = "Tom bought an old saw yesterday."


def record_clue(recipe: Recipe) -> dict:
    """Keep the map that 08 opens with: the head with most weight on nouns, in one sentence."""
    recipe.train(reuse=True, log=str)
    translator, pairs = recipe.translator(), recipe.pairs.tests["test"]
    sentences = Sentences(pairs, recipe.encode(pairs), recipe.device)
    lookers, weights = lookers_of(patching.cross_maps(translator.model, sentences), sentences)
    _, layer, number = lookers[0]
    source, written, maps = translator.cross_attention(CLUE)
    rows = maps[layer - 1, number - 1].tolist()
    rounded = [[round(weight, 2) for weight in row] for row in rows]
    found = dict(source=source, written=written, weights=rounded)
    return found | dict(head=list(lookers[0]), noun_weight=round(weights[lookers[0]], 2))


def lookers_of(maps, sentences: Sentences) -> tuple[list[Head], dict[Head, float]]:
    """Sort the heads of cross-attention by their weight on the noun of a measure word."""
    weights = patching.weight_on_nouns(maps, sentences)
    found = {
        ("cross", layer + 1, number + 1): weights[layer, number].item()
        for layer in range(weights.size(0))
        for number in range(weights.size(1))
    }
    return sorted(found, key=found.get, reverse=True), found


def heads_alone(model, sentences: Sentences) -> tuple[dict, Head, list[Head]]:
    """Switch off each head, by zero and by mean; find the best looker and the mark's head."""
    healthy = patching.next_tokens(model, sentences)
    means = patching.mean_contexts(model, sentences)
    counts, maps = patching.all_tokens(sentences), patching.cross_maps(model, sentences)
    lookers, weights = lookers_of(maps, sentences)
    figures = dict(
        right=sum(patching.right_sentences(healthy, sentences)) / len(sentences.pairs),
        measure_words=counts["measure word"],
        marks=counts["final mark"],
        looker_weight=weights[lookers[0]],
    )
    figures |= {f"{key}_healthy": n for key, n in _wrong(healthy, sentences).items()}
    suspect = None
    for how, filling in (("zero", None), ("mean", means)):
        off = each_off(model, sentences, filling)
        suspect = suspect or max(off, key=lambda head: off[head]["marks_wrong"])
        ranked = sorted(off, key=lambda head: off[head]["right"])
        found = dict(looker=off[lookers[0]], suspect=off[suspect])
        figures |= {f"{who}_{key}.{how}": n for who in found for key, n in found[who].items()}
        figures[f"suspect_rank.{how}"] = 1 + ranked.index(suspect)
        most = max(each["measure_words_wrong"] for each in off.values())
        figures[f"most_measure_words.{how}"] = most
    on_marks = patching.weight_on_marks(maps, sentences)
    figures["suspect_weight"] = on_marks[suspect[1] - 1, suspect[2] - 1].item()
    figures["suspect_on_nouns"] = weights.get(suspect, 0.0)
    return figures, suspect, lookers


def each_off(model, sentences: Sentences, means=None) -> dict[Head, dict]:
    """Switch off every head alone: what goes wrong, and how many sentences come out right."""
    found = {}
    for head in patching.heads_of(model):
        with patching.switched_off(model, [head], means):
            written = patching.next_tokens(model, sentences)
        found[head] = _wrong(written, sentences)
        found[head]["right"] = sum(patching.right_sentences(written, sentences))
    return found


def _wrong(written, sentences: Sentences) -> dict[str, int]:
    counts = patching.wrong_tokens(written, sentences)
    return dict(
        measure_words_wrong=counts["measure word"],
        marks_wrong=counts["final mark"],
        ends_wrong=counts["(end)"],
        others_wrong=counts["other word"],
    )


def without(model, sentences: Sentences, heads: list[Head]) -> dict[str, int]:
    """Count the wrong tokens of each kind with some heads off."""
    with patching.switched_off(model, heads):
        return _wrong(patching.next_tokens(model, sentences), sentences)


def draws_of(heads: list[Head], count: int, draws: int = DRAWS, seed: int = 0) -> list[list[Head]]:
    """Draw sets of heads, as many as there are draws."""
    lots = random.Random(seed)
    return [lots.sample(sorted(heads), count) for _ in range(draws)]


def sets_of_heads(model, sentences: Sentences, suspect: Head, lookers: list[Head]) -> dict:
    """Switch off the lookers together, one more each time, and as many others drawn by lot."""
    gang = [head for head in lookers if head != suspect]
    grown = [without(model, sentences, gang[:count]) for count in range(1, 7)]
    others = gang[LOOKERS:]  # who looks most never gets into a lot
    drawn = [without(model, sentences, heads) for heads in draws_of(others, GANG)]
    return dict(
        gang_measure_words=[each["measure_words_wrong"] for each in grown],
        gang_marks=[each["marks_wrong"] for each in grown],
        drawn_measure_words=[each["measure_words_wrong"] for each in drawn],
        drawn_marks=[each["marks_wrong"] for each in drawn],
        gang_of_three=grown[GANG - 1]["measure_words_wrong"],
        marks_of_three=grown[GANG - 1]["marks_wrong"],
        drawn_at_most=max(each["measure_words_wrong"] for each in drawn),
    )


def twins(model, recipe: Recipe) -> dict:
    """Patch rows of the encoder for brother, and put source against text for the far saw."""
    figures, stops = {}, patching.stops_of(model.encoder_layers, model.encoder_norm)
    brothers = patching.read_twins("brother", recipe)
    figures["brother_right"] = patching.readings(model, brothers)[0]
    given = patching.vectors_at(model, stops, brothers.twin_source, brothers.twin_target_in)
    own = patching.vectors_at(model, stops, brothers.source, brothers.target_in)
    rows = brothers.rows
    for name, places in rows_to_patch(brothers).items():
        found = []
        for stop, module in stops.items():
            with patching.patched(module, places, given[stop][rows, places]):
                found.append(patching.readings(model, brothers)[1])
        figures[f"brother_turned.{name}"] = found
    for same in (True, False):
        chosen, found = patching.strangers(brothers, same), []
        for stop, module in stops.items():
            vectors = own[stop][chosen, brothers.decider[chosen]]
            with patching.patched(module, brothers.decider, vectors):
                found.append(patching.readings(model, brothers)[1])
        figures[f"brother_turned.stranger {'same' if same else 'other'}"] = found
    for name in ("word", "stranger same"):
        figures[f"turned_at_most.{name}"] = max(figures[f"brother_turned.{name}"])
    figures["turned_at_least.decider"] = min(figures["brother_turned.decider"])
    looks = patching.looks_of(model, brothers)
    for number, name in enumerate(("decider", "word")):
        ranked = sorted(looks, key=lambda head: looks[head][number], reverse=True)
        figures[f"brother_looks.{name}"] = looks[ranked[0]][number]
        for count in (1, 2):
            with patching.switched_off(model, ranked[:count]):
                right = patching.readings(model, brothers)[0]
            figures[f"brother_right.{name} off {count}"] = right
    saws = patching.read_twins("saw", recipe)
    figures["saw_right"] = patching.readings(model, saws)[0]
    figures["saw_by_source"] = patching.readings(model, saws, source=saws.twin_source)[1]
    figures["saw_by_text"] = patching.readings(model, saws, twin_text=True)[1]
    return figures


def rows_to_patch(twins: patching.Twins) -> dict:
    """Name the rows of the source to be exchanged: the word, the decider, and their neighbours."""
    last = (twins.source != 0).sum(1) - 1
    beside = twins.decider + 1
    # Behind the last word stands nothing: then the word before, or the one before that.
    beside = beside.where(beside <= last, twins.decider - 1)
    beside = beside.where(beside != twins.word, twins.decider - 2)
    return {
        "word": twins.word,
        "word's neighbour": twins.word - 1,
        "decider": twins.decider,
        "decider's neighbour": beside,
    }


def saws(model, recipe: Recipe) -> dict:
    """Exchange the two saws of a sentence, in the encoder and in the decoder."""
    found = patching.two_saws([*recipe.pairs.train, *every_unseen(recipe)])
    count, figures = len(found), dict(two_saws=len(found))
    for tower, layers, norm in (
        ("encoder", model.encoder_layers, model.encoder_norm),
        ("decoder", model.decoder_layers, model.decoder_norm),
    ):
        stops = patching.stops_of(layers, norm).values()
        steps = tower == "decoder"
        changed = [patching.exchanged(model, found, recipe, module, steps) for module in stops]
        figures[f"saws_changed.{tower}"] = [each / count for each in changed]
        figures[f"saws_changed_at_most.{tower}"] = max(changed)
        figures[f"saws_changed_at_least.{tower}"] = min(changed)
    return figures


def measure_saws(recipe: Recipe) -> dict:
    """Copy saws one way, and patch the saws with a far decider: the experiment `saws`."""
    recipe.train(reuse=True, log=str)
    model = recipe.translator().model
    found = patching.two_saws([*recipe.pairs.train, *every_unseen(recipe)])
    figures = dict(two_saws=len(found))
    for which, counts in patching.copy_everywhere(model, found, recipe).items():
        figures[f"copied.{which}"] = counts
    figures["copied_at_most"] = max(
        max(each) for which in patching.COPIES[:2] for each in figures[f"copied.{which}"]
    )
    figures["copied_strangers_at_most"] = max(
        max(each) for each in figures[f"copied.{patching.COPIES[2]}"]
    )
    figures |= rows_of_others(model, found, recipe)
    twins = patching.read_twins("saw", recipe)
    figures |= two_rows(model, recipe, "saw")
    figures["far_turned_by_text"] = patching.turned_by_text(model, twins)
    figures["far_right"] = patching.readings(model, twins)[0]
    turned = patching.patch_rows(model, twins, rows_to_patch(twins))
    figures |= {f"far_turned.{name}": shares for name, shares in turned.items()}
    figures["far_turned_at_most.word"] = max(turned["word"])
    figures["far_turned_at_least.decider"] = min(turned["decider"])
    return figures


def rows_of_others(model, saws: list, recipe: Recipe) -> dict:
    """Put the row of another noun, and of another verb, in the place of either saw."""
    figures = {}
    for word, place in product(patching.GIVEN, (0, 1)):
        name = f"given.{word} for the {('verb', 'tool')[place]}"
        figures[name] = patching.given_rows(model, saws, recipe, word, place)
    tools = [tools for _, tools in figures["given.map for the tool"]]
    verbs = [verbs for verbs, _ in figures["given.bought for the verb"]]
    return figures | dict(given_at_least=min(*tools, *verbs) / max(len(saws), 1))


def every_unseen(recipe: Recipe) -> list:
    """Join all parts that no training saw."""
    return [*recipe.pairs.valid, *(pair for part in recipe.pairs.tests.values() for pair in part)]
