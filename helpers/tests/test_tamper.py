"""The fast proof that the comparison of outputs bites, on one notebook; of all: make tamper."""

import nbformat

from helpers.workshop.comparison import nbval
from helpers.workshop.notebooks import is_compared, ladder
from helpers.workshop.pictures import difference, pictures_of
from helpers.workshop.tamper import falsified, falsified_picture, survivors, tamper

FIRST = ladder()[0]


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
    compared = [cell.id for cell in cells if cell.outputs and is_compared(cell)]
    assert list(changed.values()) == compared
    picture = next(picture for cell in cells for picture in pictures_of(cell.outputs))
    assert difference(picture, falsified_picture(picture)).startswith("1 of ")
