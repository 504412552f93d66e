"""Make small faults in copies of helpers and data, and see a test turn red: `make mutants`.

The chosen faults (faults.py) are mistakes that people make, and each has to be noticed, by a test
or by a notebook. The random ones (random_faults.py) judge the tests of helpers alone: of 100, 92
have to be noticed, those listed as equivalent (equivalents.py) apart. The tests of the changed
module run first, and the first red ends it. A fault that nothing notices is a missing test.
"""

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from helpers.checkpoint import build_folder
from helpers.workshop.comparison import NBVAL
from helpers.workshop.equivalents import EQUIVALENT
from helpers.workshop.faults import FAULTS
from helpers.workshop.notebooks import ROOT
from helpers.workshop.patterns import rewrite
from helpers.workshop.random_faults import code_files, draw, is_in

LIMIT = 300.0  # seconds for one run of the tests: an endless loop is noticed, too
NOTEBOOK_LIMIT = 3600.0  # some train for minutes
LEAST = 0.92  # the share of a seed's faults to be noticed
# What runs mutants itself, or reads their tables, looks at the notebooks only, or trains for
# minutes what 07 trains.
IGNORED = ("test_faults.py", "test_notebooks.py", "test_budgets.py", "test_opening.py")
OF_DATA = "test_corpus.py"  # it reads all sentences, which takes half a minute
OF_THE_ENGINE = ("test_mutants.py",)  # they take their time, and hang on nothing but the workshop

_running: set[subprocess.Popen] = set()


class Mutant(NamedTuple):
    """A fault with what its file becomes by it; notebooks: whether they judge it, too."""

    name: str
    where: str
    source: str
    notebooks: bool = False

    @property
    def file(self) -> str:
        """The file, as seen from the project's folder."""
        return self.where.partition(":")[0]


class Verdict(NamedTuple):
    """What noticed a mutant, or nothing, and after how many seconds."""

    mutant: Mutant
    caught_by: str
    seconds: float


def chosen_mutants(places: Sequence[str] = (), notebooks: bool = True) -> list[Mutant]:
    """Make every chosen fault, perhaps only those in some files (see is_in).

    Raises: the ValueError of one that does not fit its function.
    """
    mutants = []
    for fault in FAULTS:
        file = fault.where.partition(":")[0]
        if is_in(file, places):
            source = (ROOT / file).read_text(encoding="utf-8")
            mutants.append(Mutant(fault.name, fault.where, rewrite(source, fault), notebooks))
    return mutants


def random_mutants(seed: int, count: int, places: Sequence[str] = ()) -> tuple[list[Mutant], int]:
    """Draw faults; return those that have to be noticed, and how many are listed as equivalent."""
    drawn = draw(ROOT, seed, count, places)
    counted = [(site, source) for site, source in drawn if tuple(site) not in EQUIVALENT]
    mutants = [Mutant(f"{site.kind}: {site.change}", site.where, text) for site, text in counted]
    return mutants, len(drawn) - len(counted)


# ---------------------------------------------------------------- judging


def run(command: Sequence[str | Path], folder: Path, limit: float = LIMIT) -> str:
    """Run pytest on a copy; return the first test that failed, or the time-out, or nothing."""
    options = ["-x", "-q", "-p", "no:cacheprovider", "--rootdir", folder]
    places = {"PYTHONPATH": str(folder), "ATTENTION_BUILD": str(folder / "build")}
    log = folder / "pytest.log"
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *command],
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"OMP_NUM_THREADS": "1"} | places,
            start_new_session=True,
        )
        _running.add(process)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            return f"the time-out of {limit:.0f} s"
        finally:
            _stop(process)
    if status == 0:
        return ""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    red = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return red[0].split(" - ")[0].split(" ", 1)[1] if red else f"pytest ended with {status}"


def _stop(process: subprocess.Popen) -> None:
    """End a run and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # all of it has ended
    process.wait()
    _running.discard(process)


def copy_project(folder: Path) -> Path:
    """Copy what the tests need, its code written anew from the syntax trees, as in every mutant."""
    shutil.rmtree(folder, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__", "build", ".ipynb_checkpoints")
    for part in ("helpers", "data", "notebooks"):
        shutil.copytree(ROOT / part, folder / part, ignore=unwanted)
    for file in ("README.md", "environment.yml", "Makefile"):
        shutil.copy(ROOT / file, folder)
    for path in code_files(folder):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        path.write_text(ast.unparse(tree) + "\n", encoding="utf-8")
    return folder


def test_files(folder: Path, file: str) -> tuple[list[Path], list[Path]]:
    """List the tests of a changed file, and all others, first those that name its module."""
    tests = sorted((folder / "helpers" / "tests").glob("test_*.py"))
    elsewhere = file and not file.startswith("helpers/workshop/")
    ignored = (*IGNORED, *OF_THE_ENGINE) if elsewhere else IGNORED
    tests = [path for path in tests if path.name not in ignored]
    if file.startswith("data/"):
        own = [path for path in tests if path.name == OF_DATA]
    else:
        name = f"test_{Path(file).stem}.py"
        own = [path for path in tests if path.name == name != OF_DATA]
    rest = [path for path in tests if path not in own]
    named = re.compile(rf"\bhelpers\.(workshop\.)?{re.escape(Path(file).stem)}\b")
    strange = {path: not named.search(path.read_text(encoding="utf-8")) for path in rest}
    return own, sorted(rest, key=lambda path: (path.name == OF_DATA, strange[path]))


def notebooks_for(folder: Path, mutant: Mutant) -> list[Path]:
    """List the notebooks that name the changed function, its class or its module."""
    data = mutant.file.startswith("data/")
    module = "make_corpus" if data else f"helpers.{Path(mutant.file).stem}"
    names = [module, *mutant.where.partition(":")[2].split(".")]
    named = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))
    notebooks = sorted((folder / "notebooks").glob("*.ipynb"))
    return [path for path in notebooks if named.search(path.read_text(encoding="utf-8"))]


def judge(mutant: Mutant, pristine: Path, folder: Path, limit: float = LIMIT) -> str:
    """Make the fault in a copy of a pristine copy; return the first that goes red, or nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pristine, folder, ignore=shutil.ignore_patterns("build"))
    (folder / mutant.file).write_text(mutant.source, encoding="utf-8")
    for tests in test_files(folder, mutant.file):
        if tests and (red := run(tests, folder, limit)):
            return red
    for notebook in notebooks_for(folder, mutant) if mutant.notebooks else ():
        if red := run([*NBVAL, "--nbval-current-env", notebook], folder, NOTEBOOK_LIMIT):
            return red
    return ""


def judge_all(
    mutants: list[Mutant], folder: Path, show: Callable[[Verdict], None], jobs: int = 2
) -> list[Verdict]:
    """Judge mutants, so many jobs at a time, after a copy without a fault has passed.

    Raises: RuntimeError if that copy fails, since then nothing is proved.
    """
    pristine = copy_project(folder / "pristine")
    start = time.perf_counter()
    if red := run(sum(test_files(pristine, ""), []), pristine, 3 * LIMIT):
        raise RuntimeError(f"without any fault {red} fails already, so nothing can be proved")
    limit = max(LIMIT, 3 * (time.perf_counter() - start))
    free: SimpleQueue[Path] = SimpleQueue()
    for number in range(jobs):
        free.put(folder / f"mutant-{number}")

    def verdict(mutant: Mutant) -> Verdict:
        place, start = free.get(), time.perf_counter()
        try:
            red = judge(mutant, pristine, place, limit)
        finally:
            free.put(place)
        return Verdict(mutant, red, time.perf_counter() - start)

    verdicts = []
    pool = ThreadPoolExecutor(jobs)
    try:
        for found in pool.map(verdict, mutants):
            show(found)
            verdicts.append(found)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in [*_running]:  # only where we were interrupted
            _stop(process)
    return verdicts


# ---------------------------------------------------------------- what `make mutants` prints


def show(verdict: Verdict) -> None:
    """Print a row of the table."""
    mutant, red = verdict.mutant, verdict.caught_by or "**nothing**"
    print(f"| {mutant.name} | {mutant.where} | {red} | {verdict.seconds:.0f} |", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Judge the chosen faults and some drawn at random; return 1 if too many are not noticed."""
    options = read_options(arguments)
    groups: dict[str, tuple[list[Mutant], int, float]] = {}
    if options.only != "random":
        groups["chosen"] = chosen_mutants(options.places, not options.no_notebooks), 0, 1.0
    if options.only != "chosen":
        for seed in options.seed:
            drawn = random_mutants(seed, options.random, options.places)
            groups[f"seed {seed}"] = *drawn, LEAST
    groups = {
        name: (with_names(mutants, options.names), equivalent, least)
        for name, (mutants, equivalent, least) in groups.items()
    }
    print("| fault | place | caught by | seconds |\n|---|---|---|---|")
    every = [mutant for mutants, _, _ in groups.values() for mutant in mutants]
    verdicts = judge_all(every, build_folder() / "mutants", show, options.jobs)
    survivors = [verdict.mutant for verdict in verdicts if not verdict.caught_by]
    print()
    passed = [summarise(name, *group, survivors) for name, group in groups.items()]
    return int(not all(passed))


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only faults with this in their name or place")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of the random faults")
    parser.add_argument("--random", type=int, default=100, metavar="COUNT", help="for each seed")
    parser.add_argument("--only", choices=("chosen", "random"))
    places = dict(dest="places", action="append", default=[], metavar="FILES")
    parser.add_argument("--in", **places, help="only faults in these, say 'helpers/*.py'")
    parser.add_argument("--no-notebooks", action="store_true", help="the tests of helpers alone")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at a time (default: 2)")
    return parser.parse_args(arguments)


def with_names(mutants: list[Mutant], names: list[str]) -> list[Mutant]:
    """Keep the mutants with one of these words in their name or place, all if there are none."""
    places = [(mutant, f"{mutant.name} {mutant.where}") for mutant in mutants]
    return [mutant for mutant, text in places if not names or any(name in text for name in names)]


def summarise(
    group: str, mutants: list[Mutant], equivalent: int, least: float, survivors: list[Mutant]
) -> bool:
    """Print how many of a group were noticed, and who was not; return whether these are enough."""
    unnoticed = [mutant for mutant in mutants if mutant in survivors]
    noticed = len(mutants) - len(unnoticed)
    share = f"{noticed / max(1, len(mutants)):.1%}, at least {least:.0%} are wanted"
    listed = f" ({equivalent} more are equivalent)" if equivalent else ""
    print(f"make mutants: {group}: {noticed} of {len(mutants)} noticed, {share}{listed}.")
    for mutant in unnoticed:  # a random one as it would stand in EQUIVALENT
        print(f"    {(mutant.where, *mutant.name.split(': ', 1))}")
    return noticed >= least * len(mutants)


if __name__ == "__main__":
    sys.exit(main())
