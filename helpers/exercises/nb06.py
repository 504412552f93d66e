"""Checks of notebook 06: hands, three classes, shapes, a norm, post-norm."""

import inspect
import math
from collections.abc import Callable
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.checks import check_attempt
from helpers.exercises.grading import NotTried, NotYet, graded, is_right
from helpers.masks import causal_keep
from helpers.studies.pytorch_weights import copy_weights
from helpers.toys import five_cells
from helpers.transformer import DecoderLayer, EncoderLayer, sinusoidal_positions


@graded
def hand(my_matrix) -> str:
    """Check the four numbers that turn a hand of speed 1 by three steps, for all places."""
    if "None" in str(my_matrix):
        raise NotTried("a blank is still None")
    try:
        matrix = torch.as_tensor(my_matrix).double()
    except (TypeError, ValueError, RuntimeError):
        raise NotYet("my_matrix can't be read as numbers; are both rows equally long?") from None
    if matrix.shape != (2, 2) or not matrix.isfinite().all():
        raise NotYet(f"my_matrix has the shape {tuple(matrix.shape)}; give 2 rows of 2 numbers")
    place = torch.arange(-3, 200).double()
    here = torch.stack([place.sin(), place.cos()], dim=1)
    moved = here[3:-3] @ matrix
    if (moved - here[6:]).abs().max() < 0.02:  # typed with two decimals it's right as well
        return ": the same four numbers move each of 197 places three steps on"
    back = (moved - here[:-6]).abs().max() < 0.02
    wrong = 1 + int((moved - here[6:]).abs().amax(dim=0)[0] < 0.02)
    hint = f"column {wrong} makes it: which factor has sin p in the formula, and which cos p?"
    hint = "that's three steps back: look at the signs" if back else hint
    raise NotYet(f"the new {('sine', 'cosine')[wrong - 1]} is wrong, for most places", hint)


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


def feed_forward(my_class: Callable) -> Callable:
    """Check a feed-forward net that the reader wrote; give it back if it's right, else ours."""
    return my_class if is_right(_check_net_class, my_class) else five_cells.FeedForward


def _check_net_class(my_class: Callable) -> str:
    """Check first the layers of a net, then what it returns, then the order of its numbers."""
    torch.manual_seed(0)
    x = torch.randn(2, 3, 6)
    net = my_class(6, 10)
    result = net(x)
    if result is None:
        raise NotTried("forward returns nothing")
    _check_layers(net)
    _check_net(net, x, result)
    _check_order(net, five_cells.FeedForward(6, 10))
    return ": it widens, it cuts, it comes back, each word by itself"


def _check_order(mine: nn.Module, ours: nn.Module) -> None:
    """Refuse a layer whose numbers can't be copied one after the other, as the page does."""
    shapes = [[tuple(each.shape) for each in one.parameters()] for one in (mine, ours)]
    if shapes[0] != shapes[1]:
        what = "what it returns is right, but its parts stand in another order in __init__"
        hint = "the page copies its numbers into PyTorch's, so the order must be that of use"
        raise NotYet(what, hint)


def _check_layers(net: nn.Module) -> None:
    """Refuse the two layers of a feed-forward net (6, 10), saying what is wrong with them."""
    linear = [part for part in net.modules() if isinstance(part, nn.Linear)]
    sizes = [(part.in_features, part.out_features) for part in linear]
    if sorted(sizes) != [(6, 10), (10, 6)]:
        found = ", ".join(f"{one} to {other}" for one, other in sizes) or "none"
        what = f"in __init__, the nn.Linear of a net (6, 10) are: {found}"
        raise NotYet(what, "the formula has two matrices: how wide is what each takes and gives?")
    if any(part.bias is None for part in linear):
        raise NotYet("in __init__, a layer has no bias", "look for b₁ and b₂ in the formula")


def _check_net(net: nn.Module, x: Tensor, result) -> None:
    """Compare what a feed-forward net returns with the formula, and guess what went wrong."""
    linear = [part for part in net.modules() if isinstance(part, nn.Linear)]
    widen, narrow = sorted(linear, key=lambda part: part.in_features)
    wide, right = widen(x), narrow(torch.relu(widen(x)))
    if not isinstance(result, Tensor) or result.shape != x.shape:
        shape = tuple(result.shape) if isinstance(result, Tensor) else type(result).__name__
        raise NotYet(f"forward returns {shape} for {tuple(x.shape)}", "what comes out is like x")
    if _same(result, right):
        return
    likely = [
        (narrow(wide), "nothing stands between the two, so they melt into one"),
        (torch.relu(narrow(wide)), "max(0, ...) stands inside the brackets, not around them"),
        (torch.relu(right), "there's one max in the formula, and it's inside"),
        (x + right, "the formula has no x + ...; that will come from outside"),
        (narrow(F.gelu(wide)), "that's a newer curve; tonight it's max(0, ...)"),
    ]
    hints = [hint for wrong, hint in likely if _same(result, wrong)]
    inside = "read the formula from the inside: x, W₁, b₁, the max, W₂, b₂"
    raise NotYet("forward, what it returns isn't the formula's", (hints or [inside])[0])


_BOXES = ("norm_self", "self_attention", "norm_ff", "feed_forward")


class _Followed:
    """An encoder layer's own way, and the calls that the reader's forward makes instead."""

    def __init__(self, layer: nn.Module, x: Tensor, keep: Tensor):
        normed = layer.norm_self(x)
        told = layer.self_attention(normed, normed, keep)
        trunk = x + told
        second = layer.norm_ff(trunk)
        thought = layer.feed_forward(second)
        self.x, self.keep, self.trunk, self.result = x, keep, trunk, trunk + thought
        self.told, self.thought = told, thought
        self.wanted = [[x], [normed, normed, keep], [trunk], [second]]
        self.calls: list[tuple[str, list]] = []
        for name in (*_BOXES, "dropout"):
            getattr(layer, name).register_forward_hook(self._hook(name), with_kwargs=True)

    def _hook(self, name: str) -> Callable:
        def seen(part, args, kwargs, result):
            handed = inspect.signature(part.forward).bind(*args, **kwargs).arguments.values()
            copies = [each.clone() if isinstance(each, Tensor) else each for each in handed]
            self.calls.append((name, copies))

        return seen

    def judge(self, result) -> None:
        """Raise what is wrong first, with a hint."""
        boxes = [call for call in self.calls if call[0] != "dropout"]
        for number, (name, wanted) in enumerate(zip(_BOXES, self.wanted, strict=True), 1):
            if len(boxes) < number:
                raise NotYet(f"{name} is never called", "each of the four has its place in the map")
            found, handed = boxes[number - 1]
            if found != name:
                order = "read the map from the bottom: what stands in front of a box?"
                raise NotYet(f"call {number} is {found}", order)
            if hint := self._hint(name, handed, wanted):
                raise NotYet(f"call {number}, {name}, gets something else than it should", hint)
        if len(boxes) > len(_BOXES):
            found = boxes[len(_BOXES)][0]
            raise NotYet(f"call {len(_BOXES) + 1} is {found}", "four calls are enough")
        self._check_result(result)
        self._check_dropout()

    def _hint(self, name: str, handed: list, wanted: list) -> str | None:
        handed = handed + [None] * (len(wanted) - len(handed))
        pairs = zip(handed, wanted, strict=False)
        place = next((n for n, pair in enumerate(pairs) if not _same(*pair)), None)
        if place is None:
            return None
        if name == "norm_ff":
            if _same(handed[0], self.told):
                return "that's attention's answer alone: what became of the trunk?"
            return "after the first sum: the trunk and what attention has said"
        hints = {
            "norm_self": ["the first norm gets what comes in"],
            "self_attention": [
                "those who ask have come through a norm",
                "in self-attention those who are asked are those who ask, norm included",
                "and the pads? There's one thing more that came in",
            ],
            "feed_forward": ["it gets what the norm in front of it has returned"],
        }
        return hints[name][place]

    def _check_result(self, result) -> None:
        hints = [
            (result is None, "it returns nothing"),
            (_same(result, self.thought), "that's feed-forward's answer alone: what became of the "
             "trunk?"),
            (_same(result, self.x + self.thought), "that's added to the trunk of before attention "
             "spoke"),
            (True, "what each box returns is added, and the sum goes on"),
        ]  # fmt: skip
        if not _same(result, self.result):
            what = "forward, all calls are right, but what it returns is something else"
            raise NotYet(what, next(hint for is_it, hint in hints if is_it))

    def _check_dropout(self) -> None:
        dropped = [handed[0] for name, handed in self.calls if name == "dropout"]
        if not dropped:
            raise NotYet("dropout is never called", "it goes over what each box returns")
        if len(dropped) != 2 or not all(map(_same, dropped, (self.told, self.thought))):
            what = "dropout gets something else than it should"
            raise NotYet(what, "only what is added goes through it")


def encoder_layer(my_class: Callable, net: Callable = five_cells.FeedForward) -> Callable:
    """Check an encoder layer that the reader wrote; give it back if it's right, else ours.

    net: the class of feed-forward net that goes into ours.
    """
    ours = five_cells.ours(five_cells.EncoderLayer, net)
    return my_class if is_right(_check_encoder_layer, my_class, ours) else ours


def _check_encoder_layer(my_class: Callable, ours: Callable) -> str:
    """Check the way through an encoder layer, and name the first wrong call."""
    torch.manual_seed(0)
    x, keep = torch.randn(2, 5, 12), torch.ones(2, 1, 1, 5, dtype=torch.bool)
    keep[1, ..., 3:] = False
    layer = _moved(my_class(12, 2, 20, 0.5)).eval()
    followed, given = _Followed(layer, x, keep), x.clone()
    result = layer(given, keep)
    if result is None and not followed.calls:
        raise NotTried("forward returns nothing")
    followed.judge(result)
    _check_order(layer, ours(12, 2, 20, 0.5))
    if not _same(given, x):
        raise NotYet("forward changes the x that came in", "x = x + ... makes a new tensor")
    return ": two boxes, a norm in front of each, a sum behind: an encoder layer of yours"


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
        parts = {name: self._watch(name) for name in names}
        return SimpleNamespace(**parts, dropout=lambda x: x)

    def _watch(self, name: str) -> Callable:
        def part(*handed):
            if any(each is None for each in handed[: 2 if "attention" in name else 1]):
                raise NotTried("a blank is still None")
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
        raise NotYet(f"line {line}, {name}, blank {blank} is wrong", hint)


def _same(one, other) -> bool:
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return False
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(one, other) if one.dtype == torch.bool else torch.allclose(one, other)


def decoder_layer(my_class: type, net: Callable = five_cells.FeedForward) -> Callable:
    """Check a decoder layer whose blanks the reader filled; give it back if right, else ours.

    net: the class of feed-forward net that goes into ours.
    """
    ours = five_cells.ours(five_cells.DecoderLayer, net)
    return my_class if is_right(_check_decoder_layer, my_class, ours) else ours


def _check_decoder_layer(my_class: type, ours: Callable) -> str:
    """Check the way through a decoder layer, and name the first line that is wrong."""
    torch.manual_seed(0)
    layer = _moved(DecoderLayer(12, 2, 20))
    y, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    memory_keep = torch.ones(2, 1, 1, 6, dtype=torch.bool)
    memory_keep[1, ..., 4:] = False
    keeps = causal_keep(4), memory_keep
    result = my_class.forward(_Watched(layer, y, memory, keeps).parts(), y, memory, *keeps)
    if result is None:
        raise NotTried("forward returns nothing")
    if not _same(result, layer(y, memory, *keeps)):
        what = "every part gets what it should, but what you return is something else"
        raise NotYet(what, "each part adds to y, and the sum is what goes on")
    _check_order(my_class(12, 2, 20, 0.5), ours(12, 2, 20, 0.5))
    return ": all five blanks, and the way through a decoder layer is yours"


_SHAPES = {  # of two sentences with 5 and 9 tokens; 64 channels, 4 heads, 45 possible tokens
    "memory": ((2, 5, 64), "each token of the source keeps a vector of its own"),
    "weights": ((2, 4, 9, 5), "for each head: who asks? And whose keys are these?"),
    "last": ((2, 9, 64), "the trunk keeps its shape, from the embedding to the last norm"),
    "logits": ((2, 9, 45), "at every place each token that might come next gets a score"),
}


@graded
def shapes(my_shapes: dict) -> str:
    """Check four shapes on the way through a Transformer, and name the first that is wrong."""
    for name, (shape, hint) in _SHAPES.items():
        mine = my_shapes.get(name)
        if "None" in str(mine):
            raise NotTried(f"{name} is still None")
        if not isinstance(mine, tuple | list) or tuple(mine) != shape:
            raise NotYet(f"{name} isn't {mine}", hint)
    return ", all four: you can follow two sentences through the whole model"


def whose(*classes: type) -> None:
    """Print how many of the classes of cells 2, 3 and 4 are the reader's own."""
    mine = sum(not issubclass(each, five_cells.OURS) for each in classes)
    print(f"cells 2, 3 and 4 of this model: yours {mine}, ours {len(classes) - mine}")


def _moved(layer: nn.Module) -> nn.Module:
    """Move all weights off their start: else a forgotten norm hides behind gain 1 and bias 0."""
    for weight in layer.parameters():
        weight.data += 0.2 * torch.randn_like(weight)
    return layer.requires_grad_(False)


def post_norm(my_post_norm: Callable) -> None:
    """Check an encoder layer in the order of 2017 against PyTorch's."""
    torch.manual_seed(0)
    layer = _moved(EncoderLayer(24, 3, 40))
    theirs = nn.TransformerEncoderLayer(24, 3, 40, batch_first=True, norm_first=False).eval()
    copy_weights([layer], theirs.requires_grad_(False))
    x, keep = torch.randn(2, 5, 24), torch.ones(2, 1, 1, 5, dtype=torch.bool)
    keep[1, ..., 3:] = False
    masked = theirs(x, src_key_padding_mask=~keep[:, 0, 0])
    order = "No norm before a box, one after each sum."
    cases = [
        ((layer, x, None), theirs(x), order),
        ((layer, x, keep), masked, "Here's a mask: hand keep on to the attention."),
    ]
    check_attempt(my_post_norm, cases, atol=1e-4)
