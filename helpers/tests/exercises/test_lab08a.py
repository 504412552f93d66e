"""The checks of lab 08a: right solutions pass, and each likely mistake is noticed with its hint."""

from itertools import count

import pytest
import torch

from helpers.exercises.labs import lab08a as check
from helpers.interpret.probes import toss


def by_kind(words, seed):
    kinds = sorted(set(words))
    tossed = torch.randint(2, (len(kinds),), generator=torch.Generator().manual_seed(seed))
    coin = dict(zip(kinds, tossed.tolist(), strict=True))
    return [coin[word] for word in words]


def no_leak(deciding, pair):
    ask = [each == pair for each in deciding]
    return [not each & pair for each in deciding], ask


def frozen(gain, spread, apart):
    scaled = gain * apart
    return (scaled - scaled.mean()) / spread


NUMBERS = count()
RIGHT = [(check.coins, by_kind), (check.coins, toss), (check.leakless_split, no_leak)]


@pytest.mark.parametrize(("judge", "attempt"), [*RIGHT, (check.direction, frozen)])
def test_right_solutions_pass(judge, attempt, capsys):
    judge(attempt)
    assert capsys.readouterr().out.startswith("right, in ")


@pytest.mark.parametrize("judge", [check.coins, check.leakless_split, check.direction])
def test_a_stub_gets_no_hint(judge, capsys):
    judge(lambda *_: None)
    assert capsys.readouterr().out == "not tried yet: your function returns nothing\n"


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (lambda words, seed: torch.randint(2, (len(words),)), "has 0 in one place and 1 in"),
        (lambda words, seed: by_kind(words, 7), "20 seeds gave fewer than 10"),
        (lambda words, seed: [2 * coin for coin in by_kind(words, seed)], "a coin shows 2"),
        (lambda words, seed: by_kind(sorted(set(words)), seed), "60 words got 12 coins"),
        (lambda words, seed: by_kind(words, next(NUMBERS)), "the same seed gave other"),
    ],
)
def test_coins_that_are_no_control_are_noticed(attempt, said, capsys):
    check.coins(attempt)
    out = capsys.readouterr().out
    assert out.startswith("not yet") and said in out and "hint: " in out


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (
            lambda deciding, pair: ([d != pair for d in deciding], [d == pair for d in deciding]),
            "stands in what is asked and what is fitted on",
        ),
        (lambda d, pair: ([True] * len(d), [e == pair for e in d]), "asked about and fitted on"),
        (lambda d, pair: no_leak(d, pair)[::-1], "stands in what is asked"),
        (lambda d, pair: ([False] * len(d), [e == pair for e in d]), "hint: Sets have an &"),
    ],
)
def test_leaks_are_named(attempt, said, capsys):
    check.leakless_split(attempt)
    out = capsys.readouterr().out
    assert out.startswith("not yet, case 1 of 2") and said in out


@pytest.mark.parametrize(
    ("attempt", "hint"),
    [
        (lambda gain, spread, apart: gain * apart / spread, "case 1 of 3"),
        (lambda gain, spread, apart: gain * (apart - apart.mean()) / spread, "case 2 of 3"),
        (lambda gain, spread, apart: frozen(gain, 1.0, apart), "case 3 of 3"),
    ],
)
def test_what_is_missing_in_the_direction_is_found(attempt, hint, capsys):
    check.direction(attempt)
    assert hint in capsys.readouterr().out
