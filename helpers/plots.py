"""Pictures whose content nbval can compare: attention maps and tables as HTML, everything else with matplotlib.

nbval does not compare PNG pictures, so `show` puts the text of what a figure draws beside the picture. Chinese labels
are drawn as HTML, where the browser brings the glyphs that matplotlib's own font lacks.
"""

import base64
import html
import io
import re
import zlib
from collections.abc import Collection, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.colors import to_hex, to_rgba_array
from matplotlib.patches import Patch

PAPER, INK, MUTED, GREY, ORANGE = "#ffffff", "#111111", "#6b6b6b", "#d9d9d9", "#e66100"
QUERY_BLUE, KEY_RED, VALUE_GREEN = "#0b62a4", "#b3261e", "#1b8a5a"  # the colours of q, k and v in every notebook

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
_PRINTED_IN_FULL = 100  # longer arrays are printed as their ends and a checksum
_NUMBER = re.compile(r"[-+]?[\d,.]*\d ?%?|")  # also an empty cell
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]")
# And every patch; a subclass may draw otherwise, so names must be equal.
_READABLE = "Line2D AxesImage PathCollection LineCollection FillBetweenPolyCollection Legend Text Annotation".split()
_REFUSAL = "show cannot read {}, so it would go unchecked; draw it otherwise, or teach _read in helpers/plots.py"


# ---------------------------------------------------------------- figures that are compared as text


def show(figure: plt.Figure, decimals: int = 2) -> None:
    """Display a matplotlib figure as a PNG together with the text of what it draws, then close it.

    decimals: how many decimals of each drawn number are printed, and so compared.
    Raises: ValueError as `describe` does; the figure is closed then, too.
    """
    try:
        text, png = describe(figure, decimals), io.BytesIO()
        # The entry Software would change the bytes of the same picture with each release of matplotlib.
        figure.savefig(png, format="png", bbox_inches="tight", metadata={"Software": None})
    finally:
        plt.close(figure)
    display({"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": text}, raw=True)


def describe(figure: plt.Figure, decimals: int = 2) -> str:
    """Return what a figure draws as text, read back from its artists and not from the data meant to be drawn.

    Raises: ValueError naming the class of an artist that cannot be read, for a CJK character, which matplotlib's font
    lacks, and for data that all print as zero at so few decimals.
    """
    for axes in figure.axes:
        _ = axes.get_xticklabels(), axes.get_yticklabels()  # makes the tick labels, so that the next line finds them
    for text in map(plt.Text.get_text, figure.findobj(plt.Text)):
        if _CJK.search(text):
            raise ValueError(f"matplotlib's font lacks characters of {text!r}; draw it with heatmap_html or table_html")
    figure.draw_without_rendering()
    lines = [f"figure text {text.get_text()!r}" for text in figure.texts if text.get_text()]
    for artist in [*figure.lines, *figure.patches, *figure.images, *figure.legends, *figure.artists, *figure.subfigs]:
        lines += _read(artist, decimals)
    for number, axes in enumerate(figure.axes, 1):
        lines += _read_axes(axes, number, decimals) if axes.get_visible() else []
    return "\n".join(lines)


def _read_axes(axes: plt.Axes, number: int, decimals: int) -> list[str]:
    if axes.name != "rectilinear":
        raise ValueError(_REFUSAL.format(type(axes).__name__))
    is_colorbar = axes.get_label() == "<colorbar>"  # its artists repeat the colour map that the image tells of
    titles = [repr(axes.get_title(place)) for place in ("left", "center", "right") if axes.get_title(place)]
    lines = [" ".join([f"{'colorbar' if is_colorbar else 'axes'} {number}", *titles])]
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if axes.axison and axis.get_visible():
            ends = " to ".join(_number(end, decimals, axis.get_scale()) for end in axis.get_view_interval())
            lines.append(f"  {name} {axis.get_label().get_text()!r} {axis.get_scale()} {ends}, ticks: {_ticks(axis)}")
    artists = [*axes.lines, *axes.images, *axes.patches, *axes.collections, *axes.artists, *axes.tables]
    artists += [*axes.child_axes, *filter(None, [axes.get_legend()])]
    for artist in [] if is_colorbar else artists:
        lines += ["  " + line for line in _read(artist, decimals, axes.get_xscale(), axes.get_yscale())]
    texts = sum((_read(text, decimals) for text in axes.texts), [])
    return lines + ["  " + "; ".join(texts)] * bool(texts)


def _ticks(axis) -> str:
    low, high = sorted(axis.get_view_interval())
    ticks, labels = [], axis.get_ticklabels()  # no labels where a shared axis shows them elsewhere
    for place, label in zip(axis.get_majorticklocs(), labels, strict=bool(labels)):
        text = label.get_text()
        if text and label.get_visible() and low <= place <= high:
            ticks.append(text if text == f"{place:g}" else f"{text!r} at {place:g}")
    return ", ".join([*ticks, axis.get_offset_text().get_text()]).removesuffix(", ") or "none"


def _read(artist, decimals: int, xscale: str = "linear", yscale: str = "linear") -> list[str]:
    """Describe one artist in one or more lines."""

    def points(pairs) -> str:
        return f"x {_numbers(pairs[:, 0], decimals, xscale)}; y {_numbers(pairs[:, 1], decimals, yscale)}"

    kind, label = type(artist).__name__, str(artist.get_label())
    if not artist.get_visible():
        return []
    if kind not in _READABLE and not isinstance(artist, Patch):
        raise ValueError(_REFUSAL.format(kind))
    if kind == "Legend":
        entries = zip(artist.get_texts(), map(_colours, artist.legend_handles), strict=True)
        entries = ", ".join(f"{text.get_text()!r} {colour}" for text, colour in entries)
        return [f"Legend {artist.get_title().get_text()!r}: {entries}"]
    start = f"{kind}{f' {label!r}' if label and label[0] != '_' else ''} {_colours(artist)}"
    if kind == "Line2D":
        return [f"{start} {artist.get_linestyle()} {artist.get_marker()}: {points(artist.get_xydata())}"]
    if isinstance(artist, plt.Text):
        places = [artist.get_position(), *([artist.xy] if kind == "Annotation" else [])]
        places = " for ".join(" ".join(_number(value, decimals) for value in place) for place in places)
        return [f"{start} {artist.get_text()!r} at {places}"]
    if isinstance(artist, Patch):  # of a bar two corners, of any other shape its outline
        outline = artist.get_path().transformed(artist.get_patch_transform()).vertices
        return [f"{start}: {points(outline[[0, 2]] if kind == 'Rectangle' and not artist.angle else outline)}"]
    mapped = ""
    if artist.get_array() is not None:  # the colour map, its limits and the numbers that it colours
        limits = " to ".join(_number(limit, decimals) for limit in artist.get_clim())
        values = _numbers(artist.get_array(), decimals)
        mapped = f"; {artist.get_cmap().name} {type(artist.norm).__name__} {limits}: {values}".replace(": \n", ":\n")
    if kind == "AxesImage":
        return [f"{start}{artist.origin} {' '.join(_number(edge, decimals) for edge in artist.get_extent())}{mapped}"]
    if kind == "PathCollection":  # a scatter plot
        return [f"{start}: {points(artist.get_offsets())}; sizes {_numbers(artist.get_sizes(), decimals)}{mapped}"]
    return [f"{start}: {points(path.vertices)}{mapped}" for path in artist.get_paths()]


def _colours(artist) -> str:
    """Return the colours of an artist, each once, and none where a colour map gives them."""
    if isinstance(artist, plt.Line2D | plt.Text):
        return to_hex(artist.get_color())
    if not isinstance(artist, Patch) and artist.get_array() is not None:
        return ""
    colours = [*to_rgba_array(artist.get_facecolor()), *to_rgba_array(artist.get_edgecolor())]
    return " ".join(dict.fromkeys(to_hex(colour, keep_alpha=True) for colour in colours))


def _number(value: float, decimals: int, scale: str = "linear") -> str:
    """Print a number; a half is pushed up, so that 1/8 prints as 0.13 whatever the last bit of a float says."""
    if scale == "log":
        return f"{value:.{decimals}e}"
    text = f"{value + np.copysign(1e-4 * 10**-decimals, value):.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _numbers(values, decimals: int, scale: str = "linear") -> str:
    """Print an array, or, where it is long, its ends and a checksum of all its printed numbers."""
    values = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    printed = [_number(value, decimals, scale) for value in values.ravel()]
    largest = np.max(np.abs(values), initial=0, where=np.isfinite(values))
    if largest > 1e-6 and not re.search("[1-9]|inf|nan", "".join(printed)):
        raise ValueError(f"the largest of these numbers, {largest:.1g}, prints as 0 at decimals={decimals}; take more")
    if len(printed) > _PRINTED_IN_FULL:
        size, checksum = " x ".join(map(str, values.shape)), zlib.crc32(" ".join(printed).encode())
        return f"{' '.join(printed[:3])} ... {' '.join(printed[-3:])} ({size} values, checksum {checksum:08x})"
    rows = np.reshape(printed, (len(values), -1)) if values.ndim > 1 else [printed]
    return ("\n    " * (values.ndim > 1)) + "\n    ".join(map(" ".join, rows))


# ---------------------------------------------------------------- matplotlib pictures


def heatmap(weights, queries: Tokens, keys: Tokens, title: str = "", ax: plt.Axes | None = None) -> plt.Figure:
    """Draw attention weights with matplotlib: queries down, keys across, one colour scale from 0 to 1.

    weights: (t_query, t_key); numbers are written into small maps. `heatmap_html` draws several heads.
    ax: where to draw; without it a new figure is made.
    Returns: the figure, for `show`.
    Raises: ValueError if shapes and labels differ, or a weight is not between 0 and 1.
    """
    maps = _attention_maps(weights, queries, keys)
    if len(maps) > 1:
        raise ValueError(f"heatmap draws one head, not {len(maps)}; draw one at a time, or all with heatmap_html")
    if ax is None:
        _, ax = plt.subplots(figsize=(0.42 * len(keys) + 1, 0.42 * len(queries) + 1.3))
    ax.imshow(maps[0], vmin=0, vmax=1, cmap="Blues")
    ax.set(title=title, xlabel="keys", ylabel="queries")
    ax.set_xticks(range(len(keys)), keys, rotation=90 if max(map(len, keys)) > 4 else 0, color=KEY_RED)
    ax.set_yticks(range(len(queries)), queries, color=QUERY_BLUE)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    for (query, key), weight in np.ndenumerate(maps[0]) if max(maps[0].shape) <= 10 else ():
        ink = PAPER if weight >= _DARK_FROM else INK
        ax.text(key, query, _number(weight, 2), ha="center", va="center", color=ink, fontsize=8)
    return ax.figure


def curves(series: Mapping, xlabel: str = "step", ylabel: str = "loss", title: str = "", best=None) -> plt.Figure:
    """Draw one line for each entry {name: (steps, values)}, with a dashed marker at the best step, if one is given.

    Returns: the figure, for `show`.
    Raises: ValueError, by matplotlib, if a line has not one value for each step.
    """
    figure, axes = plt.subplots()
    for name, (steps, values) in series.items():
        axes.plot(steps, values, label=name, marker="o" if len(steps) <= 30 else "", markersize=4)
    if best is not None:
        axes.axvline(best, color=MUTED, linestyle="--", linewidth=1, label=f"best: {xlabel} {best:g}")
    axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
    axes.grid(axis="y", color="#e5e5e5")
    axes.legend()
    return figure


# ---------------------------------------------------------------- pictures as HTML


class Picture:
    """An HTML picture that shows itself as the last expression of a cell, or with display()."""

    def __init__(self, markup: str, description: str):
        """Keep the HTML and the one line that stands for it where HTML is not shown."""
        self.markup, self.description = markup, description

    def _repr_html_(self) -> str:
        return self.markup

    def __repr__(self) -> str:
        """Return the one line, which nbval compares as well as the HTML."""
        return self.description


def heatmap_html(weights, queries: Tokens, keys: Tokens, title: str = "", links: Places = (), decimals=2) -> Picture:
    """Draw attention weights as an HTML table: queries down, keys across, one colour scale from 0 to 1.

    weights: (t_query, t_key), or (n_heads, t_query, t_key) for one small table per head.
    queries, keys: the tokens, in any script.
    links: the gold alignment as (query, key) positions from 0, outlined and bold. The corpus has (source, target)
    links (i, j); for cross-attention, whose queries are the target tokens, turn them: {(j, i) for i, j in ...}.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if shapes and labels differ, a weight is not between 0 and 1, or a link lies outside the table.
    """
    maps, tables = _attention_maps(weights, queries, keys), []
    _check_places("link", links, len(queries), len(keys))
    font = 12 if len(maps) == 1 else 11
    head = [_cell("queries ↓ keys →", "center", font - 2, MUTED)]
    head += [_cell(key, "center", font + 1, KEY_RED, tag="th") for key in keys]
    for number, weights_of_head in enumerate(maps, 1):
        rows = [head]
        for query, label in enumerate(queries):
            rows.append([_cell(label, "right", font + 1, QUERY_BLUE, tag="th")])
            for key, weight in enumerate(weights_of_head[query]):
                digits = _number(weight, decimals)
                # The colour is that of the printed number, so it cannot differ where the print is the same.
                colour = to_hex(plt.colormaps["Blues"](float(digits)))
                ink = PAPER if float(digits) >= _DARK_FROM else INK
                rows[-1].append(_cell(digits, "center", font, ink, colour, linked=(query, key) in links))
        tables.append(_table(rows, f"head {number}" if len(maps) > 1 else "", spacing=1))
    size = f"{f'{len(maps)} heads, ' * (len(maps) > 1)}{len(queries)} queries x {len(keys)} keys"
    size += f", gold links: {len(links)}" * bool(links)
    return _picture("attention map", title, size, tables, "outlined, bold: gold alignment" * bool(links))


def table_html(rows: Sequence, header: Tokens = (), caption: str = "", highlight: Places = (), decimals=2) -> Picture:
    """Draw rows of cells as an HTML table; columns of numbers stand to the right, floats with so many decimals.

    rows: lists of cells, each as long as the header, or as the first row where there is no header.
    highlight: (row, column) positions from 0 to be drawn on grey.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if there is no row, if a row has another length, or if a position lies outside the table.
    """
    if not len(rows):
        raise ValueError("a table needs at least one row")
    n_columns = len(header) or len(rows[0])
    _check_places("highlight", highlight, len(rows), n_columns)
    texts = []
    for number, row in enumerate(rows):
        if isinstance(row, str) or len(row) != n_columns:
            raise ValueError(f"row {number} is {row!r}; give a list of {n_columns} cells")
        plain = [value.item() if hasattr(value, "item") else value for value in row]  # of tensors and numpy numbers
        texts.append([_number(value, decimals) if isinstance(value, float) else str(value) for value in plain])
    sides = ["right" if all(map(_NUMBER.fullmatch, column)) else "left" for column in zip(*texts, strict=True)]
    cells = [[_cell(*pair, 12, INK, "#f0f0f0", tag="th") for pair in zip(header, sides, strict=True)]] if header else []
    for number, row in enumerate(texts):
        papers = [GREY if (number, column) in highlight else PAPER for column in range(n_columns)]
        cells.append([_cell(text, side, 13, INK, paper) for text, side, paper in zip(row, sides, papers, strict=True)])
    return _picture("table", caption, f"{len(rows)} rows x {n_columns} columns", [_table(cells, "", spacing=0)])


def _attention_maps(weights, queries: Tokens, keys: Tokens) -> np.ndarray:
    """Return checked weights as (n_heads, t_query, t_key), one head where there is no dimension for heads."""
    maps = np.asarray(weights.detach().cpu() if hasattr(weights, "detach") else weights, dtype=float)
    if maps.ndim not in (2, 3):
        raise ValueError(f"weights have shape {maps.shape}; take one sentence: (t_query, t_key) or one map per head")
    if 0 in maps.shape or maps.shape[-2:] != (len(queries), len(keys)):
        raise ValueError(f"weights have shape {maps.shape}, but there are {len(queries)} queries and {len(keys)} keys")
    if not (maps.min() >= -1e-5 and maps.max() <= 1 + 1e-5):  # true for NaN, too
        raise ValueError(f"weights reach from {maps.min():g} to {maps.max():g}, not from 0 to 1; are they scores?")
    return maps.reshape(-1, len(queries), len(keys)).clip(0, 1)


def _check_places(name: str, places: Places, n_rows: int, n_columns: int) -> None:
    for row, column in sorted(places):
        if not (0 <= row < n_rows and 0 <= column < n_columns):
            raise ValueError(f"{name} ({row}, {column}) lies outside the {n_rows} rows and {n_columns} columns")


# Paper and ink are always set together, so that a dark theme changes neither.


def _cell(text: str, align: str, size: int, ink: str, paper=PAPER, linked=False, tag="td") -> str:
    style = f"background:{paper};color:{ink};text-align:{align};font-size:{size}px;padding:4px 6px"
    lang = ' lang="zh"' if _CJK.search(text) else ""  # for the Chinese, not the Japanese, forms of the characters
    text = html.escape(text)
    if linked:  # <b> stays where a viewer, such as GitHub, drops all styles
        style, text = f"{style};box-shadow:inset 0 0 0 3px {ORANGE}", f"<b>{text}</b>"
    return f'<{tag}{lang} style="{style}">{text}</{tag}>'


def _table(rows: list[list[str]], heading: str, spacing: int) -> str:
    style = f"border-collapse:separate;border-spacing:{spacing}px;background:{PAPER};table-layout:auto;margin:0"
    table = "".join([f'<table style="{style}">', *(f"<tr>{''.join(row)}</tr>" for row in rows), "</table>"])
    return f'<div style="display:inline-block;vertical-align:top;margin:4px 16px 4px 0">{heading}{table}</div>'


def _picture(kind: str, title: str, size: str, tables: list[str], note: str = "") -> Picture:
    style = f"display:inline-block;background:{PAPER};color:{INK};padding:8px 12px;font-size:12px"
    head = f'<div style="font-size:14px"><b>{html.escape(title)}</b></div>' if title else ""
    markup = f'<div style="{style}">{head}{"".join(tables)}{f"<div>{note}</div>" if note else ""}</div>'
    return Picture(markup, f"{kind}{f' {title!r}' if title else ''}: {size}")
