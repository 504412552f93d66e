"""What notebook 07 draws and counts of a training: pads, targets, curves, mistakes, scores."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import matplotlib.pyplot as plt
import torch

from helpers.batches import Batch, Examples, make_batch
from helpers.pairs import Pair
from helpers.runs import History
from helpers.text import PAD, Vocabulary, detokenize, tokenize
from helpers.training import TrainingSettings, learning_rate_at

AMBER_BROWN, PALE = "#b8860b", "#ecd9a0"


def _cells(examples: Examples, group: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Tell of each cell of a batch, source and target, whether it's a token."""
    batch = make_batch([examples[index] for index in group])
    return batch.source != PAD, batch.target_out != PAD


def share_of_pads(examples: Examples, groups: Sequence[Sequence[int]]) -> float:
    """Give the share of pads among all cells of some batches, sources and targets."""
    tokens = cells = 0
    for group in groups:
        for side in _cells(examples, group):
            tokens, cells = tokens + int(side.sum()), cells + side.numel()
    return 1 - tokens / cells


def draw_pads(examples: Examples, groups: Mapping[str, Sequence[int]]) -> plt.Figure:
    """Draw some batches, source and target with a gap between: dark is a token, light is a pad."""
    figure, axes = plt.subplots(1, len(groups), figsize=(8.6, 3), sharex=True, sharey=True)
    wide = tall = 0
    for axis, (title, group) in zip(axes, groups.items(), strict=True):
        source, target = (side.float() for side in _cells(examples, group))
        gap = torch.full((len(source), 1), torch.nan)
        drawn = torch.cat([source, gap, target], dim=1).numpy()
        axis.imshow(drawn, cmap="Greys", vmin=-0.25, vmax=1.4, aspect="auto")
        axis.set(title=title, xlabel="English | Chinese")
        tall, wide = max(tall, drawn.shape[0]), max(wide, drawn.shape[1])
    axes[0].set(ylabel="sentence", xlim=(-0.5, wide - 0.5), ylim=(tall - 0.5, -0.5))
    return figure


def draw_smoothing(size: int, smoothing: float, shown: int = 8) -> plt.Figure:
    """Draw the target before and after label smoothing, and what each makes the right token cost.

    size: of the vocabulary; the right token is the third of those shown. The chance that is left
    over is spread evenly over the others.
    """
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9, 2.8))
    rest = smoothing / size
    for axis, title, low in ((left, "asked before", 0.0), (middle, "asked after smoothing", rest)):
        heights = [low] * shown
        heights[2] = 1 - smoothing * (low > 0) + low
        axis.bar(range(1, shown + 1), heights, color=AMBER_BROWN)
        axis.set(title=title, xlabel="tokens", yscale="log", ylim=(rest / 4, 3))
        axis.set_xticks([3], ["the right one"])
    p = torch.arange(1, 400, dtype=torch.float64) / 400
    p = torch.cat([p, 1 - torch.logspace(-2.7, -5, 40, dtype=torch.float64)])
    others = (1 - p).log() - math.log(size - 1)
    smooth = -(1 - smoothing + rest) * p.log() - rest * (size - 1) * others
    right.plot(p, -p.log(), linestyle="--", label="plain loss")
    right.plot(p, smooth, label="smoothed loss")
    right.axhline(smooth.min(), linestyle=":", label=f"{smooth.min():.2f}")
    right.set(title="what it costs", xlabel="chance given to the right token", ylim=(0, 3))
    right.legend(fontsize=8)
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


def written_longest(outputs, words: Vocabulary) -> tuple[list[str], float]:
    """Write ids as texts, and give their mean length in tokens."""
    texts = [detokenize(words.decode(each)) for each in outputs]
    return texts, sum(map(len, outputs)) / len(outputs)


def kind_of(wrote: str, right: str) -> str:
    """Name what would mend a translation: a piece put in, taken out, exchanged, an order, more."""
    ours, theirs = (tokenize(text, lowercase=False) for text in (wrote, right))
    if sorted(ours) == sorted(theirs):
        return "another order"
    steps_to = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    edits = [name for name, *_ in steps_to if name != "equal"]
    names = dict(insert="a piece is missing", delete="a piece too many", replace="one exchanged")
    return names[edits[0]] if len(edits) == 1 else "several places"


def sort_mistakes(
    tests: Mapping[str, Sequence[Pair]], written: Mapping, hits: Mapping,
    kind_of: Callable = kind_of,
) -> tuple[dict[str, Counter], list[list[str]]]:  # fmt: skip
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


def draw_scores(shares: Mapping[str, float], judged: Mapping[str, float] = {}) -> plt.Figure:
    """Draw the share of each test as a bar, the highest on top.

    judged: what a reader of the mistakes adds to some, as a paler piece of the bar.
    """
    names = sorted(shares, key=lambda name: -shares[name])
    figure, axis = plt.subplots(figsize=(7, 0.4 * len(names) + 0.9))
    axis.barh(names, [100 * shares[name] for name in names], color=AMBER_BROWN)
    for place, name in enumerate(names):
        more, text = judged.get(name, 0), f"{100 * shares[name]:.0f} %"
        if more:
            axis.barh(place, 100 * more, left=100 * shares[name], color=PALE)
            text += f", and {100 * more:.0f} % judged good by a reader"
        axis.text(100 * (shares[name] + more) + 1, place, text, va="center")
    axis.invert_yaxis()
    axis.set(xlim=(0, 112), xlabel="% of the sentences right to the last character, greedy")
    return figure


def shortest_mistake(translator, tests, written, hits) -> tuple[str, str, str, str]:
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


_OWNERS = re.compile(r"(?:'s|\b(?:my|your|his|her|our|their)) \w+'s ", re.IGNORECASE)


def chains(written: Mapping[str, Mapping], hits: Mapping[str, Mapping]) -> dict[str, list[int]]:
    """Count sentences in which an owner has an owner (my teacher's phone), and those that don't.

    Returns: to "chain" and "none" how many went wrong, and how many there are.
    """
    found = {"chain": [0, 0], "none": [0, 0]}
    for name, sentences in written.items():
        for source in sentences:
            counts = found["chain" if _OWNERS.search(source) else "none"]
            counts[0] += not hits[name][source]
            counts[1] += 1
    return found
