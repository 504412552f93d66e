"""How every check speaks: right, not yet with a hint, not tried yet."""

import functools
from collections.abc import Callable


class NotYet(Exception):
    """What is wrong with an attempt, and, if there is one, a hint."""

    def __init__(self, what: str, hint: str = ""):
        """Write both as the reader will see them."""
        super().__init__(f"not yet: {what}" + f"\nhint: {hint}" * bool(hint))


class NotTried(Exception):
    """An attempt that is still empty; the text says what is missing."""


def is_right(check: Callable[..., str], *attempt) -> bool:
    """Print how a check of an attempt ended: its result behind "right", or what it raised.

    check: returns what to say of a right attempt; raises NotYet or NotTried. Whatever else the
    reader's code raises becomes one line.
    Returns: whether the attempt was right.
    """
    try:
        print(f"right{check(*attempt)}")
        return True
    except NotTried as empty:
        print(f"not tried yet: {empty}")
    except NotYet as fault:
        print(fault)
    except Exception as error:
        print(f"not yet: {type(error).__name__}: {error}")
    return False


def graded(check: Callable[..., str]) -> Callable[..., None]:
    """Let a check speak as `is_right` does, as the last line of a cell, which shows no result."""

    @functools.wraps(check)
    def speak(*attempt) -> None:
        is_right(check, *attempt)

    return speak
