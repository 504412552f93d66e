"""Look at notebooks, explorers and the translator's page in a real browser: what `make look` calls.

Each notebook is opened in JupyterLab, untrusted and after a run; every slider is moved, every
button pressed. Pictures are left in build/look.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
import torch
from nbformat import NotebookNode

from helpers.checkpoint import build_folder
from helpers.page import write_page
from helpers.text import Vocabulary
from helpers.transformer import Transformer
from helpers.translator import Translator
from helpers.workshop import browser, hands, notebooks
from helpers.workshop.execute import execute, shown
from helpers.workshop.gallery import gallery
from helpers.workshop.links import move_links
from helpers.workshop.run import PAGE, finished_with
from helpers.workshop.words import words_in

OUTPUT, SCROLLER = ".jp-OutputArea-child", ".jp-WindowedPanel-outer"
# From the notebook as JupyterLab shows it: outputs that are empty, scripts, explorers that live.
SEEN = """() => {
  const count = (what) => document.querySelectorAll(what).length;
  const full = (e) => e.innerText.trim() || e.querySelector("img, svg, canvas");
  const outputs = [...document.querySelectorAll(".jp-OutputArea-output")];
  const tables = [...document.querySelectorAll(".xp-static")];
  return { outputs: outputs.filter(full).length, scripts: count(".jp-OutputArea script"),
    explorers: count(".xp"), alive: count(".xp > .xp-live"),
    tables: tables.filter((e) => e.checkVisibility() && e.querySelector("table")).length };
}"""
READY = "(count) => document.querySelectorAll('.jp-Notebook .jp-Cell').length >= count"
READY += " && !document.querySelector('.jp-Cell-Placeholder')"
SENTENCES = ("I saw a saw", "My brother is older than me.", "Colourless ideas xyzzy")
LOOKS = {"width": 1100, "height": 900}


def place_gallery(folder: Path) -> Path:
    """Execute the gallery, and leave it in a folder as a notebook of the series would be."""
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "gallery.ipynb"
        nbformat.write(gallery(), source)
        executed = execute(source, Path(work) / "out" / source.name, {})
    (folder / "notebooks").mkdir(exist_ok=True)
    nbformat.write(executed, folder / "notebooks" / "gallery.ipynb")
    return folder / "notebooks" / "gallery.ipynb"


def place_run(lab: browser.Lab, notebook: Path, name: str) -> NotebookNode:
    """Leave a trusted copy in the lab's build/: of a finished run, else of what is recorded."""
    finished = build_folder() / f"{name}.ipynb"
    if finished_with(finished) and name != "gallery":
        content = nbformat.read(finished, as_version=4)
    else:
        content = nbformat.read(notebook, as_version=4)
        move_links(content, notebook.parent, (lab.folder / "build" / name).parent)
    content.metadata["look"] = "after a run"  # so that its signature is not also the other copy's
    path = lab.folder / "build" / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(content, path)
    lab.trust(nbformat.read(path, as_version=4))
    return content


def judge(seen: dict, content: NotebookNode, trusted: bool) -> list[str]:
    """Say what of a notebook's outputs is missing, and whether scripts ran where they should."""
    outputs = sum(len(cell.get("outputs", [])) for cell in content.cells)
    found, explorers = [], seen["explorers"]
    if seen["outputs"] < outputs:
        found.append(f"of {outputs} outputs only {seen['outputs']} show anything.")
    if trusted and seen["alive"] < explorers:
        found.append(f"of {explorers} explorers only {seen['alive']} came to life.")
    if not trusted and (seen["scripts"] or seen["alive"]):
        found.append("scripts of outputs are there although nobody trusts the notebook.")
    if not trusted and seen["tables"] < explorers:
        found.append(f"of {explorers} explorers only {seen['tables']} show their tables.")
    return found


def look_at_notebook(opened, lab: browser.Lab, name: str, content, trusted: bool) -> list[str]:
    """Open a notebook of the lab's folder, use what is in its outputs, and photograph it."""
    kind = "run" if trusted else "untrusted"
    page = opened.new_page(viewport=LOOKS)
    try:
        eyes = hands.Eyes(page, f"{name}, {kind}", lab.address, OUTPUT)
        page.goto(lab.link(f"{'build' if trusted else 'notebooks'}/{name}.ipynb"))
        page.wait_for_function(READY, arg=len(content.cells), timeout=120_000)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1000)
        for sentence in judge(page.evaluate(SEEN), content, trusted):
            eyes.tell(sentence)
        eyes.look()
        eyes.look_at_pictures()
        hands.photograph(page, SCROLLER, build_folder() / "look" / f"{name}-{kind}.png")
        if trusted:
            use_outputs(eyes)
    finally:
        page.close()
        lab.stop_kernels()
    return eyes.findings


def use_outputs(eyes: hands.Eyes) -> None:
    """Use the explorers of a notebook, each by keyboard from its first control, all by mouse."""
    hands.begin(eyes.page)
    moved, pressed = hands.use_mouse(eyes)
    keyed, lives = 0, eyes.page.locator(".xp-live").all()
    for live in lives:
        first = live.locator(f":is({hands.SLIDERS}, {hands.BUTTONS}):enabled >> visible=true").first
        if not first.count():
            eyes.tell("of an explorer nothing is left that can be pressed.")
            continue
        keyed += hands.use_keyboard(eyes, first)
    if lives and not (moved or pressed):  # heads and attend have buttons only
        eyes.tell(f"its {len(lives)} explorers have {moved} sliders and {pressed} buttons.")
    eyes.look_at_pictures()
    print(f"    {moved} sliders, {pressed} buttons, {keyed} of them by keyboard too", flush=True)


def a_page(folder: Path) -> Path:
    """Return the page of the trained translator, or one of a tiny model that learned nothing."""
    trained = build_folder() / "translator" / PAGE
    if trained.is_file():
        return trained
    torch.manual_seed(0)
    words = " ".join(SENTENCES[:2]).lower().replace(".", " .").split()
    characters = [*dict.fromkeys("我看见了一把锯子哥比大。")]
    known = Vocabulary([*dict.fromkeys(words)]), Vocabulary(characters)
    sizes = dict(d_model=16, n_heads=4, n_layers=2, d_ff=32, max_tokens=40)
    model = Transformer(len(known[0].tokens), len(known[1].tokens), **sizes)
    translator = Translator(model, *known)
    known = words_in(notebooks.ROOT / "data", chinese=True)
    return write_page(translator, folder / PAGE, "a model that learned nothing", **known)


def look_at_page(opened, file: Path) -> list[str]:
    """Open the page of a translator, type sentences, use all that is there; photograph it twice."""
    findings = []
    for scheme in ("light", "dark"):
        page = opened.new_page(viewport=LOOKS, color_scheme=scheme)
        try:
            eyes = hands.Eyes(page, f"{PAGE}, {scheme}", file.as_uri(), "body")
            page.goto(file.as_uri())
            hands.begin(page)
            for sentence in SENTENCES[::-1]:
                type_sentence(eyes, sentence)
            path = build_folder() / "look" / f"explorer-{scheme}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=path, full_page=True)
            if scheme == "light":
                keyed = hands.use_keyboard(eyes, page.locator("input").first, steps=80)
                moved, pressed = hands.use_mouse(eyes)
                print(f"    {moved} sliders, {pressed} buttons, {keyed} by keyboard too")
            eyes.look_at_pictures()
        finally:
            page.close()
        findings += eyes.findings
    return findings


def type_sentence(eyes: hands.Eyes, sentence: str) -> None:
    """Type a sentence into the first box of a page and press Enter; the page must answer."""
    page, text = eyes.page, "document.body.innerText"
    before, box = page.evaluate(text), page.locator("input:not([type]), input[type=text]").first
    box.fill("")
    box.press_sequentially(sentence)
    box.press("Enter")
    page.wait_for_timeout(300)
    if page.evaluate(text) == before:
        eyes.tell(f"it has no answer to {sentence!r}.")
    eyes.look()


def look(chosen: list[Path], with_gallery: bool, with_page: bool) -> list[str]:
    """Look at notebooks, gallery and page; returns what is wrong, in sentences."""
    path, findings = browser.need(), []
    with tempfile.TemporaryDirectory(prefix="look-") as work, browser.browser(path) as opened:
        folder, home = Path(work) / "files", Path(work) / "home"
        shutil.copytree(notebooks.ROOT / "notebooks", folder / "notebooks")
        home.mkdir()
        places = {notebooks.name_of(each): folder / each.relative_to(notebooks.ROOT)
                  for each in chosen}  # fmt: skip
        if with_gallery:
            places["gallery"] = place_gallery(folder)
        if places:
            with browser.lab(folder, home) as lab:
                for number, (name, copy) in enumerate(places.items(), 1):
                    print(f"[{number} of {len(places)}] {name}", flush=True)
                    content = nbformat.read(copy, as_version=4)
                    findings += look_at_notebook(opened, lab, name, content, trusted=False)
                    content = place_run(lab, copy, name)
                    findings += look_at_notebook(opened, lab, name, content, trusted=True)
        if with_page:
            print(PAGE, flush=True)
            findings += look_at_page(opened, a_page(folder))
    return findings


def main(arguments: list[str]) -> int:
    """Read the command line and look; returns the exit code."""
    parser = argparse.ArgumentParser(prog="look", description=__doc__)
    text = "07 or the start of a name, 07a for a lab, labs for all labs, gallery for one of each"
    text += " explorer, page for the translator's page (default: the ladder, gallery, page)"
    parser.add_argument("words", nargs="*", metavar="notebooks", help=text)
    words = parser.parse_args(arguments).words
    more = [word in words or not words for word in ("gallery", "page")]
    named = [word for word in words if word not in ("gallery", "page")]
    chosen = notebooks.choose(named) if named or not words else []
    try:
        findings = look(chosen, *more)
    except browser.CannotLook as error:
        print(f"look: {error}", file=sys.stderr)
        return 1
    print(*findings, f"Pictures: {shown(build_folder() / 'look')}", sep="\n")
    return 1 if findings else 0
