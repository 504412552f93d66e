"""Checks of lab 06b: a clock that is read, a malus for distance, squares of a board."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.checks import check_attempt
from helpers.transformer import sinusoidal_positions


def clock(my_place: Callable) -> None:
    """Check the place, from 0 to 999, that a vector of sines and cosines stands for."""

    def vector(place: int, d_model: int = 32, loud: float = 1.0) -> tuple[Tensor]:
        return (loud * sinusoidal_positions(1000, d_model)[place],)

    counted = "Which row of the table is it? Rows count from 0, as p does in the formula."
    thousand = "There are 1,000 places, so your table needs 1,000 rows."
    wide = "This vector has 8 channels; take d_model from the vector."
    quiet = "This vector is quieter than its row. Which row is most like it?"
    cases = [
        (vector(3), 3, counted),
        (vector(712), 712, thousand),
        (vector(41, d_model=8), 41, wide),
        (vector(250, loud=1 / 3), 250, quiet),
    ]
    check_attempt(my_place, cases)


def malus(my_malus: Callable) -> None:
    """Check the mask of numbers (t, t) that takes slope from a score for each step of distance."""
    three = torch.tensor([[0.0, -1, -2], [-1, 0, -1], [-2, -1, 0]])
    four = torch.tensor([[0, 0.5, 1, 1.5], [0.5, 0, 0.5, 1], [1, 0.5, 0, 0.5], [1.5, 1, 0.5, 0]])
    taken = "It's taken off: 0 for the word itself, then less and less, to the left and the right."
    steep = "The slope is what a single step costs."
    cases = [((3, 1.0), three, taken), ((4, 0.5), -four, steep)]
    cases.append(((1, 2.0), torch.zeros(1, 1), "One word, no distance: a table of one cell."))
    check_attempt(my_malus, cases)


def board(my_board: Callable) -> None:
    """Check a vector for each square of a board: its row in one half, its column in the other."""

    def squares(rows: int, columns: int, d_model: int) -> Tensor:
        down, across = (sinusoidal_positions(t, d_model // 2) for t in (rows, columns))
        return torch.cat([down.repeat_interleave(columns, dim=0), across.repeat(rows, 1)], dim=1)

    shape = "A vector for each square, (rows * columns, d_model)."
    columns = f"{shape} In a single row of squares only the second half may change."
    rows = f"{shape} In a single column of squares only the first half may change."
    order = "The squares come as one reads: the whole first row, then the second."
    cases = [
        ((1, 3, 8), squares(1, 3, 8), columns),
        ((3, 1, 8), squares(3, 1, 8), rows),
        ((2, 3, 12), squares(2, 3, 12), order),
    ]
    check_attempt(my_board, cases)
