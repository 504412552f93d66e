"""Execute a notebook: the one way for all that run, record or try them; or a module of tools."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError
from papermill.execute import remove_error_markers

from helpers.checkpoint import SAME_BITS
from helpers.tools.links import move_links, relative
from helpers.tools.notebooks import NotebookFailed


def shown(path: Path) -> str:
    """Write a path as seen from the folder where make was called."""
    return relative(path, os.environ.get("CALLED_FROM") or os.getcwd())


def execute(
    notebook: Path, output: Path, parameters: dict, every_cell: bool = False
) -> NotebookNode:
    """Execute a notebook in its own folder; while it runs, and if it fails, it is a .part file.

    What it prints is printed, with how long it took, and on a terminal papermill's progress bar.
    output: where the caller will save it; links are made to lead to the same files from there.
    every_cell: go on after a cell that fails; its error is its output.
    Returns: the executed notebook.
    Raises: NotebookFailed with the cell and its error.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    start, part = time.monotonic(), output.with_suffix(".part.ipynb")
    content = nbformat.read(notebook, as_version=4)
    move_links(content, notebook.parent, output.parent)
    settings = dict(
        cwd=notebook.parent, kernel_name="python3", language="python",
        progress_bar=sys.stderr.isatty(), coalesce_streams=True,
        stdout_file=sys.stdout, stderr_file=sys.stdout,
        # else kernels talk of TCP, and of sockets at Ctrl-C
        extra_arguments=["--IPKernelApp.log_level=CRITICAL"], allow_errors=every_cell,
    )  # fmt: skip
    try:
        try:
            executed = papermill.execute_notebook(content, part, parameters, **settings)
        except RuntimeError as error:
            # Kernels that start at once may draw the same ports; then one dies, before any cell.
            if "before replying to kernel_info" not in str(error):
                raise
            executed = papermill.execute_notebook(content, part, parameters, **settings)
    except PapermillExecutionError as error:
        if every_cell:  # papermill has put in cells of its own, which lead to the error
            return remove_error_markers(nbformat.read(part, as_version=4))
        lines = error.source.strip().splitlines()
        source = "\n".join("    " + line for line in lines[:8] + ["..."] * (len(lines) > 8))
        reason = f"{error.ename}: {error.evalue}"
        failure = NotebookFailed(
            f"{notebook.name} failed in cell [{error.exec_count}]:\n{source}\n{reason}\n"
            f"The notebook as far as it came: {shown(part)}"
        )
        failure.reason = reason
        raise failure from None
    except DeadKernelError:
        raise NotebookFailed(f"{notebook.name} failed: its kernel died (out of memory?).") from None
    print(f"    done in {time.monotonic() - start:.0f} s", flush=True)
    return executed


def ask_a_process(module: str, arguments: list[str], what: str, **environment: str) -> dict | list:
    """Call a module of the tools in a process of its own, with kernels of its own.

    environment: the kernels, if they aren't to be the fast ones of this processor, and more
    Returns: what it prints, which is JSON.
    Raises: NotebookFailed with what was computed and the last line of the complaint.
    """
    kept = {key: value for key, value in os.environ.items() if key not in SAME_BITS}
    command = [sys.executable, "-m", f"helpers.tools.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=kept | environment)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"the process ended with {done.returncode}"]
        raise NotebookFailed(f"{what}: {lines[-1]}")
    return json.loads(done.stdout)
