"""The fast proof that the net holds: one notebook tampered with. All of it: make tamper."""

from functools import partial

import nbformat

from helpers.series import KERNELSPEC
from helpers.tests.matrix import copy_sentences, execute, row
from helpers.tests.pictures import difference, pictures_of
from helpers.tests.tamper import (
    IGNORED,
    ROOT,
    falsified,
    falsified_picture,
    nbval,
    survivors,
    tamper,
)
from helpers.text import load_corpus

FIRST = ROOT / "notebooks" / "01_averaging_the_past.ipynb"


def test_every_falsified_output_of_a_notebook_goes_red(tmp_path):
    total, green = survivors(FIRST, tmp_path / "copy")
    assert total > 20 and not green


def test_an_untouched_notebook_stays_green(tmp_path):
    total, red = nbval(FIRST, tmp_path)
    assert total > 30 and not red


def test_falsifying_changes_one_place():
    assert falsified("loss 0.19 nats") == "loss 0.19 natx"
    assert falsified("9 of 9)") == "9 of 0)"
    assert falsified("()") == "()x"
    notebook = nbformat.read(FIRST, as_version=nbformat.NO_CONVERT)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    changed = tamper(notebook, 0)
    compared = [
        cell.id for cell in cells if cell.outputs and IGNORED not in cell.metadata.get("tags", ())
    ]
    assert list(changed.values()) == compared
    picture = next(picture for cell in cells for picture in pictures_of(cell.outputs))
    assert difference(picture, falsified_picture(picture)).startswith("1 of ")


def test_a_row_of_the_matrix_fails_with_an_assertion_and_with_nothing_else(tmp_path, capsys):
    for number in (1, 2):
        cells = [nbformat.v4.new_code_cell(f"assert {number} == 1, 'not one'")]
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
        nbformat.write(notebook, tmp_path / f"{number}.ipynb")
        job = partial(execute, tmp_path / f"{number}.ipynb", tmp_path / "out.ipynb", tmp_path)
        assert row(str(number), job=job) == (number == 2)
    good, bad = capsys.readouterr().out.splitlines()
    assert (
        good.startswith("| 1 | all assertions hold |")
        and "**FAILED**: AssertionError: not one" in bad
    )


def test_the_small_corpus_has_every_part_and_both_readings_of_saw(tmp_path):
    copy_sentences(tmp_path / "data")
    pairs = load_corpus(tmp_path / "data", seed=0)
    assert len(pairs.train) > 200 and len(pairs.tests) == 3
    saws = [pair.target for pair in pairs.train if " saw " in pair.source]
    assert any("锯" in target for target in saws) and any("看" in target for target in saws)
