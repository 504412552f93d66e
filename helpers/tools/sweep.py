"""Execute one notebook at every point of a grid of parameters: what `make sweep` calls."""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from urllib.parse import quote

import nbformat
import submitit
from filelock import FileLock
from nbformat.v4 import new_markdown_cell, new_notebook
from submitit.core.utils import FailedJobError, UncompletedJobError
from submitit.helpers import Checkpointable

from helpers.checkpoint import build_folder, load_checkpoint, write_atomically
from helpers.studies.data_scaling import half_width
from helpers.tools import notebooks
from helpers.tools.execute import execute, shown
from helpers.tools.notebooks import NotebookFailed, WrongCall
from helpers.tools.parameters import assign
from helpers.tools.run import inputs_of, save_trusted

LOOK_EVERY = 0.5  # seconds: whether a process has come to its end
MONTH = 30 * 24 * 60  # minutes: submitit would end what runs here after five
A_DAY = 24 * 60  # minutes for a point on a cluster, unless the user says otherwise
LONGEST_NAME = 120  # characters: with its folder a file name has to fit into 255
OVER = "seed"  # what is averaged over; all other parameters tell the groups apart
SMALLER_IS_BETTER = ("loss", "seconds", "step")


@dataclass
class Point(Checkpointable):
    """A notebook with its parameters, and where it goes: what a process of its own executes.

    Called, it executes the notebook unless somebody else has meanwhile, and returns its figures.
    A cluster that takes the node away may start it again: the training goes on where it was.
    """

    notebook: Path
    parameters: dict[str, object]
    name: str  # of the varied parameters, for people
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
        save_trusted(executed, self.output)
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
    told = [re.sub(r"[^\w.+=-]+", "-", written({key: each})) for key, each in parameters.items()]
    name = "_".join([notebook.stem.split("_")[0], *told])
    exact = all(isinstance(value, bool | int | float) for value in parameters.values())
    if exact and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(repr(sorted(parameters.items())).encode()).hexdigest()[:8]
    return f"{name[:LONGEST_NAME]}_{digest}"


def written(parameters: Mapping[str, object]) -> str:
    """Write parameters for people: of a file only its name."""
    return " ".join(f"{name}={os.path.basename(str(v))}" for name, v in parameters.items())


def make_points(options: argparse.Namespace) -> list[Point]:
    """Check all that was asked for, before anything runs; raises WrongCall."""
    chosen = notebooks.choose(options.notebooks)
    if len(chosen) != 1:
        raise WrongCall(f"a sweep takes one notebook, not {len(chosen)}; name it: NOTEBOOKS=07.")
    grid = read_grid(options.grid)
    if options.slurm is not None and shutil.which("sbatch") is None:
        advice = "call this where Slurm takes jobs, or leave out --slurm"
        raise WrongCall(f"there is no sbatch here: {advice}.")
    if options.jobs < 1:
        raise WrongCall(f"--jobs {options.jobs} makes no sense; 1 is the least.")
    if not hasattr(signal, "SIGCONT"):
        advice = "on Windows call this in its Linux (WSL)"
        raise WrongCall(f"submitit, which starts the points, knows Linux and macOS only; {advice}.")
    folder = build_folder() / "sweep"
    # submitit hides the GPUs from what runs here; Slurm gives each of its jobs its own.
    hidden = {"CUDA_VISIBLE_DEVICES": os.environ.get("CUDA_VISIBLE_DEVICES")}
    points = []
    for parameters in all_parameters(chosen[0], grid, options.typed):
        name, inputs = file_name(chosen[0], parameters), inputs_of(chosen[0], parameters)
        varied = written({name: parameters[name] for name in grid})
        where = varied, folder / f"{name}.ipynb", folder / "points" / name, inputs
        points.append(Point(chosen[0], parameters, *where, hidden if options.slurm is None else {}))
    return points


def make_executor(options: argparse.Namespace, folder: Path) -> submitit.AutoExecutor:
    """Make what starts the processes, here or on a cluster.

    options: slurm holds settings of sbatch, such as "partition=gpu time=600"; None: on this machine
    folder: gets its files and logs; on a cluster all machines must see it.
    Raises: WrongCall for a setting that sbatch does not have.
    """
    if options.slurm is None:
        executor = submitit.AutoExecutor(folder, cluster="local")
        executor.update_parameters(timeout_min=MONTH)
        return executor
    words = [word.partition("=") for word in options.slurm.split()]
    if not all(name and value for name, _, value in words):
        wanted = 'takes settings of sbatch, such as "partition=gpu"'
        raise WrongCall(f"--slurm {wanted}, not {options.slurm!r}.")
    given = {name: int(text) if text.isdigit() else text for name, _, text in words}
    given = {"time": A_DAY, "array_parallelism": options.jobs, "job_name": "sweep"} | given
    executor = submitit.AutoExecutor(folder, cluster="slurm")
    try:
        executor.update_parameters(**{f"slurm_{name}": value for name, value in given.items()})
    except (NameError, ValueError, TypeError) as error:
        raise WrongCall(f"--slurm: {str(error).splitlines()[0]}") from None
    return executor


def outcome(job: submitit.Job) -> dict:
    """Give what a process that has ended returned, or why it did not."""
    try:
        return job.result()
    except FailedJobError as error:  # an exception that the point did not expect
        return {"failed": str(error).strip().splitlines()[-1]}
    except UncompletedJobError:
        return {"failed": f"its process was ended (out of memory?); {shown(job.paths.stderr)}"}


@contextmanager
def as_with_ctrl_c() -> Iterator[None]:
    """End as with Ctrl-C when somebody ends this process, or closes its terminal."""
    names = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(name, signal.default_int_handler) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def executed(
    executor: submitit.AutoExecutor, points: Sequence[Point], at_a_time: int
) -> Iterator[tuple[Point, dict]]:
    """Execute points, so many at a time; gives each with its outcome when it has ended.

    Whoever stops this early stops what is running, too.
    """
    running, waiting = {}, [*points]
    try:
        while waiting or running:
            room = at_a_time - len(running)
            chosen, waiting = waiting[:room], waiting[room:]
            if chosen:
                with executor.batch():
                    jobs = [executor.submit(point) for point in chosen]
                running |= zip(jobs, chosen, strict=True)
            for job in [job for job in running if job.done()]:
                yield running.pop(job), outcome(job)
            time.sleep(LOOK_EVERY)
    finally:
        for job in running:
            job.cancel(check=False)


def sweep(points: Sequence[Point], options: argparse.Namespace) -> list[dict]:
    """Execute what is not finished yet, telling of each; returns the outcome of each point."""
    found = {point.output: point.finished for point in points}
    todo = [point for point in points if found[point.output] is None]
    where = "here" if options.slurm is None else "by Slurm"
    before = f"{len(points) - len(todo)} finished before; {where}, {options.jobs} at a time"
    print(f"{points[0].notebook.name} at {len(points)} points, {before}", flush=True)
    jobs = build_folder() / "sweep" / "jobs"
    jobs.mkdir(parents=True, exist_ok=True)
    logs = Path(tempfile.mkdtemp(dir=jobs))  # of this call alone
    # Slurm has a queue of its own
    at_a_time = options.jobs if options.slurm is None else len(points)
    results = executed(make_executor(options, logs), todo, at_a_time)
    for number, (point, result) in enumerate(results, len(points) - len(todo) + 1):
        found[point.output] = result
        failed = "failed" in result
        told = f"failed: {result['failed']}" if failed else f"{result['seconds']:.0f} s"
        if "valid_loss" in result:
            told = f"valid_loss {result['valid_loss']:.3f}, {told}"
        to = sys.stderr if failed else sys.stdout
        print(f"[{number} of {len(points)}] {point.name}: {told}", file=to, flush=True)
    if not any("failed" in each for each in found.values()):
        shutil.rmtree(logs, ignore_errors=True)
    return [*found.values()]


def mean_of(values: Sequence[float]) -> str:
    """Write the mean and half its 95 % interval (Student's t), where there are several values."""
    if not values:
        return ""
    mean, width = sum(values) / len(values), half_width(values)
    decimals = 3 if abs(mean) < 10 else 1
    return f"{mean:.{decimals}f}" + ("" if width is None else f" ± {width:.{decimals}f}")


def groups_of(points: Sequence[Point], found: Sequence[dict]) -> dict[str, dict[object, dict]]:
    """Put together finished points that differ in nothing but the seed: figures by seed, by name.

    found: of each point its figures, or {"failed": why}; those that failed are left out.
    """
    groups: dict[str, dict[object, dict]] = {}
    for point, figures in zip(points, found, strict=True):
        rest = [word for word in point.name.split() if not word.startswith(f"{OVER}=")]
        if "failed" not in figures:
            seeds = groups.setdefault(" ".join(rest) or "all", {})
            seeds[point.parameters.get(OVER)] = figures
    return groups


def ranked(groups: Mapping[str, dict[object, dict]], best_by: str) -> list[str]:
    """Sort the groups that have this figure, the best first; those that lack a seed come last."""
    sign = 1 if any(word in best_by for word in SMALLER_IS_BETTER) else -1
    values = {
        name: [figures[best_by] for figures in seeds.values() if best_by in figures]
        for name, seeds in groups.items()
    }
    having = [name for name in groups if values[name]]
    return sorted(
        having, key=lambda name: (-len(values[name]), sign * sum(values[name]) / len(values[name]))
    )


def verdict(groups: Mapping[str, dict[object, dict]], best_by: str) -> list[str]:
    """Say which group is best, how sure that is, and whether the second is told apart."""
    names = ranked(groups, best_by)
    if not names:
        return [f"No finished point has a figure {best_by!r}, so none is the best."]
    best = {seed: figures[best_by] for seed, figures in groups[names[0]].items()}
    said = [f"Best by {best_by}: **{names[0]}**: {mean_of([*best.values()])}."]
    if len(best) == 1:
        said.append("One point each: nothing tells how much of this is chance. Try seed=0,1,2.")
    if len(names) > 1:
        second = groups[names[1]]
        gaps = [value - second[seed][best_by] for seed, value in best.items() if seed in second]
        if len(gaps) > 1:
            apart = abs(sum(gaps) / len(gaps)) > half_width(gaps)
            how = "they are told apart" if apart else "these seeds don't tell them apart"
            said.append(f"Against {names[1]}, seed by seed: {mean_of(gaps)}: {how}.")
        said.append(f"It was chosen among {len(names)} by this very figure, which flatters it.")
        if "test" in best_by:
            said.append("Now these tests had a say, so test it on others.")
    return said


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    lines = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_report(
    points: Sequence[Point], found: Sequence[dict], best_by: str, path: Path
) -> None:
    """Write the report; an earlier one that says something else is kept beside it."""
    names = sorted({name for each in found for name in each if name != "failed"})
    names.sort(key=lambda name: (name != best_by, name in ("best_step", "seconds")))
    rows = []
    for point, each in zip(points, found, strict=True):
        failed = "failed" in each
        file = point.output.with_suffix(".part.ipynb") if failed else point.output
        link = f"[{point.name}]({quote(file.name)})" if file.exists() else point.name
        figures = [mean_of([each[name]]) if name in each else "" for name in names]
        rows.append([link, *figures, f"failed: {each['failed']}" if failed else ""])
    groups = groups_of(points, found)
    order = ranked(groups, best_by)
    means = []
    for name in order:
        columns = [[f[each] for f in groups[name].values() if each in f] for each in names]
        means.append([name, str(len(groups[name])), *map(mean_of, columns)])
    failed = sum("failed" in each for each in found)
    head = f"# Sweep of {points[0].notebook.stem}\n\n{len(points)} points, {failed} of them failed."
    head += " `make sweep` with the same words executes only what is missing."
    over = "The mean of each figure and half its 95 % interval (Student's t), the best first."
    texts = [head, "## The best\n\n" + "\n".join(verdict(groups, best_by))]
    texts.append(f"## Over the seeds\n\n{over}\n\n{table(['', 'points', *names], means)}")
    texts.append(f"## The points\n\n{table(['', *names, ''], rows)}")
    cells = [new_markdown_cell(text, id=f"part-{at}") for at, text in enumerate(texts)]
    text = nbformat.writes(new_notebook(cells=cells)) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
        kept = path.rename(next(other for other in others if not other.exists()))
        print(f"The report that was here says something else: it is kept in {kept.name}")
    write_atomically(path, text)


def main(arguments: list[str]) -> int:
    """Read the command line and sweep; returns 0, or 1 if no point came to its end."""
    parser = argparse.ArgumentParser(prog="sweep", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="one notebook, say 07")
    text = '"learning_rate=.003,.006 seed=0,1,2": every value with every other'
    parser.add_argument("--grid", default="", help=text)
    pair = dict(nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("-p", dest="typed", help="a parameter of all points", **pair)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser.add_argument("--jobs", type=int, default=cores, help="points at a time (default: cores)")
    text = 'take a Slurm cluster instead, with settings of sbatch: "partition=gpu time=600"'
    parser.add_argument("--slurm", nargs="?", const="", help=text)
    text = "figure that chooses the best point (default: valid_loss)"
    parser.add_argument("--best-by", default="valid_loss", help=text)
    options = parser.parse_args(arguments)
    points = make_points(options)
    with as_with_ctrl_c():
        found = sweep(points, options)
    report = build_folder() / "sweep" / "report.ipynb"
    write_report(points, found, options.best_by, report)
    failed = sum("failed" in each for each in found)
    if failed:
        print(f"{failed} of {len(found)} points failed; the same call tries them again.")
    print(f"Report:             {shown(report)}")
    return int(failed == len(found))
