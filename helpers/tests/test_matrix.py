"""The parts of make matrix that need no other processor."""

import json
from functools import partial
from types import SimpleNamespace

import nbformat
import pytest

from helpers.corpus import load_corpus
from helpers.workshop import matrix
from helpers.workshop.matrix import copy_sentences, row, try_out
from helpers.workshop.notebooks import KERNELSPEC, ladder


def test_a_row_of_the_matrix_fails_with_an_assertion_and_with_nothing_else(tmp_path, capsys):
    for number in (1, 2):
        cells = [nbformat.v4.new_code_cell(f"assert {number} == 1, 'not one'")]
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
        nbformat.write(notebook, tmp_path / f"{number}.ipynb")
        job = partial(try_out, tmp_path / f"{number}.ipynb", tmp_path / "out.ipynb")
        assert row(str(number), job=job) == (number == 2)
    good, bad = capsys.readouterr().out.splitlines()
    assert (
        good.startswith("| 1 | all assertions hold |")
        and "**FAILED**: AssertionError: not one" in bad
    )


def test_the_small_corpus_has_every_part_and_both_readings_of_saw(tmp_path):
    copy_sentences(tmp_path / "data")
    pairs = load_corpus(tmp_path / "data", seed=0)
    assert len(pairs.train) > 200 and len(pairs.tests) == 6
    saws = [pair.target for pair in pairs.train if " saw " in pair.source]
    assert any("锯" in target for target in saws) and any("看" in target for target in saws)


@pytest.mark.parametrize("failed", [0, 2])
def test_make_matrix_does_every_job_once_and_counts_what_failed(
    monkeypatch, tmp_path, capsys, failed
):
    done = []

    def job(name, result=0):
        return lambda *values: done.append((name, *map(str, values))) or result

    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path))
    monkeypatch.setattr(matrix, "write_kernels", job("kernels"))
    monkeypatch.setattr(matrix, "write_arm_kernel", lambda folder: not failed)
    for name in ("fast", "here", "elsewhere"):
        monkeypatch.setattr(matrix, name, job(name, failed * (name == "here")))
    (tmp_path / "matrix" / "cut").mkdir(parents=True)
    (tmp_path / "matrix" / "cut" / "old").touch()
    assert matrix.main(["01"]) == (failed > 0)
    folder = str(tmp_path / "matrix")
    assert done[0] == ("kernels", folder) and not (tmp_path / "matrix" / "cut" / "old").exists()
    assert (tmp_path / "matrix" / "cut" / "data" / "train.tsv").exists()
    assert sorted(name for name, *_ in done) == (
        ["elsewhere", "elsewhere", "fast", "fast", "here", "kernels"]
    )
    assert {row[-1] for row in done if row[0] == "fast"} == {"1", "2"}
    header, rule, *_, last = capsys.readouterr().out.splitlines()
    assert rule == "|---" * (header.count("|") - 1) + "|"
    start = "matrix: 2 rows FAILED, see above. aarch64 was not run: sh helpers/workshop/"
    assert last.startswith(start) if failed else last == "matrix: passed."


@pytest.mark.parametrize("right", [True, False])
def test_an_arm_processor_is_played_where_there_is_a_python_for_it(tmp_path, monkeypatch, right):
    calls = []

    def run(command, **options):
        calls.append(command)
        return SimpleNamespace(returncode=int(not right))

    monkeypatch.setattr(matrix, "ARM", tmp_path / "aarch64")
    monkeypatch.setattr(matrix.subprocess, "run", run)
    monkeypatch.setattr(matrix.shutil, "which", lambda name: name)
    assert not matrix.write_arm_kernel(tmp_path) and not calls
    python = tmp_path / "aarch64" / "root" / "usr" / "bin" / "python3.11"
    python.parent.mkdir(parents=True)
    python.touch()
    if not right:
        with pytest.raises(OSError, match="computes an LSTM wrongly, or not at all; install"):
            matrix.write_arm_kernel(tmp_path)
        return
    assert matrix.write_arm_kernel(tmp_path) and calls[0][0] == "qemu-aarch64"
    kernel = json.loads((tmp_path / "kernels" / "aarch64" / "kernel.json").read_text())
    assert str(python) in kernel["argv"] and kernel["env"]["ATEN_CPU_CAPABILITY"] == "default"
    monkeypatch.setattr(matrix.shutil, "which", lambda name: None)
    with pytest.raises(OSError, match="there is no qemu-aarch64"):
        matrix.write_arm_kernel(tmp_path)


@pytest.mark.parametrize(
    ("number", "place", "way", "said"),
    [
        (0, "whole", "tolerant", "9 of 9 cells as recorded"),
        (6, "cut", "assertions", "9 of 9 cells run, all assertions hold"),
    ],
)
def test_on_arm_01_is_compared_and_a_small_07_asserts(
    tmp_path, monkeypatch, capsys, number, place, way, said
):
    notebook, called = ladder()[number], []
    monkeypatch.setattr(matrix, "nbval", lambda *values, **_: called.append(values) or (9, {}))
    assert matrix.on_arm(tmp_path / "cut.ipynb", notebook, tmp_path) == 0
    ((path, _, *options),) = called
    assert path == (notebook if place == "whole" else tmp_path / "cut.ipynb")
    assert f"--outputs={way}" in options and "--nbval-kernel-name=aarch64" in options
    assert f"| {place} | aarch64 | {way} | 1 | {said} |" in capsys.readouterr().out
    assert matrix.on_arm(tmp_path, ladder()[8], tmp_path) == 0 and len(called) == 1
