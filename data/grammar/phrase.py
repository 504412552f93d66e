"""Phrases in two languages: built side by side, with the links between their words."""

import re
from dataclasses import dataclass, replace
from functools import cache

from helpers.text import tokenize

Relation = tuple[str, str, str]


@dataclass(frozen=True)
class Phrase:
    """Tokens of both languages, links (i, j) between them, and what the rest must know of it.

    relations: word pairs that it puts together; word: the noun that it is about; agree: the form
    of the verb behind it, as behind I, he or they; question: whether it ends in a question mark;
    cut: where its Chinese falls in two (虽然 … 但是), 0 if it does not.
    """

    english: tuple[str, ...] = ()
    chinese: tuple[str, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    relations: tuple[Relation, ...] = ()
    word: str = ""
    agree: str = "he"
    question: bool = False
    cut: int = 0

    def relate(self, kind: str, first: str, second: str) -> "Phrase":
        """Note that two words stand together, if both are words of the lexicon."""
        if not first or not second:
            return self
        return replace(self, relations=(*self.relations, (kind, first, second)))


EMPTY = Phrase()


@cache
def gloss(text: str) -> Phrase:
    """Read a phrase whose order is the same in both languages.

    ``"the:那架 piano:钢琴"`` links the to 那 and 架, piano to 钢 and 琴. ``:了`` has no English,
    ``of`` no Chinese, ``_`` is a space (``years_old:岁``), and Chinese in two places has a cut:
    ``although:虽然/但是``.
    """
    english: list[str] = []
    chinese: list[str] = []
    links, cut = [], 0
    for part in text.split():
        left, _, right = part.partition(":")
        first, slash, second = right.partition("/")
        # An ending such as 's is one token only behind a word.
        words = left.replace("_", " ")
        left_tokens = [left] if left.startswith("'") else tokenize(words, lowercase=False)
        right_tokens = tokenize(first + second)
        cut = len(chinese) + len(tokenize(first)) if slash else cut
        links += [
            (len(english) + i, len(chinese) + j)
            for i in range(len(left_tokens))
            for j in range(len(right_tokens))
        ]
        english += left_tokens
        chinese += right_tokens
    return Phrase(tuple(english), tuple(chinese), tuple(links), cut=cut)


@cache
def _pieces(template: str) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    """Split a template into (tokens, name of a part, its half); tokens or name are empty."""
    found = re.findall(r"([^{}]+)|\{(\w+)([<>]?)\}", template)
    return tuple((tuple(tokenize(text, lowercase=False)), name, half) for text, name, half in found)


def _lay_out(template: str, parts: dict[str, Phrase], side: str) -> tuple[list[str], dict]:
    """Fill one side of a template; tell where each token of each part has come to stand."""
    tokens: list[str] = []
    places = {}
    for literal, name, half in _pieces(template):
        if not name:
            tokens += literal
            continue
        words, cut = getattr(parts[name], side), parts[name].cut
        chosen = {"": slice(None), "<": slice(0, cut), ">": slice(cut, None)}[half]
        for number in range(len(words))[chosen]:
            places[name, number] = len(tokens)
            tokens.append(words[number])
    return tokens, places


def join(english: str, chinese: str, question: bool = False, **parts: Phrase | str) -> Phrase:
    """Put parts (phrases or glosses) in the order of each language.

    ``join("{s} {v} {t}", "{s}{t}{v}", s="she:她", v="came:来 :了", t="yesterday:昨天")``. What both
    templates name keeps its links; a part may stand in one of them only. In the Chinese template
    ``{w<}`` and ``{w>}`` are the two sides of a cut.
    """
    phrases = {name: gloss(part) if isinstance(part, str) else part for name, part in parts.items()}
    left, left_places = _lay_out(english, phrases, "english")
    right, right_places = _lay_out(chinese, phrases, "chinese")
    links = sorted(
        (left_places[name, i], right_places[name, j])
        for name, phrase in phrases.items()
        for i, j in phrase.links
        if (name, i) in left_places and (name, j) in right_places
    )
    relations = tuple(relation for phrase in phrases.values() for relation in phrase.relations)
    return Phrase(tuple(left), tuple(right), tuple(links), relations, question=question)


def without(phrase: Phrase, place: int) -> Phrase:
    """Leave out one Chinese token, and its links."""
    links = tuple((i, j - (j > place)) for i, j in phrase.links if j != place)
    chinese = phrase.chinese[:place] + phrase.chinese[place + 1 :]
    return replace(phrase, chinese=chinese, links=links)


def be(agree: str, past: bool = False) -> str:
    """Give the form of `be` for I, he or they."""
    if past:
        return "were" if agree == "they" else "was"
    return {"I": "am", "he": "is", "they": "are"}[agree]


def be_not(agree: str) -> str:
    """Give am not, isn't or aren't."""
    return "am_not" if agree == "I" else be(agree) + "n't"


def do(agree: str) -> str:
    """Give do or does."""
    return "does" if agree == "he" else "do"


def have(agree: str) -> str:
    """Give have or has."""
    return "has" if agree == "he" else "have"
