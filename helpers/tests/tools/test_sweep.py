"""Sweeps: the grid, a process a point, points that fail or are killed, the report."""

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from unittest import mock

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers.checkpoint import save_checkpoint
from helpers.tools import notebooks, sweep
from helpers.tools.__main__ import main

TOY = """import os, signal, time
from helpers.checkpoint import build_folder, save_checkpoint
if rate == 2:
    raise ValueError(f"rate={rate} is no good")
if rate == 3:
    os.kill(os.getppid(), signal.SIGKILL)
time.sleep(wait)
row = dict(step=9, valid_loss=rate + seed / 10, valid_accuracy=0.5)
folder = build_folder() / "translator"
folder.mkdir(exist_ok=True)
save_checkpoint(dict(rows=[row], about={}, model={}), folder / "checkpoint.pt")"""
AS_USER = """import sys
from pathlib import Path
from helpers.tools import notebooks
from helpers.tools.__main__ import main
notebooks.ROOT = Path(sys.argv[1])
sys.exit(main(sys.argv[2:]))"""
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="submitit starts nothing on Windows")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Make a small repository with one notebook, in a folder with a space in its name."""
    root = tmp_path / "a repository"
    for folder in (root / "helpers", root / "data", root / "notebooks"):
        folder.mkdir(parents=True)
    values = "rate = 1.0\nseed = 0\npairs = ''\nwait = 0"
    cells = [new_code_cell(values, metadata={"tags": ["parameters"]}), new_code_cell(TOY)]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": notebooks.KERNELSPEC})
    nbformat.write(notebook, root / "notebooks/01_toy.ipynb")
    monkeypatch.setattr(notebooks, "ROOT", root)
    monkeypatch.chdir(root)
    changed = {"ATTENTION_BUILD": str(root / "build"), "CALLED_FROM": str(root)}
    changed["JUPYTER_DATA_DIR"] = str(tmp_path / "jupyter")
    with mock.patch.dict(os.environ, changed):
        yield root


@unix_only
def test_a_sweep_goes_on_past_points_that_fail_and_tries_them_again(root, capfd):
    """One point ends, one fails, one is killed; then only those two are tried."""
    call = ["sweep", "01", "--grid", "rate=1,2,3 seed=0", "--jobs", "3"]
    assert main(call) == 0
    out, err = capfd.readouterr()
    assert out.startswith("01_toy.ipynb at 3 points, 0 finished before; here, 3 at a time\n")
    assert "rate=1.0 seed=0: valid_loss 1.000, " in out and "2 of 3 points failed; " in out
    assert "rate=2.0 seed=0: failed: ValueError: rate=2.0 is no good\n" in err
    assert "rate=3.0 seed=0: failed: its process was ended (out of memory?); build/sweep/" in err

    folder = root / "build/sweep"
    first = folder / "01_rate=1.0_seed=0.ipynb"
    assert nbformat.read(first, as_version=4).metadata.workshop.figures.valid_loss == 1.0
    said = "\n".join(cell.source for cell in nbformat.read(folder / "report.ipynb", 4).cells)
    assert "3 points, 2 of them failed." in said
    assert "[rate=1.0 seed=0](01_rate%3D1.0_seed%3D0.ipynb) | 1.000 |" in said
    assert "failed: ValueError: rate=2.0 is no good" in said
    assert "Best by valid_loss: **rate=1.0**: 1.000." in said

    untried = {"failed": "not tried"}
    with mock.patch.object(sweep, "executed", lambda _, todo, __: ((p, untried) for p in todo)):
        assert main(call) == 0
    out, err = capfd.readouterr()
    assert ", 1 finished before;" in out and err.count("not tried") == 2


@unix_only
def test_after_kill_9_only_what_is_missing_is_executed(root, capfd):
    command = [sys.executable, "-c", AS_USER, str(root), "sweep", "01"]
    command += ["--grid", "seed=0,1", "--jobs", "1", "-p", "wait", "1"]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert "at 2 points" in killed.stdout.readline() and "seed=0: valid" in killed.stdout.readline()
    killed.kill()
    killed.wait()
    first = root / "build/sweep/01_wait=1_seed=0.ipynb"
    before = first.read_bytes()
    assert main(command[4:]) == 0
    out = capfd.readouterr().out
    assert "1 finished before" in out and "[2 of 2] seed=1: valid_loss 1.100" in out
    assert first.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "a sweep takes one notebook, not "),
        (["01"], 'a sweep needs a grid, such as GRID="learning_rate=.003,.006 seed=0,1,2".'),
        (["01", "--grid", "seed"], "the grid holds 'seed'; write NAME=VALUE,VALUE, such as "),
        (["01", "--grid", "seed=,"], "the grid holds 'seed=,'; "),
        (["01", "--grid", "seed=1 seed=2"], "seed is twice in the grid; "),
        (["01", "--grid", "sed=1"], "No chosen notebook has a parameter 'sed'. They have: rate, "),
        (["01", "--grid", "seed=1,x"], "seed takes a whole number, such as 0, not 'x'."),
        (["01", "--grid", "seed=1", "-p", "seed", "2"], "seed is given for all points and in the"),
        (["01", "--grid", "seed=1", "--jobs", "0"], "--jobs 0 makes no sense; 1 is the least."),
        (["01", "--grid", "seed=1", "--slurm"], "there is no sbatch here: "),
    ],
)
def test_a_wrong_call_is_refused_before_anything_runs(root, capsys, arguments, said):
    if not arguments:
        other = (root / "notebooks/01_toy.ipynb").read_text()
        (root / "notebooks/02_other.ipynb").write_text(other)
    assert main(["sweep", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"sweep: {said}")
    assert not (root / "build").exists()


def test_every_value_with_every_other_once(root, tmp_path):
    (tmp_path / "my pairs.tsv").write_text("a\tb")
    notebook = root / "notebooks/01_toy.ipynb"
    both = {"rate": [".5", "0.50", "2"], "seed": ["0", "1"]}
    typed = [["pairs", str(tmp_path / "my pairs.tsv")]]
    found = sweep.all_parameters(notebook, both, typed)
    assert [(each["rate"], each["seed"]) for each in found] == [(0.5, 0), (0.5, 1), (2, 0), (2, 1)]
    names = [sweep.file_name(notebook, each) for each in found]
    assert len({*names}) == 4 and names[0].startswith("01_pairs=my-pairs.tsv_rate=0.5_seed=0_")
    other = [sweep.file_name(notebook, each | {"pairs": "/else/my pairs.tsv"}) for each in found]
    assert not {*other} & {*names}  # two files of one name are two files
    long = [sweep.file_name(notebook, {"pairs": "x" * 300 + end}) for end in "ab"]
    assert long[0] != long[1] and max(map(len, long)) < 150


def test_figures_come_from_checkpoints_and_scores(tmp_path):
    rows = [dict(step=n, valid_loss=loss, valid_accuracy=0.5) for n, loss in enumerate((3, 1, 2))]
    for number, name in enumerate(("translator", "other")):
        (tmp_path / name).mkdir()
        save_checkpoint(dict(rows=rows, about={}, model={}), tmp_path / name / "checkpoint.pt")
        start = "translator." * number  # of several trainings each has its name before it
        found = sweep.figures_in(tmp_path)
        assert found[f"{start}valid_loss"] == 1 and found[f"{start}best_step"] == 1
    (tmp_path / "translator/scores.json").write_text(json.dumps({"exact.test": 0.25, "steps": 3}))
    found = sweep.figures_in(tmp_path)
    assert found["translator.exact.test"] == 0.25 and "translator.steps" not in found


@pytest.mark.parametrize(
    ("changed", "by", "said"),
    [
        # gaps -0.1, -0.15, -0.1: mean -0.11667, sd 0.02887, times 4.303 / sqrt(3)
        ({}, "valid_loss", ["**size=a**: 1.100 ± 0.248.", "-0.117 ± 0.072: they are told apart."]),
        ({("b", 0): 0.99}, "valid_loss", ["-0.080 ± 0.203: these seeds don't tell them apart."]),
        ({}, "exact.test", ["**size=b**", "chosen among 2 by", "so test it on others"]),
        ({("a", 1): None}, "valid_loss", ["**size=b**"]),  # what lacks a seed isn't the best
        ({(size, seed): None for size in "ab" for seed in (0, 1, 2)}, "loss", ["none is the best"]),
        ({(size, seed): None for size in "ab" for seed in (1, 2)}, "loss", ["One point each"]),
    ],
)
def test_the_best_is_told_from_the_second_seed_by_seed(changed, by, said):
    losses = {("a", 0): 1.0, ("a", 1): 1.2, ("a", 2): 1.1, ("b", 0): 1.1, ("b", 1): 1.35}
    losses |= {("b", 2): 1.2} | changed
    points = [
        SimpleNamespace(name=f"size={size} seed={seed}", parameters=dict(size=size, seed=seed))
        for size, seed in losses
    ]
    found = [{"failed": "no"} if value is None else {by: value} for value in losses.values()]
    text = " ".join(sweep.verdict(sweep.groups_of(points, found), by))
    assert all(words in text for words in said), text


@pytest.mark.parametrize("values, half", [([1.0], None), ([1.0, 2.0, 3.0], 4.303 / 3**0.5)])
def test_half_an_interval_is_students(values, half):
    assert sweep.half_width(values) == (half and pytest.approx(half))


@unix_only
def test_who_is_ended_ends_as_with_ctrl_c():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), sweep.as_with_ctrl_c():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
    assert signal.getsignal(signal.SIGTERM) == before


SBATCH = """#!/bin/sh
sed -n 's/^#SBATCH //p' "$1" > "{seen}"
echo 'Submitted batch job 77'
"""


@unix_only
def test_slurm_gets_one_array_with_the_settings_of_the_user(root, tmp_path, monkeypatch):
    """A stub of sbatch tells what Slurm would have been asked for; no Slurm has seen it."""
    for name, text in dict(sbatch=SBATCH.format(seen=tmp_path / "seen"), srun="#!/bin/sh").items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    given = dict(notebooks=["01"], grid="seed=0,1,2", typed=[], jobs=2)
    options = SimpleNamespace(**given, slurm="partition=gpu cpus_per_task=4")
    points = sweep.make_points(options)
    assert all(point.environment == {} for point in points)  # the GPUs are Slurm's to give
    executor = sweep.make_executor(options, tmp_path / "jobs")
    with mock.patch.object(sweep.submitit.SlurmJob, "done", lambda job: True):
        with mock.patch.object(sweep, "outcome", lambda job: {"failed": job.job_id}):
            found = list(sweep.executed(executor, points, 3))
    assert [result["failed"] for _, result in found] == ["77_0", "77_1", "77_2"]
    seen = (tmp_path / "seen").read_text()
    for wanted in ("--array=0-2%2", "--partition=gpu", "--cpus-per-task=4", "--time=1440"):
        assert wanted in seen
    for slurm, said in (("colour=red", "--slurm: .*colour"), ("gpu", "--slurm takes settings of")):
        with pytest.raises(notebooks.WrongCall, match=said):
            sweep.make_executor(SimpleNamespace(jobs=2, slurm=slurm), tmp_path / "jobs")
