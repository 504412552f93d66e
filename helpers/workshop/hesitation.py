"""The speaker of notebook 03 who says `er`: words that are verb or noun, and what decides them."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement, product

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import Tensor, nn

BOTH_WAYS = ["saw", "watch", "fish", "drink", "plant", "book", "iron", "hammer"]
VOCABULARY = ["i", "we", "a", "the", "er", *BOTH_WAYS]
LENGTH = 8
COLOURS = "#999999", "#8e44ad", "#111111"
Sentence = tuple[list[str], list[int]]


def family(pairs: Sequence[tuple[str, str]]) -> list[Sentence]:
    """Write all sentences of these pairs of words, each with its tags.

    A sentence is `i er saw a er er watch er` or, the other way round, `a er saw i er er watch er`:
    0, 1 or 2 `er` before each doubtful word, and as many behind as make it eight words long.
    Tags: 0 for a verb, 1 for a noun, -100 for whatever doesn't count.
    """
    sentences = []
    people, things, pauses = ["i", "we"], ["a", "the"], range(3)
    for pair, who, what, er, more in product(pairs, people, things, pauses, pauses):
        for one, two in sorted({pair, pair[::-1]}):  # a single one for saw and saw
            for first, last, tag in ((who, what, 0), (what, who, 1)):
                words = [first, *["er"] * er, one, last, *["er"] * more, two]
                tags = [-100] * LENGTH
                tags[1 + er], tags[3 + er + more] = tag, 1 - tag
                sentences.append((words + ["er"] * (LENGTH - len(words)), tags))
    return sentences


def halves(seed: int) -> tuple[list[Sentence], list[Sentence]]:
    """Draw half of the 36 pairs for training; the sentences of the others are kept for the test."""
    pairs = list(combinations_with_replacement(BOTH_WAYS, 2))
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(seed)).tolist()
    half = len(pairs) // 2
    return family([pairs[n] for n in order[:half]]), family([pairs[n] for n in order[half:]])


def numbers(sentences: Sequence[Sentence]) -> tuple[Tensor, Tensor]:
    """Return the words as numbers, and the tags, both (n, 8)."""
    ids = [[VOCABULARY.index(word) for word in words] for words, _ in sentences]
    return torch.tensor(ids), torch.tensor([tags for _, tags in sentences])


def best_of(sees: Callable, sentences: Sequence[Sentence]) -> float:
    """Return the share of doubtful words that the best rule gets right which sees only so much.

    sees: takes the words and a place, returns what the rule may know. It peeks at the tags.
    """
    counts = defaultdict(Counter)
    for words, tags in sentences:
        for place, tag in enumerate(tags):
            if tag >= 0:
                counts[sees(words, place)][tag] += 1
    right = sum(max(each.values()) for each in counts.values())
    return right / sum(each.total() for each in counts.values())


def parts(model: nn.Module, sentence: str) -> tuple[Tensor, Tensor, str]:
    """Take apart what a tagger says of the third word of a sentence.

    Returns: the shares that this word gives to the first three; the points for N, less those for V,
    that come of each (share times value, through the output layer), and at the end those of the
    word itself, which go past the head, with the bias; what the tagger says.
    """
    ids = numbers([(sentence.split(), [])])[0]
    with torch.no_grad():
        verb, noun = model(ids)[0, 2]
        x = (model.word(ids) + model.place.weight)[0, :3]
        for_noun = model.tag.weight[1] - model.tag.weight[0]
        shares = model.weights[0, 2, :3]
        itself = x[2] @ for_noun + model.tag.bias[1] - model.tag.bias[0]
        points = torch.cat([shares * (model.head.value(x) @ for_noun), itself[None]])
    assert (points.sum() - (noun - verb)).abs() < 1e-3
    return shares, points, "says N" if noun > verb else "says V"


def draw_points(shares, points, rows, columns, title: str, ax: plt.Axes) -> None:
    """Draw a cell for each share, coloured by the points that come of it: orange N, purple V.

    Points may have one column more than shares, for what comes without any.
    """
    points = np.asarray(points, dtype=float)
    ax.imshow(points, cmap="PuOr_r", vmin=-40, vmax=40, aspect="auto")
    for (row, column), point in np.ndenumerate(points):
        share = f"{float(shares[row][column]):.2f}\n" if column < len(shares[row]) else ""
        said = f"{share}{'VN'[int(point > 0)]} {abs(point):.1f}"
        ax.text(column, row, said, ha="center", va="center")
    ax.set_xticks(range(len(columns)), columns)
    ax.xaxis.tick_top()
    ax.set_yticks(range(len(rows)), rows)
    ax.set_title(title, pad=10)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def draw_losses(losses: Mapping[str, Sequence[float]], title: str) -> plt.Figure:
    """Draw a line for the losses of each training, and what a coin pays for one word or for both.

    Each point of a line is the mean of a thirtieth of the steps.
    Returns: the figure, for `show`.
    """
    figure, ax = plt.subplots(figsize=(7, 3.2))
    for (name, each), colour in zip(losses.items(), COLOURS, strict=False):
        width = max(1, len(each) // 30)
        means = torch.tensor(each).unfold(0, width, width).mean(dim=1)
        steps = width * torch.arange(1, len(means) + 1)
        ax.plot(steps, means, color=colour, label=name)
    coin = math.log(2)
    ticks = {0: "0", coin / 2: "0.35, a coin for one of two", coin: "0.69, a coin for both"}
    ax.set_yticks(list(ticks), list(ticks.values()))
    ax.grid(axis="y", linestyle="--")
    ax.set(xlabel="step", ylim=(-0.02, 0.85), title=title)
    ax.legend(loc="upper right", bbox_to_anchor=(1, 0.45))
    return figure
