"""Clauses: subject, verb and object in a tense, with a place and a time."""

from dataclasses import replace

from .draw import Draw, fits
from .lexicon import ANIMAL_PLACES, EATERS, GAMES, MANY, PRONOUNS, TENSES, Noun, Verb
from .nouns import mass, noun_phrase, place
from .people import PEOPLE, a_subject, does, is_animal, somebody
from .phrase import EMPTY, Phrase, be, be_not, do, gloss, join
from .tables import tables

# the tense whose times go with a tense
TIMES_OF = {"past_not": "past", "modal": "future", "modal_not": "future", "future_not": "future"}
# where one goes day by day
DAILY = ("park", "school", "library", "supermarket")


def words_of(table: str) -> dict[str, tuple[str, ...]]:
    """Read a table of tables/clauses.txt: words by what stands before the colon."""
    rows = (line.split(":") for line in tables("clauses")[table].splitlines())
    return {name: tuple(words.split()) for name, words in rows}


VERBS, NOT_AT, DULL = words_of("verbs"), words_of("times"), words_of("dull")
UNUSED, WHEREABOUTS = words_of("unused"), words_of("whereabouts")


# ---------------------------------------------------------------- objects


def thing(draw: Draw, verb: Verb, tense: str, subject: Phrase = EMPTY) -> Phrase:
    """Draw the object of a verb, with a determiner that fits the tense."""
    tags = EATERS.get(subject.word, verb.objects) if verb.base == "eat" else verb.objects
    nouns = [noun for noun in draw.nouns_with(*tags) if noun.english != subject.word]
    if tense.startswith("present"):  # a habit wants a plural: he reads books every day
        habits = {"mass", "place", "known", "person"}
        nouns = [noun for noun in nouns if noun.plural != "-" or habits & {*noun.tags}]
        nouns = [noun for noun in nouns if verb.base != "go" or noun.english in DAILY]
        nouns = [noun for noun in nouns if noun.english not in ("cake", "water")]
    noun = draw.pick(nouns)
    if "person" in noun.tags:
        phrase = somebody(draw, subject)
    else:
        phrase = determined(draw, noun, verb, tense)
        while is_own(subject, phrase, verb):
            phrase = determined(draw, noun, verb, tense)
    return phrase.relate("verb-object", verb.base, phrase.word)


def is_own(subject: Phrase, what: Phrase, verb: Verb) -> bool:
    """Say whether it is Tom's twice (Tom lost Tom's hat) or one's own borrowed book."""
    borrowed = verb.base in ("borrow", "steal")
    mine = [row[2] for row in PRONOUNS if (row[0],) == subject.english[:1] and borrowed]
    child = subject.word in ("child", "boy", "girl", "student")
    childs = child and {"son", "daughter", "wife"} & {*what.english}
    return bool(childs) or what.english[0] in mine or what.english[:1] == subject.english


def determined(draw: Draw, noun: Noun, verb: Verb, tense: str) -> Phrase:
    """Give a noun the determiner that fits tense and verb."""
    if verb.base == "water":
        return replace(gloss(f"the {noun.plural}:{noun.chinese}"), word=noun.english)
    if "mass" in noun.tags:
        return mass(draw, noun, tense in ("past", "future", "modal"))
    if "place" in noun.tags:
        return goal(draw, noun, verb)
    if "known" in noun.tags:
        return noun_phrase(draw, noun, draw.pick(["the", "the", "this"]), 0.15)
    if tense.startswith("present"):
        return noun_phrase(draw, noun, "bare", 0.0)
    while True:
        kind = draw.pick(determiners(noun, verb, tense))
        # The colour of food is not what makes one buy it.
        colours = kind == "own" or ("food" in noun.tags and verb.base != "eat")
        plain = tense in ("progressive", "modal_not") or verb.base == "write"
        plain = plain or kind in ("count", "loose")
        phrase = noun_phrase(draw, noun, kind, 0.0 if plain else 0.3, colours, most=4)
        if not {*DULL.get(verb.base, DULL["else"])} & {*phrase.english}:
            return phrase


def goal(draw: Draw, noun: Noun, verb: Verb) -> Phrase:
    """Give a place one goes to or works on: to the park 公园, to school 学校, the garden 花园."""
    if noun.english == "school" and verb.base == "go":
        phrase = gloss("to school:学校")
    else:
        phrase = noun_phrase(draw, noun, "the", 0.0)
        phrase = join("to {p}", "{p}", p=phrase) if verb.base == "go" else phrase
    return replace(phrase, word=noun.english)


def determiners(noun: Noun, verb: Verb, tense: str) -> list[str]:
    """List the determiners of an object, each as often as it is drawn."""
    definite = tense.endswith("_not") or tense in ("question", "relative", "perfect")
    kinds = ["the", "the", "the", "the" if verb.base in VERBS["gone"] else "this", "that"]
    if verb.base == "buy" and "food" in noun.tags:  # nobody buys one egg
        several = ["bare"] if tense == "progressive" else ["some", "some", "count"]
        return ["those"] if definite else several
    if verb.base not in VERBS["not_own"] and "food" not in noun.tags:
        kinds.append("own" if "animal" not in noun.tags or "ownable" in noun.tags else "the")
    if definite or verb.base in VERBS["of_known"]:
        return kinds
    if verb.base in VERBS["made"]:
        return ["loose" if tense == "progressive" else "a"]
    if tense == "progressive":
        return kinds + ["a" if verb.base == "chase" else "loose"] * 5
    several = tense == "past" and noun.plural != "-" and fits(noun, (*MANY, "food", "clothes"))
    several = several and verb.base not in (*VERBS["gone"], "read")
    article = "loose" if verb.base == "read" and tense != "past" else "a"  # 要看书
    return kinds + [article] * 5 + (["count", "some"] if several else [])


def is_definite(what: Phrase) -> bool:
    """Say whether a phrase is about something known: the key, my key, Tom's key."""
    known = {"the", "this", "that", "these", "those", *(row[2] for row in PRONOUNS)}
    return what.english[0] in known or "'s" in what.english


# ---------------------------------------------------------------- verbs


def takes(verb: Verb, tense: str) -> bool:
    """Say whether a verb is used in a tense; habits are few: nobody draws maps every day."""
    plain = tense.removesuffix("_not")
    listed = plain if tense in ("future_not", "progressive_not") else tense
    unused = UNUSED.get(tense, ()) + UNUSED.get(plain, ())
    habit = verb.base in VERBS["habits"] or (verb.kind != "action" and verb.base != "dance")
    possible = listed in TENSES[verb.kind].split() and verb.base not in unused
    return possible and (habit or not tense.startswith("present"))


def fit(verb: Verb, what: Phrase) -> Verb:
    """Give the Chinese verb that this object wants: 关门, but 盖上盒子; 喝汤, which one eats."""
    if verb.base == "eat" and what.word == "soup":
        return replace(verb, chinese="喝", done="喝")
    if verb.base == "find" and {*what.english[:1]} & {"a", "an", "some"}:  # nobody looked for it
        return replace(verb, chinese="发现", done="发现")
    if verb.base == "close":
        done = "盖上" if what.word == "box" else "关上"
        return replace(verb, chinese=done[0], done=done)
    return verb


def draw_verb(draw: Draw, tense: str) -> Verb:
    """Draw a verb that takes the tense."""
    return draw.pick([verb for verb in draw.verbs if takes(verb, tense)])


def game(draw: Draw) -> tuple[Verb, Phrase]:
    """Draw what one plays: 弹钢琴, 踢足球."""
    name, chinese = draw.pick(GAMES)
    places = ("school", "park") if name[-1] == "球" else ("home",)
    play = replace(draw.verb["play"], chinese=chinese, done=chinese, places=places)
    return replace(play, subjects=("person",)), gloss(name)


def planned(draw: Draw, names: str) -> Verb:
    """Draw what people plan, want or have to do, of some verbs."""
    verb = draw.verb_of(names)
    return replace(verb, subjects=actors(verb, "future"))


# ---------------------------------------------------------------- clauses


def core(
    draw: Draw,
    tense: str,
    place: float,
    modal: str = "",
    subject: Phrase | None = None,
    verb: Verb | None = None,
    what: Phrase | None = None,
) -> tuple[Phrase, Phrase]:
    """Draw what is not given of subject, verb and object; return subject and predicate."""
    if verb is None and draw.chance(0.05) and tense in ("progressive", "present", "present_not"):
        verb, what = game(draw)
    verb = verb or draw_verb(draw, tense)
    subject = subject or a_subject(draw, actors(verb, tense))
    if what is None:
        what = thing(draw, verb, tense, subject) if verb.objects else EMPTY
    if verb.chinese in ("工作", "玩", "学习") and tense in ("future", "future_not", "present_not"):
        place = 1.0  # 我下周要工作 alone sounds unfinished
    spot = where(draw, verb, subject, what) if draw.chance(place) else EMPTY
    return does(subject, verb.base), predicate(verb, what, spot, tense, subject.agree, modal)


def actors(verb: Verb, tense: str) -> tuple[str, ...]:
    """List the tags of those who do it: animals neither plan nor have a diet."""
    able = tense.startswith(("future", "modal")) or (
        verb.base == "eat" and tense.startswith("present")
    )
    return tuple(tag for tag in verb.subjects if able and tag in PEOPLE) or verb.subjects


def where(draw: Draw, verb: Verb, subject: Phrase, what: Phrase) -> Phrase:
    """Draw a place where the verb can happen."""
    keys = verb.places
    if is_animal(draw, subject):
        keys = tuple(key for key in keys if key in ANIMAL_PLACES)
    for word in (subject.word, what.word):
        if word in WHEREABOUTS:
            keys = tuple(key for key in WHEREABOUTS[word] if key in verb.places)
    if "zoo" in keys and verb.base == "see" and what.word not in ("", "tiger", "monkey"):
        keys = tuple(key for key in keys if key != "zoo")
    bulky = what.word and fits(draw.noun[what.word], ("vehicle", "furniture", "painting", "guitar"))
    unsaid = not keys or (verb.base in ("buy", "fix") and bulky)
    return EMPTY if unsaid else place(draw, draw.pick(keys))


def predicate(
    verb: Verb, what: Phrase, spot: Phrase, tense: str, agree: str, modal: str = ""
) -> Phrase:
    """Give verb, object and place: in English after the verb, in Chinese before it."""
    verb = fit(verb, what)
    if tense == "past":
        return past(verb, what, spot)
    form = verb.ing if tense.startswith("progressive") else verb.base
    if tense == "present" and agree == "he":
        form = verb.third
    # 正 and 没 lean on the 在 of a place; without a place they bring their own.
    inside = "" if spot.english else "在"
    auxiliary = {
        "present": "",
        "past_not": "didn't:没",
        "present_not": f"{do(agree)}n't:不",
        "future": "will:会" if verb.base in VERBS["foretold"] else "will:要",
        "future_not": "won't:不会" if verb.base in VERBS["foretold"] else "won't:不",
        "modal": modal,
        "modal_not": modal,
        "progressive": f"{be(agree)}:{'正' * (verb.kind != 'sound')}{inside}",  # 在笑
        "progressive_not": f"{be_not(agree)}:没{inside}",
    }[tense]
    parts = {"a": auxiliary, "v": f"{form}:{verb.chinese}", "o": what, "p": spot}
    return join("{a} {v} {o} {p}", "{a}{p}{v}{o}", **parts)


def past(verb: Verb, what: Phrase, spot: Phrase) -> Phrase:
    """Give what was done: 开了门, 把门关上了, 看见你了."""
    order = "{p}{v}了{o}"
    if verb.base in VERBS["moved"] and is_definite(what):
        order = "{p}把{o}{v}了"
    elif verb.base == "see" and what.english in [(row[1],) for row in PRONOUNS]:
        order = "{p}{v}{o}了"
    return join("{v} {o} {p}", order, v=f"{verb.past}:{verb.done}", o=what, p=spot)


def clause(draw: Draw, tense: str, place: float = 0.25, time: float = 0.3, **more) -> Phrase:
    """Draw a clause; a time stands last or first in English, before the verb in Chinese."""
    for _ in range(9):  # until it is short enough
        subject, rest = core(draw, tense, place, **more)
        whole = timed(draw, subject, rest, tense, time)
        if len(whole.chinese) <= 21:
            break
    return whole


def timed(draw: Draw, subject: Phrase, rest: Phrase, tense: str, share: float) -> Phrase:
    """Join subject and predicate, perhaps with a time."""
    plain = join("{s} {v}", "{s}{v}", s=subject, v=rest)
    if tense == "present_not" or not draw.chance(share):  # no habit is denied for every day
        return plain
    tense = TIMES_OF.get(tense, tense)
    when = draw.time(tense)
    while not suits(when, rest):
        when = draw.time(tense)
    order = ("{s} {v} {t}", "{s}{t}{v}")
    if draw.chance(0.12):  # 每天 stays behind the subject
        order = ("{t}, {s} {v}", "{s}{t}{v}" if tense == "present" else "{t}{s}{v}")
    whole = join(*order, s=subject, v=rest, t=when)
    return whole if len(whole.english) <= 14 and len(whole.chinese) <= 21 else plain


def suits(when: Phrase, rest: Phrase) -> bool:
    """Say whether something can happen at a time: nobody waters flowers at night."""
    return all({*rest.english}.isdisjoint(NOT_AT.get(word, ())) for word in when.english)
