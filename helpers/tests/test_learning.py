"""What notebook 07 draws and counts: shifted rows, places, forks, mistakes, pictures."""

import math
from collections import Counter

import pytest
import torch

from helpers.batches import Example, make_batch
from helpers.pairs import Pair, read_pairs
from helpers.recipe import DATA
from helpers.runs import History
from helpers.scoring import bleu
from helpers.text import BOS, EOS, Vocabulary
from helpers.training import TrainingSettings
from helpers.transformer import Transformer
from helpers.translator import Translator
from helpers.workshop import forks, judged, learning
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
        self.pens = {1: greedy, 2: beam}

    def translate(self, sentences, beam_size):
        return [self.pens[beam_size].get(each, "?") for each in sentences]


@pytest.mark.parametrize(
    ("greedy", "beam", "sentence", "told"),
    [
        ({}, {"sing": "唱"}, "sing", "1: only the beam is right in 1, only greedy in 0"),
        ({"sing": "唱"}, {}, "sing", "1: only the beam is right in 0, only greedy in 1"),
        ({}, {}, "a cat", "0: only the beam is right in 0, only greedy in 0"),
    ],
)
def test_a_sentence_is_found_that_only_the_beam_gets_right(greedy, beam, sentence, told):
    found, line = forks.where_a_beam_pays(TwoPens(greedy, beam), PAIRS)
    assert found == sentence
    assert line == f"of 3 sentences of 9 tokens or fewer, the pens differ in {told}"
    assert forks.where_a_beam_pays(TwoPens({}, {}), PAIRS, 0)[0] == "a cat"


def test_a_fork_is_the_first_token_that_differs():
    torch.manual_seed(0)
    words = Vocabulary(["a", "cat"])
    model = Transformer(len(words), len(SIGNS), d_model=8, n_heads=2, n_layers=1, d_ff=8).eval()
    translator = Translator(model, words, SIGNS)
    fork = forks.fork_of(translator, "a cat", ["猫唱", "猫歌唱"])
    assert (fork.step, fork.so_far) == (2, "猫") and [each[0] for each in fork.choices] == [*"唱歌"]
    given = torch.tensor([translator.read("a cat")]), torch.tensor([[BOS, 4]])
    chances = model(*given)[0, -1].softmax(-1).tolist()
    assert [each[1] for each in fork.choices] == pytest.approx([chances[5], chances[6]])
    ended = forks.fork_of(translator, "a cat", ["猫", "猫唱"])
    assert ended.choices[0] == ("<eos>", pytest.approx(chances[EOS])) and ended.step == 2
    assert forks.fork_of(translator, "a cat", ["猫", "猫"]).choices[1][0] == "<eos>"


def test_beginnings_become_a_tree():
    steps = [[(-0.1, [BOS, 4]), (-2.0, [BOS, 5])], [(-0.3, [BOS, 5, 6]), (-0.2, [BOS, 4, EOS])]]
    found = forks.tree_of(steps, SIGNS)
    assert found == [[(0, "猫", -0.1), (0, "唱", -2.0)], [(1, "歌", -0.3), (0, "<eos>", -0.2)]]


def test_bleu_of_one_sentence_is_worked_out():
    wrote, right = "猫唱歌猫唱", "猫唱歌猫歌唱"
    rows, factor = forks.runs_found(wrote, right)
    assert rows[1] == [2, "猫唱 唱歌 歌猫", "3 of 4", 0.75] and rows[3][1] == "猫唱歌猫 (唱歌猫唱)"
    value = 100 * factor * math.prod(row[-1] for row in rows) ** 0.25
    assert value == pytest.approx(bleu([wrote], [[right]]).value)
    assert forks.runs_found(right, wrote)[1] == 1.0
    assert forks.runs_found("", right)[0][0][2] == "0 of 0"


def test_judged_are_misses_of_the_test_that_the_key_lacks():
    keys = {pair.source: pair.target for pair in read_pairs(DATA / "test_real.tsv")}
    every = judged.GOOD | judged.ARGUABLE
    assert {*every} <= {*keys} and not {*judged.GOOD} & {*judged.ARGUABLE}
    assert all(keys[source] != text for source, text in every.items())
    written = judged.GOOD | dict.fromkeys(judged.ARGUABLE, "猫")
    assert judged.judged_good(written) == [*judged.GOOD] == judged.judged_good(written, True)
    assert len(judged.judged_good(every, True)) == len(every)


def test_mistakes_are_sorted_and_each_kind_has_its_first():
    written = dict(test={"a cat": "唱", "a cat sings": "猫", "sing": "唱"})
    hits = dict(test={"a cat": False, "a cat sings": False, "sing": True})
    tests = dict(test=[*PAIRS, PAIRS[0]])

    def kind_of(wrote, right):
        return "same length" if len(wrote) == len(right) else "another length"

    counts, firsts = learning.sort_mistakes(tests, written, hits, kind_of)
    assert counts == dict(test=Counter({"same length": 1, "another length": 1}))
    assert firsts[0] == ["another length", "a cat sings", "猫", "猫唱歌"]


@pytest.mark.parametrize(
    ("wrote", "kind"),
    [
        ("猫唱", "a piece is missing"), ("猫唱歌歌", "a piece too many"),
        ("猫猫歌", "one exchanged"), ("歌唱猫", "another order"), ("唱", "several places"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_what_would_mend_it(wrote, kind):
    assert learning.kind_of(wrote, "猫唱歌") == kind


def test_owners_of_owners_are_counted():
    right = {"My teacher's phone is new": False, "Tom's wife's cat sings": True, "Tom's cat": False}
    found = learning.chains({"test": right}, {"test": right})
    assert found == {"chain": [1, 2], "none": [1, 1]}


def test_a_mistake_for_the_next_notebook_is_short_and_has_known_words():
    class Knows:
        def unknown(self, source):
            return ["sings"] * ("sings" in source)

    written = dict(test={pair.source: "歌猫唱猫" for pair in PAIRS})
    hits = dict(test=dict.fromkeys(written["test"], False))
    found = learning.shortest_mistake(Knows(), dict(test=PAIRS), written, hits)
    assert found == ("test", "sing", "歌猫唱猫", "唱")
    hits = dict(test=dict.fromkeys(written["test"], True))
    assert learning.shortest_mistake(Knows(), dict(test=PAIRS), written, hits) == ("",) * 4


def test_pads_of_both_sides_count():
    examples = [Example([4, 5, 6], [4]), Example([4], [4])]
    assert learning.share_of_pads(examples, [[0, 1]]) == pytest.approx(2 / 10)
    assert learning.share_of_pads(examples, [[0], [1]]) == 0


def test_the_pictures_say_what_they_draw():
    examples = [Example([4, 5, 6], [4]), Example([4], [4])]
    pads = describe(learning.draw_pads(examples, {"one": [0, 1], "two": [1]}), 2)
    assert "'one'" in pads and "'two'" in pads and "1.00 0.00 0.00" in pads
    smooth = describe(learning.draw_smoothing(100, 0.1), 2)
    assert "'asked after smoothing'" in smooth and "'0.78'" in smooth
    rows = [dict(step=step, train_loss=1.0, valid_loss=2.0) for step in (1, 4)]
    curves = describe(learning.draw_learning(History(rows), TrainingSettings(steps=9)), 4)
    assert "'valid loss'" in curves and "0.1054" in curves and "'learning rate'" in curves
    bars = describe(learning.draw_scores(dict(test=0.99, test_real=0.1)), 2)
    assert "'99 %'" in bars and "'test' at 0" in bars
    paler = describe(learning.draw_scores(dict(test_real=0.1), dict(test_real=0.06)), 2)
    assert "'10 %, and 6 % judged good by a reader'" in paler
