"""Sweeps: the grid, a process a point, what is told of one that fails, the report."""

import json
import os
import signal
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.checkpoint import save_checkpoint
from helpers.workshop import notebooks, sweep
from helpers.workshop.__main__ import main
from helpers.workshop.points import Point, all_parameters, figures_in, file_name
from helpers.workshop.sizes_kept import half_width
from helpers.workshop.sweep_report import Sweep, set_aside

TOY = """from helpers.checkpoint import build_folder, save_checkpoint
if rate == 2:
    raise ValueError(f"rate={rate} is no good")
if rate == 3:
    import os, signal
    os.kill(os.getppid(), signal.SIGKILL)
row = dict(step=9, valid_loss=rate + seed / 10, valid_accuracy=0.5)
folder = build_folder() / "translator"
folder.mkdir()
save_checkpoint(dict(rows=[row], about={}, model={}), folder / "checkpoint.pt")"""


unix_only = pytest.mark.skipif(sys.platform == "win32", reason="submitit starts nothing on Windows")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Make a small repository with one notebook, in a folder with a space in its name."""
    root = tmp_path / "a repository"
    for folder in (root / "helpers", root / "data", root / "notebooks"):
        folder.mkdir(parents=True)
    cells = [new_code_cell("rate = 1.0\nseed = 0\npairs = ''", metadata={"tags": ["parameters"]})]
    cells += [new_code_cell(TOY), new_markdown_cell("The end.")]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": notebooks.KERNELSPEC})
    nbformat.write(notebook, root / "notebooks/01_toy.ipynb")
    monkeypatch.setattr(notebooks, "ROOT", root)
    monkeypatch.chdir(root)
    changed = {"ATTENTION_BUILD": str(root / "build"), "CALLED_FROM": str(root)}
    changed["JUPYTER_DATA_DIR"] = str(tmp_path / "jupyter")
    with mock.patch.dict(os.environ, changed):
        yield root


def texts(path):
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    said = [each.get("text") or each.data["text/plain"] for each in outputs]
    return [cell.source for cell in cells], "\n".join(said)


@unix_only
def test_a_sweep_goes_on_past_points_that_fail_and_is_taken_up_again(root, capfd):
    """Four processes: two points end, one fails, one is killed; then only the two are tried."""
    call = ["sweep", "01", "--grid", "rate=1,2,3 seed=0", "--jobs", "3"]
    assert main(call) == 0
    out, err = capfd.readouterr()
    assert out.startswith("01_toy.ipynb at 3 points, 0 finished before; here, 3 at a time\n")
    assert "rate=1.0 seed=0: valid_loss 1.000, " in out and "2 of 3 points failed; " in out
    failed = {"rate=2.0 seed=0: failed: ValueError: rate=2.0 is no good"}
    log = "build/sweep/jobs/1/"
    failed |= {"rate=3.0 seed=0: failed: its process was ended (out of memory?); its log: " + log}
    lines = [line.partition("] ")[2] for line in err.splitlines()]
    assert len(lines) == 2 and all(any(line.startswith(f) for line in lines) for f in failed)

    folder = root / "build/sweep"
    names = {path.name for path in folder.iterdir()} - {"points", "jobs"}
    assert names == {"report.ipynb", "01_rate=1.0_seed=0.ipynb"} | {
        f"01_rate={rate}.0_seed=0.part.ipynb" for rate in (2, 3)
    }
    point = nbformat.read(folder / "01_rate=1.0_seed=0.ipynb", as_version=4)
    assert NotebookNotary().check_signature(point)
    assert point.metadata.workshop.figures.valid_loss == 1.0
    sources, said = texts(folder / "report.ipynb")
    assert "3 points, 2 of them failed: `rate=1,2,3 seed=0`" in sources[0]
    assert "- [rate=1.0 seed=0](01_rate%3D1.0_seed%3D0.ipynb): **the best**\n" in sources[-1]
    assert "failed: `ValueError: rate=2.0 is no good`" in sources[-1]
    assert "Best by valid_loss: rate=1.0: 1.000" in said and "Line2D" in said

    before = (folder / "01_rate=1.0_seed=0.ipynb").stat().st_mtime_ns
    tried = []

    def as_if_executed(plan, waiting, _):
        tried.extend(point.parameters["rate"] for point in waiting)
        return ((point, {"failed": "no"}) for point in waiting)

    with mock.patch.object(sweep, "executed", as_if_executed):
        with mock.patch.object(sweep, "write_report", lambda plan, found, path: path):
            assert main(call) == 0
    assert tried == [2.0, 3.0] and ", 1 finished before;" in capfd.readouterr().out
    assert (folder / "01_rate=1.0_seed=0.ipynb").stat().st_mtime_ns >= before


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
        (["01", "--grid", "seed=1", "--slurm", "gpu"], "--slurm takes settings of sbatch, such as"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_runs(root, capsys, arguments, said):
    if not arguments:
        other = (root / "notebooks/01_toy.ipynb").read_text()
        (root / "notebooks/02_other.ipynb").write_text(other)
    assert main(["sweep", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"sweep: {said}")
    assert not (root / "build").exists()


def test_where_submitit_starts_nothing_a_sweep_says_so(root, capsys, monkeypatch):
    monkeypatch.delattr(signal, "SIGCONT", raising=False)  # as on Windows
    assert main(["sweep", "01", "--grid", "seed=1"]) == 2
    said = "sweep: submitit, which starts the points, knows Linux and macOS only; on Windows call"
    assert capsys.readouterr().err.startswith(said) and not (root / "build").exists()


def test_every_value_with_every_other_once(root, tmp_path):
    (tmp_path / "my pairs.tsv").write_text("a\tb")
    notebook = root / "notebooks/01_toy.ipynb"
    both = {"rate": [".5", "0.50", "2"], "seed": ["0", "1"]}
    typed = [["pairs", str(tmp_path / "my pairs.tsv")]]
    found = all_parameters(notebook, both, typed)
    assert [(each["rate"], each["seed"]) for each in found] == [(0.5, 0), (0.5, 1), (2, 0), (2, 1)]
    names = [file_name(notebook, each) for each in found]
    assert len({*names}) == 4 and names[0].startswith("01_pairs=my-pairs.tsv_rate=0.5_seed=0_")
    other = [file_name(notebook, each | {"pairs": "/else/my pairs.tsv"}) for each in found]
    assert not {*other} & {*names}  # two files of one name are two files
    long = [file_name(notebook, {"pairs": "x" * 300 + end}) for end in "ab"]
    assert long[0] != long[1] and max(map(len, long)) < 150


def test_figures_come_from_checkpoints_and_scores(tmp_path):
    rows = [dict(step=n, valid_loss=loss, valid_accuracy=0.5) for n, loss in enumerate((3, 1, 2))]
    saved = dict(rows=rows, about={}, model={})
    for name in ("translator", "other"):
        (tmp_path / name).mkdir()
        save_checkpoint(saved, tmp_path / name / "checkpoint.pt")
        found = figures_in(tmp_path)
        start = "translator." if name == "other" else ""
        assert found[f"{start}valid_loss"] == 1 and found[f"{start}best_step"] == 1
    (tmp_path / "other/checkpoint.pt").unlink()
    scores = {"exact_match.test": 0.25, "steps": 3, "scores": {"test": {}}}
    (tmp_path / "translator/scores.json").write_text(json.dumps(scores))
    assert figures_in(tmp_path) == dict(valid_loss=1, valid_accuracy=0.5, best_step=1) | {
        "exact_match.test": 0.25
    }


def test_a_point_that_somebody_else_finished_is_not_executed_again(tmp_path, monkeypatch):
    point = Point(Path("x.ipynb"), {}, tmp_path / "x.ipynb", tmp_path / "x", "inputs")
    monkeypatch.setattr("helpers.workshop.points.execute", None)
    assert point.finished is None
    saved = {"metadata": {"workshop": {"inputs": "inputs", "figures": {"seconds": 2.0}}}}
    point.output.write_text(json.dumps(saved))
    with mock.patch.dict(os.environ):
        assert point() == {"seconds": 2.0}
        assert os.environ["ATTENTION_BUILD"] == str(tmp_path / "x")
    point.inputs = "others"
    assert point.finished is None


LOSSES = {("a", 0): 1.0, ("a", 1): 1.2, ("a", 2): 1.1, ("b", 0): 1.1, ("b", 1): 1.35, ("b", 2): 1.2}


def a_sweep(losses, by="valid_loss"):
    rows = []
    for (size, seed), value in losses.items():
        result = {"figures": {by: value}} if value else {"failed": "no"}
        rows.append({"parameters": dict(size=size, seed=seed)} | result)
    return Sweep(rows, by)


def test_the_best_is_told_from_the_second_seed_by_seed():
    said = a_sweep(LOSSES).verdict()
    # gaps -0.1, -0.15, -0.1: mean -0.11667, sd 0.02887, times 4.303 / sqrt(3)
    assert "Best by valid_loss: size=a: 1.100 ± 0.248 (mean of 3 seeds" in said
    assert "seed by seed: -0.117 ± 0.072: they are told apart." in said
    assert "chosen among 2" in said
    near = a_sweep(LOSSES | {("b", 0): 0.99}).verdict()
    assert "seed by seed: -0.080 ± 0.203: these seeds don't tell them apart." in near
    by_test = a_sweep(LOSSES, "exact_match").verdict()
    assert "Best by exact_match: size=b: " in by_test and "so test it on others" in by_test


def test_a_group_that_lacks_a_seed_is_not_the_best():
    sweep_of = a_sweep(LOSSES | {("a", 1): None})
    assert "Best by valid_loss: size=b: " in sweep_of.verdict()
    assert "failed" in sweep_of.table().markup and "1.050 ± 0.635" in sweep_of.means().markup
    one = a_sweep({("a", 0): 1.0})
    said = "Best by valid_loss: size=a: 1.000\nOne point each: nothing tells "
    assert one.verdict().startswith(said)
    none = a_sweep({("a", 0): None})
    assert none.verdict() == "No finished point has a figure 'valid_loss', so none is the best."
    assert none.means() == "no point came to its end"


def test_half_an_interval_is_students():
    assert half_width([1.0]) is None
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.303 / 3**0.5)
    assert half_width([0.0, 1.0] * 6) == pytest.approx(2.262 * (3 / 11) ** 0.5 / 12**0.5)


def test_a_report_that_says_something_else_is_kept(tmp_path, capsys):
    path = tmp_path / "report.ipynb"
    for number, source in enumerate("abbc"):
        set_aside(path, [source])
        cells = [new_markdown_cell(source)]
        nbformat.write(new_notebook(cells=cells), path)
        assert bool(capsys.readouterr().out) == (number in (1, 3))
    assert [file.name for file in sorted(tmp_path.iterdir())] == [
        "report-1.ipynb", "report-2.ipynb", "report.ipynb",
    ]  # fmt: skip


class Jobs:
    """An executor whose jobs end after some looks at them, and that counts those under way."""

    def __init__(self):
        self.under_way, self.most, self.cancelled = set(), 0, []

    batch = staticmethod(nullcontext)

    def submit(self, point):
        looks = iter(range(1 + point % 3))
        job = mock.Mock(spec=["done", "result", "cancel"], result=lambda: {"seconds": point})
        job.done = lambda: next(looks, None) is None and (self.under_way.discard(point) or True)
        job.cancel = lambda check: self.cancelled.append(point)
        self.under_way.add(point)
        self.most = max(self.most, len(self.under_way))
        return job


@unix_only
def test_who_is_ended_ends_as_with_ctrl_c():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), sweep.as_with_ctrl_c():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
    assert signal.getsignal(signal.SIGTERM) == before


def test_no_more_at_a_time_than_asked_for_and_none_left_behind(monkeypatch, tmp_path):
    jobs, plan = Jobs(), SimpleNamespace(jobs=2, slurm=None)
    monkeypatch.setattr(sweep, "make_executor", lambda *_: jobs)
    monkeypatch.setattr(sweep, "LOOK_EVERY", 0.0)
    found = dict(sweep.executed(plan, [*range(7)], tmp_path))
    assert found == {number: {"seconds": number} for number in range(7)}
    assert jobs.most == 2 and not jobs.cancelled
    stopped = sweep.executed(plan, [0, 2, 8], tmp_path)
    assert next(stopped) == (0, {"seconds": 0})
    stopped.close()  # as Ctrl-C does
    assert jobs.cancelled == [2]


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
    call = dict(notebooks=["01"], grid="seed=0,1,2", typed=[], jobs=2, best_by="valid_loss")
    plan = sweep.make_plan(SimpleNamespace(**call, slurm="partition=gpu cpus_per_task=4"))
    assert all(point.environment == {} for point in plan.points)  # the GPUs are Slurm's to give
    with mock.patch.object(sweep.submitit.SlurmJob, "done", lambda job: True):
        with mock.patch.object(sweep, "outcome", lambda job: {"failed": job.job_id}):
            found = list(sweep.executed(plan, plan.points, tmp_path / "jobs"))
    assert [result["failed"] for _, result in found] == ["77_0", "77_1", "77_2"]
    seen = (tmp_path / "seen").read_text()
    for wanted in ("--array=0-2%2", "--partition=gpu", "--cpus-per-task=4", "--time=1440"):
        assert wanted in seen
    wrong = sweep.make_plan(SimpleNamespace(**call, slurm="colour=red"))
    with pytest.raises(notebooks.WrongCall, match="--slurm: .*colour"):
        sweep.make_executor(wrong, tmp_path / "jobs")
