"""The pictures of notebook 04: people on a line, who wrote what, the sweep, where heads look."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.colors import ListedColormap
from torch import Tensor

from helpers.display.figure_text import printed
from helpers.display.heatmaps import AMBERS, INK, MUTED
from helpers.display.svg import HEADS
from helpers.display.tables import AMBER

BAG = dict(color="#8e44ad", linestyle="--", linewidth=1, label="a bag")
BESIDE = dict(loc="center left", bbox_to_anchor=(1, 0.5))  # the legend stands beside the plot


def draw_points(people: Mapping[str, Sequence[float]]) -> plt.Figure:
    """Draw people as points on a line, and what saw gets of two of them as named rings."""
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    ax.plot([1, 0], [0, 1], "--", color="#d9d9d9")
    for name in people:
        if any(people[name]):
            ax.plot(*people[name], "o", color=INK)
            ax.annotate(name, people[name], (6, 6), textcoords="offset points")
    both = "saw in Tom saw Emma\nand in Carl saw Carl"
    look = dict(color="#9a5b00", va="center", textcoords="offset points")
    for point, name in {(0.3, 0.7): "saw in Emma saw Tom", (0.7, 0.3): both}.items():
        ax.plot(*point, "o", color=AMBER, markersize=16, fillstyle="none")
        line = dict(arrowstyle="-", color=AMBER)
        ax.annotate(name, point, (52, 14), arrowprops=line, **look)
    ax.set(xlabel="is it Tom", ylabel="is it Emma", xlim=(-0.1, 1.6), ylim=(-0.1, 1.15))
    ax.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    return figure


def draw_numbers(ax: plt.Axes, grid: Tensor, title: str) -> None:
    """Write numbers into a grid; each four have the colour of their word."""
    numbers, colours = grid.numpy(), ListedColormap(["#fbd48b", "#d9d9d9", "#d3bfe8"])
    ax.imshow(numbers // 4, cmap=colours, vmin=0, vmax=2)
    for (row, column), number in np.ndenumerate(numbers):
        ax.text(column, row, str(number), ha="center", va="center")
    ax.set(title=title, xticks=[], yticks=[])


def draw_writers(parts: Tensor, channels: Sequence[str], titles: Sequence[str]) -> plt.Figure:
    """Draw what two heads add to each channel of a word, each in its colour.

    parts: (2, len(titles), len(channels)), none below 0: a panel for each title.
    """
    figure, axes = plt.subplots(1, len(titles), figsize=(9.5, 2.2), sharey=True)
    for ax, word, title in zip(axes, parts.unbind(dim=1), titles, strict=True):
        start = torch.zeros(len(channels))
        for head, (own, colour) in enumerate(zip(word.round(decimals=2), HEADS, strict=True), 1):
            ax.barh(channels, own, left=start, color=colour, edgecolor=MUTED, linewidth=0.5)
            for channel in own.nonzero().flatten().tolist():
                middle = (start[channel] + own[channel] / 2).item()
                ax.text(middle, channel, f"head {head}", ha="center", va="center", fontsize=9)
            start = start + own
        ax.set(title=title, xlim=(0, 2.05), xticks=[0, 1, 2])
        ax.spines["left"].set_visible(False)
    axes[0].invert_yaxis()
    return figure


def draw_sweep(
    results: Mapping[int, Tensor], looks: Sequence[int], bag: float, guess: float
) -> plt.Figure:
    """Draw the shares right of each number of heads: (starts, looks) each, dots and their means."""
    figure, ax = plt.subplots(figsize=(7, 3.2))
    places = range(len(results))
    for look, (colour, step) in enumerate(zip(["#f5c879", "#b56a00"], looks, strict=True)):
        means = [shares[:, look].mean().item() for shares in results.values()]
        ax.plot(places, means, color=colour, label=f"after {step} steps")
        for place, shares in zip(places, results.values(), strict=True):
            beside = [place + 0.16 * look - 0.08] * len(shares)  # or they'd hide each other
            ax.scatter(beside, shares[:, look].tolist(), color=colour, s=18)
    ax.axhline(bag, **BAG)
    ax.axhline(guess, color="#6b6b6b", linestyle="--", linewidth=1, label="guessing")
    ax.set(xlabel="heads that share 32 channels", ylabel="share right", ylim=(0, 1.05))
    ax.set_xticks(places, [str(number) for number in results])
    ax.legend(**BESIDE)
    return figure


def draw_backs(maps: Mapping[str, Tensor]) -> plt.Figure:
    """Draw where heads look: a panel for each model, a row for each head, a column for each place.

    maps: each (n_heads, places), the mean shares of the places 1 back, 2 back and so on.
    """
    figure, axes = plt.subplots(1, len(maps), figsize=(2.7 * len(maps), 2.7), squeeze=False)
    for ax, (title, shares) in zip(axes[0], maps.items(), strict=True):
        ax.imshow(shares.numpy(), cmap=AMBERS, vmin=0, vmax=1)
        for (row, column), share in np.ndenumerate(shares.numpy()):
            ax.text(column, row, printed(share, 2), ha="center", va="center", fontsize=9)
        ax.set(title=title, xlabel="places back")
        ax.set_xticks(range(shares.size(1)), range(1, shares.size(1) + 1))
        ax.set_yticks(range(len(shares)), [f"head {head + 1}" for head in range(len(shares))])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    return figure


def draw_long(
    looks: Sequence[int], series: Sequence[Sequence[float]], bag: float, stopped: int
) -> plt.Figure:
    """Draw the share right over many steps from three starts, and where we had stopped before."""
    figure, ax = plt.subplots(figsize=(7, 3))
    for start, (shares, colour) in enumerate(
        zip(series, [INK, "#b56a00", "#c2608c"], strict=True), 1
    ):
        ax.plot(looks, shares, color=colour, label=f"start {start}")
    ax.axhline(bag, **BAG)
    ax.axvline(stopped, color="#6b6b6b", linestyle=":", label="where we stopped")
    ax.set(xlabel="steps", ylabel="share right", ylim=(0.25, 0.55), xlim=(0, max(looks)))
    ax.legend(**BESIDE)
    return figure


def looks_back(weights: Tensor, first: int = 4, furthest: int = 5) -> Tensor:
    """Average the weights on each distance, over all sentences and over rows from `first` on.

    weights: (batch, n_heads, t, t).
    Returns: (n_heads, furthest + 1), rounded to two decimals.
    """
    mean = weights.detach().mean(dim=0)
    back = [
        mean.diagonal(-far, 1, 2)[:, max(0, first - far) :].mean(dim=-1)
        for far in range(furthest + 1)
    ]
    return torch.stack(back, dim=1).round(decimals=2)
