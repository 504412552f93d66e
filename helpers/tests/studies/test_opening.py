"""What 01 and 04 show of the translator: by the checkpoint that `make test` has trained for 07."""

import json

import pytest

from helpers.recipe import Recipe
from helpers.tools.experiments import EXPERIMENTS, path_of, repeat


@pytest.mark.parametrize(
    "name", [name for name in EXPERIMENTS if EXPERIMENTS[name].recipe is Recipe]
)
def test_the_file_holds_what_the_translator_of_07_says(name):
    """Waits for the training of 07, or trains as 07 does where nobody else has (some minutes)."""
    assert repeat(name, json.loads(path_of(name).read_text(encoding="utf-8"))) == []
