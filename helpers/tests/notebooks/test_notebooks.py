"""What nbval does not see: cleared cells, hollow figures, paths of one machine, dead links."""

import copy
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from helpers.tools.links import file_of, targets_of
from helpers.tools.notebooks import KERNELSPEC, ROOT, every, is_compared, name_of

NOTEBOOKS = every()
UNCOMPARED = "Cells that nbval does not compare"  # the heading of the README's list
LONGEST_CELL = 36  # lines, six of them for who opens the notebook without helpers
FORBIDDEN_TAGS = {"raises-exception", "nbval-raises-exception", "nbval-skip"}
FORBIDDEN_COMMENT = re.compile(r"^\s*#\s*(NBVAL_SKIP|NBVAL_RAISES_EXCEPTION)", re.MULTILINE)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)  # closed until somebody asks for it
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|tmp|work|Users)/|[A-Z]:\\")
LIBRARIES = "python|torch|numpy|matplotlib|jupyterlab|ipykernel|papermill|nbval|sacrebleu"
LIBRARIES += "|tensorboard|cuda|mkl|onednn"
VERSION = rf"(?i)\b(py)?({LIBRARIES})\b\W{{0,3}}(v|version)?\W{{0,3}}\d+\.\d+|\b\d+\.\d+\.\d+\b"
OF_ONE_MACHINE = {
    "a path of one machine": MACHINE_PATH,
    "an object's address": re.compile(r"\b0x[0-9a-fA-F]{6,}"),
    "a date or a time of day": re.compile(
        r"\b(19|20)\d\d-[01]\d-[0-3]\d\b|\b[0-2]?\d:[0-5]\d:[0-5]\d\b"),
    "the version of a library": re.compile(VERSION),
    "a missing glyph": re.compile("Glyph"),
}  # fmt: skip
SIGNATURE = re.compile(r"\S+\|version:\d+\.\d+\.\d+")  # of sacrebleu: the pin fixes it


def uncompared_rows(readme):
    """Give the (notebook, cell id) of every row in the README's table of uncompared cells."""
    _, _, section = readme.partition(UNCOMPARED)
    lines = [line for line in re.split(r"^#", section, flags=re.MULTILINE)[0].splitlines()
             if "|" in line][2:]  # fmt: skip
    rows = ([part.strip().strip("`") for part in line.strip().strip("|").split("|")]
            for line in lines)  # fmt: skip
    return [(row[0], row[1]) for row in rows if len(row) >= 3]


def names_notebook(text, name, folder):
    """Tell whether a row's first column (07, 07a, a link, solutions/07) means this notebook."""
    is_named = name.split("_")[0] in re.findall(r"\b\d\d[a-z]?(?=\b|_)", text)
    return is_named and (folder.name == "solutions") == ("solutions" in text)


def ignored_cells(notebook):
    return [cell.id for cell in notebook.cells if not is_compared(cell)]


def broken_links(text, folder):
    files = map(file_of, targets_of(text))
    return [file for file in files if file and not (folder / file).exists()]


def problems_of_outputs(cell):
    for output in cell.outputs:
        if output.output_type == "error":
            yield "an error is recorded"
        if output.get("name") == "stderr":
            yield "a warning is recorded (stderr)"
        data = output.get("data", {})
        # But for pictures, whose base64 text may hold anything.
        texts = [str(value) for kind, value in data.items() if kind[:6] != "image/"]
        text = "\n".join([*texts, output.get("text", "")])
        for what, pattern in OF_ONE_MACHINE.items():
            if pattern.search(SIGNATURE.sub("", text)):
                yield f"the output holds {what}"
        if "image/png" in data and data.get("text/plain", "<Figure")[:7] == "<Figure":
            yield "the figure has no text that nbval could compare"


def problems_of_cell(cell):
    text = FOLDED.sub("", cell.source) if cell.cell_type == "markdown" else cell.source
    if len(text.splitlines()) > LONGEST_CELL:
        yield f"longer than {LONGEST_CELL} lines"
    if MACHINE_PATH.search(cell.source):
        yield "the source holds a path of one machine"
    if cell.cell_type == "code":
        tags = set(cell.metadata.get("tags", []))
        if FORBIDDEN_TAGS & tags or FORBIDDEN_COMMENT.search(cell.source):
            yield "the cell is skipped by nbval, or raises: catch the error and print it"
        yield from problems_of_outputs(cell)


def problems_of(notebook, name="00_name.ipynb", folder=ROOT / "notebooks", readme=""):
    """List what is wrong with a notebook, each problem with the cell's id."""
    found = []
    for cell in notebook.cells:
        found += [f"{cell.id}: {problem}" for problem in problems_of_cell(cell)]
        links = broken_links(cell.source, folder) if cell.cell_type == "markdown" else []
        found += [f"{cell.id}: the link {target} leads nowhere" for target in links]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(code) + 1)):
        found.append(f"the code cells were not run once each, from top to bottom: {counts}")
    if sum("parameters" in cell.metadata.get("tags", []) for cell in code) != 1:
        found.append("not exactly one cell is tagged parameters")
    if notebook.metadata.get("kernelspec") != KERNELSPEC:
        found.append(f"the kernelspec is not {KERNELSPEC}")
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        found.append("the format is not 4.5")
    rows = uncompared_rows(readme)
    listed = [cell_id for text, cell_id in rows if names_notebook(text, name, folder)]
    if sorted(listed) != sorted(ignored_cells(notebook)):
        found.append(f"not compared: {ignored_cells(notebook)}, but the README lists {listed}")
    return found


README_TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
MAINTAINERS = (ROOT / "helpers" / "tools" / "README.md").read_text(encoding="utf-8")


def test_every_notebook_is_in_its_place():
    found = {path for path in ROOT.glob("notebooks/**/*.ipynb") if path.parent.name[0] != "."}
    assert found == set(NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebook_is_clean(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    found = problems_of(notebook, path.name, path.parent, README_TEXT + MAINTAINERS)
    assert not found, "\n".join(found)


def test_readme_is_clean_and_few_cells_are_not_compared():
    assert broken_links(README_TEXT, ROOT) == []
    assert len(README_TEXT.split()) <= 900
    rows = uncompared_rows(MAINTAINERS)
    for text, cell_id in rows:
        known = any(names_notebook(text, path.name, path.parent) for path in NOTEBOOKS)
        assert known, f"no notebook for the row {text} | {cell_id}"
    cells = sum((nbformat.read(path, as_version=4).cells for path in NOTEBOOKS), [])
    code = sum(cell.cell_type == "code" for cell in cells)
    assert len(rows) <= 0.05 * code, f"more than 5 % of {code} code cells"


# From here on: every check can fail. A clean notebook, then one fault at a time.

README = f"""# Title
## {UNCOMPARED}
| notebook | cell | what it shows |
|---|---|---|
| [00](notebooks/00_name.ipynb) | `clock` | seconds |

## Next
| 00 | not this | table |
"""


def clean_notebook():
    figure = {"image/png": "/tmp/0x1234567", "text/plain": "a curve through 1.00 2.00"}
    links = "# Title, [a link](../Makefile), [another](https://example.org/home/x)"
    cells = [
        new_markdown_cell(links, id="title"),
        new_code_cell("steps = 3", id="parameters", metadata={"tags": ["parameters"]}),
        new_code_cell("print(1)", id="print", outputs=[new_output("stream", text="1\n")]),
        new_code_cell("show()", id="figure", outputs=[new_output("display_data", data=figure)]),
        new_code_cell("clock()", id="clock", metadata={"tags": ["nbval-ignore-output"]}),
    ]
    for count, cell in enumerate(cells[1:], 1):
        cell.execution_count = count
    return new_notebook(cells=cells, metadata={"kernelspec": dict(KERNELSPEC)})


def problems_after(change):
    """List the problems of the clean notebook after a change of its cells, by name."""
    notebook = copy.deepcopy(clean_notebook())
    change(notebook, {cell.id: cell for cell in notebook.cells})
    return problems_of(notebook, readme=README)


def added(kind, **content):
    return lambda _, cells: cells["print"].outputs.append(new_output(kind, **content))


def output(text):
    return added("stream", text=text)


def set_in(name, key, value):
    return lambda _, cells: cells[name].__setitem__(key, value)


def test_a_clean_notebook_has_no_problem():
    assert problems_after(lambda *_: None) == []
    assert problems_after(output("nrefs:1|case:mixed|tok:zh|smooth:exp|version:2.6.0")) == []
    assert uncompared_rows(README) == [("[00](notebooks/00_name.ipynb)", "clock")]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (set_in("print", "execution_count", None), "not run once each"),
        (set_in("print", "execution_count", 7), "not run once each"),
        (lambda notebook, _: notebook.cells.insert(2, notebook.cells.pop(3)), "not run once each"),
        (added("stream", name="stderr", text="w"), "stderr"),
        (added("error", ename="E", evalue=""), "an error"),
        (set_in("print", "metadata", {"tags": ["raises-exception"]}), "raises"),
        (set_in("print", "metadata", {"tags": ["nbval-skip"]}), "skipped"),
        (set_in("print", "source", "# NBVAL_SKIP\nprint(1)"), "skipped"),
        (lambda notebook, _: notebook.metadata.kernelspec.update(display_name="P"), "kernelspec"),
        (lambda notebook, _: notebook.metadata.pop("kernelspec"), "kernelspec"),
        (lambda notebook, _: notebook.__setitem__("nbformat_minor", 4), "format"),
        (set_in("parameters", "metadata", {}), "parameters"),
        (set_in("print", "metadata", {"tags": ["parameters"]}), "parameters"),
        (set_in("print", "metadata", {"tags": ["nbval-ignore-output"]}), "README lists"),
        (set_in("print", "source", "# NBVAL_IGNORE_OUTPUT\nprint(1)"), "README lists"),
        (set_in("clock", "metadata", {}), "README lists"),
        (output("saved in /home/me/build"), "path"),
        (output("C:\\Users"), "path"),
        (set_in("print", "source", "open('/tmp/x')"), "path"),
        (output("<Thing at 0x7f3a5c0d1e80>"), "address"),
        (output("saved 2026-11-21"), "date"),
        (output("at 09:15:02"), "date"),
        (output("torch 2.13"), "version"),
        (output("Python version: 3.11"), "version"),
        (output("2.13.0+cpu"), "version"),
        (output("Glyph 38145 missing"), "glyph"),
        (lambda _, cells: cells["figure"].outputs[0].data.update({"text/plain": "<Figure 6x4>"}),
         "no text that nbval"),
        (lambda _, cells: cells["figure"].outputs[0].data.pop("text/plain"), "no text"),
        (set_in("title", "source", "[next](99_nothing.ipynb)"), "leads nowhere"),
        (set_in("title", "source", '<img src="nothing.png">'), "leads nowhere"),
        (set_in("title", "source", "line\n" * 37), "longer"),
    ],
)  # fmt: skip
def test_every_fault_is_found(change, problem):
    assert any(problem in found for found in problems_after(change))
