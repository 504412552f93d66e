"""The Transformer: an encoder that reads a sentence and a decoder that writes one by tokens."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from helpers.attention import KeyValueCache, MultiHeadAttention, head_width
from helpers.checks import require_range
from helpers.masks import causal_keep, padding_keep


def sinusoidal_positions(t: int, d_model: int) -> Tensor:
    """Give each position a vector of sines (even channels) and cosines (odd) of falling frequency.

    Returns: (t, d_model).
    Raises: ValueError if d_model is odd, since sines and cosines come in pairs.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if d_model % 2:
        reason = "sines and cosines come in pairs"
        raise ValueError(f"d_model={d_model} is odd; {reason}, try {d_model + 1}")
    position = torch.arange(t, dtype=torch.float64)[:, None]
    frequency = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = position * frequency  # (t, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


class FeedForward(nn.Sequential):
    """Two linear layers with a ReLU between, for each token by itself (Vaswani et al., eq. 2)."""

    def __init__(self, d_model: int, d_ff: int):
        """Widen to d_ff channels, rectify, and come back to d_model."""
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward net, each behind a norm, beside a residual (pre-norm)."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float = 0.0):
        """Create the two sub-layers and the norm in front of each."""
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm_self, self.norm_ff = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, keep: Tensor | None = None) -> Tensor:
        """Mix the tokens, then think about each one.

        x: (batch, t, d_model); keep: bool, broadcastable to (batch, n_heads, t, t).
        Returns: (batch, t, d_model).
        """
        normed = self.norm_self(x)
        x = x + self.dropout(self.self_attention(normed, normed, keep))
        return x + self.dropout(self.feed_forward(self.norm_ff(x)))


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention, a feed-forward net: each with norm and residual."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float = 0.0):
        """Create the three sub-layers and the norm in front of each."""
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm_self, self.norm_cross, self.norm_ff = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, keep=None, memory_keep=None, cache=(None, None)) -> Tensor:
        """Look back over the target, look over at the source, think.

        x: (batch, t_target, d_model); memory: (batch, t_source, d_model), the encoder's output.
        keep, memory_keep: bool, broadcastable to (batch, n_heads, t_target, t_target or t_source).
        cache: for self-attention and (fixed) for cross-attention; x is then only the new tokens.
        Returns: (batch, t_target, d_model).
        """
        normed = self.norm_self(x)
        x = x + self.dropout(self.self_attention(normed, normed, keep, cache[0]))
        normed = self.norm_cross(x)
        x = x + self.dropout(self.cross_attention(normed, memory, memory_keep, cache[1]))
        return x + self.dropout(self.feed_forward(self.norm_ff(x)))


class DecoderState:
    """What decoding carries on: the number of tokens read so far, and a cache for each layer."""

    def __init__(self, n_layers: int):
        """Start before the first token."""
        self.t_done = 0
        self.caches = [(KeyValueCache(), KeyValueCache(fixed=True)) for _ in range(n_layers)]

    def select(self, rows: Tensor, same_sources: bool = False) -> None:
        """Keep these rows of the batch, in this order.

        same_sources: each has the source of the row in its place, so cross-attention stays.
        """
        for cache_self, cache_cross in self.caches:
            cache_self.select(rows)
            if not same_sources:
                cache_cross.select(rows)


def check_sizes(d_model, n_heads, n_layers, d_ff, dropout, max_tokens=256) -> None:
    """Refuse sizes that no model can have; raises ValueError naming what does not fit."""
    require_range(d_model=(d_model, 2, 4096), n_heads=(n_heads, 1, 64), n_layers=(n_layers, 1, 64))
    require_range(d_ff=(d_ff, 1, 16384), dropout=(dropout, 0.0, 0.9))
    require_range(max_tokens=(max_tokens, 1, 10**6))
    head_width(d_model, n_heads)
    sinusoidal_positions(1, d_model)


class Transformer(nn.Module):
    """The whole model: embeddings, positions, encoder, decoder, scores for the next token."""

    def __init__(
        self, source_size: int, target_size: int, d_model: int = 128, n_heads: int = 4,
        n_layers: int = 2, d_ff: int | None = None, dropout: float = 0.1, max_tokens: int = 256,
    ):
        """Create a model for vocabularies of these sizes and sentences up to max_tokens.

        d_ff: width inside the feed-forward nets; 4 * d_model if not given.
        Raises: ValueError for sizes that do not fit together.
        """
        super().__init__()
        d_ff = 4 * d_model if d_ff is None else d_ff
        sizes = dict(d_model=d_model, n_heads=n_heads, n_layers=n_layers, d_ff=d_ff)
        sizes |= dict(dropout=dropout, max_tokens=max_tokens)
        check_sizes(**sizes)
        self.sizes = dict(source_size=source_size, target_size=target_size) | sizes
        self.d_model, self.max_tokens = d_model, max_tokens
        self.source_embedding = nn.Embedding(source_size, d_model)
        self.target_embedding = nn.Embedding(target_size, d_model)
        positions = sinusoidal_positions(max_tokens, d_model)
        self.register_buffer("positions", positions, persistent=False)
        layer = d_model, n_heads, d_ff, dropout
        self.encoder_layers = nn.ModuleList(EncoderLayer(*layer) for _ in range(n_layers))
        self.decoder_layers = nn.ModuleList(DecoderLayer(*layer) for _ in range(n_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.scores = nn.Linear(d_model, target_size, bias=False)  # the output layer
        self.dropout = nn.Dropout(dropout)
        _initialize(self)

    def embed(self, ids: Tensor, embedding: nn.Embedding, start: int = 0) -> Tensor:
        """Look up tokens and add their positions, from start: (batch, t) -> (batch, t, d_model).

        Raises: ValueError if the sentence is longer than the table of positions.
        """
        end = start + ids.size(1)
        if end > self.max_tokens:
            fault = f"a sentence of {end} tokens is too long"
            raise ValueError(f"{fault}: this model has {self.max_tokens} positions")
        return self.dropout(embedding(ids) * math.sqrt(self.d_model) + self.positions[start:end])

    def source_keep(self, source: Tensor) -> Tensor | None:
        """Hide the pads; None if there are none, since attention is faster without a mask."""
        keep = padding_keep(source)
        return None if keep.all() else keep

    def encode(self, source: Tensor) -> Tensor:
        """Read the source: one vector for each token, not one for the sentence.

        source: (batch, t_source) ids, pads at the end of short rows.
        Returns: (batch, t_source, d_model).
        """
        keep, x = self.source_keep(source), self.embed(source, self.source_embedding)
        for layer in self.encoder_layers:
            x = layer(x, keep)
        return self.encoder_norm(x)

    def decode(self, target_in: Tensor, memory: Tensor, memory_keep, state=None) -> Tensor:
        """Score the token that follows each token of target_in.

        target_in: (batch, t_target) ids that begin with <bos>; with a state (DecoderState) only
        the new ones.
        memory: (batch, t_source, d_model).
        memory_keep: (batch, 1, 1, t_source) bool, False at source pads, or None.
        Returns: logits (batch, t_target, target_size).
        """
        t_new, t_done = target_in.size(1), state.t_done if state else 0
        # Pads stand at the end of a target, where the causal mask hides them from all that counts.
        # A single newest token may look at everything before it, so it needs no mask at all.
        keep = causal_keep(t_new, t_done + t_new, target_in.device) if t_new > 1 else None
        x = self.embed(target_in, self.target_embedding, t_done)
        for number, layer in enumerate(self.decoder_layers):
            caches = state.caches[number] if state else (None, None)
            x = layer(x, memory, keep, memory_keep, caches)
        if state:
            state.t_done += t_new
        return self.scores(self.decoder_norm(x))

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Score every next target token at once, as in training: (batch, t_target, target_size)."""
        return self.decode(target_in, self.encode(source), self.source_keep(source))


def _initialize(model: Transformer) -> None:
    """Draw the first weights."""
    for name, weight in model.named_parameters():
        if weight.dim() > 1:
            # Queries, keys and values as PyTorch draws them, as one matrix: smaller by sqrt(2).
            stacked = name.endswith(("query.weight", "key.weight", "value.weight"))
            nn.init.xavier_uniform_(weight, gain=0.5**0.5 if stacked else 1.0)
        elif name.endswith("bias"):
            nn.init.zeros_(weight)
    # Small embeddings, which `embed` brings to the size of the positions: a step of AdamW moves any
    # number by about the learning rate, which for small ones is more.
    for embedding in (model.source_embedding, model.target_embedding):
        nn.init.normal_(embedding.weight, std=model.d_model**-0.5)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Switch dropout and gradients off for a while, and the dropout back on if it was on."""
    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)
