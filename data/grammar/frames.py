"""Frames: sentences drawn by the rows of a table.

A row holds how often it comes, who is its subject, the verbs that it may have, and the English and
the Chinese with slots for the rest: {s} the subject, {v.past} the verb, {o} its object, {t.past} a
time ({t.past?}: perhaps), {like:喜欢} a word with its Chinese, {a_saw} a noun with a determiner.
"""

import re
from dataclasses import replace

from .clauses import actors, fit, predicate, suits, thing, where
from .draw import Draw
from .lexicon import CITIES, TOPICS, Noun, Verb
from .nouns import noun_phrase
from .people import a_subject, asked, does, name, somebody
from .phrase import EMPTY, Phrase, be, gloss, join
from .structures import her_own, someone

SLOT = re.compile(r"\{([\w']+)(?:\.(\w+))?(\??)(?::([^{}]*))?\}")
# slots that are one of some words
WORDS = {
    "now": ["", "now:现在"],
    "indoors": ["the kitchen:厨房", "the garden:花园", "the box:盒子"],
    "side": ["left:左边", "right:右边"],
    "never": ["", "never:从来没"],
    "degree": ["is :很", "is :很", "isn't:不", "is very:非常"],
    "lamp": "new:新 old:旧 expensive:贵 cheap:便宜".split(),
    "cold_drink": [f"{a} {n}" for a in ("cold:冷", "hot:热") for n in ("water:水", "milk:牛奶")],
    "device": "a car:汽车,a bike:自行车,a computer:电脑,a camera:相机,an umbrella:雨伞".split(","),
    "feeling": "tired:累 hungry:饿 busy:忙 happy:高兴".split(),
    "mood": "tired:累 hungry:饿 busy:忙".split(),
    "trouble": "tired:累 hungry:饿 busy:忙 happy:高兴 sad:难过".split(),
    # 累 and 饿 are new states, with 了.
    "state": ["tired:累了", "hungry:饿了", ":很 busy:忙", ":很 happy:高兴"],
    "drunk": "coffee:咖啡 tea:茶 water:水 milk:牛奶 juice:果汁".split(),
}
# The verb depends on its object, the time on everything.
ORDER = {"o": 0, "v": 1, "t": 3}
# slots that are a noun: my_umbrella is the umbrella, this umbrella...
KINDS = {"a": "a a a that", "one": "a", "the": "the the that", "my": "the the this that"}
HARD = "physics:物理 math:数学 history:历史 swimming:游泳 cooking:做饭 drawing:画画".split()
# what one has or has not done in one's life
LIVED = (
    "ridden:骑过 a horse:马,ridden:骑过 a bike:自行车,driven:开过 a truck:卡车,"
    "driven:开过 a car:汽车,played:弹过 the piano:钢琴,played:打过 tennis:网球"
).split(",")
VISITED = "museum zoo library hotel restaurant".split()
HEARD = {"song": ("hear", "heard:听过"), "story": ("hear", "heard:听过"), "film": ("", "seen:看过")}
SINGLE = "expensive heavy light new old big small hard long".split()


def frame(draw: Draw, table: str, subject: Phrase | None = None, most: int = 18) -> Phrase:
    """Draw a sentence by one row of a table: weight | who | verbs | English | Chinese."""
    lines = table.strip().replace("\n    ", " ").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
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
    slots = SLOT.findall(english)
    for key, arg, perhaps, words in sorted(slots, key=lambda found: ORDER.get(found[0], 2)):
        part = EMPTY
        if words or key in ("is", "has", "does"):
            part = gloss(f"{agreed(key, subject.agree)}:{words}")
        elif key != "s" and not (perhaps and draw.chance(0.6)):
            part = slot(draw, key, arg, verb, parts)
        parts.setdefault(key.replace("'", ""), part)
    template = SLOT.sub(lambda found: "{" + found[1].replace("'", "") + "}", english)
    return join(template.rstrip("?"), chinese, english[-1] == "?", **parts)


def frame_subject(draw: Draw, who: str, verb: Verb | None) -> Phrase:
    """Draw the subject of a frame: person, adult, asked, or a thing (the this: box bag)."""
    tags = actors(verb, "future") if verb else ("person",)
    if who in ("person", "asked"):
        return a_subject(draw, tags) if who == "person" else asked(draw, tags)
    if who in ("adult", "asked_adult"):
        return a_subject(draw, ("adult",)) if who == "adult" else asked(draw, ("adult",))
    if who in ("name", "who", "owner"):
        return {"name": name, "owner": someone}[who](draw) if who != "who" else gloss("who:谁")
    if who == "topic":
        return gloss(draw.pick(HARD))
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


def agreed(word: str, agree: str) -> str:
    """Give the form of is, has, doesn't, likes... for I, he or they."""
    if agree == "he":
        return word
    forms = {"is": be(agree), "isn't": "am_not" if agree == "I" else "aren't", "does": "do"}
    forms |= {"has": "have", "hasn't": "haven't", "doesn't": "don't"}
    return forms.get(word, word.removesuffix("s") if word in ("likes", "needs", "looks") else word)


def slot(draw: Draw, key: str, arg: str, verb: Verb | None, parts: dict[str, Phrase]) -> Phrase:
    """Draw what stands in a slot."""
    if key in WORDS or key in ("said", "single"):
        return a_word(draw, key, arg, parts["s"])
    if key in ("v", "o", "p", "t", "rest"):
        return of_verb(draw, key, arg, verb, parts)
    if key in ("liked", "him"):
        return (liked if key == "liked" else somebody)(draw, parts["s"])
    if key in ("kin", "lived"):
        parent = draw.noun[draw.pick("mother father grandmother")]
        return her_own(draw, parts["s"], parent) if key == "kin" else lived(draw)
    kinds, _, tag = key.partition("_")
    if kinds in ("few", "dozens"):
        return several(draw, tag, kinds, verb)
    noun = draw.noun_with(tag)
    phrase = noun_phrase(draw, noun, draw.pick(KINDS[kinds]))
    return phrase.relate("verb-object", verb.base if verb else "", noun.english)


def several(draw: Draw, tag: str, kinds: str, verb: Verb | None) -> Phrase:
    """Give three cats, or dozens: more than ten chairs."""
    noun = draw.pick([noun for noun in draw.nouns_with(tag) if noun.plural != "-"])
    while True:
        most = 99 if kinds == "dozens" else 6
        phrase = noun_phrase(draw, noun, "count", 0.15, colours=True, most=most)
        if kinds == "few" or phrase.chinese[1] != noun.measure:
            return phrase.relate("verb-object", verb.base if verb else "", noun.english)


def a_word(draw: Draw, key: str, arg: str, subject: Phrase) -> Phrase:
    """Draw one of some words, or an adjective for the subject; twice: as in 累不累."""
    word = draw.pick(WORDS[key] if key in WORDS else qualities(draw, subject.word, key))
    phrase = gloss(f"{word}/{word.partition(':')[2]}" if arg == "twice" else word)
    noun = "" if key in WORDS else subject.word
    return phrase.relate("adjective-noun", word.partition(":")[0], noun)


def of_verb(draw: Draw, key: str, arg: str, verb: Verb, parts: dict[str, Phrase]) -> Phrase:
    """Draw the verb, its object, place or time, or all but the time (rest)."""
    subject = parts["s"]
    if key == "v":
        verb = fit(verb, parts.get("o", EMPTY))
        chinese = verb.done if arg == "done" else verb.chinese
        chinese += f"/{chinese}" if arg == "twice" else ""
        habit = verb.third if subject.agree == "he" else verb.base
        forms = {"past": verb.past, "ing": verb.ing, "present": habit}
        return gloss(f"{forms.get(arg, verb.base)}:{chinese}")
    if key == "o":
        return thing(draw, verb, arg or "question", subject)
    if key == "p":
        return where(draw, verb, subject, parts.get("o", EMPTY))
    if key == "t":
        when = draw.time(arg)
        acts = replace(EMPTY, english=tuple(w for part in parts.values() for w in part.english))
        return when if suits(when, acts) else of_verb(draw, key, arg, verb, parts)
    what = thing(draw, verb, arg, subject) if verb.objects else EMPTY
    spot = where(draw, verb, subject, what) if draw.chance(0.25) else EMPTY
    return predicate(verb, what, spot, arg, subject.agree)


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
            return replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)
        return noun_phrase(draw, noun, "bare", 0.15, colours=True)
    noun = draw.noun_with("clothes", "work", "readable", "painting", "car", "bike", "camera")
    return noun_phrase(draw, noun, draw.pick("the this that"), 0.4, colours=True)


def lived(draw: Draw) -> Phrase:
    """Give been to Beijing, 去过北京; seen a fox; read this book."""
    way = draw.rng.random()
    if way < 0.4:
        goal = noun_phrase(draw, draw.noun_with(*VISITED), draw.pick("this that"), 0.0)
        return join("{v} to {g}", "{v}{g}", v="been:去过", g=draw.pick([goal, *CITIES]))
    if way < 0.62:
        return gloss(draw.pick(LIVED))
    noun = draw.noun_with("fox", "monkey", "tiger", "snake", "horse", "work", "readable")
    if "animal" in noun.tags:
        base, verb, what = "see", "seen:见过", gloss(f"a {noun.english}:{noun.chinese}")
    else:
        base, verb = HEARD.get(noun.english, ("read", "read:看过"))
        what = noun_phrase(draw, noun, draw.pick("this that the"), 0.4)
    return join("{v} {o}", "{v}{o}", v=verb, o=what.relate("verb-object", base, noun.english))
