"""Checks of notebook 06: turning hands, a norm, five blanks, a count, post-norm, one vector."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.checks import check_attempt
from helpers.masks import causal_keep
from helpers.transformer import DecoderLayer, EncoderLayer, sinusoidal_positions


def hands(my_turn: Callable) -> None:
    """Check the matrix that moves every position by k places."""

    def moved(k: int, d_model: int) -> Tensor | None:
        matrix = my_turn(k, d_model)
        if matrix is None:
            return None
        return sinusoidal_positions(200, d_model) @ torch.as_tensor(matrix).float()

    def after(k: int, d_model: int) -> Tensor:
        return sinusoidal_positions(200 + k, d_model)[k:]

    one = "One hand, of speed 1: cos 1 on the diagonal, sin 1 beside it, with opposite signs."
    own = "Hand i has channels 2i and 2i + 1, and turns by its own angle, k times its speed."
    wide = "The speeds depend on d_model, and the matrix has d_model rows."
    every = "For every place: a matrix that was fitted to some of them misses others."
    cases = [
        ((0, 4), after(0, 4), "To move by 0 places changes nothing. Which matrix does that?"),
        ((1, 2), after(1, 2), one),
        ((3, 4), after(3, 4), own),
        ((5, 24), after(5, 24), wide),
        ((7, 64), after(7, 64), every),
    ]
    check_attempt(moved, cases)


def layer_norm(my_layer_norm: Callable) -> None:
    """Check a layer norm made of sums and roots."""
    torch.manual_seed(0)
    x, gain, bias = torch.randn(2, 5, 24) * 3 + 1, torch.randn(24), torch.randn(24)
    one, zero = torch.ones(2), torch.zeros(2)
    small = torch.tensor([[0.001, -0.001]])  # variance 1e-6, and 1e-6 + 1e-5 under the root
    d = "The mean of 1 and 3 is 2, and the variance is 1: it's divided by d, not by d - 1."
    equal = "0 / 0 is no number: add 1e-5 to the variance."
    alone = "Each word by itself: along the last axis, with keepdim=True."
    cases = [
        ((torch.tensor([[1.0, 3.0]]), one, zero), torch.tensor([[-1.0, 1.0]]), d),
        ((torch.tensor([[5.0, 5.0]]), one, zero), torch.zeros(1, 2), equal),
        ((small, one, zero), small / math.sqrt(1.1e-5), "The 1e-5 belongs under the root."),
        (
            (torch.tensor([[1.0, 3.0]]), 2 * one, one),
            torch.tensor([[-1.0, 3.0]]),
            "First the gain, then the bias, both at the end.",
        ),
        ((x, gain, bias), F.layer_norm(x, (24,), gain, bias), alone),
    ]
    check_attempt(my_layer_norm, cases, atol=1e-4)  # hand-made numbers leave out the 1e-5


class _Stop(Exception):
    """The first wrong line, or a blank: it ends a run."""


# What is handed to the parts of a decoder layer, in the order in which they are called.
_LINES = ("norm_self", "self_attention", "norm_cross", "cross_attention", "feed_forward")
_HINTS = {
    ("self_attention", 1, "y"): "they ask with the norm and should answer with it, too",
    ("self_attention", 1, "memory"): "this is self-attention; the source's turn comes later",
    ("self_attention", 1, ""): "in self-attention those who ask are asked, too",
    ("self_attention", 2, "memory_keep"): "this one hides pads of the source; who is asked here?",
    ("self_attention", 2, "no mask"): "without a mask every token sees what comes after it",
    ("self_attention", 2, ""): "which mask lets a token see only what's been written so far?",
    ("cross_attention", 1, "normed"): "this asks the target again; who read the source?",
    ("cross_attention", 1, "y"): "this asks the target again; who read the source?",
    ("cross_attention", 1, ""): "here the source is asked, as the encoder returned it",
    ("cross_attention", 2, "keep"): "the triangle belongs to the target; who is asked here?",
    ("cross_attention", 2, "no mask"): "without a mask the pads of the source are read as words",
    ("cross_attention", 2, ""): "which mask belongs to the source?",
    ("feed_forward", 0, "y"): "in the map there's something between the trunk and this box",
    ("feed_forward", 0, "normed"): "that's the vector from before cross-attention",
    ("feed_forward", 0, "memory"): "the source has had its say; what's on the trunk now?",
    ("feed_forward", 0, ""): "each box gets the trunk as it is now, through its own norm",
}


class _Watched:
    """A decoder layer whose parts look at what they are handed before they run."""

    def __init__(self, layer: DecoderLayer, y: Tensor, memory: Tensor, keeps: tuple):
        self.layer, self.known = layer, {"y": y, "memory": memory}
        self.masks = dict(zip(("keep", "memory_keep"), keeps, strict=True))
        self.y, self.normed, self.called = y, None, set()

    def parts(self) -> SimpleNamespace:
        names = [*_LINES, "norm_ff"]
        return SimpleNamespace(**{name: self._watch(name) for name in names})

    def _watch(self, name: str) -> Callable:
        def part(*handed):
            if any(each is None for each in handed[: 2 if "attention" in name else 1]):
                raise _Stop("not tried yet: a blank is still None")
            if "attention" in name:
                self._attention(name, *handed)
            elif name == "feed_forward":
                self._demand(name, 0, handed[0], self.layer.norm_ff(self.y))
            result = getattr(self.layer, name)(*handed)
            if "attention" in name:
                self.y = self.y + result
            elif name in ("norm_self", "norm_cross") and _same(handed[0], self.y):
                self.normed = self.normed if name in self.called else result
            self.called.add(name)
            return result

        return part

    def _attention(self, name: str, asks: Tensor, asked: Tensor, keep=None) -> None:
        memory = self.known["memory"]
        self._demand(name, 1, asked, asks if name == "self_attention" else memory)
        wanted = self.masks["keep" if name == "self_attention" else "memory_keep"]
        self._demand(name, 2, keep, wanted)

    def _demand(self, name: str, place: int, handed, wanted: Tensor) -> None:
        if isinstance(handed, Tensor) and _same(handed, wanted):
            return
        now = {"normed": self.normed, **self.masks, **self.known, "y": self.y}
        found = [each for each, tensor in now.items() if _same(handed, tensor)]
        what = "no mask" if handed is None else (found or [""])[0]
        hint = _HINTS.get((name, place, what), _HINTS[name, place, ""])
        blank = {"self_attention": 0, "cross_attention": 2, "feed_forward": 5}[name] + place
        line = _LINES.index(name) + 1
        raise _Stop(f"not yet: line {line}, {name}, blank {blank} is wrong\nhint: {hint}")


def _same(one, other) -> bool:
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return False
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(one, other) if one.dtype == torch.bool else torch.allclose(one, other)


def decoder_layer(my_decoder_layer: Callable) -> None:
    """Check the way through a decoder layer, and name the first line that is wrong."""
    torch.manual_seed(0)
    layer = _moved(DecoderLayer(12, 2, 20))
    y, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    memory_keep = torch.ones(2, 1, 1, 6, dtype=torch.bool)
    memory_keep[1, ..., 4:] = False
    keeps = causal_keep(4), memory_keep
    try:
        result = my_decoder_layer(_Watched(layer, y, memory, keeps).parts(), y, memory, *keeps)
    except _Stop as stop:
        print(stop)
        return
    except Exception as error:  # whatever the reader's code raises becomes one line
        print(f"not yet: {type(error).__name__}: {error}")
        return
    if result is None:
        print("not tried yet: your function returns nothing")
    elif _same(result, layer(y, memory, *keeps)):
        print("right: all five blanks, and the way through a decoder layer is yours")
    else:
        print("not yet: every part gets what it should, but what you return is something else")
        print("hint: each part adds to y, and the sum is what goes on")


def _moved(layer: nn.Module) -> nn.Module:
    """Move all weights off their start: else a forgotten norm hides behind gain 1 and bias 0."""
    for weight in layer.parameters():
        weight.data += 0.2 * torch.randn_like(weight)
    return layer.requires_grad_(False)


def count(my_count: Callable) -> None:
    """Check the number of parameters of an encoder or a decoder layer."""

    def real(d_model: int, d_ff: int, decoder: bool) -> int:
        layer = (DecoderLayer if decoder else EncoderLayer)(d_model, 1, d_ff)
        return sum(weight.numel() for weight in layer.parameters())

    first = "With one channel it's 16: all matrices, all biases, a gain and a bias for each norm."
    more = "A decoder layer has one more attention, and one more norm."
    square = "An attention has four matrices of d_model by d_model."
    biases = "The first bias of the feed-forward net has d_ff numbers, the second d_model."
    cases = [
        ((1, 1, False), 16, first),
        ((1, 1, True), 26, more),
        ((4, 4, False), real(4, 4, False), square),
        ((4, 10, False), real(4, 10, False), biases),
        ((24, 40, True), real(24, 40, True), "Two attentions, one feed-forward net, three norms."),
    ]
    check_attempt(my_count, cases)


def post_norm(my_post_norm: Callable) -> None:
    """Check an encoder layer in the order of 2017 against PyTorch's."""
    torch.manual_seed(0)
    layer = _moved(EncoderLayer(24, 3, 40))
    theirs = nn.TransformerEncoderLayer(24, 3, 40, batch_first=True, norm_first=False).eval()
    theirs.requires_grad_(False)
    attention, numbers = layer.self_attention, []
    three = attention.query, attention.key, attention.value
    numbers += [torch.cat([each.weight for each in three])]
    numbers += [torch.cat([each.bias for each in three]), *attention.output.parameters()]
    for part in (layer.feed_forward, layer.norm_self, layer.norm_ff):
        numbers += part.parameters()
    for mine, other in zip(numbers, theirs.parameters(), strict=True):
        other.copy_(mine)
    x, keep = torch.randn(2, 5, 24), torch.ones(2, 1, 1, 5, dtype=torch.bool)
    keep[1, ..., 3:] = False
    masked = theirs(x, src_key_padding_mask=~keep[:, 0, 0])
    order = "No norm before a box, one after each sum."
    cases = [
        ((layer, x, None), theirs(x), order),
        ((layer, x, keep), masked, "Here's a mask: hand keep on to the attention."),
    ]
    check_attempt(my_post_norm, cases, atol=1e-4)


def pool(my_pool: Callable) -> None:
    """Check attention pooling: one vector for each sentence, with pads."""
    torch.manual_seed(0)
    two, real = torch.eye(4)[None, :2], torch.ones(1, 2, dtype=torch.bool)
    query = torch.tensor([2 * math.log(3.0), 0.0, 0.0, 0.0])  # scores 2 ln 3 / √4 = ln 3, and 0
    x, long_query = torch.randn(2, 5, 24), torch.randn(24)
    keep = torch.ones(2, 5, dtype=torch.bool)
    keep[1, 2:] = False
    asks = long_query.expand(2, 1, 24)
    full = F.scaled_dot_product_attention(asks, x, x, attn_mask=keep[:, None])[:, 0]
    cut = F.scaled_dot_product_attention(asks[1:], x[1:, :2], x[1:, :2])[:, 0]
    of_pads = torch.tensor([[True, True], [False, False]])
    zeros = torch.tensor([[0.75, 0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    empty = "A sentence of pads only: its weights should all be 0. With -inf they're no numbers."
    cases = [
        ((two, real, torch.zeros(4)), torch.tensor([[0.5, 0.5, 0, 0]]), "Equal scores: the mean."),
        (
            (two, real, query),
            torch.tensor([[0.75, 0.25, 0, 0]]),
            "Divided by √d the scores are ln 3 and 0, so the weights are 3/4 and 1/4.",
        ),
        ((x[1:, :2], keep[1:, :2], long_query), cut, "Two real words of 24 channels."),
        ((x, keep, long_query), full, "Pads: minus infinity, before the softmax."),
        ((two.repeat(2, 1, 1), of_pads, query), zeros, empty),
    ]
    check_attempt(my_pool, cases)
