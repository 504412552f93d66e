"""Frames: sentences drawn by the rows of a table.

A row holds how often it comes, who is its subject, the verbs that it may have, and the English and
the Chinese with slots for the rest: {s} the subject, {v.past} the verb, {o} its object, {t.past} a
time ({t.past?}: perhaps), {like:喜欢} a word with its Chinese, {a_saw} a noun with a determiner.
"""

from dataclasses import replace
from functools import partial

from .clauses import actors, fit, predicate, suits, thing, where
from .draw import Draw
from .lexicon import CITIES, TOPICS, Noun, Verb
from .nouns import noun_phrase
from .people import a_subject, asked, does, name, somebody
from .phrase import EMPTY, Phrase, gloss
from .registry import CONSTRUCTIONS, Construction
from .structures import PLURAL, SLOT, her_own, named, say, someone
from .tables import cells, tables

TABLES = tables("plain")
# slots that are one of some words, and those that are a noun
WORDS = {key: words.split(", ") for key, words in cells(TABLES["slots"])}
KINDS = dict(cells(TABLES["kinds"]))
# The verb depends on its object, the time on everything.
ORDER = {"o": 0, "v": 1, "t": 3}
VISITED = "museum zoo library hotel restaurant".split()
HEARD = {"song": ("hear", "heard:听过"), "story": ("hear", "heard:听过"), "film": ("", "seen:看过")}
SINGLE = "expensive heavy light new old big small hard long".split()


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
        whole = fill(draw, subject, *row[1:])
        if len(whole.english) <= 12 and len(whole.chinese) <= most:
            return whole


def fill(
    draw: Draw, subject: Phrase | None, who: str, verbs: str, english: str, chinese: str
) -> Phrase:
    """Fill the slots of a frame; a question mark ends a question."""
    verb = draw.verb_of(verbs) if verbs else None
    subject = subject or frame_subject(draw, who, verb)
    parts = {"s": does(subject, verb.base) if verb else subject}
    slots = sorted(SLOT.findall(english), key=lambda found: ORDER.get(found[0], 2))
    for key, arg, perhaps, word in slots:
        if not word and key != "s" and key not in PLURAL:
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
    if who in ("said", "single"):
        return noun_phrase(draw, *a_quality(draw, who), 0.0)
    kinds, _, nouns = who.partition(":")
    noun, kind = draw.noun_with(*nouns.split()), draw.pick(kinds)
    share = 0.0 if "place" in noun.tags or kind == "own" else 0.3
    return noun_phrase(draw, noun, kind, share, colours=True)


def a_quality(draw: Draw, who: str) -> tuple[Noun, str]:
    """Draw something of which an adjective is said, with its determiner."""
    fitting = [n for n in draw.nouns if qualities(draw, n.english, who)]
    noun = draw.pick([n for n in fitting if not {"kin", "mass"} & {*n.tags}])
    return noun, "the" if "place" in noun.tags else draw.pick("the this that")


def qualities(draw: Draw, noun: str, who: str) -> list[str]:
    """List the adjectives that can be said of a noun; single: only those for 贵不贵."""
    found = [a for a in draw.after[noun] if who == "said" or a.english in SINGLE]
    return [f"{a.english}:{a.after}" for a in found]


def slot(draw: Draw, key: str, arg: str, verb: Verb | None, parts: dict[str, Phrase]) -> Phrase:
    """Draw what stands in a slot."""
    subject, (kind, _, tag) = parts["s"], key.partition("_")
    if key in WORDS or key in ("said", "single"):
        return a_word(draw, key, arg, subject)
    if key in ("liked", "him"):
        return (liked if key == "liked" else somebody)(draw, subject)
    if key in ("kin", "lived"):
        parent = draw.noun[draw.pick("mother father grandmother")]
        return her_own(draw, subject, parent) if key == "kin" else lived(draw)
    if not tag:
        return of_verb(draw, key, arg, verb, parts)
    noun, phrase = (a_thing if kind in KINDS else several)(draw, tag, kind)
    return phrase.relate("verb-object", verb.base if verb else "", noun.english)


def a_thing(draw: Draw, tag: str, kind: str) -> tuple[Noun, Phrase]:
    """Give a saw, this saw."""
    noun = draw.noun_with(tag)
    return noun, noun_phrase(draw, noun, draw.pick(KINDS[kind]))


def several(draw: Draw, tag: str, kind: str) -> tuple[Noun, Phrase]:
    """Give three cats, or dozens: more than ten chairs."""
    noun = draw.pick([noun for noun in draw.nouns_with(tag) if noun.plural != "-"])
    most = 99 if kind == "dozens" else 6
    while True:
        phrase = noun_phrase(draw, noun, "count", 0.15, colours=True, most=most)
        if kind == "few" or phrase.chinese[1] != noun.measure:
            return noun, phrase


def a_word(draw: Draw, key: str, arg: str, subject: Phrase) -> Phrase:
    """Draw one of some words, or an adjective for the subject; twice: as in 累不累."""
    word = draw.pick(WORDS[key] if key in WORDS else qualities(draw, subject.word, key))
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
        if "mass" in noun.tags:
            return named(noun)
        return noun_phrase(draw, noun, "bare", 0.15, colours=True)
    noun = draw.noun_with("clothes", "work", "readable", "painting", "car", "bike", "camera")
    return noun_phrase(draw, noun, draw.pick("the this that"), 0.4, colours=True)


def lived(draw: Draw) -> Phrase:
    """Give been to Beijing, 去过北京; seen a fox; read this book."""
    way = draw.rng.random()
    if way < 0.4:
        goal = noun_phrase(draw, draw.noun_with(*VISITED), draw.pick("this that"), 0.0)
        return say("{been:去过} to {g}", "{been}{g}", g=draw.pick([goal, *CITIES]))
    if way < 0.62:
        return gloss(draw.pick(TABLES["lived"].splitlines()))
    noun = draw.noun_with("fox", "monkey", "tiger", "snake", "horse", "work", "readable")
    if "animal" in noun.tags:
        base, verb, what = "see", "seen:见过", gloss(f"a {noun.english}:{noun.chinese}")
    else:
        base, verb = HEARD.get(noun.english, ("read", "read:看过"))
        what = noun_phrase(draw, noun, draw.pick("this that the"), 0.4)
    return say("{v} {o}", v=verb, o=what.relate("verb-object", base, noun.english))
