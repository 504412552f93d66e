import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.attention import KeyValueCache, MultiHeadAttention, scaled_dot_product_attention
from helpers.masks import causal_keep, padding_keep
from helpers.tests.conftest import copy_attention, scramble


def random_qkv(d_k=5, d_v=7, t_query=4, t_key=6):
    torch.manual_seed(0)
    shapes = (t_query, d_k), (t_key, d_k), (t_key, d_v)
    return [torch.randn(2, 3, *shape) for shape in shapes]  # batch 2, 3 heads


def test_attention_equals_loops():
    q, k, v = random_qkv()
    context, weights = scaled_dot_product_attention(q, k, v)
    for batch in range(2):
        for head in range(3):
            for query in range(4):
                scores = [
                    float(q[batch, head, query] @ k[batch, head, key]) / math.sqrt(5)
                    for key in range(6)
                ]
                exponentials = [math.exp(score) for score in scores]
                by_hand = [value / sum(exponentials) for value in exponentials]
                assert torch.allclose(weights[batch, head, query], torch.tensor(by_hand), atol=1e-6)
                mixed = sum(weight * v[batch, head, key] for key, weight in enumerate(by_hand))
                assert torch.allclose(context[batch, head, query], mixed, atol=1e-6)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_pytorch_with_other_value_width(masked):
    q, k, v = random_qkv()
    keep = torch.rand(2, 1, 4, 6) > 0.4 if masked else None
    if masked:
        keep[..., 0] = True
    context, _ = scaled_dot_product_attention(q, k, v, keep)
    assert torch.allclose(
        context, F.scaled_dot_product_attention(q, k, v, attn_mask=keep), atol=1e-6
    )


def test_a_query_that_may_look_nowhere_gets_zeros_and_no_nan_gradient():
    q, k, v = random_qkv()
    q.requires_grad_()
    keep = torch.ones(4, 6, dtype=torch.bool)
    keep[2] = False
    context, weights = scaled_dot_product_attention(q, k, v, keep)
    assert (context[:, :, 2] == 0).all() and (weights[:, :, 2] == 0).all()
    assert torch.allclose(weights.sum(-1)[:, :, [0, 1, 3]], torch.ones(2, 3, 3), atol=1e-6)
    context.sum().backward()
    assert torch.isfinite(q.grad).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda q, k, v: (q[..., :4], k, v, None), "queries are 4 wide and keys 5"),
        (lambda q, k, v: (q, k, v[:, :, :5], None), "6 keys and 5 values"),
        (lambda q, k, v: (q, k, v, torch.ones(4, 6)), "keep is torch.float32"),
    ],
)
def test_attention_refuses_what_does_not_fit(change, message):
    with pytest.raises(ValueError, match=message):
        scaled_dot_product_attention(*change(*random_qkv()))


@pytest.mark.parametrize("need_weights", [False, True])
def test_heads_equal_pytorch_with_copied_weights(need_weights):
    torch.manual_seed(1)
    ours, theirs = MultiHeadAttention(12, 3), nn.MultiheadAttention(12, 3, batch_first=True)
    scramble(ours)
    copy_attention(ours, theirs)
    query, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    keep = padding_keep(torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]]))
    context, weights = ours(query, memory, keep, need_weights=need_weights)
    hide = ~keep[:, 0, 0]  # PyTorch's module calls True what may NOT be seen
    expected, their_weights = theirs(
        query, memory, memory, key_padding_mask=hide, average_attn_weights=False
    )
    assert torch.allclose(context, expected, atol=1e-5)
    if need_weights:
        assert torch.allclose(weights, their_weights, atol=1e-6)
    else:
        assert weights is None


def test_gradients_equal_pytorch():
    torch.manual_seed(1)
    ours, theirs = MultiHeadAttention(12, 3), nn.MultiheadAttention(12, 3, batch_first=True)
    copy_attention(ours, theirs)
    query, memory = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    ours(query, memory, need_weights=True)[0].square().sum().backward()
    theirs(query, memory, memory)[0].square().sum().backward()
    stacked = torch.cat([ours.query.weight.grad, ours.key.weight.grad, ours.value.weight.grad])
    assert torch.allclose(stacked, theirs.in_proj_weight.grad, atol=1e-4)


def test_all_parameters_are_registered():
    assert sum(weight.numel() for weight in MultiHeadAttention(512, 8).parameters()) == 4 * (
        512 * 512 + 512
    )


def test_heads_must_divide_the_width():
    with pytest.raises(
        ValueError,
        match=r"d_model=10 is not divisible by n_heads=3; try n_heads in \[1, 2, 5, 10\]",
    ):
        MultiHeadAttention(10, 3)


def test_cache_gives_the_same_as_all_at_once():
    torch.manual_seed(0)
    attention, x, cache = MultiHeadAttention(8, 2), torch.randn(3, 5, 8), KeyValueCache()
    at_once, _ = attention(x, x, causal_keep(5))
    steps = [attention(x[:, t : t + 1], x[:, t : t + 1], cache=cache)[0] for t in range(5)]
    assert torch.allclose(torch.cat(steps, dim=1), at_once, atol=1e-6)
    assert cache.k.shape == (3, 2, 5, 4)


def test_fixed_cache_ignores_later_memories():
    torch.manual_seed(0)
    attention, x, cache = MultiHeadAttention(8, 2), torch.randn(1, 5, 8), KeyValueCache(fixed=True)
    first, _ = attention(x[:, :1], x, cache=cache)
    again, _ = attention(x[:, :1], torch.zeros(1, 5, 8), cache=cache)
    assert torch.equal(first, again) and cache.k.size(2) == 5


def test_causal_keep_is_lower_triangular_and_aligned_to_the_last_keys():
    assert causal_keep(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert causal_keep(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]
    with pytest.raises(ValueError, match="t_key=2 is smaller than t_query=3"):
        causal_keep(3, 2)


def test_padding_keep_hides_keys_only():
    keep = padding_keep(torch.tensor([[5, 6, 0], [7, 0, 0]]))
    assert keep.shape == (2, 1, 1, 3)
    assert keep[:, 0, 0].tolist() == [[True, True, False], [True, False, False]]
