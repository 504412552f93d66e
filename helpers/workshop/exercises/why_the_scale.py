"""Checks of the exercises in lab 03a: the spread of a score, a formula that needs mending."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.checks import check_attempt

_HINTS = {
    (0, 1, 0, 1, 64): "For means of 0 and deviations of 1 the raw score spreads by the root of d_k."
    " You're asked for the score after the division.",
    (0, 1, 0, 1, 400): "The width should have gone. Did the division come in twice, or not at all?",
    (0, 3, 0, 1, 64): "Make every query three times as long: the scores spread three times as far."
    " Three is a standard deviation, nine would be a variance.",
    (2, 1, 0, 1, 64): "With a mean, the square of q has the mean sigma² + mu². So what is the mean "
    "of (q·k)², for one channel?",
    (0, 1, 2, 1, 64): "Right for a query with a mean, not for a key with one: the formula should "
    "not care which of the two is called q.",
    (2, 1, 0, 3, 64): "It's the other one's deviation that counts: a query that always says 2 "
    "spreads nothing by itself, but it doubles whatever the key does.",
    (2, 0, 3, 0, 16): "Nothing varies here, so no score can. A variance is the mean of the square "
    "minus the square of the mean.",
    (1.56, 0.36, -0.34, 1.2, 400): "The lab's own numbers. All three terms should be in by now.",
}

_SHAPES = "Two products of matrices, and nothing element by element. In a batch only the last two "
_SHAPES += "dimensions change places: k.transpose(-2, -1)."
_SUMS = "Every value is 1 here, so the output is what each row of weights sums to: it should be 1. "
_SUMS += "What turns scores into shares, over which axis, and does anything happen to them after?"
_SHARP = "The rows sum to 1, and yet the weights are too sharp or too flat. What do you divide by, "
_SHARP += "and when?"
_WIDTH = "The keys have 3 channels here, the values 5, and there are 6 tokens. Which of the three "
_WIDTH += "is the width in which q and k meet?"


def _deviation(mean_q: float, std_q: float, mean_k: float, std_k: float) -> float:
    variance = std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2
    return math.sqrt(variance)


def spread(attempt: Callable) -> bool:
    """Try my_std(mean_q, std_q, mean_k, std_k, d_k): the standard deviation of a scaled score."""
    cases = [(given, _deviation(*given[:4]), hint) for given, hint in _HINTS.items()]
    return check_attempt(attempt, cases, atol=1e-4)


def mended(attempt: Callable) -> bool:
    """Try my_attention(q, k, v) on batches in which each mistake of the formula shows by itself."""
    draw = torch.Generator().manual_seed(0)

    def some(*sizes: int) -> list[Tensor]:
        return [torch.randn(2, 6, size, generator=draw) for size in sizes]

    def tried(what: str, *given: Tensor) -> Tensor | str | None:
        result = attempt(*given)
        shape_only = what == "shape" and isinstance(result, Tensor)
        return f"of shape {tuple(result.shape)}" if shape_only else result

    ones = torch.ones(2, 6, 4)
    cases = [
        (("shape", *some(3, 3, 5)), "of shape (2, 6, 5)", _SHAPES),
        (("numbers", *some(4, 4), ones), None, _SUMS),
        (("numbers", *some(9, 9, 9)), None, _SHARP),
        (("numbers", *some(3, 3, 5)), None, _WIDTH),
    ]
    truth = [text or F.scaled_dot_product_attention(*given[1:]) for given, text, _ in cases]
    cases = [(given, right, hint) for (given, _, hint), right in zip(cases, truth, strict=True)]
    return check_attempt(tried, cases)
