"""Checks of the exercises in lab 03c: a sum to break, a rule of your own for the weights."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.exercises.grading import NotYet, graded, is_right, result_of, typed_numbers

_ROWS = {
    "four plain scores": [5.0, 2.0, 1.0, 2.0],
    "some of them negative": [3.0, 1.0, -2.0, -1.8],
    "all of them negative": [-1.0, -2.0, -1.0, -3.0],
    "all of them 0": [0.0, 0.0, 0.0, 0.0],
    "scores that sum to 0": [2.0, 1.0, -1.0, -2.0],
    "large ones": [300.0, 299.0, -300.0, 0.0],
}


@graded
def broken_sum(scores) -> str:
    """Look whether four scores from -5 to 5, divided by their sum, give a weight beyond 100."""
    row = typed_numbers(scores, (4,), "my_scores", "four numbers, please")
    if row.abs().max() > 5:
        raise NotYet("give four numbers, none beyond -5 or 5")
    total = row.sum().item()
    if abs(total) < 1e-9:
        what = "they sum to 0, and nothing can be divided by that. Move one of them a bit."
        raise NotYet(what, verdict="nearly: ")
    largest = (row / total).abs().max().item()
    if largest <= 100:
        what = f"they sum to {total:.2f}, the largest weight is {largest:.1f} in size"
        raise NotYet(what, "A weight is a score divided by the sum. Which sum do you want?")
    return f": they sum to {total:.3f}, and a weight is {largest:.0f} in size"


def own_rule(attempt: Callable) -> bool:
    """Try my_weights(scores) on six rows: shares of one whole, in the order of their scores."""
    return is_right(_check_rule, attempt)


def _check_rule(attempt: Callable) -> str:
    for name, row in _ROWS.items():
        scores = torch.tensor([row, row])
        if fault := _fault(scores, result_of(attempt, scores.clone())):
            raise NotYet(fault, verdict=f"not yet, {name} {row}: ")
    return f", in {len(_ROWS)} of {len(_ROWS)} rows; now let it race"


def _fault(scores: Tensor, weights: Tensor) -> str:
    """Say what is wrong with weights (2, 4), whose two rows belong to equal scores; or nothing."""
    if not isinstance(weights, Tensor) or weights.shape != scores.shape:
        shape = tuple(getattr(weights, "shape", ()))
        return f"scores have shape (2, 4), your weights {shape}; return as many"
    if not weights.isfinite().all():
        return "a weight is no number. Was something divided by 0, or did e^300 overflow?"
    if (weights < 0).any():
        return f"a weight is negative: {weights.min():.2f}"
    total = weights[0].sum().item()
    if abs(total - 1) > 1e-4:
        return f"a row sums to {total:.2f}, not to 1. Sum over the last dimension, and keep it."
    order = scores[0].argsort(descending=True)
    if (weights[0, order].diff() > 1e-6).any():
        return "a lower score got a higher weight"
    return ""
