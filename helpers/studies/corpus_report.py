"""What notebook 07 asks of any corpus, also of one that lacks a test or has few sentences."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from helpers.corpus import Corpus
from helpers.display.glossed import glossed_table, with_folded
from helpers.display.html_maps import Picture, table_html
from helpers.pairs import Pair
from helpers.studies.judged_translations import judged_good
from helpers.studies.reading_rules import Twins
from helpers.text import UNK, Vocabulary
from helpers.trainer import History
from helpers.transformer import Transformer
from helpers.translator import Translator

LOOKED_AT = 50_000  # pairs of a part; of a larger corpus the first ones
STEPS_SHOWN = 100, 500, 1000, 2000  # of the early ones
LIKE_TRAINING = "test", "test_compositional", "test_pairs"
ASKED = {
    "train": "what the model learns from",
    "valid": "the same kind; chooses the best weights",
    "test": "the same kind, for the score at the end",
    "test_compositional": "pairs of words that never met in training",
    "test_pairs": "two sentences: one word changes, and with it the translation of another",
    "test_joined": "two short sentences joined, no longer than in training",
    "test_long": "longer than any in training",
    "test_real": "written by hand, as people speak",
}


def parts_told(corpus: Corpus) -> list[list]:
    """List the parts of a corpus: name, pairs, tokens of the longest source and target, its use.

    What was left out is printed, if anything was.
    """
    if corpus.too_long or corpus.repeated:
        told = f"{corpus.too_long} too long, {corpus.repeated} that are in another part, too"
        print("left out:", told)
    rows = []
    for name, part in {"train": corpus.train, "valid": corpus.valid, **corpus.tests}.items():
        seen = [*islice(part, LOOKED_AT)]
        sides = ([pair.source_tokens for pair in seen], [pair.target_tokens for pair in seen])
        longest = [max(map(len, side), default=0) for side in sides]
        rows.append([name, len(part), *longest, ASKED.get(name, "")])
    return rows


def parts_table(corpus: Corpus) -> Picture:
    """Draw the parts of a corpus as a table; tests behind the first are folded."""
    header = ["part", "pairs", "longest English (tokens)", "longest Chinese", "what it is"]
    rows = parts_told(corpus)
    shown = table_html(rows[:3], header)
    if not rows[3:]:
        return shown
    return with_folded(shown, "more tests, each for a later section", table_html(rows[3:], header))


def known_four(
    four: Mapping[str, str], words: Vocabulary, corpus: Corpus
) -> tuple[dict[str, str], dict[str, str]]:
    """Give four sentences with their translations, and a short name of each.

    Where a corpus of one's own doesn't know their words: the first of its test.
    """
    strange = any(UNK in words.encode(pair.source_tokens) for pair in _pairs(four))
    first = next(iter(corpus.tests.values()))[:4] if strange else _pairs(four)
    found = {pair.source: pair.target for pair in first}
    return found, {each: " ".join(each.split()[:2]) for each in found}


def _pairs(texts: Mapping[str, str]) -> list[Pair]:
    return [Pair(*each) for each in texts.items()]


def also_right(text: str) -> set[str]:
    """Give a right translation, and those with another good word for "very" or "borrowed"."""
    found = {text}
    for word, other in (("非常", "很"), ("借的", "借走的")):
        found |= {each.replace(word, other) for each in found}
    return found


def stages_of(
    history: History, new_model: Callable[[], Transformer], words: Sequence[Vocabulary],
    translator: Translator,
) -> dict[int, Translator]:  # fmt: skip
    """Give the translators of some early steps, and last that of the best step."""
    stages = {}
    for step, weights in sorted(history.early.items()):
        if step < history.best["step"]:
            stages[step] = Translator(new_model(), *words)
            stages[step].model.load_state_dict(weights)
    return stages | {history.best["step"]: translator}


def strip_of(rows: Sequence[list], header: Sequence[str], english: dict[str, str]) -> Picture:
    """Draw the rows of some steps as a glossed table, and the others, folded, below it.

    rows: a step first in each; the last one is always shown.
    """
    shown = [row for row in rows if row[0] in STEPS_SHOWN or row is rows[-1]]
    others = [row for row in rows if not any(row is each for each in shown)]
    strip = glossed_table(shown, header, english)
    if not others:
        return strip
    name = f"steps in between: {', '.join(str(row[0]) for row in others)}"
    return with_folded(strip, name, glossed_table(others, header, english))


def twins_of(corpus: Corpus) -> Twins:
    """Give the twins of a corpus, none where it has no test_pairs."""
    return Twins(corpus.tests.get("test_pairs", []))


@dataclass
class Scores:
    """What was written for each test set, greedily, and what came out."""

    written: dict[str, dict[str, str]] = field(default_factory=dict)
    hits: dict[str, dict[str, bool]] = field(default_factory=dict)
    kept: dict[str, dict] = field(default_factory=dict)  # as scores.json has them
    rows: list[list] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)  # the last ones
    signed: set[str] = field(default_factory=set)

    def add(self, name: str, decoding: str, accepted: Sequence[str], found: Sequence) -> None:
        """Take the outputs, hits, BLEU and chrF of a test set with one way of decoding."""
        outputs, hits, *both = found
        self.written[name] = dict(zip(accepted, outputs, strict=True))
        self.hits[name] = dict(zip(accepted, hits, strict=True))
        exact, values = sum(hits) / len(hits), [each.value for each in both]
        kept = self.kept.setdefault(name, dict(sentences=len(hits)))
        kept[decoding] = dict(zip(("exact_match", "bleu", "chrf"), (exact, *values), strict=True))
        self.rows.append([name, len(hits), decoding, f"{exact:.1%}", *values])
        self.signatures = {each.name.lower(): each.signature for each in both}
        self.signed |= {f"{each.name:4}  {each.signature}" for each in both}

    def like_training(self, those: bool) -> list[list]:
        """List the rows of the tests that are like the training, or those of the others."""
        found = [row for row in self.rows if (row[0] in LIKE_TRAINING) == those]
        return found or self.rows

    def side_by_side(self, those: bool) -> Picture:
        """Draw what like_training lists as a table, greedy and beam beside each other."""
        found: dict[str, list] = {}
        for name, count, decoding, exact, value, _ in self.like_training(those):
            found.setdefault(name, [count, {}])[1][decoding] = exact, value
        header = ["test set", "sentences", "exact match, greedy", "beam of four"]
        header += ["BLEU, greedy", "beam of four"]
        both = "greedy", "beam 4"
        rows = [[name, count, *(by[each][place] for place in (0, 1) for each in both)]
                for name, (count, by) in found.items()]  # fmt: skip
        return table_html(rows, header, decimals=1)

    def shown(self) -> Picture:
        """Draw the scores of the tests like the training; how they're counted is folded."""
        name = "How we count: chrF and the signatures"
        return with_folded(self.side_by_side(True), name, self.how_counted())

    def how_counted(self) -> Picture:
        """Draw the chrF of each test, and the signatures of both scores."""
        rows = [[row[0], row[2], row[5]] for row in self.rows]
        table = table_html(rows, ["test set", "decoding", "chrF"], decimals=1)
        text = "chrF counts shared runs of up to six characters. A signature says what was chosen"
        text += " (tok:zh: each character is a word). Compare scores only if these agree."
        signed = html.escape("\n".join(sorted(self.signed)))
        return Picture(f"<p>{text}</p><pre>{signed}</pre>{table.markup}", f"{table}, {signed}")

    def exact(self) -> dict[str, float]:
        """Give the exact match of each test, written greedily."""
        return {name: each["greedy"]["exact_match"] for name, each in self.kept.items()}

    def misses(self, name: str, part: Sequence[Pair]) -> list[list[str]]:
        """List what went wrong in a test: its name, the source, what was written, what is right."""
        pairs = {pair.source: pair.target for pair in part}
        wrong = (source for source in pairs if not self.hits[name][source])
        return [[name, each, self.written[name][each], pairs[each]] for each in wrong]

    def judged(self, name: str, part: Sequence[Pair]) -> tuple[int, int, int]:
        """Count the misses of a test, those that are good all the same, and that might pass."""
        missed = {source: text for _, source, text, _ in self.misses(name, part)}
        good, more = (len(judged_good(missed, passing)) for passing in (False, True))
        return len(missed), good, more - good


def score_all(score: Callable, tests: Mapping[str, Sequence[Pair]]) -> Scores:
    """Score all tests with four beginnings, and then greedily.

    score: takes a part and the width of the beam; returns sources, outputs, hits, BLEU, chrF.
    """
    scores = Scores()
    for name, part in tests.items():
        for decoding, size in (("beam 4", 4), ("greedy", 1)):
            sources, *found = score(part, size)
            scores.add(name, decoding, sources, found)
    return scores
