"""Sentences that train does not hold: long connected ones, and two short ones joined."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from helpers.text import tokenize

from .draw import Draw
from .lexicon import NAMES
from .phrase import Phrase, gloss, join
from .rows import MAKERS, filled, rows
from .structures import did, doer, someone
from .tables import tables
from .two_clauses import ALL_THE_SAME

if TYPE_CHECKING:
    from .splits import Line

LONG = tables("connected")
BOOK = "got lately someone printed sky us_two".split()  # what is drawn first, in this order
LONGEST_HALF = 6  # English tokens
# Halves of one construction go together, of feelings those with the same verb.
ALIKE = ("progressive", "feeling", "still")
VERBS = ("love", "miss")
PRONOUNS = ("he", "she", "they")  # who would be taken for the first one
# which say what is not, or what goes with nothing
APART = frozenset("'t not never now you like likes has have at in works work lives live".split())
CAPITAL = frozenset(name.partition(":")[0] for name in NAMES) | {"I"}


def another(draw: Draw, who: Phrase) -> Phrase:
    """Draw somebody who is not the subject."""
    other = someone(draw)
    return other if other.chinese[:1] != who.chinese[:1] else another(draw, who)


MAKERS |= {
    "someone": another,
    "doer": lambda draw, who: doer(*did(draw)[:2]),
    "although": lambda draw, who: gloss(draw.pick(ALL_THE_SAME)),
}


def long_sentence(draw: Draw, name: str) -> Phrase:
    """Draw a long sentence of the table with this name."""
    found = rows(LONG[name])
    row = draw.pick(found) if len(found) > 1 else found[0]
    first = BOOK if name == "at_home_with_a_book" else []
    return filled(draw, row, **{key: filled(draw, f"<{key}>") for key in first})


def phrase_of(line: "Line") -> Phrase:
    """Read a line of a file as a phrase again, without its capital and its final mark."""
    english = tokenize(line.english, lowercase=False)
    chinese = tokenize(line.chinese)
    if english[-1] in ".?":
        english, chinese = english[:-1], chinese[:-1]
    if english[0] not in CAPITAL:
        english[0] = english[0].lower()
    links = (tuple(map(int, link.split("-"))) for link in line.alignment.split())
    kept = tuple((i, j) for i, j in links if i < len(english) and j < len(chinese))
    return Phrase(tuple(english), tuple(chinese), kept)


def halves_of(train: list["Line"]) -> dict[tuple[str, ...], list[Phrase]]:
    """List the short statements of train that say what is, by what they are alike in."""
    halves = defaultdict(list)
    for line in train:
        phrase = phrase_of(line)
        short = len(phrase.english) <= LONGEST_HALF and not {*"，？吗"} & {*line.chinese}
        if line.construction in ALIKE and short and not APART & {*phrase.english}:
            verbs = [verb for verb in VERBS if any(verb in word for word in phrase.english)]
            if not verbs or line.construction == "feeling":
                halves[line.construction, *verbs].append(phrase)
    return halves


def join_halves(train: list["Line"], rng: Random) -> Iterator[Phrase]:
    """Join two short sentences of train that are alike: what two people do, like, or did."""
    groups = list(halves_of(train).values())
    for _ in range(100_000):
        first, second = rng.sample(rng.choice(groups), 2)
        clear = second.english[0] not in (first.english[0], *PRONOUNS)
        if clear and first.chinese[-1] != second.chinese[-1]:
            yield join("{a}, and {b}", "{a}，{b}", a=first, b=second)
