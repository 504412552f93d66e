"""Pictures that nbval can compare: maps and tables as HTML, everything else with matplotlib.

nbval does not compare PNG pictures, so `show` puts the text of what a figure draws beside it.
Chinese labels are drawn as HTML, where the browser brings the glyphs that matplotlib's font lacks.
"""

import base64
import io
import re
from collections.abc import Collection, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.colors import to_hex

from helpers.workshop.figures import describe, printed
from helpers.workshop.markup import INK, PAPER, Picture, cell, picture, table

MUTED, GREY = "#6b6b6b", "#d9d9d9"
# the colours of q, k and v in every notebook
QUERY_BLUE, KEY_RED, VALUE_GREEN = "#0b62a4", "#b3261e", "#1b8a5a"

# The look of every matplotlib picture, in one place; importing this module sets it.
_CYCLE = [QUERY_BLUE, "#d95f02", VALUE_GREEN, "#8e44ad", MUTED, "#b8860b"]
plt.rc("figure", figsize=(6.4, 3.6), dpi=110)
plt.rc("figure.constrained_layout", use=True)
plt.rc("axes", titlesize=11, prop_cycle=plt.cycler(color=_CYCLE))
plt.rc("axes.spines", top=False, right=False)
plt.rc("image", cmap="Blues")
plt.rc("legend", frameon=False)

Tokens = Sequence[str]
Places = Collection[tuple[int, int]]
_DARK_FROM = 0.68  # from this weight on the blue is dark enough for white digits
_NUMBER = re.compile(r"[-+]?[\d,.]*\d ?%?|")  # also an empty cell


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


def heatmap(
    weights, queries: Tokens, keys: Tokens, title: str = "", ax: plt.Axes | None = None
) -> plt.Figure:
    """Draw attention weights with matplotlib: queries down, keys across, colours from 0 to 1.

    weights: (t_query, t_key); numbers are written into small maps; for several heads: heatmap_html.
    ax: where to draw; without it a new figure is made.
    Returns: the figure, for `show`.
    Raises: ValueError if shapes and labels differ, or a weight is not between 0 and 1.
    """
    maps = _attention_maps(weights, queries, keys)
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
        ink = PAPER if weight >= _DARK_FROM else INK
        ax.text(key, query, printed(weight, 2), ha="center", va="center", color=ink, fontsize=8)
    return ax.figure


def curves(
    series: Mapping, xlabel: str = "step", ylabel: str = "loss", title: str = "", best=None
) -> plt.Figure:
    """Draw one line for each entry {name: (steps, values)}, and a dashed one at the best step.

    Returns: the figure, for `show`.
    Raises: ValueError, by matplotlib, if a line has not one value for each step.
    """
    figure, axes = plt.subplots()
    for name, (steps, values) in series.items():
        axes.plot(steps, values, label=name, marker="o" if len(steps) <= 30 else "", markersize=4)
    if best is not None:
        label = f"best: {xlabel} {best:g}"
        axes.axvline(best, color=MUTED, linestyle="--", linewidth=1, label=label)
    axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
    axes.grid(axis="y", color="#e5e5e5")
    axes.legend()
    return figure


def heatmap_html(
    weights, queries: Tokens, keys: Tokens, title: str = "", links: Places = (), decimals=2
) -> Picture:
    """Draw attention weights as an HTML table: queries down, keys across, colours from 0 to 1.

    weights: (t_query, t_key), or (n_heads, t_query, t_key) for one small table per head.
    queries, keys: the tokens, in any script.
    links: the gold alignment as (query, key) positions from 0, outlined and bold. The corpus has
    (source, target) links (i, j); for cross-attention, whose queries are the target tokens, turn
    them: {(j, i) for i, j in ...}.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if shapes and labels differ, a weight is not between 0 and 1, or a link lies
    outside the table.
    """
    maps, tables = _attention_maps(weights, queries, keys), []
    _check_places("link", links, len(queries), len(keys))
    font = 12 if len(maps) == 1 else 11
    head = [cell("queries ↓ keys →", "center", font - 2, MUTED)]
    head += [cell(key, "center", font + 1, KEY_RED, tag="th") for key in keys]
    for number, weights_of_head in enumerate(maps, 1):
        rows = [head]
        for query, label in enumerate(queries):
            rows.append([cell(label, "right", font + 1, QUERY_BLUE, tag="th")])
            for key, weight in enumerate(weights_of_head[query]):
                is_linked = (query, key) in links
                rows[-1].append(_weight_cell(printed(weight, decimals), font, is_linked))
        tables.append(table(rows, f"head {number}" if len(maps) > 1 else "", spacing=1))
    size = f"{f'{len(maps)} heads, ' * (len(maps) > 1)}{len(queries)} queries x {len(keys)} keys"
    size += f", gold links: {len(links)}" * bool(links)
    note = "outlined, bold: gold alignment" * bool(links)
    return picture("attention map", title, size, tables, note)


def table_html(
    rows: Sequence, header: Tokens = (), caption: str = "", highlight: Places = (), decimals=2
) -> Picture:
    """Draw rows of cells as an HTML table; columns of numbers stand to the right.

    rows: lists of cells, each as long as the header, or as the first row where there is no header.
    highlight: (row, column) positions from 0 to be drawn on grey.
    decimals: of the floats.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if there is no row, a row has another length, a position lies outside.
    """
    if not len(rows):
        raise ValueError("a table needs at least one row")
    n_columns = len(header) or len(rows[0])
    _check_places("highlight", highlight, len(rows), n_columns)
    texts = [_texts_of(row, number, n_columns, decimals) for number, row in enumerate(rows)]
    columns = zip(*texts, strict=True)
    sides = ["right" if all(map(_NUMBER.fullmatch, column)) else "left" for column in columns]
    cells = []
    if header:
        named = zip(header, sides, strict=True)
        cells.append([cell(text, side, 12, INK, "#f0f0f0", tag="th") for text, side in named])
    for number, row in enumerate(texts):
        papers = [GREY if (number, column) in highlight else PAPER for column in range(n_columns)]
        drawn = zip(row, sides, papers, strict=True)
        cells.append([cell(text, side, 13, INK, paper) for text, side, paper in drawn])
    size = f"{len(rows)} rows x {n_columns} columns"
    return picture("table", caption, size, [table(cells, "", spacing=0)])


def _texts_of(row: Sequence, number: int, n_columns: int, decimals: int) -> list[str]:
    if isinstance(row, str) or len(row) != n_columns:
        raise ValueError(f"row {number} is {row!r}; give a list of {n_columns} cells")
    # of tensors and numpy numbers the plain number
    plain = [value.item() if hasattr(value, "item") else value for value in row]
    return [printed(value, decimals) if isinstance(value, float) else str(value) for value in plain]


def _attention_maps(weights, queries: Tokens, keys: Tokens) -> np.ndarray:
    """Return checked weights as (n_heads, t_query, t_key), one head where they have none."""
    plain = weights.detach().cpu() if hasattr(weights, "detach") else weights
    maps = np.asarray(plain, dtype=float)
    shape, t_query, t_key = f"weights have shape {maps.shape}", len(queries), len(keys)
    if maps.ndim not in (2, 3):
        raise ValueError(f"{shape}; take one sentence: (t_query, t_key) or one map per head")
    if 0 in maps.shape or maps.shape[-2:] != (t_query, t_key):
        raise ValueError(f"{shape}, but there are {t_query} queries and {t_key} keys")
    low, high = maps.min(), maps.max()
    if not (low >= -1e-5 and high <= 1 + 1e-5):  # true for NaN, too
        reach = f"weights reach from {low:g} to {high:g}"
        raise ValueError(f"{reach}, not from 0 to 1; are they scores?")
    return maps.reshape(-1, t_query, t_key).clip(0, 1)


def _check_places(name: str, places: Places, n_rows: int, n_columns: int) -> None:
    for row, column in sorted(places):
        if not (0 <= row < n_rows and 0 <= column < n_columns):
            outside = f"lies outside the {n_rows} rows and {n_columns} columns"
            raise ValueError(f"{name} ({row}, {column}) {outside}")


def _weight_cell(digits: str, size: int, linked: bool) -> str:
    # The colour is that of the printed number, so it cannot differ where the print is the same.
    colour = to_hex(plt.colormaps["Blues"](float(digits)))
    ink = PAPER if float(digits) >= _DARK_FROM else INK
    return cell(digits, "center", size, ink, colour, linked)
