"""Tables that say everything as text, and the frame in which a script brings them to life."""

import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path

from torch import Tensor

from helpers.gloss import labels, pinyin
from helpers.workshop.figures import printed
from helpers.workshop.markup import Picture

STATIC_LIMIT, WHOLE_LIMIT = 60_000, 200_000  # bytes
AMBER = "#e08a00"  # weights: blue, red and green belong to queries, keys and values
_SIDE_BY_SIDE = "display:inline-table;margin:4px 14px 4px 0;vertical-align:top"
_FOLDER = Path(__file__).parent.parent


def short(values) -> str:
    """Write a vector without zeros that say nothing: (1, 0.5)."""
    texts = (printed(float(value), 2) for value in values)
    return f"({', '.join(text.rstrip('0').rstrip('.') for text in texts)})"


def tagged(tokens: Sequence[str]) -> list:
    """List the tokens for the script, the Chinese ones as a pair with their reading."""
    pairs = zip(tokens, pinyin(tokens), strict=True)
    return [[token, reading] if reading else token for token, reading in pairs]


def require(right, fault: str) -> None:
    """Raise ValueError with this sentence unless something is right."""
    if not right:
        raise ValueError(fault)


def rounded(values):
    """Round the numbers of nested lists or of a tensor as they are printed, for the script."""
    values = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(values, list | tuple):
        return [rounded(each) for each in values]
    return float(printed(values, 2))


def numbers(row, keep=None, whole: float = 1.0) -> list[str]:
    """Write a row of numbers as cells: the largest bold, shaded as parts of whole, masked blank."""
    texts = [printed(float(value), 2) for value in row]
    shown = [text if keep is None or keep[place] else "" for place, text in enumerate(texts)]
    most = max((float(text) for text in shown if text), default=0)
    cells = []
    for text in shown:
        shade = round(153 * min(1, float(text or 0) / whole)) if whole else 0
        style = f' style="background:{AMBER}{shade:02x}"' if shade > 18 else ""
        text = f"<b>{text}</b>" if text and float(text) == most else text
        cells.append(f"<td{style}>{text}</td>")
    return cells


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """Write a table; its cells are HTML, the first of each row names it; the caption is text."""
    text = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    text += f"<tr>{''.join(f'<th>{each}</th>' for each in head)}</tr>"
    for name, *cells in rows:
        cells = (each if each.startswith("<td") else f"<td>{each}</td>" for each in cells)
        text += f"<tr><th>{name}</th>{''.join(cells)}</tr>"
    return f'<table style="{_SIDE_BY_SIDE}">{text}</table>'


def grid(weights, queries, keys, caption: str = "", keep=None, whole: float = 1.0) -> str:
    """Write a map: a row to a query, a column to a key; keep: bool, of the same shape."""
    kept = [None] * len(queries) if keep is None else keep
    rows = zip(labels(queries), weights, kept, strict=True)
    rows = [[name, *numbers(row, keep_row, whole)] for name, row, keep_row in rows]
    return table(["", *labels(keys)], rows, caption)


def frame(kind: str, title: str, says: str, static: str, data: dict) -> Picture:
    """Put tables, data and script into one output; nothing in it needs a network.

    says: one or more lines of text about the tables. data: what the script shows, the same numbers.
    Returns: a picture for the last line of a cell.
    Raises: ValueError if tables or output are too large for a notebook.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=Tensor.tolist)
    text = text.replace("<", "\\u003c")  # no token of the data ends the script
    name = "xp-" + hashlib.sha256(f"{kind}{title}{text}".encode()).hexdigest()[:10]
    core, *parts = (_FOLDER / "explorers.js").read_text(encoding="utf-8").split("//// ")
    parts = dict(part.split("\n", 1) for part in parts)
    script = f'(() => {{"use strict";\n{core}{parts[kind]}{parts["start"]}}})()'
    script = script.replace("NAME_OF_THE_ROOT", name)
    style = (_FOLDER / "explorers.css").read_text(encoding="utf-8")
    says = html.escape(says).replace("\n", "<br>")
    head = f"<p><b>{html.escape(title)}</b><br>{says}</p>"
    markup = (
        f'<div class="xp xp-{kind} {name}"><style>{style}</style>'
        f'<div class="xp-static">{head}{static}</div>'
        f'<script type="application/json">{text}</script><script>{script}</script></div>'
    )
    for what, part, limit in (("tables", static, STATIC_LIMIT), ("output", markup, WHOLE_LIMIT)):
        size = len(part.encode())
        if size > limit:
            advice = "take a shorter sentence, or fewer layers, heads or examples"
            raise ValueError(f"the {what} of {kind} would have {size} bytes, not {limit}; {advice}")
    return Picture(markup, f"{kind} {title!r}: {len(markup.split('<tr')) - 1} rows")
