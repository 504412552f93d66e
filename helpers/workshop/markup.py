"""The HTML of tables, with all their styles in them, so that nothing around them changes them."""

import html

from helpers.workshop.figures import CJK

PAPER, INK, ORANGE = "#ffffff", "#111111", "#e66100"


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


def cell(text: str, align: str, size: int, ink: str, paper=PAPER, linked=False, tag="td") -> str:
    """Return a cell of a table."""
    style = f"background:{paper};color:{ink};text-align:{align};font-size:{size}px;padding:4px 6px"
    # for the Chinese, not the Japanese, forms of the characters
    lang = ' lang="zh"' if CJK.search(text) else ""
    text = html.escape(text)
    if linked:  # <b> stays where a viewer, such as GitHub, drops all styles
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
