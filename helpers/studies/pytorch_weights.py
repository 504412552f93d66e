"""Weights of our layers, put into PyTorch's, so that both can be compared."""

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention


def numbers_of(layer: nn.Module) -> Iterator[Tensor]:
    """Give all parameters of a layer in PyTorch's order, which is that of its parts.

    PyTorch keeps the weights of queries, keys and values on one pile, and their biases, too.
    """
    for part in [*layer.children()] or [layer]:
        if isinstance(part, MultiHeadAttention):
            three = part.query, part.key, part.value
            yield torch.cat([each.weight for each in three])
            yield torch.cat([each.bias for each in three])
            part = part.output
        yield from part.parameters()


@torch.no_grad()
def copy_weights(layers: Iterable[nn.Module], other: nn.Module) -> None:
    """Hand the numbers of our layers, one after the other, to a model of PyTorch's.

    Raises: ValueError if there are more of one than of the other.
    """
    numbers = (each for layer in layers for each in numbers_of(layer))
    for mine, theirs in zip(numbers, other.parameters(), strict=True):
        theirs.copy_(mine)
