"""The tables of words and sentences: files of text, so that the code holds only what is done."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "tables"


@cache
def tables(file: str) -> dict[str, str]:
    """Read tables/FILE.txt: the text of each table by its name.

    A table begins with a line ``## NAME``; behind the name, and on lines that begin with ``# ``,
    stands what it is about. An indented line goes on with the line above.
    """
    text = (FOLDER / f"{file}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("# ") and line.strip()]
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("## "):
            current = found[line.split()[1]] = []
        elif line.startswith(" "):
            current[-1] += " " + line.strip()
        else:
            current.append(line.rstrip())
    return {name: "\n".join(rows) for name, rows in found.items()}


def cells(table: str) -> list[tuple[str, ...]]:
    """Split the lines of a table at each |."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.splitlines()]
