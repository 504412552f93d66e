"""The phrases of the corpus, in English and Chinese side by side, each with its own alignment."""

import re
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from helpers.text import tokenize
from lexicon import (
    ANIMAL_PLACES,
    DIGITS,
    EATERS,
    GAMES,
    MEN,
    NAMES,
    NUMBER_WORDS,
    PRONOUNS,
    TENS,
    TENSES,
    TIMES,
    WOMEN,
    Noun,
    Verb,
    read_adjectives,
    read_nouns,
    read_places,
    read_verbs,
)

Relation = tuple[str, str, str]


@dataclass(frozen=True)
class Phrase:
    """A phrase in both languages, with links between its tokens and the word pairs it joins."""

    english: tuple[str, ...] = ()
    chinese: tuple[str, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    relations: tuple[Relation, ...] = ()
    word: str = ""
    agree: str = "he"
    question: bool = False

    def relate(self, kind: str, first: str, second: str) -> "Phrase":
        """Note that two words stand together, if both are nouns or verbs of the lexicon."""
        if not first or not second:
            return self
        return replace(self, relations=(*self.relations, (kind, first, second)))

    def does(self, verb: Verb) -> "Phrase":
        """Note that this subject does what the verb says."""
        return self.relate("subject-verb", self.word, verb.base)

    def undergoes(self, verb: Verb, noun: Noun) -> "Phrase":
        """Note that this object, a phrase about the noun, has the verb done to it."""
        return self.relate("verb-object", verb.base, noun.english)


EMPTY = Phrase()
# Of two adjectives the first is one of OUTER and the second one of INNER: a cheap red umbrella.
OUTER = (
    "beautiful",
    "cheap",
    "expensive",
    "quick",
    "cute",
    "comfortable",
    "fresh",
    "clever",
    "delicious",
)
# A Chinese subject with one of these is a woman, who may wear a skirt.
FEMALE = frozenset("她女妈妹奶妻玛安露艾")
# What one does in a moment is not placed in a week.
SMALL_ACTS = frozenset(
    "eat ate drink drank feed fed water watered open opened close closed rest rested laughed "
    "cried sleep play "
    "read".split()
)
INNER = ("small", "red", "black", "white", "blue", "brown")


@cache
def gloss(text: str) -> Phrase:
    """Read a phrase of both: ``"the piano:钢琴"`` links piano to 钢 and 琴, not the."""
    english: list[str] = []
    chinese: list[str] = []
    links = []
    for part in text.split():
        left, _, right = part.partition(":")
        if part.startswith(":"):
            left, right = "", part[1:]
        # An ending such as 's is one token only behind a word.
        left_tokens = (
            [left] if left.startswith("'") else tokenize(left.replace("_", " "), lowercase=False)
        )
        right_tokens = tokenize(right)
        links += [
            (len(english) + i, len(chinese) + j)
            for i in range(len(left_tokens))
            for j in range(len(right_tokens))
        ]
        english += left_tokens
        chinese += right_tokens
    return Phrase(tuple(english), tuple(chinese), tuple(links))


@cache
def _pieces(template: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Split a template into (tokens, name of a part); one of the two is empty."""
    found = re.findall(r"([^{}]+)|\{(\w+)\}", template)
    return tuple((tuple(tokenize(literal, lowercase=False)), name) for literal, name in found)


def _lay_out(
    template: str, parts: dict[str, Phrase], side: str
) -> tuple[list[str], dict[str, int]]:
    """Fill one side of a template; tell where each part begins."""
    tokens: list[str] = []
    starts = {}
    for literal, name in _pieces(template):
        if name:
            starts[name] = len(tokens)
            tokens += getattr(parts[name], side)
        else:
            tokens += literal
    return tokens, starts


def join(english: str, chinese: str, question: bool = False, **parts: Phrase | str) -> Phrase:
    """Put parts in the order of each language; what both templates name keeps its links."""
    phrases = {name: gloss(part) if isinstance(part, str) else part for name, part in parts.items()}
    left, left_starts = _lay_out(english, phrases, "english")
    right, right_starts = _lay_out(chinese, phrases, "chinese")
    links = tuple(
        sorted(
            (left_starts[name] + i, right_starts[name] + j)
            for name, phrase in phrases.items()
            if name in left_starts and name in right_starts
            for i, j in phrase.links
        )
    )
    relations = tuple(relation for phrase in phrases.values() for relation in phrase.relations)
    return Phrase(tuple(left), tuple(right), links, relations, question=question)


def number(value: int) -> Phrase:
    """Give a number up to 99 before a measure word: 两 for two alone, 二 inside a longer number."""
    if value == 2:
        return gloss("two:两")
    if value <= 10:
        return gloss(f"{NUMBER_WORDS[value]}:{DIGITS[value]}")
    if value < 20:
        return gloss(f"{NUMBER_WORDS[value]}:十{DIGITS[value - 10]}")
    tens, ones = divmod(value, 10)
    if not ones:
        return gloss(f"{TENS[tens]}:{DIGITS[tens]}十")
    return gloss(f"{TENS[tens]}:{DIGITS[tens]}十 - {NUMBER_WORDS[ones]}:{DIGITS[ones]}")


def be(agree: str, past: bool = False) -> str:
    """Give the form of `be` for I, he or they."""
    return (
        {"I": "am", "he": "is", "they": "are"}[agree]
        if not past
        else "were"
        if agree == "they"
        else "was"
    )


def do(agree: str) -> str:
    """Give do or does."""
    return "does" if agree == "he" else "do"


def have(agree: str) -> str:
    """Give have or has."""
    return "has" if agree == "he" else "have"


# Whose relatives follow whose in a chain: my brother's wife, not my sister's wife.
RELATIVES = {
    "brother": "friend teacher wife son daughter neighbor",
    "sister": "friend teacher husband son daughter neighbor",
    "son": "friend teacher wife",
    "daughter": "friend teacher husband",
    "mother": "friend neighbor",
    "father": "friend neighbor",
    "grandmother": "friend neighbor",
    "wife": "mother father friend brother sister",
    "husband": "mother father friend brother sister",
    "teacher": "wife husband son daughter friend",
    "friend": "mother father brother sister wife husband teacher",
    "neighbor": "wife husband son daughter friend",
}
FIRST_RELATIVES = (
    "mother father brother sister son daughter grandmother friend friend teacher neighbor wife "
    "husband"
).split()


class Grammar:
    """Draws noun phrases, subjects, objects and clauses; constructions.py makes them sentences."""

    def __init__(self, rng: Random) -> None:
        """Read the lexicon."""
        self.rng = rng
        self.nouns, self.verbs, self.adjectives = read_nouns(), read_verbs(), read_adjectives()
        self.places = {place.key: place for place in read_places()}
        self.noun = {noun.english: noun for noun in self.nouns}
        self.verb = {verb.base: verb for verb in self.verbs}
        self.fitting: dict[tuple[str, ...], list[Noun]] = {}
        self.subjects: dict[tuple[str, ...], tuple[list[Noun], list[Noun]]] = {}
        self.before = {
            noun.english: [
                word
                for word in self.adjectives
                if word.before != "-" and self.fits(noun, word.nouns)
            ]
            for noun in self.nouns
        }
        self.after = {
            noun.english: [
                word
                for word in self.adjectives
                if word.after != "-" and self.fits(noun, word.said_of)
            ]
            for noun in self.nouns
        }

    # ---------------------------------------------------------------- draws

    def chance(self, share: float) -> bool:
        """Say yes with the given chance."""
        return self.rng.random() < share

    def pick(self, options):
        """Draw one of the options."""
        return options[self.rng.randrange(len(options))]

    @staticmethod
    def fits(noun: Noun, tags: tuple[str, ...]) -> bool:
        """Say whether a noun carries one of the tags."""
        return any(tag in noun.tags for tag in tags)

    def noun_with(self, *tags: str) -> Noun:
        """Draw a noun that carries one of the tags."""
        if tags not in self.fitting:
            self.fitting[tags] = [noun for noun in self.nouns if self.fits(noun, tags)]
        return self.pick(self.fitting[tags])

    def verb_of(self, names: str) -> Verb:
        """Draw one of some verbs, given by their names."""
        return self.verb[self.pick(names.split())]

    def counted_noun(self, *tags: str) -> Noun:
        """Draw a noun with a plural that is no person and no part of a house."""
        while True:
            noun = self.noun_with(*tags)
            if noun.plural != "-" and "person" not in noun.tags:
                return noun

    def time(self, tense: str) -> Phrase:
        """Draw a time that fits the tense."""
        return gloss(self.pick(TIMES[tense.removesuffix("_not")]))

    def perhaps_time(self, tense: str, share: float) -> Phrase:
        """Draw a time or nothing."""
        return self.time(tense) if self.chance(share) else EMPTY

    # ---------------------------------------------------------------- noun phrases

    def described(self, noun: Noun, plural: bool, share: float, colours: bool = False) -> Phrase:
        """Give a noun, perhaps after one adjective, seldom after two (敏捷的棕色狐狸)."""
        phrase = gloss(f"{noun.plural if plural else noun.english}:{noun.chinese}")
        words = self.before[noun.english]
        if colours:
            words = [word for word in words if word.after == "-"]
        if not words or not self.chance(share):
            return phrase
        chosen = [self.pick(words)]
        if chosen[0].english in OUTER and self.chance(0.3):
            inner = [word for word in words if word.english in INNER]
            if chosen[0].english in ("quick", "clever"):
                inner = [word for word in inner if word.english != "small"]
            chosen = [self.pick(inner), *chosen] if inner else chosen
        for word in chosen:
            phrase = join("{a} {n}", "{a}{n}", a=f"{word.english}:{word.before}", n=phrase)
            phrase = phrase.relate("adjective-noun", word.english, noun.english)
        return phrase

    @staticmethod
    def without(phrase: Phrase, place: int) -> Phrase:
        """Leave out one Chinese token, and its links."""
        links = tuple((i, j - (j > place)) for i, j in phrase.links if j != place)
        return replace(
            phrase, chinese=phrase.chinese[:place] + phrase.chinese[place + 1 :], links=links
        )

    def genitive(self, person: Phrase) -> Phrase:
        """Give my mother's, 我妈妈的; before a 的 the first goes: 我们妈妈的, 汤姆妈妈的."""
        plain = len(person.english) == 2 and person.english[0] in ("our", "their")
        # 汤姆老师 would be a teacher called Tom.
        named = len(person.english) == 3 and person.english[1] == "'s"
        if plain or (
            named and person.english[2] not in ("teacher", "brother", "sister", "grandmother")
        ):
            person = self.without(person, person.chinese.index("的"))
        return join("{p}{s}", "{p}{s}", p=person, s="'s:的")

    def possessive(self, owner: Phrase, thing: Phrase, close: bool = False) -> Phrase:
        """Join owner and thing: 我妈妈 (close), but 我们的妈妈, 我的书, 汤姆的妈妈."""
        if owner.english[-1] == "'s":
            if "的" in thing.chinese:
                owner = self.without(owner, len(owner.chinese) - 1)
            return replace(join("{o} {n}", "{o}{n}", o=owner, n=thing), word=thing.word)
        close = close and owner.english[0] in ("my", "your", "his", "her")
        # One 的 is enough: 我昂贵的手表.
        close = close or "的" in thing.chinese
        return replace(
            join("{o} {n}", "{o}{n}" if close else "{o}的{n}", o=owner, n=thing), word=thing.word
        )

    def first_owner(self, relative: str = "") -> Phrase:
        """Give my, your, Tom's...: an owner that may have the relative."""
        options = [f"{pronoun[2]}:{pronoun[3]}" for pronoun in PRONOUNS]
        names = NAMES
        if relative in ("wife", "husband"):
            his = "his:他" if relative == "wife" else "her:她"
            options, names = ["my:我", "your:你", his], MEN if relative == "wife" else WOMEN
        return (
            gloss(self.pick(options)) if self.chance(0.65) else gloss(f"{self.pick(names)} 's:的")
        )

    def kin(self, steps: int = 1) -> Phrase:
        """Give somebody's mother, son, friend...; two steps: my brother's teacher."""
        word = self.pick(FIRST_RELATIVES)
        phrase = self.first_owner(word)
        for step in range(steps):
            if step:
                word = self.pick(RELATIVES[word].split())
                phrase = self.genitive(phrase)
            phrase = self.possessive(
                phrase, replace(gloss(f"{word}:{self.noun[word].chinese}"), word=word), close=True
            )
        return phrase

    def owner(self) -> Phrase:
        """Give a possessive: my, Tom's, my mother's."""
        return self.first_owner() if self.chance(0.8) else self.genitive(self.kin())

    def noun_phrase(
        self, noun: Noun, kind: str, share: float = 0.3, colours: bool = False, most: int = 5
    ) -> Phrase:
        """Give a noun with its determiner: a, the, this, own, some, bare, plural_the, count..."""
        plural = kind in ("some", "any", "bare", "these", "those", "plural_the", "count")
        person, measure = "person" in noun.tags, noun.measure
        body = self.described(noun, plural, 0.0 if person and plural else share, colours)
        bare = len(body.english) == 1 and self.fits(noun, ("role", "known", "place"))
        if kind == "own":
            phrase = self.possessive(self.owner(), body)
        elif kind in ("any", "bare"):
            phrase = join("any {n}" if kind == "any" else "{n}", "{n}", n=body)
        elif kind == "plural_the" and person:
            phrase = join("the {n}", "{n}们", n=body)
        elif kind == "the" and bare:
            phrase = join("the {n}", "{n}", n=body)
        elif kind == "count":
            phrase = join("{d} {n}", "{d}{n}", d=self.counted(measure, most), n=body)
        else:
            article = "an" if body.english[0][0] in "aeiou" else "a"
            determiners = {
                "a": f"{article}:一{measure}",
                "the": f"the:那{measure}",
                "this": f"this:这{measure}",
                "that": f"that:那{measure}",
                "some": "some:一些",
                "these": "these:这些",
                "those": "those:那些",
                "plural_the": "the:那些",
            }
            phrase = join("{d} {n}", "{d}{n}", d=determiners[kind], n=body)
        return replace(phrase, word=noun.english, agree="they" if plural else "he")

    def counted(self, measure: str, most: int) -> Phrase:
        """Give a number with a measure word; two, which is 两, comes often."""
        phrase = number(2 if self.chance(0.2 if most > 20 else 0.3) else self.amount(most))
        # The measure word goes with the number: it is linked to the last word of it.
        links = (*phrase.links, (len(phrase.english) - 1, len(phrase.chinese)))
        return replace(phrase, chinese=(*phrase.chinese, measure), links=links)

    def amount(self, most: int) -> int:
        """Draw a number; where dozens are possible the teens come as often as the rest."""
        if most < 20 or self.chance(0.12):
            return self.rng.randint(2, min(most, 12))
        return (
            self.rng.randint(10, 19)
            if self.chance(0.7)
            else self.rng.randint(self.pick([20, 20, 70, 80]), most)
        )

    def mass(self, noun: Noun, partitive: bool) -> Phrase:
        """Give coffee, or a cup of coffee."""
        if not partitive:
            return replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)
        units = {
            "hotdrink": ["cup:杯"],
            "bowlful": ["bowl:碗"],
            "colddrink": ["glass:杯", "glass:杯", "bottle:瓶"],
        }
        unit, measure = self.pick(units[noun.tags[1]]).split(":")
        if self.chance(0.6):
            count = gloss(f"a:一 {unit}:{measure}")
        else:
            plural = "glasses" if unit == "glass" else unit + "s"
            count = join(
                "{c} {u}", "{c}{u}", c=number(self.rng.randint(2, 3)), u=f"{plural}:{measure}"
            )
        phrase = join("{c} of {n}", "{c}{n}", c=count, n=f"{noun.english}:{noun.chinese}")
        return replace(phrase, word=noun.english)

    def place(self, key: str) -> Phrase:
        """Give in the park, 在公园里."""
        place = self.places[key]
        return gloss(f"{place.preposition}:在 {place.english}:{place.local}")

    # ---------------------------------------------------------------- subjects and objects

    def pronoun(self) -> Phrase:
        """Give I, you, he..."""
        subject, _, _, chinese, agree = self.pick(PRONOUNS)
        return replace(gloss(f"{subject}:{chinese}"), agree=agree)

    def subject(self, tags: tuple[str, ...] = ("person",), plain: bool = False) -> Phrase:
        """Draw somebody (or an animal) with one of the tags; plain: no pronoun, no plural."""
        people, animals = self.living(tags)
        if animals and (not people or self.chance(0.35)):
            noun = self.pick(animals)
            return self.noun_phrase(
                noun, self.pick(["the", "the", "that", "own" if "ownable" in noun.tags else "the"])
            )
        draw = self.rng.random()
        broad = any(tag in ("person", "adult", "youth") for tag in tags)
        if broad and draw < 0.3 and not plain:
            return self.pronoun()
        if broad and draw < 0.48:
            return gloss(self.pick(NAMES))
        if broad and draw < 0.64 and "youth" not in tags:
            return self.kin()
        if broad and draw < 0.74 and not plain:
            return self.plural_people(people)
        return self.noun_phrase(
            self.pick(people), self.pick(["the", "the", "the", "that", "this"]), 0.35
        )

    def living(self, tags: tuple[str, ...]) -> tuple[list[Noun], list[Noun]]:
        """List the people and the animals that carry one of the tags."""
        if tags not in self.subjects:
            fitting = [noun for noun in self.nouns if self.fits(noun, tags)]
            self.subjects[tags] = tuple(
                [noun for noun in fitting if kind in noun.tags] for kind in ("person", "animal")
            )
        return self.subjects[tags]

    def asked(self, tags: tuple[str, ...] = ("person",)) -> Phrase:
        """Draw the subject of a question: nobody asks what he did himself."""
        while True:
            subject = self.subject(tags)
            if subject.english[0] not in ("I", "we", "my", "our"):
                return subject

    def plural_people(self, people: list[Noun]) -> Phrase:
        """Give the students, or Tom and Mary."""
        if self.chance(0.5):
            return self.noun_phrase(self.pick(people), "plural_the")
        first, second = self.rng.sample(NAMES, 2)
        return replace(join("{a} and {b}", "{a}和{b}", a=first, b=second), agree="they")

    def somebody(self, subject: Phrase = EMPTY) -> Phrase:
        """Draw a person as an object, not the subject again."""
        while True:
            draw = self.rng.random()
            if draw < 0.35:
                _, accusative, _, chinese, _ = self.pick(PRONOUNS)
                person = gloss(f"{accusative}:{chinese}")
            elif draw < 0.55:
                person = gloss(self.pick(NAMES))
            elif draw < 0.75:
                person = self.kin()
            else:
                person = self.noun_phrase(
                    self.noun_with("person"), self.pick(["the", "the", "that"]), 0.3
                )
            if not {*person.chinese} & {*subject.chinese} - {*"的那个位这"}:
                return person

    def thing(self, verb: Verb, tense: str, subject: Phrase = EMPTY) -> Phrase:
        """Draw the object of a verb, with a determiner that fits the tense."""
        tags = verb.objects
        if verb.base == "eat" and subject.word in EATERS:
            tags = EATERS[subject.word]
        noun = self.noun_with(*tags)
        # A habit wants a plural: he reads books every day.
        while (
            tense.startswith("present")
            and noun.plural == "-"
            and not {"mass", "place", "known"} & {*noun.tags}
        ):
            noun = self.noun_with(*tags)
        while tense.startswith("present") and verb.base == "write" and noun.english == "book":
            noun = self.noun_with("letter", "song")
        if "person" in noun.tags:
            phrase = self.somebody(subject)
            return phrase.relate("verb-object", verb.base, phrase.word)
        return self.determined(noun, verb, tense).relate("verb-object", verb.base, noun.english)

    def determined(self, noun: Noun, verb: Verb, tense: str) -> Phrase:
        """Give a noun the determiner that fits tense and verb."""
        definite = tense.endswith("_not") or tense in ("question", "relative", "perfect")
        if verb.base == "water":
            return gloss(f"the {noun.plural}:{noun.chinese}")
        if "mass" in noun.tags:
            return self.mass(noun, tense in ("past", "future", "modal"))
        if "place" in noun.tags:
            if noun.english == "school" and verb.base == "go":
                return gloss("to school:学校")
            phrase = self.noun_phrase(noun, "the", 0.0)
            return join("to {p}", "{p}", p=phrase) if verb.base == "go" else phrase
        if "known" in noun.tags:
            return self.noun_phrase(noun, self.pick(["the", "the", "this"]), 0.15)
        if tense.startswith("present"):
            return self.noun_phrase(noun, "bare", 0.0)
        kinds = ["the", "the", "the", "this", "that"]
        if (
            verb.base
            not in (
                "buy",
                "catch",
                "bite",
                "chase",
                "eat",
                "drink",
                "draw",
                "write",
                "wear",
                "visit",
                "plant",
                "watch",
                "hear",
            )
            and "food" not in noun.tags
        ):
            kinds.append("own" if "animal" not in noun.tags or "ownable" in noun.tags else "the")
        if not definite and verb.base not in ("close", "clean"):
            kinds += ["a"] * 5
            if noun.plural != "-" and tense != "progressive" and verb.base != "wear":
                kinds += ["count", "some"]
        return self.noun_phrase(noun, self.pick(kinds))

    # ---------------------------------------------------------------- clauses

    def draw_verb(self, tense: str) -> Verb:
        """Draw a verb that takes the tense."""
        listed = tense.removesuffix("_not") if tense in ("future_not", "progressive_not") else tense
        while True:
            verb = self.pick(self.verbs)
            if verb.base == "sleep" and listed == "future":
                continue  # nobody foretells sleep
            if listed in TENSES[verb.kind].split() and not (
                tense.startswith("present") and not self.usual(verb)
            ):
                return verb

    def usual(self, verb: Verb) -> bool:
        """Say whether the object makes a habit: no one draws maps or buys coats every day."""
        return (
            verb.kind != "action"
            and verb.base != "dance"
            or verb.base in ("read", "eat", "drink", "help", "water", "write")
        )

    def game(self) -> tuple[Verb, Phrase]:
        """Draw what one plays: 弹钢琴, 踢足球."""
        name, chinese = self.pick(GAMES)
        verb = replace(
            self.verb["play"],
            chinese=chinese,
            done=chinese,
            subjects=("person",),
            places=("home", "school"),
        )
        return verb, gloss(name)

    def core(
        self,
        tense: str,
        place: float,
        modal: str = "",
        subject: Phrase | None = None,
        verb: Verb | None = None,
        thing: Phrase | None = None,
    ) -> tuple[Phrase, Phrase]:
        """Draw what is not given of subject, verb and object; return subject and predicate."""
        if (
            verb is None
            and self.chance(0.07)
            and tense.replace("ive_not", "ive") in TENSES["skill"].split()
        ):
            verb, thing = self.game()
        verb = verb or self.draw_verb(tense)
        subject = subject or self.subject(verb.subjects, plain=verb.base == "wear")
        if verb.objects[:1] == ("clothes",) and not {*subject.chinese} & FEMALE:
            verb = replace(verb, objects=("shirt", "coat", "sweater", "headwear"))
        if thing is None:
            thing = self.thing(verb, tense, subject) if verb.objects else EMPTY
        if verb.base == "wear" and self.fits(self.noun[thing.word], ("headwear",)):
            verb = replace(verb, chinese="戴", done="戴")
        if verb.chinese in ("工作", "玩", "学习") and tense in (
            "future",
            "future_not",
            "present_not",
        ):
            place = 1.0  # 我下周会工作 alone sounds unfinished
        where = self.where(verb, subject, thing) if self.chance(place) else EMPTY
        predicate = self.predicate(verb, thing, where, tense, subject.agree, modal)
        return subject.does(verb), predicate

    def where(self, verb: Verb, subject: Phrase, thing: Phrase) -> Phrase:
        """Draw a place where the verb can happen."""
        keys = verb.places
        if subject.word and "animal" in self.noun[subject.word].tags:
            keys = tuple(key for key in keys if key in ANIMAL_PLACES)
        if (
            thing.word
            and verb.base == "buy"
            and self.fits(self.noun[thing.word], ("vehicle", "furniture", "painting"))
        ):
            keys = ()
        return self.place(self.pick(keys)) if keys else EMPTY

    def predicate(
        self, verb: Verb, thing: Phrase, place: Phrase, tense: str, agree: str, modal: str = ""
    ) -> Phrase:
        """Give verb, object and place: in English after the verb, in Chinese before it."""
        form, chinese = verb.base, verb.chinese
        if tense == "past":
            form, chinese = verb.past, verb.done
        elif tense == "present" and agree == "he":
            form = verb.third
        elif tense.startswith("progressive"):
            form = verb.ing
        parts = {"v": gloss(f"{form}:{chinese}"), "o": thing, "p": place}
        if tense == "past":
            return join("{v} {o} {p}", "{p}{v}了{o}", **parts)
        if tense == "present":
            return join("{v} {o} {p}", "{p}{v}{o}", **parts)
        if tense == "progressive" and verb.base == "wear":
            return join("{a} {v} {o}", "{v}{a}{o}", a=f"{be(agree)}:着", **parts)
        # 正 and 没 lean on the 在 of a place; without a place they bring their own.
        inside = "" if place.english else "在"
        auxiliary = {
            "past_not": "didn't:没",
            "present_not": f"{do(agree)}n't:不",
            "future": "will:会",
            "future_not": "won't:不会",
            "modal": modal,
            "modal_not": modal,
            "progressive": f"{be(agree)}:正{inside}",
            "progressive_not": f"{be(agree)}n't:没{inside}"
            if agree != "I"
            else f"am not:没{inside}",
        }[tense]
        return join("{a} {v} {o} {p}", "{a}{p}{v}{o}", a=auxiliary, **parts)

    def clause(self, tense: str, place: float = 0.25, time: float = 0.3, **more) -> Phrase:
        """Draw a whole clause; a time is last or first in English, before the verb in Chinese."""
        subject, predicate = self.core(tense, place, **more)
        return self.timed(subject, predicate, tense, time)

    def timed(self, subject: Phrase, predicate: Phrase, tense: str, share: float) -> Phrase:
        """Join subject and predicate, perhaps with a time."""
        if not self.chance(share):
            return join("{s} {v}", "{s}{v}", s=subject, v=predicate)
        tense = {
            "past_not": "past",
            "modal": "future",
            "modal_not": "future",
            "future_not": "future",
        }.get(tense, tense)
        order = ("{t}, {s} {v}", "{t}{s}{v}") if self.chance(0.12) else ("{s} {v} {t}", "{s}{t}{v}")
        when = self.time(tense)
        while ("week" in when.english and SMALL_ACTS & {*predicate.english}) or (
            "morning" in when.english and {"sleep", "sleeps"} & {*predicate.english}
        ):
            when = self.time(tense)
        return join(*order, s=subject, v=predicate, t=when)
