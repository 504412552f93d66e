"""Checks of the exercises of notebook 01: averages by head, weights by hand, four functions."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.checks import check_attempt

VECTORS = {"i": (2.0, 0.0), "a": (0.0, 2.0), "saw": (1.0, 1.0), "big": (1.0, 1.0)}
CLEAR = 0.5  # so much more of one channel than of the other is clear of the fence


def _embed(sentence: str) -> Tensor:
    """Look the words of a sentence up: (t, 2)."""
    return torch.tensor([VECTORS[word] for word in sentence.split()])


def _average_past(x: Tensor) -> Tensor:
    """Average each row with all rows before it: (batch, time, channels), as the loop does."""
    means = [x[:, : t + 1].mean(dim=1) for t in range(x.shape[1])]
    return torch.stack(means, dim=1)


def _random(*size: int) -> Tensor:
    """Draw numbers without touching the notebook's own seed."""
    return torch.randn(size, generator=torch.Generator().manual_seed(1))


_HERE, _THERE, _BIG = "i saw a saw", "a saw i saw", "i saw a big saw"
_HINTS = (
    "Two of the words pull in opposite directions. Which place should be the louder one?",
    "Of the last four words, saw a big saw, only one pulls. How much weight has its place?",
)
_WORDS, _TWIN = _embed(_HERE), _embed(_THERE)
_FOUR, _X = torch.eye(4)[None], _random(2, 6, 3)


def twin_rows(rows) -> None:
    """Check the four averages of `a saw i saw`, each a pair of numbers; print one line."""
    if rows is None:
        print("not tried yet: my_rows is None")
        return
    given = _numbers(rows)
    if given is None or given.shape != (4, 2):
        print("not yet: give four pairs of numbers, a pair for each word")
        return
    wrong = (given - _average_past(_TWIN[None])[0]).abs().amax(dim=1) > 0.01
    if not wrong.any():
        print("right, all four rows")
        return
    place = int(wrong.int().argmax())
    print(f"not yet: row {place + 1} is not right\nhint: {_why_other(given, place)}")


def _why_other(given: Tensor, place: int) -> str:
    """Say what may have happened in the first row that is wrong."""
    row, first = given[place], _TWIN[: place + 1]
    if torch.allclose(given, _average_past(_WORDS[None])[0], atol=0.01):
        return "These are the averages of `i saw a saw`. The twin begins with `a`."
    if torch.allclose(row, first.sum(dim=0), atol=0.01):
        return f"That is the sum. There are {place + 1} words in it: divide."
    if torch.allclose(row, _TWIN[place], atol=0.01):
        return "That is the word by itself. Which words stood before it?"
    if torch.allclose(row.flip(0), first.mean(dim=0), atol=0.01):
        return "Your two numbers have changed places: the verb's channel comes first."
    words = ", ".join("a saw i saw".split()[: place + 1])
    return f"Row {place + 1} averages {words}. Add them channel by channel, then divide."


def last_row(weights) -> None:
    """Check weights of the last four words: tool here and behind `big`, to see in the twin."""
    if weights is None:
        print("not tried yet: my_weights is None")
        return
    given = _numbers(weights)
    if given is None or given.shape != (4,):
        print("not yet: give four numbers, one for each word")
    elif (given < 0).any():
        print("not yet: a weight is below 0\nhint: A share of a word is nothing or more.")
    elif abs(float(given.sum()) - 1) > 0.001:
        print(f"not yet: the weights sum to {float(given.sum()):.2f}, and not to 1")
    else:
        print(_verdict(given))


def _verdict(given: Tensor) -> str:
    """Say where the last `saw` of the three sentences lands with these weights."""
    last = {text: given @ _embed(text)[-4:] for text in (_HERE, _THERE, _BIG)}
    lands = ", ".join(f"{_point(vector)} in {text}" for text, vector in last.items())
    ahead = {text: float(vector[1] - vector[0]) for text, vector in last.items()}
    ahead[_THERE] *= -1  # there it should be the verb
    for text, lead in ahead.items():
        if lead < CLEAR - 0.001:
            where = "on the wrong side" if lead < -0.001 else "too close to the fence"
            where = "on the fence" if abs(lead) <= 0.001 else where
            return f"not yet, {where} in {text}: {lands}\nhint: {_HINTS[text == _BIG]}"
    return f"right: the last saw is at {lands}"


def _point(vector: Tensor) -> str:
    """Write a point with two decimals."""
    return f"({', '.join(f'{float(value) + 0.0:.2f}' for value in vector)})"


def _numbers(given) -> Tensor | None:
    """Make a tensor of what a reader typed, or None if it holds anything but numbers."""
    try:
        given = given.tolist() if isinstance(given, Tensor) else given
        found = torch.tensor(given, dtype=torch.float32)
    except (TypeError, ValueError, RuntimeError):
        return None
    return found if found.isfinite().all() else None


def window_mean(attempt: Callable) -> None:
    """Check a function (x, window) that averages each row with the few rows before it."""
    early = "Where does the slice of the first rows start? Below 0 Python counts from the end."
    pairs = torch.tensor([[[2.0, 0], [1.5, 0.5], [0.5, 1.5], [0.5, 1.5]]])
    thirds = torch.tensor([[[3.0, 0, 0, 0], [1.5, 1.5, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1]]]) / 3
    words = _WORDS[None]
    check_attempt(attempt, [
        ((words, 1), words, "A window of 1 holds only the word itself."),
        ((words, 2), pairs, f"With a window of 2 a row averages a word and its neighbour. {early}"),
        ((_FOUR, 3), thirds, f"Each row takes in at most three words. {early}"),
        ((_X, 6), _average_past(_X), "A window over the whole sentence is our loop."),
        ((_X, 60), _average_past(_X), f"The window may be longer than the sentence. {early}"),
    ])  # fmt: skip


def undo(attempt: Callable) -> None:
    """Check a function that gets the averages of the loop and gives back the words."""
    one, two = torch.tensor([[[5.0, -3.0]]]), torch.tensor([[[2.0], [5.0]]])
    back, words = torch.tensor([[[2.0], [8.0]]]), _WORDS[None]
    check_attempt(attempt, [
        ((one,), one, "The average of a single word is the word itself."),
        ((two,), back, "If 2 and another number average to 5, which number is it?"),
        ((_average_past(words),), words, "How do you get from an average back to a sum?"),
        ((_average_past(_X),), _X, "Do it for each sentence and each channel; the shape stays."),
    ], atol=1e-3)  # fmt: skip
