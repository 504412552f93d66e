"""Execute notebooks in place and save their outputs: what `make record` calls."""

import argparse
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from helpers.checkpoint import build_folder, write_atomically
from helpers.tools import notebooks
from helpers.tools.execute import execute
from helpers.tools.run import digest


def record(notebook: Path) -> None:
    """Execute a notebook and save its outputs, with nothing that differs from run to run."""
    node = nbformat.read(notebook, as_version=4)
    output = build_folder() / f"{notebooks.notebook_name(notebook)}.ipynb"
    executed = execute(notebook, output, {})
    for cell, new in zip(node.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            update_cell(cell, new)
    # JupyterLab marks a notebook as changed when this is not what the kernel says. Of Python's
    # version the last number stays, so that another machine's makes no difference in git.
    language = executed.metadata.language_info
    before = node.metadata.get("language_info", {}).get("version", "")
    if before.split(".")[:2] == language.version.split(".")[:2]:
        language.version = before
    node.metadata = {"kernelspec": notebooks.KERNELSPEC, "language_info": language}
    text = nbformat.writes(node) + "\n"
    if text != notebook.read_text(encoding="utf-8"):
        write_atomically(notebook, text)
        print("    outputs changed", flush=True)


def update_cell(cell: NotebookNode, new: NotebookNode) -> None:
    """Give a cell its new outputs; one that is not compared keeps those of the same source."""
    for key in ("execution", "papermill"):
        cell.metadata.pop(key, None)
    compared = notebooks.is_compared(cell)
    stamp, recorded = digest(cell.source)[:12], cell.metadata.pop("recorded_source", None)
    if compared or not cell.outputs or stamp != recorded:
        cell.outputs = new.outputs
    if not compared:
        cell.metadata["recorded_source"] = stamp
    cell.execution_count = new.execution_count
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = new.execution_count


def main(arguments: list[str]) -> int:
    """Read the command line and record; returns the exit code."""
    parser = argparse.ArgumentParser(prog="record", description=__doc__)
    text = "07 for a notebook and its solutions, 07a for a lab (default: all there are)"
    parser.add_argument("notebooks", nargs="*", help=text)
    chosen = notebooks.choose(parser.parse_args(arguments).notebooks, with_solutions=True)
    for number, notebook in enumerate(chosen, 1):
        print(f"[{number} of {len(chosen)}] {notebook.name}", flush=True)
        record(notebook)
    return 0
