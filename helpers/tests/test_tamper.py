"""The fast proof that the comparison of outputs bites, on one notebook; of all: make tamper."""

import nbformat
import pytest

from helpers.workshop import tamper as tampering
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


@pytest.mark.parametrize("stays", [[], ["loop-time, output 1"]])
def test_make_tamper_names_what_stayed_green_and_fails(monkeypatch, tmp_path, capsys, stays):
    folders = []

    def survivors_there(notebook, folder):
        folders.append(folder)
        return 40, stays if notebook == FIRST else []

    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path))
    monkeypatch.setattr(tampering, "survivors", survivors_there)
    assert tampering.main(["01"]) == len(stays)
    assert sorted(folder.parent for folder in folders) == [tmp_path / "tamper"] * 2
    assert len({*folders}) == 2  # the notebook and its solutions, at the same time
    lines = capsys.readouterr().out.splitlines()
    assert ("    stayed green: loop-time, output 1" in lines) == bool(stays)
    assert f"{FIRST.stem}: 40 outputs falsified, {40 - len(stays)} red" in lines
    assert lines[-1].startswith("tamper: FAILED" if stays else "tamper: passed")
