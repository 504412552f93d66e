"""What a learner of translation meets every day: also, still, please, with somebody, the weather.

Most of it is in tables/everyday.txt; here is what needs more than a row.
"""

from .draw import Draw
from .nouns import noun_phrase
from .phrase import Phrase
from .rows import drawn, register, rows, slots, women
from .tables import cells, tables

TABLES = tables("everyday")
SUPERLATIVES = dict(cells(TABLES["superlatives"]))


def most(draw: Draw) -> Phrase:
    """Draw what is the cheapest, or who likes tea best."""
    if draw.chance(0.3):
        return drawn(draw, TABLES["most_liked"])
    noun = draw.noun_with("clothes", "headwear", "device", "furniture", "bike", "guitar", "house")
    fitting = [word for word in draw.after[noun.english] if word.english in SUPERLATIVES]
    if not fitting:
        return most(draw)
    word = draw.pick(fitting)
    ending = SUPERLATIVES[word.english] + word.after
    which = draw.pick(["this:这", "that:那", "which:哪"]) + noun.measure
    given = {"most": ending, "best": ending + "的", "which": which}
    given |= {"thing": f"{noun.english}:{noun.chinese}", "one": f"the:那{noun.measure}"}
    table = "<which> <thing> is the <most> ?" if "which" in which else TABLES["most"]
    return drawn(draw, table, **given).relate("adjective-noun", word.english, noun.english)


def from_to(draw: Draw) -> Phrase:
    """Draw a way between two cities of one country."""
    start, goal = draw.two(draw.pick([slots()["city"][:2], slots()["city"][2:]]))
    return drawn(draw, TABLES["from_to"], start=start, goal=goal)


def topics(draw: Draw) -> Phrase:
    """Draw what is said of a thing that is named first."""
    done, nouns, verb = draw.pick(cells(TABLES["done"]))
    one, other = draw.two(draw.pick([slots()["drink"], slots()["food"][:5]]))
    noun = draw.noun[draw.pick(nouns)]
    thing = noun_phrase(draw, noun, draw.pick(["that", "this", "the"]), 0.3)
    thing = thing.relate("verb-object", verb, noun.english)
    return drawn(draw, TABLES["topics"], it=thing, done=done, this_one=one, other=other)


def they_women(draw: Draw) -> Phrase:
    """Draw what is said of several women: 她们."""
    return drawn(draw, TABLES["they_women"], women=women(draw))


def is_not(draw: Draw) -> Phrase:
    """Draw what something is not, and perhaps what it is."""
    who, kinds = draw.pick(cells(TABLES["kinds"]))
    first, second = draw.two(rows(kinds))
    table = TABLES["is_not" if draw.chance(0.5) else "not_but"]
    return drawn(draw, table.replace("<this>", who), first=first, second=second)


def weather(draw: Draw) -> Phrase:
    """Draw the weather, here or in two cities."""
    start, goal = draw.two(slots()["city"])
    return drawn(draw, TABLES["weather"], start=start, goal=goal)


def expressions(draw: Draw) -> Phrase:
    """Draw what is said to somebody, or the shortest sentences of all."""
    return drawn(draw, TABLES["to_somebody" if draw.chance(0.85) else "expressions"])


register("everyday", most, from_to, topics, they_women, is_not, weather, expressions)
