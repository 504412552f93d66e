"""What notebook 06 looks at: its curves, its reader of the twins, and where a decoder looks."""

import pytest
import torch
from torch import nn

from helpers.text import Vocabulary
from helpers.transformer import EncoderLayer, Transformer
from helpers.workshop import evening_looks

TWINS = torch.tensor([[4, 5, 6, 5], [6, 5, 4, 5]])


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.norm, self.name = nn.Embedding(9, 8), nn.LayerNorm(8), nn.Linear(8, 7)
        self.layers = nn.ModuleList(EncoderLayer(8, 2, 12) for _ in range(2))

    def forward(self, source):
        self.trunk = [self.table(source)]
        for layer in self.layers:
            self.trunk.append(layer(self.trunk[-1], None))
        return self.name(self.norm(self.trunk[-1]))


def test_patches_at_all_places_give_the_twin():
    torch.manual_seed(0)
    reader = Reader().eval()
    names = reader(TWINS).argmax(dim=-1)
    for layer in range(3):
        for into in (0, 1):
            nothing = evening_looks.patched(reader, TWINS, [], into, layer)
            everything = evening_looks.patched(reader, TWINS, [1, 2, 3, 4], into, layer)
            assert torch.equal(nothing, names[into]) and torch.equal(everything, names[1 - into])
    last = evening_looks.patched(reader, TWINS, [2], 0, 2)  # nothing is left to carry it on
    assert last.tolist() == [names[0, 0], names[1, 1], names[0, 2], names[0, 3]]


def test_an_examination_counts_only_the_words_asked_for():
    torch.manual_seed(0)
    reader = Reader().eval()
    wanted = reader(TWINS).argmax(dim=-1)
    wanted[:, 0] = -1
    asked = torch.tensor([5])
    right, gap = evening_looks.examine(reader, TWINS, wanted, asked, TWINS)
    one, two = reader.trunk[-1][:, 1]
    assert right == "100.0%"
    assert gap == pytest.approx(((one - two).norm() / ((one.norm() + two.norm()) / 2)).item())
    wanted[1, 1] = -1
    assert evening_looks.examine(reader, TWINS, wanted, asked, TWINS)[0] == "75.0%"
    assert evening_looks.examine(reader, TWINS[:1], wanted[:1], asked, TWINS[[0, 0]])[1] == 0


def test_where_a_decoder_looks():
    torch.manual_seed(0)
    source_words, target_words = Vocabulary(["i", "see"]), Vocabulary(["我", "看"])
    model = Transformer(len(source_words), len(target_words), 8, 2, 2, 12).eval()
    source, target_in, out = (
        torch.tensor([[4, 5, 5]]),
        torch.tensor([[1, 4]]),
        torch.tensor([[4, 5]]),
    )
    weights = evening_looks.looks(model, source, target_in)
    assert weights.shape == (2, 3) and torch.allclose(weights.sum(dim=-1), torch.ones(2))
    words = source_words, target_words
    markup = evening_looks.map_of(model, source, target_in, out, *words, framed="看").markup
    assert "i see see" in markup and "我 wǒ" in markup and f"{weights[0, 0]:.2f}" in markup
    assert markup.count("box-shadow") == 4 and "▸ 看" in markup and "▸ 我" not in markup
    assert markup.count("<b>0") == 2  # the largest of each row
