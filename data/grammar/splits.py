"""The files: which sentence goes where, and what must never meet in train."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from helpers.text import detokenize, tokenize

from . import actions, everyday, far, far_more, plain, questions, structures, two_clauses  # noqa: F401
from . import calendar as _calendar  # noqa: F401
from .connected import LONG, join_halves, long_sentence
from .draw import Draw, fits
from .lexicon import NAMES
from .phrase import Phrase, Relation
from .readings import FAR_WORDS, FORMS, doubts
from .registry import CONSTRUCTIONS, TWINS, Construction, Twins

SEED = 2017
SIZES = {"train": 34_000, "valid": 1_000, "test": 1_000}
FAR_SHARE = 0.24  # of these files: sentences with a word that is decided far away
COMPOSITIONAL_SIZE = 1_000
PAIRS_SIZE = 640  # pairs of sentences, all words alike
ORDER_SIZE = 150  # further pairs with the same words in another order
PROBE_SET_SIZE = 500  # pairs for each word
LONG_SIZE = 300
JOINED_SIZE = 300
LONGEST_ENGLISH = 14  # tokens of a training sentence without its final mark
LONGEST_CHINESE = 22
FINAL_MARK_SHARE = 0.7
N_HELD_OUT = {"adjective-noun": 125, "verb-object": 80, "subject-verb": 55}
PATIENCE_OF = {"ordinary": 400, "held-out": 800}  # draws before a construction has no more
PATIENCE = 20  # draws before a held-out pair may be used once more in test_compositional
LARGEST_LOSS = 0.4  # the share of its partners that a word may lose to the held-out pairs
FIRST_NAMES = frozenset(name.partition(":")[0].lower() for name in NAMES)
MALE = frozenset("his he husband father son tom jack peter david man boy".split())


@dataclass(frozen=True)
class Line:
    """A finished line of a file."""

    english: str
    chinese: str
    alignment: str
    construction: str

    def __str__(self) -> str:
        """Give the line as it stands in the file."""
        return "\t".join((self.english, self.chinese, self.alignment, self.construction)) + "\n"


def normalised(english: str) -> tuple[str, ...]:
    """Give the tokens of a source without its final mark: with the same ones it is the same."""
    tokens = tokenize(english)
    while tokens and tokens[-1] in ".?!":
        tokens.pop()
    return tuple(tokens)


def finish(phrase: Phrase, construction: str, marked: bool) -> Line:
    """Write a sentence with a capital and, if marked, a full stop or a question mark."""
    english, chinese = list(phrase.english), list(phrase.chinese)
    links = list(phrase.links)
    if marked:
        links.append((len(english), len(chinese)))
        english.append("?" if phrase.question else ".")
        chinese.append("？" if phrase.question else "。")
    text = detokenize(english)
    alignment = " ".join(f"{i}-{j}" for i, j in sorted(links))
    return Line(text[0].upper() + text[1:], detokenize(chinese), alignment, construction)


# ---------------------------------------------------------------- pairs of words held out


def all_relations(draw: Draw) -> dict[str, list[Relation]]:
    """List the lexicon's word pairs by kind, but for words whose Chinese depends on the pair."""
    doubtful = {*FORMS} | {*(
        "like left right watch fish light orange can drink cook water open clean cold hard plant"
    ).split()}
    nouns = [noun for noun in draw.nouns if noun.english not in doubtful and noun.measure != "-"]
    verbs = [
        verb
        for verb in draw.verbs
        if verb.base not in doubtful and verb.kind not in ("chasing", "passive", "sound")
    ]
    things = [noun for noun in nouns if "person" not in noun.tags]
    actors = [noun for noun in nouns if fits(noun, ("person", "animal"))]
    return {
        "adjective-noun": sorted(
            {
                ("adjective-noun", word.english, noun.english)
                for noun in nouns
                for word in draw.before[noun.english] + draw.after[noun.english]
                if word.english not in doubtful
            }
        ),
        "verb-object": [
            ("verb-object", verb.base, noun.english)
            for verb in verbs
            for noun in things
            if fits(noun, verb.objects)
        ],
        "subject-verb": [
            ("subject-verb", noun.english, verb.base)
            for verb in verbs
            for noun in actors
            if fits(noun, verb.subjects)
        ],
    }


def choose_held_out(draw: Draw, rng: Random, probes: Iterable[Line]) -> list[Relation]:
    """Draw the pairs that never meet in train, spread so that no word loses many partners."""
    chosen: list[Relation] = []
    probe_words = [set(normalised(probe.english)) for probe in probes]
    for kind, candidates in all_relations(draw).items():
        partners = Counter(word for _, *pair in candidates for word in pair)
        lost: Counter[str] = Counter()
        rng.shuffle(candidates)
        kept = 0
        for relation in candidates:
            # A probe sentence must not need a held-out pair.
            if any({*relation[1:]} <= words for words in probe_words):
                continue
            if kept < N_HELD_OUT[kind] and all(
                partners[word] >= 3 and lost[word] + 1 <= max(1, LARGEST_LOSS * partners[word])
                for word in relation[1:]
            ):
                lost.update(relation[1:])
                chosen.append(relation)
                kept += 1
    return chosen


def forms_of(draw: Draw) -> dict[tuple[str, str], set[str]]:
    """Map each lemma (with its part of speech) to its written forms."""
    forms = {("noun", noun.english): {noun.english, noun.plural} for noun in draw.nouns}
    for verb in draw.verbs:
        forms["verb", verb.base] = {verb.base, verb.third, verb.past, verb.participle, verb.ing}
    for word in draw.adjectives:
        most = word.compared[:-1] + "st"  # nicer, nicest
        forms["adjective", word.english] = {word.english, word.compared, most}
    return forms


PARTS = {
    "adjective-noun": ("adjective", "noun"),
    "verb-object": ("verb", "noun"),
    "subject-verb": ("noun", "verb"),
}


def partners_of(draw: Draw, held_out: Iterable[Relation]) -> dict[str, list[str]]:
    """Map each form of a held-out word to the forms that it must not meet."""
    forms, partners = forms_of(draw), {}
    for kind, *pair in held_out:
        words = zip(PARTS[kind], pair, strict=True)
        first, second = (sorted(forms[part, word] - {"-", "st"}) for part, word in words)
        for one in first:
            partners.setdefault(one, []).extend(second)
    return partners


# ---------------------------------------------------------------- sentences


def odd(tokens: tuple[str, ...]) -> bool:
    """Say whether a sentence is silly: Tom lost Tom's key; who washes what is clean?"""
    words, before_noun = {*tokens}, {*tokens[:-1]}
    skirts = [i for i, word in enumerate(tokens) if word.startswith(("skirt", "dress"))]
    return (
        any(tokens.count(name) > 1 for name in FIRST_NAMES)
        or (any(word.startswith("wash") for word in tokens) and "clean" in before_noun)
        or {"clean", "cleaned"} <= words
        or tokens.count("clean") > 1
        or any(MALE & {*tokens[max(0, i - 4) : i]} for i in skirts)
        or bool({"buy", "bought", "buying"} & words and "dirty" in before_noun)
        or ({"singer", "singers"} & words and "sing" in words)
        or (any(word.startswith("fix") for word in tokens) and "new" in before_noun)
    )


class Splitter:
    """Hands out unseen sentences and knows which of them hold a held-out pair."""

    def __init__(self, probes: list[Line], seed: int = SEED) -> None:
        """Choose the held-out pairs and set the probe sentences aside."""
        self.rng = Random(seed)
        self.words = Draw(self.rng)
        self.held_out = choose_held_out(self.words, self.rng, probes)
        self.is_held_out = dict.fromkeys(self.held_out).__contains__
        self.partners = partners_of(self.words, self.held_out)
        self.translations: dict[tuple[str, ...], str] = {}
        self.used = {normalised(probe.english) for probe in probes}
        self.sizes = {each.make: different(each) for each in TWINS}

    def together(self, tokens: tuple[str, ...]) -> bool:
        """Say whether the two words of a held-out pair stand anywhere in the sentence."""
        return any(other in tokens for token in tokens for other in self.partners.get(token, ()))

    def key_of(self, phrase: Phrase) -> tuple[str, ...]:
        """Name a sentence by its tokens; stop where the same English has got two translations."""
        key = tuple(token.lower() for token in phrase.english)
        chinese = "".join(phrase.chinese)
        if self.translations.setdefault(key, chinese) != chinese:
            both = f"{self.translations[key]} and {chinese}"
            raise ValueError(f"two translations of {' '.join(key)!r}: {both}")
        return key

    def is_new(self, key: tuple[str, ...], phrase: Phrase) -> bool:
        """Say whether a sentence is short enough, sensible and in no file yet."""
        short = len(key) <= LONGEST_ENGLISH and len(phrase.chinese) <= LONGEST_CHINESE
        return short and key not in self.used and not odd(key)

    def draw(
        self, make: Callable[[Draw], Phrase], wanted: str, seen: Counter | None = None
    ) -> Phrase | None:
        """Draw a new sentence, or nothing after many vain attempts.

        wanted: `ordinary`, without a held-out pair, or `held-out`, with one in its own relation.
        """
        for attempt in range(PATIENCE_OF[wanted]):
            phrase = make(self.words)
            key = self.key_of(phrase)
            if not self.is_new(key, phrase):
                continue
            pairs = [relation for relation in phrase.relations if self.is_held_out(relation)]
            if wanted == "ordinary" and self.together(key):
                continue
            # New pairs come first; the longer it takes, the more often one may come again.
            often = min((seen[pair] for pair in pairs), default=0) if seen is not None else 0
            if wanted == "held-out" and (not pairs or often > attempt // PATIENCE):
                continue
            if seen is not None:
                seen.update(pairs)
            self.used.add(key)
            return phrase
        return None

    def draw_twins(self, each: Twins) -> tuple[Phrase, Phrase]:
        """Draw a new pair of sentences, both without a held-out pair."""
        for _ in range(20_000):
            both = each.make(self.words)
            keys = [self.key_of(phrase) for phrase in both]
            if all(
                self.is_new(key, phrase) and not self.together(key)
                for key, phrase in zip(keys, both, strict=True)
            ):
                self.used.update(keys)
                return both
        raise ValueError(f"{each.name} ({each.make.__name__}) has no new sentence")

    def finished(self, phrase: Phrase, construction: str) -> Line:
        """Finish a sentence, most of them with a final mark."""
        return finish(phrase, construction, self.rng.random() < FINAL_MARK_SHARE)

    def finished_twins(self, twins: Twins) -> list[Line]:
        """Finish both sentences of a new pair, with final marks or without."""
        marked = self.rng.random() < FINAL_MARK_SHARE
        return [finish(phrase, twins.name, marked) for phrase in self.draw_twins(twins)]

    # ------------------------------------------------------------ files

    def counts(self, found: list[Twins], total: int) -> list[int]:
        """Share a total among functions, by how many different sentences each of them has."""
        sizes = [self.sizes[each.make] for each in found]
        ends = [round(total * sum(sizes[: n + 1]) / sum(sizes)) for n in range(len(found))]
        return [end - start for start, end in zip([0, *ends], ends, strict=False)]

    def twins_of(self, word: str, count: int, bag: bool = False) -> list[Line]:
        """Draw pairs about a word, about as many of each route."""
        found = [each for each in TWINS if each.word == word and each.bag == bag]
        routes = [[each for each in found if each.route == way] for way in ("after", "before")]
        routes = [route for route in routes if route]
        halves = shared(count, len(routes))
        for number, route in enumerate(routes if len(routes) == 2 else []):
            # What one route can hardly give without using up its sentences, the other one gives.
            most = sum(self.sizes[each.make] for each in route) // 5
            extra = max(0, halves[number] - most)
            halves[number] -= extra
            halves[1 - number] += extra
        lines = []
        for half, route in zip(halves, routes, strict=True):
            for each, share in zip(route, self.counts(route, half), strict=True):
                for _ in range(share):
                    lines += self.finished_twins(each)
        return lines

    def pairs(self) -> list[Line]:
        """Draw test_pairs: all words alike, then pairs with the same words in another order."""
        lines = self.twins_of_all(PAIRS_SIZE)
        ordered = dict.fromkeys(each.word for each in TWINS if each.bag)
        for word, count in zip(ordered, shared(ORDER_SIZE, len(ordered)), strict=True):
            lines += self.twins_of(word, count, bag=True)
        return lines

    def twins_of_all(self, total: int) -> list[Line]:
        """Draw so many pairs, all words alike."""
        shares = zip(FAR_WORDS, shared(total, len(FAR_WORDS)), strict=True)
        return [line for word, count in shares for line in self.twins_of(word, count)]

    def probe_sets(self) -> dict[str, list[Line]]:
        """Draw for each word pairs of unseen sentences."""
        return {word: self.twins_of(word, PROBE_SET_SIZE) for word in FAR_WORDS}

    def ordinary(self) -> dict[str, list[Line]]:
        """Draw train, valid and test: the far words, then each construction by its share."""
        # Pairs, so that no rule of neighbours can do better than guess by chance.
        test = self.twins_of_all(round(SIZES["test"] * FAR_SHARE / 2))
        lines = self.far_sentences(round((SIZES["train"] + SIZES["valid"]) * FAR_SHARE))
        known, others = self.by_share(sum(SIZES.values()) - len(test) - len(lines))
        self.rng.shuffle(others)
        test += [others.pop() for _ in range(SIZES["test"] - len(test))]
        lines += others
        self.rng.shuffle(lines)
        files = {"test": test, "valid": [lines.pop() for _ in range(SIZES["valid"])]}
        files["train"] = known + lines
        for part in files.values():
            self.rng.shuffle(part)
        return files

    def by_share(self, room: int) -> tuple[list[Line], list[Line]]:
        """Draw so many sentences, each construction by its share; those of train alone apart.

        Those that come seldom are first: what they cannot give is drawn from the others.
        """
        known: list[Line] = []
        others: list[Line] = []
        shares = sum(each.share for each in CONSTRUCTIONS)
        for each in sorted(CONSTRUCTIONS, key=lambda each: each.share):
            found = self.some(each, round(room * each.share / shares))
            (known if each.known else others).extend(found)
            room -= len(found)
            shares -= each.share
        return known, others

    def some(self, each: Construction, count: int) -> list[Line]:
        """Draw sentences of a construction, fewer where it has no more new ones."""
        lines: list[Line] = []
        while len(lines) < count and (phrase := self.draw(each.make, "ordinary")):
            lines.append(self.finished(phrase, each.name))
        return lines

    def far_sentences(self, count: int) -> list[Line]:
        """Draw sentences with words decided far away: one of each pair, both readings alike."""
        lines: list[Line] = []
        for word, total in zip(FAR_WORDS, shared(count, len(FAR_WORDS)), strict=True):
            found = [each for each in TWINS if each.word == word]
            for each, share in zip(found, self.counts(found, total), strict=True):
                lines += self.some(Construction(each.name, 0, self.one_of(each)), share)
        return lines

    def one_of(self, each: Twins) -> Callable[[Draw], Phrase]:
        """Give a function that draws one of two sentences, each as often as the other."""
        return lambda draw: draw.pick(each.make(draw))

    def compositional(self) -> list[Line]:
        """Draw sentences with held-out pairs, each pair a few times, constructions by share."""
        seen: Counter[Relation] = Counter()
        lines, able = [], [each for each in CONSTRUCTIONS if not each.known]
        while len(lines) < COMPOSITIONAL_SIZE:
            (each,) = self.rng.choices(able, [each.share for each in able])
            if phrase := self.draw(each.make, "held-out", seen):
                lines.append(self.finished(phrase, each.name))
            else:
                able.remove(each)
        return lines

    def long(self, train: list[Line]) -> list[Line]:
        """Draw connected sentences longer than every training sentence in both languages."""
        longest = [max(len(tokenize(text)) for text in side) for side in sides(train)]
        lines: list[Line] = []
        while len(lines) < LONG_SIZE:
            name = list(LONG)[len(lines) % len(LONG)]
            phrase = long_sentence(self.words, name)
            key = self.key_of(phrase)
            if key in self.used or self.together(key) or odd(key):
                continue
            if len(phrase.english) > longest[0] and len(phrase.chinese) > longest[1]:
                self.used.add(key)
                lines.append(self.finished(phrase, name))
        return lines

    def joined(self, train: list[Line]) -> list[Line]:
        """Join two short sentences of train to one that is no longer than those of train."""
        lines: list[Line] = []
        for phrase in join_halves(train, self.rng):
            key = self.key_of(phrase)
            if self.is_new(key, phrase) and not self.together(key):
                self.used.add(key)
                lines.append(self.finished(phrase, "joined"))
            if len(lines) == JOINED_SIZE:
                return lines
        raise ValueError(f"only {len(lines)} sentences could be joined")


def different(each: Twins, draws: int = 700) -> int:
    """Count the different sentences in some draws: how much a function can give."""
    draw = Draw(Random(SEED))
    return len({phrase.english for _ in range(draws) for phrase in each.make(draw)})


def shared(total: int, parts: int) -> list[int]:
    """Share a total evenly: the first parts get one more where it does not come out."""
    return [total // parts + (number < total % parts) for number in range(parts)]


def sides(lines: Iterable[Line]) -> tuple[list[str], list[str]]:
    """Give the English and the Chinese of some lines."""
    return [line.english for line in lines], [line.chinese for line in lines]


def probe_rows(lines: Iterable[Line], word: str) -> Iterable[str]:
    """Write the lines of a probe set with the place and the reading of the word."""
    for line in lines:
        found = doubts(line.english, line.chinese, line.alignment)
        doubt = next(doubt for doubt in found if doubt.word == word)
        yield f"{str(line)[:-1]}\t{doubt.place}\t{doubt.reading}\n"
