"""How the code is built: short files, short functions, few imports, everything in its place."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from helpers.workshop.notebooks import ROOT

HELPERS = ROOT / "helpers"
LIBRARY = sorted(HELPERS.glob("*.py"))
FILES = LIBRARY + sorted(HELPERS.glob("workshop/*.py")) + sorted(HELPERS.glob("tests/*.py"))
NO_CODE = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"}
# 1,200 for the ladder, 400 for what a reader looks at: explorers, gloss, page; 60 for the places
# where streams and subwords come in.
IN_TOTAL, IN_A_FILE, IN_A_FUNCTION = 1670, 150, 40


def code_lines(text):
    """Return the numbers of the lines that hold code, and not only a comment or a docstring."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = [token for token in tokens if tokenize.tok_name[token.type] not in NO_CODE]
    lines = {line for token in code for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def long_functions(text):
    """List the functions with too many lines of code, as their name and how many."""
    lines = code_lines(text)
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    counts = ((f.name, len(lines & set(range(f.lineno, f.end_lineno + 1)))) for f in functions)
    return [(name, count) for name, count in counts if count > IN_A_FUNCTION]


def test_what_counts_as_a_line_of_code():
    text = '"""A module."""\n\nx = 1  # one\n# a comment\n\n\ndef f():\n    """Do."""\n'
    assert code_lines(text + '    y = """\n\n    """\n') == {3, 7, 9, 10, 11}
    body = "    x = 1\n    # a comment\n\n" * 39
    assert long_functions("def f():\n" + body) == []
    assert long_functions("def f():\n    y = 1\n" + body) == [("f", 41)]


def test_the_library_is_short():
    counts = {path.name: len(code_lines(path.read_text(encoding="utf-8"))) for path in LIBRARY}
    assert max(counts.values()) <= IN_A_FILE and sum(counts.values()) <= IN_TOTAL, counts


def test_the_grammar_is_short():
    """Its tables are files of text; the words of the lexicon are not counted either."""
    files = set((ROOT / "data" / "grammar").glob("*.py")) - {ROOT / "data/grammar/lexicon.py"}
    counts = {path.name: len(code_lines(path.read_text(encoding="utf-8"))) for path in files}
    assert sum(counts.values()) <= 2310, counts


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HELPERS)))
def test_functions_are_short(path):
    assert long_functions(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("helpers.attention", "matplotlib"),
        ("helpers.attention", "tensorboard"),
        ("helpers.decoding", "helpers.training"),
        ("helpers.explorers", "helpers.training"),
        ("helpers.workshop.notebooks", "papermill"),
    ],
)
def test_a_module_imports_no_more_than_it_needs(module, unwanted):
    code = f"import sys, {module}; sys.exit({unwanted!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_everything_is_in_its_place():
    names = {path.name for path in HELPERS.glob("tests/*") if path.name != "__pycache__"}
    strange = {name for name in names if not Path(name).match("test_*.py")} - {"conftest.py"}
    assert not strange
    assert len((ROOT / "Makefile").read_text(encoding="utf-8").splitlines()) <= 60
