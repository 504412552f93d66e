"""The plane of notebooks 01 to 03: words as points, and a fence between two readings."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt

from helpers.workshop.markup import GREY, INK, MUTED, ORANGE

Arrows = Mapping[str, float] | Sequence[str]  # who gives how much
AXES = ("a verb is near", "a noun is near")
SIDES = ("the tool", "to see")  # above the fence a noun is nearer, below it a verb
EVEN, NEAR = 0.2, 0.1  # of arrows that are all as wide; of points with no room between them


def draw_plane(
    points: Mapping[str, Sequence[float]], arrows: Mapping[str, Arrows] | None = None,
    title: str = "", sides: Sequence[str] = SIDES, axes: Sequence[str] = AXES,
    ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw words as points in the plane; the diagonal is the fence between the two readings.

    points: two numbers from 0 to 2 for each name. arrows: {"mix": {"i": 0.7, "saw": 0.3}} draws an
    arrow from each giver to the result mix, as wide as its share, and mix as an orange ring; who
    stands where the result lies needs no arrow. ["i", "saw"]: arrows as wide as each other. They
    are bent, since three words in a row would hide each other. sides: what lies above and below.
    Returns: the figure, for `show`.
    """
    arrows = arrows or {}
    if ax is None:
        _, ax = plt.subplots(figsize=(4.2, 4.0))
    ax.plot([0, 2.2], [0, 2.2], color=GREY, linestyle="--", linewidth=1.5, zorder=0)
    ax.text(0.8, 2.15, sides[0], color=MUTED, fontsize=11, style="italic")
    ax.text(1.75, 1.0, sides[1], color=MUTED, fontsize=11, style="italic")
    places = {name: (float(across), float(up)) for name, (across, up) in points.items()}
    for mixed, givers in arrows.items():
        shares = givers if isinstance(givers, Mapping) else dict.fromkeys(givers, EVEN)
        for giver, share in shares.items():
            if share > 0 and math.dist(places[giver], places[mixed]) > NEAR:
                _draw_arrow(ax, places[giver], places[mixed], share)
    for name, (across, up) in places.items():
        ring = dict(markersize=15, markerfacecolor="none", markeredgewidth=2.5, color=ORANGE)
        dot = dict(markersize=9, color=INK)
        ax.plot([across], [up], "o", **(ring if name in arrows else dot))
        here = [other for other, place in places.items() if math.dist(place, (across, up)) < NEAR]
        offset = (8, -16) if here.index(name) else (8, 6)  # the second name stands below
        ax.annotate(name, (across, up), offset, textcoords="offset points", fontsize=10)
    ax.set(xlim=(-0.15, 2.5), ylim=(-0.15, 2.5), xlabel=axes[0], ylabel=axes[1], title=title)
    ax.set(xticks=[0, 1, 2], yticks=[0, 1, 2], aspect="equal")
    return ax.figure


def _draw_arrow(ax: plt.Axes, giver, result, share: float) -> None:
    """Draw what a giver gives, as wide as its share; every arrow bends to its left."""
    look = dict(arrowstyle="-|>", color=ORANGE, linewidth=0.8 + 5 * share, shrinkA=7, shrinkB=9)
    look.update(mutation_scale=11 + 9 * share, connectionstyle="arc3,rad=-0.4", alpha=0.75)
    ax.annotate("", result, giver, arrowprops=look)
