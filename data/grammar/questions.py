"""Questions: 吗 and A不A, 谁, 什么, 哪里, 什么时候, 为什么, 怎么, 几; tags, 呢 and 怎么样.

Nearly all are drawn from the frames in tables/questions.txt (see frames.py).
"""

from dataclasses import replace

from .clauses import actors, thing, where
from .draw import Draw
from .frames import frame, register, say
from .lexicon import NAMES
from .nouns import described, noun_phrase
from .people import asked, does
from .phrase import EMPTY, Phrase, gloss
from .registry import construction
from .tables import tables

TABLES = tables("questions")
ME = replace(gloss("I:我"), agree="I")


register("questions", "yes_no", "who_what", "where_when", "why_how")


@construction(4)
def how_many(draw: Draw) -> Phrase:
    """How many books did you buy (你买了几本书): 几 with its measure; how much: 多少."""
    if draw.chance(0.35):
        return frame(draw, TABLES["how_much"])
    verb, owns = draw.verb_of("buy buy see draw eat wash"), draw.chance(0.4)
    tags = {"wash": ("dish", "apple"), "see": ("animal",)}.get(verb.base, verb.objects)
    noun = draw.counted_noun(*(("lost", "shirt", "pet", "bike") if owns else tags))
    what = described(draw, noun, True, 0.2 if owns else 0.0, colours=True)
    what = say("{h} {n}", h=f"how_many:几{noun.measure}", n=what)
    subject = asked(draw, actors(verb, "future"), known=owns)
    if owns:
        return say("{o} {does} {s} {have:有}?", "{s}{have}{o}", s=subject, o=what)
    what = what.relate("verb-object", verb.base, noun.english)
    parts = {"s": does(subject, verb.base), "v": f"{verb.base}:{verb.done}", "o": what}
    parts["t"] = draw.perhaps_time("past", 0.4)
    return say("{o} did {s} {v} {t}?", "{s}{t}{v}了{o}", **parts)


register("questions", "a_not_a")


@construction(1)
def tag_question(draw: Draw) -> Phrase:
    """You are tired, right (你累了，对吗); he likes tea, I guess (他喜欢茶吧)."""
    said = frame(draw, TABLES["stated"], most=16)
    if said.english[0] == "you" or "了" in said.chinese or draw.chance(0.5):
        return say("{s}, {right:对吗}?", "{s}，{right}", s=said)
    return say("{s}, {I_guess:吧}", "{s}{I_guess}", s=said)


@construction(1)
def and_you(draw: Draw) -> Phrase:
    """I am hungry, and you (我饿了，你呢); my mother is fine, and yours (你妈妈呢)."""
    way = draw.pick("I I I names names kin thing")
    if way == "names":
        first, other = draw.two(NAMES)
        said = frame(draw, TABLES["stated"], gloss(first), most=16)
        return say("{s}, but {what_about:呢} {o}?", "{s}，{o}{what_about}", s=said, o=other)
    if way == "I":
        said, other = frame(draw, TABLES["stated"], ME, most=16), "you:你"
    else:
        said, other = (my_family if way == "kin" else my_thing)(draw)
    return say("{s}, and {o}?", "{s}，{o}呢", s=said, o=other)


def my_family(draw: Draw) -> tuple[Phrase, str]:
    """Give my mother is fine, and yours."""
    word = draw.noun[draw.pick("mother father son daughter wife husband grandmother")]
    mine = gloss(f"my:我 {word.english}:{word.chinese}")
    fine = say("{s} is {fine:好}", "{s}很{fine}", s=mine)
    said = fine if draw.chance(0.8) else frame(draw, TABLES["stated"], mine, most=16)
    return said, f"yours:你{word.chinese}"


def my_thing(draw: Draw) -> tuple[Phrase, str]:
    """Give my car is expensive, and yours."""
    noun = draw.noun_with("device", "clothes", "vehicle", "bag", "umbrella", "house")
    word = draw.pick([a for a in draw.after[noun.english] if a.english not in "dirty new"])
    parts = {"n": f"{noun.english}:{noun.chinese}", "a": f"{word.english}:{word.after}"}
    return say("{my:我的} {n} is {a}", "{my}{n}很{a}", **parts), "yours:你的"


@construction(0.5)
def how_about(draw: Draw) -> Phrase:
    """How about going to the park tomorrow (明天去公园怎么样); how about this watch."""
    if draw.chance(0.35):
        noun = draw.noun_with("clothes", "headwear", "device", "furniture", "painting")
        what = noun_phrase(draw, noun, draw.pick("this that"), 0.5, colours=True)
        return say("{how_about:怎么样} {o}?", "{o}{how_about}", o=what)
    verb = draw.verb_of("go go go watch swim fish cook")
    what = thing(draw, verb, "future") if verb.objects else EMPTY
    while {"hospital", "station", "school", "hotel", "some"} & {*what.english}:
        what = thing(draw, verb, "future")
    spot = where(draw, verb, EMPTY, what) if verb.base in ("swim", "fish") else EMPTY
    parts = {"v": f"{verb.ing}:{verb.chinese}", "o": what, "p": spot}
    parts["t"] = draw.pick(["", "tomorrow:明天", "this:今天 evening:晚上"])
    return say("{how_about:怎么样} {v} {o} {p} {t}?", "{t}{p}{v}{o}{how_about}", **parts)
