"""The plane of notebooks 01 to 03: words as points, and a fence between two readings."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt

from helpers.workshop.markup import GREY, INK, MUTED, ORANGE

AXES = ("a verb is near", "a noun is near")
SIDES = ("the tool", "to see")  # above the fence a noun is nearer, below it a verb


def draw_plane(
    points: Mapping[str, Sequence[float]], arrows: Mapping[str, Sequence[str]] | None = None,
    title: str = "", sides: Sequence[str] = SIDES, axes: Sequence[str] = AXES,
    ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw words as points in the plane; the diagonal is the fence between the two readings.

    points: two numbers from 0 to 2 for each name. arrows: {"mix": ["i", "saw"]} draws an arrow from
    each of these points to the point mix, which is orange then. sides: what lies above and below.
    Returns: the figure, for `show`.
    """
    arrows = arrows or {}
    if ax is None:
        _, ax = plt.subplots(figsize=(4.2, 4.0))
    ax.plot([0, 2.2], [0, 2.2], color=GREY, linestyle="--", linewidth=1.5, zorder=0)
    ax.text(0.8, 2.15, sides[0], color=MUTED, fontsize=11, style="italic")
    ax.text(1.75, 1.0, sides[1], color=MUTED, fontsize=11, style="italic")
    for mixed, parts in arrows.items():
        for part in parts:
            ax.annotate(
                "", points[mixed], points[part],
                arrowprops=dict(arrowstyle="->", color=ORANGE, shrinkA=7, shrinkB=7),
            )
    for name, (across, up) in points.items():
        ax.plot([across], [up], "o", color=ORANGE if name in arrows else INK, markersize=9)
        ax.annotate(name, (across, up), (8, 6), textcoords="offset points", fontsize=10)
    ax.set(xlim=(-0.15, 2.5), ylim=(-0.15, 2.5), xlabel=axes[0], ylabel=axes[1], title=title)
    ax.set(xticks=[0, 1, 2], yticks=[0, 1, 2], aspect="equal")
    return ax.figure
