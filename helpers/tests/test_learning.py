"""What notebook 07 draws and counts: shifted rows, places, mistakes, constructions, pictures."""

from collections import Counter

import pytest

from helpers.batches import Example, make_batch
from helpers.pairs import Pair
from helpers.runs import History
from helpers.text import Vocabulary
from helpers.training import TrainingSettings
from helpers.workshop import learning
from helpers.workshop.figures import describe

SIGNS = Vocabulary("猫唱歌")
PAIRS = [Pair("a cat", "猫"), Pair("a cat sings", "猫唱歌"), Pair("sing", "唱")]


def test_a_shift_is_told_row_by_row():
    batch = make_batch([Example([4], [4, 5]), Example([4], [4])])
    rows = learning.shifted_rows(batch, SIGNS)
    assert rows[:2] == [["sees", "<bos>", "猫", "唱"], ["must say", "猫", "唱", "<eos>"]]
    assert rows[4:] == [["must say", "猫", "<eos>", "<pad>"], ["counts", "yes", "yes", "no"]]


def test_tokens_count_where_they_stand():
    assert learning.in_place(["猫", "唱歌", "唱歌"], PAIRS) == (2 / 5, 1 / 3)
    texts, length = learning.written_longest([[4], [4, 5, 6]], SIGNS)
    assert (texts, length) == (["猫", "猫唱歌"], 2)


class TwoPens:
    """A translator whose pens know some sentences by heart."""

    def __init__(self, greedy, beam):
        self.pens = {1: greedy, 4: beam}

    def translate(self, sentences, beam_size):
        return [self.pens[beam_size].get(each, "?") for each in sentences]


@pytest.mark.parametrize(
    ("greedy", "beam", "sentence", "told"),
    [
        ({}, {"sing": "唱"}, "sing", "1 differ: only the beam is right in 1, only greedy in 0"),
        ({"sing": "唱"}, {}, "sing", "1 differ: only the beam is right in 0, only greedy in 1"),
        ({}, {}, "a cat", "0 differ: only the beam is right in 0, only greedy in 0"),
    ],
)
def test_a_sentence_is_found_that_only_the_beam_gets_right(greedy, beam, sentence, told):
    found, line = learning.where_a_beam_pays(TwoPens(greedy, beam), PAIRS)
    assert found == sentence and line == f"of 3 sentences {told}"
    assert learning.where_a_beam_pays(TwoPens({}, {}), PAIRS, 0)[0] == "a cat"


def test_mistakes_are_sorted_and_each_kind_has_its_first():
    written = dict(test={"a cat": "唱", "a cat sings": "猫", "sing": "唱"})
    hits = dict(test={"a cat": False, "a cat sings": False, "sing": True})
    tests = dict(test=[*PAIRS, PAIRS[0]])

    def kind_of(wrote, right):
        return "same length" if len(wrote) == len(right) else "another length"

    counts, firsts = learning.sort_mistakes(tests, written, hits, kind_of)
    assert counts == dict(test=Counter({"same length": 1, "another length": 1}))
    assert firsts[0] == ["another length", "a cat sings", "猫", "猫唱歌"]


def test_the_pictures_say_what_they_draw():
    examples = [Example([4, 5, 6], [4]), Example([4], [4])]
    pads = describe(learning.draw_pads(examples, {"one": [0, 1], "two": [1]}), 2)
    assert "'one'" in pads and "'two'" in pads and "0.00 0.00" in pads
    rows = [dict(step=step, train_loss=1.0, valid_loss=2.0) for step in (1, 4)]
    curves = describe(learning.draw_learning(History(rows), TrainingSettings(steps=9)), 4)
    assert "'valid loss'" in curves and "0.1054" in curves and "'learning rate'" in curves
    bars = describe(learning.draw_scores(dict(test=0.99, test_real=0.1)), 2)
    assert "'99 %'" in bars and "'test' at 0" in bars
