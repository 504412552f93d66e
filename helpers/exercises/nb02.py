"""Checks of notebook 02: a table of weights, scores that reach a point, masks, windows, pads."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from helpers.checks import check_attempt
from helpers.exercises import typed_numbers

WORDS = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [1.0, 1.0]])  # i saw a saw
GOAL = (0.4, 1.6)
ADVICE = "; are all rows equally long?"
NEAR = 0.015  # how far from the goal still counts as there
HUNDRED = 100.0  # the score that `i` must have there
LOUD = 120.0  # points with which one word leaves the others a share that is rounded to 0
SCORES = torch.tensor([[0.0, 2, 4, 2], [2, 3, 4, 3], [4, 4, 4, 4], [2, 3, 4, 3]])  # typed there


def one_back(my_table) -> None:
    """Check a table that hands each word the word before it; the first word keeps itself."""
    table = typed_numbers(my_table, (4, 4), "my_table", ADVICE)
    if table is None:
        return
    places = torch.tensor([0, 0, 1, 2])
    wanted = torch.eye(4, dtype=torch.float64)[places]
    wrong = [row + 1 for row in range(4) if not torch.equal(table[row], wanted[row])]
    if not wrong:
        print("right: each word has received the word before it")
    elif torch.equal(table, torch.eye(4, dtype=torch.float64)[[1, 2, 3, 3]]):
        print("not yet: each word receives the word after it; which way is back?")
    elif torch.equal(table.T, wanted):
        print("not yet: turned over; a row belongs to the word that takes, a column to a giver")
    elif wrong == [1]:
        print("nearly: all rows but row 1 are right; i has nothing before it and keeps itself")
    else:
        print(f"not yet: row {wrong[0]} is the first that doesn't fit")
        print("hint: read that row aloud: so much of i, so much of saw, so much of a, ...")


def reach(my_scores) -> None:
    """Check four scores, 100 for `i`, whose softmax takes the last `saw` to the goal."""
    scores = typed_numbers(my_scores, (4,), "my_scores", ADVICE)
    if scores is None:
        return
    weights = torch.softmax(scores, dim=0)
    if weights.isnan().any():
        print("not yet: softmax makes NaN of these scores; leave at least one of them finite")
        return
    verb, noun = (weights @ WORDS.double()).tolist()
    here, hundred = f"({verb:.2f}, {noun:.2f})", bool(scores[0] == HUNDRED)
    if math.dist((verb, noun), GOAL) <= NEAR:
        if hundred:
            print(f"right: your scores take the last saw to {here}, from a hundred")
            return
        print(f"nearly: they take the last saw to {here}, but i has {scores[0]:g} and not 100")
        print("hint: which of these four numbers matter, and which differences?")
        return
    print(f"not yet: your scores take the last saw to {here}, the ring is at {GOAL}")
    print("hint: " + _way_to_the_ring(scores, weights, hundred))


def _way_to_the_ring(scores: Tensor, weights: Tensor, hundred: bool) -> str:
    """Say what keeps these scores from the ring."""
    verb, noun = (weights @ WORDS.double()).tolist()
    aim = (scores @ WORDS.double()).tolist()
    if abs(scores.sum() - 1) < 0.02 and math.dist(aim, GOAL) < 0.03:
        return "these are the weights themselves; which numbers does softmax turn into them?"
    if hundred and weights[0] > 0.99:
        return "i leads by so much that it takes all; by how much should the others lead i?"
    if abs(noun - verb) < NEAR:
        return "still on the fence; which word pulls the dot up, which one to the right?"
    if noun < verb:
        return "it's on the wrong side; which word pulls the dot up, which one to the right?"
    if noun < GOAL[1]:
        return "the right direction, not far enough; leads count, so make one larger"
    return "too far; leads count, so make one smaller"


def masked(my_masked: Callable) -> None:
    """Check weights from scores and a mask by two tests: sums of rows, and the future."""
    triangle = torch.ones(4, 4).tril().bool()
    table = _try_to_mask(my_masked, triangle)
    if table is None:
        return
    wanted = torch.softmax(SCORES.double().masked_fill(~triangle, -math.inf), dim=-1)
    sums, ahead = table.sum(dim=1), table.masked_fill(triangle, 0.0).sum(dim=1)
    if torch.allclose(table, wanted, atol=1e-4):
        _other_mask(my_masked, triangle)
    elif table.isnan().any():
        print("not yet: there's NaN in it; in that row everything was hidden")
        print("hint: does a True in keep hide a word, or show it? And what does masked_fill want?")
    elif torch.allclose(table.sum(dim=0), torch.ones(4, dtype=torch.float64), atol=1e-4):
        print("not yet: the columns sum to 1, not the rows; along which axis do the shares add up?")
    elif (table < 0).any() or table.isinf().any() or (sums > 1.01).any():
        print("not yet: these are still scores; which function turns them into shares?")
    elif (ahead > 1e-6).any():
        row = int(ahead.argmax())
        print(f"not yet: row {row + 1} takes {ahead[row]:.2f} of its whole from the future")
        print("hint: which score has an exponential of exactly 0? And where must it stand?")
    elif not torch.allclose(sums, torch.ones(4, dtype=torch.float64), atol=1e-4):
        row = int((sums - 1).abs().argmax())
        print(f"not yet: the future is hidden, but row {row + 1} sums to {sums[row]:.2f}")
        print("hint: softmax divides by a sum; what was still in it when it did?")
    else:
        print("not yet: rows sum to 1 and nothing comes from the future, but the shares differ")
        print("hint: within a row, each score higher by 1 should weigh e times as much")


def _try_to_mask(my_masked: Callable, keep: Tensor) -> Tensor | None:
    """Return the weights that a reader's function makes, or say why there are none."""
    return _try_to_mend(lambda scores: my_masked(scores, keep.clone()), SCORES)


def _other_mask(my_masked: Callable, triangle: Tensor) -> None:
    """Hand a reader's function another mask, to see whether it's the one it is given."""
    other = triangle.T.clone()
    table = _try_to_mask(my_masked, other)
    if table is None:
        return
    wanted = torch.softmax(SCORES.double().masked_fill(~other, -math.inf), dim=-1)
    if torch.allclose(table, wanted, atol=1e-4):
        print("right: every row sums to 1, and nothing comes from what is hidden")
    else:
        print("nearly: right for the triangle, but with another keep it isn't")
        print("hint: use the keep that your function is given, not one from outside")


def mended(mend: Callable) -> None:
    """Check what makes Cho's table of Dev's, and say what becomes of it when one word is loud."""
    keep = torch.ones(4, 4).tril().bool()
    short = torch.softmax(SCORES, dim=-1).masked_fill(~keep, 0.0)
    table = _try_to_mend(mend, short)
    if table is None:
        return
    short = short.double()
    sums, whole = table.sum(dim=1), torch.ones(4, dtype=torch.float64)
    if torch.allclose(table, short / short.sum(dim=1, keepdim=True), atol=1e-4):
        print("right: every bar ends at 1, and on paper it's Cho's table")
        _shout(mend, keep)
    elif torch.allclose(table, short, atol=1e-4):
        print("not yet: that's still Dev's own table, with its short bars")
    elif table.isnan().any():
        print("not yet: there's NaN in it; which row was divided by 0?")
    elif (table[~keep] != 0).any():
        print("not yet: the future gets a share again; a second softmax hands one to everybody")
    elif torch.allclose(table, short / short.sum(dim=1), atol=1e-4) or torch.allclose(
        table.sum(dim=0), whole, atol=1e-4
    ):
        print("not yet: columns were divided; keep the sums of the rows standing as a column")
    elif not torch.allclose(sums, whole, atol=1e-4):
        row = int((sums - 1).abs().argmax()) + 1
        print(f"not yet: row {row} sums to {sums[row - 1]:.2f}; every bar should end at 1")
    else:
        print("not yet: every bar ends at 1, but the shares within a row aren't Dev's any more")
        print("hint: a whole row may be made larger; what must stay as it is within it?")


def _try_to_mend(mend: Callable, short: Tensor) -> Tensor | None:
    """Return the table that a reader's function makes of Dev's, or say why there is none."""
    try:
        table = mend(short.clone())
    except Exception as error:  # whatever the reader's code raises becomes one line
        print(f"not yet: {type(error).__name__}: {error}")
        return None
    if table is None:
        print("not tried yet: your function returns nothing")
        return None
    return typed_numbers(table, (4, 4), "your table", ADVICE)


def _shout(mend: Callable, keep: Tensor) -> None:
    """Raise the last word's scores, mend Dev's table again and say which rows can't be saved."""
    loud = SCORES + torch.tensor([0.0, 0.0, 0.0, LOUD])
    table = _try_to_mend(mend, torch.softmax(loud, dim=-1).masked_fill(~keep, 0.0))
    if table is None:
        return
    cho = torch.softmax(loud.masked_fill(~keep, -math.inf), dim=-1).double()
    lost = [row + 1 for row in range(4) if not torch.allclose(table[row], cho[row], atol=1e-4)]
    if lost:
        rows, are = ", ".join(map(str, lost)), "NaN" if table.isnan().any() else "not Cho's"
        raised = f"raise the last word's scores by {LOUD:g}, and rows {rows} are {are}"
        print(f"but {raised}: mask before you divide")


def padded_means(mean_of_real: Callable) -> None:
    """Check the means of sentences that were filled up with pads."""
    pad = [100.0, 100.0]
    x = torch.tensor([
        [[2.0, 1.0], [4.0, 3.0], pad],
        [[6.0, 6.0], pad, pad],
        [[1.0, 0.0], [2.0, 0.0], [6.0, 3.0]],
    ])  # fmt: skip
    means, with_empty = [[3.0, 2.0], [6.0, 6.0], [3.0, 1.0]], [[3.0, 2.0], [0.0, 0.0], [3.0, 1.0]]
    full = torch.linspace(-1, 1, 24).reshape(2, 3, 4)
    plain = "without pads it's the plain mean over time, of shape (batch, channels)"
    first = "leave the pads out of the sum, and divide by each sentence's own length"
    empty = "only the empty sentence gets zeros; 0/0 is NaN, so what may you divide by there?"
    cases = [
        ((full, torch.tensor([3, 3])), full.mean(dim=1), plain),
        ((x, torch.tensor([2, 1, 3])), torch.tensor(means), first),
        ((x, torch.tensor([2, 0, 3])), torch.tensor(with_empty), empty),
    ]
    check_attempt(mean_of_real, cases)
