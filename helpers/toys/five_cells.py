"""Three of notebook 06's five cells as its page shows them, for who has not written their own."""
# ruff: noqa: D101, D102, D107

import html
import inspect
from collections.abc import Sequence

import torch
from torch import nn

from helpers.attention import MultiHeadAttention


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.narrow(torch.relu(self.widen(x)))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = self.FeedForward(d_model, d_ff)
        self.norm_self, self.norm_ff = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, keep):  # (batch, t, d_model), and the same comes out
        normed = self.norm_self(x)
        x = x + self.dropout(self.self_attention(normed, normed, keep))
        return x + self.dropout(self.feed_forward(self.norm_ff(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = self.FeedForward(d_model, d_ff)
        self.norm_self, self.norm_cross, self.norm_ff = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, y, memory, keep, memory_keep):  # y: (batch, t_target, d_model)
        normed = self.norm_self(y)
        y = y + self.dropout(self.self_attention(normed, normed, keep))
        normed = self.norm_cross(y)
        y = y + self.dropout(self.cross_attention(normed, memory, memory_keep))
        return y + self.dropout(self.feed_forward(self.norm_ff(y)))


OURS = FeedForward, EncoderLayer, DecoderLayer


def ours(layer: type, feed_forward: type) -> type:
    """Return one of the two layers above, whose feed-forward net is of this class."""
    return type(layer.__name__, (layer,), {"FeedForward": feed_forward})


def whole(first: str, fifth: str) -> str:
    """Write the code of all five cells as HTML for the page; first, fifth: what stands open."""
    layers = (inspect.getsource(each).replace("self.FeedForward(", "FeedForward(") for each in OURS)
    cells: Sequence[str] = [first, *layers, fifth]
    text = "\n\n".join(html.escape(each.strip(), quote=False) for each in cells)
    text = text.replace("\n\n", "\n&#32;\n")  # an empty line would end the HTML in Markdown
    return f"<pre><code>{text.replace('*', '&#42;').replace('_', '&#95;')}</code></pre>"
