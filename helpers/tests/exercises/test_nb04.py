"""Checks of notebook 04's exercises: right attempts pass, each likely slip gets its own hint."""

import pytest
import torch
import torch.nn.functional as F

from helpers.exercises import nb04 as check

OTHER = [[0, 0], [0, 0], [-4, 0], [-4, 0]]


def split(x, n_heads):
    return x.view(len(x), x.size(1), n_heads, -1).transpose(1, 2)


def merge(context):
    batch, n_heads, t, d_head = context.shape
    return context.transpose(1, 2).reshape(batch, t, n_heads * d_head)


def parts(side_by_side, w_o, n_heads):
    contexts, slices = side_by_side.chunk(n_heads, dim=-1), w_o.chunk(n_heads)
    return torch.stack([each @ own for each, own in zip(contexts, slices, strict=True)])


def fold(w_v, b_v, w_o, b_o):
    return w_o @ w_v, w_o @ b_v + b_o


def largest_first(shares):
    def read(mix):
        left, tokens = mix.clone(), {}
        for place in sorted(range(4), key=lambda place: -shares[place]):
            tokens[place] = int(left.argmax())
            left[tokens[place]] -= shares[place]
        return [tokens[place] for place in range(4)]

    return read


def said(capsys):
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "attempt"),
    [
        ("jobs", [OTHER]),
        ("jobs", [torch.tensor(OTHER)]),
        ("jobs", [[[0, 0], [0, 0], [-1.5, 0], [-9, 0]]]),
        ("cut_into_heads", [split]),
        ("merge", [merge]),
        ("majority", [[0.1, 0.7, 0.1, 0.1]]),
        ("majority", [[0, 1, 0, 0]]),
        ("majority", [torch.tensor([0.16, 0.52, 0.16, 0.16])]),
        ("parts", [parts]),
        ("fold", [fold]),
        ("one_row", [[8 / 15, 4 / 15, 2 / 15, 1 / 15], largest_first([8, 4, 2, 1])]),
    ],
)
def test_a_right_attempt_passes(name, attempt, capsys):
    if name == "one_row":
        attempt = [attempt[0], largest_first(attempt[0])]
    getattr(check, name)(*attempt)
    assert said(capsys).startswith("right")


def test_shares_may_stand_in_any_order(capsys):
    shares = [1 / 15, 8 / 15, 2 / 15, 4 / 15]
    check.one_row(shares, largest_first(shares))
    assert said(capsys).startswith("right")


@pytest.mark.parametrize(
    ("name", "stub"),
    [
        ("jobs", [None]),
        ("jobs", [[[0, 0], [0, 0], [None, None], [None, None]]]),
        ("cut_into_heads", [lambda *_: None]),
        ("merge", [lambda *_: None]),
        ("majority", [None]),
        ("majority", [[None, None, None, None]]),
        ("parts", [lambda *_: None]),
        ("fold", [lambda *_: None]),
        ("one_row", [None, lambda _: None]),
        ("one_row", [[8 / 15, 4 / 15, 2 / 15, 1 / 15], lambda _: None]),
    ],
)
def test_a_stub_gets_no_hint(name, stub, capsys):
    getattr(check, name)(*stub)
    text = said(capsys)
    assert text.startswith("not tried yet") and text.count("\n") == 1


@pytest.mark.parametrize(
    ("w_q", "hint"),
    [
        (check.BACK, "head 1 again"),
        ([[0, 0], [0, 0], [0, 4], [-4, 0]], "the place after"),
        ([[0, 0], [0, 0], [0, 0], [-4, 0]], "row 3 is what place 1 asks with"),
        ([[0, 0], [0, 0], [-4, 0], [0, 0]], "row 4 is what place 2 asks with"),
        ([[0, 0], [0, 0], [4, 0], [-4, 0]], "row 3 asks for the opposite"),
        ([[0, 0], [0, 0], [-4, 0], [4, 0]], "row 4 asks for the opposite"),
        ([[0, 0], [0, 0], [-4, 0], [0, 4]], "row 4 asks along the other axis"),
        ([[0, 0], [0, 0], [-4, 9], [-4, 0]], "louder for another one"),
        ([[0, 0], [0, 0], [-0.1, 0], [-0.1, 0]], "too quiet"),
        ([[-9, 0], [9, 0], [-1, 0], [-4, 0]], "rows 1 and 2 belong to the people"),
        ([[0, 0], [0, 0], [-4, 0]], "4 rows of 2"),
        ([[0, 0], [0, 0], [-4, 0], [float("nan"), 0]], "finite"),
        ([[0, 0], [0, 0], [-4, 0], ["left", 0]], "can't be read"),
        (4, "4 rows of 2"),
    ],
)
def test_a_wrong_job_is_noticed(w_q, hint, capsys):
    check.jobs(w_q)
    text = said(capsys)
    assert text.startswith("not yet") and hint in text


@pytest.mark.parametrize(
    ("name", "attempt", "hint"),
    [
        ("cut_into_heads", lambda x, n: x.view(len(x), n, x.size(1), -1), "a part of every word"),
        ("cut_into_heads", lambda x, n: x.view(len(x), x.size(1), n, -1), "a part of every word"),
        ("cut_into_heads", lambda x, n: x.view(1, 3, 2, 2).transpose(1, 2), "axis is still there"),
        ("cut_into_heads", lambda x, n: split(x, n).squeeze(1), "axis is still there"),
        ("cut_into_heads", lambda x, n: split(x, n).flip(1), "a part of every word"),
        ("merge", lambda c: c.reshape(len(c), c.size(2), -1), "head by head"),
        ("merge", lambda c: c.transpose(1, 2), "head by head"),
        ("merge", lambda c: c.transpose(1, 2).view(len(c), c.size(2), -1), "it never copies"),
        ("merge", lambda c: merge(c).squeeze(0) if c.size(1) == 1 else merge(c), "its axis goes"),
        ("merge", lambda c: c.transpose(1, 2).reshape(1, 3, 4), "any number"),
        ("parts", lambda s, w, n: s @ w, "Head 1 owns"),
        ("parts", lambda s, w, n: parts(s, w, n).transpose(0, 1), "Head 1 owns"),
        ("parts", lambda s, w, n: parts(s, w, n).flip(0), "Head 1 owns"),
        ("parts", lambda s, w, n: parts(s, w, n)[:, :1, :1], "One part for each head"),
        ("fold", lambda w_v, b_v, w_o, b_o: (w_v @ w_o, b_o), "Which layer gets the word first"),
        ("fold", lambda w_v, b_v, w_o, b_o: (w_o @ w_v, b_v + b_o), "goes through W_o"),
        ("fold", lambda w_v, b_v, w_o, b_o: (w_o @ w_v, w_o @ b_v), "own bias comes last"),
    ],
)
def test_a_wrong_function_is_noticed(name, attempt, hint, capsys):
    getattr(check, name)(attempt)
    text = said(capsys)
    assert text.startswith("not yet") and hint in text


@pytest.mark.parametrize(
    ("shares", "read", "hint"),
    [
        ([0.25] * 4, lambda mix: [0, 0, 0, 0], "different sentences"),
        ([0.4, 0.3, 0.2, 0.1], lambda mix: [0, 0, 0, 0], "different sentences"),
        ([0.5, 0.5], lambda mix: [0, 0], "give 4 numbers"),
        ([8, 4, 2, 1], lambda mix: [0, 0, 0, 0], "sum to 1"),
        (["a", "b"], lambda mix: [0], "can't be read"),
        ([8 / 15, 4 / 15, 2 / 15, 1 / 15], lambda mix: mix.topk(4).indices, "one token at all"),
    ],
)
def test_a_wrong_mix_is_noticed(shares, read, hint, capsys):
    check.one_row(shares, read)
    text = said(capsys)
    assert text.startswith("not yet") and hint in text


@pytest.mark.parametrize(
    ("shares", "hint"),
    [
        ([0.25] * 4, "which of them has most"),
        ([0.2, 0.45, 0.2, 0.15], "errs in 240 of 65,536"),
        ([0.1, 0.5, 0.2, 0.2], "which of them has most"),
        ([0.7, 0.1, 0.1, 0.1], "which of them has most"),
        ([0.1, 0.6, 0.2, 0.2], "sum to 1"),
        ([float("nan")] * 4, "finite"),
        (["a"] * 4, "can't be read"),
    ],
)
def test_shares_without_a_majority_are_noticed(shares, hint, capsys):
    check.majority(shares)
    text = said(capsys)
    assert text.startswith("not yet") and hint in text


def test_what_is_handed_out_is_right(capsys):
    check.jobs(check.our_other())
    check.cut_into_heads(check.our_split)
    check.merge(check.our_merge)
    check.parts(check.our_parts)
    assert [line.split()[0] for line in said(capsys).splitlines()] == ["right:", *["right,"] * 3]


def test_the_bag_that_a_majority_is_compared_with():
    fours = torch.cartesian_prod(*[torch.arange(16)] * 4)
    most = F.one_hot(fours, 16).sum(dim=1).max(dim=1).values.double().mean() / 4
    assert f"{float(most):.2f}" == "0.34"


def test_the_parts_of_the_check_add_up():
    torch.manual_seed(0)
    side_by_side, w_o = torch.randn(2, 3, 6), torch.randn(6, 4)
    torch.testing.assert_close(parts(side_by_side, w_o, 3).sum(0), F.linear(side_by_side, w_o.T))
