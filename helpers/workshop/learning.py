"""What notebook 07 draws and counts of a training: pads, curves, mistakes, scores."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import matplotlib.pyplot as plt

from helpers.batches import Batch, Examples, make_batch
from helpers.pairs import Pair
from helpers.runs import History
from helpers.text import PAD, Vocabulary, detokenize, tokenize
from helpers.training import TrainingSettings, learning_rate_at
from helpers.translator import Translator

AMBER_BROWN = "#b8860b"


def draw_pads(examples: Examples, groups: Mapping[str, Sequence[int]]) -> plt.Figure:
    """Draw the sources of some batches: dark is a token, light is a pad."""
    figure, axes = plt.subplots(1, len(groups), figsize=(8, 2.8))
    for axis, (title, group) in zip(axes, groups.items(), strict=True):
        source = make_batch([examples[index] for index in group]).source
        axis.imshow((source != PAD).numpy(), cmap="Greys", vmin=0, vmax=1.4, aspect="auto")
        axis.set(title=title, xlabel="place", ylabel="sentence")
    return figure


def shifted_rows(batch: Batch, words: Vocabulary) -> list[list[str]]:
    """List what the decoder sees, what it must say, and whether that counts, for each sentence."""
    rows = []
    for ids in zip(batch.target_in.tolist(), batch.target_out.tolist(), strict=True):
        sees, says = ([words.tokens[number] for number in row] for row in ids)
        rows += [["sees", *sees], ["must say", *says]]
        rows += [["counts", *("no" if token == "<pad>" else "yes" for token in says)]]
    return rows


def draw_learning(history: History, settings: TrainingSettings) -> plt.Figure:
    """Draw both losses with what label smoothing leaves of them, and the learning rate beside."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3))
    at = history.column("step")
    for name in ("train_loss", "valid_loss"):
        values = history.column(name)
        left.plot(at, values, marker="o", markersize=3, label=name.replace("_", " "))
    left.axhline(-math.log(1 - settings.label_smoothing), linestyle=":", label="-ln 0.9")
    left.set(xlabel="step", ylabel="loss (nats a token)")
    left.legend()
    whole = replace(settings, steps=at[-1])
    numbers = range(1, at[-1] + 1, max(1, at[-1] // 200))
    right.plot(numbers, [learning_rate_at(step, whole) for step in numbers])
    right.set(xlabel="step", ylabel="learning rate")
    return figure


def in_place(outputs: Sequence[str], pairs: Sequence[Pair]) -> tuple[float, float]:
    """Give the share of tokens that stand in their place, and that of whole sentences."""
    right = total = whole = 0
    for output, pair in zip(outputs, pairs, strict=True):
        tokens = tokenize(output, lowercase=False)
        right += sum(one == other for one, other in zip(tokens, pair.target_tokens, strict=False))
        total += len(pair.target_tokens)
        whole += tokens == [*pair.target_tokens]
    return right / total, whole / len(outputs)


def where_a_beam_pays(translator: Translator, pairs: Sequence[Pair], longest=9) -> tuple[str, str]:
    """Look for a sentence that only a beam of four gets right, else one where both pens differ.

    pairs: only those with at most `longest` source tokens are tried, or the first of all.
    Returns: the sentence, and a line that counts.
    """
    rights: dict[str, set[str]] = {}
    for pair in pairs:
        if len(pair.source_tokens) <= longest:
            rights.setdefault(pair.source, set()).add(pair.target)
    both = [translator.translate([*rights], beam_size=size) for size in (1, 4)]
    differ = [each for each in zip(rights, *both, strict=True) if each[1] != each[2]]
    paid = [each for each in differ if each[2] in rights[each[0]]]
    lost = [each for each in differ if each[1] in rights[each[0]]]
    told = f"of {len(rights)} sentences {len(differ)} differ: only the beam is right in "
    told += f"{len(paid)}, only greedy in {len(lost)}"
    return [*paid, *differ, *((source,) for source in rights), (pairs[0].source,)][0][0], told


def written_longest(outputs, words: Vocabulary) -> tuple[list[str], float]:
    """Write ids as texts, and give their mean length in tokens."""
    texts = [detokenize(words.decode(each)) for each in outputs]
    return texts, sum(map(len, outputs)) / len(outputs)


def sort_mistakes(
    tests: Mapping[str, Sequence[Pair]], written: Mapping, hits: Mapping, kind_of: Callable
) -> tuple[dict[str, Counter], list[list[str]]]:
    """Count the mistakes of each test by kind; give the first of each kind with its sentence."""
    counts: dict[str, Counter] = {}
    firsts: dict[str, list[str]] = {}
    for name, part in tests.items():
        counts[name] = Counter()
        for pair in {each.source: each for each in part if not hits[name][each.source]}.values():
            wrote = written[name][pair.source]
            kind = kind_of(wrote, pair.target)
            counts[name][kind] += 1
            firsts.setdefault(kind, [kind, pair.source, wrote, pair.target])
    return counts, [firsts[kind] for kind in sorted(firsts)]


def draw_scores(shares: Mapping[str, float]) -> plt.Figure:
    """Draw the share of each test as a bar, the highest on top."""
    names = sorted(shares, key=lambda name: -shares[name])
    figure, axis = plt.subplots(figsize=(7, 0.4 * len(names) + 0.9))
    axis.barh(names, [100 * shares[name] for name in names], color=AMBER_BROWN)
    for place, name in enumerate(names):
        axis.text(100 * shares[name] + 1, place, f"{100 * shares[name]:.0f} %", va="center")
    axis.invert_yaxis()
    axis.set(xlim=(0, 112), xlabel="% of the sentences right to the last character, greedy")
    return figure


def shortest_mistake(translator, tests, written, hits, kind_of) -> tuple[str, str, str, str]:
    """Give the shortest sentence of known words that went wrong, in several places if there is one.

    Returns: its test, the sentence, what was written, what is right; all "" if none went wrong.
    """
    wrong = []
    for name, part in tests.items():
        for pair in part:
            if not (hits[name][pair.source] or translator.unknown(pair.source)):
                wrote = written[name][pair.source]
                small = kind_of(wrote, pair.target) != "several places"
                found = (name, pair.source, wrote, pair.target)
                wrong.append((small, len(pair.source_tokens), found))
    return min(wrong)[2] if wrong else ("", "", "", "")
