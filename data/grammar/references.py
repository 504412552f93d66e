"""Accepted translations: what else is right for a sentence of the test."""

from collections.abc import Iterable, Iterator
from itertools import islice

from helpers.text import tokenize

from .splits import Line
from .tables import cells, tables

COUNT = 300
MOST = 3  # references of a sentence, with the one of the corpus
TIMES = "昨天 明天 上周 下周 今天早上 今天晚上 昨晚".split()
# constructions of one clause, where a time may stand before the subject as well as behind it
ONE_CLAUSE = "measure_words negation_past future time_and_place motion two_objects".split()


def others(line: Line) -> Iterator[str]:
    """Give what else would be right, the most different first."""
    english, chinese = " ".join(tokenize(line.english)), line.chinese
    if line.construction in ONE_CLAUSE and "？" not in chinese:
        for time in TIMES:
            before, found, behind = chinese.partition(time)
            if found and before and "的" not in behind[: behind.find("了")]:
                yield time + before + behind
    for this, other, word in cells(tables("references")["exchanges"]):
        if chinese.count(this) == 1 and word in english:
            yield chinese.replace(this, other)


def references(test: Iterable[Line]) -> list[str]:
    """Write lines of English and its accepted translations, the one of the corpus first."""
    every = ((line.english, line.chinese, *dict.fromkeys(others(line))) for line in test)
    found = (texts[: 1 + MOST] for texts in every if len(texts) > 2)
    return ["\t".join(texts) + "\n" for texts in islice(found, COUNT)]
