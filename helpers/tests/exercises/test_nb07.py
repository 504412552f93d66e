"""The checks of notebook 07: right answers pass, likely mistakes get their hint, stubs none."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from helpers.batches import Batch, Example, make_batch
from helpers.exercises import nb07 as check
from helpers.pages.broken_sentences import FILE, keep_breaker, kept_breakers
from helpers.text import PAD, UNK, Vocabulary
from helpers.training import TrainingSettings, learning_rate_at, make_optimizer
from helpers.transformer import Transformer
from helpers.translator import Translator


def said(capsys, ask, *answers):
    ask(*answers)
    return capsys.readouterr().out


def share(lengths, groups):
    cells = sum(len(group) * max(lengths[number] for number in group) for group in groups)
    return 1 - sum(lengths[number] for group in groups for number in group) / cells


def longer(beginnings, table, width):
    every = {
        beginning + token: chance * more
        for beginning, chance in beginnings.items()
        for token, more in table[beginning[-1:]].items()
    }
    return {each: every[each] for each in sorted(every, key=every.get, reverse=True)[:width]}


def not_shifted(batch):
    return Batch(batch.source, batch.target_out, batch.target_out)


def counted(batch):
    return batch._replace(target_out=batch.target_out.masked_fill(batch.target_out == PAD, UNK))


def sure(logits, target_out):
    chances, choice = logits.softmax(-1).max(-1)
    real, hit = target_out != PAD, choice == target_out
    return chances[real & hit].mean(), chances[real & ~hit].mean()


RIGHT = {
    check.pad_share: share, check.beam_step: longer, check.no_shift: not_shifted,
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


def added(beginnings, table, width):
    every = {b + t: c + m for b, c in beginnings.items() for t, m in table[b[-1:]].items()}
    return dict(sorted(every.items(), key=lambda each: -each[1])[:width])


def of_each(beginnings, table, width):
    found = {}
    for each, chance in beginnings.items():
        found |= longer({each: chance}, table, width)
    return found


def from_the_front(beginnings, table, width):
    every = {b + t: c * m for b, c in beginnings.items() for t, m in table[b[:1]].items()}
    return dict(sorted(every.items(), key=lambda each: -each[1])[:width])


def test_a_right_batch_is_trained_with(capsys):
    words = [Vocabulary([*"isaw"]), Vocabulary([*"abcdef"])]

    def new_model():
        torch.manual_seed(0)
        return Transformer(*map(len, words), d_model=8, n_heads=2, n_layers=1, d_ff=8)

    given = new_model, EXAMPLES, words, TEN
    assert check.no_shift(lambda batch: batch, *given, steps=4) == []
    rows = check.no_shift(not_shifted, *given, steps=4)
    assert [row[0] for row in rows] == ["shifted", "yours"] and rows[0][1] != rows[1][1]
    assert capsys.readouterr().out.endswith("right, in 1 of 1 cases\n")


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
        (check.beam_step, added, "Chances multiply"),
        (check.beam_step, of_each, "compete for `width` places"),
        (check.beam_step, lambda b, table, _: longer(b, table, 99), "Chances multiply"),
        (check.beam_step, lambda b, table, width: table[max(b, key=b.get)], "Chances multiply"),
        (check.beam_step, from_the_front, "takes the last token"),
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


TEN = TrainingSettings(steps=10, batch_size=2, clip=0.05)
EXAMPLES = [Example([4, 5, 6][: 1 + n % 3], [7, 8, 9, 4][: 1 + n % 4]) for n in range(20)]
BATCHES = [make_batch(EXAMPLES[at : at + 2]) for at in range(0, 20, 2)]


def new_model():
    torch.manual_seed(0)
    return Transformer(12, 12, d_model=8, n_heads=2, n_layers=1, d_ff=8)


def my_loop(fault=""):
    """Write the loop as a reader would, with a fault."""

    def losses_of(model, batches, settings):
        optimizer, losses = make_optimizer(model, settings), []
        for step, batch in enumerate(batches, 1):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate_at(step, settings)
            read = batch.target_out if fault == "no shift" else batch.target_in
            asked = batch.target_in if fault == "echo" else batch.target_out
            logits = model(batch.source, read)
            shaped = {"shape": (logits, asked.flatten()), "sideways": (logits.mT, asked)}
            both = shaped.get(fault, (logits.flatten(0, 1), asked.flatten()))
            smoothing = 0.0 if fault == "sharp" else settings.label_smoothing
            ignored = -100 if fault == "pads" else PAD
            how = dict(ignore_index=ignored, label_smoothing=smoothing)
            loss = cross_entropy(*both, **how)
            if fault == "late":
                optimizer.step()
            if fault != "heap":
                optimizer.zero_grad()
            if fault == "early clip":
                torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
            loss.backward()
            if fault == "wiped":
                optimizer.zero_grad()
            if fault not in ("not clipped", "early clip"):
                clip = 1e-4 if fault == "another clip" else settings.clip
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            if fault not in ("rigid", "late"):
                optimizer.step()
            losses.append(loss.item())
        return losses[:3] if fault == "few" else losses

    return losses_of


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("no shift", "reads target_in"), ("echo", "labels are target_out"),
        ("pads", "ignore_index"), ("sharp", "smoothed"), ("heap", "zero_grad"),
        ("not clipped", "Nothing is clipped"), ("early clip", "Before backward()"),
        ("rigid", "never move"), ("wiped", "never move"), ("late", "first backward()"),
        ("shape", "flattened"), ("few", "10 in all"),
        ("another clip", "differentiate, clip and move"),
    ],
)  # fmt: skip
def test_a_loop_is_known_by_its_losses(fault, hint, capsys):
    check.loop(my_loop(fault), new_model, BATCHES, TEN)
    out = capsys.readouterr().out
    assert out.startswith("not yet") and hint in out.split("hint: ")[1]


def test_a_right_loop_passes_and_a_blank_is_no_mistake(capsys):
    check.loop(my_loop("sideways"), new_model, BATCHES, TEN)
    assert capsys.readouterr().out.startswith("right: all 10 losses are equal")
    check.loop(my_loop(), new_model, BATCHES, TEN)
    assert capsys.readouterr().out == "right: all 10 losses are equal to the last bit\n"
    for blank in (lambda *_: None, lambda *_: [None], lambda *_: None.item()):
        check.loop(blank, new_model, BATCHES, TEN)
        assert capsys.readouterr().out == "not tried yet: a blank is still None\n"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((None, None), "not tried yet: both are None"), ((0.6, "middle"), "right: "),
        ((0.5, "middle"), "not yet: my_p is 0.5"), ((None, "middle"), "not yet: my_p is None"),
        ((0.6, "long"), "not yet: my_loser is 'long'"),
    ],
)  # fmt: skip
def test_the_winner_changes_at_a_p(answer, told, capsys):
    check.which_p(*answer)
    out = capsys.readouterr().out
    assert out.startswith(told) and ("hint" in out) == told.startswith("not yet")


def test_what_is_asked_about_p_is_so():
    shelf = {"short": (-1.0, 2), "middle": (-1.5, 4), "long": (-2.1, 8)}
    winners = []
    for tenth in range(0, 31):
        winners.append(max(shelf, key=lambda name: shelf[name][0] / shelf[name][1] ** (tenth / 10)))
    assert winners == ["short"] * 6 + ["long"] * 25


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
