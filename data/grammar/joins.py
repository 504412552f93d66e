"""Further joined pairs: for training, and tests of three parts within and beyond its lengths."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from helpers.pairs import Pair, normalized_source

from . import splits
from .connected import PRONOUNS, halves_of
from .phrase import Phrase, join
from .splits import Line

LONGEST = (splits.LONGEST_ENGLISH + 1, splits.LONGEST_CHINESE + 1)  # the final mark included
N_TRAIN, N_TEST = 3400, 300  # of each kind of test
TEMPLATES = {
    2: ("{a}, and {b}", "{a}，{b}"),
    3: ("{a}, {b}, and {c}", "{a}，{b}，{c}"),
}


def fit_together(parts: Sequence[Phrase]) -> bool:
    """Say whether all begin and end differently, and none that comes later is only a pronoun."""
    begins, ends = {part.english[0] for part in parts}, {part.chinese[-1] for part in parts}
    later = {part.english[0] for part in parts[1:]}
    return min(len(begins), len(ends)) == len(parts) and not later & {*PRONOUNS}


def joins(groups: list[list[Phrase]], rng: Random, count: int, beyond: bool) -> Iterator[Line]:
    """Join short sentences of train, two or three (count), as test_joined was made.

    beyond: whether they are longer, in both languages, than the longest of train, or not longer.
    """
    while True:
        parts = rng.sample(rng.choice(groups), count)
        if not fit_together(parts):
            continue
        phrase = join(*TEMPLATES[count], **dict(zip("abc", parts, strict=False)))
        line = splits.finish(phrase, "joined", marked=rng.random() < splits.FINAL_MARK_SHARE)
        pair = Pair(line.english, line.chinese)
        sides = zip((pair.source_tokens, pair.target_tokens), LONGEST, strict=True)
        longer = [len(tokens) > most for tokens, most in sides]
        if all(longer) if beyond else not any(longer):
            yield line


def further_joins(train: list[Line], test: Iterable[Line]) -> dict[str, list[Line]]:
    """Draw them all: none is in the test that is there, none of the new tests in training."""
    used = {normalized_source(Pair(line.english, line.chinese)) for line in test}
    groups, rng = [*halves_of(train).values()], Random(7)

    def take(number: int, count: int, beyond: bool) -> list[Line]:
        return [*islice(unseen(joins(groups, rng, count, beyond)), number)]

    def unseen(lines: Iterator[Line]) -> Iterator[Line]:
        for line in lines:
            if (key := normalized_source(Pair(line.english, line.chinese))) not in used:
                used.add(key)
                yield line

    found = dict(three=take(N_TEST, 3, False), three_long=take(N_TEST, 3, True))
    return found | dict(train=take(N_TRAIN // 2, 2, False) + take(N_TRAIN // 2, 3, False))
