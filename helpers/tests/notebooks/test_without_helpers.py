"""A notebook alone, as Colab opens it: the first cell that needs helpers says the way out."""

import importlib.util
import re

import nbformat
import pytest

from helpers.tools.notebooks import ROOT, every, notebook_name


def first_cells(path):
    """Return the sources of the code cells up to the first that imports helpers."""
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    imports = [bool(re.search(r"^\s*(from|import) helpers", each, re.M)) for each in sources]
    return sources[: imports.index(True) + 1]


@pytest.mark.parametrize("path", every(), ids=notebook_name)
def test_a_notebook_without_helpers_says_how_to_get_it(path, monkeypatch):
    *before, first = first_cells(path)
    assert not any("helpers" in each for each in before)
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "helpers" else find(name)
    )
    with pytest.raises(ModuleNotFoundError) as refused:
        exec(first, {})
    told = str(refused.value)
    command = re.search("`python (.*?)`", told)[1]
    assert "clone the repository" in told and "\n" not in told
    assert (ROOT / command).is_file()
