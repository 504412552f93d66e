"""Checks of lab 07b: when to stop."""

from collections.abc import Callable

from helpers.checks import check_attempt


def stop(my_stop: Callable) -> None:
    """Check after which look, from 1, a training is stopped whose valid loss has not improved."""
    first = "Two looks in a row without a new best, and it stops: after look 4 here."
    count = "A new best sets the count back to 0."
    best = "It's compared with the best so far, not with the look before."
    never = "If it never waits that long, it stops after its last look."
    tie = "As good as the best is no improvement."
    cases = [
        (([3.0, 2.0, 2.1, 2.2, 1.0], 2), 4, first),
        (([3.0, 3.1, 2.0, 2.1, 2.2, 2.3], 3), 6, count),
        (([3.0, 1.0, 2.0, 1.9, 1.8, 0.5], 3), 5, best),
        (([3.0, 2.0, 1.0], 2), 3, never),
        (([3.0, 2.0, 2.0, 2.0, 1.0], 2), 4, tie),
    ]
    check_attempt(my_stop, cases)
