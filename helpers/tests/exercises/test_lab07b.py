import math

from helpers.exercises.labs import lab07b as check


def my_stop(losses, patience):
    best, waited = math.inf, 0
    for look, loss in enumerate(losses, 1):
        waited = 0 if loss < best else waited + 1
        best = min(best, loss)
        if waited == patience:
            return look
    return len(losses)


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


def test_each_likely_slip_has_its_hint(tells_apart):
    wrong = [
        ("Two looks in a row", first_turn),
        ("sets the count back", no_reset),
        ("compared with the best so far", look_before),
        ("after its last look", lambda losses, p: my_stop([*losses, 9, 9, 9], p)),
        ("no improvement", ties_count),
    ]
    tells_apart(check.stop, [my_stop], wrong)
