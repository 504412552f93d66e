"""The comparison of outputs bites: a false text, number, table or picture turns its cell red."""

import base64
import io

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from helpers.tools.comparison import nbval
from helpers.tools.execute import execute
from helpers.tools.notebooks import KERNELSPEC

CELLS = {
    "text": "print('我 saw 0.14')",
    "count": "print('8 of 9')",
    "lines": "print('a')\nprint('b')",
    "table": "from helpers.display.plots import table_html\n"
    "display(table_html([['a', 0.25], ['b', 0.5]], ['saw', 'tool']))",
    "figure": "from helpers.display.plots import curves, show\n"
    "show(curves({'loss': ([1, 2], [0.5, 0.25])}))",
    "trained": "print(0.7)",
    "silent": "steps = 3",
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Execute a small notebook and give it with what its cells have shown."""
    folder = tmp_path_factory.mktemp("recorded")
    cells = [new_code_cell(source, id=name) for name, source in CELLS.items()]
    cells[5].metadata["tags"] = ["trained"]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
    nbformat.write(notebook, folder / "one.ipynb")
    return execute(folder / "one.ipynb", folder / "executed.ipynb", {})


def set_text(new, kind="text"):
    """Give a change of the first output of a cell that replaces one text by another."""
    before, after = new

    def change(cell):
        holder = cell.outputs[0].get("data", cell.outputs[0])
        assert before in holder[kind]
        holder[kind] = holder[kind].replace(before, after)

    return change


def dent_picture(cell):
    """Turn one block of 8 x 8 pixels of a picture grey."""
    data = cell.outputs[0].data
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGB")
    image.paste((90, 90, 90), (200, 160, 208, 168))
    file = io.BytesIO()
    image.save(file, format="png")
    data["image/png"] = base64.b64encode(file.getvalue()).decode()


FALSE = [  # the cell, what is falsified, and the ways of comparing that must notice
    ("text", set_text(("0.14", "0.13")), "exact"),
    ("text", set_text(("0.14", "0.12")), "exact tolerant"),
    ("text", set_text(("saw", "see")), "exact tolerant"),
    ("text", set_text(("我", "你")), "exact tolerant"),
    ("count", set_text(("8", "7")), "exact tolerant"),
    ("lines", set_text(("b\n", "")), "exact tolerant"),
    ("table", set_text(("tool", "toll"), "text/html"), "exact tolerant"),
    ("table", set_text(("0.25", "0.28"), "text/html"), "exact tolerant"),
    ("figure", set_text(("0.50 0.25", "0.50 0.28"), "text/plain"), "exact tolerant"),
    ("figure", dent_picture, "exact"),
    ("figure", lambda cell: cell.outputs[0].data.pop("image/png"), "exact tolerant"),
    ("trained", set_text(("0.7", "0.5")), "exact"),
    ("silent", lambda cell: cell.outputs.extend([]), ""),
]


@pytest.mark.parametrize("way", ["exact", "tolerant"])
def test_what_is_falsified_is_red_and_nothing_else(recorded, tmp_path, way):
    """Each false record is a notebook's copy of the cells that it needs, all in one notebook."""
    by_name = {cell.id: cell for cell in recorded.cells}
    cells = [nbformat.from_dict(by_name[name]) for name, *_ in FALSE]
    for number, (cell, (_, change, _)) in enumerate(zip(cells, FALSE, strict=True)):
        cell.id = f"cell-{number}"
        change(cell)
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
    nbformat.write(notebook, tmp_path / "one.ipynb")
    total, red = nbval(tmp_path / "one.ipynb", tmp_path, "--nbval-current-env", "--outputs", way)
    assert total == len(FALSE)
    assert [*red] == [place for place, (*_, ways) in enumerate(FALSE) if way in ways.split()]


def test_an_untouched_record_is_green_and_a_failed_assertion_red(recorded, tmp_path):
    recorded.cells.append(new_code_cell("assert False", metadata={"tags": ["trained"]}))
    nbformat.write(recorded, tmp_path / "one.ipynb")
    for way in ("exact", "tolerant"):
        options = "--nbval-current-env", "--outputs", way
        _, red = nbval(tmp_path / "one.ipynb", tmp_path, *options)
        assert [*red] == [len(CELLS)]
