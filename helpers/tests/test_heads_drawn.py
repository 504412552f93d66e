"""The pictures of notebook 04 show what they are given."""

import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.colors import to_hex

from helpers.workshop import heads_drawn
from helpers.workshop.diagrams_model import HEADS


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_people_and_rings_are_named():
    people = {"tom": [1.0, 0.0], "saw": [0.0, 0.0], "emma": [0.0, 1.0], "bob": [0.5, 0.5]}
    (ax,) = heads_drawn.draw_points(people).axes
    named = {text.get_text().split("\n")[0] for text in ax.texts}
    assert named == {"tom", "emma", "bob", "saw in Emma saw Tom", "saw in Tom saw Emma"}


def test_each_number_stands_in_its_place():
    _, ax = plt.subplots()
    heads_drawn.draw_numbers(ax, torch.tensor([[0, 1], [4, 5]]), "two words")
    assert {text.get_text(): text.get_position() for text in ax.texts}["4"] == (0, 1)


def test_a_channel_shows_who_wrote_it():
    parts = torch.tensor([[[1.0, 0, 1]], [[0.0, 0, 0.5]]])
    (ax,) = heads_drawn.draw_writers(torch.cat([parts] * 2, 1), "abc", ["one", "two"]).axes[:1]
    bars = [(bar.get_x(), bar.get_width(), to_hex(bar.get_facecolor())) for bar in ax.patches]
    assert (1.0, 0.5, HEADS[1]) in bars and (0.0, 1.0, HEADS[0]) in bars
    assert sorted(text.get_text() for text in ax.texts) == ["head 1", "head 1", "head 2"]


def test_a_sweep_has_dots_means_and_two_lines_to_compare_with():
    results = {1: torch.tensor([[0.2, 0.4], [0.4, 0.4]]), 2: torch.tensor([[0.5, 1], [0.7, 1.0]])}
    (ax,) = heads_drawn.draw_sweep(results, (200, 400), 0.34, 1 / 16).axes
    assert ax.lines[0].get_ydata() == pytest.approx([0.3, 0.6])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["after 200 steps", "after 400 steps", "a bag", "guessing"]


def test_a_long_run_shows_where_we_stopped():
    (ax,) = heads_drawn.draw_long([250, 500], [[0.3, 0.4]] * 3, 0.34, 400).axes
    assert list(ax.lines[-1].get_xdata()) == [400, 400] and len(ax.lines) == 5


def test_where_heads_look_has_a_panel_for_each_model():
    shares = torch.tensor([[0.0, 0.9, 0.1], [1.0, 0.0, 0.0]])
    first, second = heads_drawn.draw_backs({"two heads": shares, "one": shares[1:]}).axes
    assert (first.get_title(), second.get_title()) == ("two heads", "one")
    assert {text.get_text(): text.get_position() for text in first.texts}["0.90"] == (1, 0)
    assert [label.get_text() for label in first.get_xticklabels()] == ["1", "2", "3"]
    assert [label.get_text() for label in first.get_yticklabels()] == ["head 1", "head 2"]
    assert [label.get_text() for label in second.get_yticklabels()] == ["head 1"]


def test_looking_back_counts_distances():
    one_back = torch.eye(16).roll(1, 0)[None, None]  # row 5 looks at place 4
    assert heads_drawn.looks_back(one_back).tolist() == [[0, 1, 0, 0, 0, 0]]
    both = torch.cat([one_back, torch.eye(16)[None, None]], dim=1)
    assert heads_drawn.looks_back(both)[1].tolist() == [1, 0, 0, 0, 0, 0]
