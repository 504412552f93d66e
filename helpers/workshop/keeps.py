"""Masks as pictures: a dot where a query may look at a key, hatched and empty where it may not."""

import html
from collections.abc import Sequence

import numpy as np

from helpers.workshop.drawing import LINE, LOOK
from helpers.workshop.markup import INK, KEY_RED, MUTED, PAPER, QUERY_BLUE, Picture, cell
from helpers.workshop.markup import table as table_of

HATCH = f"repeating-linear-gradient(135deg,{PAPER} 0 4px,{LINE} 4px 5px)"


def keeps_html(masks: Sequence[tuple], title: str = "") -> Picture:
    """Draw masks side by side: queries down, keys across.

    masks: (name, keep, queries, keys) of each; keep: (t_query, t_key) bool, True = may look.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if there is no mask, one is not bool, or shapes and labels differ.
    """
    if not masks:
        raise ValueError("there is no mask to draw; give at least one (name, keep, queries, keys)")
    tables, sizes = [], []
    for name, keep, queries, keys in masks:
        plain = np.asarray(keep)
        if plain.dtype != bool or plain.shape != (len(queries), len(keys)):
            is_now = f"{name!r} is {plain.dtype} of shape {plain.shape}"
            raise ValueError(f"{is_now}; give bool, ({len(queries)}, {len(keys)}) as it is named")
        head = [cell("queries ↓ keys →", "center", 10, MUTED)]
        rows = [head + [cell(key, "center", 13, KEY_RED, tag="th") for key in keys]]
        for query, row in zip(queries, plain, strict=True):
            cells = [_seen() if may else _hidden() for may in row]
            rows.append([cell(query, "right", 13, QUERY_BLUE, tag="th"), *cells])
        tables.append(table_of(rows, f"<b>{html.escape(name)}</b>", spacing=1))
        sizes.append(f"{name} {plain.shape[0]} x {plain.shape[1]}, {int(plain.sum())} open")
    box = f"display:inline-block;background:{PAPER};color:{INK};padding:8px 12px;font-size:12px"
    head = f'<div style="font-size:14px"><b>{html.escape(title)}</b></div>' if title else ""
    note = "<div>● may look &nbsp; empty: may not</div>"
    markup = f'<div style="{box}">{head}{"".join(tables)}{note}</div>'
    return Picture(markup, f"masks{f' {title!r}' if title else ''}: {'; '.join(sizes)}")


def _seen() -> str:
    return cell("●", "center", 11, INK, LOOK)


def _hidden() -> str:
    return f'<td style="background:{HATCH};color:{INK};padding:4px 6px">&nbsp;</td>'
