"""Checks of lab 06c: attention by name only, weights with exchanged names, what reaches whom."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.checks import check_attempt
from helpers.text import BOS
from helpers.transformer import Transformer


def by_name(my_attention: Callable) -> None:
    """Check an attention that takes q, k and v by their names, in any order, and only so."""
    torch.manual_seed(0)
    named = dict(q=torch.randn(3, 4), k=torch.randn(5, 4), v=torch.randn(5, 4))
    right, _ = scaled_dot_product_attention(**named)

    def called(how: str) -> Tensor | str | None:
        if how != "by place":
            return my_attention(**{name: named[name] for name in how.split()})
        try:
            return None if my_attention(*named.values()) is None else "taken"
        except TypeError:
            return "refused"

    plain = "Called as my_attention(q=..., k=..., v=...) it should return the context, (t, d_v)."
    star = "Called as my_attention(q, k, v) it still answers. A * among the parameters helps."
    cases = [(("q k v",), right, plain), (("v q k",), right, "Does the order of names matter?")]
    check_attempt(called, [*cases, (("by place",), "refused", star)])


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


class _Deaf(Transformer):
    """A translator whose decoder gets only the first few vectors of the encoder, or zeros."""

    hears = 0

    def encode(self, source: Tensor) -> Tensor:
        """Encode each word alone, so that a word that isn't heard can't be heard round a corner."""
        memory = torch.cat([super(_Deaf, self).encode(one) for one in source.T[:, :, None]], dim=1)
        return torch.cat([memory[:, : self.hears], 0 * memory[:, self.hears :]], dim=1)


def reached(my_reached: Callable) -> None:
    """Check a list that tells for each word of a source whether it reaches the scores."""

    def model(hears: int, dropout: float = 0.0) -> Transformer:
        torch.manual_seed(0)
        made = _odd(_Deaf(9, 9, 8, 2, n_layers=1, dropout=dropout))
        made.hears = hears
        return made.train(dropout > 0)

    source, target = torch.tensor([[4, 5, 4, 6]]), torch.tensor([[BOS, 5, 6]])
    every = "Turn one word at a time into another one, and look whether any score moves."
    none = "Here the decoder gets zeros, whatever the source says. Do your scores move at all?"
    some = "Words 1 and 2 are heard here, whichever they are, and nobody else."
    dice = "This model is in training mode, where dropout moves everything. Switch it off first."
    cases = [
        ((model(4), source, target), [True] * 4, every),
        ((model(0), source, target), [False] * 4, none),
        ((model(2), source.flip(1), target), [True, True, False, False], some),
        ((model(1, dropout=0.5), source, target), [True, False, False, False], dice),
    ]
    check_attempt(my_reached, cases)
