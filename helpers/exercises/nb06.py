"""Checks of notebook 06: hands, three classes, shapes, a norm, post-norm."""

import inspect
import math
from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.checks import check_attempt
from helpers.exercises.grading import (
    NotTried,
    NotYet,
    check_answers,
    graded,
    is_right,
    read_off,
    typed_numbers,
)
from helpers.masks import causal_keep
from helpers.studies.pytorch_weights import copy_weights
from helpers.toys import five_cells
from helpers.transformer import EncoderLayer, sinusoidal_positions


@graded
def hand(my_matrix) -> str:
    """Check the four numbers that turn a hand of speed 1 by three steps, for all places."""
    matrix = typed_numbers(my_matrix, (2, 2), "my_matrix", "a blank is still None")
    place = torch.arange(200).double()
    here = torch.stack([place.sin(), place.cos()], dim=1)
    if (here[:-3] @ matrix - here[3:]).abs().max() < 0.02:  # typed with two decimals it's right
        return ": the same four numbers move each of 197 places three steps on"
    hint = "column 1 makes the sine: which factor has sin p in the formula, and which cos p?"
    raise NotYet("for most places it isn't three steps on", hint)


def hands(my_turn: Callable) -> None:
    """Check the matrix that moves every position by k places."""

    def moved(matrix) -> Tensor:
        matrix = torch.as_tensor(matrix).float()
        return sinusoidal_positions(200, len(matrix)) @ matrix

    hint = "Hand i has channels 2i and 2i + 1, and turns by its own angle, k times its speed."
    cases = []
    for k, d_model in ((0, 4), (1, 2), (3, 4), (5, 24), (7, 64)):
        cases.append(((k, d_model), sinusoidal_positions(200 + k, d_model)[k:], hint))
    check_attempt(read_off(my_turn, moved), cases)


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
    """Check first the layers of a net (6, 10), what it returns, the order of its numbers."""
    torch.manual_seed(0)
    x = torch.randn(2, 3, 6)
    net = my_class(6, 10)
    result = net(x)
    if result is None:
        raise NotTried("forward returns nothing")
    linear = [part for part in net.modules() if isinstance(part, nn.Linear)]
    linear.sort(key=lambda part: part.in_features)
    sizes = [(part.in_features, part.out_features) for part in linear]
    if sizes != [(6, 10), (10, 6)]:
        found = ", ".join(f"{one} to {other}" for one, other in sizes) or "none"
        what = f"in __init__, the nn.Linear of a net (6, 10) are: {found}"
        raise NotYet(what, "the formula has two matrices: how wide is what each takes and gives?")
    if any(part.bias is None for part in linear):
        raise NotYet("in __init__, a layer has no bias", "look for b₁ and b₂ in the formula")
    _check_net(*linear, x, result)
    _check_order(net, five_cells.FeedForward(6, 10))
    return ": it widens, it cuts, it comes back, each word by itself"


def _check_order(mine: nn.Module, ours: nn.Module) -> None:
    """Refuse a layer whose numbers can't be copied one after the other, as the page does."""
    shapes = [[tuple(each.shape) for each in one.parameters()] for one in (mine, ours)]
    if shapes[0] != shapes[1]:
        what = "what it returns is right, but its parts stand in another order in __init__"
        hint = "the page copies its numbers into PyTorch's, so the order must be that of use"
        raise NotYet(what, hint)


def _check_net(widen: nn.Linear, narrow: nn.Linear, x: Tensor, result) -> None:
    """Compare what a feed-forward net returns with the formula, and guess what went wrong."""
    wide, right = widen(x), narrow(torch.relu(widen(x)))
    if not isinstance(result, Tensor) or result.shape != x.shape:
        shape = tuple(result.shape) if isinstance(result, Tensor) else type(result).__name__
        raise NotYet(f"forward returns {shape} for {tuple(x.shape)}", "what comes out is like x")
    likely = [
        (narrow(wide), "nothing stands between the two, so they melt into one"),
        (torch.relu(narrow(wide)), "max(0, ...) stands inside the brackets, not around them"),
        (torch.relu(right), "there's one max in the formula, and it's inside"),
        (x + right, "the formula has no x + ...; that will come from outside"),
        (narrow(F.gelu(wide)), "that's a newer curve; tonight it's max(0, ...)"),
    ]
    if not _same(result, right):
        inside = "read the formula from the inside: x, W₁, b₁, the max, W₂, b₂"
        raise NotYet("forward, what it returns isn't the formula's", _why(result, likely, inside))


def _same(one, other) -> bool:
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return False
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(one, other) if one.dtype == torch.bool else torch.allclose(one, other)


def _why(found, likely: Sequence[tuple[Tensor, str]], otherwise: str) -> str:
    """Return the hint of the likely mistake that makes what was found."""
    return next((hint for wrong, hint in likely if _same(found, wrong)), otherwise)


# What's said of a wrong argument of a box: its place, and what was handed to it ("" is all else).
_HINTS = {
    ("norm_self", 0, ""): "the first norm gets what comes in",
    ("norm_ff", 0, "told"): "that's attention's answer alone: what became of the trunk?",
    ("norm_ff", 0, ""): "after the first sum: the trunk and what attention has said",
    ("self_attention", 0, ""): "those who ask have come through a norm",
    ("self_attention", 1, "y"): "they ask with the norm and should answer with it, too",
    ("self_attention", 1, "memory"): "this is self-attention; the source's turn comes later",
    ("self_attention", 1, ""): "in self-attention those who ask are asked, too",
    ("self_attention", 2, "memory_keep"): "this one hides pads of the source; who is asked here?",
    ("self_attention", 2, "no mask"): "with no mask pads are read, in a decoder what comes after",
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


def _wrong_argument(box: str, handed: list, wanted: dict, known: dict) -> tuple[int, str] | None:
    """Return which of the wanted arguments is the first that isn't so, from 1, and a hint."""
    for number, (place, tensor) in enumerate(wanted.items(), 1):
        found = handed[place] if place < len(handed) else None
        if found is None and place < 2:  # the third is a mask, which may be left out
            raise NotTried("a blank is still None")
        if not _same(found, tensor):
            names = [(each, name) for name, each in known.items()]
            what = "no mask" if found is None else _why(found, names, "")
            return number, _HINTS.get((box, place, what), _HINTS[box, place, ""])
    return None


def _follow(layer: nn.Module, given: Sequence[Tensor], way: Sequence[tuple], wrong: str):
    """Run a layer that a reader wrote; refuse the first call of a box that isn't on its way.

    way: the box of each call, its arguments by place, and by name what may be handed by mistake;
    wrong: what to say of an argument, with {call}, {box} and {blank}, counted from 1.
    """
    seen: list[str] = []

    def watch(box: str) -> Callable:
        def look(part: nn.Module, args: tuple, kwargs: dict) -> None:
            seen.append(box)
            call = len(seen)
            if call > len(way):
                raise NotYet(f"call {call} is {box}", f"{len(way)} calls are enough")
            right, wanted, known = way[call - 1]
            if box != right:
                hint = "read the map from the bottom: what stands in front of a box?"
                raise NotYet(f"call {call} is {box}", hint)
            handed = inspect.signature(part.forward).bind(*args, **kwargs).arguments
            if fault := _wrong_argument(box, [*handed.values()], wanted, known):
                blank = sum(len(each) for _, each, _ in way[: call - 1]) + fault[0]
                raise NotYet(wrong.format(call=call, box=box, blank=blank), fault[1])

        return look

    for box in {box for box, _, _ in way}:
        getattr(layer, box).register_forward_pre_hook(watch(box), with_kwargs=True)
    result = layer(*given)
    if result is None and not seen:
        raise NotTried("forward returns nothing")
    if len(seen) < len(way):
        raise NotYet(f"{way[len(seen)][0]} is never called", "each box has its place in the map")
    return result


def _two_sources() -> tuple[Tensor, Tensor]:
    """Make two sentences of 5 vectors, and the mask of the second's pads."""
    keep = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    keep[1, ..., 3:] = False
    return torch.randn(2, 5, 12), keep


def encoder_layer(my_class: Callable, net: Callable = five_cells.FeedForward) -> Callable:
    """Check an encoder layer that the reader wrote; give it back if it's right, else ours.

    net: the class of feed-forward net that goes into ours.
    """
    ours = five_cells.ours(five_cells.EncoderLayer, net)
    return my_class if is_right(_check_encoder_layer, my_class, ours) else ours


def _check_encoder_layer(my_class: Callable, ours: Callable) -> str:
    """Check the way through an encoder layer, and name the first wrong call."""
    torch.manual_seed(0)
    x, keep = _two_sources()
    layer = _moved(my_class(12, 2, 20, 0.5)).eval()
    normed = layer.norm_self(x)
    told = layer.self_attention(normed, normed, keep)
    trunk = x + told
    second = layer.norm_ff(trunk)
    thought = layer.feed_forward(second)
    way = [
        ("norm_self", {0: x}, {}),
        ("self_attention", {0: normed, 1: normed, 2: keep}, dict(y=x)),
        ("norm_ff", {0: trunk}, dict(told=told)),
        ("feed_forward", {0: second}, dict(y=trunk)),
    ]
    dropped: list[Tensor] = []
    layer.dropout.register_forward_pre_hook(lambda _, args: dropped.append(args[0].clone()))
    given = x.clone()
    wrong = "call {call}, {box}, gets something else than it should"
    result = _follow(layer, (given, keep), way, wrong)
    likely = [
        (thought, "that's feed-forward's answer alone: what became of the trunk?"),
        (x + thought, "that's added to the trunk of before attention spoke"),
    ]
    if not _same(result, trunk + thought):
        added = "what each box returns is added, and the sum goes on"
        hint = "it returns nothing" if result is None else _why(result, likely, added)
        raise NotYet("forward, all calls are right, but what it returns is something else", hint)
    if not dropped:
        raise NotYet("dropout is never called", "it goes over what each box returns")
    if len(dropped) != 2 or not all(map(_same, dropped, (told, thought))):
        raise NotYet("dropout gets something else than it should", "only what is added goes there")
    _check_order(layer, ours(12, 2, 20, 0.5))
    if not _same(given, x):
        raise NotYet("forward changes the x that came in", "x = x + ... makes a new tensor")
    return ": two boxes, a norm in front of each, a sum behind: an encoder layer of yours"


def decoder_layer(my_class: type, net: Callable = five_cells.FeedForward) -> Callable:
    """Check a decoder layer whose blanks the reader filled; give it back if right, else ours.

    net: the class of feed-forward net that goes into ours.
    """
    ours = five_cells.ours(five_cells.DecoderLayer, net)
    return my_class if is_right(_check_decoder_layer, my_class, ours) else ours


def _check_decoder_layer(my_class: type, ours: Callable) -> str:
    """Check the way through a decoder layer, and name the first blank that is wrong."""
    torch.manual_seed(0)
    memory, memory_keep = _two_sources()
    y, keep = torch.randn(2, 4, 12), causal_keep(4)
    layer = _moved(my_class(12, 2, 20, 0.5)).eval()
    asks = layer.norm_self(y)
    heard = y + layer.self_attention(asks, asks, keep)
    normed = layer.norm_cross(heard)
    read = heard + layer.cross_attention(normed, memory, memory_keep)
    thinks = layer.norm_ff(read)
    right = read + layer.feed_forward(thinks)
    known = dict(memory=memory, keep=keep, memory_keep=memory_keep)
    way = [
        ("self_attention", {1: asks, 2: keep}, known | dict(y=y)),
        ("cross_attention", {1: memory, 2: memory_keep}, known | dict(y=heard, normed=normed)),
        ("feed_forward", {0: thinks}, known | dict(y=read, normed=normed)),
    ]
    wrong = "blank {blank}, in {box}, is wrong"
    result = _follow(layer, (y, memory, keep, memory_keep), way, wrong)
    if not _same(result, right):
        what = "every part gets what it should, but what you return is something else"
        raise NotYet(what, "each part adds to y, and the sum is what goes on")
    _check_order(layer, ours(12, 2, 20, 0.5))
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
    mine = {name: tuple(x) if isinstance(x, list) else x for name, x in my_shapes.items()}
    check_answers(mine, _SHAPES, "memory is still None")
    return ", all four: you can follow two sentences through the whole model"


def whose_cells(*classes: type) -> None:
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
    layer = _moved(EncoderLayer(12, 3, 40))
    theirs = nn.TransformerEncoderLayer(12, 3, 40, batch_first=True, norm_first=False).eval()
    copy_weights([layer], theirs.requires_grad_(False))
    x, keep = _two_sources()
    masked = theirs(x, src_key_padding_mask=~keep[:, 0, 0])
    order = "No norm before a box, one after each sum."
    cases = [
        ((layer, x, None), theirs(x), order),
        ((layer, x, keep), masked, "Here's a mask: hand keep on to the attention."),
    ]
    check_attempt(my_post_norm, cases, atol=1e-4)
