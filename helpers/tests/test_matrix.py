"""The parts of make matrix that need no other processor."""

from functools import partial

import nbformat
import pytest

from helpers.corpus import load_corpus
from helpers.workshop import matrix
from helpers.workshop.matrix import copy_sentences, row, try_out
from helpers.workshop.notebooks import KERNELSPEC


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
    assert last == ("matrix: 2 rows FAILED, see above." if failed else "matrix: passed.")
