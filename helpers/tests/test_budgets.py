"""The second edition's budgets: a notebook is an evening, a lab is one question."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers.workshop.budgets import budget
from helpers.workshop.notebooks import labs, ladder, name_of

REWRITTEN = ("01_", "02_", "03_", "04_", "05_", "06_", "07_", "08_")  # of the second edition
LONG = ("06_", "07_")
EVENINGS = [path for path in ladder() if path.name.startswith(REWRITTEN)]


def read(path):
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def broken(found, **bounds):
    """List what is out of its bounds (lowest, highest)."""
    return {
        name: found[name]
        for name, (low, high) in bounds.items()
        if not low <= found[name] <= high
    }


@pytest.mark.parametrize("path", EVENINGS, ids=name_of)
def test_a_notebook_is_an_evening(path):
    found, cells = budget(read(path)), 45 if path.name.startswith(LONG) else 35
    print(path.stem, {name: round(value, 2) for name, value in found.items()})
    bounds = dict(cells=(1, cells), median=(1, 6), longest=(1, 15), longest_class=(0, 20))
    bounds |= dict(prose=(0.4, 0.75), minutes=(20, 40), pictures=(4, 99), kinds=(3, 9))
    bounds |= dict(explorers=(1, 9), before_parameters=(1, 9), your_turn=(3, 9), expect=(0, 8))
    assert broken(found, **bounds) == {}


@pytest.mark.parametrize("path", labs(), ids=name_of)
def test_a_lab_is_one_question(path):
    found = budget(read(path))
    print(path.stem, {name: round(value, 2) for name, value in found.items()})
    bounds = dict(cells=(1, 40), median=(1, 8), longest=(1, 20), longest_class=(0, 20))
    bounds |= dict(prose=(0.35, 0.8), pictures=(2, 99), before_parameters=(1, 9), expect=(0, 8))
    assert broken(found, **bounds) == {}
    assert "?" in read(path).cells[0].source, "a lab asks one question, in its title"


def test_what_is_counted():
    html = new_output("display_data", data={"text/html": '<div class="xp xp-mix">'})
    cells = [
        new_markdown_cell("# Title\n![a map](pictures/map.svg) I expect <b>two</b> [words](x.md)"),
        new_code_cell("steps = 1\n" * 30, metadata={"tags": ["parameters"]}),
        new_code_cell("import os\n\nx = 1\n" * 9),
        new_code_cell("class A:\n" + "    x = 1\n" * 18),
        new_code_cell("x = 1\n\ny = 2", outputs=[html]),
        new_code_cell("x = 1\n" * 6, outputs=[new_output("display_data", data={"image/png": ""})]),
        new_code_cell("my_x = None\n" * 40, metadata={"tags": ["your-turn"]}),
    ]
    found = budget(new_notebook(cells=cells))
    counts = dict(cells=6, median=4, longest=6, longest_class=19, pictures=3, kinds=3, explorers=1)
    counts |= dict(before_parameters=1, your_turn=1, expect=1)
    assert {name: found[name] for name in counts} == counts
    assert found["words"] == 8 and found["minutes"] == 8 / 200 + 3
    assert broken(found, median=(1, 3), longest=(1, 6), expect=(2, 8)) == dict(median=4, expect=1)
