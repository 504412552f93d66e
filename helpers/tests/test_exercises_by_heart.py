import math

import pytest

from helpers.workshop.exercises import by_heart as check


def said(capsys, call, attempt):
    call(attempt)
    return capsys.readouterr().out


def my_stop(losses, patience):
    best, waited = math.inf, 0
    for look, loss in enumerate(losses, 1):
        waited = 0 if loss < best else waited + 1
        best = min(best, loss)
        if waited == patience:
            return look
    return len(losses)


def my_floor(smoothing, size):
    return -math.log(1 - smoothing + smoothing / size)


RIGHT = {check.stop: my_stop, check.floor: my_floor}


@pytest.mark.parametrize("call", RIGHT, ids=lambda call: call.__name__)
def test_right_and_untried(capsys, call):
    assert said(capsys, call, RIGHT[call]).startswith("right, in")
    untried = "not tried yet: your function returns nothing\n"
    assert said(capsys, call, lambda *_: None) == untried


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
    ("call", "wrong", "hint"),
    [
        (check.stop, first_turn, "Two looks in a row"),
        (check.stop, no_reset, "sets the count back"),
        (check.stop, look_before, "compared with the best so far"),
        (check.stop, lambda losses, p: my_stop([*losses, 9, 9, 9], p), "after its last look"),
        (check.stop, ties_count, "no improvement"),
        (check.floor, lambda smoothing, size: math.log(size), "-ln 1 is 0"),
        (check.floor, lambda smoothing, size: -math.log(1 - smoothing), "half of the other half"),
    ],
)
def test_each_likely_slip_has_its_hint(capsys, call, wrong, hint):
    printed = said(capsys, call, wrong)
    assert printed.startswith("not yet") and hint in printed
