"""Rows of weights as bars: the shares lie end to end, and what is no number is said."""

import pytest

from helpers.plots import draw_bars


def test_names_have_to_fit():
    with pytest.raises(ValueError, match="2 rows and 1 columns are named"):
        draw_bars([[1.0]], ["one", "two"], ["i"])
