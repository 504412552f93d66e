"""Falsify the recorded outputs of notebooks, in copies, and see nbval turn every one of them red: `make tamper`.

A cell with several outputs is falsified once in each of them, so that no output hides behind another.
"""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import nbformat

from helpers.training import build_folder

ROOT = Path(__file__).resolve().parent.parent.parent
IGNORED = "nbval-ignore-output"
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=900"]  # as in the Makefile


def falsified(text: str) -> str:
    """Change the last letter or digit of a text, as little as can be changed; a text without any gets one."""
    places = [match.start() for match in re.finditer(r"[^\W_]", text)]
    if not places:
        return text + "x"
    place = places[-1]
    new = str((int(text[place]) + 1) % 10) if text[place] in "0123456789" else "x" if text[place] != "x" else "y"
    return text[:place] + new + text[place + 1 :]


def tamper(notebook: nbformat.NotebookNode, number: int) -> dict[int, str]:
    """Falsify output `number` of each cell that has so many and is compared.

    Returns: the id of each such cell, under its place among the code cells, as nbval counts them.
    """
    changed = {}
    for place, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        if IGNORED in cell.metadata.get("tags", ()) or len(cell.outputs) <= number:
            continue
        output = cell.outputs[number]
        if output.output_type == "stream":
            output.text = falsified(output.text)
        else:
            for kind in output.data:
                if kind.startswith("text/"):
                    output.data[kind] = falsified(output.data[kind])
        changed[place] = cell.id
    return changed


def red_cells(notebook: Path, folder: Path) -> set[int]:
    """Run nbval on a notebook; returns the places of the code cells that failed.

    Raises: RuntimeError if nbval did not run.
    """
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    options = ["-q", "-p", "no:cacheprovider", *NBVAL]
    command = [sys.executable, "-m", "pytest", *options, "--rootdir", folder, "--junitxml", report, notebook]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not report.exists():
        raise RuntimeError(f"nbval did not run on {notebook.name}: {(done.stdout + done.stderr)[-300:]}")
    cases = ElementTree.parse(report).iter("testcase")
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return {int(name.rsplit(" ", 1)[1]) for name in failed}


def survivors(notebook: Path, folder: Path) -> tuple[int, list[str]]:
    """Tamper with a notebook in a copy of the project's notebooks under a folder.

    Returns: how many outputs were falsified, and those that stayed green, each as its notebook, cell and output.
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
        red = red_cells(copy, folder)
        total += len(changed)
        green += [f"{copy.name}: {cell}, output {number}" for place, cell in changed.items() if place not in red]


def main(names: Iterable[str]) -> int:
    """Tamper with notebooks, print a line for each, and return how many outputs stayed green."""
    folder, all_green = build_folder() / "tamper", []
    for name in names:
        total, green = survivors(Path(name), folder)
        print(
            f"{name}: {total} outputs falsified, {total - len(green)} red",
            *green,
            sep="\n    stayed green: ",
            flush=True,
        )
        all_green += green
    print(f"make tamper: {'FAILED, see above' if all_green else 'passed, every falsified output went red'}.")
    return len(all_green)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
