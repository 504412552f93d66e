import pytest
import torch

from helpers.text import SPECIALS
from helpers.workshop.exercises import running as check
from helpers.workshop.power_cut import TinyRecipe, german_lines, write_german


def said(capsys, call, *attempts):
    call(*attempts)
    return capsys.readouterr().out


def my_bad_lines(text):
    bad = []
    for number, line in enumerate(text.splitlines(), 1):
        columns = [column.strip() for column in line.split("\t")]
        if line.strip() and (len(columns) < 2 or not all(columns[:2])):
            bad.append(number)
    return bad


def test_the_right_lines(capsys):
    assert said(capsys, check.bad_lines, my_bad_lines) == "right, in 5 of 5 cases\n"
    assert said(capsys, check.bad_lines, lambda text: None).startswith("not tried yet")


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda text: [n - 1 for n in my_bad_lines(text)], "Which line has no tab"),
        (lambda text: my_bad_lines(text)[:1], "Lines count from 1"),
        (lambda text: my_bad_lines("\n".join(filter(None, text.splitlines()))), "it's counted"),
        (
            lambda text: [n for n, line in enumerate(text.splitlines(), 1) if not line.strip()]
            + my_bad_lines(text),
            "A blank line is no fault",
        ),
        (
            lambda text: [
                n for n, line in enumerate(text.splitlines(), 1) if line and "\t" not in line
            ],
            "both sides need a word",
        ),
        (
            lambda text: [
                n
                for n, line in enumerate(text.splitlines(), 1)
                if line.strip() and sum(bool(part.strip()) for part in line.split("\t")) < 2
            ],
            "Further columns",
        ),
    ],
)
def test_each_likely_slip_has_its_hint(capsys, wrong, hint):
    printed = said(capsys, check.bad_lines, wrong)
    assert printed.startswith("not yet") and hint in printed


def my_save(model, optimizer, step):
    weights, memory = model.state_dict(), optimizer.state_dict()
    return dict(weights=weights, memory=memory, step=step, chance=torch.get_rng_state())


def resume(model, optimizer, saved, *forgotten):
    if "weights" not in forgotten:
        model.load_state_dict(saved["weights"])
    if "memory" not in forgotten:
        optimizer.load_state_dict(saved["memory"])
    if "chance" not in forgotten:
        torch.set_rng_state(saved["chance"])
    return saved["step"] + ("step" not in forgotten)


@pytest.mark.parametrize(
    ("forgotten", "line"),
    [
        ("nothing", "right: 4 steps later both have the same weights, bit for bit"),
        ("weights", "not yet: the weights are not those that were saved"),
        ("memory", "not yet: the weights are back, the optimizer knows nothing"),
        ("step", "not yet: after 5 steps it should go on with 6, not 5"),
        ("chance", "not yet: chance has lost its place"),
    ],
)
def test_what_is_forgotten_is_named(capsys, forgotten, line):
    before = torch.get_rng_state()
    resumed = lambda saved, model, optimizer: resume(model, optimizer, saved, forgotten)  # noqa: E731
    printed = said(capsys, check.memory, my_save, resumed)
    assert printed.splitlines()[0] == line
    assert torch.equal(torch.get_rng_state(), before)


def test_half_of_adams_memory_is_not_enough(capsys):
    def half(saved, model, optimizer):
        step = resume(model, optimizer, saved)
        for state in optimizer.state.values():
            state["exp_avg"].zero_()
        return step

    assert "the two end with other weights" in said(capsys, check.memory, my_save, half)


def test_stubs_and_errors_are_one_line(capsys):
    printed = said(capsys, check.memory, lambda *_: None, lambda *_: None)
    assert printed == "not tried yet: my_save returns nothing\n"
    printed = said(capsys, check.memory, my_save, lambda saved, *_: saved["weigths"])
    assert printed.startswith("not yet: KeyError") and "hint:" in printed


def test_the_answers_on_changes(capsys):
    right = {name: truth for name, (truth, _) in check.CHANGES.items()}
    assert said(capsys, check.aside, right) == "right: six of six\n"
    nothing = dict.fromkeys(right)
    assert said(capsys, check.aside, nothing) == "not tried yet: every line says None\n"
    assert "still open: b" in said(capsys, check.aside, right | dict(b=None))
    assert "'yes'" in said(capsys, check.aside, right | dict(c="yes"))
    for name, (truth, why) in check.CHANGES.items():
        printed = said(capsys, check.aside, nothing | {name: not truth})
        assert printed == f"not yet: think again about {name}\nhint: {why}\n"


def test_the_answers_are_true(tmp_path):
    file = write_german(tmp_path / "one.tsv")
    (tmp_path / "two.tsv").write_bytes(file.read_bytes())
    lines = file.read_text(encoding="utf-8").splitlines()
    (tmp_path / "less.tsv").write_text("\n".join(lines[:-1]), encoding="utf-8")
    changes = dict(a=dict(seed=1), b=dict(corpus=str(tmp_path / "two.tsv")))
    changes |= dict(c=dict(corpus=str(tmp_path / "less.tsv")), d=dict(name="elsewhere"))
    changes |= dict(f=dict(steps=200))
    made = TinyRecipe(corpus=str(file)).made_with
    for name, change in changes.items():
        other = TinyRecipe(**(dict(corpus=str(file)) | change)).made_with
        assert (other != made) == check.CHANGES[name][0], name
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    try:
        assert TinyRecipe(corpus=str(file)).made_with != made and check.CHANGES["e"][0]
    finally:
        torch.set_num_threads(threads)


def test_german_has_its_cases(tmp_path):
    lines = german_lines()
    assert len(lines) == len(set(lines)) == 280
    assert "The dog sees the fox.\tDer Hund sieht den Fuchs." in lines
    assert "The woman hears the cat.\tDie Frau hört die Katze." in lines
    recipe = TinyRecipe(corpus=str(write_german(tmp_path / "german.tsv")))
    assert len(recipe.vocabularies[0]) == len(SPECIALS) + 15
    assert (recipe.settings.warmup_steps, recipe.settings.evaluate_every) == (20, 10)
