"""Which cell of how many, and the minutes left as last measured."""

import io
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers.workshop import progress as module
from helpers.workshop.execute import execute_aloud, how_long
from helpers.workshop.notebooks import KERNELSPEC
from helpers.workshop.progress import Progress, in_minutes, measured


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_the_minutes_left_are_those_last_measured(clock):
    progress = Progress({"a": 30.0, "b": 600.0, "c": 90.0})
    progress.start(["a", "b", "c"], 1)
    clock[0] += 120
    assert str(progress) == "cell 2 of 3, about 10 minutes left as last measured"  # 480 and 90 s
    clock[0] += 1200  # longer than last time: nothing is left of it
    assert str(progress) == "cell 2 of 3, about 2 minutes left as last measured"
    progress.start(["a", "b", "c", "new"], 3)
    assert str(progress) == "cell 4 of 4, less than a minute left as last measured"
    unknown = Progress({})
    unknown.start(["a", "b"], 0)
    clock[0] += 61
    assert str(unknown) == "cell 1 of 2, 1 minute so far"


@pytest.mark.parametrize("terminal", [True, False])
def test_it_is_told_between_the_lines_of_the_notebook(monkeypatch, terminal):
    shown = io.StringIO()
    shown.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stdout", shown)
    with Progress({}, every=0.001) as progress:
        progress.write("half ")
        progress.start(["a"], 0)
        module.time.sleep(0.05)
        assert "cell" not in shown.getvalue()  # not into a line that is half written
        progress.write("whole\n")
        while "cell 1 of 1" not in shown.getvalue():
            module.time.sleep(0.01)
        progress.write("next\n")
    text = shown.getvalue()
    if not terminal:
        assert text.startswith("    half whole\n    [cell 1 of 1, ") and "]\n    next\n" in text
        return
    gone = "\r" + " " * module.WIDE + "\r"
    assert text.startswith("    half whole\n    cell 1 of 1, ") and f"{gone}    next\n" in text
    assert text.count("\n") == 2 and not text.endswith("so far")


def test_how_long_is_said_before_and_measured_while(tmp_path, capsys):
    cells = [new_code_cell("import time", id="first"), new_code_cell("time.sleep(.2)", id="second")]
    notebook, output = tmp_path / "01_x.ipynb", tmp_path / "out.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC}), notebook)
    assert measured(output) == {}
    executed = execute_aloud(notebook, output, {})
    assert capsys.readouterr().out.startswith("    done in ")  # nothing is known yet
    nbformat.write(executed, output)
    found = measured(tmp_path / "none.ipynb", output)
    assert [*found] == ["first", "second"] and 0.2 <= found["second"] < 60
    assert how_long({}, {"a": 200.0}) == "about 3 minutes as last measured"
    assert how_long({"minutes": 8.0}, {"a": 200.0}) == "at most 8 minutes of CPU, as asked for"
    assert how_long({"minutes": 0.0}, {}) == "" and in_minutes(20) == "less than a minute"
