"""The checks of lab 07e: a right answer passes, each likely mistake is noticed with its hint."""

import re

import nbformat
import pytest
import torch
import torch.nn.functional as F

from helpers.batches import pad_ids
from helpers.text import BOS, EOS
from helpers.workshop.exercises import printed as check

MENDED = (
    check.PRINTED.replace("import torch\n", "import torch\nfrom torch import optim\n", 1)
    .replace("        self.words", "        self.width = width\n        self.words")
    .replace("Tower(50, 32, 0.1)", "Tower(50, 32)")
    .replace("4, 7, 50", "4, 7, 49")
    .replace("answers, weights = tower", "answers = tower")
)
STOPS = {
    "Tower(50, 32)": ("Tower(50, 32, 0.1)", "line 15, TypeError"),
    "from torch import optim\n": ("", "line 15, NameError"),
    "4, 7, 49": ("4, 7, 50", "line 13, IndexError"),
    "answers = tower": ("answers, weights = tower", "line 18, ValueError"),
    "        self.width = width\n": ("", "line 18, AttributeError"),
    "tower(ids)": ("tower(ids", "SyntaxError"),
    "optimizer =": ("forgotten =", "optimizer is gone"),
    "(n_tokens, width)": ("(n_tokens, 64)", "stops in line"),
    "self.width = width": ("self.width = 64", "it runs, but says 64"),
}


def test_a_mended_program_runs(capsys):
    check.it_runs(MENDED)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "the tower is 32 wide, its answers are (1, 3, 64)"
    assert lines[1] == "right: it runs, and everything is still in it"
    for stub in (check.PRINTED, check.PRINTED.strip(), "", None):
        check.it_runs(stub)
        assert capsys.readouterr().out == "not tried yet: the program is as it was printed\n"


@pytest.mark.parametrize("mend", STOPS)
def test_a_stop_is_told_with_its_line(mend, capsys):
    printed, said = STOPS[mend]
    check.it_runs(MENDED.replace(mend, printed, 1))
    assert "not yet: " in (told := capsys.readouterr().out) and said in told


def test_the_road_has_what_the_lab_meets():
    from helpers.workshop import diagrams_labs
    from helpers.workshop.notebooks import labs

    lab = nbformat.read(next(path for path in labs() if path.name.startswith("07e")), as_version=4)
    printed = "".join(
        output.get("text", "") for cell in lab.cells for output in cell.get("outputs", ())
    )
    met = "".join(diagrams_labs.MET.values())
    stops = [int(number) for number in re.findall(r"^stop (\d+), line \d+", printed, re.M)]
    assert stops == list(range(1, met.count("|") + 1)) and len(stops) == 17
    rows = next(cell.source for cell in lab.cells if cell.id == "how-many")
    assert len(re.findall(r"^\|\*\*", rows, re.M)) == met.count("o") == 7
    assert "At least seventeen stops, from eleven faults, and seven faults" in lab.cells[-1].source


RIGHT = dict(A=5, B=3, C=1, D=6, E=2, F=4)


def right_shift(rows):
    return pad_ids([[BOS, *row] for row in rows]), pad_ids([[*row, EOS] for row in rows])


def cut_from_a_padded_batch(rows):
    whole = pad_ids([[BOS, *row, EOS] for row in rows])
    return whole[:, :-1], whole[:, 1:]


WRONG_SHIFTS = {
    "exchanged": (lambda rows: right_shift(rows)[::-1], "reads BOS first"),
    "not shifted": (lambda rows: (right_shift(rows)[0],) * 2, "reads BOS first"),
    "an end in what is read": (cut_from_a_padded_batch, "its EOS stands right behind"),
    "raises": (lambda rows: rows[99], "reads BOS first"),
}


def test_a_right_shift_passes(capsys):
    check.shift(right_shift)
    assert capsys.readouterr().out == "right, in 3 of 3 cases\n"
    check.shift(lambda rows: None)
    assert capsys.readouterr().out == "not tried yet: your function returns nothing\n"


@pytest.mark.parametrize(("wrong", "hint"), WRONG_SHIFTS.values(), ids=WRONG_SHIFTS)
def test_a_wrong_shift_gets_its_hint(wrong, hint, capsys):
    check.shift(wrong)
    assert hint in capsys.readouterr().out


def said_of(capsys, **letters):
    check.diagnosis(letters)
    return capsys.readouterr().out


def test_the_right_diagnosis_passes(capsys):
    assert said_of(capsys, **RIGHT) == "right: six of six\n"
    assert said_of(capsys, A=5, C=1) == "so far right; still open: B, D, E, F\n"
    for stub in ({}, dict.fromkeys(RIGHT)):
        assert said_of(capsys, **stub) == "not tried yet: every letter says None\n"


@pytest.mark.parametrize("letter", RIGHT)
def test_a_wrong_letter_is_named_with_a_hint(letter, capsys):
    for wrong in {1, 2, 3, 4, 5, 6} - {RIGHT[letter]}:
        said = said_of(capsys, **(RIGHT | {letter: wrong}))
        assert said.startswith(f"not yet: {letter} is something else\nhint: ")
    assert said_of(capsys, **{letter: "one"}) == (
        f"not yet: {letter} says 'one', and the list goes from 1 to 6\n"
    )


def test_the_suspects_are_what_their_numbers_say():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 2, 5, 8)
    suspects, right = check.suspects(), F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert list(suspects) == list(RIGHT)
    alike = [letter for letter, each in suspects.items() if torch.allclose(each(q, k, v), right)]
    assert alike == ["C"]
    assert all(each(q, k, v).shape == right.shape for each in suspects.values())
    ones = {letter: each(q, k, torch.ones_like(v)) for letter, each in suspects.items()}
    short = [letter for letter, each in ones.items() if not torch.allclose(each, torch.tensor(1.0))]
    assert short == ["A", "F"]  # whose rows don't sum to 1
    one_head = [tensor[:, :1] for tensor in (q, k, v)]
    alone = F.scaled_dot_product_attention(*one_head, is_causal=True)
    assert torch.allclose(suspects["E"](*one_head), alone)
    other_k, other_v = k.clone(), v.clone()
    other_k[..., -1, :], other_v[..., -1, :] = 3, 3
    moves = {
        letter: (each(q, other_k, other_v) - each(q, k, v)).abs().amax(dim=(0, 1, 3)) > 1e-6
        for letter, each in suspects.items()
    }
    assert moves["B"].tolist() == [False] * 3 + [True] * 2
    assert moves["C"].tolist() == moves["E"].tolist() == [False] * 4 + [True]
    assert moves["D"].all()


def close(attention, shape=(2, 3, 5, 8), atol=1e-5, scale=1.0):
    torch.manual_seed(0)
    q, k, v = torch.randn(3, *shape) * scale
    wanted = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return torch.allclose(attention(q, k, v), wanted, atol=atol)


def unlike_a_bag(attention):
    q, k, v = torch.randn(3, 1, 2, 4, 8)
    return attention(q, k, torch.ones_like(v)).sub(1).abs().max() < 1e-5


NETS = {
    "nothing": (lambda attention: None, "not tried yet"),
    "raises": (lambda attention: attention(), "stops with TypeError"),
    "to the last digit": (lambda attention: close(attention, atol=0, scale=30), "last digits"),
    "everything passes": (lambda attention: True, "0 of 7"),
    "one head": (lambda attention: close(attention, (2, 1, 5, 8)), "Which sizes"),
    "one token": (lambda attention: close(attention, (2, 3, 1, 8)), "hint"),
    "row sums only": (unlike_a_bag, "Which sizes"),
}


def test_a_good_net_passes(capsys):
    check.net(close)
    assert capsys.readouterr().out == "right: it finds 7 of 7 wrong ones, " + (
        "and lets 3 of 3 right ones pass\n"
    )


@pytest.mark.parametrize(("wrong", "hint"), NETS.values(), ids=NETS)
def test_a_net_with_holes_gets_its_hint(wrong, hint, capsys):
    check.net(wrong)
    assert hint in capsys.readouterr().out
