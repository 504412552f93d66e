"""Weights as pictures: a map whose covered cells are hatched, and rows of shares end to end."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from helpers.workshop.figures import printed
from helpers.workshop.markup import GREY, INK, MUTED, PAPER

AMBER = "#e08a00"  # weights: blue, red and green belong to queries, keys and values
_MAP = LinearSegmentedColormap.from_list("amber", [PAPER, AMBER])


def _checked(weights, rows: Sequence[str], columns: Sequence[str]) -> np.ndarray:
    """Return the weights as an array of a row to each name.

    Raises: ValueError if the sizes differ.
    """
    table = np.asarray(weights, dtype=float)
    if table.shape != (len(rows), len(columns)):
        sizes = f"{len(rows)} rows and {len(columns)} columns are named"
        raise ValueError(f"weights have shape {table.shape}, but {sizes}")
    return table


def draw_weights(
    weights, rows: Sequence[str], columns: Sequence[str], title: str = "", keep=None,
    ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw a map of weights: a row to the word that takes, a column to the word that gives.

    keep: bool, of the same shape; without it every weight of 0 is hatched as if covered.
    Returns: the figure, for `show`.
    Raises: ValueError if shapes and names differ.
    """
    table = _checked(weights, rows, columns)
    keep = table != 0 if keep is None else np.asarray(keep)
    if ax is None:
        _, ax = plt.subplots(figsize=(0.62 * len(columns) + 0.9, 0.5 * len(rows) + 0.9))
    ax.imshow(np.where(keep, table, np.nan), vmin=0, vmax=1, cmap=_MAP, aspect="auto")
    for (row, column), weight in np.ndenumerate(table):
        if keep[row, column]:
            ax.text(column, row, printed(weight, 2), ha="center", va="center", fontsize=9)
        else:
            corner = (column - 0.5, row - 0.5)
            ax.add_patch(plt.Rectangle(corner, 1, 1, fill=False, ec=GREY, lw=0, hatch="////"))
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_title(title)
    ax.xaxis.tick_top()
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax.figure


def draw_shares(
    weights, rows: Sequence[str], columns: Sequence[str], title: str = "", longest: float = 1.0,
    ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw each row of weights as shares laid end to end; a dashed line stands where 1 is.

    longest: how far the axis reaches at least. A row that holds NaN is no bar but the word.
    Returns: the figure, for `show`.
    Raises: ValueError if shapes and names differ.
    """
    table = _checked(weights, rows, columns)
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 0.4 * len(rows) + 0.9))
    tints = _MAP(np.linspace(0.3, 0.95, len(columns)))
    for row, shares in enumerate(table):
        if np.isnan(shares).any():
            ax.text(0.03, row, "NaN", va="center", fontsize=9, color=MUTED)
            continue
        for column, (share, end) in enumerate(zip(shares, shares.cumsum(), strict=True)):
            if share <= 0:
                continue
            ax.barh(row, share, left=end - share, color=tints[column], edgecolor=PAPER, height=0.78)
            if share > 0.11 * longest:
                name = columns[column]
                ax.text(end - share / 2, row, name, ha="center", va="center", fontsize=9)
    ax.axvline(1, color=INK, linestyle="--", linewidth=1)
    ax.set_yticks(range(len(rows)), rows)
    ax.set(xlim=(0, 1.06 * longest), ylim=(len(rows) - 0.45, -0.55), title=title)
    ax.set_xticks(range(int(longest) + 1))
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    return ax.figure
