"""Weights of words as notebooks 01 and 02 show them: a table of cells, and a bar for each row."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from helpers.workshop.figures import printed
from helpers.workshop.markup import GREY, INK, PAPER

AMBER = "#e08a00"  # of weights in every notebook


def draw_shares(weights, tokens: Sequence[str], title: str = "") -> plt.Figure:
    """Draw the weights of a sentence twice: as a table, and each row as a bar cut into shares.

    weights: (t, t), a row for each word that takes, a column for each word that gives; what lies
    after a word is hatched in the table while its weight is 0.
    Returns: the figure, for `show`.
    Raises: ValueError unless there is a row and a column for each token.
    """
    rows = [[float(weight) for weight in row] for row in weights]
    count = len(tokens)
    if [len(row) for row in rows] != [count] * count:
        sizes = [len(row) for row in rows]
        raise ValueError(f"weights has rows of {sizes}; give {count} rows of {count} numbers")
    figure, (cells, bars) = plt.subplots(
        1, 2, figsize=(7.6, 0.55 * count + 0.9), width_ratios=[1, 1.5]
    )
    for place, row in enumerate(rows):
        start = 0.0
        for other, weight in enumerate(row):
            _draw_cell(cells, place, other, weight)
            _draw_share(bars, place, start, weight, tokens[other])
            start += weight
    cells.set(xlim=(-0.5, count - 0.5), ylim=(count - 0.5, -0.5), aspect="equal", title=title)
    cells.set_xticks(range(count), tokens)
    cells.xaxis.tick_top()
    bars.set(xlim=(0, 1), ylim=(count - 0.5, -0.5), xticks=[])
    bars.set_title("what each word is made of", pad=22)  # as high as the other one
    for ax in (cells, bars):
        ax.set_yticks(range(count), tokens, va="center")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    return figure


def _draw_cell(ax: plt.Axes, row: int, column: int, weight: float) -> None:
    """Draw one weight; a cell of the future that gives nothing is hatched and bears no number."""
    future = column > row and not weight
    look = dict(facecolor=PAPER, hatch="///") if future else dict(facecolor=_shade(weight))
    corner = column - 0.5, row - 0.5
    ax.add_patch(Rectangle(corner, 1, 1, edgecolor=GREY, linewidth=1, **look))
    text = "" if future else printed(weight, 2)
    ax.text(column, row, text, ha="center", va="center", fontsize=9, color=INK)


def _draw_share(ax: plt.Axes, row: int, start: float, weight: float, token: str) -> None:
    """Draw one share of a bar; one that is too narrow for its name goes without."""
    shape = Rectangle((start, row - 0.36), weight, 0.72, facecolor=_shade(weight))
    shape.set(edgecolor=PAPER, linewidth=2)
    ax.add_patch(shape)
    if weight >= 0.08:
        ax.text(start + weight / 2, row, token, ha="center", va="center", fontsize=9, color=INK)


def _shade(weight: float):
    """Return amber, the fuller the larger the weight."""
    return to_rgba(AMBER, 0.08 + 0.77 * min(1.0, max(0.0, weight)))
