"""Checks of lab 01a: a bound that fits, rounding or more, a window made of running sums."""

import torch
from torch import Tensor

from helpers.checks import check_attempt

VERDICTS = {"a": "rounding", "b": "more", "c": "more"}
WHY = {
    "a": "compare box a with the loop in float64, too: does its gap shrink?",
    "b": "a small gap is no proof: look at box b again in float64, where rounding is 1e-16",
    "c": "box c gives float64 back; how large is its gap there, and how large may rounding be?",
}


def bound(atol) -> None:
    """Try an atol on averages of numbers near 1000: right programs pass, wrong ones do not."""
    if atol is None:
        print("not tried yet: my_atol is None")
        return
    if isinstance(atol, bool) or not isinstance(atol, int | float) or not 0 <= atol < float("inf"):
        print("not yet: give one number, such as 0.5; it says how far apart two numbers may be")
        return
    near = torch.full((1,), 1000.0)
    tick = (torch.nextafter(near, 2 * near) - near).item()
    if atol < 2 * tick:
        said = "too tight: two right programs may be two ticks apart"
        hint = "look in the table how far apart the ticks are at 1000, and allow a few of them"
    elif atol >= 1:
        said = "too loose: an answer that is wrong by a thousandth, 1001, would pass"
        hint = "stay well below the error that you want to catch"
    else:
        print("right, rounding passes and an answer that is wrong by a thousandth does not")
        return
    print(f"not yet, {said}\nhint: {hint}")


def box_a(x: Tensor) -> Tensor:
    """Average the past of x (batch, time, channels), in a way of its own."""
    totals = x.flip(1).cumsum(1).flip(1)  # of each token and all after it
    past = totals[:, :1] - totals + x
    return past / _counts(x)


def box_b(x: Tensor) -> Tensor:
    """Average the past of x (batch, time, channels), in a way of its own."""
    return x.cumsum(1) / (_counts(x) + 1e-7)


def box_c(x: Tensor) -> Tensor:
    """Average the past of x (batch, time, channels), in a way of its own."""
    return (x.float().cumsum(1) / _counts(x.float())).to(x.dtype)


def _counts(x: Tensor) -> Tensor:
    return torch.arange(1, x.size(1) + 1, dtype=x.dtype)[:, None]


def verdicts(given) -> None:
    """Check the verdict on each of the three boxes: rounding, or more."""
    if not isinstance(given, dict) or {*given} != {*VERDICTS}:
        print("not yet: give a dictionary with a verdict for a, b and c")
        return
    if all(verdict is None for verdict in given.values()):
        print("not tried yet: no box has a verdict")
        return
    for box, verdict in given.items():
        if verdict is None:
            print(f"not yet: box {box} has no verdict")
        elif verdict not in ("rounding", "more"):
            print(f"not yet: the verdict on box {box} is {verdict!r}; take 'rounding' or 'more'")
        elif verdict != VERDICTS[box]:
            print(f"not yet: box {box} is something else\nhint: {WHY[box]}")
        else:
            continue
        return
    print("right, all three verdicts; two of the boxes hid behind a gap as small as rounding")


def window(attempt) -> bool:
    """Try a function of (x, window) that means over the last few tokens, without a loop."""
    x = torch.tensor([[[2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [1.0, 1.0]]])
    torch.manual_seed(0)
    drawn = torch.randn(2, 7, 3)
    pairs = torch.tensor([[[2.0, 0.0], [1.5, 0.5], [0.5, 1.5], [0.5, 1.5]]])
    start = "the first rows have fewer tokens than the window: divide by how many there are"
    cases = [
        ((x, 1), x, "with a window of 1 only the token itself is left: sum up to t minus sum "
         "up to t - 1"),
        ((x, 4), x.cumsum(1) / _counts(x), f"a window as long as the sentence is the mean of the "
         f"past; {start}"),
        ((x, 2), pairs, f"row t is the sum up to t minus the sum up to t - 2, divided; {start}"),
        ((drawn, 3), _window(drawn, 3), "with a window of 3, row 5 holds tokens 3, 4, 5"),
        ((drawn, 20), _window(drawn, 20), "the window may be longer than the sentence"),
    ]
    return check_attempt(attempt, cases)


def _window(x: Tensor, size: int) -> Tensor:
    rows = [x[:, max(0, t + 1 - size) : t + 1].mean(dim=1) for t in range(x.size(1))]
    return torch.stack(rows, dim=1)
