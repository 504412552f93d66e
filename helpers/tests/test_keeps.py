import re

import matplotlib.pyplot as plt
import pytest
import torch

from helpers.masks import causal_keep
from helpers.plots import draw_bench, draw_looks, keeps_html


def test_masks_stand_side_by_side_with_a_dot_where_one_may_look():
    names = ["我", "<pad>", "b"]
    picture = keeps_html([("past", causal_keep(3), names, names)] * 2, title="two")
    markup = picture._repr_html_()
    assert markup.count("●</td>") == 12 and markup.count("repeating-linear-gradient") == 6
    assert "&lt;pad&gt;" in markup and 'lang="zh"' in markup and markup.count("<table") == 2
    assert repr(picture) == "masks 'two': past 3 x 3, 6 open; past 3 x 3, 6 open"


def test_a_name_may_have_lines():
    picture = keeps_html([("one\ntwo <b>", causal_keep(1), "a", "a")])
    assert "<b>one</b><br>two &lt;b&gt;" in picture._repr_html_()
    assert repr(picture) == "masks: one, two <b> 1 x 1, 1 open"


def test_rows_are_queries():
    keep = torch.tensor([[True, False]])
    markup = keeps_html([("one", keep, ["asks"], ["seen", "hidden"])])._repr_html_()
    row = re.findall(r"<tr>(.*?)</tr>", markup)[1]
    assert row.index("asks") < row.index("●") < row.index("repeating-linear-gradient")


@pytest.mark.parametrize(
    "masks",
    [[], [("float", torch.ones(1, 1), "a", "a")], [("large", causal_keep(2), "ab", "a")]],
)
def test_what_is_no_mask_is_refused(masks):
    with pytest.raises(ValueError, match="give"):
        keeps_html(masks)


def test_a_row_of_looks_is_named_by_what_is_said():
    figure = draw_looks(torch.eye(3), "title")
    (ax,) = figure.axes
    assert not ax.texts and ax.get_title() == "title" and list(ax.get_xticks()) == [1, 2, 3]
    assert list(ax.get_yticks()) == [2, 3, 4]
    assert ax.images[0].get_extent() == [0.5, 3.5, 4.5, 1.5]  # the first row, number 2, on top
    (steps,) = ax.lines  # between number t and t + 1, down along the row that says t + 1
    assert steps.get_xydata()[:3].tolist() == [[1.5, 1.5], [1.5, 2.5], [2.5, 2.5]]
    plt.close(figure)


def test_the_bench_has_a_row_for_each_depth():
    masks = {"nothing": torch.ones(4, 4, dtype=torch.bool), "future": causal_keep(4)}
    losses = {"nothing": [[0.001, 0.0, 3.14]] * 2, "future": [[3.0, 3.0, 3.0]] * 2}
    figure = draw_bench(masks, losses, 3.0)
    assert len(figure.axes) == 6
    bars = figure.axes[2].patches
    assert [round(bar.get_x() + bar.get_width() / 2) for bar in bars] == [3, 4, 5]
    assert [bar.get_height() for bar in bars] == [0.0, 0.0, 3.1]
    assert [text.get_text() for text in figure.axes[2].texts] == ["0.0", "0.0"]
    assert not figure.axes[3].texts, "nobody is below the floor"
    assert figure.axes[1].images[0].get_extent() == [0.5, 4.5, 5.5, 1.5]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["may look", "covered"]
    plt.close(figure)
    with pytest.raises(ValueError, match="name them alike"):
        draw_bench(masks, {"other": losses["future"]}, 3.0)
