"""Clocks that show a place: one hand, as the compass of notebook 03, or several."""

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt

from helpers.workshop.markup import GREY, INK, MUTED

HANDS = [INK, "#8e44ad", MUTED, "#b4b4b4"]  # the first is the longest, and the quickest


def draw_clocks(
    rows: Sequence[Sequence[float]], places: int, names: Sequence[str] = ()
) -> plt.Figure:
    """Draw a row of clocks for each list of speeds, a clock for each place.

    rows: radians a step of each hand, at most four; the first hand is the longest.
    names: of the rows, written on the left.
    Returns: the figure, for `show`.
    """
    size = 1.35 * places, 1.55 * len(rows)
    figure, axes = plt.subplots(len(rows), places, figsize=size, squeeze=False)
    for speeds, line in zip(rows, axes, strict=True):
        for place, ax in enumerate(line):
            ax.add_patch(plt.Circle((0, 0), 1.08, fill=False, color=GREY))
            for number, (speed, colour) in enumerate(zip(speeds, HANDS, strict=False)):
                angle, length = place * speed, 1 - number / 6
                tip = length * math.cos(angle), length * math.sin(angle)
                ax.plot([0, tip[0]], [0, tip[1]], color=colour, linewidth=2.2)
            ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal", xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
    for place, ax in enumerate(axes[0], 1):
        ax.set_title(f"place {place}")
    for line, name in zip(axes, names, strict=False):
        line[0].set_ylabel(name, fontsize=12)
    return figure
