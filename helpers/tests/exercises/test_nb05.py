import pytest
import torch
import torch.nn.functional as F

from helpers.exercises import nb05 as check
from helpers.masks import causal_keep, padding_keep
from helpers.text import PAD

OPEN = ["x" * 6] * 6


def said(capsys, call, *arguments):
    call(*arguments)
    return capsys.readouterr().out.strip()


def covered(*cells):
    """Give the mask of the exercise with these cells (row, column), from 1, covered."""
    rows = [list(row) for row in OPEN]
    for row, column in cells:
        rows[row - 1][column - 1] = "."
    return ["".join(row) for row in rows]


ANSWERS = [(place, place + 1) for place in range(1, 6)]
FUTURE = [(row, column) for row in range(1, 7) for column in range(row + 1, 7)]


def test_the_opening_has_an_impossible_loss_and_a_parrot(capsys):
    state = torch.get_rng_state()
    out = said(capsys, check.champagne).splitlines()
    counted, written = (list(map(int, line.split(":")[1].split())) for line in out[:2])
    assert all((counted[n] - counted[n - 2]) % 20 in (1, 2) for n in range(2, 13))
    assert written[:2] == counted[:2] and set(written[2:]) == {written[1]} != {written[0]}
    assert out[2] == "after 300 steps of training: loss 0.00"
    assert torch.equal(state, torch.get_rng_state())


def test_the_shift_that_is_handed_out_is_right(capsys):
    assert said(capsys, check.shifted, check.our_shift) == "right, in 2 of 2 cases"


@pytest.mark.parametrize("stub", [None, [], OPEN])
def test_an_untouched_mask_gets_no_hint(capsys, stub):
    assert said(capsys, check.painted, stub) == "not tried yet: no cell is covered"


def test_shifted(tells_apart):
    wrong = {
        "only learns to repeat": lambda ids: (ids[:, :-1], ids[:, :-1]),
        "What comes next": lambda ids: (ids[:, 1:], ids[:, :-1]),
        "hint": lambda ids: (ids[:-1], ids[1:]),
    }
    tells_apart(check.shifted, [lambda ids: (ids[:, :-1], ids[:, 1:])], wrong.items())


def test_painted(capsys):
    out = said(capsys, check.painted, covered(*ANSWERS))
    assert "3.0 3.0 3.0 3.0 3.0 3.0" in out and "right" in out and "fewer won't do" in out
    out = said(capsys, check.painted, covered(*FUTURE))
    assert "right" in out and "covered 15 cells; fewer would do" in out
    out = said(capsys, check.painted, covered(*ANSWERS[:2], *ANSWERS[3:]))
    assert "not yet: number 4 can still" in out and "which row says number 4" in out
    out = said(capsys, check.painted, covered((2, 1), (3, 2), (4, 3), (5, 4), (6, 5)))
    assert "not yet: numbers 2, 3, 4, 5, 6 can" in out
    out = said(capsys, check.painted, covered(*ANSWERS, *((6, column) for column in range(1, 7))))
    assert "row 6 may look nowhere" in out


@pytest.mark.parametrize("mask", [["xxx"], ["xxxxx"] * 6, ["xxxx?x"] * 6, ["......."] * 6, "x", 3])
def test_a_mask_of_another_form_is_told_so(capsys, mask):
    assert "give 6 rows of 6 signs" in said(capsys, check.painted, mask)


def test_padding(tells_apart):
    wrong = {
        "True is may look": lambda ids: (ids == PAD)[:, None, None],
        "The shape is (1, 1, 1, 3)": lambda ids: ids != PAD,
        "two axes of length 1": lambda ids: (ids != PAD)[None, None],
        "Pads may stand anywhere": lambda ids: _behind_the_words(ids),
    }
    tells_apart(check.padding, [padding_keep], wrong.items())


def _behind_the_words(ids):
    return (torch.arange(ids.size(1)) < (ids != PAD).sum(dim=1)[:, None])[:, None, None]


def test_only_words(tells_apart):
    def right(logits, says):
        return F.cross_entropy(logits.flatten(0, 1), says.flatten(), ignore_index=PAD)

    def by_hand(logits, says):
        kept = says != PAD
        return F.cross_entropy(logits[kept], says[kept])

    def mean_of_all(logits, says):
        return F.cross_entropy(logits.flatten(0, 1), says.flatten())

    def pads_are_nothing(logits, says):  # and count
        losses = F.cross_entropy(logits.transpose(1, 2), says, reduction="none", ignore_index=PAD)
        return losses.mean()

    def pads_end_it(logits, says):
        return right(logits, says * (says != PAD).cumprod(dim=1))

    wrong = {
        "over the six others": mean_of_all,
        "the mean is over": pads_are_nothing,
        "Which axis holds the scores": F.cross_entropy,
        "Pads may stand in front": pads_end_it,
    }
    tells_apart(check.only_words, [right, by_hand], wrong.items())


def test_window(tells_apart):
    def right(t, width):
        return causal_keep(t).triu(1 - width)

    wrong = {
        "the diagonal, as": lambda t, width: causal_keep(t).triu(-width),
        "as True and False": lambda t, width: torch.eye(t),
        "no row may see what comes": lambda t, width: right(t, width) | right(t, width).mT,
        "hides nothing of the past": lambda t, width: right(t, min(width, t - 1)),
    }
    tells_apart(check.window, [right], wrong.items())


def test_both_masks(tells_apart):
    def right(ids):
        return causal_keep(ids.size(1)) & padding_keep(ids)

    wrong = {
        "the triangle counts": lambda ids: padding_keep(ids),
        "a pad: nobody may see": lambda ids: causal_keep(ids.size(1)).expand(len(ids), 1, -1, -1),
        "column 3": lambda ids: causal_keep(ids.size(1)) & (ids != PAD)[:, None, :, None],
        "Pads may stand anywhere": lambda ids: _only_last(ids),
        "of the batch": lambda ids: causal_keep(ids.size(1)) & padding_keep(ids[:1]),
    }
    tells_apart(check.both_masks, [right], wrong.items())


def _only_last(ids):
    keep = causal_keep(ids.size(1)).expand(len(ids), 1, -1, -1).clone()
    keep[..., -1] &= (ids[:, -1] != PAD)[:, None, None]
    return keep


@torch.no_grad()
def leaks(model, ids, places=None, compared=None, bound=1e-6):
    """Change tokens from each place on, compare the outputs before it; places: change only these.

    compared: so many outputs, without it all before the place.
    """
    before = model(ids)
    for place in range(1, ids.size(1)) if places is None else places:
        changed = ids.clone()
        changed[:, place:] = (ids[:, place:] + 1) % 20
        upto = place if compared is None else compared
        if (model(changed)[:, :upto] - before[:, :upto]).abs().max() > bound:
            return True
    return False


def test_leak_finder(tells_apart):
    wrong = {
        "Only output 2 reads token 3": lambda model, ids: leaks(model, ids, places=[5]),
        "Only output 2": lambda model, ids: leaks(model, ids, compared=1),
        "is rounding": lambda model, ids: leaks(model, ids, bound=0),
        "may depend on its own token": lambda model, ids: leaks(model, ids, compared=6),
        "Everything depends": lambda model, ids: False,
    }
    tells_apart(check.leak_finder, [leaks], wrong.items())
