"""Who acts, and on whom: subjects and objects."""

from dataclasses import replace

from .draw import Draw, fits
from .lexicon import NAMES, PRONOUNS, Noun
from .nouns import kin, noun_phrase
from .phrase import EMPTY, Phrase, gloss

# tags of people; common: of those whom no role names
PEOPLE = ("person", "adult", "youth", "common")


def pronoun(draw: Draw) -> Phrase:
    """Give I, you, he..."""
    subject, _, _, chinese, agree = draw.pick(PRONOUNS)
    return replace(gloss(f"{subject}:{chinese}"), agree=agree)


def name(draw: Draw) -> Phrase:
    """Give one of the names."""
    return gloss(draw.pick(NAMES))


def a_subject(draw: Draw, tags: tuple[str, ...] = ("person",)) -> Phrase:
    """Draw somebody (or an animal) with one of the tags."""
    living = draw.nouns_with(*tags)
    people = [noun for noun in living if "person" in noun.tags]
    animals = [noun for noun in living if "animal" in noun.tags]
    if animals and (not people or draw.chance(0.35)):
        noun = draw.pick(animals)
        kinds = ["the", "the", "that", "own" if "ownable" in noun.tags else "the"]
        return noun_phrase(draw, noun, draw.pick(kinds))
    return a_person(draw, tags, people)


def a_person(draw: Draw, tags: tuple[str, ...], people: list[Noun]) -> Phrase:
    """Draw a pronoun, a name, a relative, several people or one of those who fit."""
    share = draw.rng.random()
    if not {*PEOPLE} & {*tags}:
        share = 1.0
    if share < 0.3:
        return pronoun(draw)
    if share < 0.5:
        return name(draw)
    if share < 0.66 and "youth" not in tags:
        return kin(draw)
    if share < 0.76:
        return several(draw, people)
    noun = draw.pick(people)
    share = 0.04 if fits(noun, ("common",)) else 0.0
    return noun_phrase(draw, noun, draw.pick("the the the the that this"), share)


def asked(draw: Draw, tags: tuple[str, ...] = ("person",), known: bool = False) -> Phrase:
    """Draw the subject of a question: nobody asks what he did himself; known: who has things."""
    while True:
        subject = draw.pick([pronoun, name, kin])(draw) if known else a_subject(draw, tags)
        if subject.english[0] not in ("I", "we", "my", "our"):
            return subject


def several(draw: Draw, people: list[Noun]) -> Phrase:
    """Give the students, or Tom and Mary."""
    if draw.chance(0.5):
        return noun_phrase(draw, draw.pick(people), "plural_the")
    return two_names(draw)


def two_names(draw: Draw) -> Phrase:
    """Give Tom and Mary."""
    first, second = draw.two(NAMES)
    return replace(gloss(f"{first} and:和 {second}"), agree="they")


def somebody(draw: Draw, subject: Phrase = EMPTY) -> Phrase:
    """Draw a person as an object, not the subject again."""
    while True:
        share = draw.rng.random()
        if share < 0.35:
            _, accusative, _, chinese, _ = draw.pick(PRONOUNS)
            person = gloss(f"{accusative}:{chinese}")
        elif share < 0.55:
            person = name(draw)
        elif share < 0.75:
            person = kin(draw)
        else:
            noun = draw.noun_with("person")
            person = noun_phrase(draw, noun, draw.pick("full full that"), 0.0)
        if not {*person.chinese} & {*subject.chinese} - {*"的那个位这们"}:
            return person


def does(subject: Phrase, verb: str) -> Phrase:
    """Note that this subject does what the verb says."""
    return subject.relate("subject-verb", subject.word, verb)


def is_animal(draw: Draw, phrase: Phrase) -> bool:
    """Say whether a phrase is about an animal."""
    return bool(phrase.word) and "animal" in draw.noun[phrase.word].tags
