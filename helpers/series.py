"""Run the notebooks in order, or record their outputs: what `make run` and `make record` call."""
# ruff: noqa: E402

import argparse
import ast
import hashlib
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

if __name__ == "__main__":  # Ctrl-C in the second that the imports take ends as quietly as it does later
    signal.signal(signal.SIGINT, lambda *_: sys.exit(130))

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError

ROOT = Path(__file__).resolve().parent.parent
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class NotebookFailed(Exception):
    """A notebook stopped before its end; the message says where and why."""


def build_folder(root: Path) -> Path:
    """Return the folder of everything that is produced: build/, or what ATTENTION_BUILD names."""
    return Path(os.environ.get("ATTENTION_BUILD") or root / "build").absolute()


def shown(path: Path) -> str:
    """Write a path as seen from the folder where make was called."""
    return os.path.relpath(path, os.environ.get("CALLED_FROM") or os.getcwd())


def choose(root: Path, words: list[str], solutions: bool = False) -> list[Path]:
    """Return the notebooks whose names begin with one of the words, all of them if there are no words."""
    notebooks = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    if solutions:
        notebooks += sorted((root / "notebooks" / "solutions").glob("*.ipynb"))
    names = ", ".join(dict.fromkeys(notebook.stem for notebook in notebooks)) or "none"
    starts = [Path(word).name.removesuffix(".ipynb") for word in words]
    for start in starts:
        if not any(notebook.stem.startswith(start) for notebook in notebooks):
            raise ValueError(f"There is no notebook {start!r} in notebooks/. There are: {names}.")
    return [notebook for notebook in notebooks if not starts or notebook.stem.startswith(tuple(starts))]


def read_defaults(notebook: Path) -> dict[str, object]:
    """Return the names and default values in the cell tagged `parameters`."""
    defaults: dict[str, object] = {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type != "code" or "parameters" not in cell.metadata.get("tags", []):
            continue
        for statement in ast.parse(cell.source, notebook.name).body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
                try:
                    defaults[ast.unparse(target)] = ast.literal_eval(statement.value)
                except ValueError:
                    defaults[ast.unparse(target)] = None  # no plain literal
    return defaults


def to_value(name: str, text: str, default: object) -> object:
    """Turn what the user typed into a value of the default's type, and a file's name into its absolute path."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise ValueError(f"{name} is either true or false, not {text!r}.")
        return text.lower() == "true"
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            kind = "a whole number" if isinstance(default, int) else "a number"
            raise ValueError(f"{name} takes {kind}, such as {default}, not {text!r}.") from None
    # A name that is no file stays as it was typed, so that the notebook's message names it like that.
    for folder in (os.environ.get("CALLED_FROM") or ".", "."):
        if text and (Path(folder) / text).exists():
            return str((Path(folder) / text).resolve())
    return text


def assign(notebooks: list[Path], typed: list[list[str]]) -> list[dict[str, object]]:
    """Return the parameters of each notebook, after a check that every parameter belongs to one of them."""
    defaults = [read_defaults(notebook) for notebook in notebooks]
    known = {name: value for names in defaults for name, value in names.items()}
    for name, _ in typed:
        if name not in known:
            listed = ", ".join(known) or "no parameters"
            raise ValueError(f"No chosen notebook has a parameter {name!r}. They have: {listed}.")
    return [{name: to_value(name, text, names[name]) for name, text in typed if name in names} for names in defaults]


def digest(facts: object, files: Iterable[Path] = ()) -> str:
    """Return a checksum of facts, and of the names and contents of files."""
    contents = [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files if file.is_file()]
    return hashlib.sha256(repr((facts, contents)).encode()).hexdigest()


def inputs_of(root: Path, notebook: Path, parameters: dict[str, object]) -> str:
    """Return a checksum of all that decides a notebook's outputs; its recorded outputs do not."""
    cells = nbformat.read(notebook, as_version=4).cells
    facts = [(cell.cell_type, cell.source, cell.metadata.get("tags")) for cell in cells], sorted(parameters.items())
    data = [file for file in (root / "data").rglob("*") if "__pycache__" not in file.parts]
    files = [root / "environment.yml", *sorted((root / "helpers").glob("*.py")), *sorted(data)]
    for value in parameters.values():
        if isinstance(value, str) and os.path.isabs(value):
            files += [Path(value), *sorted(Path(value).glob("*"))]  # a folder's glob is its files, a file's is empty
    return digest(facts, files)


def checkpoint_of(build: Path, notebook: Path) -> str:
    """Return a checksum of the checkpoint for a notebook whose code speaks of the translator, else nothing."""
    cells = nbformat.read(notebook, as_version=4).cells
    if not any("translator" in cell.source for cell in cells if cell.cell_type == "code"):
        return ""
    return digest("", sorted((build / "translator").glob("*")))


def finished_with(output: Path) -> dict[str, str]:
    """Return the checksums that a finished run left in its notebook, none if there is no such run."""
    try:
        return json.loads(output.read_text(encoding="utf-8"))["metadata"]["series"]
    except (OSError, ValueError, KeyError):
        return {}


def replace_file(path: Path, text: str) -> None:
    """Write a file in one step, so that nobody ever finds half of it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


class Indented:
    """A stream that writes what a notebook prints under the notebook's name."""

    at_start = True

    def write(self, text: str) -> None:
        """Write a text, each line of it indented."""
        for line in text.splitlines(keepends=True):
            sys.stdout.write("    " + line if self.at_start else line)
            self.at_start = line.endswith(("\n", "\r"))

    def flush(self) -> None:
        """Show at once what was written."""
        sys.stdout.flush()


def execute(notebook: Path, output: Path, parameters: dict[str, object]) -> NotebookNode:
    """Execute a notebook in its own folder and return it; while it runs, and if it fails, it lies in a .part file."""
    part = output.with_suffix(".part.ipynb")
    output.parent.mkdir(parents=True, exist_ok=True)
    stream = Indented()
    start = time.monotonic()
    try:
        executed = papermill.execute_notebook(
            notebook, part, parameters, cwd=notebook.parent, kernel_name="python3", language="python",
            progress_bar=False, stdout_file=stream, stderr_file=stream, coalesce_streams=True,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],  # else kernels talk of TCP, and of sockets at Ctrl-C
        )  # fmt: skip
    except PapermillExecutionError as error:
        lines = error.source.strip().splitlines()
        source = "\n".join("    " + line for line in lines[:8] + ["..."] * (len(lines) > 8))
        raise NotebookFailed(
            f"{notebook.name} failed in cell [{error.exec_count}]:\n{source}\n{error.ename}: {error.evalue}\n"
            f"The notebook as far as it came: {shown(part)}"
        ) from None
    except DeadKernelError:
        raise NotebookFailed(f"{notebook.name} failed: its kernel died (out of memory?).") from None
    if not stream.at_start:
        print()
    print(f"    done in {time.monotonic() - start:.0f} s", flush=True)
    return executed


def run(root: Path, words: list[str], typed: list[list[str]]) -> None:
    """Execute the chosen notebooks into the build folder, but for those that an earlier run finished unchanged."""
    notebooks, build = choose(root, words), build_folder(root)
    for number, (notebook, parameters) in enumerate(zip(notebooks, assign(notebooks, typed), strict=True), 1):
        output, inputs = build / notebook.name, inputs_of(root, notebook, parameters)
        title = f"[{number} of {len(notebooks)}] {notebook.name}"
        if finished_with(output) == {"inputs": inputs, "checkpoint": checkpoint_of(build, notebook)}:
            print(f"{title}: finished before, nothing changed", flush=True)
            continue
        print(" ".join([title, *(f"{name}={value}" for name, value in parameters.items())]), flush=True)
        executed = execute(notebook, output, parameters)
        executed.metadata["series"] = {"inputs": inputs, "checkpoint": checkpoint_of(build, notebook)}
        replace_file(output, nbformat.writes(executed))
        output.with_suffix(".part.ipynb").unlink()
    print(f"Executed notebooks: {shown(build)}")
    if any((build / "translator").glob("*")):
        print(f"Checkpoint:         {shown(build / 'translator')}")
    logs = [str(file.parent) for file in (build / "translator").rglob("events.out.tfevents*")]
    if logs:
        log, python = shown(Path(os.path.commonpath(logs))), shlex.quote(shown(root / ".venv/bin/python"))
        print(f"TensorBoard log:    {log}  (see it: {python} -m tensorboard.main --logdir {shlex.quote(log)})")


def record(root: Path, words: list[str]) -> None:
    """Execute the chosen notebooks and save their outputs in place, with nothing that differs from run to run."""
    notebooks = choose(root, words, solutions=True)
    for number, notebook in enumerate(notebooks, 1):
        print(f"[{number} of {len(notebooks)}] {notebook.name}", flush=True)
        node = nbformat.read(notebook, as_version=4)
        executed = execute(notebook, build_folder(root) / notebook.relative_to(root / "notebooks"), {})
        for cell, new in zip(node.cells, executed.cells, strict=True):
            if cell.cell_type == "code":
                update_cell(cell, new)
        # JupyterLab marks a notebook as changed when this is not what the kernel says. Of Python's version the file's
        # last number stays, so that another machine's does not make a difference in git.
        language, before = executed.metadata.language_info, node.metadata.get("language_info", {}).get("version", "")
        if before.split(".")[:2] == language.version.split(".")[:2]:
            language.version = before
        node.metadata = {"kernelspec": KERNELSPEC, "language_info": language}
        text = nbformat.writes(node) + "\n"
        if text != notebook.read_text(encoding="utf-8"):
            replace_file(notebook, text)
            print("    outputs changed", flush=True)


def update_cell(cell: NotebookNode, new: NotebookNode) -> None:
    """Give a cell its new outputs; one that nbval ignores (it shows a time) keeps the old ones of the same source."""
    for key in ("execution", "papermill"):
        cell.metadata.pop(key, None)
    ignored = "nbval-ignore-output" in cell.metadata.get("tags", []) or "# NBVAL_IGNORE_OUTPUT" in cell.source
    stamp, recorded = digest(cell.source)[:12], cell.metadata.pop("recorded_source", None)
    if not (ignored and cell.outputs and stamp == recorded):
        cell.outputs = new.outputs
    if ignored:
        cell.metadata["recorded_source"] = stamp
    cell.execution_count = new.execution_count
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = new.execution_count


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Read the command line and return the exit code: 0, 1 (a notebook failed), 2 (a wrong call), 130 (Ctrl-C)."""
    parser = argparse.ArgumentParser(prog="make", description="Run or record the notebooks.")
    parser.add_argument("action", choices=["run", "record"])
    parser.add_argument("notebooks", nargs="*", help="the beginnings of notebooks' names, such as 07 (default: all)")
    text = "a parameter, of the type that its default has; files by name"
    parser.add_argument("-p", dest="typed", help=text, nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if options.action == "record":
            record(root, options.notebooks)
        else:
            run(root, options.notebooks, options.typed)
    except KeyboardInterrupt:
        print(f"\nmake {options.action}: interrupted; the notebooks finished so far are kept.", file=sys.stderr)
        return 130
    except NotebookFailed as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, a folder that nobody may write to
        print(f"make {options.action}: {error}", file=sys.stderr)
        return 1
    except (ValueError, SyntaxError) as error:
        print(f"make {options.action}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
