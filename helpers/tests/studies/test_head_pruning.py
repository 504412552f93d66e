"""Heads sorted by what they cost alone, switched on again one by one."""

import pytest
import torch

from helpers.batches import encode_pairs
from helpers.interpret import head_pruning, patching
from helpers.interpret.patching import Sentences
from helpers.pairs import Pair
from helpers.text import Vocabulary
from helpers.transformer import Transformer

PAIRS = [
    Pair("i saw a saw", "我看见一把锯子", ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6))),
    Pair("my brother saw", "我哥哥看见", ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4))),
    Pair("i saw a brother", "我看见一个弟弟", ((0, 0), (1, 1), (1, 2), (2, 3), (3, 5), (3, 6))),
    Pair("a saw", "一把锯子", ((0, 0), (0, 1), (1, 2), (1, 3))),
]


@pytest.fixture
def vocabularies():
    return Vocabulary("i saw a my brother".split()), Vocabulary([*"我看见一把锯子哥弟个"])


@pytest.fixture
def model(small_model, vocabularies):
    source, target = map(len, vocabularies)
    torch.manual_seed(3)
    return Transformer(**small_model.sizes | dict(source_size=source, target_size=target)).eval()


@pytest.fixture
def sentences(vocabularies):
    return Sentences(PAIRS, encode_pairs(PAIRS, *vocabularies))


def test_heads_are_sorted_by_what_they_cost():
    cost = {"a": (1.0, 3), "b": (2.0, 0), "c": (1.0, 4)}
    assert head_pruning.costliest_first(cost) == ["b", "c", "a"]


def test_costs_are_those_of_each_head_alone(model, sentences, monkeypatch):
    wanted = patching.next_tokens(model, sentences)
    sentences.wanted = wanted  # so that all is right in health
    cost = head_pruning.costs_alone(model, sentences)
    assert list(cost) == patching.heads_of(model)
    for head, (lost, wrong) in cost.items():
        written = patching.without(model, sentences, [head])
        right = sum(one == other for one, other in zip(written, wanted, strict=True))
        assert lost == 100 * (4 - right) / 4
        assert wrong == sum(
            one != other
            for row, right_row in zip(written, wanted, strict=True)
            for one, other in zip(row, right_row, strict=True)
        )


def test_all_comes_back_with_all_heads(model, sentences):
    sentences.wanted = patching.next_tokens(model, sentences)
    order = patching.heads_of(model)
    found = head_pruning.brought_back(model, sentences, order, [0, len(order)])
    off = patching.without(model, sentences, order)
    right = sum(one == other for one, other in zip(off, sentences.wanted, strict=True))
    assert found["sentences"] == [right / 4, 1]
    kinds = set(found) - {"sentences"}
    assert {"measure word", "other word"} <= kinds
    assert all(found[kind][1] == 1 for kind in kinds if patching.all_tokens(sentences)[kind])
