"""Words with two readings, and what a rule that sees little of a sentence makes of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from helpers.text import tokenize

from .tables import cells, tables

FAR_WORDS = cells(tables("readings")["far_words"])
FORMS = {form: word for word, forms, _ in FAR_WORDS for form in forms.split()}
READINGS = {word: tuple(readings.split()) for word, _, readings in FAR_WORDS}


class Doubt(NamedTuple):
    """A word with two readings in a sentence: where it stands, which it is, how it is read."""

    tokens: tuple[str, ...]
    place: int
    word: str
    reading: str


def doubts(english: str, chinese: str, alignment: str) -> list[Doubt]:
    """Find the words of a sentence that have two readings; the links say how they are read."""
    source, target = tuple(tokenize(english)), tokenize(chinese)
    linked: dict[int, str] = defaultdict(str)
    for link in alignment.split():
        i, j = map(int, link.split("-"))
        linked[i] += target[j]
    words = [(place, FORMS.get(token, "")) for place, token in enumerate(source)]
    found = [(place, word) for place, word in words if linked[place] in READINGS.get(word, ())]
    return [Doubt(source, place, word, linked[place]) for place, word in found]


def is_read(word: str, reading: str, chinese: str) -> bool:
    """Say whether a translation has a reading of a word, and none of its others."""
    others = [other for other in READINGS[word] if other not in reading]
    # 锯子 holds 锯, but not the other way round
    rest = chinese if any(reading in other for other in others) else chinese.replace(reading, "")
    return reading in chinese and not any(other in rest for other in others)


class NeighbourRule:
    """The best table of neighbours: the word before and behind, else one of them, else neither."""

    def __init__(self, train: Iterable[Doubt]) -> None:
        """Count the readings beside each pair of neighbours."""
        self.counts: dict[tuple, Counter] = defaultdict(Counter)
        for doubt in train:
            for key in self.keys(doubt):
                self.counts[key][doubt.reading] += 1

    @staticmethod
    def keys(doubt: Doubt) -> list[tuple]:
        """Give what the rule looks up, the most telling first."""
        padded = ("<s>", *doubt.tokens, "</s>")
        before, behind = padded[doubt.place], padded[doubt.place + 2]
        word = doubt.word
        return [(word, before, behind), (word, before, "*"), (word, "*", behind), (word, "*", "*")]

    def guess(self, doubt: Doubt) -> str:
        """Give the reading that was most frequent beside these neighbours."""
        known = [self.counts[key] for key in self.keys(doubt) if key in self.counts]
        return known[0].most_common(1)[0][0] if known else ""


class BagRule:
    """A bag of all words of the sentence: naive Bayes, each word counted once, in any order."""

    def __init__(self, train: Iterable[Doubt]) -> None:
        """Count in how many sentences of each reading a word stands."""
        self.sentences: dict[str, Counter] = defaultdict(Counter)
        self.words: dict[tuple[str, str], Counter] = defaultdict(Counter)
        for doubt in train:
            self.sentences[doubt.word][doubt.reading] += 1
            self.words[doubt.word, doubt.reading].update({*doubt.tokens})

    def guess(self, doubt: Doubt) -> str:
        """Give the most likely reading of a word, from the words around it alone."""
        scores = {}
        for reading, count in sorted(self.sentences[doubt.word].items()):
            words = self.words[doubt.word, reading]
            shares = ((words[token] + 0.1) / (count + 0.2) for token in sorted({*doubt.tokens}))
            scores[reading] = log(count) + sum(map(log, shares))
        return max(scores, key=scores.__getitem__) if scores else ""


def share_right(rule: NeighbourRule | BagRule, test: Sequence[Doubt]) -> dict[str, float]:
    """Score a rule: the share of readings that it guesses right, of all and of each word."""
    right: dict[str, list[bool]] = defaultdict(list)
    for doubt in test:
        hit = rule.guess(doubt) == doubt.reading
        right["all"].append(hit)
        right[doubt.word].append(hit)
    return {word: sum(hits) / len(hits) for word, hits in right.items()}
