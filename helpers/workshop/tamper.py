"""Falsify the recorded outputs of notebooks, in copies, and see nbval turn every one red.

A cell that shows several things (a text and a table, a picture and its text) is falsified once in
each of them, so that none hides behind another.

The tolerant comparison of other processors (helpers.workshop.tolerance) must bite, too: there every
thing shown loses a line, has a word wrong, has a number off by twice the tolerance. That needs one
run of a notebook: as a plugin, pytest -p helpers.workshop.tamper, this module compares what a cell
has just drawn with every falsified record of it.
"""

import argparse
import base64
import copy
import io
import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from unittest import mock

import nbformat
import pytest
from nbval.plugin import IPyNbCell

from helpers.checkpoint import build_folder
from helpers.workshop import notebooks
from helpers.workshop.comparison import nbval
from helpers.workshop.pictures import BLOCK, image_of
from helpers.workshop.tolerance import DECIMAL, NUMBER, tolerance, value_of, way_here


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


def number_off(text: str) -> str:
    """Move the last decimal of a text by twice its tolerance; a text without one stays."""
    found = [*DECIMAL.finditer(text)]
    if not found:
        return text
    start, end = found[-1].span()
    number = text[start:end]
    return f"{text[:start]}{value_of(number) + 2 * tolerance(number)}{text[end:]}"


def word_off(text: str) -> str:
    """Change the last letter, or digit of a whole number, of a text; without any it stays."""
    # Numbers are blotted out, so that the place is none of theirs.
    places = [*re.finditer(r"[^\W_]", NUMBER.sub(lambda match: " " * len(match[0]), text))]
    if not places:
        return text
    end = places[-1].end()
    return falsified(text[:end]) + text[end:]


def line_off(text: str) -> str:
    """Leave out the last line of a text that is not empty."""
    lines = text.rstrip().splitlines(keepends=True)
    return "".join(lines[:-1])


def false_records(outputs: list[dict]) -> Iterator[tuple[str, list[dict]]]:
    """Falsify what a cell shows in all that the tolerant comparison must notice, one at a time.

    Yields: what was done, and a copy of all outputs with it.
    """
    for place, output in enumerate(outputs):
        holder = output.get("data", output)
        for kind in [kind for kind in holder if kind.startswith(("text", "image"))]:
            ways = (number_off, word_off, line_off) if kind.startswith("text") else (None,)
            for way in ways:
                false = copy.deepcopy(outputs)
                holder = false[place].get("data", false[place])
                if way is None:
                    del holder[kind]
                elif (text := way(holder[kind])) != holder[kind]:
                    holder[kind] = text
                else:
                    continue
                yield f"output {place + 1}, {way.__name__ if way else 'picture gone'}", false


@pytest.hookimpl(trylast=True)  # so that what it calls compares pictures, and tolerantly, too
def pytest_configure() -> None:
    """Let nbval compare what a cell has drawn with false records, too; each must be noticed."""
    compare = IPyNbCell.compare_outputs

    def compare_with_false_ones(cell, test, ref, skip_compare=None) -> bool:
        if not compare(cell, test, ref, skip_compare):
            return False
        records = [] if notebooks.is_trained(cell.cell) else [*false_records(ref)]
        # Nobody reads how they differ, and to write it takes long.
        silent = mock.patch.object(cell, "format_output_compare")
        with mock.patch.object(cell.config.option, "outputs", "tolerant"), silent:
            green = [name for name, false in records if compare(cell, test, false, skip_compare)]
        cell.user_properties.append(("falsified", len(records)))
        cell.comparison_traceback = [f"stayed green: {name}" for name in green]
        return not green

    IPyNbCell.compare_outputs = compare_with_false_ones


def tolerant_survivors(notebook: Path, folder: Path) -> tuple[int, list[str]]:
    """Run a notebook once, comparing what each cell draws with false records of it, tolerantly.

    Returns: how many false records there were, and the cells where one stayed green, or the true
    one went red.
    """
    options = ["--nbval-current-env", "-p", "helpers.workshop.tamper"]
    _, red = nbval(notebook, folder, *options)
    code = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    report = ElementTree.parse(folder / f"{notebook.stem}.xml")
    counts = [p.get("value") for p in report.iter("property") if p.get("name") == "falsified"]
    return sum(map(int, counts)), [f"{code[place].id}: {why}" for place, why in red.items()]


def main(arguments: list[str]) -> int:
    """Tamper with notebooks, two at a time; returns 1 if an output stayed green."""
    parser = argparse.ArgumentParser(prog="tamper", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="07, 07a, labs (default: all there are)")
    chosen = notebooks.choose(parser.parse_args(arguments).notebooks, with_solutions=True)

    def line_and_green(notebook: Path) -> tuple[str, int]:
        name = notebooks.name_of(notebook)
        folder = build_folder() / "tamper" / name.replace("/", "_")
        said, total, green = [], 0, []
        if way_here() == "exact":
            total, green = survivors(notebook, folder)
            said = [f"{total} outputs falsified, {total - len(green)} red"]
        total, more = tolerant_survivors(notebook, folder / "tolerant")
        said += [f"{total} false records compared tolerantly, {len(more)} cells wrong"]
        lines = [f"{name}: {'; '.join(said)}", *green, *more]
        return "\n    stayed green: ".join(lines), len(green + more)

    all_green = 0
    with ThreadPoolExecutor(2) as pool:
        for line, green in pool.map(line_and_green, reversed(chosen)):  # the long ones first
            print(line, flush=True)
            all_green += green
    result = "FAILED, see above" if all_green else "passed, every falsified output went red"
    print(f"tamper: {result}.")
    return int(all_green > 0)
