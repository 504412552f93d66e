"""Pictures that nbval can compare: maps and tables as HTML, everything else with matplotlib.

nbval does not compare PNG pictures, so `show` puts the text of what a figure draws beside it.
Chinese labels are drawn as HTML, where the browser brings the glyphs that matplotlib's font lacks.
"""

import base64
import io
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display

from helpers.display.figure_text import describe, printed
from helpers.display.markup import DARK_FROM, INK, KEY_RED, MUTED, ORANGE, PAPER, QUERY_BLUE
from helpers.display.markup import attention_maps as attention_maps
from helpers.display.markup import heatmap_html as heatmap_html
from helpers.display.markup import table_html as table_html

# The look of every matplotlib picture, in one place; importing this module sets it. Blue, red and
# green are those of queries, keys and values, so no line of a plot has them.
_CYCLE = [INK, ORANGE, "#8e44ad", MUTED, "#b8860b", "#c2608c"]
plt.rc("figure", figsize=(6.4, 3.6), dpi=110)
plt.rc("figure.constrained_layout", use=True)
plt.rc("axes", titlesize=11, prop_cycle=plt.cycler(color=_CYCLE))
plt.rc("axes.spines", top=False, right=False)
plt.rc("image", cmap="Blues")
plt.rc("legend", frameon=False)


def show(figure: plt.Figure, decimals: int = 2) -> None:
    """Display a matplotlib figure as a PNG together with the text of what it draws, then close it.

    decimals: how many decimals of each drawn number are printed, and so compared.
    Raises: ValueError as `describe` does; the figure is closed then, too.
    """
    try:
        text, png = describe(figure, decimals), io.BytesIO()
        # The entry Software would change the bytes with each release of matplotlib.
        figure.savefig(png, format="png", bbox_inches="tight", metadata={"Software": None})
    finally:
        plt.close(figure)
    display({"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": text}, raw=True)


def heatmap(weights, queries, keys, title: str = "", ax: plt.Axes | None = None) -> plt.Figure:
    """Draw attention weights with matplotlib: queries down, keys across, colours from 0 to 1.

    weights: (t_query, t_key); numbers are written into small maps; for several heads: heatmap_html.
    ax: where to draw; without it a new figure is made.
    Returns: the figure, for `show`.
    Raises: ValueError if shapes and labels differ, or a weight is not between 0 and 1.
    """
    maps = attention_maps(weights, queries, keys)
    if len(maps) > 1:
        advice = "draw one at a time, or all with heatmap_html"
        raise ValueError(f"heatmap draws one head, not {len(maps)}; {advice}")
    if ax is None:
        _, ax = plt.subplots(figsize=(0.42 * len(keys) + 1, 0.42 * len(queries) + 1.3))
    ax.imshow(maps[0], vmin=0, vmax=1, cmap="Blues")
    ax.set(title=title, xlabel="keys", ylabel="queries")
    rotation = 90 if max(map(len, keys)) > 4 else 0
    ax.set_xticks(range(len(keys)), keys, rotation=rotation, color=KEY_RED)
    ax.set_yticks(range(len(queries)), queries, color=QUERY_BLUE)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (query, key), weight in np.ndenumerate(maps[0]) if max(maps[0].shape) <= 10 else ():
        ink = PAPER if weight >= DARK_FROM else INK
        ax.text(key, query, printed(weight, 2), ha="center", va="center", color=ink, fontsize=8)
    return ax.figure


def curves(series: Mapping, xlabel="step", ylabel="loss") -> plt.Figure:
    """Draw one line for each entry {name: (steps, values)}.

    Returns: the figure, for `show`.
    Raises: ValueError, by matplotlib, if a line has not one value for each step.
    """
    figure, axes = plt.subplots()
    for name, (steps, values) in series.items():
        axes.plot(steps, values, label=name, marker="o" if len(steps) <= 30 else "", markersize=4)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(axis="y", color="#e5e5e5")
    axes.legend()
    return figure
