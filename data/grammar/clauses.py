"""Clauses: subject, verb and object in a tense, with a place and a time."""

from dataclasses import replace

from .draw import Draw, fits
from .lexicon import ANIMAL_PLACES, EATERS, GAMES, MANY, PRONOUNS, TENSES, Noun, Verb
from .nouns import mass, noun_phrase, place
from .people import PEOPLE, a_subject, does, is_animal, somebody
from .phrase import EMPTY, Phrase, be, be_not, do, gloss, join

# What one does in a moment is not placed in a week.
SMALL_ACTS = frozenset(
    "eat ate drink drank feed fed water watered open opened close closed rest rested "
    "laughed cried sleep play read leave left wash washed".split()
)
# what is done by day
DAY_ACTS = frozenset(
    "feed fed water watered plant planted draw drew zoo school museum car bike".split()
)
# verbs whose object is not the actor's own
NOT_OWN = tuple(
    "buy catch bite chase eat drink draw write plant watch hear wash sell clean".split()
)
# whose object is far away: nobody stole this bag
GONE = ("lose", "steal", "find", "borrow")
# the tense whose times go with a tense
TIMES_OF = {"past_not": "past", "modal": "future", "modal_not": "future", "future_not": "future"}
ACCUSATIVES = [(row[1],) for row in PRONOUNS]
# A definite thing stands before these: 把门关上了.
MOVED = ("open", "close")
# whose object is known, with these verbs, and rarely "a": she washed the skirt
OF_KNOWN = ("close", "clean", "open", "fix", "wash", "feed", "steal")
# adjectives that say nothing with most verbs: nobody buys a dirty plate
DULL = {
    "wash": {"clean"},
    "find": {"clean", "famous", "heavy"},
    "see": {"clean", "famous"},
    "catch": set(),
    "chase": set(),
}
DULL_ELSEWHERE = {"clean", "dirty", "quick", "comfortable", "famous", "heavy"}
# what a verb could be in a tense, but is not in life
UNUSED = {
    "future": ("sleep", "open", "close", "eat", "drink", "write", "run"),
    "present": ("sleep", "rest", "help"),
    "past_not": ("lose", "break", "steal", "write", "draw", "plant", "play"),
    "present_not": ("water", "run", "play", "go"),
    "future_not": ("help", "write", "draw", "plant"),
    "progressive_not": ("buy", "write", "draw", "plant", "chase", "feed"),
}
# where one goes day by day
DAILY = ("park", "school", "library", "supermarket")
# where some animals and things can be met; nowhere said for ()
WHEREABOUTS = {
    "tiger": ("zoo",),
    "monkey": ("zoo",),
    "horse": (),
    "dog": ("park", "garden"),
    "cat": ("garden",),
    "rabbit": ("garden",),
    "cow": (),
    "boat": (),
    "truck": (),
    "computer": (),
    "radio": (),
    "car": ("station",),
    "ticket": ("station",),
    "rice": ("kitchen", "restaurant", "home"),
    "saw": ("garden",),
    "hammer": ("garden",),
    "knife": ("garden",),
}
# What happens by itself is foretold by 会; what people mean to do, by 要.
FORETOLD = ("cry", "laugh", "come", "find", "lose", "meet", "break", "see")


# ---------------------------------------------------------------- objects


def thing(draw: Draw, verb: Verb, tense: str, subject: Phrase = EMPTY) -> Phrase:
    """Draw the object of a verb, with a determiner that fits the tense."""
    tags = verb.objects
    if verb.base == "eat" and subject.word in EATERS:
        tags = EATERS[subject.word]
    nouns = [noun for noun in draw.nouns_with(*tags) if noun.english != subject.word]
    if tense.startswith("present"):  # a habit wants a plural: he reads books every day
        habits = {"mass", "place", "known", "person"}
        nouns = [noun for noun in nouns if noun.plural != "-" or habits & {*noun.tags}]
        nouns = [noun for noun in nouns if verb.base != "go" or noun.english in DAILY]
        nouns = [noun for noun in nouns if noun.english not in ("cake", "water")]
    noun = draw.pick(nouns)
    if "person" in noun.tags:
        phrase = somebody(draw, subject)
        return phrase.relate("verb-object", verb.base, phrase.word)
    phrase = determined(draw, noun, verb, tense)
    while is_own(subject, phrase, verb):
        phrase = determined(draw, noun, verb, tense)
    return phrase.relate("verb-object", verb.base, noun.english)


def is_own(subject: Phrase, what: Phrase, verb: Verb) -> bool:
    """Say whether it is Tom's twice (Tom lost Tom's hat) or one's own borrowed book."""
    if not subject.english or not what.english or verb.base == "go":
        return False
    if len(subject.english) == 1 and subject.english[0] == what.english[0]:
        return True
    mine = [row[2] for row in PRONOUNS if row[0] == subject.english[0]]
    return what.english[0] in mine and verb.base in ("borrow", "steal")


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
        plain = tense in ("progressive", "modal_not") or kind == "count" or verb.base == "write"
        phrase = noun_phrase(draw, noun, kind, 0.0 if plain else 0.3, colours, most=4)
        if not DULL.get(verb.base, DULL_ELSEWHERE) & {*phrase.english}:
            return phrase


def goal(draw: Draw, noun: Noun, verb: Verb) -> Phrase:
    """Give a place one goes to or works on: to the park 公园, to school 学校, the garden 花园."""
    if noun.english == "school" and verb.base == "go":
        return gloss("to school:学校")
    phrase = noun_phrase(draw, noun, "the", 0.0)
    if verb.base != "go":
        return phrase
    return replace(join("to {p}", "{p}", p=phrase), word=noun.english)


def determiners(noun: Noun, verb: Verb, tense: str) -> list[str]:
    """List the determiners of an object, each as often as it is drawn."""
    definite = tense.endswith("_not") or tense in ("question", "relative", "perfect")
    kinds = ["the", "the", "the", "the" if verb.base in GONE else "this", "that"]
    if verb.base == "buy" and "food" in noun.tags:  # nobody buys one egg
        several = ["bare"] if tense == "progressive" else ["some", "some", "count"]
        return ["those"] if definite else several
    if verb.base not in NOT_OWN and "food" not in noun.tags:
        kinds.append("own" if "animal" not in noun.tags or "ownable" in noun.tags else "the")
    if definite or verb.base in OF_KNOWN:
        return kinds
    if verb.base in ("write", "draw", "plant"):
        return ["loose" if tense == "progressive" else "a"]
    if tense == "progressive":
        return kinds + ["a" if verb.base == "chase" else "loose"] * 5
    several = tense == "past" and noun.plural != "-" and verb.base not in (*GONE, "read")
    several = several and fits(noun, (*MANY, "food", "clothes"))
    return kinds + ["a"] * 5 + (["count", "some"] if several else [])


def is_definite(what: Phrase) -> bool:
    """Say whether a phrase is about something known: the key, my key, Tom's key."""
    known = {"the", "this", "that", "these", "those", *(row[2] for row in PRONOUNS)}
    return bool(what.english) and (what.english[0] in known or "'s" in what.english)


# ---------------------------------------------------------------- verbs


def takes(verb: Verb, tense: str) -> bool:
    """Say whether a verb is used in a tense; habits are few: nobody draws maps every day."""
    listed = tense.removesuffix("_not") if tense in ("future_not", "progressive_not") else tense
    if listed not in TENSES[verb.kind].split():
        return False
    if any(verb.base in UNUSED.get(name, ()) for name in (tense, tense.removesuffix("_not"))):
        return False
    habit = verb.base in ("read", "eat", "drink", "help", "water")
    habit = habit or (verb.kind != "action" and verb.base != "dance")
    return habit or not tense.startswith("present")


def fit(verb: Verb, what: Phrase) -> Verb:
    """Give the Chinese verb that this object wants: 关门, but 盖上盒子; 喝汤, which one eats."""
    if verb.base == "eat" and what.word == "soup":
        return replace(verb, chinese="喝", done="喝")
    if verb.base == "find" and {*what.english[:1]} & {"a", "an", "some"}:  # nobody looked for it
        return replace(verb, chinese="发现", done="发现")
    if verb.base == "close":
        lid = what.word == "box"
        return replace(verb, chinese="盖" if lid else "关", done="盖上" if lid else "关上")
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
    people = tuple(tag for tag in verb.subjects if tag in PEOPLE)
    return replace(verb, subjects=people)


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
    if tense.startswith(("future", "modal")) or verb.base == "eat" and tense.startswith("present"):
        people = tuple(tag for tag in verb.subjects if tag in PEOPLE)
        return people or verb.subjects
    return verb.subjects


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
    bulky = what.word and fits(draw.noun[what.word], ("vehicle", "furniture", "painting"))
    unsaid = not keys or (verb.base in ("buy", "fix") and bulky)
    return EMPTY if unsaid else place(draw, draw.pick(keys))


def predicate(
    verb: Verb, what: Phrase, spot: Phrase, tense: str, agree: str, modal: str = ""
) -> Phrase:
    """Give verb, object and place: in English after the verb, in Chinese before it."""
    verb = fit(verb, what)
    form, chinese = verb.base, verb.chinese
    if tense == "past":
        form, chinese = verb.past, verb.done
    elif tense == "present" and agree == "he":
        form = verb.third
    elif tense.startswith("progressive"):
        form = verb.ing
    parts = {"v": gloss(f"{form}:{chinese}"), "o": what, "p": spot}
    if tense == "past":
        order = "{p}{v}了{o}"
        if verb.base in MOVED and is_definite(what):
            order = "{p}把{o}{v}了"
        elif verb.base == "see" and what.english in ACCUSATIVES:  # 看见你了
            order = "{p}{v}{o}了"
        return join("{v} {o} {p}", order, **parts)
    if tense == "present":
        return join("{v} {o} {p}", "{p}{v}{o}", **parts)
    # 正 and 没 lean on the 在 of a place; without a place they bring their own.
    inside = "" if spot.english else "在"
    auxiliary = {
        "past_not": "didn't:没",
        "present_not": f"{do(agree)}n't:不",
        "future": "will:会" if verb.base in FORETOLD else "will:要",
        "future_not": "won't:不会" if verb.base in FORETOLD else "won't:不",
        "modal": modal,
        "modal_not": modal,
        "progressive": f"{be(agree)}:正{inside}",
        "progressive_not": f"{be_not(agree)}:没{inside}",
    }[tense]
    return join("{a} {v} {o} {p}", "{a}{p}{v}{o}", a=auxiliary, **parts)


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
    acts = {*rest.english}
    if "week" in when.english:
        return not SMALL_ACTS & acts
    if "night" in when.english or "evening" in when.english:
        return not DAY_ACTS & acts
    return "morning" not in when.english or not {"sleep", "sleeps"} & acts
