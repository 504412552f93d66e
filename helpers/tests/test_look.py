"""make look: what it finds, what it says, and, where there is a browser, that it finds it."""

import signal
import sys
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from helpers import explorers
from helpers.workshop import browser, hands, look, notebooks
from helpers.workshop.gallery import CELLS, gallery
from helpers.workshop.notebooks import ROOT

LAB = "http://127.0.0.1:8888"
LABS_FILE = f"{LAB}/static/lab/main.js?v=1"
LABS_ANSWER, NOTEBOOK = f"{LAB}/api/workspaces/x", f"{LAB}/doc/tree/build/07.ipynb?reset"


class FakePage:
    """A page that gives the answers it was made with, one after the other."""

    def __init__(self, *answers):
        self.answers, self.handlers = list(answers), {}

    def on(self, name, handler):
        self.handlers[name] = handler

    def evaluate(self, script, argument=None):
        return self.answers.pop(0)


def eyes_on(*answers):
    page = FakePage(*answers)
    return page, hands.Eyes(page, "07, run", LAB, "body")


def message(text, url, kind="error"):
    return SimpleNamespace(text=text, type=kind, location={"url": url})


def request(url):
    return SimpleNamespace(url=url)


# --- what is missing ---


@pytest.fixture
def nothing_started(monkeypatch):
    monkeypatch.setattr(look, "look", lambda *_: browser.need())


@pytest.mark.parametrize(
    ("package", "path", "said"),
    [
        (None, "/x", "The Python package playwright is missing; get it with: {} -m pip install"),
        ("there", None, "Chromium is missing; get it with: apt install chromium, or {} -m playw"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(
    nothing_started, monkeypatch, capsys, package, path, said
):
    monkeypatch.setattr(browser, "find_spec", lambda name: package)
    monkeypatch.setattr(browser, "chromium", lambda: path)
    assert look.main(["page"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.endswith(".\n")
    assert err.startswith("look: " + said.format(browser.Path(sys.executable).name))


def test_what_is_there_is_used(monkeypatch):
    monkeypatch.setattr(browser, "find_spec", lambda name: "there")
    for path in ("/usr/bin/chromium", ""):  # "": the one that playwright has installed
        monkeypatch.setattr(browser, "chromium", lambda path=path: path)
        assert browser.need() == path


# --- what is looked at ---


@pytest.mark.parametrize(
    ("words", "names", "more"),
    [
        ("", "ladder", [True, True]),
        ("07", "07", [False, False]),
        ("gallery", "", [True, False]),
        ("01 page gallery", "01", [True, True]),
    ],
)
def test_words_choose_what_is_looked_at(monkeypatch, capsys, words, names, more):
    asked = []
    monkeypatch.setattr(look, "look", lambda *what: asked.append(what) or [])
    assert look.main(words.split()) == 0
    ((chosen, *others),) = asked
    expected = notebooks.ladder() if names == "ladder" else notebooks.choose([names] * bool(names))
    assert chosen == (expected if names else []) and others == more
    assert capsys.readouterr().out.startswith("Pictures: ")


def test_each_finding_is_a_line_and_ends_red(monkeypatch, capsys):
    monkeypatch.setattr(look, "look", lambda *_: ["07, run: one.", "gallery, run: two."])
    assert look.main([]) == 1
    assert capsys.readouterr().out.splitlines()[:2] == ["07, run: one.", "gallery, run: two."]
    with pytest.raises(notebooks.WrongCall, match="no notebook '42'"):
        look.main(["42", "page"])


def test_the_gallery_has_each_explorer_and_executes():
    node = gallery()
    nbformat.validate(node)
    names = [name for name in CELLS if name != "soft"]
    assert {*names} == {*"mix attend heads twins play damage gloss bet".split()}
    assert all(hasattr(explorers, name) for name in names)
    assert nbformat.writes(node) == nbformat.writes(gallery())
    values = {}
    for cell in node.cells[1:]:
        exec(compile(cell.source, cell.id, "exec"), values)  # a fault in it stops the test
        assert cell.id in (*names, "start", "soft")
    assert values["my_bet"].mine == "the second"


# --- findings are sentences ---


def test_an_error_is_told_once_but_not_what_jupyterlab_has_on_its_own():
    page, eyes = eyes_on()
    for url in (LABS_FILE, LABS_ANSWER):
        page.handlers["console"](message("Failed to load", url))
    page.handlers["console"](message("only said", NOTEBOOK, "warning"))
    page.handlers["pageerror"](SimpleNamespace(message="x", stack=f"x\n    at {LABS_FILE}:1:2"))
    assert eyes.findings == []
    for _ in range(2):
        page.handlers["console"](message("no\n  weights.", NOTEBOOK))
    page.handlers["console"](message("lost", ""))
    page.handlers["pageerror"](SimpleNamespace(message="boom", stack=f"boom\n at {NOTEBOOK}:1:2"))
    page.handlers["pageerror"](SimpleNamespace(message="bare", stack=""))
    stack = f"inline\n    at <anonymous>:1:1\n    at {LABS_FILE}:1:2"
    page.handlers["pageerror"](SimpleNamespace(message="inline", stack=stack))
    assert eyes.findings == [
        "07, run: the browser's console has an error: no weights.",
        "07, run: the browser's console has an error: lost.",
        "07, run: a script stopped with an error: boom.",
        "07, run: a script stopped with an error: bare.",
        "07, run: a script stopped with an error: inline.",
    ]


def test_a_request_to_another_host_is_told():
    page, eyes = eyes_on()
    socket = f"{LAB.replace('http', 'ws')}/api/kernels/x"
    for url in (NOTEBOOK, socket, "data:image/png;base64,AA", "blob:x"):
        page.handlers["request"](request(url))
    assert eyes.findings == []
    for url in ("https://example.org/x.png", "http://127.0.0.1:1/x", "file:///x.js"):
        page.handlers["request"](request(url))
    assert [each.split()[-1] for each in eyes.findings] == [
        "https://example.org/x.png.", "http://127.0.0.1:1/x.", "file:///x.js.",
    ]  # fmt: skip


def test_text_and_pictures_are_told():
    _, eyes = eyes_on([["a long line", 300, 200]], ["the map"])
    eyes.look()
    eyes.look_at_pictures()
    assert eyes.findings == [
        "07, run: the text 'a long line' is cut off: it needs 300 pixels and has 200.",
        "07, run: the picture 'the map' did not load.",
    ]


SEEN = dict(outputs=2, scripts=0, explorers=1, alive=0, tables=1)


@pytest.mark.parametrize(
    ("trusted", "changes", "said"),
    [
        (False, {}, []),
        (True, dict(alive=1, tables=0, scripts=2), []),
        (True, {}, ["of 1 explorers only 0 came to life."]),
        (False, dict(outputs=1), ["of 2 outputs only 1 show anything."]),
        (False, dict(tables=0), ["of 1 explorers only 0 show their tables."]),
        (False, dict(scripts=1), ["scripts of outputs are there although nobody trusts the"]),
        (False, dict(alive=1), ["scripts of outputs are there although nobody trusts the"]),
    ],
)
def test_outputs_are_judged(trusted, changes, said):
    outputs = [new_output("stream", text="x"), new_output("stream", text="y")]
    content = new_notebook(cells=[new_code_cell("x", outputs=outputs)])
    found = look.judge(SEEN | changes, content, trusted)
    assert [text[: len(start)] for text, start in zip(found, said, strict=True)] == said


def test_a_lab_keeps_to_its_own_home(tmp_path):
    variables = browser._settings(tmp_path)
    assert all(place.startswith(str(tmp_path)) for place in variables.values())
    files = sorted(path.name for path in tmp_path.rglob("*.jupyterlab-settings"))
    assert files == ["notification.jupyterlab-settings", "tracker.jupyterlab-settings"]
    lab = browser.Lab(tmp_path, tmp_path)
    assert lab.token != browser.Lab(tmp_path, tmp_path).token and lab.token in lab.link("x.ipynb")
    notebook = new_notebook(cells=[new_code_cell("x")])
    lab.trust(notebook)
    notary = browser.NotebookNotary(data_dir=str(tmp_path / "data"))
    assert notary.check_signature(notebook)
    notebook.metadata["look"] = "another"
    assert not notary.check_signature(notebook)
    notary.store.close()


def test_a_copy_of_a_recorded_notebook_is_trusted_and_the_first_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path / "none"))
    (tmp_path / "notebooks").mkdir()
    source = notebooks.ladder()[0]
    copy = tmp_path / "notebooks" / source.name
    copy.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    browser._settings(tmp_path)
    lab = browser.Lab(tmp_path, tmp_path)
    look.place_run(lab, copy, source.stem)
    notary = browser.NotebookNotary(data_dir=str(tmp_path / "data"))
    run = nbformat.read(tmp_path / "build" / source.name, as_version=4)
    assert notary.check_signature(run)
    assert not notary.check_signature(nbformat.read(copy, as_version=4))
    notary.store.close()


def test_a_lab_that_does_not_start_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(browser.Lab, "ask", lambda *_: (_ for _ in ()).throw(OSError()))
    (tmp_path / "lab.log").write_text("first\nno such port\n")
    ended = SimpleNamespace(poll=lambda: 1)
    with pytest.raises(browser.CannotLook, match="did not start: no such port"):
        browser._wait(browser.Lab(tmp_path, tmp_path), ended)


def test_an_interrupt_stays_one():
    def stopped():
        with browser.quiet_interrupts():
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise RuntimeError("no answer") from None

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        stopped()
    with pytest.raises(RuntimeError, match="another"), browser.quiet_interrupts():
        raise RuntimeError("another")
    assert signal.getsignal(signal.SIGINT) is before


# --- in a real browser ---


@pytest.fixture(scope="module")
def opened():
    try:
        path = browser.need()
    except browser.CannotLook as error:
        pytest.skip(str(error))
    with browser.browser(path) as chromium:
        yield chromium


BAD = """<!doctype html><title>x</title><style>p { width: 90px; white-space: nowrap }</style>%s"""
GOOD = """<p style="overflow: auto">Nobody cuts this text off, it can be scrolled</p>
<button onclick="this.textContent = 'well'">good</button><input type="range">
<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA7">"""
DEAF = '<button onkeydown="event.preventDefault()" onmousedown="this.disabled = true">deaf</button>'
SHY = '<button onclick="this.remove()">shy</button><button>other</button>'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (GOOD, []),
        ("<script>console.error('no weights')</script>", ["has an error: no weights."]),
        ("<button onclick='gone()'>x</button>", ["gone is not defined."]),
        ('<p style="overflow: hidden">Who cuts this off is found</p>', ["off is found' is cut"]),
        ('<img alt="far" src="http://example.org/x.png">', ["example.org/x.png.", "'far' did not"]),
        (DEAF, ["'deaf' does not feel the keyboard."]),
        (SHY, ["after a key on 'shy' the focus is lost."]),
        ('<input type="range" aria-label="stuck" style="pointer-events: none">', ["'stuck' does"]),
        ('<p><button>low</button><b style="position: fixed; inset: 0"></b>', ["'low' cannot be"]),
    ],
)
def test_each_fault_is_found(opened, tmp_path, body, said):
    file = tmp_path / "page.html"
    file.write_text(BAD % body)
    page = opened.new_page()
    eyes = hands.Eyes(page, "page", file.as_uri(), "body")
    page.goto(file.as_uri())
    hands.begin(page)
    page.wait_for_timeout(200)
    eyes.look()
    eyes.look_at_pictures()
    if page.locator("button").count():
        hands.use_keyboard(eyes, page.locator("button").first)
    hands.use_mouse(eyes)
    page.close()
    told = " ".join(eyes.findings)
    assert all(text in told for text in said) and bool(told) == bool(said), told


def test_the_page_of_a_translator_is_without_fault(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(hands, "PRESSES", 10**4)
    monkeypatch.setattr(hands, "SIBLINGS", 2)  # the first two of each row
    assert look.look_at_page(opened, look.a_page(tmp_path)) == []
    pictures = sorted(path.name for path in (tmp_path / "build" / "look").iterdir())
    assert pictures == ["explorer-dark.png", "explorer-light.png"]


def test_nothing_of_it_is_needed_elsewhere():
    assert "playwright" not in (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert "playwright" not in sys.modules or browser.find_spec("playwright")
