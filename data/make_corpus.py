"""Write the English-Chinese corpus: a grammar builds both sentences and their alignment together.

``python data/make_corpus.py`` writes the files beside itself, ``--out FOLDER`` elsewhere; always
the same bytes.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from constructions import Constructions
from grammar import Phrase, Relation, join
from probes import PROBES

from helpers.text import detokenize, tokenize
from lexicon import NAMES

FIRST_NAMES = frozenset(name.partition(":")[0].lower() for name in NAMES)
NEGATIVE = frozenset(("'t", "not", "never"))
MALE = frozenset("his husband father brother son tom jack peter david man boy".split())
SEED = 2017
SIZES = {"train": 34_000, "valid": 1_000, "test": 1_000}
COMPOSITIONAL_SIZE = 1_000
LONG_SIZE = 300
LONGEST_ENGLISH = 14  # tokens of a training sentence without its final mark
LONGEST_CHINESE = 21
FINAL_MARK_SHARE = 0.7
N_HELD_OUT = {"adjective-noun": 125, "verb-object": 80, "subject-verb": 55}
PATIENCE = 20  # draws before a held-out pair may be used once more in test_compositional
LARGEST_LOSS = 0.4  # the share of its partners that a word may lose to the held-out pairs


@dataclass(frozen=True)
class Pair:
    """A finished line of a file."""

    english: str
    chinese: str
    alignment: str
    construction: str

    def line(self) -> str:
        """Give the line as it stands in the file."""
        return "\t".join((self.english, self.chinese, self.alignment, self.construction)) + "\n"


def normalised(english: str) -> tuple[str, ...]:
    """Give the tokens of a source without its final mark: with the same, two are one sentence."""
    tokens = tokenize(english)
    while tokens and tokens[-1] in ".?!":
        tokens.pop()
    return tuple(tokens)


def finish(phrase: Phrase, construction: str, marked: bool) -> Pair:
    """Write a sentence with a capital and, if marked, a full stop or a question mark."""
    english, chinese = list(phrase.english), list(phrase.chinese)
    links = list(phrase.links)
    if marked:
        links.append((len(english), len(chinese)))
        english.append("?" if phrase.question else ".")
        chinese.append("？" if phrase.question else "。")
    text = detokenize(english)
    alignment = " ".join(f"{i}-{j}" for i, j in sorted(links))
    return Pair(text[0].upper() + text[1:], detokenize(chinese), alignment, construction)


def probe_pairs() -> list[Pair]:
    """Finish the probe sentences, without final marks."""
    return [
        finish(join(english, chinese, **parts), construction, marked=False)
        for english, chinese, parts, construction in PROBES
    ]


def all_relations(grammar: Constructions) -> dict[str, list[Relation]]:
    """List every word pair that the lexicon allows, by kind, if its Chinese is always the same."""
    two_readings = {
        "saw",
        "like",
        "left",
        "right",
        "watch",
        "fish",
        "light",
        "orange",
        "can",
        "drink",
        "cook",
        "water",
        "play",
        "wear",
        "open",
        "clean",
        "cold",
        "hard",
        "visit",
        "plant",
    }
    nouns = [
        noun for noun in grammar.nouns if noun.english not in two_readings and noun.measure != "-"
    ]
    verbs = [
        verb
        for verb in grammar.verbs
        if verb.base not in two_readings and verb.kind not in ("chasing", "passive", "sound")
    ]
    return {
        "adjective-noun": [
            ("adjective-noun", word.english, noun.english)
            for word in grammar.adjectives
            if word.english not in two_readings
            for noun in nouns
            if word in grammar.before[noun.english] + grammar.after[noun.english]
        ],
        "verb-object": [
            ("verb-object", verb.base, noun.english)
            for verb in verbs
            for noun in nouns
            if grammar.fits(noun, verb.objects) and "person" not in noun.tags
        ],
        "subject-verb": [
            ("subject-verb", noun.english, verb.base)
            for verb in verbs
            for noun in nouns
            if grammar.fits(noun, verb.subjects) and {"person", "animal"} & {*noun.tags}
        ],
    }


def choose_held_out(grammar: Constructions, rng: Random) -> list[Relation]:
    """Draw the pairs that never stand together in train, spread so that no word loses many."""
    chosen: list[Relation] = []
    probe_words = [set(normalised(pair.english)) for pair in probe_pairs()]
    for kind, relations in all_relations(grammar).items():
        partners = Counter(word for _, *pair in relations for word in pair)
        lost: Counter[str] = Counter()
        candidates = list(relations)
        rng.shuffle(candidates)
        kept = 0
        for relation in candidates:
            first, second = relation[1:]
            # A probe sentence must not need a held-out pair.
            if any({first, second} <= words for words in probe_words):
                continue
            if kept < N_HELD_OUT[kind] and all(
                partners[word] >= 3 and lost[word] + 1 <= max(1, LARGEST_LOSS * partners[word])
                for word in (first, second)
            ):
                lost.update((first, second))
                chosen.append(relation)
                kept += 1
    return chosen


def forms_of(grammar: Constructions) -> dict[tuple[str, str], set[str]]:
    """Map each lemma (with its part of speech) to its written forms."""
    forms = {("noun", noun.english): {noun.english, noun.plural} for noun in grammar.nouns}
    for verb in grammar.verbs:
        forms["verb", verb.base] = {verb.base, verb.third, verb.past, verb.participle, verb.ing}
    for word in grammar.adjectives:
        forms["adjective", word.english] = {word.english, word.compared}
    return forms


class Splitter:
    """Hands out unseen sentences and knows which of them hold a held-out pair."""

    def __init__(self, seed: int = SEED) -> None:
        """Choose the held-out pairs and set the probe sentences aside."""
        self.rng = Random(seed)
        self.grammar = Constructions(self.rng)
        self.held_out = choose_held_out(self.grammar, self.rng)
        held = dict.fromkeys(self.held_out)
        self.is_held_out = held.__contains__
        forms = forms_of(self.grammar)
        self.partners: dict[str, list[str]] = {}
        for kind, first, second in self.held_out:
            first_part, second_part = kind.split("-")
            part = {
                "adjective": "adjective",
                "verb": "verb",
                "noun": "noun",
                "object": "noun",
                "subject": "noun",
            }
            for one in sorted(forms[part[first_part], first] - {"-"}):
                self.partners.setdefault(one, []).extend(
                    sorted(forms[part[second_part], second] - {"-"})
                )
        self.translations: dict[tuple[str, ...], str] = {}
        self.used = {normalised(pair.english) for pair in probe_pairs()}

    def together(self, tokens: tuple[str, ...]) -> bool:
        """Say whether the two words of a held-out pair stand anywhere in the sentence."""
        return any(other in tokens for token in tokens for other in self.partners.get(token, ()))

    @staticmethod
    def odd(tokens: tuple[str, ...]) -> bool:
        """Say whether a sentence is silly: Tom lost Tom's key; who washes what is clean?"""
        before_noun = tokens[:-1]
        return (
            any(tokens.count(name) > 1 for name in FIRST_NAMES)
            or (any(word.startswith("wash") for word in tokens) and "clean" in before_noun)
            or {"clean", "cleaned"} <= {*tokens}
            or ("interesting" in tokens and {"write", "writing"} & {*tokens})
            or any(
                word.startswith("skirt") and MALE & {*tokens[max(0, i - 4) : i]}
                for i, word in enumerate(tokens)
            )
            or tokens.count("clean") > 1
            or ({"buy", "bought", "buying"} & {*tokens} and "dirty" in before_noun)
            or ({"singer", "singers"} & {*tokens} and "sing" in tokens)
            or (any(word.startswith("fix") for word in tokens) and "new" in before_noun)
        )

    def check_translation(self, key: tuple[str, ...], phrase: Phrase) -> None:
        """Stop where the same English has got two translations."""
        chinese = "".join(phrase.chinese)
        known = self.translations.setdefault(key, chinese)
        if known != chinese:
            raise ValueError(f"two translations of {' '.join(key)!r}: {known} and {chinese}")

    def draw(self, construction: str, wanted: str, seen: Counter | None = None) -> Phrase:
        """Draw a new sentence: `ordinary` without a held-out pair, `held-out` with one."""
        make = getattr(self.grammar, "make_" + construction)
        for attempt in range(30_000):
            phrase = make()
            key = tuple(token.lower() for token in phrase.english)
            self.check_translation(key, phrase)
            if (
                key in self.used
                or not 3 <= len(key) <= LONGEST_ENGLISH
                or len(phrase.chinese) > LONGEST_CHINESE
            ):
                continue
            pairs = [relation for relation in phrase.relations if self.is_held_out(relation)]
            if self.odd(key) or (wanted == "ordinary" and self.together(key)):
                continue
            if wanted == "held-out" and not pairs:
                continue
            # Pairs that have not come yet first; the longer it takes, the more may come again.
            if wanted == "held-out" and min(seen[pair] for pair in pairs) > attempt // PATIENCE:
                continue
            if seen is not None:
                seen.update(pairs)
            self.used.add(key)
            return phrase
        raise ValueError(f"the construction {construction!r} has no new {wanted} sentence")

    def finished(self, phrase: Phrase, construction: str) -> Pair:
        """Finish a sentence, most of them with a final mark."""
        return finish(phrase, construction, self.rng.random() < FINAL_MARK_SHARE)

    def ordinary(self) -> dict[str, list[Pair]]:
        """Draw train, valid and test alike, each construction equally often."""
        names = construction_names()
        files: dict[str, list[Pair]] = {name: [] for name in SIZES}
        for place, construction in enumerate(names):
            counts = {
                file: size // len(names) + (place < size % len(names))
                for file, size in SIZES.items()
            }
            phrases = [self.draw(construction, "ordinary") for _ in range(sum(counts.values()))]
            for file, count in counts.items():
                files[file] += [
                    self.finished(phrases.pop(self.rng.randrange(len(phrases))), construction)
                    for _ in range(count)
                ]
        for pairs in files.values():
            self.rng.shuffle(pairs)
        return files

    def compositional(self) -> list[Pair]:
        """Draw sentences with held-out pairs, each pair a few times."""
        names = construction_names()
        seen: Counter[Relation] = Counter()
        pairs = []
        for number in range(COMPOSITIONAL_SIZE):
            construction = names[number % len(names)]
            pairs.append(self.finished(self.draw(construction, "held-out", seen), construction))
        self.rng.shuffle(pairs)
        return pairs

    def long(self, train: list[Pair]) -> list[Pair]:
        """Join two statements to one that is longer than all of training in both languages."""
        longest_english = max(len(tokenize(pair.english)) for pair in train)
        longest_chinese = max(len(tokenize(pair.chinese)) for pair in train)
        other = {
            *"yes_no who_what where_when why_how how_many coordination because if topic".split()
        }
        statements = [name for name in construction_names() if name not in other]
        connections = [
            ("{a} and {b}", "{a}，{b}", {}),
            ("{a}, {c} {b}", "{a}，{c}{b}", {"c": "but:但是"}),
        ]
        pairs: list[Pair] = []
        while len(pairs) < LONG_SIZE:
            construction = statements[len(pairs) % len(statements)]
            first = getattr(self.grammar, "make_" + construction)()
            second = getattr(self.grammar, "make_" + self.rng.choice(statements))()
            # `but` stands where one of the two parts says no.
            denied = [any(word in NEGATIVE for word in part.english) for part in (first, second)]
            english, chinese, more = connections[denied[0] != denied[1]]
            phrase = join(english, chinese, a=first, b=second, **more)
            key = normalised(detokenize(list(phrase.english)))
            if (
                first.question
                or second.question
                or key in self.used
                or self.together(key)
                or self.odd(key)
            ):
                continue
            if len(phrase.english) > longest_english and len(phrase.chinese) > longest_chinese:
                self.check_translation(key, phrase)
                self.used.add(key)
                pairs.append(self.finished(phrase, construction))
        return pairs


def construction_names() -> list[str]:
    """List the constructions in the order of the source files."""
    methods = [name for part in reversed(Constructions.__mro__) for name in vars(part)]
    return [name.removeprefix("make_") for name in methods if name.startswith("make_")]


def build() -> dict[str, str]:
    """Make the text of every file."""
    splitter = Splitter()
    files = splitter.ordinary()
    files["test_compositional"] = splitter.compositional()
    files["test_long"] = splitter.long(files["train"])
    files["probes"] = probe_pairs()
    texts = {f"{name}.tsv": "".join(pair.line() for pair in pairs) for name, pairs in files.items()}
    texts["heldout.tsv"] = "".join("\t".join(relation) + "\n" for relation in splitter.held_out)
    return texts


def main() -> None:
    """Write the files, each whole or not at all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent, help="folder for the files"
    )
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in build().items():
        unfinished = folder / (name + ".part")
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(folder / name)
        print(f"{name}: {text.count(chr(10)):,} lines")


if __name__ == "__main__":
    main()
