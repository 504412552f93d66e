import math

import numpy as np
import pytest
import torch

from helpers.checks import assert_close

ONES = torch.ones(2, 3)


def test_equal_prints_a_line_without_the_gap(capsys):
    assert assert_close(ONES, ONES + 4e-7, atol=1e-6, name="loop = matrix") is None
    first = capsys.readouterr().out
    assert first == "loop = matrix: equal within 1e-06 (6 numbers)\n"
    assert_close(ONES, ONES, atol=1e-6, name="loop = matrix")
    assert capsys.readouterr().out == first  # so that the recorded line holds on every processor
    assert_close(torch.tensor([1, 2]), [1, 2], atol=0)
    assert_close(3, 3.0, atol=0, name="one")
    assert capsys.readouterr().out == "result: equal exactly (2 numbers)\none: equal exactly (1 number)\n"


@pytest.mark.parametrize(
    "actual, expected",
    [
        (ONES.requires_grad_(), np.ones((2, 3), dtype=np.float32)),
        (ONES, [[1, 1, 1], [1, 1, 1]]),
        (np.ones(2), [1, 1]),
        ([1.0], torch.ones(1, dtype=torch.float64)),
        (torch.tensor([True]), torch.tensor([True])),
        (torch.tensor([-math.inf, 1.0]), torch.tensor([-math.inf, 1.0])),
        (torch.tensor(2.0), 2),
    ],
)
def test_these_are_close(actual, expected):
    assert_close(actual, expected, atol=1e-9)


def test_the_largest_gap_is_located():
    wrong = torch.ones(2, 3)
    wrong[0, 1] += 0.001
    wrong[1, 2] = 1.5
    message = (
        r"mine: the largest gap is 5.0e-01, allowed is 1e-06; at \(1, 2\) there is 1.5, expected 1 \(2 of 6 differ\)"
    )
    with pytest.raises(AssertionError, match=message):
        assert_close(wrong, ONES, atol=1e-6, name="mine")


@pytest.mark.parametrize(
    "actual, expected, message",
    [
        (torch.ones(3, 2), ONES, r"shape \(3, 2\), expected \(2, 3\)"),
        (torch.ones(3), ONES, r"shape \(3,\), expected \(2, 3\)"),  # would broadcast
        (ONES.double(), ONES, r"torch.float64, expected torch.float32; convert"),
        (torch.ones(2, 0), torch.ones(2, 0), "nothing to compare"),
        (torch.tensor([math.nan]), torch.tensor([math.nan]), "1 of 1 result are NaN"),
        (torch.tensor([1.0]), torch.tensor([math.nan]), "1 of 1 expected values are NaN"),
        (torch.tensor([math.inf]), torch.tensor([1.0]), "largest gap is inf"),
        (torch.tensor([math.inf]), torch.tensor([-math.inf]), "largest gap is inf"),
        (torch.tensor([math.inf, 1.0]), torch.tensor([math.inf, 2.0]), r"largest gap is 1.0e\+00"),
        (torch.tensor([True]), torch.tensor([False]), "largest gap is 1.0"),
        (torch.tensor(1.5), 1.25, r"at \(\) there is 1.5, expected 1.25"),
    ],
)
def test_these_are_not_close(actual, expected, message, capsys):
    with pytest.raises(AssertionError, match=message):
        assert_close(actual, expected, atol=1e-3)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("atol", [-1.0, math.nan, math.inf])
def test_a_bound_that_bounds_nothing_is_refused(atol):
    with pytest.raises(ValueError, match="bounds no difference"):
        assert_close(ONES, ONES, atol=atol)
