"""The check of lab 06d: right layers written differently pass, each wrong one hears its hint."""

from torch.nn import functional as F

from helpers.exercises.labs import lab06d as check
from helpers.tests.exercises.test_nb06 import on_the_branch, post


def in_place(layer, x, keep):
    x += layer.norm_self(layer.self_attention(x, x, keep))
    x += layer.norm_ff(layer.feed_forward(x))
    return x


def in_a_loop(layer, x, keep):
    boxes = [(lambda y: layer.self_attention(y, y, keep), layer.norm_self)]
    for box, norm in [*boxes, (layer.feed_forward, layer.norm_ff)]:
        x = norm(box(x)) + x
    return x


def by_keywords(layer, x, keep):
    between = x.add(layer.norm_self(layer.self_attention(query=x, memory=x, keep=keep)))
    return between.add(layer.norm_ff(input=layer.feed_forward(input=between)))


def by_hand(layer, x, keep):
    def norm(part, answer):
        return F.layer_norm(answer, x.shape[-1:], part.weight, part.bias, part.eps)

    x = x + norm(layer.norm_self, layer.self_attention(x, x, keep))
    widen, relu, narrow = layer.feed_forward
    return x + norm(layer.norm_ff, narrow(relu(widen(x))))


def no_residual(layer, x, keep):
    return layer.norm_ff(layer.feed_forward(layer.norm_self(layer.self_attention(x, x, keep))))


def no_norm(layer, x, keep):
    x = x + layer.self_attention(x, x, keep)
    return x + layer.feed_forward(x)


def exchanged(layer, x, keep):
    layer.norm_self, layer.norm_ff = layer.norm_ff, layer.norm_self
    return on_the_branch(layer, x, keep)


def test_branch_norm(tells_apart):
    wrong = [
        ("norm what it answers", lambda layer, x, keep: layer(x, keep)),
        ("norm the answer, then add x", post),
        ("add x to it", no_residual),
        ("where are the norms", no_norm),
        ("hand keep on", lambda layer, x, keep: on_the_branch(layer, x, None)),
        ("its own norm", exchanged),
        ("return (batch, t, d_model)", lambda layer, x, keep: x[0]),
    ]
    rights = [on_the_branch, in_place, in_a_loop, by_keywords, by_hand]
    tells_apart(check.branch_norm, rights, wrong)
