"""Pairs about one word, decided far away, that need more than two templates (see far.py).

Brother and sister, what somebody bought and never wore or played, short and thin; and the table of
all pairs is read here.
"""

from collections.abc import Callable
from functools import partial

from .draw import Draw
from .far import LISTS, Pair, Parts, counted, family, twin
from .lexicon import MEN, WOMEN
from .phrase import join
from .registry import twins
from .tables import cells, tables

AGES, FIRST = ("older:大", "younger:小"), ("oldest:最大的", "youngest:最小的")


def picked(draw: Draw, name: str) -> list[str]:
    """Draw from a list whose entries have several parts."""
    return draw.pick(LISTS[name]).split(" / ")


# ---------------------------------------------------------------- brother and sister


def kins(word: str, deciders: tuple[str, str] = AGES) -> list[Parts]:
    """Give the two readings `k` of brother or sister with their deciders `x`."""
    words = zip(LISTS[word], deciders, strict=True)
    return [{"k": f"{word}:{chinese}", "x": decider} for chinese, decider in words]


def owner(draw: Draw, word: str, owners: str = "owners") -> Parts:
    """Draw whose brother it is; nobody speaks before a name ("Tom says Tom's brother")."""
    whose, me, own = picked(draw, owners)
    say = "" if "'s" in whose else draw.pick(LISTS["say"])
    return {"o": whose, "me": me, "own": own, "say": say}


def siblings(draw: Draw, word: str) -> Parts:
    """Draw a woman and a man: Mary is Tom's sister, Tom is Mary's brother."""
    woman, man = draw.pick(WOMEN), draw.pick(MEN)
    if word == "brother":
        return {"s": man, "o": f"{woman} 's:的", "me": "her:她"}
    return {"s": woman, "o": f"{man} 's:的", "me": "him:他"}


def at_home(draw: Draw, word: str) -> Parts:
    """Draw whose family has the children: at home, 我家."""
    parts = owner(draw, word)
    homes = {"home": parts["o"].replace("'s:的", "'s"), "at": parts["own"]}
    return parts | {place: f"{whose} family:家" for place, whose in homes.items()}


WHOSE = {"anybody": owner, "home": at_home, "mine": partial(owner, owners="my"), "named": siblings}


def compared(draw: Draw) -> tuple[tuple[str, str], str, str, Parts]:
    """Draw how two are compared, older than me or born before me: deciders, templates, parts."""
    if draw.chance(0.4):
        parts = {"y": draw.pick(LISTS["years"])}
        return AGES, "is {y} {x} {than} {me}", "{than}{me}{x}{y}", parts
    parts = {"y": draw.pick(LISTS["spans"]), "did": draw.pick(LISTS["events"])}
    return ("before:比/早", "after:比/晚"), "{did} {y} {x} {me}", "{x<}{me}{x>}{y}{did}", parts


def kin(draw: Draw, word: str, whose: str, english: str, chinese: str) -> Pair:
    """My brother is two years older/younger than me; the oldest of the children is my brother."""
    deciders, left, right, parts = FIRST, "", "", {"of": "of:里", "c": LISTS["children"]}
    if "{how}" in english:
        deciders, left, right, parts = compared(draw)
    parts |= WHOSE[whose](draw, word)
    if "{child}" in english:
        child = "boy:男孩" if word == "brother" else "girl:女孩"
        parts |= {"the": "the:那个", "child": child, "p": LISTS["near"]}
    english, chinese = english.replace("{how}", left), chinese.replace("{how}", right)
    return twin(draw, english, chinese, *kins(word, deciders), **parts)


def kin_exchanged(draw: Draw, word: str, english: str, chinese: str) -> Pair:
    """My brother is two years older than me but my sister is a year younger."""
    shared = owner(draw, word) | {"say": ""}
    shared |= {"y": draw.pick(LISTS["years"]), "less_by": draw.pick(LISTS["years"])}
    shared["than_me"] = f":比{shared['own'][-1]}"
    which = draw.pick([0, 1])
    shared["x"], shared["less"] = AGES[which], AGES[1 - which]
    other = "sister" if word == "brother" else "brother"
    found = [
        {"k": kins(one)[which]["k"], "z": kins(two)[1 - which]["k"]}
        for one, two in ((word, other), (other, word))
    ]
    return twin(draw, english, chinese, *found, **shared)


def kin_turned(draw: Draw, word: str, *templates: str) -> Pair:
    """My brother is older than I am (我哥哥...), I am older than my brother is (我比我弟弟大)."""
    whose, who, am = picked(draw, "turned")
    shared = {"o": whose, "s": who, "am": am, "than": "than:比"}
    shared |= {"say": draw.pick(LISTS["say"]), "y": draw.pick(LISTS["years"])}
    above, below = draw.pick([kins(word), kins(word)[::-1]])
    below["x"] = above["x"]
    return join(*templates[:2], **shared | above), join(*templates[2:], **shared | below)


# ---------------------------------------------------------------- wear, play, short


def things(draw: Draw, word: str) -> list[tuple[str, str]]:
    """Draw the readings of wear or play in any order, each with a thing."""
    readings = (reading.split(" / ") for reading in draw.two(LISTS[word]))
    return [(verb, draw.pick(LISTS[nouns])) for verb, nouns in readings]


def own_it(draw: Draw, word: str, english: str, chinese: str) -> Pair:
    """She bought a coat/hat last year, but she never wore it: ..., 但从来没穿过/戴过."""
    (who, he), (never, form) = picked(draw, f"{word}_it"), picked(draw, f"{word}_never")
    found = [
        {"v": f"{form}:{verb}", "n": counted("a:一*", noun)} for verb, noun in things(draw, word)
    ]
    times = LISTS["year"] if never.endswith("过") else LISTS["week"] + LISTS["year"]
    time = times[0] if len(times) == 1 else times
    return twin(draw, english, chinese, *found, s=who, he=he, never=never, t=time)


def own_two(draw: Draw, word: str, english: str, chinese: str) -> Pair:
    """She sold her coat and bought a hat but never wore it, and the two exchanged."""
    (who, her), (never, form) = picked(draw, f"{word}_two"), picked(draw, f"{word}_never")
    (verb, thing), (second_verb, second) = things(draw, word)
    found = [
        {"n": counted(her, thing), "m": counted("a:一*", second), "v": f"{form}:{second_verb}"},
        {"n": counted(her, second), "m": counted("a:一*", thing), "v": f"{form}:{verb}"},
    ]
    return twin(draw, english, chinese, *found, s=who, never=never)


def short_and(draw: Draw, word: str, english: str, chinese: str) -> Pair:
    """Tom noticed a short and thin boy/rope: 汤姆注意到了一个又矮又瘦的男孩/一根又短又细的绳子."""
    looks, feels, things = picked(draw, "looks")
    found = []
    for short, look, nouns in (("矮", looks, "little"), ("短", feels, things)):
        a, noun = counted("a:一*", draw.pick(LISTS[nouns])).split()
        found.append({"a": a, "v": f"{word}:{short}", "look": f"{look}的", "n": noun})
    looked = draw.pick(LISTS["looked"])
    times = LISTS["recent"] if "了" in looked else ""
    return twin(draw, english, chinese, *found, and_="and:又/又", looked=looked, t=times)


# ---------------------------------------------------------------- the table of all pairs

KINDS = {
    make.__name__: make for make in (kin, kin_exchanged, kin_turned, own_it, own_two, short_and)
}


def register(name: str, table: str) -> None:
    """Register a table for each of its words: two templates, or a function with its templates."""
    (first, *lines), words = table.splitlines(), name.partition("_")[0]
    (route, *row) = cells(first)[0]
    for word in words.split("+"):
        make = family(*row, lines) if lines else kind(word, *row)
        make.__name__ = name
        twins(word, route.split()[0], bag=route.endswith("order"))(make)


def kind(word: str, name: str, *arguments: str) -> Callable[[Draw], Pair]:
    """Give a function what its table says."""
    return lambda draw: KINDS[name](draw, word, *arguments)


for name, table in tables("far").items():
    register(name, table)
