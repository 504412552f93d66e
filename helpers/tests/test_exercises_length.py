import math

import pytest
import torch

from helpers.workshop.exercises import length as check


@pytest.mark.parametrize("call", [check.expected, check.turn, check.shares])
def test_a_stub_gets_no_hint(said, call):
    out = said(call, lambda *arguments: None)
    assert out == "not tried yet: your function returns nothing\n"


def expected(right_at, lengths):
    return sum(right_at[length] for length in lengths) / len(lengths)


def test_expected(said, refused):
    assert said(check.expected, expected).startswith("right")
    wrong = [
        ("counts once", lambda right_at, lengths: sum(right_at[n] for n in lengths)),
        ("counts twice", lambda right_at, lengths: expected(right_at, {*lengths})),
        ("counts twice", lambda right_at, lengths: sum(right_at.values()) / len(right_at)),
        ("must not count", lambda right_at, lengths: [0, 0, 0.75, 0.7, 0.5][len(lengths)]),
    ]
    refused(check.expected, wrong)


def turn(pair, place, speed):
    angle = torch.tensor(place * speed)
    first, second = pair
    cos, sin = angle.cos(), angle.sin()
    return torch.stack([first * cos - second * sin, first * sin + second * cos])


def test_turn(said, refused):
    assert said(check.turn, turn).startswith("right")
    wrong = [
        ("At place 0", lambda pair, place, speed: turn(pair, place + 1, speed)),
        ("A quarter of a turn", lambda pair, place, speed: turn(pair, -place, speed)),
        ("place times speed", lambda pair, place, speed: turn(pair, min(place, 1), math.pi / 2)),
        ("(0, 1) must turn", lambda pair, *how: turn(pair, *how) if pair[0] else pair),
    ]
    refused(check.turn, wrong)


def shares(neither, novel, long, both):
    novelty = (neither - novel + long - both) / 2
    return novelty, neither - both - novelty


def test_shares(said, refused):
    assert said(check.shares, shares).startswith("right")
    wrong = [
        ("Return two numbers", lambda neither, novel, long, both: (neither - novel, 0.0)),
        ("comes first", lambda neither, novel, long, both: (neither - novel, neither - long)),
        ("comes first", lambda neither, novel, long, both: (neither - novel, novel - both)),
        ("comes first", lambda neither, novel, long, both: (long - both, neither - long)),
        ("Together", lambda *four: (50.0, 50.0) if not four[-1] else shares(100.0, *four[1:])),
    ]
    refused(check.shares, wrong)
