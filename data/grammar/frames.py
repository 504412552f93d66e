"""Frames: sentences drawn by the rows of a table.

A row holds how often it comes, who is its subject, the verbs that it may have, and the English and
the Chinese with slots for the rest: {s} the subject, {v.past} the verb, {o} its object, {t.past} a
time ({t.past?}: perhaps), {like:喜欢} a word with its Chinese, {a_saw} a noun with a determiner.
"""

import re
from dataclasses import replace
from functools import partial

from .clauses import actors, fit, predicate, suits, thing, where
from .draw import Draw, fits
from .lexicon import CITIES, MEN, PRONOUNS, TOPICS, WOMEN, Noun, Verb
from .nouns import PERSONAL, kin, noun_phrase, possessive
from .people import a_subject, asked, does, name, pronoun, somebody
from .phrase import EMPTY, Phrase, gloss, join
from .registry import CONSTRUCTIONS, Construction
from .tables import cells, tables

# a slot of a template: {s} {v.past} {t.past?} {likes:喜欢}
SLOT = re.compile(r"\{([\w']+)(?:\.(\w+))?(\??)(?::([^{}]*))?\}")
TABLES = tables("plain")
# slots that are one of some words, and those that are a noun
WORDS = {key: words.split(", ") for key, words in cells(TABLES["slots"])}
KINDS = dict(cells(TABLES["kinds"]))
FORMS = {verb: forms for verb, *forms in cells(TABLES["agreed"])}
# The verb depends on its object, the time on everything.
ORDER = {"o": 0, "v": 1, "t": 3}
# the adjectives, some or all, of something of which one is said
NAMED = {"said": "", "single": TABLES["single"]}
HE = "he father son husband man boy".split() + [man.partition(":")[0] for man in MEN]
SHE = "she mother daughter wife grandmother woman girl".split()
SHE += [woman.partition(":")[0] for woman in WOMEN]


# ---------------------------------------------------------------- templates


def agreed(verb: str, subject: Phrase) -> str:
    """Give the form of is, has, doesn't, likes... behind a subject."""
    first, plural = FORMS.get(verb, (verb, verb))
    return {"he": verb, "I": first, "they": plural}[subject.agree]


def say(english: str, chinese: str = "", **parts: Phrase | str) -> Phrase:
    """Join parts in the order of each language, by default the same, as join() does.

    A slot such as {is:是} brings its own word, in the form that the subject s wants; a question
    mark ends a question: ``say("{is:是} {s} {t}?", "{s}{is}{t}吗", s=..., t=...)``.
    """
    for key, _, _, word in SLOT.findall(english):
        if word or key in FORMS:
            verb = agreed(key, parts.get("s", EMPTY))
            parts[key.replace("'", "")] = gloss(f"{verb}:{word}")
    template = SLOT.sub(lambda slot: "{" + slot[1].replace("'", "") + "}", english)
    order = chinese or template.replace(" ", "")
    return join(template.rstrip("?"), order, english[-1] == "?", **parts)


def words(draw: Draw, table: str) -> Phrase:
    """Draw one of several glosses, with _ inside for a space."""
    return gloss(draw.pick(table).replace("_", " "))


def choose(draw: Draw, table: str) -> Verb:
    """Draw a verb from "rest go:park,zoo", to be done to nothing but what stands behind it."""
    base, _, objects = draw.pick(table).partition(":")
    verb = draw.verb[base]
    return replace(verb, objects=tuple(objects.split(","))) if objects else verb


# ---------------------------------------------------------------- people and things


def someone(draw: Draw) -> Phrase:
    """Draw the subject of most sentences: a pronoun but you, a name, my mother."""
    person = draw.pick([pronoun, pronoun, name, name, kin])(draw)
    return person if person.english != ("you",) else someone(draw)


def gender(person: Phrase) -> str:
    """Say whether somebody is he, she, or somebody of whom English does not say."""
    last = person.english[-1]
    return "he" if last in HE else "she" if last in SHE else ""


def named(noun: Noun) -> Phrase:
    """Give a noun without a determiner."""
    return replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)


def owned(owner: Phrase, noun: Noun) -> Phrase:
    """Give somebody's noun: 我妈妈, but 我的书."""
    return possessive(owner, named(noun), close=fits(noun, ("kin", "near")))


def her_own(draw: Draw, subject: Phrase, noun: Noun) -> Phrase:
    """Give what belongs to the subject: Tom ... his car; the car if English can't say whose."""
    names = (subject.english[0], gender(subject))
    row = next((row for row in PRONOUNS if row[0] in names), None)
    if row is None or (row[0] in ("we", "they") and fits(noun, PERSONAL)):
        return noun_phrase(draw, noun, "the", 0.0)
    return owned(gloss(f"{row[2]}:{row[3]}"), noun)


def qualities(draw: Draw, noun: str, names: str) -> list[str]:
    """List the adjectives that can be said of a noun, of some or of all."""
    found = [a for a in draw.after[noun] if not names or a.english in names.split()]
    return [f"{a.english}:{a.after}" for a in found]


# ---------------------------------------------------------------- frames


def register(file: str, *names: str) -> None:
    """Register constructions of nothing but frames: the first row says how often one comes."""
    for key in names:
        first, _, rows = tables(file)[key].partition("\n")
        share = float(first.partition("|")[0])
        CONSTRUCTIONS.append(Construction(key, share, partial(frame, table=rows)))


def frame(draw: Draw, table: str, subject: Phrase | None = None, most: int = 18) -> Phrase:
    """Draw a sentence by one row of a table: weight | who | verbs | English | Chinese."""
    rows = cells(table)
    while True:
        row = draw.rng.choices(rows, [float(row[0]) for row in rows])[0]
        whole = fill(draw, row, subject)
        if len(whole.english) <= 12 and len(whole.chinese) <= most:
            return whole


def fill(draw: Draw, row: tuple[str, ...], subject: Phrase | None) -> Phrase:
    """Draw a sentence by a row."""
    _, who, verbs, english, chinese = row
    verb = draw.verb_of(verbs) if verbs else None
    subject = subject or frame_subject(draw, who, verb)
    parts = {"s": does(subject, verb.base) if verb else subject}
    slots = sorted(SLOT.findall(english), key=lambda found: ORDER.get(found[0], 2))
    for key, arg, perhaps, word in slots:
        if not (word or key == "s" or key in FORMS):
            unsaid = perhaps and draw.chance(0.6)
            parts[key] = EMPTY if unsaid else slot(draw, key, arg, verb, parts)
    return say(english, chinese, **parts)


def frame_subject(draw: Draw, who: str, verb: Verb | None) -> Phrase:
    """Draw the subject of a frame: person, adult, asked, or a thing (the this: box bag)."""
    tags = actors(verb, "future") if verb else ("person",)
    tags = ("adult",) if who.endswith("adult") else tags
    if who in ("person", "adult"):
        return a_subject(draw, tags)
    if who in ("asked", "asked_adult"):
        return asked(draw, tags)
    if who in ("name", "owner"):
        return (name if who == "name" else someone)(draw)
    if who in ("who", "topic"):
        return gloss("who:谁" if who == "who" else draw.pick(TABLES["hard"]))
    if who in NAMED:
        return noun_phrase(draw, *a_quality(draw, who), 0.0)
    kinds, _, nouns = who.partition(":")
    noun, kind = draw.noun_with(*nouns.split()), draw.pick(kinds)
    share = 0.0 if "place" in noun.tags or kind == "own" else 0.3
    return noun_phrase(draw, noun, kind, share, colours=True)


def a_quality(draw: Draw, who: str) -> tuple[Noun, str]:
    """Draw something of which an adjective is said, with its determiner."""
    fitting = [n for n in draw.nouns if qualities(draw, n.english, NAMED[who])]
    noun = draw.pick([n for n in fitting if not {"kin", "mass"} & {*n.tags}])
    return noun, "the" if "place" in noun.tags else draw.pick("the this that")


def slot(draw: Draw, key: str, arg: str, verb: Verb | None, parts: dict[str, Phrase]) -> Phrase:
    """Draw what stands in a slot."""
    subject, (kind, _, tag) = parts["s"], key.partition("_")
    if key in WORDS or key in NAMED:
        return a_word(draw, key, arg, subject)
    if key in ("liked", "him"):
        return (liked if key == "liked" else somebody)(draw, subject)
    if key in ("kin", "lived"):
        parent = draw.noun[draw.pick("mother father grandmother")]
        return her_own(draw, subject, parent) if key == "kin" else replace(lived(draw), cut=1)
    if not tag:
        return of_verb(draw, key, arg, verb, parts)
    if kind in KINDS:
        phrase = noun_phrase(draw, draw.noun_with(tag), draw.pick(KINDS[kind]))
    else:
        phrase = several(draw, tag, kind)
    return phrase.relate("verb-object", verb.base if verb else "", phrase.word)


def several(draw: Draw, tag: str, kind: str) -> Phrase:
    """Give three cats, or dozens: more than ten chairs."""
    noun = draw.pick([noun for noun in draw.nouns_with(tag) if noun.plural != "-"])
    most = 99 if kind == "dozens" else 6
    while True:
        phrase = noun_phrase(draw, noun, "count", 0.15, colours=True, most=most)
        if kind == "few" or phrase.chinese[1] != noun.measure:
            return phrase


def a_word(draw: Draw, key: str, arg: str, subject: Phrase) -> Phrase:
    """Draw one of some words, or an adjective for the subject; twice: as in 累不累."""
    word = draw.pick(WORDS[key] if key in WORDS else qualities(draw, subject.word, NAMED[key]))
    english, _, chinese = word.partition(":")
    phrase = gloss(f"{word}/{chinese}" if arg == "twice" else word)
    return phrase.relate("adjective-noun", english, "" if key in WORDS else subject.word)


def of_verb(draw: Draw, key: str, arg: str, verb: Verb, parts: dict[str, Phrase]) -> Phrase:
    """Draw the verb, its object, place or time, or all but the time (rest)."""
    subject, what = parts["s"], parts.get("o", EMPTY)
    if key == "v":
        return a_verb(fit(verb, what), arg, subject)
    if key == "o":
        return thing(draw, verb, arg or "question", subject)
    if key == "p":
        return where(draw, verb, subject, what)
    if key == "t":
        when = draw.time(arg)
        acts = replace(EMPTY, english=tuple(w for part in parts.values() for w in part.english))
        return when if suits(when, acts) else of_verb(draw, key, arg, verb, parts)
    what = thing(draw, verb, arg, subject) if verb.objects else EMPTY
    spot = where(draw, verb, subject, what) if draw.chance(0.25) else EMPTY
    return predicate(verb, what, spot, arg, subject.agree)


def a_verb(verb: Verb, form: str, subject: Phrase) -> Phrase:
    """Give the verb in a form: past, ing, present; done: its Chinese; twice: as in 去不去."""
    chinese = verb.done if form == "done" else verb.chinese
    chinese += f"/{chinese}" if form == "twice" else ""
    habit = verb.third if subject.agree == "he" else verb.base
    forms = {"past": verb.past, "ing": verb.ing, "present": habit}
    return gloss(f"{forms.get(form, verb.base)}:{chinese}")


def liked(draw: Draw, subject: Phrase) -> Phrase:
    """Draw what one likes."""
    share = draw.rng.random()
    if share < 0.2:
        return somebody(draw, subject)
    if share < 0.55:
        return gloss(draw.pick(TOPICS))
    if share < 0.85:
        noun = draw.noun_with(*"pet fruit flower horse bird hotdrink milk juice".split())
        return named(noun) if "mass" in noun.tags else noun_phrase(draw, noun, "bare", 0.15, True)
    noun = draw.noun_with("clothes", "work", "readable", "painting", "car", "bike", "camera")
    return noun_phrase(draw, noun, draw.pick("the this that"), 0.4, colours=True)


def lived(draw: Draw) -> Phrase:
    """Give been to Beijing, 去北京 (过 stands in the cut); seen a fox; read this book."""
    way = draw.rng.random()
    if way < 0.4:
        noun = draw.noun_with(*TABLES["visited"].split())
        goal = noun_phrase(draw, noun, draw.pick("this that"), 0.0)
        return say("{been:去} to {g}", "{been}{g}", g=draw.pick([goal, *CITIES]))
    if way < 0.62:
        return gloss(draw.pick(TABLES["lived"].splitlines()))
    noun = draw.noun_with("fox", "monkey", "tiger", "snake", "horse", "work", "readable")
    if "animal" in noun.tags:
        base, verb, what = "see", "seen:见", gloss(f"a {noun.english}:{noun.chinese}")
    else:
        heard = {noun: act for noun, *act in cells(TABLES["heard"])}
        base, verb = heard.get(noun.english, ("read", "read:看"))
        what = noun_phrase(draw, noun, draw.pick("this that the"), 0.4)
    return say("{v} {o}", v=verb, o=what.relate("verb-object", base, noun.english))
