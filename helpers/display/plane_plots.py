"""The plane of notebooks 01 to 03: words as points, and a fence between two readings."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt

from helpers.display.html_maps import GREY, INK, MUTED, ORANGE

Arrows = Mapping[str, float] | Sequence[str]  # who gives how much
AXES = ("a verb is near", "a noun is near")
SIDES = ("the tool", "to see")  # above the fence a noun is nearer, below it a verb
EVEN, NEAR = 0.2, 0.1  # of arrows that are all as wide; of points with no room between them
BEND = 0.22  # of an arrow that would lie on another one, as matplotlib's arc3 counts it


def draw_plane(
    points: Mapping[str, Sequence[float]], arrows: Mapping[str, Arrows] | None = None,
    title: str = "", sides: Sequence[str] = SIDES, ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw words as points in the plane; the diagonal is the fence between the two readings.

    points: two numbers from 0 to 2 for each name. arrows: {"mix": {"i": 0.7, "saw": 0.3}} draws an
    arrow from each giver to the result mix, as wide as its share, and mix as an orange diamond,
    hollow around a word that stands in the same place and needs no arrow. ["i", "saw"]: arrows as
    wide as each other. They are straight, since a mean lies between its words; where two would lie
    on one another, the longer one makes a bow. sides: what lies above and below.
    Returns: the figure, for `show`.
    """
    arrows = arrows or {}
    if ax is None:
        _, ax = plt.subplots(figsize=(4.2, 4.0))
    ax.plot([0, 2.2], [0, 2.2], color=GREY, linestyle="--", linewidth=1.5, zorder=0)
    ax.text(0.8, 2.15, sides[0], color=MUTED, fontsize=11, style="italic")
    ax.text(1.75, 1.0, sides[1], color=MUTED, fontsize=11, style="italic")
    places = {name: (float(across), float(up)) for name, (across, up) in points.items()}
    ways = []
    for mixed, givers in arrows.items():
        shares = givers if isinstance(givers, Mapping) else dict.fromkeys(givers, EVEN)
        for giver, share in shares.items():
            if share > 0 and math.dist(places[giver], places[mixed]) > NEAR:
                ways.append((places[giver], places[mixed], share))
    for way, lane in _lanes(ways):
        _draw_arrow(ax, *way, lane)
    for name, (across, up) in places.items():
        here = [other for other, place in places.items() if math.dist(place, (across, up)) < NEAR]
        diamond = dict(marker="D", markersize=12, color=ORANGE, zorder=2)
        if len(here) > 1:  # hollow, so that the dot in it is seen
            diamond.update(markersize=15, markerfacecolor="none", markeredgewidth=2.5)
        dot = dict(marker="o", markersize=9, color=INK, zorder=3)
        ax.plot([across], [up], **(diamond if name in arrows else dot))
        offset, align = ((-12, 0), "right") if here.index(name) else ((12, 0), "left")
        look = dict(textcoords="offset points", fontsize=10, ha=align, va="center")
        ax.annotate(name, (across, up), offset, **look)  # the second name stands on the left
    ax.set(xlim=(-0.15, 2.5), ylim=(-0.15, 2.5), title=title)
    ax.set(xlabel=AXES[0], ylabel=AXES[1], xticks=[0, 1, 2], yticks=[0, 1, 2], aspect="equal")
    return ax.figure


def _lanes(ways: list[tuple]) -> list[tuple[tuple, int]]:
    """Give each arrow a lane of its own among those that it would lie on; the shorter come first.

    ways: (from where, to where, share). Returns: each with its lane, 0 for the straight way.
    """
    placed: list[tuple[tuple, int]] = []
    for way in sorted(ways, key=lambda way: math.dist(way[0], way[1])):
        taken = {lane for other, lane in placed if _lie_on_one_another(way, other)}
        placed.append((way, next(lane for lane in range(len(ways)) if lane not in taken)))
    return placed


def _lie_on_one_another(way: tuple, other: tuple) -> bool:
    """Tell whether two arrows share more of a line than a point."""
    (x, y), (to_x, to_y) = way[:2]
    length = math.dist(way[0], way[1])
    along, aside = [], []
    for across, up in other[:2]:
        along.append(((across - x) * (to_x - x) + (up - y) * (to_y - y)) / length)
        aside.append(abs((across - x) * (to_y - y) - (up - y) * (to_x - x)) / length)
    shared = min(length, max(along)) - max(0, min(along))
    return max(aside) < NEAR and shared > NEAR


def _draw_arrow(ax: plt.Axes, giver, result, share: float, lane: int) -> None:
    """Draw what a giver gives, as wide as its share; the higher its lane, the wider its bow."""
    (x, y), (to_x, to_y) = giver, result
    bend = BEND * lane * (-1 if to_y - y > to_x - x else 1)  # below or left: names stand right
    look = dict(arrowstyle="-|>", color=ORANGE, linewidth=0.8 + 5 * share, shrinkA=5, shrinkB=8)
    look.update(mutation_scale=11 + 9 * share, alpha=0.75, connectionstyle=f"arc3,rad={bend}")
    ax.annotate("", result, giver, arrowprops=look)
