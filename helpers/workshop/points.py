"""The points of a sweep: one notebook each, executed in a process of its own, with its figures."""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import nbformat
from filelock import FileLock
from submitit.helpers import Checkpointable

from helpers.checkpoint import load_checkpoint, write_atomically
from helpers.workshop.execute import execute
from helpers.workshop.notebooks import NotebookFailed, WrongCall
from helpers.workshop.parameters import assign

LONGEST_NAME = 120  # characters: with its folder a file name has to fit into 255
_STRANGE = re.compile(r"[^\w.+-]+")


@dataclass
class Point(Checkpointable):
    """A notebook with its parameters, and where it goes: what a process of its own executes.

    Called, it executes the notebook unless somebody else has meanwhile, and returns its figures.
    A cluster that takes the node away may start it again: the training goes on where it was.
    """

    notebook: Path
    parameters: dict[str, object]
    output: Path
    folder: Path  # gets what the notebook leaves in build/: the checkpoint, the scores
    inputs: str = ""  # a checksum of all that decides the outputs
    environment: dict[str, str | None] = field(default_factory=dict)  # None takes one away

    @property
    def finished(self) -> dict | None:
        """The figures of a run that came to its end with the same inputs, None without one."""
        try:
            found = json.loads(self.output.read_text(encoding="utf-8"))["metadata"]["workshop"]
        except (OSError, ValueError, KeyError):
            return None
        return found["figures"] if found.get("inputs") == self.inputs else None

    def __call__(self) -> dict:
        """Execute the notebook; returns its figures, or {"failed": why} with the cell's error."""
        for name, value in self.environment.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        os.environ["ATTENTION_BUILD"] = str(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Whoever was killed may have left a process behind that is still at this point.
        with FileLock(self.folder / ".lock"):
            return self.finished or self._execute()

    def _execute(self) -> dict:
        try:
            executed = execute(self.notebook, self.output, self.parameters, aloud=True)
        except NotebookFailed as error:
            return {"failed": error.reason or str(error)}
        found = {"seconds": executed.metadata.papermill["duration"]} | figures_in(self.folder)
        executed.metadata["workshop"] = {"inputs": self.inputs, "figures": found}
        write_atomically(self.output, nbformat.writes(executed) + "\n")
        self.output.with_suffix(".part.ipynb").unlink()
        return found


def figures_in(folder: Path) -> dict[str, float]:
    """Read what a notebook left below its folder: the best row of each training, and its scores.

    The scores are those at the top level of scores.json, such as exact_match.test. Of several
    trainings each figure begins with the name of its own folder.
    """
    trained = sorted(path.parent for path in folder.glob("*/checkpoint.pt"))
    found: dict[str, float] = {}
    for each in trained:
        rows = load_checkpoint(each / "checkpoint.pt")["rows"]
        best = min(rows, key=lambda row: row["valid_loss"])
        named = {name: best[name] for name in ("valid_loss", "valid_accuracy")}
        named["best_step"] = best["step"]
        if (each / "scores.json").is_file():
            scores = json.loads((each / "scores.json").read_text(encoding="utf-8"))
            named |= {name: value for name, value in scores.items() if "." in name}
        start = f"{each.name}." if len(trained) > 1 else ""
        found |= {f"{start}{name}": value for name, value in named.items()}
    return found


def read_grid(text: str) -> dict[str, list[str]]:
    """Read "rate=.003,.006 seed=0,1" as the values of each parameter, as they were typed.

    Raises: WrongCall if there is none, one without a value, or one twice.
    """
    grid: dict[str, list[str]] = {}
    for word in text.split():
        name, equals, values = word.partition("=")
        listed = [value for value in values.split(",") if value]
        if not (name and equals and listed):
            form = 'write NAME=VALUE,VALUE, such as "seed=0,1,2"'
            raise WrongCall(f"the grid holds {word!r}; {form}.")
        if name in grid:
            raise WrongCall(f"{name} is twice in the grid; write all values behind one {name}=.")
        grid[name] = listed
    if not grid:
        raise WrongCall('a sweep needs a grid, such as GRID="learning_rate=.003,.006 seed=0,1,2".')
    return grid


def all_parameters(
    notebook: Path, grid: Mapping[str, Sequence[str]], typed: Sequence[Sequence[str]]
) -> list[dict[str, object]]:
    """List the parameters of each point: what was typed for all, and one value of each in the grid.

    Raises: WrongCall for a parameter that the notebook lacks, a value that it cannot take, and one
    that is in both.
    """
    both = [name for name, _ in typed if name in grid]
    if both:
        raise WrongCall(f"{both[0]} is given for all points and in the grid; take one away.")
    points = []
    for values in product(*grid.values()):
        (parameters,) = assign([notebook], [*typed, *zip(grid, values, strict=True)])
        if parameters not in points:  # .003 and 0.003
            points.append(parameters)
    return points


def file_name(notebook: Path, parameters: Mapping[str, object]) -> str:
    """Name a point's files after its notebook and parameters; two points never share a name."""
    told = [f"{key}={_STRANGE.sub('-', shown_value(each))}" for key, each in parameters.items()]
    name = "_".join([notebook.stem.split("_")[0], *told])
    exact = all(isinstance(value, bool | int | float) for value in parameters.values())
    if exact and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(repr(sorted(parameters.items())).encode()).hexdigest()[:8]
    return f"{name[:LONGEST_NAME]}_{digest}"


def shown_value(value: object) -> str:
    """Write a value for people: of a file only its name."""
    is_file = isinstance(value, str) and os.path.isabs(value)
    return os.path.basename(value) if is_file else str(value)
