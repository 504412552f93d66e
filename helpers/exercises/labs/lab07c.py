"""Check of lab 07c: equal lengths."""

from collections.abc import Callable

from helpers.checks import check_attempt


def expected(my_expected: Callable) -> None:
    """Check the share that would be right if nothing but the length of a sentence mattered."""
    right_at = {8: 0.9, 10: 0.6, 12: 0.2}
    mean = "Each joined sentence counts once, with the share of known sentences of its own length."
    often = "A length that comes twice counts twice; a mean over the different lengths won't do."
    absent = "Nobody in this set has 12 tokens, so what known ones of 12 do must not count."
    cases = [
        (({8: 0.9, 10: 0.6}, [8, 10]), 0.75, mean),
        ((right_at, [10, 10, 10, 12]), 0.5, often),
        ((right_at, [8, 8, 10]), 0.8, absent),
    ]
    check_attempt(my_expected, cases)
