"""The checks of notebook 03: the right answer passes, each likely mistake is noticed and named."""

import math

import pytest
import torch
import torch.nn.functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.plane import W_K, W_Q, W_V
from helpers.workshop.exercises import scaled_attention as check


@pytest.fixture
def said(capsys):
    def said_by(check_of, *attempt):
        assert check_of(*attempt) is None
        return capsys.readouterr().out

    return said_by


def no_hint(text):
    return text.startswith("not tried yet") and "hint" not in text and text.count("\n") == 1


def blanks(first, second, third):
    return [[0, 2, 0, 0], [2, 2, 0, 0], [0, 0, first, second], [0, 0, third, 0]]


def test_what_was_not_written_gets_no_hint(said):
    stubs = [(check.context_of_i, None, None), (check.impossible, None)]
    stubs += [(check.context_of_i, None, [0, 2]), (check.context_of_i, SHARES, None)]
    stubs += [(check.twins, None), (check.twins, blanks(None, None, None))]
    stubs += [(check.twins, blanks(0, -4, None)), (check.mended, lambda q, k, v: None)]
    stubs += [(check.detective, lambda attention: None)]
    for each, *stub in stubs:
        assert no_hint(said(each, *stub)), each


SHARES = [0.014, 0.105, 0.776, 0.105]


@pytest.mark.parametrize(
    ("weights", "context"),
    [
        (SHARES, [0.238, 1.762]),
        ([0.01, 0.10, 0.78, 0.10], [0.24, 1.76]),
        ((0.01, 0.11, 0.78, 0.11), (0.24, 1.77)),
        (torch.tensor([0.0, 2, 4, 2]).softmax(0), torch.tensor([0.2384, 1.7616])),
        (SHARES, [0.23, 1.77]),  # mixed with rounded weights
    ],
)
def test_the_context_of_i(said, weights, context):
    assert said(check.context_of_i, weights, context).startswith("right")


@pytest.mark.parametrize(
    ("weights", "context", "hint"),
    [
        ([0, 4, 8, 4], None, "these are scores"),
        ([0, 2, 4, 2], [1, 1], "softmax is still to come"),
        ([0, 0.02, 0.96, 0.02], [0.02, 1.98], "scaled before"),
        ([0, 0.25, 0.5, 0.25], [0.5, 1.5], "e to the power"),
        ([0.25, 0.25, 0.25, 0.25], [1, 1], "write down its query"),
        ([1, 7.39, 54.6, 7.39], [0, 0], "sum to 1"),
        (SHARES, [1.76, 0.24], "verb's channel stands first"),
        (SHARES, [2, 0], "times its weight"),
        (SHARES, [float("nan"), 1], "not yet"),
        (SHARES, [1, 1, 0, 0], "give 2 numbers"),
        ([0.2, 0.8], [0, 2], "give 4 numbers"),
        ("fence", [0, 2], "can't be read"),
        (SHARES, [1, None], "can't be read"),
    ],
)
def test_a_wrong_context_of_i(said, weights, context, hint):
    text = said(check.context_of_i, weights, context)
    assert hint in text and not text.startswith("right")


def test_the_impossible_table(said):
    for right in ([2, 4], (4, 2), torch.tensor([2, 4])):
        assert said(check.impossible, right).startswith("right")
    assert "count from 1" in said(check.impossible, [0, 3])
    for wrong in ([1, 3], [2, 3], [1, 2], [2, 2]):
        assert "different words" in said(check.impossible, wrong) or wrong == [2, 2]
        assert "not yet" in said(check.impossible, wrong)
    assert "give 2 numbers" in said(check.impossible, [2])


@pytest.mark.parametrize("right", [blanks(0, -4, 4), blanks(0, -9, 7), torch.tensor(W_Q)])
def test_the_three_blanks(said, right):
    text = said(check.twins, right)
    assert text.startswith("right") and "(1.91, 0.09)" in said(check.twins, blanks(0, -4, 4))


def test_the_table_of_the_story_is_what_the_check_computes():
    contexts, weights = check._attended("a saw i saw", torch.tensor(W_Q).double())
    wanted = torch.tensor([[0.007, 1.993], [1.905, 0.095]]).double()
    assert torch.allclose(contexts[[1, 3]], wanted, atol=1e-3)
    assert torch.equal(weights.triu(1), torch.zeros(4, 4).double())


def test_six_places_are_told_apart_where_the_compass_is_not():
    """What the notebook says of `i saw a big old saw`, with big and old on the fence."""
    vectors = torch.tensor([[2.0, 0], [1, 1], [0, 2], [1, 1], [1, 1], [1, 1]])
    compass = torch.tensor([[1.0, 0], [0, 1], [-1, 0], [0, -1], [1, 0], [0, 1]])
    ours = check.our_w_q(), torch.tensor(W_K).float(), torch.tensor(W_V).float()
    found = []
    for (w_q, w_k, w_v), places in ((ours, compass), (check.six_places(), torch.eye(6))):
        x = torch.cat([vectors, places], dim=-1)
        found.append(scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)[0][5])
        scores = (x @ w_q) @ (x @ w_k).T
        assert scores[5, 4] - (vectors @ w_q[:2, :2])[5] @ vectors[4] == 8  # as loud as each other
    wanted = torch.tensor([[1.26, 0.74], [0.93, 1.07]])
    assert torch.allclose(torch.stack(found), wanted, atol=0.006)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (blanks(0, 0, 0), "asks for nothing"),
        (blanks(0, 0, 4), "row 3 of W_q asks for nothing"),
        (blanks(0, 4, -4), "opposite"),
        (blanks(0, -4, -4), "opposite"),
        (blanks(0, 4, 4), "opposite direction; look at the sign in row 3"),
        (blanks(4, 0, 4), "own axis"),
        (blanks(0, -1, 1), "ask louder"),
        (blanks(0, math.inf, 4), "no finite"),
        ([[0, 2], [2, 2]], "give 4 rows of 4"),
        ([[0, 2, 0, 0], [2, 2, 0], [0, 0], [0]], "can't be read"),
    ],
)
def test_wrong_blanks(said, wrong, hint):
    assert hint in said(check.twins, wrong)


def softmax_of(scores, v, dim=-1):
    return torch.softmax(scores, dim=dim) @ v


def dots(q, k):
    return q @ k.transpose(-2, -1)


def test_the_mended_formula(said):
    def transposed(q, k, v):
        return softmax_of(dots(q, k) / math.sqrt(q.size(-1)), v)

    for right in (transposed, F.scaled_dot_product_attention):
        assert said(check.mended, right).startswith("right, in 4 of 4 cases")


@pytest.mark.parametrize(
    ("wrong", "case", "hint"),
    [
        (lambda q, k, v: (q @ k.T) * v, 1, "all three axes"),
        (lambda q, k, v: dots(q, k) * v, 1, "times the values"),
        (lambda q, k, v: dots(q, k) @ v, 1, "sum to 1"),
        (lambda q, k, v: softmax_of(dots(q, k) / 2, v, dim=-2), 2, "Which axis"),
        (lambda q, k, v: softmax_of(dots(q, k) / 2, v, dim=0), 1, "sum to 1"),
        (lambda q, k, v: softmax_of(dots(q, k), v), 3, "which of the six steps"),
        (lambda q, k, v: softmax_of(dots(q, k) / math.sqrt(v.size(-1)), v), 3, "not d_v"),
        (lambda q, k, v: softmax_of(dots(q, k), v) / 2, 1, "sum to 1"),
        (scaled_dot_product_attention, 1, "tuple"),
    ],
)
def test_a_formula_that_is_not_mended(said, wrong, case, hint):
    text = said(check.mended, wrong)
    assert f"not yet, case {case} of 4" in text and hint in text


def sums_and_gap(attention):
    generator = torch.Generator().manual_seed(1)
    shapes = (5, 4), (7, 4), (7, 9)
    q, k, v = (torch.randn(shape, generator=generator) for shape in shapes)
    sums = attention(q, k, torch.ones(7, 9))[:, 0]
    return sums, (attention(q, k, v) - F.scaled_dot_product_attention(q, k, v)).abs().max()


def diagnose(attention):
    sums, gap = sums_and_gap(attention)
    if torch.allclose(sums, torch.ones(5), atol=1e-4):
        return "right" if gap < 1e-4 else "wrong scale"
    return "scale after" if sums.max() - sums.min() < 1e-4 else "axis"


def test_the_detective(said):
    assert said(check.detective, diagnose).startswith("right, in 6 of 6 cases")
    found = [diagnose(each) for each in check.suspects().values()]
    assert list(check.suspects()) == list("abcd")
    assert sorted(found) == ["axis", "right", "scale after", "wrong scale"]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda attention: "right", "Let all values be 1"),
        (lambda attention: diagnose(attention).replace("wrong scale", "right"), "d_v ≠ d_k"),
        (lambda attention: diagnose(attention).replace("right", "axis"), "agrees with F.scaled"),
        (lambda attention: diagnose(attention).replace("axis", "right"), "differ from query"),
        (lambda attention: attention.__name__, "Let all values be 1"),
    ],
)
def test_a_detective_who_is_wrong(said, wrong, hint):
    text = said(check.detective, wrong)
    assert "not yet" in text and hint in text
