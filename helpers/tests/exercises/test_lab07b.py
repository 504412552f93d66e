import math

import pytest

from helpers.exercises.labs import lab07b as check


def said(capsys, attempt):
    check.stop(attempt)
    return capsys.readouterr().out


def my_stop(losses, patience):
    best, waited = math.inf, 0
    for look, loss in enumerate(losses, 1):
        waited = 0 if loss < best else waited + 1
        best = min(best, loss)
        if waited == patience:
            return look
    return len(losses)


def test_right_and_untried(capsys):
    assert said(capsys, my_stop).startswith("right, in")
    assert said(capsys, lambda *_: None) == "not tried yet: your function returns nothing\n"


def first_turn(losses, patience):
    return next((n for n in range(1, len(losses)) if losses[n] > losses[n - 1]), 0) + 1


def no_reset(losses, patience):
    best, waited = math.inf, 0
    for look, loss in enumerate(losses, 1):
        waited += loss >= best
        best = min(best, loss)
        if waited == patience:
            return look
    return len(losses)


def look_before(losses, patience):
    waited = 0
    for look in range(1, len(losses)):
        waited = waited + 1 if losses[look] >= losses[look - 1] else 0
        if waited == patience:
            return look + 1
    return len(losses)


def ties_count(losses, patience):
    best, waited = math.inf, 0
    for look, loss in enumerate(losses, 1):
        waited = 0 if loss <= best else waited + 1
        best = min(best, loss)
        if waited == patience:
            return look
    return len(losses)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (first_turn, "Two looks in a row"),
        (no_reset, "sets the count back"),
        (look_before, "compared with the best so far"),
        (lambda losses, p: my_stop([*losses, 9, 9, 9], p), "after its last look"),
        (ties_count, "no improvement"),
    ],
)
def test_each_likely_slip_has_its_hint(capsys, wrong, hint):
    printed = said(capsys, wrong)
    assert printed.startswith("not yet") and hint in printed
