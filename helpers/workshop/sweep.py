"""Execute one notebook at every point of a grid of parameters: what `make sweep` calls."""

import argparse
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import submitit
from submitit.core.utils import FailedJobError, UncompletedJobError

from helpers.checkpoint import build_folder
from helpers.workshop import notebooks
from helpers.workshop.execute import shown
from helpers.workshop.notebooks import WrongCall
from helpers.workshop.points import Point, all_parameters, file_name, read_grid, shown_value
from helpers.workshop.run import inputs_of
from helpers.workshop.sweep_report import write_report

LOOK_EVERY = 0.5  # seconds: whether a process has come to its end
MONTH = 30 * 24 * 60  # minutes: submitit would end what runs here after five
A_DAY = 24 * 60  # minutes for a point on a cluster, unless the user says otherwise


@dataclass
class Plan:
    """What a sweep was asked for."""

    notebook: Path
    grid: dict[str, list[str]]
    points: list[Point]
    jobs: int  # at a time
    slurm: dict[str, str] | None  # settings of sbatch; None: on this machine
    best_by: str


def make_plan(options: argparse.Namespace) -> Plan:
    """Check all that was asked for, before anything runs; raises WrongCall."""
    chosen = notebooks.choose(options.notebooks)
    if len(chosen) != 1:
        raise WrongCall(f"a sweep takes one notebook, not {len(chosen)}; name it: NOTEBOOKS=07.")
    grid, slurm = read_grid(options.grid), read_slurm(options.slurm)
    if slurm is not None and shutil.which("sbatch") is None:
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
        where = folder / f"{name}.ipynb", folder / "points" / name
        points.append(Point(chosen[0], parameters, *where, inputs, hidden if slurm is None else {}))
    return Plan(chosen[0], grid, points, options.jobs, slurm, options.best_by)


def read_slurm(text: str | None) -> dict[str, str] | None:
    """Read "partition=gpu time=600" as settings of sbatch; raises WrongCall for another form."""
    if text is None:
        return None
    words = [word.partition("=") for word in text.split()]
    if not all(name and equals and value for name, equals, value in words):
        raise WrongCall(f'--slurm takes settings of sbatch, such as "partition=gpu", not {text!r}.')
    return {name: value for name, _, value in words}


def make_executor(plan: Plan, folder: Path) -> submitit.AutoExecutor:
    """Make what starts the processes, here or on a cluster.

    folder: gets its files and logs; on a cluster all machines must see it.
    Raises: WrongCall for a setting that sbatch does not have.
    """
    executor = submitit.AutoExecutor(folder, cluster="local" if plan.slurm is None else "slurm")
    if plan.slurm is None:
        executor.update_parameters(timeout_min=MONTH)
        return executor
    given = {name: int(text) if text.isdigit() else text for name, text in plan.slurm.items()}
    given = {"time": A_DAY, "array_parallelism": plan.jobs, "job_name": "sweep"} | given
    try:
        executor.update_parameters(**{f"slurm_{name}": value for name, value in given.items()})
    except (NameError, ValueError, TypeError) as error:
        raise WrongCall(f"--slurm: {str(error).splitlines()[0]}") from None
    return executor


def outcome(job: submitit.Job) -> dict:
    """Give what a process that has ended returned, or why it did not."""
    try:
        return job.result()
    except UncompletedJobError:
        last = [line for line in (job.stderr() or "").splitlines() if line.strip()][-1:]
        why = last[0] if last else "out of memory?"
        return {"failed": f"its process was ended ({why}); its log: {shown(job.paths.stdout)}"}
    except FailedJobError as error:
        return {"failed": str(error).strip().splitlines()[-1]}


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


@contextmanager
def unheard() -> Iterator[None]:
    """Let processes start whose errors nobody sees: submitit's own say only that they were ended.

    What a point has to say is in its own log.
    """
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def executed(plan: Plan, waiting: list[Point], folder: Path) -> Iterator[tuple[Point, dict]]:
    """Execute points, so many at a time; gives each with its outcome when it has ended.

    Whoever stops this early stops what is running, too.
    """
    executor, running, waiting = make_executor(plan, folder), {}, [*waiting]
    at_a_time = plan.jobs if plan.slurm is None else len(waiting)  # Slurm has a queue of its own
    try:
        while waiting or running:
            room = at_a_time - len(running)
            chosen, waiting = waiting[:room], waiting[room:]
            if chosen:
                with unheard(), executor.batch():
                    jobs = [executor.submit(point) for point in chosen]
                running |= zip(jobs, chosen, strict=True)
            for job in [job for job in running if job.done()]:
                yield running.pop(job), outcome(job)
            time.sleep(LOOK_EVERY)
    finally:
        for job in running:
            job.cancel(check=False)
        for _ in range(20):  # 10 s for their ends: nobody goes on unseen
            if plan.slurm is None and any(not job.done() for job in running):
                time.sleep(LOOK_EVERY)


def tell(point: Point, varied: list[str], found: dict, number: str, left: str = "") -> None:
    """Print a line for a point that is done, to the errors if it failed."""
    name = " ".join(f"{each}={shown_value(point.parameters[each])}" for each in varied)
    if "failed" in found:
        print(f"[{number}] {name}: failed: {found['failed']}", file=sys.stderr, flush=True)
        return
    loss = f"valid_loss {found['valid_loss']:.3f}, " if "valid_loss" in found else ""
    print(f"[{number}] {name}: {loss}{found['seconds']:.0f} s{left}", flush=True)


def sweep(plan: Plan) -> list[dict]:
    """Execute what is not finished yet, telling of each; returns the outcome of each point."""
    found = [point.finished for point in plan.points]
    total, waiting = len(found), [at for at, each in enumerate(found) if each is None]
    where = "here" if plan.slurm is None else "by Slurm"
    print(
        f"{plan.notebook.name} at {total} points, {total - len(waiting)} finished before; "
        f"{where}, {plan.jobs} at a time", flush=True,
    )  # fmt: skip
    if not waiting:
        return found
    folder = next_free(build_folder() / "sweep" / "jobs")
    places, seconds = {id(plan.points[at]): at for at in waiting}, []
    todo = [plan.points[at] for at in waiting]
    for done, (point, result) in enumerate(executed(plan, todo, folder), 1):
        found[places[id(point)]] = result
        seconds += [result["seconds"]] if "seconds" in result else []
        more = sum(seconds) / max(1, len(seconds)) * (len(todo) - done) / plan.jobs
        left = f"; about {more / 60:.0f} minutes left" if more > 60 else ""
        tell(point, [*plan.grid], result, f"{total - len(todo) + done} of {total}", left)
    if not any("failed" in each for each in found):
        shutil.rmtree(folder, ignore_errors=True)
    return found


def next_free(folder: Path) -> Path:
    """Make a folder for this call alone: a process number comes again, and with it its files."""
    paths = (folder / str(number) for number in count(1))
    chosen = next(path for path in paths if not path.exists())
    chosen.mkdir(parents=True)
    return chosen


def main(arguments: list[str]) -> int:
    """Read the command line and sweep; returns 0, or 1 if no point came to its end."""
    parser = argparse.ArgumentParser(prog="sweep", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="one notebook, say 07")
    text = '"learning_rate=.003,.006 seed=0,1,2": every value with every other'
    parser.add_argument("--grid", default="", help=text)
    pair = dict(nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("-p", dest="typed", help="a parameter of all points", **pair)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser.add_argument("--jobs", type=int, help=f"points at a time (default here: {cores})")
    text = 'take a Slurm cluster instead, with settings of sbatch: "partition=gpu time=600"'
    parser.add_argument("--slurm", nargs="?", const="", help=text)
    text = "figure that chooses the best point (default: valid_loss)"
    parser.add_argument("--best-by", default="valid_loss", help=text)
    options = parser.parse_args(arguments)
    if options.jobs is None:
        options.jobs = cores if options.slurm is None else 256
    plan = make_plan(options)
    with as_with_ctrl_c():
        found = sweep(plan)
    report = write_report(plan, found, build_folder() / "sweep" / "report.ipynb")
    failed = sum("failed" in each for each in found)
    if failed:
        print(f"{failed} of {len(found)} points failed; the same call tries them again.")
    print(f"Report:             {shown(report)}")
    return int(failed == len(found))
