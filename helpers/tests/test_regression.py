"""The fast proof that the net holds: one notebook tampered with, three faults made. All of it: make tamper, mutants."""

import nbformat
import pytest

from helpers.tests.mutants import MUTANTS, ROOT, caught_by
from helpers.tests.tamper import falsified, red_cells, survivors, tamper

FIRST = ROOT / "notebooks" / "01_averaging_the_past.ipynb"


def test_every_falsified_output_of_a_notebook_goes_red(tmp_path):
    total, green = survivors(FIRST, tmp_path / "copy")
    assert total > 20 and not green


def test_an_untouched_notebook_stays_green(tmp_path):
    assert red_cells(FIRST, tmp_path) == set()


def test_falsifying_changes_one_place():
    assert falsified("loss 0.19 nats") == "loss 0.19 natx"
    assert falsified("9 of 9)") == "9 of 0)"
    assert falsified("()") == "()x"
    notebook = nbformat.read(FIRST, as_version=nbformat.NO_CONVERT)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    changed = tamper(notebook, 0)
    compared = [
        cell.id for cell in cells if cell.outputs and "nbval-ignore-output" not in cell.metadata.get("tags", ())
    ]
    assert list(changed.values()) == compared


def test_there_are_enough_mutants_and_each_can_be_made():
    assert len(MUTANTS) >= 60 and len({mutant.fault for mutant in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.right in text and mutant.right != mutant.wrong, mutant.fault


@pytest.mark.parametrize("fault", ["scale after the softmax", "triu for tril", "labels not shifted"])
def test_a_mutant_is_caught(fault, tmp_path):
    (mutant,) = (mutant for mutant in MUTANTS if mutant.fault == fault)
    assert caught_by(mutant, tmp_path / "copy", notebooks=False).startswith("helpers/tests/test_")
