"""Two rules that choose a reading without a Transformer, and who reads minimal pairs right."""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from helpers.pairs import Pair
from helpers.recipe import DATA

sys.path.insert(0, str(DATA))
try:
    from grammar.readings import BagRule, NeighbourRule, doubts, is_read
finally:
    sys.path.remove(str(DATA))


ENOUGH = 50_000  # pairs to learn a rule from
PANELS = {"far": "left panel", "order": "right panel"}
SHOWN = "saw", "brother", "play", "far", "order"


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


def on_test(rule: NeighbourRule | BagRule | FrequentRule, pairs: Sequence[Pair]) -> dict[str, str]:
    """Score a rule on every doubtful word of ordinary sentences: {"saw": "80%"}."""
    right, count = Counter(), Counter()
    for doubt in (doubt for pair in pairs for doubt in doubts_in(pair)):
        right[doubt.word] += rule.guess(doubt) == doubt.reading
        count[doubt.word] += 1
    return {word: f"{right[word] / count[word]:.0%}" for word in count}


def readings_told(
    twins: Twins, shares: Sequence[Mapping[str, float]], ordinary: Sequence[Pair],
    rules: Sequence[FrequentRule | NeighbourRule | BagRule],
) -> list[list]:  # fmt: skip
    """List who reads some words right: in how many twins, and in how many ordinary sentences.

    shares: as `Twins.shares` gives them, of several. rules: those that read ordinary sentences.
    """
    count = Counter(doubt.word for pair in ordinary for doubt in doubts_in(pair))
    on_ordinary, rows = [on_test(rule, ordinary) for rule in rules], []
    for word in (each for each in SHOWN if twins.counts[each]):
        row = [PANELS.get(word, word), twins.counts[word]]
        row += [f"{each[word]:.0%}" for each in shares]
        rows.append([*row, count[word] or "", *(found.get(word, "") for found in on_ordinary)])
    return rows or [["no readings in this corpus", *[""] * (2 + len(shares) + len(rules))]]
