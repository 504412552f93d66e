"""Checks of lab 07e: a program to mend, and the shift of a target."""

import traceback
from collections.abc import Callable

import torch

from helpers.checks import check_attempt
from helpers.exercises.grading import NotTried, NotYet, graded
from helpers.text import BOS, EOS, PAD

# Fourteen lines with five faults, each of a kind that the lab has met; it is mended by the reader.
PRINTED = """
import torch
from torch import nn

class Tower(nn.Module):
    def __init__(self, n_tokens, width):
        super().__init__()
        self.words = nn.Embedding(n_tokens, width)
        self.mix = nn.Linear(width, 64)

    def forward(self, ids):
        return self.mix(self.words(ids))

tower = Tower(50, 32, 0.1)
optimizer = optim.Adam(tower.parameters())
ids = torch.tensor([[4, 7, 50]])
answers, weights = tower(ids)
print("the tower is", tower.width, "wide, its answers are", tuple(answers.shape))
"""


@graded
def it_runs(my_program: str) -> str:
    """Run a reader's mended copy of PRINTED: say where it stops, or whether all is still in it."""
    if not isinstance(my_program, str) or my_program.split() in ([], PRINTED.split()):
        raise NotTried("the program is as it was printed")
    names: dict = {"__name__": "printed"}
    try:
        exec(compile(my_program.strip(), "<printed>", "exec"), names)
    except Exception as error:  # a stop is what this exercise is about
        own = [frame for frame in traceback.extract_tb(error.__traceback__)
               if frame.filename == "<printed>"]  # fmt: skip
        line = own[-1].lineno if own else getattr(error, "lineno", None)
        raise NotYet(f"it stops in line {line}, {type(error).__name__}: {error}") from None
    if gone := [name for name in ("tower", "optimizer", "ids", "answers") if name not in names]:
        raise NotYet(f"it runs, but {gone[0]} is gone; mend a line, don't take it out")
    wide, shape = getattr(names["tower"], "width", None), tuple(names["answers"].shape)
    if (wide, shape) != (32, (1, 3, 64)):
        hint = "the tower is 32 wide, of three tokens come three answers of 64 channels"
        raise NotYet(f"it runs, but says {wide} and {shape}", hint)
    return ": it runs, and everything is still in it"


def shift(my_shift: Callable) -> None:
    """Check what the decoder reads and what it should answer, from whole target sentences."""
    start = "The decoder reads BOS first, and the last thing that it answers is EOS."
    ends = "Look at the shorter row: its EOS stands right behind its last token, its pads after it."
    ragged = [[BOS, 5, 6, 7], [BOS, 8, PAD, PAD]], [[5, 6, 7, EOS], [8, EOS, PAD, PAD]]
    again = [[BOS, 9, PAD], [BOS, 4, 4]], [[9, EOS, PAD], [4, 4, EOS]]
    cases = [
        (([[5, 6, 7]],), ([[BOS, 5, 6, 7]], [[5, 6, 7, EOS]]), start),
        (([[5, 6, 7], [8]],), ragged, ends),
        (([[9], [4, 4]],), again, ends),
    ]
    cases = [(given, tuple(map(torch.tensor, wanted)), hint) for given, wanted, hint in cases]
    check_attempt(my_shift, cases)
