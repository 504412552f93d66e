"""The checks of lab 07f: a right answer passes, each likely mistake is noticed with its hint."""

from collections import Counter

import numpy as np
import pytest

from helpers.exercises.labs import lab07f as check


def pieces(text, n):
    return [text[start : start + n] for start in range(len(text) - n + 1)]


def right_precision(text, reference, n):
    mine, theirs = Counter(pieces(text, n)), Counter(pieces(reference, n))
    return (mine & theirs).total() / max(1, mine.total())


def right_difference(first, second, places):
    return np.quantile(second[places].mean(axis=1) - first[places].mean(axis=1), [0.025, 0.975])


def unclipped(text, reference, n):
    mine = pieces(text, n)
    return sum(piece in pieces(reference, n) for piece in mine) / max(1, len(mine))


def recall(text, reference, n):
    mine, theirs = Counter(pieces(text, n)), Counter(pieces(reference, n))
    return (mine & theirs).total() / max(1, theirs.total())


def no_pieces(text, reference, n):
    mine, theirs = Counter(pieces(text, n)), Counter(pieces(reference, n))
    return (mine & theirs).total() / mine.total()


def one_by_one(first, second, places):
    low, high = (np.quantile(each[places].mean(axis=1), [0.025, 0.975]) for each in (first, second))
    return high[0] - low[0], high[1] - low[1]


WRONG = {
    "one piece too many": (
        check.ngrams,
        lambda text, other, n: right_precision(text, other, n) * len(text) / (len(text) + 1),
        "4 pairs, 3 threes",
    ),
    "not clipped": (check.ngrams, unclipped, "only once"),
    "a recall": (check.ngrams, recall, "Divide by the n-grams"),
    "divides by zero": (check.ngrams, no_pieces, "That share is 0"),
    "other sign": (
        check.difference,
        lambda one, other, places: right_difference(other, one, places),
        "Mind the sign",
    ),
    "in percent": (
        check.difference,
        lambda one, other, places: 100 * right_difference(one, other, places),
        "from 0 to 1",
    ),
    "not in pairs": (
        check.difference,
        lambda one, other, places: right_difference(one, np.roll(other, 7), places),
        "hint",
    ),
    "bounds subtracted": (check.difference, one_by_one, "one row of places for both"),
}


@pytest.mark.parametrize(
    ("checked", "right", "count"),
    [(check.ngrams, right_precision, 7), (check.difference, right_difference, 3)],
)
def test_the_right_ones_pass(checked, right, count, capsys):
    checked(right)
    assert capsys.readouterr().out == f"right, in {count} of {count} cases\n"
    checked(lambda *_: None)
    assert capsys.readouterr().out == "not tried yet: your function returns nothing\n"


@pytest.mark.parametrize(("checked", "wrong", "hint"), WRONG.values(), ids=WRONG)
def test_a_wrong_one_gets_its_hint(checked, wrong, hint, capsys):
    checked(wrong)
    assert hint in capsys.readouterr().out


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        (None, "not tried yet: my_leak says None"),
        (0.5, "right: with 50% of it leaked"),
        (50, "that's in percent"),
        (1.0, "for each honest one"),
        (0.3, "the score would be 44%\nhint"),
        ("half", "give a number"),
    ],
)
def test_the_share_that_leaked(claimed, said, capsys):
    check.leak(claimed, 0.2, 1.0, wanted=0.6)
    assert said in capsys.readouterr().out
