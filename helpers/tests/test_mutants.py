"""The engine of `make mutants`, on small sources: patterns, draws, and the judging of a copy.

What reads the real tables and judges real code is in test_faults.py, which must notice no mutant.
"""

import ast
import sys
import time
from pathlib import Path

import pytest

from helpers.workshop import mutants
from helpers.workshop.mutants import Mutant
from helpers.workshop.patterns import Fault, rewrite
from helpers.workshop.random_faults import code_files, draw, targets_of

SOURCE = '''"""A file."""
WORDS = """
horse 马 匹
fish 鱼 条
"""


class Layer:
    """A class."""

    LIMIT = 3

    def scores(self, query, key, value, keep=None):
        """Return $QUERY."""
        rows = query @ key / sqrt(key.size(-1))
        rows = clip(rows, low=0, high=1)
        if keep is not None:
            rows = rows.masked_fill(~keep, 0.0)
        else:
            log(f"{rows}-{value}")
        return [[0, *row, row.end] for row in rows], softmax(rows, dim=-1)


def scores(query):
    query.zero_grad()
'''


def changed(left, right, occurrence=0, where="Layer.scores"):
    """Give the lines that a fault takes out of SOURCE, and those that it puts in."""
    before = ast.unparse(ast.parse(SOURCE)).splitlines()
    after = rewrite(SOURCE, Fault("a fault", f"x.py:{where}", left, right, occurrence)).splitlines()
    gone = [line.strip() for line in before if line not in after]
    return gone, [line.strip() for line in after if line not in before]


@pytest.mark.parametrize(
    ("left", "right", "line"),
    [
        ("$SCORES / sqrt($KEY.size(-1))", "$SCORES", "rows = query @ key"),
        ("$A @ $B", "$B @ $A", "rows = key @ query / sqrt(key.size(-1))"),
        ("$ARG2.size(-1)", "$ARG3.size(-1)", "rows = query @ key / sqrt(value.size(-1))"),
        ("clip($X, high=1, **$MORE)", "clip($X, **$MORE)", "rows = clip(rows, low=0)"),
        ("clip(*$ALL, high=1, low=$LOW)", "clip(*$ALL)", "rows = clip(rows)"),
        ("clip(*$ALL, **$MORE)", "log(*$ALL, 2, **$MORE)", "rows = log(rows, 2, low=0, high=1)"),
        ("$X is not None", "$X is None", "if keep is None:"),
        ("$X.masked_fill(~$KEEP, *$REST)", "$X.fill($KEEP, *$REST)", "rows = rows.fill(keep, 0.0)"),
        ("$X.$METHOD(~$KEEP, 0.0)", "$X.$METHOD(1)", "rows = rows.masked_fill(1)"),
        ('f"{$A}-{$B}"', 'f"{$B}-{$A}"', "log(f'{value}-{rows}')"),
        ('f"{$A}-{$B}"', '"x"', "log('x')"),
        ("log(*$ANY)", "pass", "pass"),
        ("log(*$ANY)", "", None),
        (
            "[0, *$ROW, $ROW.end]",
            "[$ROW.end, *$ROW]",
            "return ([[row.end, *row] for row in rows], softmax(rows, dim=-1))",
        ),
        (
            "[$ITEM for $ROW in $ROWS]",
            "[$ITEM] * len($ROWS)",
            "return ([[0, *row, row.end]] * len(rows), softmax(rows, dim=-1))",
        ),
        (
            "if $TEST:\n    *$BODY\nelse:\n    *$OTHER",
            "if $TEST:\n    *$BODY\nfinish()",
            "finish()",
        ),
        (
            "$ROWS = clip(*$ARGS, **$MORE)\n*$REST\nreturn $BOTH",
            "return [$BOTH, $ROWS]",
            "return [([[0, *row, row.end] for row in rows], softmax(rows, dim=-1)), rows]",
        ),
    ],
)
def test_a_pattern_is_found_once_and_replaced(left, right, line):
    gone, new = changed(left, right)
    assert gone and new == ([line] if line else [])


def test_statements_go_and_an_empty_body_passes():
    gone, new = changed("$ROWS = clip($ROWS, **$MORE)", "")
    assert gone == ["rows = clip(rows, low=0, high=1)"] and not new
    gone, new = changed("if $TEST:\n    *$BODY\nelse:\n    *$OTHER", "*$BODY")
    assert "else:" in gone and new == ["rows = rows.masked_fill(~keep, 0.0)"]  # moved to the left
    gone, new = changed("$MODEL.zero_grad()", "", where="scores")
    assert gone == ["query.zero_grad()"] and new == ["pass"]


def test_strings_constants_and_occurrences():
    gone, new = changed('"$BEFORE马 匹$BEHIND"', '"$BEFORE马 只$BEHIND"', where="WORDS")
    assert "马 只" in new[0] and "鱼 条" in new[0] and "马 匹" in gone[0]
    assert changed("3", "4", where="Layer.LIMIT")[1] == ["LIMIT = 4"]
    assert changed("$X = $Y", "$X = 0", occurrence=2)[0] == ["rows = clip(rows, low=0, high=1)"]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault("f", "x.py:Layer.scores", "tanh($X)", "$X"), "holds 'tanh($X)' 0 times, not 1"),
        (Fault("f", "x.py:Layer.scores", "rows", "0"), "8 times, not 1; adapt the fault"),
        (Fault("f", "x.py:Layer.scores", "0.0", "1", 2), "1 times, not at least 2"),
        (Fault("f", "x.py:Layer.score", "$X", "$X"), "f: there is no 'score' at x.py:Layer.score"),
        (Fault("f", "x.py:Layer.scores", "sqrt($X)", "$Y"), "$Y is in '$Y' and not in 'sqrt($X)'"),
        (Fault("f", "x.py:Layer.scores", "sqrt($X)", "sqrt($X)"), "changes nothing"),
        (Fault("f", "x.py:Layer.scores", "sqrt($ARG1.size(-1))", "0"), "0 times"),
        (Fault("f", "x.py:Layer.scores", "clip($X, low=0)", "0"), "0 times"),
        (Fault("f", "x.py:Layer.scores", "clip($X, low=0, up=$Y, **$Z)", "0"), "0 times"),
    ],
)
def test_a_fault_that_does_not_fit_is_a_sentence(fault, message):
    with pytest.raises(ValueError) as error:
        rewrite(SOURCE, fault)
    assert message in str(error.value) and str(error.value).startswith("f: ")


@pytest.fixture
def drawn(tmp_path):
    """Give a function that lists the (kind, change) of all that can be drawn in a body."""
    (tmp_path / "data").mkdir()

    def of(body, head="def work(a, b=None):\n"):
        lines = [f"    {line}" for line in body.splitlines()]
        (tmp_path / "data" / "x.py").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        return [target.site[1:] for target in targets_of(tmp_path, tmp_path / "data" / "x.py")]

    return of


@pytest.mark.parametrize(
    ("body", "sites"),
    [
        (
            "return a < b",
            [
                ("comparison turned", "return a [< → >] b"),
                ("comparison turned", "return a <[ → =] b"),
            ],
        ),
        ("a += b", [("operator exchanged", "a [+ → -]= b")]),
        ("return a and b", [("operator exchanged", "return a [and → or] b")]),
        ("return 7", [("constant moved", "return [7 → 8]")]),
        ("return 0.25", [("constant moved", "return 0.[2 → ]5")]),
        ("return True", [("constant moved", "return [Tru → Fals]e")]),
        ("return 'key'", [("constant moved", "return 'key[ → x]'")]),
        ("return 'no such key'", []),
        ("raise ValueError(f'{a}: {3 + a}')", []),
        ("'''Return 3.'''", []),
        ("a: Literal[3] = b", []),
        ("assert a, 3", []),
        (
            "if a:\n    b = a\nelse:\n    b.run()",
            [
                ("condition negated", "if [ → not ]a:"),
                ("branch dropped", "if a: [body →]"),
                ("branch dropped", "if a: [orelse →]"),
            ],
        ),
        ("while not a:\n    b.run()", [("condition negated", "while [not  → ]a:")]),
        (
            "return a if b else a.c",
            [
                ("condition negated", "return a if [ → not ]b else a.c"),
                ("branch dropped", "return a if [b → False] else a.c"),
                ("branch dropped", "return a if [b → True] else a.c"),
            ],
        ),
        (
            "return [c for c in a if c]",
            [("condition negated", "return [c for c in a if [ → not ]c]")],
        ),
        (
            "a(b, a, key=b)",
            [
                ("argument left out", "a(b, a[, key=b → ])"),
                ("argument left out", "a(b, [a,  → ]key=b)"),
            ],
        ),
        ("a(b, *a)", []),
        (
            "if b:\n    a(1)\nif a:\n    a(1)",
            [
                ("condition negated", "if [ → not ]b:"),
                ("branch dropped", "if b: [body →]"),
                ("constant moved", "a([1 → 2])"),
                ("condition negated", "if [ → not ]a:"),
                ("branch dropped", "if a: [body →]"),
                ("constant moved", "a([1 → 2]) (2)"),
            ],
        ),
    ],
)
def test_what_can_be_drawn(drawn, body, sites):
    assert drawn(body) == sites


def test_tables_and_the_main_guard_are_not_drawn_but_defaults_are(drawn):
    assert drawn("pass", "TABLE = ['a', 'b']\n__all__ = ['c']\ndef work(a):\n") == []
    assert drawn("work(1, 2)", "if __name__ == '__main__':\n") == []
    (site,) = drawn("pass", "@cache(3)\ndef work(a, b=3):\n")
    assert site == ("constant moved", "def work(a, b=[3 → 4]):")
    assert drawn("pass", "SIZE = 3\ndef work(a):\n") == [("constant moved", "SIZE = [3 → 4]")]


@pytest.fixture
def project(tmp_path):
    """Write a project of two small files and a test that notices something of one of them."""
    root = tmp_path / "project"
    for folder in ("helpers/tests", "helpers/workshop", "data", "notebooks"):
        (root / folder).mkdir(parents=True)
    half = "def half(number):\n    return number / 2  # exact\n"
    half += "\n\ndef unused():\n    return 5 + 6\n"
    (root / "helpers" / "half.py").write_text(half)
    (root / "data" / "steps.py").write_text("def steps(count):\n    return count < 10\n")
    test = "from helpers.half import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
    (root / "helpers" / "tests" / "test_half.py").write_text(test)
    for file in ("README.md", "environment.yml", "Makefile"):
        (root / file).touch()
    return root


def test_draws_are_the_same_for_a_seed_and_stay_where_other_functions_change(project):
    names = [path.name for path in code_files(project)]
    assert names == ["half.py", "steps.py"]
    every = draw(project, 3, 100)
    assert len(every) == 8 and draw(project, 3, 100) == every and draw(project, 3, 4) == every[:4]
    assert [site for site, _ in draw(project, 4, 100)] != [site for site, _ in every]
    file = project / "helpers" / "half.py"
    file.write_text('"""Moved down."""\n' + file.read_text().replace("5 + 6", "5"))
    for function, count in {"half.py:half": 2, "steps.py:steps": 3}.items():
        kept = [site for site, _ in every if function in site.where]
        again = [site for site, _ in draw(project, 3, 100) if function in site.where]
        assert again == kept and len(kept) == count
    for site, source in draw(project, 3, 100):
        ast.parse(source)
        assert source != ast.unparse(ast.parse((project / site.where.split(":")[0]).read_text()))


def test_half_of_the_faults_lie_in_data_and_places_can_be_named(project):
    (project / "helpers" / "workshop" / "tool.py").write_text("SIZE = 3\n")
    (project / "helpers" / "workshop" / "faults.py").write_text("FAULTS = [5]\n")
    (project / "data" / "more.py").write_text("MANY = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
    files = [site.where.split(":")[0] for site, _ in draw(project, 1, 10)]
    assert [file.split("/")[0] for file in files] == ["helpers", "data"] * 5
    every = [site.where.split(":")[0] for site, _ in draw(project, 1, 100)]
    assert len(every) == 18 and "helpers/workshop/faults.py" not in every
    alone = [site.where.split(":")[0] for site, _ in draw(project, 1, 100, ["helpers/*.py"])]
    assert set(alone) == {"helpers/half.py"} and len(alone) == every.count("helpers/half.py")
    some = draw(project, 1, 100, ["data/more.py", "workshop/*.py"])
    assert {site.where for site, _ in some} == {
        "data/more.py:<module>",
        "helpers/workshop/tool.py:<module>",
    }


def test_equivalents_are_not_judged(project, monkeypatch):
    monkeypatch.setattr(mutants, "ROOT", project)
    site, _ = draw(project, 1, 8)[0]
    assert len(mutants.random_mutants(1, 8)[0]) == 8
    monkeypatch.setattr(mutants, "EQUIVALENT", {tuple(site): "for the test"})
    counted, equivalent = mutants.random_mutants(1, 8)
    assert len(counted) == 7 and equivalent == 1
    assert all(site.change not in mutant.name for mutant in counted)


def test_a_mutant_is_noticed_or_survives_and_the_exit_status_tells(project, monkeypatch, capsys):
    monkeypatch.setattr(mutants, "ROOT", project)
    monkeypatch.setattr(mutants, "build_folder", lambda: project / "build")
    half = Fault("no half", "helpers/half.py:half", "$X / 2", "$X")
    unused = Fault("nobody looks", "helpers/half.py:unused", "5 + 6", "5")
    monkeypatch.setattr(mutants, "FAULTS", [half, unused])
    assert mutants.main(["--only", "chosen"]) == 1
    head, line, noticed, survivor, blank, last, who = capsys.readouterr().out.splitlines()
    red = "helpers/tests/test_half.py::test_half"
    assert noticed.startswith(f"| no half | helpers/half.py:half | {red} | ")
    assert survivor.startswith("| nobody looks | helpers/half.py:unused | **nothing** | ")
    assert last.startswith("make mutants: chosen: 1 of 2 noticed, 50.0%, at least 100% are wanted")
    assert who.strip() == "('helpers/half.py:unused', 'nobody looks')"
    assert mutants.main(["/half.py:half", "--only", "random", "--jobs", "1"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("make mutants: seed 1: 2 of 2 noticed, 100.0%, at least 92% are wanted")


def test_nothing_is_proved_where_the_tests_fail_without_a_fault(project, monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "ROOT", project)
    red = project / "helpers" / "tests" / "test_red.py"
    red.write_text("def test_red():\n    assert False\n")
    with pytest.raises(RuntimeError, match="without any fault .*test_red.py::test_red fails"):
        mutants.judge_all([], tmp_path / "judged", print)


def test_a_hanging_mutant_is_ended_with_all_that_it_started(tmp_path):
    (tmp_path / "test_hang.py").write_text(
        "import subprocess, sys\n\n\ndef test_hang():\n"
        f"    subprocess.run([{sys.executable!r}, '-c', {late_write(tmp_path)!r}])\n"
    )
    start = time.perf_counter()
    assert mutants.run(["test_hang.py"], tmp_path, limit=8) == "the time-out of 8 s"
    assert time.perf_counter() - start < 20 and (tmp_path / "begun").exists()
    time.sleep(4)
    assert not (tmp_path / "late").exists()


def late_write(folder: Path) -> str:
    """Write a program that says that it began and, seconds later, that it is still there."""
    touch = "from pathlib import Path; Path({!r}).touch()"
    begun, late = touch.format(str(folder / "begun")), touch.format(str(folder / "late"))
    return f"{begun}; import time; time.sleep(9); {late}"


def test_a_changed_files_own_tests_come_first(project):
    tests = project / "helpers" / "tests"
    for name in ("a", "corpus", "faults", "mutants", "names_half"):
        text = "from helpers.half import half\n" if "_" in name else ""
        (tests / f"test_{name}.py").write_text(text)
    own, rest = mutants.test_files(project, "helpers/half.py")
    assert [path.stem for path in own] == ["test_half"]
    assert [path.stem for path in rest] == ["test_names_half", "test_a", "test_corpus"]
    (corpus,), _ = mutants.test_files(project, "data/steps.py")
    assert corpus.stem == "test_corpus" and not mutants.test_files(project, "helpers/corpus.py")[0]
    (engine,), _ = mutants.test_files(project, "helpers/workshop/mutants.py")
    assert engine.stem == "test_mutants" and len(mutants.test_files(project, "")[1]) == 5


def test_chosen_faults_of_some_files_and_without_notebooks(project, monkeypatch):
    monkeypatch.setattr(mutants, "ROOT", project)
    half = Fault("no half", "helpers/half.py:half", "$X / 2", "$X")
    steps = Fault("no steps", "data/steps.py:steps", "$X < 10", "$X < 9")
    monkeypatch.setattr(mutants, "FAULTS", [half, steps])
    assert [mutant.notebooks for mutant in mutants.chosen_mutants()] == [True, True]
    (mutant,) = mutants.chosen_mutants(["data/*.py"], notebooks=False)
    assert mutant.name == "no steps" and not mutant.notebooks


def test_notebooks_that_name_the_function_judge_it(project):
    for name, text in {"01": "from helpers.half import x", "02": "quarter(1)", "03": "no"}.items():
        (project / "notebooks" / f"{name}.ipynb").write_text(text)
    mutant = Mutant("m", "helpers/half.py:quarter", "", notebooks=True)
    assert [path.stem for path in mutants.notebooks_for(project, mutant)] == ["01", "02"]
