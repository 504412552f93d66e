"""Checks that notebooks and exercises call: equal within a stated bound, an attempt, a sensible parameter."""

import copy
from collections.abc import Callable, Sequence

import torch


def assert_close(actual, expected, atol: float, name: str = "result") -> None:
    """Print one line if two arrays agree within atol, and say where they differ most if they do not.

    actual, expected: tensors, arrays, lists or numbers of the same shape and dtype; a list or number takes the
    precision of the other side. Equal infinities agree; NaN never does.
    atol: the largest difference allowed, 0 for exactly equal. The gap itself is not printed, since its digits differ
    from processor to processor.
    Raises: AssertionError naming shapes, dtypes or the place of the largest gap; ValueError for a negative atol.
    """
    if not 0 <= atol < float("inf"):
        raise ValueError(f"atol={atol} bounds no difference; give a number such as 1e-6, or 0 for exactly equal")
    count = _compare(actual, expected, atol, name)
    verdict = f"within {atol:g}" if atol else "exactly"
    print(f"{name}: equal {verdict} ({count} number{'s' * (count != 1)})")


def _compare(actual, expected, atol: float, name: str) -> int:
    """Return how many numbers were compared; raise an AssertionError that says where they differ most."""
    given, wanted = torch.as_tensor(actual).detach().cpu(), torch.as_tensor(expected).detach().cpu()
    if not hasattr(expected, "dtype"):
        wanted = _as_kind_of(given, expected, wanted)
    elif not hasattr(actual, "dtype"):
        given = _as_kind_of(wanted, actual, given)
    if given.shape != wanted.shape:
        raise AssertionError(f"{name}: shape {tuple(given.shape)}, expected {tuple(wanted.shape)}")
    both_typed = hasattr(actual, "dtype") and hasattr(expected, "dtype")
    if given.dtype != wanted.dtype and (both_typed or torch.bool in (given.dtype, wanted.dtype)):
        raise AssertionError(f"{name}: {given.dtype}, expected {wanted.dtype}; convert one of them with .to(...)")
    if not given.numel():
        raise AssertionError(f"{name}: nothing to compare, the shape is {tuple(given.shape)}")
    given, wanted = given.double(), wanted.double()
    for side, values in (("", given), ("expected ", wanted)):
        if values.isnan().any():
            raise AssertionError(f"{name}: {int(values.isnan().sum())} of {values.numel()} {side}numbers are NaN")
    gap = torch.where(given == wanted, 0.0, (given - wanted).abs())  # inf - inf would be NaN
    if gap.max() > atol:
        place = tuple(int(index) for index in torch.unravel_index(gap.argmax(), gap.shape))
        raise AssertionError(
            f"{name}: the largest gap is {gap.max():.1e}, allowed is {atol:g}; at {place} there is "
            f"{given[place]:.6g}, expected {wanted[place]:.6g} ({int((gap > atol).sum())} of {gap.numel()} differ)"
        )
    return gap.numel()


def _as_kind_of(other: torch.Tensor, plain, tensor: torch.Tensor) -> torch.Tensor:
    """Give a list or a number the precision of the other side; 2.5 never becomes 2, and True never 1."""
    if torch.bool in (other.dtype, tensor.dtype):
        return tensor
    return torch.as_tensor(plain, dtype=other.dtype if other.is_floating_point() else torch.float64)


def check_attempt(attempt: Callable, cases: Sequence[tuple[tuple, object, str]], atol: float = 1e-5) -> bool:
    """Try a reader's function on cases and print that it is right, or a hint; a wrong attempt raises nothing.

    cases: (arguments, expected result, hint) of each; the hint is printed if this case is the first that fails. A
    result is whatever assert_close compares, a text, or a tuple of such.
    Returns: whether the results of all cases are as expected within atol.
    Raises: ValueError if there is no case.
    """
    if not cases:
        raise ValueError("there is no case to try the attempt on; give at least one (arguments, expected, hint)")
    for number, (arguments, expected, hint) in enumerate(cases, 1):
        where, given = f"case {number} of {len(cases)}", copy.deepcopy(arguments)
        try:
            result = attempt(*given)
            if result is None:
                raise AssertionError("the function returned nothing; end it with return")
            _compare_each(result, expected, atol, "your result")
            for changed, argument in zip(given, arguments, strict=True):
                if isinstance(argument, torch.Tensor) and not torch.equal(changed, argument):
                    raise AssertionError("your function changes its argument; work on a new tensor")
        except Exception as error:  # whatever the reader's code raises becomes one line
            what = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
            print(f"not yet, {where}: {what}\nhint: {hint}")
            return False
    print(f"right, in {len(cases)} of {len(cases)} cases")
    return True


def _compare_each(result, expected, atol: float, name: str) -> None:
    if isinstance(expected, tuple):
        if not isinstance(result, tuple) or len(result) != len(expected):
            raise AssertionError(f"{name} is not a tuple of {len(expected)}")
        for number, (part, wanted) in enumerate(zip(result, expected, strict=True), 1):
            _compare_each(part, wanted, atol, f"{name}, part {number}")
    elif isinstance(expected, str):
        if result != expected:
            raise AssertionError(f"{name} is {result!r}, expected {expected!r}")
    elif isinstance(expected, torch.Tensor) and isinstance(result, tuple):
        raise AssertionError(f"{name} is a tuple of {len(result)} things, expected one tensor")
    else:
        _compare(result, expected, atol, name)


def require_range(**parameters: tuple) -> None:
    """Refuse a notebook's parameter that lies outside its range: name=(value, lowest, highest).

    A whole lowest asks for a whole number.
    Raises: ValueError naming the parameter, the value and the range.
    """
    for name, (value, lowest, highest) in parameters.items():
        whole = isinstance(lowest, int)
        kinds = int if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds) or not lowest <= value <= highest:
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"{name}={value!r} makes no sense here; give {kind} from {lowest} to {highest}")
