"""What lab 07b reads out of its file."""

import json
import math

import matplotlib.pyplot as plt
import pytest

from helpers.recipe import DATA
from helpers.workshop import sizes_kept
from helpers.workshop.data_sizes import FOREVER
from helpers.workshop.sizes_kept import (
    column,
    draw_losses,
    interval,
    of_all_seeds,
    smoothed_floor,
    stopped,
    times_of_rarest_word,
    training,
)


def row(n_pairs=500, smoothing=0.1, seed=0, steps=1200, rate=0.005, warmup=200):
    looks = [dict(step=50, train_loss=2.0, valid_loss=3.0)]
    looks.append(dict(step=100, train_loss=1.0, valid_loss=2.5 + rate))
    settings = dict(n_pairs=n_pairs, label_smoothing=smoothing, seed=seed, steps=steps)
    return settings | dict(learning_rate=rate, warmup_steps=warmup, rows=looks)


@pytest.fixture(autouse=True)
def file(monkeypatch):
    rows = [row(smoothing=0.0, steps=FOREVER), row(), row(seed=1), row(n_pairs=0)]
    rows += [row(n_pairs=0, steps=400, rate=0.015), row(n_pairs=0, steps=400, warmup=0)]
    monkeypatch.setattr(sizes_kept, "read", lambda: dict(rows=rows))
    return rows


def test_trainings_are_found_by_what_was_trained(file):
    assert of_all_seeds(500, 0.1) == file[1:3] and training(500, 0.1) == file[1]
    assert training(500, 0.0, FOREVER) == file[0] and training(0, 0.1) == file[3]
    assert column(file[0], "train_loss") == [2.0, 1.0]


def test_an_interval_is_students():
    assert interval([1.0, 2.0, 3.0]) == "2.0 ± 2.5"  # 4.303 / sqrt(3)
    assert interval([7.25]) == "7.2"


def test_both_losses_are_drawn(file):
    _, ax = plt.subplots()
    draw_losses(ax, file[0], ":", ", here")
    assert [list(line.get_ydata()) for line in ax.lines] == [[2.0, 1.0], [3.0, 2.505]]
    assert [line.get_label() for line in ax.lines] == ["its own pairs, here", "other pairs, here"]
    assert all(line.get_linestyle() == ":" for line in ax.lines)
    plt.close()


def test_a_training_is_stopped_by_what_is_watched():
    losses, right = [3.0, 2.0, 2.1, 2.2, 1.0], [0.1, 0.2, 0.3, 0.25, 0.2]
    looks = [
        dict(step=n, valid_loss=a, valid_exact=b)
        for n, (a, b) in enumerate(zip(losses, right, strict=True))
    ]
    assert stopped(dict(rows=looks), "loss", 2) == (3, 25.0)
    assert stopped(dict(rows=looks), "wrong sentences", 2) == (4, 20.0)
    assert stopped(dict(rows=looks), "loss", 3) == (4, 20.0)  # never has to


def test_the_floor_of_a_smoothed_target():
    assert smoothed_floor(0.0, 10) == 0.0
    assert smoothed_floor(0.5, 2) == pytest.approx(-math.log(0.75))


def test_the_rarest_word_is_met_more_often_in_more_pairs():
    found = times_of_rarest_word()
    assert [found[size] for size in (500, 2000, 34000)] == [2, 6, 100]


def test_who_counts_too_early_stops_at_nothing():  # said in the lab
    path = DATA / "experiments" / "data_sizes.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    chosen = [row for row in rows if row["n_pairs"] == 2000]
    assert (150, 0.0) in [stopped(row, "wrong sentences", 2) for row in chosen]
