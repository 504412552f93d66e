"""Pairs of sentences about one word with two readings, decided by one word far away.

Both English sentences are the same but for the decider, which stands in another phrase; Chinese
writes the reading before anything depends on the decider (route "after") or behind it ("before").
Most pairs are families: two templates in tables/far.txt, where the notation is explained. What
needs more than two templates is in far_more.py.
"""

import re
from functools import cache
from itertools import product

from .draw import Draw
from .lexicon import CITIES, MEN, NAMES, WOMEN
from .phrase import Phrase, join
from .registry import twins
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


def entries(lines: list[str]) -> dict[str, list[str]]:
    """Read lines NAME: GLOSS, GLOSS."""
    return {name: alternatives(text) for name, text in (line.split(": ", 1) for line in lines)}


def single(found: dict[str, list[str]]) -> Slots:
    """Take a list of one gloss for the gloss: there is nothing to draw."""
    return {name: glosses if len(glosses) > 1 else glosses[0] for name, glosses in found.items()}


for line in tables("far_words")["lists"].splitlines():
    LISTS |= entries([line])
SLOTS = single(entries(tables("far_words")["slots"].splitlines()))


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
    return {
        name: glosses if isinstance(glosses, str) else draw.pick(glosses)
        for name, glosses in slots.items()
    }


def twin(
    draw: Draw, english: str, chinese: str, first: Parts, second: Parts, **slots: str | list[str]
) -> Pair:
    """Fill two templates twice; `first` and `second` hold what differs, SLOTS what isn't given."""
    slots = {name: glosses for name, glosses in (SLOTS | slots).items() if name not in first}
    shared: dict[str, str | Phrase] = {**drawn(draw, slots)}
    if "p" in shared:
        shared["p"] = place(shared["p"])
    asked = chinese.endswith("吗")
    one, two = (join(english, chinese, asked, **shared, **parts) for parts in (first, second))
    return one, two


def reading(line: str) -> Slots:
    """Read the line of a reading: the word, what decides for it, and perhaps what else differs."""
    parts = dict(cell.split(" ", 1) for cell in cells(line)[0])
    decider = list(parts)[1]
    return parts | {decider: alternatives(parts[decider])}


def family(name: str, table: str) -> None:
    """Register a function that draws the pairs of a table; it is named by its word."""
    first, *lines = table.splitlines()
    route, english, chinese = cells(first)[0]
    readings = [reading(line) for line in lines if "|" in line]
    found = entries([line for line in lines if "|" not in line])
    determiners, slots = found.pop("such", []), single(found)

    def make(draw: Draw) -> Pair:
        such = determiners and draw.pick(determiners)
        both = [drawn(draw, each) for each in readings]
        if determiners:
            both = [parts | {"n": counted(such, parts["n"])} for parts in both]
        return twin(draw, english, chinese, *both, **slots)

    make.__name__ = name
    twins(name.split("_")[0], route)(make)


for name, table in tables("far").items():
    family(name, table)
