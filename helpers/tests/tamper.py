"""Falsify the recorded outputs of notebooks, in copies, and see nbval turn every one of them red: `make tamper`.

A cell that shows several things (a text and a table, a picture and its text) is falsified once in each of them, so
that none hides behind another.
"""

import base64
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import nbformat

from helpers.tests.pictures import BLOCK, image_of
from helpers.training import build_folder

ROOT = Path(__file__).resolve().parent.parent.parent
IGNORED = "nbval-ignore-output"
# As in the Makefile, but for the kernel: --nbval-current-env, or --nbval-kernel-name=NAME.
NBVAL = ["-p", "helpers.tests.pictures", "--nbval", "--nbval-cell-timeout=900"]


def falsified(text: str) -> str:
    """Change the last letter or digit of a text, as little as can be changed; a text without any gets one."""
    places = [match.start() for match in re.finditer(r"[^\W_]", text)]
    if not places:
        return text + "x"
    place = places[-1]
    new = (
        str((int(text[place]) + 1) % 10)
        if text[place] in "0123456789"
        else "x"
        if text[place] != "x"
        else "y"
    )
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
        raise ValueError(
            f"cell {cell.id} shows {kind}, which make tamper cannot falsify; teach it in falsify"
        )
    holder[kind] = (falsified_picture if kind == "image/png" else falsified)(holder[kind])
    return True


def tamper(notebook: nbformat.NotebookNode, number: int) -> dict[int, str]:
    """Falsify the thing of this number in each cell that shows so many and is compared.

    Returns: the id of each such cell, under its place among the code cells, as nbval counts them.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    compared = [
        (place, cell)
        for place, cell in enumerate(code)
        if IGNORED not in cell.metadata.get("tags", ())
    ]
    return {place: cell.id for place, cell in compared if falsify(cell, number)}


def nbval(
    notebook: Path, folder: Path, *options: str, **environment: str
) -> tuple[int, dict[int, str]]:
    """Run nbval on a notebook, with a folder for its report and the checkpoints of this run.

    Returns: how many cells were run, and what nbval says of each that failed, under its place among the code cells.
    Raises: RuntimeError if nbval did not run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / f"{notebook.stem}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *NBVAL]
    command += [
        *(options or ["--nbval-current-env"]),
        "--rootdir",
        notebook.parent,
        "--junitxml",
        report,
        notebook,
    ]
    environment = {"ATTENTION_BUILD": str(folder), **environment}
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | environment
    )
    if done.returncode not in (0, 1) or not report.exists():
        raise RuntimeError(
            f"nbval did not run on {notebook.name}: {(done.stdout + done.stderr)[-300:]}"
        )
    total, failed = 0, {}
    for case in ElementTree.parse(report).iter("testcase"):
        total += 1
        for fault in [*case.iter("failure"), *case.iter("error")]:
            failed[int(case.get("name").rsplit(" ", 1)[1])] = fault.get("message") or ""
    return total, failed


def survivors(notebook: Path, folder: Path) -> tuple[int, list[str]]:
    """Tamper with a notebook in a copy of the project's notebooks under a folder.

    Returns: how many things were falsified, and those that stayed green, each as its notebook, cell and number.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    (folder / "data").symlink_to(ROOT / "data")
    copy, total, green = folder / notebook.resolve().relative_to(ROOT), 0, []
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


def main(names: Sequence[str]) -> int:
    """Tamper with notebooks, two at a time; print a line for each, and return how many outputs stayed green."""

    def line_and_green(name: str) -> tuple[str, int]:
        total, green = survivors(Path(name), build_folder() / "tamper" / name.replace("/", "_"))
        lines = [f"{name}: {total} outputs falsified, {total - len(green)} red", *green]
        return "\n    stayed green: ".join(lines), len(green)

    all_green = 0
    with ThreadPoolExecutor(2) as pool:
        for line, green in pool.map(line_and_green, reversed(names)):  # the long ones first
            print(line, flush=True)
            all_green += green
    print(
        f"make tamper: {'FAILED, see above' if all_green else 'passed, every falsified output went red'}."
    )
    return all_green


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
