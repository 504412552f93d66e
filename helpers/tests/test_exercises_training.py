"""The checks of notebook 07: right answers pass, likely mistakes get their hint, stubs none."""

import pytest
import torch

from helpers.batches import Batch
from helpers.text import PAD, UNK, Vocabulary
from helpers.transformer import Transformer
from helpers.translator import Translator
from helpers.workshop.breakers import FILE, keep_breaker, kept_breakers
from helpers.workshop.exercises import training as check


def said(capsys, ask, *answers):
    ask(*answers)
    return capsys.readouterr().out


def share(lengths, groups):
    cells = sum(len(group) * max(lengths[number] for number in group) for group in groups)
    return 1 - sum(lengths[number] for group in groups for number in group) / cells


def best(finished, penalty):
    return max(finished, key=lambda each: each[0] / len(each[1]) ** penalty)[1]


def not_shifted(batch):
    return Batch(batch.source, batch.target_out, batch.target_out)


def counted(batch):
    return batch._replace(target_out=batch.target_out.masked_fill(batch.target_out == PAD, UNK))


def sure(logits, target_out):
    chances, choice = logits.softmax(-1).max(-1)
    real, hit = target_out != PAD, choice == target_out
    return chances[real & hit].mean(), chances[real & ~hit].mean()


RIGHT = {
    check.pad_share: share, check.best_of: best, check.no_shift: not_shifted,
    check.count_pads: counted, check.sureness: sure,
}  # fmt: skip


@pytest.mark.parametrize("ask", RIGHT, ids=lambda ask: ask.__name__)
def test_right_answers_pass_and_stubs_get_no_hint(ask, capsys):
    assert said(capsys, ask, RIGHT[ask]).startswith("right")
    stub = said(capsys, ask, lambda *_: None)
    assert stub == "not tried yet: your function returns nothing\n"


def softmax_free(logits, target_out):
    return sure((logits - logits.logsumexp(-1, keepdim=True)).exp(), target_out)


def of_the_label(logits, target_out):
    chances = logits.softmax(-1)
    label = chances.gather(2, target_out[..., None])[..., 0]
    real, hit = target_out != PAD, chances.argmax(-1) == target_out
    return label[real & hit].mean(), label[real & ~hit].mean()


def shortest(finished, penalty):
    return max(finished)[1]


def without_the_end(finished, penalty):
    return max(finished, key=lambda each: each[0] / (len(each[1]) - 1) ** penalty)[1]


def multiplied(finished, penalty):
    return max(finished, key=lambda each: each[0] * len(each[1]) ** penalty)[1]


@pytest.mark.parametrize(
    ("ask", "wrong", "hint"),
    [
        (check.pad_share, lambda lengths, _: 1 - sum(lengths) / 9, "Each row"),
        (
            check.pad_share,
            lambda lengths, groups: 1 - sum(lengths) / (len(lengths) * max(lengths)),
            "longest sentence of its own",
        ),
        (
            check.pad_share,
            lambda lengths, groups: sum(share(lengths, [g]) for g in groups) / len(groups),
            "all groups together",
        ),
        (check.pad_share, lambda lengths, groups: 1 - share(lengths, groups), "Each row"),
        (check.best_of, shortest, "Divide the log probability"),
        (check.best_of, without_the_end, "<eos> was a choice"),
        (check.best_of, multiplied, "Divide the log probability"),
        (check.best_of, lambda finished, penalty: min(finished)[1], "penalty 0"),
        (check.no_shift, lambda batch: batch, "must say target_out"),
        (check.no_shift, lambda b: Batch(b.source, b.target_in, b.target_in), "target_out"),
        (check.count_pads, lambda b: b._replace(target_out=b.target_out * 0 + UNK), "Only the"),
        (check.count_pads, lambda b: counted(b)._replace(target_in=b.source), "Only the"),
        (check.sureness, of_the_label, "own choice"),
        (check.sureness, softmax_free, "own choice"),
    ],
)
def test_a_wrong_answer_gets_its_hint(ask, wrong, hint, capsys):
    out = said(capsys, ask, wrong)
    assert out.startswith("not yet") and hint in out.split("hint: ")[1]


@pytest.fixture
def translator():
    torch.manual_seed(0)
    words, signs = Vocabulary(["the", "cat", "sings"]), Vocabulary(["猫", "唱", "歌"])
    sizes = dict(d_model=8, n_heads=2, n_layers=1, d_ff=8)
    return Translator(Transformer(len(words), len(signs), **sizes).eval(), words, signs)


def test_a_duel_needs_known_words_a_new_sentence_and_a_reason(translator, tmp_path, capsys):
    known = {"the cat sings"}

    def fight(sentence, why=""):
        reply = check.duel(sentence, why, translator, known, tmp_path)
        return reply, capsys.readouterr().out

    assert fight(None) == ("", "not tried yet: my_sentence is None\n")
    assert fight("The giraffe sings.")[1].startswith("no duel: it has never seen giraffe")
    assert "by heart" in fight("The cat sings")[1]
    assert fight("   ")[1].startswith("no duel: the sentence is empty")
    reply, out = fight("The cat the cat")
    assert reply and reply in out and "Say why" in out and kept_breakers(tmp_path) == []
    assert "kept in breakers.tsv" in fight("The cat the cat", "no cat at all")[1]
    assert "already" in fight("The cat the cat", "still none")[1]
    assert kept_breakers(tmp_path) == [["The cat the cat", "no cat at all", reply, "you"]]


def test_breakers_are_added_and_never_taken_away(tmp_path):
    folder = tmp_path / "build"
    assert kept_breakers(folder) == []
    assert keep_breaker(folder, "a\tcat", "猫", "狗\n", "test")
    assert not keep_breaker(folder, "a cat", "another reason", "狗", "you")
    assert keep_breaker(folder, "a cat", "猫", "鸟", "test")
    file = folder / FILE
    file.write_text(file.read_text(encoding="utf-8") + "by hand\t\n\nno end", encoding="utf-8")
    assert keep_breaker(folder, "last", "r", "w", "you")
    rows = kept_breakers(folder)
    assert rows[:2] == [["a cat", "猫", "狗", "test"], ["a cat", "猫", "鸟", "test"]]
    assert [row[0] for row in rows] == ["a cat", "a cat", "by hand", "no end", "last"]
    assert all(len(row) == 4 for row in rows)
