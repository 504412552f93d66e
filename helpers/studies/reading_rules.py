"""Two rules that choose a reading without a Transformer, and who reads minimal pairs right."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from helpers.pairs import DATA, Pair

sys.path.insert(0, str(DATA))
try:
    from grammar.readings import BagRule, NeighbourRule, doubts, is_read
finally:
    sys.path.remove(str(DATA))


ENOUGH = 50_000  # pairs to learn a rule from
SHOWN = "saw", "brother", "play"


def doubts_in(pair: Pair) -> list:
    """List the words of a pair that have two readings, with place and reading."""
    return doubts(pair.source, pair.target, " ".join(f"{i}-{j}" for i, j in pair.links))


class FrequentRule:
    """The rule that doesn't look at all: of each word the reading that came most often."""

    def __init__(self, train: Sequence) -> None:
        """Count the readings of each word."""
        self.counts: dict[str, Counter] = defaultdict(Counter)
        for doubt in train:
            self.counts[doubt.word][doubt.reading] += 1

    def guess(self, doubt) -> str:
        """Give the word's most frequent reading, "" for a word never seen."""
        return max(self.counts[doubt.word], key=self.counts[doubt.word].get, default="")


class Twins:
    """Sentences that differ in one far word, two in a row, and who reads their word right."""

    def __init__(self, pairs: Sequence[Pair]):
        """Take the sentences of a set like test_pairs; others of its pairs are left out."""
        kinds = [pair.construction.split("_") for pair in pairs]
        both = [(pair, kind) for pair, kind in zip(pairs, kinds, strict=True) if kind[0] == "far"]
        found = [(p, k, [d for d in doubts_in(p) if d.word == k[1]]) for p, k in both]
        self.sentences = [(pair, kind, words) for pair, kind, words in found if words]
        self.sources = [pair.source for pair, _, _ in self.sentences]
        self.counts: Counter = Counter()
        for _, kind, _ in self.sentences:
            self.counts.update(_groups(kind))

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.sentences)

    def by_rule(self, rule: NeighbourRule | BagRule) -> dict[str, float]:
        """Score a rule: the share of sentences whose words it reads right, see shares."""
        hits = [all(rule.guess(d) == d.reading for d in words) for _, _, words in self.sentences]
        return self.shares(hits)

    def by_text(self, translations: Sequence[str]) -> dict[str, float]:
        """Score translations of the sources: is the right reading there, and no other?"""
        both = zip(self.sentences, translations, strict=True)
        return self.shares([all(is_read(d.word, d.reading, t) for d in s[2]) for s, t in both])

    def shares(self, hits: Sequence[bool]) -> dict[str, float]:
        """Give the share of hits: of each word, of the far pairs, and of those told by order."""
        right, count = Counter(), Counter()
        for (_, kind, _), hit in zip(self.sentences, hits, strict=True):
            for group in _groups(kind):
                right[group] += hit
                count[group] += 1
        return {group: right[group] / count[group] for group in count}


def _groups(kind: Sequence[str]) -> list[str]:
    """Name the groups that a kind of twins counts in."""
    return ["order"] if "order" in kind else ["far", kind[1]]


def rules_from(pairs: Iterable[Pair]) -> dict[str, NeighbourRule | BagRule]:
    """Learn both rules from the readings in some pairs, of very many the first ones."""
    found = [doubt for pair in islice(pairs, ENOUGH) for doubt in doubts_in(pair)]
    return {"neighbours": NeighbourRule(found), "bag": BagRule(found)}


def most_frequent(pairs: Iterable[Pair]) -> FrequentRule:
    """Learn the rule that every other must beat."""
    return FrequentRule([doubt for pair in islice(pairs, ENOUGH) for doubt in doubts_in(pair)])


def twins_told(twins: Twins, shares: Sequence[Mapping[str, float]]) -> list[list]:
    """List in how many twins some words are read right; shares: as `Twins.shares` gives them."""
    rows = []
    for word in (each for each in SHOWN if twins.counts[each]):
        told = (f"{each[word]:.0%}" for each in shares)
        rows.append([word, twins.counts[word], *told])
    return rows or [["no readings in this corpus", *[""] * (1 + len(shares))]]


def ordinary_told(
    pairs: Sequence[Pair], rules: Sequence[FrequentRule | NeighbourRule | BagRule],
    translate: Callable[[Sequence[str]], Sequence[str]],
) -> list[list]:  # fmt: skip
    """List how often each of some words comes in pairs, and how often each rule reads it right.

    translate: gives the translations of sources; the last column says how many have the reading.
    """
    found = [(pair, doubt) for pair in pairs for doubt in doubts_in(pair) if doubt.word in SHOWN]
    texts = translate([pair.source for pair, _ in found]) if found else []
    # A sentence with both readings of a word (I saw a saw) has to be right as a whole.
    hits = [text == pair.target or is_read(doubt.word, doubt.reading, text)
            for (pair, doubt), text in zip(found, texts, strict=True)]  # fmt: skip
    rows = []
    for word in SHOWN:
        mine = [(doubt, hit) for (_, doubt), hit in zip(found, hits, strict=True)
                if doubt.word == word]  # fmt: skip
        if mine:
            right = [sum(rule.guess(doubt) == doubt.reading for doubt, _ in mine) for rule in rules]
            rows.append([word, len(mine), *right, sum(hit for _, hit in mine)])
    return rows or [["no readings in this corpus", *[""] * (2 + len(rules))]]
