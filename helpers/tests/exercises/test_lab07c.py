import pytest

from helpers.exercises.labs import lab07c as check


def expected(right_at, lengths):
    return sum(right_at[length] for length in lengths) / len(lengths)


def test_the_right_answer_is_right_and_a_stub_gets_no_hint(said):
    assert said(check.expected, expected).startswith("right")
    out = said(check.expected, lambda *arguments: None)
    assert out == "not tried yet: your function returns nothing\n"


@pytest.mark.parametrize(
    ("hint", "attempt"),
    [
        ("counts once", lambda right_at, lengths: sum(right_at[n] for n in lengths)),
        ("counts twice", lambda right_at, lengths: expected(right_at, {*lengths})),
        ("counts twice", lambda right_at, lengths: sum(right_at.values()) / len(right_at)),
        ("must not count", lambda right_at, lengths: [0, 0, 0.75, 0.7, 0.5][len(lengths)]),
    ],
)
def test_wrong_attempts_get_their_hint(refused, hint, attempt):
    refused(check.expected, [(hint, attempt)])
