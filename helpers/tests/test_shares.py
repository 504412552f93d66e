"""Rows of weights as bars: the shares lie end to end, and what is no number is said."""

import matplotlib.pyplot as plt
import pytest
import torch

from helpers.plots import draw_bars
from helpers.workshop.shares import draw_masked


def test_shares_lie_end_to_end():
    figure = draw_bars([[0.5, 0.5], [0.0, 1.0]], ["one", "two"], ["i", "saw"], "title")
    bars = figure.axes[0].patches
    assert [bar.get_x() for bar in bars] == [0.0, 0.5, 0.0]
    assert [bar.get_width() for bar in bars] == [0.5, 0.5, 1.0]
    assert [text.get_text() for text in figure.axes[0].texts] == ["i", "saw", "saw"]
    plt.close(figure)


def test_the_larger_a_share_the_darker_and_never_by_its_place():
    figure = draw_bars([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], ["one", "two"], ["i", "saw", "a"])
    amber = [bar.get_facecolor()[3] for bar in figure.axes[0].patches]
    assert amber[0] > amber[1] > amber[2] > 0.2  # also the smallest is seen
    assert amber[3:] == amber[2::-1]
    plt.close(figure)


def test_a_row_without_numbers_is_the_word():
    weights = torch.tensor([[torch.nan, torch.nan]])
    figure = draw_bars(weights, ["one"], ["i", "saw"], named=False)
    assert [text.get_text() for text in figure.axes[0].texts] == ["NaN"]
    assert not figure.axes[0].patches
    plt.close(figure)


def test_numbers_stand_under_the_names_or_behind_the_bar():
    figure = draw_bars([[0.98, 0.02, 0.0]], ["one"], ["i", "saw", "a"], numbers=True)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["i\n0.98", "saw 0.02, a 0.00"]
    assert figure.axes[0].texts[1].get_position()[0] > 1
    plt.close(figure)


def test_names_have_to_fit():
    with pytest.raises(ValueError, match="2 rows and 1 columns are named"):
        draw_bars([[1.0]], ["one", "two"], ["i"])


def test_a_mask_is_hatched_and_leaves_no_weight():
    scores = torch.tensor([[0.0, 7.0], [2.0, 2.0]])
    mask = torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])
    panels = draw_masked(scores, mask, ["i", "saw"]).axes
    said = [[text.get_text() for text in ax.texts] for ax in panels]
    assert said == [["0", "7", "2", "2"], ["0", "\u2212\u221e", "2", "2"], ["1.00", "0.50", "0.50"]]
    hatched = [[bool(patch.get_hatch()) for patch in ax.patches] for ax in panels]
    assert hatched == [[False] * 4, *[[False, True, False, False]] * 2]
    amber = [patch.get_facecolor() for patch in panels[2].patches]
    assert amber[0][3] > amber[2][3] > 0.2 and amber[1] == (1, 1, 1, 1)
    assert {patch.get_facecolor() for patch in panels[1].patches} == {(1, 1, 1, 1)}
    plt.close(panels[0].figure)


@pytest.mark.parametrize("shapes", [((2, 2), (2, 3)), ((2, 3), (2, 2)), ((3, 3), (3, 3))])
def test_scores_and_mask_have_a_place_for_each_pair(shapes):
    scores, mask = (torch.zeros(shape) for shape in shapes)
    with pytest.raises(ValueError, match="give 2 rows of 2 numbers"):
        draw_masked(scores, mask, ["i", "saw"])
