"""What notebook 07 draws and counts: shifted rows, slips, forks, mistakes, pictures, scores."""

import math
import re
from collections import Counter
from dataclasses import replace

import pytest
import torch

from helpers.batches import Example
from helpers.corpus import Corpus
from helpers.decoding import beam_search
from helpers.pages import corpus_report, training_views
from helpers.pairs import DATA, Pair, read_pairs
from helpers.scoring import bleu, chrf
from helpers.studies import beam_analysis
from helpers.text import BOS, EOS, Vocabulary
from helpers.transformer import Transformer
from helpers.translator import Translator

SIGNS = Vocabulary("猫唱歌")
PAIRS = [Pair("a cat", "猫"), Pair("a cat sings", "猫唱歌"), Pair("sing", "唱")]


def tiny():
    """Make an untrained translator of two words."""
    torch.manual_seed(0)
    words = Vocabulary(["a", "cat"])
    model = Transformer(len(words), len(SIGNS), d_model=8, n_heads=2, n_layers=1, d_ff=8).eval()
    return Translator(model, words, SIGNS)


class TwoWays:
    """A translator whose ways of decoding know some sentences by heart."""

    def __init__(self, greedy, beam):
        self.ways = {1: greedy, 2: beam}

    def translate(self, sentences, beam_size=1):
        return [self.ways[beam_size].get(each, "?") for each in sentences]


@pytest.mark.parametrize(
    ("greedy", "beam", "sentence", "counts"),
    [
        ({}, {"sing": "唱"}, "sing", (1, 1, 0)),
        ({"sing": "唱"}, {}, "sing", (1, 0, 1)),
        ({}, {}, "a cat", (0, 0, 0)),
        ({"sing": "唱"}, {"sing": "歌"}, "sing", (1, 0, 0)),
    ],
)
def test_a_sentence_is_found_that_only_the_beam_gets_right(greedy, beam, sentence, counts):
    pairs = [*PAIRS, Pair("sing", "歌")]  # "sing" has two right translations
    found, line = beam_analysis.where_a_beam_pays(TwoWays(greedy, beam), pairs)
    assert found == sentence
    told = "differ in {}: only the beam is right in {}, only greedy in {}".format(*counts)
    assert line == f"3 sentences of up to 9 tokens; greedy and beam {told}"


def test_a_fork_is_the_first_token_that_differs():
    translator = tiny()
    model = translator.model
    fork = beam_analysis.fork_of(translator, "a cat", ["猫唱", "猫歌唱"])
    assert fork.so_far == "猫" and [each[0] for each in fork.choices] == [*"唱歌"]
    given = torch.tensor([translator.read("a cat")]), torch.tensor([[BOS, 4]])
    chances = model(*given)[0, -1].softmax(-1).tolist()
    assert [each[1] for each in fork.choices] == pytest.approx([chances[5], chances[6]])
    ended = beam_analysis.fork_of(translator, "a cat", ["猫", "猫唱"])
    assert ended.choices[0] == ("<eos>", pytest.approx(chances[EOS]))
    assert beam_analysis.fork_of(translator, "a cat", ["猫", "猫"]).choices[1][0] == "<eos>"


def test_beginnings_become_a_tree():
    steps = [[(-0.1, [BOS, 4]), (-2.0, [BOS, 5])], [(-0.3, [BOS, 5, 6]), (-0.2, [BOS, 4, EOS])]]
    found = beam_analysis.tree_of(steps, SIGNS)
    assert found == [[(0, "猫", -0.1), (0, "唱", -2.0)], [(1, "歌", -0.3), (0, "<eos>", -0.2)]]


@pytest.mark.parametrize("sentence", ["a cat", "cat", "cat a a"])
def test_the_beam_that_is_drawn_is_the_helpers(sentence):
    translator = tiny()
    ids, kept = beam_analysis.beam_kept(translator, sentence, 3)
    given = torch.tensor([translator.read(sentence)])
    assert [n for n in ids[1:] if n != EOS] == beam_search(translator.model, given, 3)[0]
    tree = beam_analysis.tree_of(kept, SIGNS)
    assert [len(step) for step in tree] == [len(step) for step in kept] and len(kept[0]) >= 3
    assert beam_analysis.worth((-1.5, [BOS, 4, 5, 6, EOS])) == -0.375


def test_bleu_of_one_sentence_is_worked_out():
    wrote, right = "猫唱歌猫唱", "猫唱歌猫歌唱"
    rows, factor = beam_analysis.runs_found(wrote, right)
    assert rows[1] == [2, "猫唱 唱歌 歌猫", "3 of 4", 0.75] and rows[3][1] == "猫唱歌猫 (唱歌猫唱)"
    value = 100 * factor * math.prod(row[-1] for row in rows) ** 0.25
    assert value == pytest.approx(bleu([wrote], [[right]]).value)
    assert beam_analysis.runs_found(right, wrote)[1] == 1.0
    assert beam_analysis.runs_found("", right)[0][0][2] == "0 of 0"


def test_judged_are_misses_of_the_test_that_the_key_lacks():
    keys = {pair.source: pair.target for pair in read_pairs(DATA / "test_real.tsv")}
    every = corpus_report.GOOD | corpus_report.ARGUABLE
    assert {*every} <= {*keys} and not {*corpus_report.GOOD} & {*corpus_report.ARGUABLE}
    assert all(keys[source] != text for source, text in every.items())
    wrote = every | {"a cat": "猫"}
    scores = corpus_report.Scores({"test_real": wrote}, {"test_real": dict.fromkeys(wrote, False)})
    part = [Pair(source, "") for source in wrote]
    counts = len(wrote), len(corpus_report.GOOD), len(corpus_report.ARGUABLE)
    assert scores.judged("test_real", part) == counts


def test_mistakes_are_sorted_and_each_kind_has_its_first():
    written = dict(test={"a cat": "唱", "a cat sings": "猫", "sing": "唱"})
    hits = dict(test={"a cat": False, "a cat sings": False, "sing": True})
    tests = dict(test=[*PAIRS, PAIRS[0]])

    counts, firsts = training_views.sort_mistakes(tests, written, hits)
    assert counts == dict(test=Counter({"one exchanged": 1, "a piece is missing": 1}))
    assert firsts[0] == ["a piece is missing", "a cat sings", "猫", "猫唱歌"]
    assert training_views.mistakes_told(counts) == [["a piece is missing", 1], ["one exchanged", 1]]


@pytest.mark.parametrize(
    ("wrote", "kind"),
    [
        ("猫唱", "a piece is missing"), ("猫唱歌歌", "a piece too many"),
        ("猫猫歌", "one exchanged"), ("歌唱猫", "another order"), ("唱", "several places"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_what_would_mend_it(wrote, kind):
    assert training_views.kind_of(wrote, "猫唱歌") == kind


def test_owners_of_owners_are_counted():
    right = {"My teacher's phone is new": False, "Tom's wife's cat sings": True, "Tom's cat": False}
    found = training_views.chains({"test": right}, {"test": right})
    assert found == {"chain": [1, 2], "none": [1, 1]}


def test_a_mistake_for_the_next_notebook_is_short_and_has_known_words():
    class Knows:
        def unknown(self, source):
            return ["sings"] * ("sings" in source)

    written = dict(test={pair.source: "歌猫唱猫" for pair in PAIRS})
    hits = dict(test=dict.fromkeys(written["test"], False))
    found = training_views.shortest_mistake(Knows(), dict(test=PAIRS), written, hits)
    assert found == ("test", "sing", "歌猫唱猫", "唱")
    hits = dict(test=dict.fromkeys(written["test"], True))
    assert training_views.shortest_mistake(Knows(), dict(test=PAIRS), written, hits) == ("",) * 4


def test_halves_of_joined_sentences_are_asked_alone():
    corpus = Corpus(
        "", [Pair("I sing, and you?", "我唱，你呢？")], [],
        {"test_joined": [Pair("I sing, and a cat sings.", "我唱，猫唱。"), Pair("I sing", "我唱")]},
    )  # fmt: skip
    knows = {"I sing": "我唱", "a cat sings": "猫唱"}
    told = training_views.joined_told(TwoWays(knows, {}), corpus).splitlines()
    assert told[0].endswith("in 1 of 1 sentences") and told[1].endswith(": you (1 times)")
    told = training_views.joined_told(TwoWays({"I sing": "我唱"}, {}), corpus)
    assert "in 0 of 1 sentences" in told
    assert "no joined" in training_views.joined_told(tiny(), replace(corpus, tests={}))


def test_sentences_one_word_away_from_training_are_counted():
    corpus = Corpus("", [Pair("A cat sings.", "猫唱")], [], {})
    hits = {"a dog sings": True, "the cat sings": False, "a cat": True, "sings a cat": True}
    told = training_views.near_told(corpus, {"test": hits})
    assert told == (
        "test: 2 of 4 sentences are one word away from training, 1 of them right; "
        "of the others 2 of 2"
    )
    assert "0 of 0 sentences" in training_views.near_told(corpus, {})


def test_pads_of_both_sides_count():
    examples = [Example([4, 5, 6], [4]), Example([4], [4])]
    assert training_views.share_of_pads(examples, [[0, 1]]) == pytest.approx(2 / 10)
    assert training_views.share_of_pads(examples, [[0], [1]]) == 0


def test_scores_are_kept_for_each_test_and_decoding():
    def score(part, beam_size):
        outputs = [pair.target if beam_size == 4 else "猫" for pair in part]
        rights = [[pair.target] for pair in part]
        hits = [one == pair.target for one, pair in zip(outputs, part, strict=True)]
        both = bleu(outputs, rights), chrf(outputs, rights)
        return [pair.source for pair in part], outputs, hits, *both

    scores = corpus_report.score_all(score, {"test": PAIRS, "test_joined": PAIRS[1:]})
    assert scores.exact() == {"test": 1 / 3, "test_joined": 0.0}
    assert scores.kept["test"]["beam 4"]["exact_match"] == 1.0
    assert "test_joined" in scores.side_by_side(False).markup
    assert scores.misses("test", PAIRS)[1] == ["test", "sing", "猫", "唱"]
    assert scores.judged("test", PAIRS) == (2, 0, 0) and scores.judged("none", []) == (0, 0, 0)
    assert len(scores.signed) == 2 and scores.signatures["bleu"].startswith("nrefs:1")
    only = corpus_report.score_all(score, {"mine": PAIRS})
    assert only.side_by_side(True).markup == only.side_by_side(False).markup
    beside = re.sub(r"(<[^>]+>)+", " ", scores.side_by_side(True).markup).split()
    assert beside[-6:] == ["test", "3", "33.3%", "100.0%", "0.0", "0.0"]
    assert "<details>" in scores.shown().markup
