"""What notebook 06 leaves to the studies: weights in PyTorch's order, words by word."""

import pytest
import torch
from torch import nn

from helpers.display.glossary import word_for_word
from helpers.studies.pytorch_weights import copy_weights, numbers_of
from helpers.transformer import DecoderLayer, EncoderLayer


@pytest.mark.parametrize("decoder", [False, True])
def test_weights_that_were_copied_give_the_same_numbers(decoder):
    torch.manual_seed(0)
    layer = (DecoderLayer if decoder else EncoderLayer)(12, 2, 20).eval()
    norm, x, memory = nn.LayerNorm(12), torch.randn(2, 4, 12), torch.randn(2, 5, 12)
    for weight in [*layer.parameters(), *norm.parameters()]:
        weight.data += 0.2 * torch.randn_like(weight)
    sizes, kind = (12, 2, 20), dict(norm_first=True, batch_first=True)
    if decoder:
        stack = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(*sizes, **kind), 1, nn.LayerNorm(12)
        )
        given = x, memory
    else:
        one = nn.TransformerEncoderLayer(*sizes, **kind)
        stack = nn.TransformerEncoder(one, 1, nn.LayerNorm(12), enable_nested_tensor=False)
        given = (x,)
    copy_weights([layer, norm], stack.eval())
    assert torch.allclose(stack(*given), norm(layer(*given)), atol=1e-5)


def test_weights_that_do_not_fit_are_refused():
    layer, numbers = EncoderLayer(12, 2, 20), [*numbers_of(EncoderLayer(12, 2, 20))]
    assert len(numbers) == 12 and numbers[0].shape == (36, 12)
    with pytest.raises(ValueError, match="zip"):
        copy_weights([layer, nn.LayerNorm(12)], nn.TransformerEncoderLayer(12, 2, 20))


def test_words_stand_beside_a_text():
    english = {"看": "look", "看见": "saw", "我": "i", "锯子": "SAW"}
    assert word_for_word("我看见锯子", english) == "我看见锯子 = i saw SAW"
    assert word_for_word("看锯!", english) == "看锯! = look ? ?"
    assert word_for_word("<bos><bos>我", english) == "<bos> × 2, 我 × 1"
    assert word_for_word("", english) == " = "
