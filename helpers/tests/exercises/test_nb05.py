import nbformat
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.exercises import my_transformer
from helpers.exercises import nb05 as check
from helpers.masks import causal_keep, padding_keep
from helpers.text import PAD
from helpers.tools.notebooks import ladder

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


def test_the_page_runs_with_the_class_of_the_readers_own_file():
    (page,) = (path for path in ladder() if path.name.startswith("05"))
    cells = {cell.id: cell.source for cell in nbformat.read(page, as_version=4).cells}
    names = {each.split()[0]: int(each.split()[2]) for each in cells["parameters"].splitlines()[:4]}
    names |= dict(torch=torch, nn=nn, seed=0, MultiHeadAttention=my_transformer.MultiHeadAttention)
    exec(cells["decoder"], names)
    for n_layers in (1, 2):
        model = names["TinyDecoder"](my_transformer.causal_keep(13), n_layers)
        assert model(torch.zeros(3, 5, dtype=torch.long)).shape == (3, 5, 20)
    assert "keep" in dict(model.named_buffers())
    names |= dict(oracle=model, random_ids=lambda count: torch.zeros(count, 13).long())
    names["shift"] = check.shifted(None)
    exec(cells["cheat-map"].partition("\nshow(")[0], names)
    assert names["weights"].shape == (500, 4, 12, 12)


@pytest.mark.parametrize("call", [check.shifted, check.causal, check.padding])
def test_a_function_comes_back_if_it_is_right_and_ours_if_not(call, capsys):
    def mine(*given):
        return ours(*given)

    ours = call(lambda *_: None)
    assert call(mine) is mine and call(len) is not len


@pytest.mark.parametrize("stub", [None, [], OPEN])
def test_an_untouched_mask_gets_no_hint(capsys, stub):
    assert said(capsys, check.painted, stub) == "not tried yet: no cell is covered"


def test_shifted(tells_apart):
    wrong = {
        "only learns to repeat": lambda ids: (ids[:, :-1], ids[:, :-1]),
        "What comes next": lambda ids: (ids[:, 1:], ids[:, :-1]),
        "hint": lambda ids: (ids[:-1], ids[1:]),
    }
    rights = [
        lambda ids: (ids[:, :-1], ids[:, 1:]),
        lambda ids: [ids[..., :-1], ids[..., 1:]],
        lambda ids: torch.stack([ids[:, :-1], ids[:, 1:]]),
        lambda ids: tuple(ids.narrow(1, start, ids.size(1) - 1) for start in (0, 1)),
        lambda ids: (ids.T[:-1].T, ids.T[1:].T),
    ]
    tells_apart(check.shifted, rights, wrong.items())


def test_causal(tells_apart):
    rights = [
        causal_keep,
        lambda t: torch.tril(torch.ones(t, t)).bool(),
        lambda t: torch.arange(t)[:, None] >= torch.arange(t),
        lambda t: ~torch.ones(t, t, dtype=torch.bool).triu(1),
        lambda t: torch.tensor([[key <= query for key in range(t)] for query in range(t)]),
    ]
    wrong = {
        "Row 1 may look at column 1 alone": lambda t: causal_keep(t).mT,
        "True and False": lambda t: torch.ones(t, t).tril(),
        "row 3 at all": lambda t: causal_keep(t).tril(-1),
        "in the shape (3, 3)": lambda t: causal_keep(t)[None],
        "One place sees itself": lambda t: causal_keep(3),
        "True and False in": lambda t: causal_keep(t).tolist(),
    }
    tells_apart(check.causal, rights, wrong.items())


def test_painted(capsys):
    least = covered(*ANSWERS)
    for written in (least, "\n".join(least), tuple(map(list, least)), [*map(str.upper, least)]):
        out = said(capsys, check.painted, written)
        assert "3.0 3.0 3.0 3.0 3.0 3.0" in out and "right" in out and "fewer won't do" in out
    for more, count in ((FUTURE, 15), ([*ANSWERS, (6, 1), (1, 3)], 7)):
        out = said(capsys, check.painted, covered(*more))
        assert "right" in out and f"covered {count} cells; fewer would do" in out
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
    rights = [
        padding_keep,
        lambda ids: ids.ne(PAD).unsqueeze(1).unsqueeze(1),
        lambda ids: ids.bool()[:, None, None, :],
        lambda ids: ~(ids == PAD).view(len(ids), 1, 1, -1),
        lambda ids: torch.where(ids > 0, True, False).reshape(ids.size(0), 1, 1, ids.size(1)),
    ]
    tells_apart(check.padding, rights, wrong.items())


def _behind_the_words(ids):
    return (torch.arange(ids.size(1)) < (ids != PAD).sum(dim=1)[:, None])[:, None, None]


def test_only_words(tells_apart):
    def right(logits, says):
        return F.cross_entropy(logits.flatten(0, 1), says.flatten(), ignore_index=PAD)

    def by_hand(logits, says):
        kept = says != PAD
        return F.cross_entropy(logits[kept], says[kept])

    def of_the_other_axis(logits, says):
        return F.cross_entropy(logits.transpose(1, 2), says, ignore_index=PAD)

    def summed(logits, says):
        losses = -F.log_softmax(logits, dim=-1).gather(2, says[..., None])[..., 0]
        return (losses * (says != PAD)).sum() / (says != PAD).sum()

    def as_number(logits, says):
        logs = logits.log_softmax(-1).flatten(0, 1)
        return F.nll_loss(logs, says.flatten(), ignore_index=PAD).item()

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
    rights = [right, by_hand, of_the_other_axis, summed, as_number]
    tells_apart(check.only_words, rights, wrong.items())


def test_window(tells_apart):
    def right(t, width):
        return causal_keep(t).triu(1 - width)

    wrong = {
        "the diagonal, as": lambda t, width: causal_keep(t).triu(-width),
        "as True and False": lambda t, width: torch.eye(t),
        "no row may see what comes": lambda t, width: right(t, width) | right(t, width).mT,
        "hides nothing of the past": lambda t, width: right(t, min(width, t - 1)),
    }

    def steps_back(t, width):
        back = torch.arange(t)[:, None] - torch.arange(t)
        return (back >= 0) & (back < width)

    rights = [
        right,
        steps_back,
        lambda t, width: causal_keep(t) & ~causal_keep(t).tril(-width),
        lambda t, width: torch.ones(t, t).tril().triu(1 - width) > 0,
        lambda t, width: torch.tensor([[0 <= y - x < width for x in range(t)] for y in range(t)]),
    ]
    tells_apart(check.window, rights, wrong.items())


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
    rights = [
        right,
        lambda ids: padding_keep(ids) * causal_keep(ids.size(1)),
        lambda ids: torch.logical_and(padding_keep(ids), causal_keep(ids.size(1))),
        lambda ids: padding_keep(ids).expand(-1, -1, ids.size(1), -1).tril(),
        lambda ids: torch.stack([causal_keep(ids.size(1)) & (row != PAD) for row in ids])[:, None],
    ]
    tells_apart(check.both_masks, rights, wrong.items())


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


@torch.no_grad()
def by_cutting(model, ids):
    whole = model.eval()(ids)
    parts = [model(ids[:, :t]) - whole[:, :t] for t in range(1, ids.size(1))]
    return max(part.abs().max() for part in parts) > 1e-6


def one_at_a_time(model, ids):
    found = False
    for place in range(1, ids.size(1)):
        changed = ids.clone()
        changed[:, place] = (changed[:, place] + 7) % 20
        found |= not torch.allclose(model(changed)[:, :place], model(ids)[:, :place], atol=1e-6)
    return found


def test_leak_finder(tells_apart):
    wrong = {
        "Only output 2 reads token 3": lambda model, ids: leaks(model, ids, places=[5]),
        "Only output 2": lambda model, ids: leaks(model, ids, compared=1),
        "is rounding": lambda model, ids: leaks(model, ids, bound=0),
        "may depend on its own token": lambda model, ids: leaks(model, ids, compared=6),
        "Everything depends": lambda model, ids: False,
    }
    rights = [leaks, by_cutting, one_at_a_time, lambda model, ids: leaks(model, ids[:1])]
    rights.append(lambda model, ids: leaks(model, (ids + 5) % 20, places=[5, 4, 3, 2, 1]))
    tells_apart(check.leak_finder, rights, wrong.items())
