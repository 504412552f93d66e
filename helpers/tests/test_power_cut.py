"""A training killed for lab 07a: always at the same step, and it goes on to the same end."""

from dataclasses import replace

import pytest

from helpers.checkpoint import load_checkpoint
from helpers.workshop.power_cut import (
    CUT,
    END,
    FROM,
    TinyRecipe,
    draw_the_cut,
    same_weights,
    train_until_killed,
    write_german,
)


@pytest.fixture
def recipe(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path))
    return TinyRecipe(corpus=str(write_german(tmp_path / "german.tsv")), steps=20, name="a/peace")


def test_a_killed_training_goes_on_to_the_same_weights(recipe):
    whole = recipe.train(log=str)
    killed = replace(recipe, name="a/killed")
    train_until_killed(killed, saved=3)
    assert load_checkpoint(killed.folder / "unfinished.pt")["step"] == 6
    assert not (killed.folder / "checkpoint.pt").exists()
    assert killed.train(log=str).rows == whole.rows
    assert same_weights(recipe.folder, killed.folder)
    other = replace(recipe, seed=1, name="a/other")
    other.train(log=str)
    assert not same_weights(recipe.folder, other.folder)


def test_a_training_that_ends_before_is_said(recipe):
    with pytest.raises(RuntimeError, match="did not come to 99 savings"):
        train_until_killed(recipe, saved=99)


def test_the_opening_parts_where_the_power_goes_off():
    figure = draw_the_cut()
    peace, cut, _ = figure.axes[0].lines
    assert list(peace.get_xdata()) == list(range(FROM, END + 1))
    assert list(cut.get_xdata()) == list(range(CUT, END + 1))
    same = peace.get_ydata()[CUT - FROM]
    assert cut.get_ydata()[0] == same and cut.get_ydata()[1] > 1.5 * same
