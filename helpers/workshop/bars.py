"""Rows of weights as bars: the shares of a row laid end to end, beside the line where 1 is."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from helpers.workshop.markup import INK, MUTED, PAPER

AMBER = "#e08a00"  # weights: blue, red and green belong to queries, keys and values
_TINTS = LinearSegmentedColormap.from_list("amber", [PAPER, AMBER])


def draw_bars(
    weights, rows: Sequence[str], columns: Sequence[str], title: str = "", longest: float = 1.0,
    named: bool = True, ax: plt.Axes | None = None,
) -> plt.Figure:  # fmt: skip
    """Draw each row of weights as a bar of shares, paler for earlier columns; a line marks 1.

    weights: (rows, columns), none below 0. longest: how far the axis reaches. named: write the
    column's name into shares that are wide enough. A row that holds NaN has the word for a bar.
    Returns: the figure, for `show`.
    Raises: ValueError if weights and names differ in number.
    """
    table = np.asarray(weights, dtype=float)
    if table.shape != (len(rows), len(columns)):
        sizes = f"{len(rows)} rows and {len(columns)} columns are named"
        raise ValueError(f"weights have shape {table.shape}, but {sizes}")
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 0.4 * len(rows) + 0.9))
    tints = _TINTS(np.linspace(0.3, 0.95, len(columns)))
    for row, shares in enumerate(table):
        if np.isnan(shares).any():
            ax.text(0.03 * longest, row, "NaN", va="center", fontsize=9, color=MUTED)
            continue
        for column, (share, end) in enumerate(zip(shares, shares.cumsum(), strict=True)):
            if share > 0:
                _draw_share(ax, row, end - share, share, tints[column])
            if named and share > 0.09 * longest:
                name = columns[column]
                ax.text(end - share / 2, row, name, ha="center", va="center", fontsize=9)
    ax.axvline(1, color=INK, linestyle="--", linewidth=1)
    ax.set_yticks(range(len(rows)), rows)
    ax.set(xlim=(0, 1.03 * longest), ylim=(len(rows) - 0.45, -0.55), title=title)
    ax.set_xticks(range(int(longest) + 1))
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    return ax.figure


def _draw_share(ax: plt.Axes, row: int, start: float, share: float, tint) -> None:
    """Draw one share of a bar."""
    ax.barh(row, share, left=start, color=tint, edgecolor=PAPER, height=0.78)
