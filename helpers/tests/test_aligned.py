"""Sentences lined up at a word: each in its column, framed where it tells, darker for more."""

import re

import pytest

from helpers.workshop.aligned import line_up

BOTH = ["my brother is older", "i am younger than my brother"]


def cells_of(picture):
    """The rows of the table: for each cell its style and its text, a framed one as <b>word</b>."""
    rows = re.findall(r"<tr>(.*?)</tr>", picture.markup)
    cell = re.compile(r'<t[dh][^>]*style="([^"]*)">(.*?)</t[dh]>')
    return [cell.findall(row) for row in rows]


def test_the_word_stands_in_one_column_with_the_steps_to_it_above():
    picture = line_up(BOTH, "brother", ["older", "younger"], {"so": ["A", "B"]})
    head, *rows = [[text for _, text in row] for row in cells_of(picture)]
    assert head == ["5", "4", "3", "2", "1", "brother", "1", "2", "so"]
    assert rows[0] == ["", "", "", "", "my", "brother", "is", "<b>older</b>", "A"]
    assert rows[1] == ["i", "am", "<b>younger</b>", "than", "my", "brother", "", "", "B"]
    assert repr(picture) == "lined up: 2 sentences at 'brother'"


def test_the_larger_a_share_the_darker_its_word():
    shares = [[0.01, 0.4, 0.1, 0.9]]
    _, row = cells_of(line_up(BOTH[:1], "brother", ["older"], {"so": ["A"]}, shares))
    papers = [re.search(r"background:#(\w{6})", style)[1] for style, _ in row[:4]]
    blue = [int(paper[4:], 16) for paper in papers]  # amber has none, paper all of it
    assert 255 > blue[0] > blue[2] > blue[1] == blue[3]
    _, row = cells_of(line_up(BOTH[:1], "brother", ["older"], {"so": ["A"]}))
    assert all("background:#ffffff" in style for style, _ in row)


@pytest.mark.parametrize(
    ("at", "telling", "more", "shares", "said"),
    [
        ("sister", ["older"], {}, (), "'my brother is older' lacks 'sister' or 'older'"),
        ("brother", ["younger"], {}, (), "lacks 'brother' or 'younger'"),
        ("brother", [], {"so": ["A"]}, (), "shorter"),
        ("brother", ["older"], {"so": []}, (), "shorter"),
        ("brother", ["older"], {"so": ["A"]}, [[0.5]], "shorter"),
    ],
)
def test_what_is_missing_is_refused(at, telling, more, shares, said):
    with pytest.raises(ValueError, match=said):
        line_up(BOTH[:1], at, telling, more, shares)
