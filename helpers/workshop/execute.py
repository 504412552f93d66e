"""Execute a notebook: the one way for all that run, record or try them."""

import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError

from helpers.workshop.links import move_links
from helpers.workshop.notebooks import NotebookFailed
from helpers.workshop.progress import Progress, in_minutes, measured


def shown(path: Path) -> str:
    """Write a path as seen from the folder where make was called."""
    try:
        return os.path.relpath(path, os.environ.get("CALLED_FROM") or os.getcwd())
    except ValueError:  # on another drive of Windows
        return str(path)


def execute(
    notebook: Path, output: Path, parameters: dict, progress: Progress | None = None
) -> NotebookNode:
    """Execute a notebook in its own folder; while it runs, and if it fails, it is a .part file.

    output: where the caller will save it; links are made to lead to the same files from there.
    progress: hears which cell begins, and writes what the notebook prints.
    Returns: the executed notebook.
    Raises: NotebookFailed with the cell and its error.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_suffix(".part.ipynb")
    content = nbformat.read(notebook, as_version=4)
    move_links(content, notebook.parent, output.parent)
    try:
        return papermill.execute_notebook(
            content, part, parameters, cwd=notebook.parent, kernel_name="python3",
            language="python", progress_bar=False, stdout_file=progress, stderr_file=progress,
            coalesce_streams=True, engine_name="told", progress=progress,
            # else kernels talk of TCP, and of sockets at Ctrl-C
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        )  # fmt: skip
    except PapermillExecutionError as error:
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


def how_long(parameters: dict, seconds: dict[str, float]) -> str:
    """Say before it starts how long a notebook will take: as asked for, or as last measured."""
    asked = parameters.get("minutes")
    if asked and asked > 0:
        return f"at most {asked:g} minutes of CPU, as asked for"
    return f"{in_minutes(sum(seconds.values()))} as last measured" if seconds else ""


def execute_aloud(notebook: Path, output: Path, parameters: dict) -> NotebookNode:
    """Execute a notebook and print what it prints, indented, where it is, and how long it took."""
    seconds, start = measured(output, output.with_suffix(".part.ipynb")), time.monotonic()
    if said := how_long(parameters, seconds):
        print(f"    {said}", flush=True)
    with Progress(seconds) as progress:
        executed = execute(notebook, output, parameters, progress)
    print(f"    done in {time.monotonic() - start:.0f} s", flush=True)
    return executed


def execute_apart(
    notebook: Path, output: Path, parameters: dict, environment: dict[str, str | None]
) -> None:
    """Execute a notebook in a process of its own, with other variables; None takes one away.

    Beside others in one process it cannot be done: papermill changes the folder of all of it.
    """
    with ProcessPoolExecutor(1, get_context("spawn"), _set, (environment,)) as pool:
        pool.submit(_execute_silently, notebook, output, parameters).result()


def _set(environment: dict[str, str | None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # at Ctrl-C the parent speaks for all
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _execute_silently(notebook: Path, output: Path, parameters: dict) -> None:
    nbformat.write(execute(notebook, output, parameters), output)
