"""Checks of lab 07g: one loss for all machines, who gets which rows, what must be the same."""

from collections import Counter
from collections.abc import Callable, Mapping

from helpers.checks import check_attempt
from helpers.workshop.exercises.answers import check_answers

# What a training has in several processes: the same in all, each its own, or one alone does it.
KEPT = {
    "a": ("same", "if they differed, which of them would be the model?"),
    "b": (
        "own",
        "with the same rows, the second machine would do the first one's work again",
    ),
    "c": ("same", "the same gradient at another rate is another step"),
    "d": ("own", "with the same numbers, the same channels would be dropped everywhere at once"),
    "e": ("same", "Adam divides by its memory: with another one it makes another step"),
    "f": ("one", "two that write one file at once leave half of each"),
    "g": ("same", "with two orders, each takes its rows of another list: what is nobody's then?"),
}


def loss(my_loss: Callable) -> None:
    """Check a loss whose gradients, averaged over the machines, are those of one machine."""
    alone = "Alone, it's the plain mean over the tokens."
    count = "What do all tokens of all machines have in common? And DDP halves what two bring."
    nothing = "A machine may have no token at all: dividing by its own count would be 0/0."
    cases = [
        ((6.0, 3, 3, 1), 2.0, alone),
        ((6.0, 3, 12, 2), 1.0, count),
        ((0.0, 0, 12, 2), 0.0, nothing),
        ((6.0, 3, 12, 4), 2.0, "With four machines, DDP leaves a quarter."),
    ]
    check_attempt(my_loss, cases)


def _fault_of_deal(dealt: list[list[str]], rows: list[str]) -> str:
    given = Counter(row for hand in dealt for row in hand)
    if lost := [row for row in rows if row not in given]:
        return f"nobody gets {lost[0]!r}\nhint: what's left over when the rows don't divide evenly?"
    if twice := [row for row, count in given.items() if count > 1]:
        return f"{twice[0]!r} is given twice\nhint: each machine needs rows of its own."
    counts = [len(hand) for hand in dealt]
    if max(counts) - min(counts) > 1:
        return f"the machines get {counts} rows\nhint: no one should have two more than another."
    lengths = [sum(map(len, hand)) for hand in dealt]
    if min(counts) and max(lengths) > 1.5 * min(lengths):
        hint = "the rows come sorted by length. Deal them out like cards."
        return f"the machines get {lengths} letters, and the first waits for the last\nhint: {hint}"
    return ""


def rows(my_rows: Callable) -> None:
    """Check how the rows of a batch, sorted by length, are dealt out to machines."""
    for count, world in ((12, 2), (13, 2), (14, 3), (1, 2)):
        batch = ["x" * (length + 1) for length in range(count)]
        try:
            dealt = [my_rows(list(batch), rank, world) for rank in range(world)]
            if any(hand is None for hand in dealt):
                print("not tried yet: your function returns nothing")
                return
            fault = _fault_of_deal(dealt, batch)
        except Exception as error:  # whatever the reader's code raises becomes one line
            fault = f"{type(error).__name__}: {error}\nhint: rows is a list; return a part of it."
        if fault:
            print(f"not yet, {count} rows for {world} machines: {fault}")
            return
    print("right: every row once, and nobody waits long")


def kept(my_answers: Mapping) -> None:
    """Check what must be the same in all processes; None is still open."""

    def fault_of(name: str, said) -> str:
        truth, why = KEPT[name]
        if said not in ("same", "own", "one"):
            return f'{name} says {said!r}; give "same", "own" or "one"'
        return "" if said == truth else f"think again about {name}\nhint: {why}"

    check_answers(my_answers, KEPT, fault_of, "line", "seven of seven")
