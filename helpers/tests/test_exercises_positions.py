import pytest
import torch

from helpers.transformer import sinusoidal_positions
from helpers.workshop.exercises import positions as check


@pytest.mark.parametrize("call", [check.clock, check.malus, check.board])
def test_a_stub_gets_no_hint(said, call):
    out = said(call, lambda *arguments: None)
    assert out == "not tried yet: your function returns nothing\n"


def place(vector, count=1000):
    return (sinusoidal_positions(count, len(vector)) @ vector).argmax()


def nearest(vector):
    return (sinusoidal_positions(1000, len(vector)) - vector).norm(dim=1).argmin()


def equal(vector):
    return (sinusoidal_positions(1000, len(vector)) == vector).all(dim=1).nonzero()[0, 0]


def test_clock(said, refused):
    assert said(check.clock, place).startswith("right")
    assert said(check.clock, lambda vector: place(vector).item()).startswith("right")
    assert said(check.clock, nearest).startswith("right")  # all rows are as long
    wrong = [
        ("count from 0", lambda vector: place(vector) + 1),
        ("1,000 rows", lambda vector: place(vector, 100)),
        ("8 channels", lambda vector: (sinusoidal_positions(1000, 32) @ vector).argmax()),
        ("most like it?", equal),
    ]
    refused(check.clock, wrong)


def malus(t, slope):
    place = torch.arange(t)
    return -slope * (place[:, None] - place).abs()


def test_malus(said, refused):
    assert said(check.malus, malus).startswith("right")
    wrong = [
        ("taken off", lambda t, slope: -malus(t, slope)),
        ("to the left and the right", lambda t, slope: malus(t, slope).tril()),
        ("single step", lambda t, slope: malus(t, 1.0)),
    ]
    refused(check.malus, wrong)


def board(rows, columns, d_model):
    down, across = (sinusoidal_positions(t, d_model // 2) for t in (rows, columns))
    return torch.stack([torch.cat([one, other]) for one in down for other in across])


def test_board(said, refused):
    assert said(check.board, board).startswith("right")
    turned = lambda rows, columns, d: board(columns, rows, d)  # noqa: E731
    wrong = [
        ("only the second half", turned),
        ("for each square", lambda rows, columns, d: board(rows, columns, d)[:1]),
        ("as one reads", lambda *sizes: board(*sizes).view(*sizes).transpose(0, 1).flatten(0, 1)),
    ]
    refused(check.board, wrong)
    counted = lambda rows, columns, d: sinusoidal_positions(rows * columns, d)  # noqa: E731
    assert said(check.board, counted).startswith("not yet")
