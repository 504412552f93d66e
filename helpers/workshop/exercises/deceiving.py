"""Checks of lab 07f: n-grams that count only as often as they may, an interval, a leak."""

from collections.abc import Callable

import numpy as np

from helpers.checks import check_attempt


def ngrams(my_precision: Callable) -> None:
    """Check which share of a text's n-grams the reference has."""
    how = "How many n-grams does a translation of 5 characters have? 4 pairs, 3 threes."
    clipped = "的 stands once in the reference, so it can be right once, however often it's written."
    length = "Divide by the n-grams of the translation, not by those of the reference."
    none = "A translation that's shorter than n has no n-gram at all. That share is 0."
    cases = [
        (("我看见了", "我看见了", 1), 1.0, how),
        (("我看见了", "我看见了", 2), 1.0, how),
        (("我弟弟大", "我哥哥大", 1), 0.5, how),
        (("我弟弟大", "我哥哥大", 2), 0.0, how),
        (("的的的的", "我的书", 1), 0.25, clipped),
        (("我爱", "我爱你们", 1), 1.0, length),
        (("我爱你", "我爱你", 4), 0.0, none),
    ]
    check_attempt(my_precision, cases)


def interval(my_interval: Callable) -> None:
    """Check the bounds that hold the middle 95 of 100 means, from verdicts and drawn places."""
    rng = np.random.default_rng(0)
    right = rng.random(40) < 0.3
    places = rng.integers(40, size=(500, 40))
    few = np.array([[0, 0], [0, 1], [1, 1], [0, 1]])
    means = "right[places] has a row for each drawn test. Its mean is one possible score."
    cut = "Cut 2.5 of 100 off at each end: np.quantile takes a list of both."

    def called(verdicts: list, rows: np.ndarray) -> tuple | None:
        found = my_interval(np.array(verdicts), rows)
        return None if found is None else tuple(float(each) for each in found)

    cases = [
        (([True, False], few), _bounds([True, False], few), means),
        ((right.tolist(), places), _bounds(right, places), cut),
    ]
    check_attempt(called, cases, atol=1e-6)


def _bounds(right, places: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(np.asarray(right)[places].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def leak(my_leak: float | None, score: float, among_seen: float, wanted: float) -> None:
    """Check the share of training sentences in a test that lifts its score to what was wanted.

    score, among_seen: shares right of unseen and of seen sentences; wanted: of the mixture.
    """
    if my_leak is None:
        print("not tried yet: my_leak says None")
        return
    try:
        claimed = float(my_leak)
    except (TypeError, ValueError):
        print(f"not yet: my_leak is {my_leak!r}; give a share between 0 and 1")
        return
    truth = (wanted - score) / (among_seen - score)
    if abs(claimed - truth) < 0.02:
        print(f"right: with {truth:.0%} of it leaked")
    elif abs(claimed - 100 * truth) < 2:
        print("not yet: that's in percent; give a share between 0 and 1")
    elif abs(claimed - truth / (1 - truth)) < 0.02:
        print("not yet: that's leaked sentences for each honest one; what share of all is it?")
    else:
        got = claimed * among_seen + (1 - claimed) * score
        print(f"not yet: with {claimed:.0%} leaked the score would be {got:.0%}")
        print("hint: the mixture's score is a weighted average. Of which two numbers?")
