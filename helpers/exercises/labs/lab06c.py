"""Check of lab 06c: weights with exchanged names."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.attention import MultiHeadAttention
from helpers.checks import check_attempt
from helpers.text import BOS
from helpers.transformer import Transformer


class Exchanged(MultiHeadAttention):
    """An attention of somebody who calls a value what we call a key."""

    def forward(self, query: Tensor, memory: Tensor, keep=None, cache=None) -> Tensor:
        """Project with the two layers exchanged, as that program does."""
        self.key, self.value = self.value, self.key
        found = super().forward(query, memory, keep, cache)
        self.key, self.value = self.value, self.key
        return found


def _odd(module: torch.nn.Module) -> torch.nn.Module:
    for weight in module.parameters():  # biases that aren't zero, norms that aren't one
        torch.nn.init.normal_(weight, std=0.3)
    return module.eval().requires_grad_(False)


def rescue(my_rescue: Callable) -> None:
    """Check new weights for ours, from a state_dict in which keys and values changed places."""
    torch.manual_seed(0)
    x, memory = torch.randn(1, 3, 8), torch.randn(1, 5, 8)
    alone, theirs = _odd(MultiHeadAttention(8, 2)), _odd(Exchanged(8, 2))
    theirs.load_state_dict(alone.state_dict())
    whole = _odd(Transformer(9, 9, 8, 2, n_layers=1))
    ids = torch.tensor([[4, 5, 6]]), torch.tensor([[BOS, 7]])
    other = _odd(Transformer(9, 9, 8, 2, n_layers=1))
    other.load_state_dict(whole.state_dict())
    for part in other.modules():
        if isinstance(part, MultiHeadAttention):
            part.__class__ = Exchanged

    def loaded(kind: str) -> Tensor | None:
        module, inputs = (alone, (x, memory)) if kind == "attention" else (whole, ids)
        weights = my_rescue({name: weight.clone() for name, weight in module.state_dict().items()})
        if weights is None:
            return None
        ours = MultiHeadAttention(8, 2) if kind == "attention" else Transformer(9, 9, 8, 2, 1)
        names = ours.state_dict().keys()
        strange = sorted({*weights} ^ {*names})
        if strange:
            first = strange[0]
            raise AssertionError(f"{first} is {'missing' if first in names else 'unknown to ours'}")
        ours = _odd(ours)
        ours.load_state_dict(weights)
        return ours(*inputs)

    both = "Four entries change places: the weights and the biases of the two."
    deep = "In a whole model the names are longer, say decoder_layers.0.cross_attention.key.weight."
    cases = [(("attention",), theirs(x, memory), both), (("model",), other(*ids), deep)]
    check_attempt(loaded, cases)
