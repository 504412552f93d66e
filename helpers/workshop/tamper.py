"""Falsify the recorded outputs of notebooks, in copies, and see nbval turn every one red.

A cell that shows several things (a text and a table, a picture and its text) is falsified once in
each of them, so that none hides behind another.
"""

import argparse
import base64
import io
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import nbformat

from helpers.checkpoint import build_folder
from helpers.workshop import notebooks
from helpers.workshop.comparison import nbval
from helpers.workshop.pictures import BLOCK, image_of


def falsified(text: str) -> str:
    """Change the last letter or digit of a text by one; a text without any gets one."""
    places = [match.start() for match in re.finditer(r"[^\W_]", text)]
    if not places:
        return text + "x"
    place = places[-1]
    if text[place] in "0123456789":
        new = str((int(text[place]) + 1) % 10)
    else:
        new = "x" if text[place] != "x" else "y"
    return text[:place] + new + text[place + 1 :]


def falsified_picture(picture: str) -> str:
    """Change the brightness of one block in the middle of a PNG picture, both as base64 text."""
    image = image_of(picture).convert("RGB")
    left, top = (size // 2 // BLOCK * BLOCK for size in image.size)
    place = (left, top, left + BLOCK, top + BLOCK)
    image.paste(image.crop(place).point(lambda level: (level + 128) % 256), place)
    file = io.BytesIO()
    image.save(file, format="png")
    return base64.b64encode(file.getvalue()).decode()


def falsify(cell: nbformat.NotebookNode, number: int) -> bool:
    """Falsify the thing of this number that a cell shows; returns whether it shows so many.

    Raises: ValueError for an output of a kind that cannot be falsified here.
    """
    shown = [(output, "text") for output in cell.outputs if output.output_type == "stream"]
    shown += [
        (output.data, kind) for output in cell.outputs if "data" in output for kind in output.data
    ]
    if number >= len(shown):
        return False
    holder, kind = shown[number]
    if not kind.startswith("text") and kind != "image/png":
        why = "which tamper cannot falsify; teach it in falsify"
        raise ValueError(f"cell {cell.id} shows {kind}, {why}")
    holder[kind] = (falsified_picture if kind == "image/png" else falsified)(holder[kind])
    return True


def tamper(notebook: nbformat.NotebookNode, number: int) -> dict[int, str]:
    """Falsify the thing of this number in each cell that shows so many and is compared.

    Returns: the id of each such cell, under its place among the code cells, as nbval counts them.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return {
        place: cell.id
        for place, cell in enumerate(code)
        if notebooks.is_compared(cell) and falsify(cell, number)
    }


def survivors(notebook: Path, folder: Path) -> tuple[int, list[str]]:
    """Tamper with a notebook in a copy of the project's notebooks under a folder.

    Returns: how many things were falsified, and those that stayed green by cell and number.
    """
    shutil.rmtree(folder, ignore_errors=True)
    root = notebooks.ROOT
    shutil.copytree(root / "notebooks", folder / "notebooks")
    (folder / "data").symlink_to(root / "data")
    copy, total, green = folder / notebook.relative_to(root), 0, []
    for number in count():
        content = nbformat.read(notebook, as_version=nbformat.NO_CONVERT)
        changed = tamper(content, number)
        if not changed:
            return total, green
        nbformat.write(content, copy)
        _, red = nbval(copy, folder / "build")
        total += len(changed)
        green += [
            f"{cell}, output {number + 1}" for place, cell in changed.items() if place not in red
        ]


def main(arguments: list[str]) -> int:
    """Tamper with notebooks, two at a time; returns 1 if an output stayed green."""
    parser = argparse.ArgumentParser(prog="tamper", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="07, 07a, labs (default: all there are)")
    chosen = notebooks.choose(parser.parse_args(arguments).notebooks, with_solutions=True)

    def line_and_green(notebook: Path) -> tuple[str, int]:
        name = notebooks.name_of(notebook)
        total, green = survivors(notebook, build_folder() / "tamper" / name.replace("/", "_"))
        lines = [f"{name}: {total} outputs falsified, {total - len(green)} red", *green]
        return "\n    stayed green: ".join(lines), len(green)

    all_green = 0
    with ThreadPoolExecutor(2) as pool:
        for line, green in pool.map(line_and_green, reversed(chosen)):  # the long ones first
            print(line, flush=True)
            all_green += green
    result = "FAILED, see above" if all_green else "passed, every falsified output went red"
    print(f"tamper: {result}.")
    return int(all_green > 0)
