"""Checks of lab 07c: equal lengths, a pair of channels that is turned, and whose damage it is."""

import math
from collections.abc import Callable

import torch

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


def turn(my_turn: Callable) -> None:
    """Check a pair of channels that is turned counterclockwise by place times speed."""
    quarter = math.pi / 2
    still = "At place 0 nothing turns; the result is a tensor of two numbers, as the pair is."
    side = "A quarter of a turn takes (1, 0) to (0, 1): the cosine stays with its own channel, and"
    side += " the sine takes to the other one. One of the two sines has a minus."
    fast = "The angle is place times speed."
    both = "(0, 1) must turn as well: what is new in the first channel is -sin of the second."
    cases = [
        ((torch.tensor([2.0, 1.0]), 0, 1.0), torch.tensor([2.0, 1.0]), still),
        ((torch.tensor([1.0, 0.0]), 1, quarter), torch.tensor([0.0, 1.0]), side),
        ((torch.tensor([0.0, 1.0]), 1, quarter), torch.tensor([-1.0, 0.0]), both),
        ((torch.tensor([1.0, 0.0]), 4, quarter / 2), torch.tensor([-1.0, 0.0]), fast),
    ]
    check_attempt(my_turn, cases)


def shares(my_shares: Callable) -> None:
    """Check the points that novelty and length cost, each the mean over the two orders."""
    pair = "Return two numbers, novelty's points and length's. Here neither costs anything twice:"
    pair += " 100 to 70 by novelty alone, 100 to 80 by length alone, 100 to 50 by both."
    first = "Whoever comes first finds all that can be broken, whoever comes second only what is"
    first += " left. Novelty: (neither - novel) if it's first, (long - both) if it's second."
    total = "Together they must make neither - both, whatever the four numbers are."
    cases = [
        ((100.0, 70.0, 80.0, 50.0), (30.0, 20.0), pair),
        ((100.0, 0.0, 0.0, 0.0), (50.0, 50.0), first),
        ((90.0, 40.0, 80.0, 10.0), (60.0, 20.0), total),
    ]
    check_attempt(my_shares, cases)
