"""Checks of lab 07d: a step of an LSTM, how long a gate remembers, a kernel that slides."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.checks import check_attempt


def lstm_step(my_step: Callable) -> None:
    """Check (h, c) of an LSTM's step, from its four blocks and the cell before."""

    def case(keep: float | None, seed: int, hint: str) -> tuple:
        generator = torch.Generator().manual_seed(seed)
        cell = nn.LSTMCell(6, 5)
        for weight in cell.parameters():
            weight.data = torch.randn(weight.shape, generator=generator)
        if keep is not None:  # the second of the four blocks
            cell.weight_ih.data[5:10] = cell.weight_hh.data[5:10] = cell.bias_hh.data[5:10] = 0.0
            cell.bias_ih.data[5:10] = keep
        words, h, c = (torch.randn(3, n, generator=generator) for n in (6, 5, 5))
        blocks = F.linear(words, cell.weight_ih, cell.bias_ih)
        blocks = blocks + F.linear(h, cell.weight_hh, cell.bias_hh)
        with torch.no_grad():
            return (*blocks.detach().split(5, dim=-1), c), cell(words, (h, c)), hint

    new = "With keep shut, the old cell is gone: c is what enters, h what leaves of it."
    old = "With keep open, all of the old cell stays, and what enters comes on top."
    signs = "A gate is a sigmoid, from 0 to 1; news and what is shown of c go through a tanh."
    cases = [case(-50.0, 1, new), case(50.0, 2, old), case(None, 3, signs)]
    check_attempt(my_step, cases, atol=1e-5)


def half_life(my_half_life: Callable) -> None:
    """Check after how many words half of a cell is left, if its gate keeps this share."""
    once = "One word takes half of it away: after one word, half is left."
    twice = "Two words in turn: the shares multiply."
    more = "Which power of the share is a half? Logarithms know."
    cases = [((0.5,), 1.0, once), ((math.sqrt(0.5),), 2.0, twice)]
    cases += [((share,), math.log(0.5) / math.log(share), more) for share in (0.95, 0.1)]
    check_attempt(my_half_life, cases, atol=1e-3)


def slide(my_slide: Callable) -> None:
    """Check a kernel of three for each channel, slid along time, that never looks ahead."""

    def slid(x: Tensor, kernel: Tensor) -> Tensor:
        padded = F.pad(x.transpose(1, 2), (2, 0))
        return F.conv1d(padded, kernel[:, None], groups=len(kernel)).transpose(1, 2)

    generator = torch.Generator().manual_seed(7)
    x = torch.arange(1.0, 5.0).view(1, 4, 1)
    one, other = torch.tensor([[0.0, 0, 1]]), torch.tensor([[1.0, 0, 0]])
    itself = "The last of the three weights is that of the token itself."
    before = "The first weight is that of the token two places back; before the sentence are zeros."
    own = "Each channel has its own kernel, kernel[c] for channel c, and sees no other channel."
    cases = [((x, one), slid(x, one), itself), ((x, other), slid(x, other), before)]
    large, kernels = (torch.randn(*shape, generator=generator) for shape in ((2, 5, 6), (6, 3)))
    cases.append(((large, kernels), slid(large, kernels), own))
    single = large[:, :1]
    cases.append(((single, kernels), slid(single, kernels), "A sentence may be a single token."))
    check_attempt(my_slide, cases)
