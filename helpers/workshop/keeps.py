"""Masks as pictures, hatched or blank where a query may not look, and what leaks under them."""

import html
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from helpers.workshop.drawing import LINE, LOOK
from helpers.workshop.markup import INK, KEY_RED, MUTED, PAPER, QUERY_BLUE, Picture, cell
from helpers.workshop.markup import table as table_of

AMBER = "#e08a00"  # of weights in every notebook
_AMBERS = LinearSegmentedColormap.from_list("amber", [PAPER, AMBER])
HATCH = f"repeating-linear-gradient(135deg,{PAPER} 0 4px,{LINE} 4px 5px)"


def keeps_html(masks: Sequence[tuple], title: str = "") -> Picture:
    """Draw masks side by side: queries down, keys across.

    masks: (name, keep, queries, keys) of each; keep: (t_query, t_key) bool, True = may look. More
    lines of a name stand below its first.
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
        first, *more = html.escape(name).split("\n")
        tables.append(table_of(rows, "<br>".join([f"<b>{first}</b>", *more]), spacing=1))
        lines = ", ".join(name.split("\n"))
        sizes.append(f"{lines} {len(queries)} x {len(keys)}, {int(plain.sum())} open")
    box = f"display:inline-block;background:{PAPER};color:{INK};padding:8px 12px;font-size:12px"
    head = f'<div style="font-size:14px"><b>{html.escape(title)}</b></div>' if title else ""
    note = "<div>● may look &nbsp; empty: may not</div>"
    markup = f'<div style="{box}">{head}{"".join(tables)}{note}</div>'
    return Picture(markup, f"masks{f' {title!r}' if title else ''}: {'; '.join(sizes)}")


def _seen() -> str:
    return cell("●", "center", 11, INK, LOOK)


def _hidden() -> str:
    look = f"background-color:{PAPER};background-image:{HATCH};color:{INK}"
    return f'<td style="{look};padding:4px 6px">&nbsp;</td>'


def draw_looks(weights, title: str = "") -> plt.Figure:
    """Draw weights in amber without their numbers, and the diagonal; positions count from 1.

    weights: (t, t), a row for each position that looks.
    Returns: the figure, for `show`.
    """
    count = len(weights)
    figure, ax = plt.subplots(figsize=(4.4, 3.8))
    edges = 0.5, count + 0.5
    ax.imshow(np.asarray(weights), cmap=_AMBERS, vmin=0, vmax=1, extent=(*edges, *reversed(edges)))
    ax.plot(edges, edges, "--", color=MUTED, linewidth=1)
    ax.set(title=title, xlabel="looks at", ylabel="position")
    ax.set_xticks(range(1, count + 1))
    ax.set_yticks(range(1, count + 1))
    return figure


def draw_bench(masks: Mapping, losses: Mapping, floor: float) -> plt.Figure:
    """Draw under each mask, blank where it covers, the losses by position, a row for each depth.

    masks: name to keep (t, t); losses: name to a list, for 1 layer, 2 layers, ..., of the losses of
    the last positions; whoever is below the floor, a dashed line, has seen the answer.
    Returns: the figure, for `show`.
    Raises: ValueError if masks and losses have other names.
    """
    if [*masks] != [*losses]:
        raise ValueError(f"masks are named {[*masks]}, losses {[*losses]}; name them alike")
    depth, count = len(next(iter(losses.values()))), len(next(iter(masks.values())))
    shape = dict(figsize=(3 * len(masks), 2.4 + 1.6 * depth), sharex=True, squeeze=False)
    figure, axes = plt.subplots(1 + depth, len(masks), height_ratios=[1.6] + depth * [1], **shape)
    edges = 0.5, count + 0.5
    for column, (name, keep) in zip(axes.T, masks.items(), strict=True):
        seen = np.where(np.asarray(keep), 1.0, np.nan)
        extent = (*edges, *reversed(edges))
        column[0].imshow(seen, cmap="Greys", vmin=0, vmax=4, extent=extent, aspect="auto")
        column[0].set(title=f"covered: {name}", ylabel="the mask")
        column[0].set_yticks([])
        for layers, (ax, each) in enumerate(zip(column[1:], losses[name], strict=True), 1):
            ax.bar(range(count - len(each) + 1, count + 1), np.round(each, 1) + 0.0, color=AMBER)
            ax.axhline(floor, color=MUTED, linestyle="--", linewidth=1)
            ax.set(ylim=(0, 1.2 * floor), xlim=edges)
            ax.set_ylabel(f"loss, {layers} layer{'s' * (layers > 1)}")
        column[-1].set(xlabel="position")
        column[-1].set_xticks(range(2, count + 1, 2))
    return figure
