"""Checks that notebooks and exercises call: two results are the same, within a bound that is said."""

import torch


def assert_close(actual, expected, atol: float, name: str = "result") -> None:
    """Print one line if two arrays agree within atol, and say where they differ most if they do not.

    actual, expected: tensors, arrays, lists or numbers of the same shape and dtype; a list or number takes the dtype of
    the other side. Equal infinities agree; NaN never does.
    atol: the largest difference allowed, 0 for exactly equal. The gap itself is not printed, since its digits differ
    from processor to processor.
    Raises: AssertionError naming shapes, dtypes or the place of the largest gap; ValueError for a negative atol.
    """
    if not 0 <= atol < float("inf"):
        raise ValueError(f"atol={atol} bounds no difference; give a number such as 1e-6, or 0 for exactly equal")
    given, wanted = torch.as_tensor(actual).detach().cpu(), torch.as_tensor(expected).detach().cpu()
    if not hasattr(expected, "dtype"):
        wanted = torch.as_tensor(expected, dtype=given.dtype)
    elif not hasattr(actual, "dtype"):
        given = torch.as_tensor(actual, dtype=wanted.dtype)
    if given.shape != wanted.shape:
        raise AssertionError(f"{name}: shape {tuple(given.shape)}, expected {tuple(wanted.shape)}")
    if given.dtype != wanted.dtype:
        raise AssertionError(f"{name}: {given.dtype}, expected {wanted.dtype}; convert one of them with .to(...)")
    if not given.numel():
        raise AssertionError(f"{name}: nothing to compare, the shape is {tuple(given.shape)}")
    given, wanted = given.double(), wanted.double()
    for side, values in (("result", given), ("expected values", wanted)):
        if values.isnan().any():
            raise AssertionError(f"{name}: {int(values.isnan().sum())} of {values.numel()} {side} are NaN")
    gap = torch.where(given == wanted, 0.0, (given - wanted).abs())  # inf - inf would be NaN
    if gap.max() > atol:
        place = tuple(int(index) for index in torch.unravel_index(gap.argmax(), gap.shape))
        raise AssertionError(
            f"{name}: the largest gap is {gap.max():.1e}, allowed is {atol:g}; at {place} there is "
            f"{given[place]:.6g}, expected {wanted[place]:.6g} ({int((gap > atol).sum())} of {gap.numel()} differ)"
        )
    verdict = f"within {atol:g}" if atol else "exactly"
    print(f"{name}: equal {verdict} ({gap.numel()} number{'s' * (gap.numel() != 1)})")
