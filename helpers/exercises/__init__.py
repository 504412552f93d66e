"""Checks of exercises, a module to a notebook: what a reader writes is tried on cases."""

import torch
from torch import Tensor


def typed_numbers(attempt, shape: tuple[int, ...], what: str, advice: str = "") -> Tensor | None:
    """Return what a reader typed as a tensor, or print why that can't be done and return None.

    what: its name; advice: what to look at if it can't be read, printed behind the reason.
    """
    if attempt is None:
        print(f"not tried yet: {what} is still None")
        return None
    try:
        numbers = torch.as_tensor(attempt).double()
    except (TypeError, ValueError, RuntimeError):
        print(f"not yet: {what} can't be read as numbers{advice}")
        return None
    if tuple(numbers.shape) != shape:
        size = " rows of ".join(map(str, shape))
        print(f"not yet: {what} has the shape {tuple(numbers.shape)}; give {size} numbers")
        return None
    return numbers
