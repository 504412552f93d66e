"""The fast proof that the comparison of outputs bites, on one notebook; of all: make tamper."""

from unittest import mock

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from helpers.workshop import tamper as tampering
from helpers.workshop.comparison import nbval
from helpers.workshop.notebooks import KERNELSPEC, is_compared, ladder
from helpers.workshop.pictures import difference, differences, pictures_of
from helpers.workshop.tamper import (
    falsified,
    falsified_picture,
    survivors,
    tamper,
    tolerant_survivors,
)  # fmt: skip
from helpers.workshop.tolerance import way_here

FIRST = ladder()[0]


@pytest.mark.skipif(way_here() != "exact", reason="one digit is no difference on this processor")
def test_every_falsified_output_of_a_notebook_goes_red(tmp_path):
    total, green = survivors(FIRST, tmp_path / "copy")
    assert total > 20 and not green


def test_an_untouched_notebook_stays_green_and_false_records_go_red_tolerantly(tmp_path):
    total, wrong = tolerant_survivors(FIRST, tmp_path)
    assert total > 60 and not wrong


CELLS = [  # what is recorded, what the cell shows, and whether it is red exactly and tolerantly
    ("a 0.13\n", "print('a 0.14')", "exact"),
    ("a 0.12\n", "print('a 0.14')", "exact tolerant"),
    ("a 0.14\n", "print('b 0.14')", "exact tolerant"),
    ("7 of 9\n", "print('8 of 9')", "exact tolerant"),
    ("a\nb\n", "print('a')", "exact tolerant"),
    ("a\n", "print('a')", ""),
    ("0.5\n", "print(0.7)  # trained", "exact"),
    ("0.7\n", "print(0.7)  # trained\nassert False", "exact tolerant"),
]


@pytest.mark.parametrize("way", ["exact", "tolerant"])
def test_nbval_compares_as_it_is_told(tmp_path, way):
    cells = [
        new_code_cell(
            source,
            outputs=[new_output("stream", text=text)],
            execution_count=1,
            metadata={"tags": ["trained"] if "# trained" in source else []},
        )
        for text, source, _ in CELLS
    ]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
    nbformat.write(notebook, tmp_path / "one.ipynb")
    total, red = nbval(tmp_path / "one.ipynb", tmp_path, "--nbval-current-env", "--outputs", way)
    assert total == len(CELLS)
    assert [*red] == [place for place, (*_, ways) in enumerate(CELLS) if way in ways]


def test_a_blunt_comparison_is_noticed(monkeypatch):
    """Of pictures that changed only the exact comparison knows; that one is gone, both."""
    cell = mock.MagicMock(user_properties=[], cell=new_code_cell("x"))
    outputs = [new_output("display_data", {"text/plain": "a 0.5", "image/png": "AAAA"})]
    monkeypatch.setattr(tampering.IPyNbCell, "compare_outputs", lambda *_: True)
    tampering.pytest_configure()
    assert not tampering.IPyNbCell.compare_outputs(cell, outputs, outputs)
    assert cell.user_properties == [("falsified", 4)]
    assert [line.split(", ")[1] for line in cell.comparison_traceback] == (
        ["number_off", "word_off", "line_off", "picture gone"]
    )
    cell.cell.metadata["tags"] = ["trained"]
    assert tampering.IPyNbCell.compare_outputs(cell, outputs, outputs)
    assert len(differences(outputs, [], "tolerant")) == 1
    other = [new_output("display_data", {"image/png": "BBBB"})]
    assert differences(outputs, other, "tolerant") == []


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


@pytest.mark.parametrize("way", ["exact", "tolerant"])
@pytest.mark.parametrize("stays", [[], ["loop-time, output 1"]])
def test_make_tamper_names_what_stayed_green_and_fails(monkeypatch, tmp_path, capsys, stays, way):
    """On another processor, where the exact comparison does not hold, only the tolerant one."""
    folders = []

    def survivors_there(notebook, folder):
        folders.append(folder)
        return 40, stays if notebook == FIRST else []

    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path))
    for name in ("survivors", "tolerant_survivors"):
        monkeypatch.setattr(tampering, name, survivors_there)
    monkeypatch.setattr(tampering, "way_here", lambda: way)
    assert tampering.main(["01"]) == bool(stays)
    assert len({*folders}) == 2 + 2 * (way == "exact")  # notebook and solutions, at the same time
    assert {folder.parents[1 if folder.name == "tolerant" else 0] for folder in folders} == (
        {tmp_path / "tamper"}
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("    stayed green: loop-time, output 1") == len(stays) * len(folders) // 2
    exactly = f"40 outputs falsified, {40 - len(stays)} red; " * (way == "exact")
    cells = f"{len(stays)} cells wrong"
    assert f"{FIRST.stem}: {exactly}40 false records compared tolerantly, {cells}" in lines
    assert lines[-1].startswith("tamper: FAILED" if stays else "tamper: passed")
