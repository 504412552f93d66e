"""Further joined pairs: for training, and tests of three parts within and beyond its lengths.

Most of the longer ones hold a part that stands at its place in no training join of three. So there
are others that hold none, and each part of these once more, at its place in a short join.
"""

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
Join = tuple[Line, list[Phrase]]  # and its parts


def fit_together(parts: Sequence[Phrase]) -> bool:
    """Say whether all begin and end differently, and none that comes later is only a pronoun."""
    begins, ends = {part.english[0] for part in parts}, {part.chinese[-1] for part in parts}
    later = {part.english[0] for part in parts[1:]}
    return min(len(begins), len(ends)) == len(parts) and not later & {*PRONOUNS}


def joins(groups: list, rng: Random, count: int, beyond: bool, held=()) -> Iterator[Join]:
    """Join short sentences of train, two or three (count), as test_joined was made.

    beyond: whether they are longer, in both languages, than the longest of train, or not longer.
    held: a place and the part that stands there in all of them.
    """
    while True:
        parts = rng.sample(rng.choice(groups), count)
        if held:
            parts[held[0]] = held[1]
        if not fit_together(parts):
            continue
        phrase = join(*TEMPLATES[count], **dict(zip("abc", parts, strict=False)))
        line = splits.finish(phrase, "joined", marked=rng.random() < splits.FINAL_MARK_SHARE)
        pair = Pair(line.english, line.chinese)
        sides = zip((pair.source_tokens, pair.target_tokens), LONGEST, strict=True)
        longer = [len(tokens) > most for tokens, most in sides]
        if all(longer) if beyond else not any(longer):
            yield line, parts


def further_joins(train: list[Line], test: Iterable[Line]) -> dict[str, list[Line]]:
    """Draw them all: none is in the test that is there, none of the new tests in training."""
    used = {normalized_source(Pair(line.english, line.chinese)) for line in test}
    groups, rng, known = [*halves_of(train).values()], Random(7), set()

    def take(number: int, *how, of: list = groups) -> list[Join]:
        return [*islice(unseen(joins(of, rng, *how)), number)]

    def unseen(found: Iterator[Join]) -> Iterator[Join]:
        for line, parts in found:
            key = normalized_source(Pair(line.english, line.chinese))
            if key not in used and (not known or known.issuperset(enumerate(parts))):
                used.add(key)
                yield line, parts

    found = dict(three=take(N_TEST, 3, False), three_long=take(N_TEST, 3, True))
    pairs, threes = (take(N_TRAIN // 2, count, False) for count in (2, 3))
    # From here on each part stands where it stood in training.
    known.update(part for _, parts in threes for part in enumerate(parts))
    found |= dict(train=pairs + threes, three_known=take(N_TEST, 3, True), three_apart=[])
    for _, parts in found["three_known"]:
        group = next(group for group in groups if parts[0] in group)
        for held in enumerate(parts):
            found["three_apart"] += take(1, 3, False, held, of=[group])
    return {name: [line for line, _ in some] for name, some in found.items()}
