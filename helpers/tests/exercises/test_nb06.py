"""The checks of notebook 06: the right answer passes, each likely mistake is noticed and named."""

import math

import nbformat
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.attention import watching
from helpers.exercises import nb06 as check
from helpers.tools.notebooks import ladder
from helpers.toys import five_cells
from helpers.transformer import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    Transformer,
)


def test_what_was_not_written_gets_no_hint(said):
    def blank(layer, y, memory, keep, memory_keep):
        normed = layer.norm_self(y)
        y = y + layer.self_attention(normed, None, None)
        normed = layer.norm_cross(y)
        y = y + layer.cross_attention(normed, None, None)
        return y + layer.feed_forward(None)

    def half(layer, y, memory, keep, memory_keep):
        normed = layer.norm_self(y)
        y = y + layer.self_attention(normed, normed, keep)
        normed = layer.norm_cross(y)
        return y + layer.cross_attention(normed, None, None)

    def last(layer, y, memory, keep, memory_keep):
        return solved(layer, y, memory, keep, memory_keep, thinks=lambda layer, y, normed: None)

    stubs = [(check.hands, lambda k, d_model: None), (check.hand, [[None, None], [None, 1]])]
    blanks = blank, half, last, lambda *parts: None
    stubs += [(check.decoder_layer, layer_of(each)) for each in blanks]
    stubs.append((check.layer_norm, lambda x, gain, bias: None))
    stubs.append((check.post_norm, lambda layer, x, keep: None))
    for each, stub in stubs:
        text = said(each, stub)
        assert text.startswith("not tried yet") and "hint" not in text and text.count("\n") == 1


def layer_of(way):
    """Write a decoder layer whose forward is this function."""
    return type("Layer", (DecoderLayer,), {"forward": way})


def test_a_hand(said, refused):
    sine, cosine = math.sin(3), math.cos(3)
    rights = [[[cosine, -sine], [sine, cosine]], [[-0.99, -0.14], [0.14, -0.99]]]
    for right in (*rights, torch.tensor(rights[0])):
        assert said(check.hand, right).startswith("right")
    wrong = {
        "which factor has sin p": [[cosine, sine], [-sine, cosine]],
        "can't be read": [[1, 2], [3]],
        "(4,)": [1, 2, 3, 4],
        "finite": [[math.nan, 0], [0, 1]],
    }
    refused(check.hand, wrong.items())


def turned(k, d_model):
    blocks = []
    for i in range(d_model // 2):
        angle = torch.tensor(k * 10000 ** (-2 * i / d_model))
        sine, cosine = angle.sin(), angle.cos()
        blocks.append(torch.tensor([[cosine, -sine], [sine, cosine]]))
    return torch.block_diag(*blocks)


def halves(k, d_model):
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    return turned(k, d_model)[order][:, order]


def test_hands(said, refused):
    assert said(check.hands, turned).startswith("right")
    wrong = [lambda k, d_model: turned(k, d_model).T, halves]
    wrong += [lambda k, d_model: torch.block_diag(*[turned(k, 2)] * (d_model // 2))]
    refused(check.hands, [("turns by its own angle", each) for each in wrong])


def with_norm(centre, scale, gain_last=False):
    def attempt(x, gain, bias):
        normed = (x - centre(x)) / scale(x)
        return gain * (normed + bias) if gain_last else gain * normed + bias

    return attempt


def token_mean(x):
    return x.mean(dim=-1, keepdim=True)


def deviation(x, inside=1e-5):
    return (x.var(dim=-1, unbiased=False, keepdim=True) + inside).sqrt()


def test_layer_norm(said, refused):
    assert said(check.layer_norm, with_norm(token_mean, deviation)).startswith("right")
    wrong = {
        "not by d - 1": with_norm(token_mean, lambda x: x.std(dim=-1, keepdim=True) + 1e-5),
        "0 / 0": with_norm(token_mean, lambda x: deviation(x, 0.0)),
        "under the root": with_norm(token_mean, lambda x: deviation(x, 0.0) + 1e-5),
        "both at the end": with_norm(token_mean, deviation, gain_last=True),
        "by itself": with_norm(torch.mean, lambda x: (x.var(unbiased=False) + 1e-5).sqrt()),
    }
    refused(check.layer_norm, wrong.items())


def first(layer, y, memory, normed, keep, memory_keep):
    return normed, keep


def second(layer, y, memory, normed, keep, memory_keep):
    return memory, memory_keep


def solved(layer, y, memory, keep, memory_keep, one=first, two=second, thinks=None):
    """Go through a decoder layer, with some blanks filled otherwise."""
    normed = layer.norm_self(y)
    y = y + layer.self_attention(normed, *one(layer, y, memory, normed, keep, memory_keep))
    normed = layer.norm_cross(y)
    y = y + layer.cross_attention(normed, *two(layer, y, memory, normed, keep, memory_keep))
    return y + layer.feed_forward(layer.norm_ff(y) if thinks is None else thinks(layer, y, normed))


def filled(**blanks):
    return layer_of(lambda *parts: solved(*parts, **blanks))


WRONG_BLANKS = [
    (dict(one=lambda la, y, m, n, k, mk: (y, k)), "blank 1, in self_attention", "the norm"),
    (dict(one=lambda la, y, m, n, k, mk: (m, k)), "blank 1", "source's turn comes later"),
    (dict(one=lambda la, y, m, n, k, mk: (2 * n, k)), "blank 1", "those who ask are asked"),
    (dict(one=lambda la, y, m, n, k, mk: (n, mk)), "blank 2, in self_attention", "who is asked"),
    (dict(one=lambda la, y, m, n, k, mk: (n, None)), "blank 2", "in a decoder what comes after"),
    (dict(one=lambda la, y, m, n, k, mk: (n, k.T)), "blank 2", "written so far"),
    (dict(one=lambda la, y, m, n, k, mk: (n, "keep")), "blank 2", "written so far"),
    (dict(two=lambda la, y, m, n, k, mk: (n, mk)), "blank 3, in cross_attention", "who read"),
    (dict(two=lambda la, y, m, n, k, mk: (y, mk)), "blank 3", "who read"),
    (dict(two=lambda la, y, m, n, k, mk: (la.norm_cross(m), mk)), "blank 3", "as the encoder"),
    (dict(two=lambda la, y, m, n, k, mk: (m, k)), "blank 4, in cross_attention", "triangle"),
    (dict(two=lambda la, y, m, n, k, mk: (m, None)), "blank 4", "read as words"),
    (dict(two=lambda la, y, m, n, k, mk: (m, ~mk)), "blank 4", "belongs to the source"),
    (dict(thinks=lambda la, y, n: y), "blank 5, in feed_forward", "between the trunk"),
    (dict(thinks=lambda la, y, n: n), "blank 5", "before cross-attention"),
    (dict(thinks=lambda la, y, n: la.norm_self(y)), "blank 5", "through its own norm"),
    (dict(thinks=lambda la, y, n: y[0]), "blank 5", "through its own norm"),
]


def test_five_blanks(said):
    assert said(check.decoder_layer, filled()).startswith("right")


@pytest.mark.parametrize(("blanks", "where", "hint"), WRONG_BLANKS)
def test_the_first_wrong_line_is_named(said, blanks, where, hint):
    text = said(check.decoder_layer, filled(**blanks))
    assert text.startswith("not yet: blank ") and where in text and hint in text, text


def test_of_two_wrong_lines_the_first_is_named(said):
    text = said(check.decoder_layer, filled(**WRONG_BLANKS[4][0], **WRONG_BLANKS[7][0]))
    assert "blank 2" in text and "blank 3" not in text


def test_other_ways_through_a_decoder_layer(said):
    def no_sum(layer, y, memory, keep, memory_keep):
        return solved(layer, y, memory, keep, memory_keep) - y

    def broken(layer, y, memory, keep, memory_keep):
        return layer.norm_self(y).reshape(7)

    assert "the sum is what goes on" in said(check.decoder_layer, layer_of(no_sum))
    assert said(check.decoder_layer, layer_of(broken)).startswith("not yet: RuntimeError")


RIGHT_SHAPES = dict(memory=(2, 5, 64), weights=(2, 4, 9, 5), last=(2, 9, 64), logits=(2, 9, 45))


def test_shapes_are_those_of_a_model(said):
    seen, model = {}, Transformer(23, 45, 64, 4, 2, 128).eval()
    model.decoder_norm.register_forward_hook(lambda part, x, last: seen.update(last=last))
    memory = model.encode(torch.ones(2, 5, dtype=torch.long))
    with watching(model) as weights:
        seen["logits"] = model(*(torch.ones(2, t, dtype=torch.long) for t in (5, 9)))
    seen.update(memory=memory, weights=weights["decoder_layers.0.cross_attention"][0])
    assert {name: tuple(each.shape) for name, each in seen.items()} == RIGHT_SHAPES
    for right in (RIGHT_SHAPES, {name: each.shape for name, each in seen.items()}):
        assert said(check.shapes, right).startswith("right")


def test_wrong_shapes(said):
    wrong = {
        "a vector of its own": dict(memory=(2, 64)),
        "who asks": dict(weights=(2, 4, 5, 9)),
        "keeps its shape": dict(last=(2, 5, 64)),
        "might come next": dict(logits=[2, 45]),
    }
    for hint, attempt in wrong.items():
        text = said(check.shapes, RIGHT_SHAPES | attempt)
        assert text.startswith(f"not yet: {[*attempt][0]} is something else") and hint in text, text
    for blank in (None, (2, None, 64)):
        text = said(check.shapes, RIGHT_SHAPES | dict(last=blank))
        assert text == "so far right; still open: last\n"
    for strange in (64, "text", {}):
        assert said(check.shapes, RIGHT_SHAPES | dict(last=strange)).startswith("not yet: last")


def post(layer, x, keep):
    x = layer.norm_self(x + layer.self_attention(x, x, keep))
    return layer.norm_ff(x + layer.feed_forward(x))


def on_the_branch(layer, x, keep):
    x = x + layer.norm_self(layer.self_attention(x, x, keep))
    return x + layer.norm_ff(layer.feed_forward(x))


def test_post_norm(said):
    assert said(check.post_norm, post).startswith("right")
    wrong = [lambda layer, x, keep: layer(x, keep), on_the_branch]
    wrong += [lambda layer, x, keep: layer.norm_self(x + layer.self_attention(x))]
    for attempt in wrong:
        assert "one after each sum" in said(check.post_norm, attempt)
    assert "hand keep on" in said(check.post_norm, lambda layer, x, keep: post(layer, x, None))


def test_a_norm_that_looks_at_the_neighbours_is_noticed(said):
    wrong = lambda x, gain, bias: gain * F.layer_norm(x, x.shape) + bias  # noqa: E731
    assert said(check.layer_norm, wrong).startswith("not yet")


def net(first=(0, 1), second=(1, 0), bias=True, way=None):
    """Write a feed-forward class; first, second: its layers' sizes as places in (d_model, d_ff)."""

    class Net(nn.Module):
        def __init__(self, *sizes):
            super().__init__()
            self.first = nn.Linear(*(sizes[place] for place in first), bias=bias)
            self.second = nn.Linear(*(sizes[place] for place in second))

        def forward(self, x):
            if way is not None:
                return way(self.first, self.second, x)
            return self.second(torch.relu(self.first(x)))

    return Net


WRONG_NETS = [
    (net(first=(0, 0), second=(0, 0)), "6 to 6, 6 to 6", "how wide"),
    (net(bias=False), "has no bias", "b₁ and b₂"),
    (net(way=lambda one, two, x: two(torch.relu(one(x))).sum(dim=1)), "(2, 6) for (2, 3, 6)", "x"),
    (net(way=lambda one, two, x: "text"), "returns str", "like x"),
    (net(way=lambda one, two, x: two(one(x))), "isn't the formula's", "melt into one"),
    (net(way=lambda one, two, x: torch.relu(two(one(x)))), "isn't", "inside the brackets"),
    (net(way=lambda one, two, x: two(one(x).relu()).relu()), "isn't", "one max"),
    (net(way=lambda one, two, x: x + two(one(x).relu())), "isn't", "from outside"),
    (net(way=lambda one, two, x: two(F.gelu(one(x)))), "isn't", "newer curve"),
    (net(way=lambda one, two, x: two(one(x).relu()) * 2), "isn't", "from the inside"),
    (net(way=lambda one, two, x: one(two(x))), "not yet: RuntimeError", ""),
]


def test_feed_forward(said):
    for right in (net(), FeedForward):
        assert said(check.feed_forward, right).startswith("right")
    stub = net(way=lambda one, two, x: None)
    assert said(check.feed_forward, stub) == "not tried yet: forward returns nothing\n"
    assert said(check.feed_forward, lambda *sizes: nn.Identity()).startswith("not yet: in __init__")


@pytest.mark.parametrize(("wrong", "what", "hint"), WRONG_NETS)
def test_a_wrong_net_is_noticed(said, wrong, what, hint):
    text = said(check.feed_forward, wrong)
    assert text.startswith("not yet") and what in text and hint in text, text


def layer_with(way):
    """Write an encoder layer whose forward is this function of the layer, x and keep."""

    class Layer(EncoderLayer):
        def forward(self, x, keep):
            return way(self, x, keep)

    return Layer


def walked(la, x, keep, dropped=True, asks=0, asked=0, mask=True, second=0, thinks=0, back=0):
    """Go through an encoder layer; each number picks the right tensor (0) or a wrong one."""
    drop = la.dropout if dropped else (lambda x: x)
    normed = la.norm_self(x)
    heard = la.self_attention((normed, x)[asks], (normed, x)[asked], keep if mask else None)
    y = x + drop(heard)
    normed = la.norm_ff((y, heard, x)[second])
    thought = la.feed_forward((normed, y)[thinks])
    return ((y, x, 0, 2 * y)[back]) + drop(thought)


def walk(**wrong):
    return layer_with(lambda la, x, keep: walked(la, x, keep, **wrong))


def on_the_trunk(la, x, keep):
    normed = la.norm_self(x)
    x = la.dropout(x + la.self_attention(normed, normed, keep))
    return la.dropout(x + la.feed_forward(la.norm_ff(x)))


def in_place(la, x, keep):
    normed = la.norm_self(x)
    x += la.dropout(la.self_attention(normed, normed, keep))
    return x + la.dropout(la.feed_forward(la.norm_ff(x)))


def without_second_norm(la, x, keep):
    normed = la.norm_self(x)
    x = x + la.dropout(la.self_attention(normed, normed, keep))
    return x + la.dropout(la.feed_forward(x))


def thinking_twice(la, x, keep):
    y = walked(la, x, keep)
    return y + la.feed_forward(la.norm_ff(y))


WRONG_LAYERS = [
    (layer_with(lambda la, x, keep: la.self_attention(x, x, keep)), "call 1 is self_att", "front"),
    (layer_with(lambda la, x, keep: la.norm_self(2 * x)), "call 1, norm_self", "what comes in"),
    (layer_with(lambda la, x, keep: la.norm_self(x)), "self_attention is never", "its place"),
    (walk(asks=1), "call 2, self_attention", "through a norm"),
    (walk(asked=1), "call 2, self_attention", "answer with it"),
    (walk(mask=False), "call 2, self_attention", "pads are read"),
    (walk(second=1), "call 3, norm_ff", "attention's answer alone"),
    (walk(second=2), "call 3, norm_ff", "after the first sum"),
    (layer_with(without_second_norm), "call 3 is feed_forward", "in front of a box"),
    (walk(thinks=1), "call 4, feed_forward", "between the trunk"),
    (walk(back=1), "all calls are right", "before attention spoke"),
    (walk(back=2), "all calls are right", "feed-forward's answer alone"),
    (walk(back=3), "all calls are right", "the sum goes on"),
    (layer_with(lambda la, x, keep: walked(la, x, keep) and None), "RuntimeError", ""),
    (layer_with(lambda la, x, keep: [walked(la, x, keep), None][1]), "all calls", "nothing"),
    (walk(dropped=False), "dropout is never called", "each box returns"),
    (layer_with(on_the_trunk), "dropout gets something else", "only what is added"),
    (layer_with(in_place), "changes the x", "new tensor"),
    (layer_with(thinking_twice), "call 5 is norm_ff", "4 calls"),
]


def test_an_encoder_layer_of_the_readers(said):
    for right in (walk(), EncoderLayer):
        assert said(check.encoder_layer, right).startswith("right")
    keywords = layer_with(by_name)
    assert said(check.encoder_layer, keywords).startswith("right")
    stub = layer_with(lambda la, x, keep: None)
    assert said(check.encoder_layer, stub) == "not tried yet: forward returns nothing\n"


def by_name(la, x, keep):
    normed = la.norm_self(x)
    x = x + la.dropout(la.self_attention(query=normed, memory=normed, keep=keep))
    return x + la.dropout(la.feed_forward(la.norm_ff(x)))


@pytest.mark.parametrize(("wrong", "what", "hint"), WRONG_LAYERS)
def test_the_first_wrong_call_is_named(said, wrong, what, hint):
    text = said(check.encoder_layer, wrong)
    assert text.startswith("not yet") and what in text and hint in text, text


def test_right_classes_go_on_and_wrong_ones_are_ours(said, capsys):
    mine = net(), walk(), filled()
    assert [check.feed_forward(mine[0]), check.encoder_layer(mine[1])] == [*mine[:2]]
    assert check.decoder_layer(mine[2]) is mine[2]
    ours = [check.feed_forward(net(bias=False)), check.encoder_layer(walk(asks=1), mine[0])]
    ours += [check.decoder_layer(filled(thinks=lambda la, y, n: y), mine[0])]
    for each, base in zip(ours, five_cells.OURS, strict=True):
        assert issubclass(each, base)
    for layer in ours[1:]:  # a right net goes into ours
        assert type(layer(12, 2, 20, 0.5).feed_forward) is mine[0]
    capsys.readouterr()
    assert said(check.whose_cells, mine[0], *ours[1:]).endswith("yours 1, ours 2\n")


def test_our_layers_are_those_of_the_helpers():
    torch.manual_seed(0)
    x, memory = torch.randn(2, 5, 12), torch.randn(2, 3, 12)
    for theirs, ours, more in ((EncoderLayer, 1, [None]), (DecoderLayer, 2, [memory, None, None])):
        mine = five_cells.ours(five_cells.OURS[ours], five_cells.FeedForward)(12, 2, 20, 0.0)
        layer = theirs(12, 2, 20)
        for one, other in zip(layer.parameters(), mine.parameters(), strict=True):
            one.data.copy_(other.data + 0.1 * torch.randn_like(other))
            other.data.copy_(one)
        assert torch.allclose(mine(x, *more), layer(x, *more), atol=1e-6)


def test_numbers_in_another_order_are_noticed(said):
    class Turned(nn.Module):
        def __init__(self, d_model, d_ff):
            super().__init__()
            self.narrow, self.widen = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)

        def forward(self, x):
            return self.narrow(torch.relu(self.widen(x)))

    assert "another order" in said(check.feed_forward, Turned)


def test_the_solutions_show_all_five_cells():
    path = next(path for path in ladder() if path.name.startswith("06_"))
    cells = {cell.id: cell.source for cell in nbformat.read(path, 4).cells}
    solved = nbformat.read(path.parent / "solutions" / path.name, 4).cells
    (whole,) = (cell.source for cell in solved if cell.id == "whole-text")
    assert five_cells.whole(cells["embed"], cells["transformer"]) in whole
