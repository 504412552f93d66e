"""Execute what trains with other seeds and kernels: `make experiments NAMES=other_runs`.

A reader trains on a processor of their own, perhaps with another seed, and each sentence must be
true on their page, too. Each run has its own folder below build/other_runs: the executed notebooks,
and the translator that 07 trains there for 08. A notebook goes on after a red cell. What is
finished isn't executed again until something changes. data/experiments/other_runs.json keeps which
cells were red, and what each of them said.
"""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path

import nbformat

from helpers.checkpoint import build_folder, numeric_settings, write_atomically
from helpers.pairs import DATA
from helpers.tools import notebooks
from helpers.tools.execute import ask_a_process, execute
from helpers.tools.parameters import read_defaults
from helpers.tools.run import checkpoint_of, files_that_decide, finish, finished_with

RESULTS = DATA / "experiments" / "other_runs.json"
DEFAULT = dict(ATEN_CPU_CAPABILITY="default")  # the simplest kernels; without it the fast ones
RUNS = [(1, {}), (2, {}), (3, {}), (0, {}), (0, DEFAULT)]  # seeds and kernels


def those_that_train() -> list[Path]:
    """List the notebooks that train or look at what was trained: 05 and later, and all labs."""
    return [each for each in notebooks.ladder() if each.name >= "05"] + notebooks.labs()


def red_cells(executed: nbformat.NotebookNode) -> dict[str, str]:
    """Return the error of each cell that has one, by the cell's id."""
    return {
        cell.id: f"{output.ename}: {output.evalue}"
        for cell in executed.cells if cell.cell_type == "code"
        for output in cell.outputs if output.output_type == "error"
    }  # fmt: skip


def run_one(notebook: Path, seed: int) -> dict:
    """Execute a notebook with a seed and the kernels of this process, if it wasn't yet.

    Returns: how many code cells it has, and the red ones.
    """
    output = build_folder() / f"{notebooks.notebook_name(notebook)}.ipynb"
    parameters = dict(seed=seed) if "seed" in read_defaults(notebook) else {}
    inputs = files_that_decide(notebook, parameters)
    if finished_with(output) != dict(inputs=inputs, checkpoint=checkpoint_of(notebook)):
        executed = execute(notebook, output, parameters, every_cell=True)
        finish(executed, output, inputs=inputs, checkpoint=checkpoint_of(notebook))
    executed = nbformat.read(output, as_version=4)
    cells = sum(cell.cell_type == "code" for cell in executed.cells)
    return dict(cells=cells, torch=numeric_settings()["torch"], red=red_cells(executed))


def run_in_a_process(notebook: Path, seed: int, kernels: dict[str, str]) -> dict:
    """Run one in a process of its own, with kernels and folder of its own.

    Raises: NotebookFailed with the last line of its complaint: a dead kernel, a full disk.
    """
    name, how = notebooks.notebook_name(notebook), kernels.get("ATEN_CPU_CAPABILITY", "fast")
    folder = build_folder() / "other_runs" / f"seed-{seed}-{how}"
    settings = kernels | dict(ATTENTION_BUILD=str(folder), OMP_NUM_THREADS="1")
    arguments = [str(notebook), str(seed)]
    found = ask_a_process("other_runs", arguments, f"{name}, seed {seed}", **settings)
    told = [f"{key}: {error.splitlines()[0]}" for key, error in found["red"].items()]
    print(name, seed, how, *(told or ["green"]), sep="  ", flush=True)
    return dict(notebook=name, seed=seed, kernels=how) | found


def run_all(words: Sequence[str]) -> None:
    """Execute the notebooks that words name, or all that train, five times; write the file.

    Of the notebooks that weren't chosen the file keeps what it has.
    """
    chosen = notebooks.choose([*words]) if words else those_that_train()
    trains = [each for each in chosen if each.name.startswith("07_")]  # what 08 opens
    rows = []
    with ThreadPoolExecutor(2) as pool:
        for wave in trains, [each for each in chosen if each not in trains]:
            jobs = [(notebook, *how) for notebook, how in product(wave, RUNS)]
            rows += pool.map(lambda job: run_in_a_process(*job), jobs)
    names = {row["notebook"] for row in rows}
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    rows += [row for row in before if row["notebook"] not in names]
    rows.sort(key=lambda row: row["notebook"])
    write_atomically(RESULTS, json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):  # what the cells print isn't the answer
        found = run_one(Path(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps(found))
