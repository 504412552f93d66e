"""No tensor is made on the wrong device: seen on meta, PyTorch's device of shapes without numbers.

What this can't see: greedy and beam, which read numbers back, the speed of a real GPU, and numbers
that its kernels round otherwise.
"""

import pytest
import torch

from helpers import masks
from helpers.training import token_loss
from helpers.transformer import DecoderState, Transformer


def train_and_decode(monkeypatch):
    """Differentiate a loss and decode with a cache; returns the last logits."""
    # whether there are pads at all is a question about numbers
    monkeypatch.setattr(Transformer, "source_keep", lambda model, ids: masks.padding_keep(ids))
    model = Transformer(9, 9, 8, 2, 2, 8, dropout=0.1).to("meta")
    source = torch.ones(2, 3, dtype=torch.long, device="meta")
    token_loss(model(source, source), source, 0.1).backward()
    memory, state = model.encode(source), DecoderState(2)
    for tokens in (source, source[:, :1]):
        logits = model.decode(tokens, memory, model.source_keep(source), state)
    return logits


def test_training_and_decoding_stay_on_their_device(monkeypatch):
    assert train_and_decode(monkeypatch).device.type == "meta"


def test_a_mask_on_the_wrong_device_is_noticed(monkeypatch):
    causal_keep = masks.causal_keep
    monkeypatch.setattr("helpers.transformer.causal_keep", lambda *at: causal_keep(*at[:2]))
    with pytest.raises(RuntimeError, match="not on the expected device"):
        train_and_decode(monkeypatch)
