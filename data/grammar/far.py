"""Pairs of sentences about one word with two readings, decided by one word far away.

Both English sentences are the same but for the decider, which stands in another phrase; Chinese
writes the reading before anything depends on the decider (route "after") or behind it ("before").
All pairs stand in tables/far.txt, where the notation is explained: most are two templates, which
are read here; for the others there is a function in far_more.py.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product

from .draw import Draw
from .lexicon import CITIES, MEN, NAMES, WOMEN
from .phrase import Phrase, join
from .tables import cells, tables

Pair = tuple[Phrase, Phrase]
Parts = dict[str, str]
# what may fill the parts of a template: for each one gloss, or several to draw from
Slots = dict[str, str | list[str]]

LISTS = {"names": NAMES, "men": MEN, "women": WOMEN, "cities": CITIES}


def alternatives(text: str) -> list[str]:
    """List the glosses between commas; one with {names} in it is there for each name."""
    found = []
    for gloss in text.split(","):
        names = re.findall(r"\{(\w+)\}", gloss)
        for chosen in product(*(LISTS[name] for name in names)):
            found.append(gloss.strip().format(**dict(zip(names, chosen, strict=True))))
    return ["" if gloss == "-" else gloss for gloss in found]


def read_slots(parts: Iterable[list[str]]) -> Slots:
    """Read the text of each part: a gloss, or glosses to draw from."""
    return {name: alternatives(text) if re.search("[,{]", text) else text for name, text in parts}


def named(lines: list[str]) -> list[list[str]]:
    """Split lines NAME: TEXT."""
    return [line.split(": ", 1) for line in lines]


for key, words in named(tables("far_words")["lists"].splitlines()):
    LISTS[key] = alternatives(words)
SLOTS = read_slots(named(tables("far_words")["slots"].splitlines()))


@cache
def place(text: str) -> Phrase:
    """Build a place; Chinese has the preposition behind: "under:下面 the table:桌子", 桌子下面."""
    preposition, _, noun = text.partition(" ")
    chinese = "{in_<}{n}{in_>}" if "/" in preposition else "{n}{in_}"
    return join("{in_} {n}", chinese, in_=preposition, n=noun)


def counted(determiner: str, noun: str) -> str:
    """Put a determiner before a noun: ("a:一*", "coat:件大衣") gives "a:一件 coat:大衣"."""
    word, _, chinese = noun.partition(":")
    return f"{determiner.replace('*', chinese[0])} {word}:{chinese[1:]}"


def drawn(draw: Draw, slots: Slots) -> Parts:
    """Draw a gloss for each part that has several."""
    pairs = slots.items()
    return {name: found if isinstance(found, str) else draw.pick(found) for name, found in pairs}


def twin(
    draw: Draw, english: str, chinese: str, first: Parts, second: Parts, **slots: str | list[str]
) -> Pair:
    """Fill two templates twice; `first` and `second` hold what differs, SLOTS what isn't given."""
    slots = {name: found for name, found in (SLOTS | slots).items() if name not in first}
    shared: dict[str, str | Phrase] = {**drawn(draw, slots)}
    if "p" in shared:
        shared["p"] = place(shared["p"])
    asked = chinese.endswith("吗")
    one, two = (join(english, chinese, asked, **shared, **parts) for parts in (first, second))
    return one, two


def completed(parts: Parts, given: Parts) -> Parts:
    """Put what is given into the parts of a reading: for <his>, and `such` before its noun n."""
    found = {
        name: re.sub(r"<(\w+)>", lambda name: given[name[1]], text) for name, text in parts.items()
    }
    return found | {"n": counted(given["such"], found["n"])} if "such" in given else found


def family(english: str, chinese: str, lines: list[str]) -> Callable[[Draw], Pair]:
    """Make a function that fills two templates by the lines of a table: above, readings, below."""
    first = next(number for number, line in enumerate(lines) if "|" in line)
    above = [(names.split(" / "), alternatives(text)) for names, text in named(lines[:first])]
    readings = [
        read_slots(cell.split(" ", 1) for cell in cells(line)[0])
        for line in lines[first : first + 2]
    ]
    below = read_slots(named(lines[first + 2 :]))

    def make(draw: Draw) -> Pair:
        given: Parts = {}
        for names, glosses in above:
            given |= zip(names, draw.pick(glosses).split(" / "), strict=True)
        both = [completed(drawn(draw, each), given) for each in readings]
        return twin(draw, english, chinese, *both, **given | below)

    return make
