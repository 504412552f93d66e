"""Checks of lab 04a: a kernel as slices of W_o, and a test that finds broken attentions."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.attention import MultiHeadAttention
from helpers.checks import check_attempt
from helpers.workshop.exercises.sources import Exchanged


def slices(my_slices: Callable) -> None:
    """Check the slices of W_o, (3, c_in, c_out), that make shift heads a convolution."""
    torch.manual_seed(0)
    by_hand = torch.zeros(2, 2, 3)
    by_hand[0, 1, 2] = 5.0  # out 1 takes 5 times channel 2 of the word after
    random = torch.randn(4, 6, 3)
    words, wider = torch.randn(1, 5, 2), torch.randn(1, 5, 6)

    def applied(kernel: Tensor, words: Tensor) -> Tensor | None:
        found = my_slices(kernel)
        if found is None:
            return None
        padded = F.pad(words, (0, 0, 1, 1))
        t = words.size(1)
        contexts = [padded[:, place : place + t] for place in range(3)]  # before, here, after
        return sum(context @ own for context, own in zip(contexts, found, strict=True))

    def wanted(kernel: Tensor, words: Tensor) -> Tensor:
        return F.conv1d(words.mT, kernel, padding=1).mT

    first = "Slice 1 belongs to the head that looks one back: kernel[:, :, 0] says what it does."
    turned = "A kernel is (out, in, place); a slice of W_o is multiplied from the right: (in, out)."
    cases = [
        ((by_hand, words), wanted(by_hand, words), f"{first} {turned}"),
        ((random, wider), wanted(random, wider), turned),
    ]
    check_attempt(applied, cases, atol=1e-4)


class _View(MultiHeadAttention):
    def split_heads(self, x: Tensor) -> Tensor:
        return x.view(len(x), self.n_heads, -1, self.d_head)


class _Scale(MultiHeadAttention):
    def split_heads(self, x: Tensor) -> Tensor:
        return super().split_heads(x) / self.n_heads**0.25


class _Merge(MultiHeadAttention):
    def forward(self, query: Tensor, memory: Tensor, keep=None, cache=None) -> Tensor:
        q, k, v = (
            self.split_heads(layer(x))
            for layer, x in ((self.query, query), (self.key, memory), (self.value, memory))
        )
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        return self.output(context.reshape(query.shape))


def _made(kind: type, d_model: int, n_heads: int) -> MultiHeadAttention:
    """Make a module whose biases aren't zero."""
    module = kind(d_model, n_heads)
    for layer in (module.query, module.key, module.value, module.output):
        torch.nn.init.normal_(layer.bias)
    return module.requires_grad_(False)


def tester(my_test: Callable) -> None:
    """Check a test that calls an attention and says "right" or "broken"."""
    torch.manual_seed(0)
    right = "This one is right; its biases aren't zero. Equal means equal within rounding."
    cases = [
        (MultiHeadAttention, 12, 3, "right", right),
        (_View, 12, 3, "broken", "Here the sentence is cut, not the channels."),
        (_Scale, 12, 3, "broken", "The scores are divided by the root of d_model here."),
        (Exchanged, 12, 3, "broken", "Keys and values have changed places here."),
        (_Merge, 12, 3, "broken", "Here the heads are put together wrongly, at the very end."),
        (MultiHeadAttention, 8, 4, "right", "Take the sizes from the module: other heads here."),
        (_View, 6, 1, "right", "One head: nothing is cut, so even the quick view is right."),
    ]
    tried = [
        ((_made(kind, width, heads),), verdict, hint) for kind, width, heads, verdict, hint in cases
    ]
    check_attempt(my_test, tried)
