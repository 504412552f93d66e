"""Heads sorted by what they cost alone, switched on again one by one."""

from collections import Counter

import pytest
import torch

from helpers.batches import encode_pairs
from helpers.interpret import head_pruning
from helpers.interpret.head_ablation import costs_alone, heads_of, next_tokens
from helpers.interpret.scored_sentences import Sentences, all_tokens
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
    cost = {"a": (1.0, Counter(x=3)), "b": (2.0, Counter()), "c": (1.0, Counter(x=2, y=2))}
    assert head_pruning.costliest_first(cost) == ["b", "c", "a"]


def test_costs_are_those_of_each_head_alone(model, sentences):
    wanted = next_tokens(model, sentences)
    sentences.wanted = wanted  # so that all is right in health
    cost = costs_alone(model, sentences)
    assert list(cost) == heads_of(model)
    for head, (lost, wrong) in cost.items():
        written = next_tokens(model, sentences, [head])
        right = sum(one == other for one, other in zip(written, wanted, strict=True))
        assert lost == 100 * (4 - right) / 4
        assert wrong.total() == sum(
            one != other
            for row, right_row in zip(written, wanted, strict=True)
            for one, other in zip(row, right_row, strict=True)
        )


def test_all_comes_back_with_all_heads(model, sentences):
    sentences.wanted = next_tokens(model, sentences)
    order = heads_of(model)
    found = head_pruning.brought_back(model, sentences, order, [0, len(order)])
    off = next_tokens(model, sentences, order)
    right = sum(one == other for one, other in zip(off, sentences.wanted, strict=True))
    assert found["sentences"] == [right / 4, 1]
    kinds = set(found) - {"sentences"}
    assert {"measure word", "other word"} <= kinds
    assert all(found[kind][1] == 1 for kind in kinds if all_tokens(sentences)[kind])
