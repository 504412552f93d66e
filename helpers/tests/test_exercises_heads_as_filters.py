"""Checks of lab 04a's exercises: right attempts pass, each likely slip gets its own hint."""

import pytest
import torch
from torch import nn

from helpers.attention import scaled_dot_product_attention
from helpers.workshop.exercises import heads_as_filters as check


def slices(kernel):
    return [kernel[:, :, place].T for place in range(3)]


def reference(module, asking, asked):
    q, k, v = module.query(asking), module.key(asked), module.value(asked)
    heads = zip(*(each.chunk(module.n_heads, dim=-1) for each in (q, k, v)), strict=True)
    contexts = [scaled_dot_product_attention(*head)[0] for head in heads]
    return module.output(torch.cat(contexts, dim=-1))


def trusty(module, t_query=3, t_key=5):
    asking, asked = (torch.randn(2, t, module.query.in_features) for t in (t_query, t_key))
    fits = torch.allclose(module(asking, asked), reference(module, asking, asked), atol=1e-5)
    return "right" if fits else "broken"


def against_torch_without_biases(module):
    width = module.query.in_features
    twin = nn.MultiheadAttention(width, module.n_heads, batch_first=True)
    layers = module.query, module.key, module.value
    twin.in_proj_weight.data = torch.cat([layer.weight for layer in layers])
    twin.out_proj.weight.data = module.output.weight
    x = torch.randn(2, 4, width)
    fits = torch.allclose(module(x, x), twin(x, x, x)[0], atol=1e-5)
    return "right" if fits else "broken"


def said(capsys):
    return capsys.readouterr().out


@pytest.mark.parametrize(("name", "attempt"), [("slices", slices), ("tester", trusty)])
def test_a_right_attempt_passes(name, attempt, capsys):
    getattr(check, name)(attempt)
    assert said(capsys).startswith("right")


def test_slices_may_be_one_tensor(capsys):
    check.slices(lambda kernel: kernel.permute(2, 1, 0))
    assert said(capsys).startswith("right")


@pytest.mark.parametrize("name", ["slices", "tester"])
def test_a_stub_gets_no_hint(name, capsys):
    getattr(check, name)(lambda _: None)
    text = said(capsys)
    assert text.startswith("not tried yet") and text.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "attempt", "hint"),
    [
        ("slices", lambda kernel: [kernel[:, :, place] for place in range(3)], "from the right"),
        ("slices", lambda kernel: slices(kernel)[::-1], "one back"),
        ("slices", lambda kernel: slices(kernel)[:2], "Slice 1"),
        ("tester", lambda module: "right", "the sentence is cut"),
        ("tester", lambda module: "broken", "This one is right"),
        ("tester", against_torch_without_biases, "biases aren't zero"),
    ],
)
def test_a_wrong_attempt_is_noticed(name, attempt, hint, capsys):
    getattr(check, name)(attempt)
    text = said(capsys)
    assert text.startswith("not yet") and hint in text


@pytest.mark.parametrize("kind", [check._View, check._Scale, check.Exchanged, check._Merge])
def test_each_suspect_is_broken_but_with_one_head(kind):
    torch.manual_seed(0)
    module = check._made(kind, 12, 3)
    asking, asked = torch.randn(2, 3, 12), torch.randn(2, 5, 12)
    assert (module(asking, asked) - reference(module, asking, asked)).abs().max() > 1e-3
    alone = check._made(kind, 12, 1)
    gap = (alone(asking, asked) - reference(alone, asking, asked)).abs().max()
    assert (gap < 1e-5) == (kind is not check.Exchanged)
