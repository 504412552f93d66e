"""Checks of notebook 02: a table of weights, scores that reach a point, masks, windows, pads."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from helpers.checks import check_attempt
from helpers.exercises.grading import NotYet, graded, result_of, typed_numbers

WORDS = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [1.0, 1.0]])  # i saw a saw
GOAL = (0.4, 1.6)
NEAR = 0.015  # how far from the goal still counts as there
HUNDRED = 100.0  # the score that `i` must have there
LOUD = 120.0  # points with which one word leaves the others a share that is rounded to 0
SCORES = torch.tensor([[0.0, 2, 4, 2], [2, 3, 4, 3], [4, 4, 4, 4], [2, 3, 4, 3]])  # typed there
TRIANGLE = torch.ones(4, 4).tril().bool()


@graded
def one_back(my_table) -> str:
    """Check a table that hands each word the word before it; the first word keeps itself."""
    table = typed_numbers(my_table, (4, 4), "my_table", finite=False)
    same = torch.eye(4, dtype=torch.float64)
    wanted = same[[0, 0, 1, 2]]
    wrong = [row + 1 for row in range(4) if not torch.equal(table[row], wanted[row])]
    if not wrong:
        return ": each word has received the word before it"
    if torch.equal(table, same[[1, 2, 3, 3]]):
        raise NotYet("each word receives the word after it; which way is back?")
    if torch.equal(table.T, wanted):
        raise NotYet("turned over; a row belongs to the word that takes, a column to a giver")
    if wrong == [1]:
        own = "all rows but row 1 are right; i has nothing before it and keeps itself"
        raise NotYet(own, verdict="nearly: ")
    aloud = "read that row aloud: so much of i, so much of saw, so much of a, ..."
    raise NotYet(f"row {wrong[0]} is the first that doesn't fit", aloud)


@graded
def reach(my_scores) -> str:
    """Check four scores, 100 for `i`, whose softmax takes the last `saw` to the goal."""
    scores = typed_numbers(my_scores, (4,), "my_scores", finite=False)
    weights = torch.softmax(scores, dim=0)
    if weights.isnan().any():
        raise NotYet("softmax makes NaN of these scores; leave at least one of them finite")
    verb, noun = (weights @ WORDS.double()).tolist()
    here, hundred = f"({verb:.2f}, {noun:.2f})", bool(scores[0] == HUNDRED)
    if math.dist((verb, noun), GOAL) > NEAR:
        what = f"your scores take the last saw to {here}, the ring is at {GOAL}"
        raise NotYet(what, _way_to_the_ring(scores, weights, hundred))
    if not hundred:
        what = f"they take the last saw to {here}, but i has {scores[0]:g} and not 100"
        hint = "which of these four numbers matter, and which differences?"
        raise NotYet(what, hint, "nearly: ")
    return f": your scores take the last saw to {here}, from a hundred"


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


def _shares(scores: Tensor, keep: Tensor) -> Tensor:
    """Return the weights of scores under a mask, in double precision."""
    return torch.softmax(scores.double().masked_fill(~keep, -math.inf), dim=-1)


def _table_of(attempt: Callable, *given: Tensor) -> Tensor:
    """Return the table that a reader's function makes."""
    table = result_of(attempt, *(each.clone() for each in given))
    return typed_numbers(table, (4, 4), "your table", finite=False)


@graded
def masked(my_masked: Callable) -> str:
    """Check weights from scores and a mask by two tests: sums of rows, and the future."""
    table = _table_of(my_masked, SCORES, TRIANGLE)
    if not torch.allclose(table, _shares(SCORES, TRIANGLE), atol=1e-4):
        raise NotYet(*_why_unmasked(table))
    other = TRIANGLE.T
    if not torch.allclose(_table_of(my_masked, SCORES, other), _shares(SCORES, other), atol=1e-4):
        hint = "use the keep that your function is given, not one from outside"
        raise NotYet("right for the triangle, but with another keep it isn't", hint, "nearly: ")
    return ": every row sums to 1, and nothing comes from what is hidden"


def _why_unmasked(table: Tensor) -> tuple[str, str]:
    """Say what is wrong with weights under the triangle, and a hint."""
    sums, ahead = table.sum(dim=1), table.masked_fill(TRIANGLE, 0.0).sum(dim=1)
    row, far = int(ahead.argmax()), int((sums - 1).abs().argmax())
    whole = torch.ones(4, dtype=torch.float64)
    if table.isnan().any():
        hint = "does a True in keep hide a word, or show it? And what does masked_fill want?"
        return "there's NaN in it; in that row everything was hidden", hint
    if torch.allclose(table.sum(dim=0), whole, atol=1e-4):
        return "the columns sum to 1, not the rows; along which axis do the shares add up?", ""
    if (table < 0).any() or table.isinf().any() or (sums > 1.01).any():
        return "these are still scores; which function turns them into shares?", ""
    if (ahead > 1e-6).any():
        hint = "which score has an exponential of exactly 0? And where must it stand?"
        return f"row {row + 1} takes {ahead[row]:.2f} of its whole from the future", hint
    if not torch.allclose(sums, whole, atol=1e-4):
        hint = "softmax divides by a sum; what was still in it when it did?"
        return f"the future is hidden, but row {far + 1} sums to {sums[far]:.2f}", hint
    hint = "within a row, each score higher by 1 should weigh e times as much"
    return "rows sum to 1 and nothing comes from the future, but the shares differ", hint


@graded
def mended_table(mend: Callable) -> str:
    """Check what makes Cho's table of Dev's, and say what becomes of it when one word is loud."""
    short = torch.softmax(SCORES, dim=-1).masked_fill(~TRIANGLE, 0.0)
    table, short = _table_of(mend, short), short.double()
    sums, whole = table.sum(dim=1), torch.ones(4, dtype=torch.float64)
    if torch.allclose(table, short / short.sum(dim=1, keepdim=True), atol=1e-4):
        return ": every bar ends at 1, and on paper it's Cho's table" + _shout(mend)
    if torch.allclose(table, short, atol=1e-4):
        raise NotYet("that's still Dev's own table, with its short bars")
    if table.isnan().any():
        raise NotYet("there's NaN in it; which row was divided by 0?")
    if (table[~TRIANGLE] != 0).any():
        raise NotYet("the future gets a share again; a second softmax hands one to everybody")
    across = torch.allclose(table, short / short.sum(dim=1), atol=1e-4)
    if across or torch.allclose(table.sum(dim=0), whole, atol=1e-4):
        raise NotYet("columns were divided; keep the sums of the rows standing as a column")
    if not torch.allclose(sums, whole, atol=1e-4):
        row = int((sums - 1).abs().argmax()) + 1
        raise NotYet(f"row {row} sums to {sums[row - 1]:.2f}; every bar should end at 1")
    hint = "a whole row may be made larger; what must stay as it is within it?"
    raise NotYet("every bar ends at 1, but the shares within a row aren't Dev's any more", hint)


def _shout(mend: Callable) -> str:
    """Raise the last word's scores, mend Dev's table again and say which rows can't be saved."""
    loud = SCORES + torch.tensor([0.0, 0.0, 0.0, LOUD])
    table = _table_of(mend, torch.softmax(loud, dim=-1).masked_fill(~TRIANGLE, 0.0))
    cho = _shares(loud, TRIANGLE)
    lost = [row + 1 for row in range(4) if not torch.allclose(table[row], cho[row], atol=1e-4)]
    if not lost:
        return ""
    rows, are = ", ".join(map(str, lost)), "NaN" if table.isnan().any() else "not Cho's"
    raised = f"raise the last word's scores by {LOUD:g}, and rows {rows} are {are}"
    return f"\nbut {raised}: mask before you divide"


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
