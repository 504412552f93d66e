"""Hands and eyes in a browser: move, press and type, and see what is wrong on the page."""

import io
from pathlib import Path
from urllib.parse import urlsplit

SIBLINGS = 30  # of more buttons in a row, such as all words of a vocabulary, the first are pressed
PRESSES = 600
BEGIN = """() => {
  window.looked = new Set();
  window.felt = 0;
  const feel = ({ target }) => window.felt += Boolean(target.closest("button, input, summary"));
  for (const name of ["click", "input"]) addEventListener(name, feel, true);
}"""

# Each control has its place in the page as its name, since explorers draw themselves anew.
NEXT = """([scope, kinds, siblings]) => {
  const order = (e) => e.parentElement ? [...e.parentElement.children].indexOf(e) : 0;
  const path = (e) => e ? path(e.parentElement) + "/" + order(e) : "";
  for (const root of document.querySelectorAll(scope))
    for (const e of root.querySelectorAll(kinds)) {
      const name = path(e);
      if (window.looked.has(name) || e.matches(":disabled") || order(e) >= siblings) continue;
      if (!e.checkVisibility({ visibilityProperty: true })) continue;
      window.looked.add(name);
      return e;
    }
  return null;
}"""
LABEL = """(e) => (e.getAttribute("aria-label") || (e.labels && e.labels[0] || e).innerText || e.id
  || e.className || e.tagName).trim().replace(/\\s+/g, " ").slice(0, 60)"""
ACTIVE = """(scope) => {
  const e = document.activeElement, inside = e && e.closest(scope) && e !== document.body;
  if (!inside) return null;
  window.last = e;
  const kind = e.type === "range" || e.type === "checkbox" ? e.type : e.tagName.toLowerCase();
  return { kind, label: (LABEL)(e), felt: window.felt };
}""".replace("LABEL", LABEL)
CUT_OFF = """(scope) => [...document.querySelectorAll(scope)]
  .flatMap((root) => [root, ...root.querySelectorAll("*")])
  .filter((e) => e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 1 && e.innerText
    && ["hidden", "clip"].includes(getComputedStyle(e).overflowX))
  .map((e) => [e.innerText.trim().replace(/\\s+/g, " ").slice(0, 60), e.scrollWidth, e.clientWidth])
"""
BLANK = """() => [...document.images].filter((e) => e.complete && !e.naturalWidth)
  .map((e) => e.alt || e.getAttribute("src").slice(0, 60))"""
BUTTONS = ":is(button, summary, input[type=checkbox], input[type=radio])"
SLIDERS = "input[type=range]"


class Eyes:
    """Collect what is wrong on a page, each once, as sentences."""

    def __init__(self, page, where: str, home: str, scope: str):
        """Watch a page; home: the address that it may ask; scope: what is ours in it (CSS)."""
        self.page, self.where, self.home, self.scope = page, where, home, scope
        self.findings: list[str] = []
        page.on("console", self.hear)
        page.on("pageerror", self.catch)
        page.on("request", self.follow)

    def tell(self, sentence: str) -> None:
        """Keep a finding, but only once."""
        sentence = f"{self.where}: {sentence}"
        if sentence not in self.findings:
            self.findings.append(sentence)

    def hear(self, message) -> None:
        """Keep an error of the console that JupyterLab's own files did not write."""
        place = (message.location or {}).get("url", "")
        if message.type == "error" and not self.is_labs(place):
            self.tell(f"the browser's console has an error: {_one_line(message.text)}.")

    def catch(self, error) -> None:
        """Keep an error that nothing on the page has caught, unless it is JupyterLab's own."""
        lines = (error.stack or "").splitlines()
        first = next((line for line in lines if line.strip().startswith("at ")), "")
        if not self.is_labs(first):
            self.tell(f"a script stopped with an error: {_one_line(error.message)}.")

    def is_labs(self, place: str) -> bool:
        """Tell whether an address is that of a file, or an answer, of JupyterLab itself."""
        ways = ("/static/", "/lab/", "/api/", "/extensions/")
        return any(f"{self.home}{way}" in place for way in ways) and "/lab/tree/" not in place

    def follow(self, request) -> None:
        """Keep a request that leaves the page and its server."""
        parts = urlsplit(request.url)
        if parts.scheme in ("data", "blob", "about", "chrome-error"):
            return
        home = self.home.replace("http://", "ws://")
        if not request.url.startswith((self.home, home)):
            self.tell(f"it asks the network for {request.url[:100]}.")

    def look(self) -> None:
        """See whether text is cut off."""
        for text, needs, has in self.page.evaluate(CUT_OFF, self.scope):
            self.tell(f"the text {text!r} is cut off: it needs {needs} pixels and has {has}.")

    def look_at_pictures(self) -> None:
        """See whether a picture did not load."""
        for name in self.page.evaluate(BLANK):
            self.tell(f"the picture {name!r} did not load.")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".")


def begin(page) -> None:
    """Let the page count what it feels, clicks and moved sliders, before hands touch it."""
    page.evaluate(BEGIN)


def _each(eyes: Eyes, kinds: str):
    """Go through the controls of a kind, one after the other, with those that appear meanwhile."""
    for _ in range(PRESSES):
        handle = eyes.page.evaluate_handle(NEXT, [eyes.scope, kinds, SIBLINGS])
        element = handle.as_element()
        if element is None:
            return
        yield element, element.evaluate(LABEL)
    eyes.tell(f"after {PRESSES} presses there are still controls that were not touched.")


def use_mouse(eyes: Eyes) -> tuple[int, int]:
    """Move every slider and press every button; returns how many of each."""
    from playwright.sync_api import Error

    moved = pressed = 0
    for slider, label in _each(eyes, SLIDERS):
        moved += 1
        before = eyes.page.evaluate("window.felt")
        try:
            slider.scroll_into_view_if_needed(timeout=2000)
            drag(eyes.page, slider.bounding_box())
        except Error:
            pass
        if eyes.page.evaluate("window.felt") == before:
            eyes.tell(f"the slider {label!r} does not move under the mouse.")
        eyes.look()
    for button, label in _each(eyes, BUTTONS):
        pressed += 1
        try:
            button.click(timeout=2000)
        except Error as error:
            if "not attached" not in str(error):
                eyes.tell(f"the button {label!r} cannot be pressed with the mouse.")
        eyes.look()
    return moved, pressed


def drag(page, box: dict) -> None:
    """Take a slider at its left end, draw it to the right and halfway back."""
    x, y, width = box["x"], box["y"] + box["height"] / 2, box["width"]
    page.mouse.move(x + 0.1 * width, y)
    page.mouse.down()
    page.mouse.move(x + 0.95 * width, y, steps=4)
    page.mouse.move(x + 0.55 * width, y, steps=2)
    page.mouse.up()


def use_keyboard(eyes: Eyes, first, steps: int = 40) -> int:
    """Go on with Tab from a first control and use each: arrows, Enter, Space; returns how many.

    A button that does not feel Enter is a finding, and so is a focus that a key takes away.
    """
    first.focus()
    for step in range(steps):
        before = eyes.page.evaluate(ACTIVE, eyes.scope)
        if before is None:
            return step
        for key in _keys(before["kind"]):
            eyes.page.keyboard.press(key)
        after = eyes.page.evaluate(ACTIVE, eyes.scope)
        switched_off = eyes.page.evaluate("window.last.matches(':disabled')")  # by its own work
        if after is None and not switched_off:
            eyes.tell(f"after a key on {before['label']!r} the focus is lost.")
            return step + 1
        if _keys(before["kind"]) and eyes.page.evaluate("window.felt") == before["felt"]:
            eyes.tell(f"{before['label']!r} does not feel the keyboard.")
        eyes.look()
        eyes.page.keyboard.press("Tab")
    return steps


def _keys(kind: str) -> list[str]:
    arrows = ["ArrowRight", "ArrowLeft"]  # JupyterLab goes from cell to cell with them
    first = dict(range="ArrowRight", checkbox="Space", button="Enter", summary="Enter")
    return [first[kind], *arrows] if kind in first else []


def photograph(page, scroller: str, path: Path) -> None:
    """Save a picture of all that an element scrolls, slice by slice, in one file."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    size = "(e) => [e.scrollHeight, e.clientHeight, e.clientWidth]"
    page.mouse.move(1, 1)
    element = page.locator(scroller).first
    height, seen, width = element.evaluate(size)
    box = element.bounding_box()
    picture = Image.new("RGB", (width, height))
    for start in range(0, height, seen):
        top = element.evaluate("(e, top) => { e.scrollTop = top; return e.scrollTop }", start)
        page.wait_for_timeout(150)
        clip = dict(x=box["x"], y=box["y"], width=width, height=seen)
        part = Image.open(io.BytesIO(page.screenshot(clip=clip)))
        picture.paste(part, (0, round(top)))
    picture.save(path)
