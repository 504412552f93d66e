"""Attention maps and tables as HTML, with all their styles in them: nothing around changes them."""

import html
import re
from collections.abc import Collection, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

from helpers.display.figure_text import printed
from helpers.text import CJK

PAPER, INK, ORANGE, MUTED, GREY = "#ffffff", "#111111", "#e66100", "#6b6b6b", "#d9d9d9"
# the colours of q, k and v in every notebook
QUERY_BLUE, KEY_RED, VALUE_GREEN = "#0a3d94", "#a03005", "#007560"
AMBER = "#e08a00"  # weights: blue, red and green belong to queries, keys and values
AMBERS = LinearSegmentedColormap.from_list("amber", [PAPER, AMBER])
DARK_FROM = 0.68  # from this weight on the blue is dark enough for white digits

Tokens = Sequence[str]
Places = Collection[tuple[int, int]]
_NUMBER = re.compile(r"[-+]?[\d,.]*\d ?%?|")  # also an empty cell


def amber_on_paper(part: float) -> str:
    """Mix so much amber, from 0 to 1, with paper."""
    return to_hex([part * amber + 1 - part for amber in to_rgb(AMBER)])


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


# Paper and ink are always set together, so that a dark theme changes neither.


def cell(
    text: str, align: str, size: int, ink: str, paper=PAPER, linked=False, tag="td", mark=""
) -> str:
    """Return a cell of a table; mark: b or ins, what tells it from others without a colour."""
    style = f"background:{paper};color:{ink};text-align:{align};font-size:{size}px;padding:4px 6px"
    # for the Chinese, not the Japanese, forms of the characters
    lang = ' lang="zh"' if CJK.search(text) else ""
    text = html.escape(text)
    if mark:  # <b> and <ins> stay where a viewer, such as GitHub, drops all styles
        text = f"<{mark}>{text}</{mark}>"
    if linked:
        style, text = f"{style};box-shadow:inset 0 0 0 3px {ORANGE}", f"<b>{text}</b>"
    return f'<{tag}{lang} style="{style}">{text}</{tag}>'


def table(rows: list[list[str]], heading: str, spacing: int) -> str:
    """Return a table of rows of cells, with a heading over it."""
    style = f"border-collapse:separate;border-spacing:{spacing}px;background:{PAPER}"
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    table = f'<table style="{style};table-layout:auto;margin:0">{body}</table>'
    style = "display:inline-block;vertical-align:top;margin:4px 16px 4px 0"
    return f'<div style="{style}">{heading}{table}</div>'


def picture(kind: str, title: str, size: str, tables: list[str], note: str = "") -> Picture:
    """Put tables under a title; kind, title and size make the line that stands for them."""
    style = f"display:inline-block;background:{PAPER};color:{INK};padding:8px 12px;font-size:12px"
    head = f'<div style="font-size:14px"><b>{html.escape(title)}</b></div>' if title else ""
    note = f"<div>{note}</div>" if note else ""
    markup = f'<div style="{style}">{head}{"".join(tables)}{note}</div>'
    return Picture(markup, f"{kind}{f' {title!r}' if title else ''}: {size}")


def heatmap_html(
    weights, queries: Tokens, keys: Tokens, title: str = "", amber: bool = False
) -> Picture:
    """Draw attention weights as an HTML table: queries down, keys across, colours from 0 to 1.

    weights: (t_query, t_key), or (n_heads, t_query, t_key) for one small table per head.
    queries, keys: the tokens, in any script.
    amber: in the colour of weights, and not in blue.
    The largest weight of a row is bold.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if shapes and labels differ, or a weight is not between 0 and 1.
    """
    maps, tables = attention_maps(weights, queries, keys), []
    font = 12 if len(maps) == 1 else 11
    head = [cell("queries ↓ keys →", "center", font - 2, MUTED)]
    head += [cell(key, "center", font + 1, KEY_RED, tag="th") for key in keys]
    for number, weights_of_head in enumerate(maps, 1):
        rows = [head]
        for query, label in enumerate(queries):
            rows.append([cell(label, "right", font + 1, QUERY_BLUE, tag="th")])
            digits = [printed(weight, 2) for weight in weights_of_head[query]]
            largest = max(digits, key=float) if len(set(digits)) > 1 else None
            rows[-1] += [_weight_cell(text, font, text == largest, amber) for text in digits]
        tables.append(table(rows, f"head {number}" if len(maps) > 1 else "", spacing=1))
    size = f"{f'{len(maps)} heads, ' * (len(maps) > 1)}{len(queries)} queries x {len(keys)} keys"
    return picture("attention map", title, size, tables)


def table_html(
    rows: Sequence, header: Tokens = (), caption: str = "", highlight: Places = (), decimals=2
) -> Picture:
    """Draw rows of cells as an HTML table; columns of numbers stand to the right.

    rows: lists of cells, each as long as the header, or as the first row where there is no header.
    highlight: (row, column) positions from 0 to be drawn in bold, on grey.
    decimals: of the floats.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if there is no row, a row has another length, a position lies outside.
    """
    if not len(rows):
        raise ValueError("a table needs at least one row")
    n_columns = len(header) or len(rows[0])
    for row, column in sorted(highlight):
        if not (0 <= row < len(rows) and 0 <= column < n_columns):
            outside = f"lies outside the {len(rows)} rows and {n_columns} columns"
            raise ValueError(f"highlight ({row}, {column}) {outside}")
    texts = [_texts_of(row, number, n_columns, decimals) for number, row in enumerate(rows)]
    columns = zip(*texts, strict=True)
    sides = ["right" if all(map(_NUMBER.fullmatch, column)) else "left" for column in columns]
    cells = []
    if header:
        named = zip(header, sides, strict=True)
        cells.append([cell(text, side, 12, INK, "#f0f0f0", tag="th") for text, side in named])
    for number, row in enumerate(texts):
        lit = [(number, column) in highlight for column in range(n_columns)]
        looks = [{"paper": GREY, "mark": "b"} if each else {} for each in lit]
        drawn = zip(row, sides, looks, strict=True)
        cells.append([cell(text, side, 13, INK, **look) for text, side, look in drawn])
    size = f"{len(rows)} rows x {n_columns} columns"
    return picture("table", caption, size, [table(cells, "", spacing=0)])


def _texts_of(row: Sequence, number: int, n_columns: int, decimals: int) -> list[str]:
    if isinstance(row, str) or len(row) != n_columns:
        raise ValueError(f"row {number} is {row!r}; give a list of {n_columns} cells")
    # of tensors and numpy numbers the plain number
    plain = [value.item() if hasattr(value, "item") else value for value in row]
    return [printed(value, decimals) if isinstance(value, float) else str(value) for value in plain]


def attention_maps(weights, queries: Tokens, keys: Tokens) -> np.ndarray:
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


def _weight_cell(digits: str, size: int, largest: bool, amber: bool) -> str:
    # The colour is that of the printed number, so it cannot differ where the print is the same.
    colours = AMBERS if amber else plt.colormaps["Blues"]
    ink = PAPER if float(digits) >= DARK_FROM and not amber else INK
    colour = to_hex(colours(float(digits)))
    return cell(digits, "center", size, ink, colour, mark="b" * largest)
