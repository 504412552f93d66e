"""Checks of lab 08a: coins for kinds of words, a split without leaks, a frozen direction."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.checks import check_attempt

ANIMALS = "ant bee cat dog elk fox gnu hen jay koi owl pig".split()


def coins(my_coins: Callable) -> None:
    """Check coins: 0 or 1 for each word of a list, the same for the same word, by a seed."""

    def look(case: str) -> str | None:
        words, tossed = ANIMALS * 5, my_coins(ANIMALS * 5, 0)
        if tossed is None:
            return None
        found = [int(coin) for coin in tossed]
        if len(found) != len(words):
            raise AssertionError(f"{len(words)} words got {len(found)} coins")
        if {*found} - {0, 1}:
            raise AssertionError(f"a coin shows {sorted({*found} - {0, 1})[0]}, not 0 or 1")
        if case == "kinds":
            pairs = {*zip(words, found, strict=True)}
            torn = sorted(word for word in ANIMALS if {(word, 0), (word, 1)} <= pairs)
            if torn:
                raise AssertionError(f"{torn[0]!r} has 0 in one place and 1 in another")
        if case == "chance":
            others = [tuple(int(c) for c in my_coins(words, seed)) for seed in range(1, 20)]
            if len({tuple(found), *others}) < 10:
                raise AssertionError("20 seeds gave fewer than 10 different answers")
        if case == "again" and found != [int(coin) for coin in my_coins(words, 0)]:
            raise AssertionError("the same seed gave other coins the second time")
        return "fine"

    hints = {
        "kinds": "Toss for each kind of word first, {word: coin}, and look the words up then.",
        "chance": "Does the seed reach the generator that you draw from?",
        "again": "Make a generator from the seed inside your function.",
    }
    check_attempt(look, [((case,), "fine", hint) for case, hint in hints.items()])


def split(my_split: Callable) -> None:
    """Check a split: ask about one pair of deciding words, fit where neither of the two stands."""
    let, thought = frozenset({"let", "said"}), frozenset({"let", "thought"})
    helped, doubted = frozenset({"helped", "said"}), frozenset({"helped", "thought"})
    deciding = [let, let, thought, doubted, doubted, helped, let, thought]

    def both(deciding: list, pair: frozenset) -> tuple[Tensor, Tensor] | None:
        found = my_split(deciding, pair)
        if found is None:
            return None
        fit, ask = (torch.as_tensor(part).long() for part in found)
        if len(fit) == len(ask) == len(deciding) and ((fit == 1) & (ask == 1)).any():
            raise AssertionError("a sentence is asked about and fitted on, too")
        shared = [each & pair for each, chosen in zip(deciding, fit.tolist(), strict=False)]
        leaked = sorted(set().union(*(s for s, f in zip(shared, fit, strict=False) if f)))
        if leaked:
            raise AssertionError(f"{leaked[0]!r} stands in what is asked and in what is fitted on")
        return fit, ask

    def wanted(pair: frozenset) -> tuple[Tensor, Tensor]:
        fit = [not each & pair for each in deciding]
        return torch.tensor(fit).long(), torch.tensor([each == pair for each in deciding]).long()

    hint = "Sets have an &: what two of them share. Some sentences are in neither part."
    check_attempt(both, [((deciding, pair), wanted(pair), hint) for pair in (let, doubted)])


def direction(my_direction: Callable) -> None:
    """Check the direction in which the stream scores, once the norm's spread is frozen."""
    torch.manual_seed(0)
    apart, gain = torch.randn(8) + 1, torch.rand(8) + 0.5
    cases, ones = [], torch.ones(8)
    hints = (
        "The norm subtracts the mean of the stream. Which sum over channels is that in the end?",
        "The gains act after the mean was taken off. Multiply before you take off the mean.",
        "Last comes the division by the spread.",
    )
    for gains, spread, hint in (
        (ones, 1.0, hints[0]),
        (gain, 1.0, hints[1]),
        (gain, 2.5, hints[2]),
    ):
        right = gains * apart
        cases.append(((gains, torch.tensor(spread), apart), (right - right.mean()) / spread, hint))
    check_attempt(my_direction, cases)
