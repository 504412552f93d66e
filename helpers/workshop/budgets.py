"""How much a notebook asks of its reader: cells, lines, words, minutes, pictures, deeds."""

import ast
import re
from statistics import median

import nbformat

WORDS_A_MINUTE, MINUTES_A_CELL = 200, 0.5
TOLD = {"parameters", "your-turn"}  # tags of cells whose length is not counted
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)|<img [^>]*src=\"([^\"]+)\"")
_TAG = re.compile(r"<[^>]+>|\]\([^)]*\)")
_EXPLORER = re.compile(r'class="xp xp-')


def _lines(cell: nbformat.NotebookNode) -> int:
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def _is_told(cell: nbformat.NotebookNode) -> bool:
    """Tell whether a cell is one of parameters, imports, or a reader's own."""
    statements = ast.parse(cell.source).body
    imports = bool(statements) and isinstance(statements[0], ast.Import | ast.ImportFrom)
    return imports or bool(TOLD & set(cell.metadata.get("tags", [])))


def pictures_of(cell: nbformat.NotebookNode) -> list[str]:
    """Name the kind of each picture that a cell shows: diagram, plot, explorer or table."""
    if cell.cell_type == "markdown":
        return ["diagram"] * len(_IMAGE.findall(cell.source))
    kinds = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "image/png" in data:
            kinds.append("plot")
        elif "text/html" in data:
            kinds.append("explorer" if _EXPLORER.search(data["text/html"]) else "table")
    return kinds


def budget(notebook: nbformat.NotebookNode) -> dict[str, float]:
    """Measure a notebook: its code cells, its prose, what there is to see and to do.

    median, longest, longest_class: lines of the code cells that are not parameters, imports or a
    reader's own; of those without a class, without one, with one. prose: its share of all
    characters. before_parameters: pictures above the cell of parameters.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    text = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    plain = _TAG.sub(" ", text)
    counted = [cell for cell in code if not _is_told(cell)]
    with_class = [cell for cell in counted if re.search(r"^class ", cell.source, re.MULTILINE)]
    without = [_lines(cell) for cell in counted if cell not in with_class]
    tags = [cell.metadata.get("tags", []) for cell in notebook.cells]
    place = next(number for number, each in enumerate(tags) if "parameters" in each)
    kinds = [kind for cell in notebook.cells for kind in pictures_of(cell)]
    words = len(plain.split())
    written = sum(len(cell.source) for cell in code)
    return {
        "cells": len(code),
        "median": median(without),
        "longest": max(without),
        "longest_class": max(map(_lines, with_class), default=0),
        "prose": len(plain) / (len(plain) + written),
        "words": words,
        "minutes": words / WORDS_A_MINUTE + len(code) * MINUTES_A_CELL,
        "pictures": len(kinds),
        "kinds": len(set(kinds)),
        "explorers": kinds.count("explorer"),
        "before_parameters": sum(len(pictures_of(cell)) for cell in notebook.cells[:place]),
        "your_turn": sum("your-turn" in each for each in tags),
        "expect": len(re.findall(r"\bexpect", text, re.IGNORECASE)),
    }
