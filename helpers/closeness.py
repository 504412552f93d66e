"""Where two results differ most, in one sentence: the comparisons behind helpers.checks."""

import torch
from torch import Tensor


def compare(actual, expected, atol: float, name: str) -> int:
    """Return how many numbers were compared; raises AssertionError that says where they differ."""
    given, wanted = _as_tensors(actual, expected)
    if given.shape != wanted.shape:
        shapes = f"shape {tuple(given.shape)}, expected {tuple(wanted.shape)}"
        raise AssertionError(f"{name}: {shapes}")
    both_typed = hasattr(actual, "dtype") and hasattr(expected, "dtype")
    kinds = given.dtype, wanted.dtype
    if kinds[0] != kinds[1] and (both_typed or torch.bool in kinds):
        advice = "convert one of them with .to(...)"
        raise AssertionError(f"{name}: {kinds[0]}, expected {kinds[1]}; {advice}")
    if not given.numel():
        raise AssertionError(f"{name}: nothing to compare, the shape is {tuple(given.shape)}")
    given, wanted = given.double(), wanted.double()
    for side, values in (("", given), ("expected ", wanted)):
        if count := int(values.isnan().sum()):
            raise AssertionError(f"{name}: {count} of {values.numel()} {side}numbers are NaN")
    gap = torch.where(given == wanted, 0.0, (given - wanted).abs())  # inf - inf would be NaN
    if gap.max() > atol:
        place = tuple(int(index) for index in torch.unravel_index(gap.argmax(), gap.shape))
        raise AssertionError(
            f"{name}: the largest gap is {gap.max():.1e}, allowed is {atol:g}; at {place} there is "
            f"{given[place]:.6g}, expected {wanted[place]:.6g} "
            f"({int((gap > atol).sum())} of {gap.numel()} differ)"
        )
    return gap.numel()


def _as_tensors(actual, expected) -> tuple[Tensor, Tensor]:
    """Make tensors of both; a list or number takes the other's precision: 2.5 never becomes 2."""
    given, wanted = (torch.as_tensor(side).detach().cpu() for side in (actual, expected))
    if torch.bool in (given.dtype, wanted.dtype):  # and True never becomes 1
        return given, wanted
    if not hasattr(expected, "dtype"):
        kind = given.dtype if given.is_floating_point() else torch.float64
        wanted = torch.as_tensor(expected, dtype=kind)
    elif not hasattr(actual, "dtype"):
        kind = wanted.dtype if wanted.is_floating_point() else torch.float64
        given = torch.as_tensor(actual, dtype=kind)
    return given, wanted


def compare_each(result, expected, atol: float, name: str) -> None:
    """Compare a result that may be a tuple or a text with what is expected; raises as compare."""
    if isinstance(expected, tuple):
        if not isinstance(result, tuple) or len(result) != len(expected):
            raise AssertionError(f"{name} is not a tuple of {len(expected)}")
        for number, (part, wanted) in enumerate(zip(result, expected, strict=True), 1):
            compare_each(part, wanted, atol, f"{name}, part {number}")
    elif isinstance(expected, str):
        if result != expected:
            raise AssertionError(f"{name} is {result!r}, expected {expected!r}")
    elif isinstance(expected, Tensor) and isinstance(result, tuple):
        raise AssertionError(f"{name} is a tuple of {len(result)} things, expected one tensor")
    else:
        compare(result, expected, atol, name)
