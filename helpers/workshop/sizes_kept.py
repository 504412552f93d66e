"""What data/experiments/data_sizes.json keeps: its rows by what was trained, drawn and averaged."""

import json
import math
from collections.abc import Sequence
from functools import cache

import torch
from matplotlib.axes import Axes

from helpers.recipe import DATA
from helpers.workshop.data_sizes import LOOKS, SIZES

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


def draw_losses(ax: Axes, row: dict, style: str = "-", more: str = "") -> None:
    """Draw both losses of a training: on its own pairs grey, on other pairs amber."""
    pairs = ("train_loss", "its own pairs", "#9a9a9a"), ("valid_loss", "other pairs", "#b56a00")
    for name, label, colour in pairs:
        ax.plot(column(row, "step"), column(row, name), style, color=colour, label=label + more)


def by_rate(warmup_steps: int) -> list[tuple[float, float]]:
    """List rate and valid loss at the end of the short trainings, with or without a warm-up."""
    rows = (row for row in read()["rows"] if row["steps"] < LOOKS[-1])
    chosen = (row for row in rows if row["warmup_steps"] == warmup_steps)
    return [(row["learning_rate"], row["rows"][-1]["valid_loss"]) for row in chosen]
