"""What data/experiments/data_sizes.json keeps: its rows by what was trained, drawn and averaged."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import median

import torch
from matplotlib.axes import Axes

from helpers.pairs import DATA
from helpers.studies.data_scaling import LOOKS, SIZES, FewPairs

PLACES = (*SIZES[:-1], 34000)  # what the sizes are called in a picture
SHADES = ("#111111", "#5b2c6f", "#8e44ad", "#b56a00", "#e08a00", "#f5c879", "#9a9a9a")
# Student's 95%, for so many seeds; of more seeds than these the largest number counts.
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306}
STUDENT |= {10: 2.262, 15: 2.145, 20: 2.093, 30: 2.045}


@cache
def read() -> dict:
    """Read the file."""
    path = DATA / "experiments" / "data_sizes.json"
    return json.loads(path.read_text(encoding="utf-8"))


def of_all_seeds(n_pairs: int, smoothing: float, steps: int = LOOKS[-1]) -> list[dict]:
    """Find the trainings with so many pairs (0: all), smoothing, and steps until the rate is 0."""
    wanted = dict(n_pairs=n_pairs, label_smoothing=smoothing, steps=steps)
    wanted |= dict(learning_rate=0.005, warmup_steps=200)
    return [row for row in read()["rows"] if wanted.items() <= row.items()]


def training(n_pairs: int, smoothing: float, steps: int = LOOKS[-1]) -> dict:
    """Find the training with the first seed."""
    return of_all_seeds(n_pairs, smoothing, steps)[0]


def column(row: dict, name: str) -> list[float]:
    """Take one quantity of all looks of a training."""
    return [each[name] for each in row["rows"]]


def half_width(values: Sequence[float]) -> float | None:
    """Give half the 95% interval of a mean; None for a single value, which tells nothing of it."""
    if len(values) < 2:
        return None
    found = torch.as_tensor(values, dtype=torch.float64)
    student = STUDENT[max(seeds for seeds in STUDENT if seeds <= len(found))]
    return student * found.std().item() / math.sqrt(len(found))


def interval(values: Sequence[float]) -> str:
    """Tell the mean over the seeds and its 95% interval."""
    mean, width = sum(values) / len(values), half_width(values)
    return f"{mean:.1f}" if width is None else f"{mean:.1f} ± {width:.1f}"


def draw_losses(ax: Axes, row: dict) -> None:
    """Draw both losses of a training: on its own pairs grey, on other pairs amber."""
    pairs = ("train_loss", "its own pairs", "#9a9a9a"), ("valid_loss", "other pairs", "#b56a00")
    for name, label, colour in pairs:
        ax.plot(column(row, "step"), column(row, name), color=colour, label=label)


def stopped(row: dict, watched: str, patience: int) -> tuple[int, float]:
    """Stop a training early, watching its "loss" or its "wrong sentences" of other pairs.

    Returns: the step after which it stops, and how many of 100 other pairs are right there.
    """
    right = column(row, "valid_exact")
    numbers = column(row, "valid_loss") if watched == "loss" else [1 - share for share in right]
    best, waited = math.inf, 0
    for place, number in enumerate(numbers):  # noqa: B007
        waited = 0 if number < best else waited + 1
        best = min(best, number)
        if waited == patience:
            break
    return column(row, "step")[place], 100 * right[place]


def times_of_rarest_word() -> dict[int, float]:
    """Count how often the rarest word of a known test sentence stood in the pairs of seed 0.

    Returns: for each of PLACES the median over the test sentences all of whose words stood there.
    """
    recipe, found, times = FewPairs(), {}, (Counter(), Counter())
    seen, test = list(recipe.train_examples), recipe.encode(recipe.pairs.tests["test"])
    for first, last in zip((0, *PLACES), PLACES, strict=False):  # a choice holds the smaller ones
        for example in seen[first:last]:
            times[0].update(set(example.source))
            times[1].update(set(example.target))
        sides = [zip(times, (each.source, each.target), strict=True) for each in test]
        rarest = [min(count[n] for count, side in pair for n in side) for pair in sides]
        found[last] = median(number for number in rarest if number)
    return found
