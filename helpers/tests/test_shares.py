"""Rows of weights as bars: the shares lie end to end, and what is no number is said."""

import matplotlib.pyplot as plt
import pytest
import torch

from helpers.plots import draw_bars


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
