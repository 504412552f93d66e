"""Checks of notebook 02's exercises: right attempts pass, each likely slip gets its own hint."""

import math

import pytest
import torch

from helpers.exercises import nb02 as check

PASSED_ON = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
NEXT = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]]
TURNED = [list(column) for column in zip(*PASSED_ON, strict=True)]


TRIANGLE = torch.ones(4, 4).tril().bool()


def masked(scores, keep, fill=-math.inf, dim=-1):
    return torch.softmax(scores.masked_fill(~keep, fill), dim=dim)


def mend(short):
    return short / short.sum(dim=1, keepdim=True)


def band(time, before, after):
    return torch.ones(time, time).tril(after).triu(-before)


def steps_back(time):
    return torch.arange(time)[:, None] - torch.arange(time)


def real(x, lengths):
    return (torch.arange(x.shape[1]) < lengths[:, None]).to(x.dtype)[:, None]


def mean_of_real(x, lengths):
    return (real(x, lengths) @ x)[:, 0] / lengths.clamp(min=1)[:, None]


@pytest.mark.parametrize(
    ("name", "attempt"),
    [
        ("one_back", PASSED_ON),
        ("one_back", torch.tensor(PASSED_ON)),
        ("reach", [100, 101.4, 102.8, 101.4]),
        ("reach", torch.tensor([0.1, 0.1, 0.7, 0.1]).log() - math.log(0.1) + 100),
        ("reach", [100, 102, 102 + math.log(2.041), -math.inf]),
        ("masked", masked),
        ("masked", lambda scores, keep: masked(scores, keep).tolist()),
        ("masked", lambda scores, keep: masked(scores, keep, fill=-1e9)),
        ("mended_table", mend),
        ("mended_table", lambda short: mend(short).tolist()),
        ("padded_means", mean_of_real),
    ],
)  # fmt: skip
def test_a_right_attempt_passes(name, attempt, capsys):
    getattr(check, name)(attempt)
    assert capsys.readouterr().out.startswith("right")


@pytest.mark.parametrize("name", ["one_back", "reach"])
def test_a_stub_of_numbers_gets_no_hint(name, capsys):
    getattr(check, name)(None)
    said = capsys.readouterr().out
    assert said.startswith("not tried yet") and said.count("\n") == 1


@pytest.mark.parametrize("name", ["masked", "mended_table", "padded_means"])
def test_a_stub_of_code_gets_no_hint(name, capsys):
    getattr(check, name)(lambda *_: None)
    said = capsys.readouterr().out
    assert said.startswith("not tried yet") and said.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "attempt", "hint"),
    [
        ("one_back", "i saw", "can't be read"),
        ("one_back", [[1, 0], [1]], "equally long"),
        ("one_back", [1, 0, 0, 0], "give 4 rows of 4 numbers"),
        ("one_back", NEXT, "the word after it"),
        ("one_back", TURNED, "turned over"),
        ("one_back", [[0, 0, 0, 0], *PASSED_ON[1:]], "keeps itself"),
        ("one_back", [*PASSED_ON[:2], [0, 0.5, 0.5, 0], PASSED_ON[3]], "row 3 is the first"),
        ("one_back", [[math.nan] * 4] * 4, "row 1 is the first"),
        ("reach", [1, 2, 3], "give 4 numbers"),
        ("reach", [-1.4, 0, 1.4, 0], "not 100"),
        ("reach", [100, 100, 100, 100], "on the fence"),
        ("reach", [101, 100, 100.5, 100], "wrong side"),
        ("reach", [100, 0, 1.4, 0], "takes all"),
        ("reach", [100, 101, 102, 101], "not far enough"),
        ("reach", [2, 3, 4, 3], "not far enough"),
        ("reach", [100, 100, 105, 100], "too far"),
        ("reach", [0.1, 0.1, 0.7, 0.1], "the weights themselves"),
        ("reach", [-math.inf] * 4, "NaN"),
        ("reach", [math.nan, 0, 0, 0], "NaN"),
        ("masked", lambda s, keep: masked(s, keep, dim=0), "columns sum to 1"),
        ("masked", lambda s, keep: masked(s, keep, fill=0.0), "row 1 takes 0.75"),
        ("masked", lambda s, keep: torch.softmax(s, dim=-1) * keep, "row 1 sums to 0.01"),
        ("masked", lambda s, keep: masked(s, ~keep), "NaN"),
        ("masked", lambda s, keep: s, "still scores"),
        ("masked", lambda s, keep: s.masked_fill(~keep, -math.inf), "still scores"),
        ("masked", lambda s, keep: torch.softmax(s, dim=-1), "from the future"),
        ("masked", lambda s, keep: masked(s * 2, keep), "the shares differ"),
        ("masked", lambda s, keep: masked(s, TRIANGLE), "the keep that your function is given"),
        ("masked", lambda s, keep: s @ keep, "RuntimeError"),
        ("mended_table", lambda short: short, "short bars"),
        ("mended_table", lambda short: torch.softmax(short, dim=-1), "second softmax"),
        ("mended_table", lambda short: short / short.sum(dim=1), "columns were divided"),
        ("mended_table", lambda short: short / short.sum(dim=0), "columns were divided"),
        ("mended_table", lambda short: short / short[-1].sum() * 1.5, "sums to"),
        ("mended_table", lambda short: short * math.nan, "NaN"),
        ("mended_table", lambda short: band(4, 3, 0) / band(4, 3, 0).sum(1, True), "aren't Dev's"),
        ("mended_table", lambda short: short[:, :2], "give 4 rows of 4 numbers"),
        ("mended_table", lambda short: short.nothing, "AttributeError"),
        ("mended_table", [[1, 0], [0, 1]], "not callable"),
        ("padded_means", lambda x, lengths: x.mean(dim=1), "leave the pads out"),
        ("padded_means", lambda x, n: (real(x, n) @ x)[:, 0] / x.shape[1], "own length"),
        ("padded_means", lambda x, n: (real(x, n) @ x)[:, 0] / n[:, None], "0/0"),
        ("padded_means", lambda x, n: mean_of_real(x, n) * n.all(), "only the empty sentence"),
        ("padded_means", lambda x, n: real(x, n) @ x / n[:, None, None], "(batch, channels)"),
    ],
)  # fmt: skip
def test_each_slip_gets_its_hint(name, attempt, hint, capsys):
    getattr(check, name)(attempt)
    said = capsys.readouterr().out
    assert not said.startswith("right") and hint in said


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (mend, "rows 1, 2, 3 are NaN"),
        (lambda short: mend(short).nan_to_num(), "rows 1, 2, 3 are not Cho's"),
    ],
)
def test_a_mended_table_is_lost_when_one_word_is_loud(attempt, said, capsys):
    check.mended_table(attempt)
    printed = capsys.readouterr().out
    assert said in printed and "mask before you divide" in printed
