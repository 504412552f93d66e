"""Pairs about one word, decided far away, that are no family of tables/far.txt (see far.py).

Brother and sister, what somebody bought and never wore or played, and pairs whose sentences hold
the same words in another order.
"""

from collections.abc import Callable
from functools import partial, wraps

from .draw import Draw
from .far import LISTS, Pair, Parts, counted, twin
from .lexicon import MEN, NAMES, PRONOUNS, WOMEN
from .phrase import join
from .registry import twins
from .tables import cells, tables

THE, A = "the:那*", "a:一*"


def pronoun(subject: str) -> str:
    """Give the pronoun that takes a subject up: he for Tom, she for my mother, I for I."""
    if subject in LISTS["pronouns"]:
        return subject.split(":")[0]
    return "he" if subject in MEN or "father" in subject else "she"


def her(subject: str) -> str:
    """Give his or her for a man or a woman."""
    return "his" if pronoun(subject) == "he" else "her"


def of_each(words: str, route: str, bag: bool = False) -> Callable:
    """Register a function for each of some words; it is told which."""

    def register(make: Callable[[Draw, str], Pair]) -> Callable:
        for word in words.split():
            twins(word, route, bag)(wraps(make)(partial(make, word=word)))
        return make

    return register


# ---------------------------------------------------------------- brother and sister

# whose brother, who is compared with him, and the owner taken up again
MY, YOUR, HIS, HER = OWNERS = [
    (f"{my}:{who}", f"{me}:{who}", f"{my}:{who}") for _, me, my, who, _ in PRONOUNS[:4]
]
NAMED = [(f"{name} 's:的", *(HIS if name in MEN else HER)[1:]) for name in NAMES]
OLDER, YOUNGER = AGES = "older:大", "younger:小"
FIRST = "oldest:最大的", "youngest:最小的"


def kins(word: str, deciders: tuple[str, str] = AGES) -> list[Parts]:
    """Give the two readings `k` of brother or sister with their deciders `x`."""
    words = zip(LISTS[word], deciders, strict=True)
    return [{"k": f"{word}:{chinese}", "x": decider} for chinese, decider in words]


def owner(draw: Draw, word: str, owners: list[tuple[str, str, str]] = OWNERS + NAMED) -> Parts:
    """Draw whose brother it is; nobody speaks before a name ("Tom says Tom's brother")."""
    whose, me, own = draw.pick(owners)
    return {"o": whose, "me": me, "own": own, "say": "" if "'s" in whose else draw.pick(SAY)}


def siblings(draw: Draw, word: str) -> Parts:
    """Draw a woman and a man: Mary is Tom's sister, Tom is Mary's brother."""
    woman, man = draw.pick(WOMEN), draw.pick(MEN)
    if word == "brother":
        return {"s": man, "o": f"{woman} 's:的", "me": "her:她"}
    return {"s": woman, "o": f"{man} 's:的", "me": "him:他"}


SAY, YEARS = LISTS["say"], LISTS["years"]
WHOSE = {"all": owner, "pronoun": partial(owner, owners=OWNERS), "name": siblings}


def compared(draw: Draw) -> tuple[tuple[str, str], str, str, Parts]:
    """Draw how two are compared, older than me or born before me: deciders, templates, parts."""
    if draw.chance(0.4):
        return AGES, "is {y} {x} {than} {me}", "{than}{me}{x}{y}", {"y": draw.pick(YEARS)}
    parts = {"y": draw.pick(LISTS["spans"]), "did": draw.pick(LISTS["events"])}
    return ("before:比/早", "after:比/晚"), "{did} {y} {x} {me}", "{x<}{me}{x>}{y}{did}", parts


def kin_row(draw: Draw, word: str, whose: str, english: str, chinese: str) -> Pair:
    """Fill a row of the table of brothers and sisters."""
    deciders, left, right, parts = FIRST, "", "", {"of": "of:里", "c": LISTS["children"]}
    if "{how}" in english:
        deciders, left, right, parts = compared(draw)
    parts |= WHOSE[whose](draw, word)
    if "{p}" in english:
        child = "boy:男孩" if word == "brother" else "girl:女孩"
        parts |= {"the": "the:那个", "child": child, "p": LISTS["near"]}
    english, chinese = english.replace("{how}", left), chinese.replace("{how}", right)
    return twin(draw, english, chinese, *kins(word, deciders), **parts)


for route, whose, english, chinese in cells(tables("far_words")["kin"]):
    filled = partial(kin_row, whose=whose, english=english, chinese=chinese)
    of_each("brother sister", route)(wraps(kin_row)(filled))


@of_each("brother sister", "after", bag=True)
def kin_exchanged(draw: Draw, word: str) -> Pair:
    """My brother is two years older than me but my sister is a year younger."""
    fixed = owner(draw, word) | {"say": "", "y": draw.pick(YEARS), "less_by": draw.pick(YEARS)}
    which = draw.pick([0, 1])
    fixed["x"], fixed["less"] = AGES if which == 0 else AGES[::-1]
    found = [
        {"k": kins(one)[which]["k"], "z": kins(two)[1 - which]["k"]}
        for one, two in (("brother", "sister"), ("sister", "brother"))
    ]
    english = "{say} {o} {k} is {y} {x} {than} {me} {but} {own} {z} is {less_by} {less}"
    chinese = "{say}{o}{k}{than}{me}{x}{y}，{but}{own}{z}比" + fixed["own"][-1] + "{less}{less_by}"
    found = found if word == "brother" else found[::-1]
    return twin(draw, english, chinese, *found, **fixed)


@of_each("brother sister", "after", bag=True)
def kin_turned(draw: Draw, word: str) -> Pair:
    """My brother is older than I am (我哥哥...), I am older than my brother is (我比我弟弟大)."""
    whose, who, am = draw.pick([("my:我", "I:我", "am"), ("your:你", "you:你", "are")])
    shared = {"o": whose, "s": who, "am": am, "than": "than:比"}
    shared |= {"say": draw.pick(SAY), "y": draw.pick(YEARS)}
    above, below = draw.pick([kins(word), kins(word)[::-1]])
    below["x"] = above["x"]
    one = "{say} {o} {k} is {y} {x} {than} {s} {am}", "{say}{o}{k}{than}{s}{x}{y}"
    two = "{say} {s} {am} {y} {x} {than} {o} {k} is", "{say}{s}{than}{o}{k}{x}{y}"
    return join(*one, **shared | above), join(*two, **shared | below)


# ---------------------------------------------------------------- know, and what one owns


@twins("know", "before", bag=True)
def know_recalled(draw: Draw) -> Pair:
    """Tom liked the singer but didn't know the song: 汤姆喜欢那位歌手，但不知道那首歌."""
    person, fact = (counted(THE, noun) for noun in draw.pick(LISTS["known"]).split())
    found = [
        {"n": person, "m": fact, "v": "know:知道"},
        {"n": fact, "m": person, "v": "know:认识"},
    ]
    english, chinese = "{s} {did} {n} {but} {neg} {v} {m}", "{s}{did}{n}，{but}{neg}{v}{m}"
    return twin(draw, english, chinese, *found, did=LISTS["recalled"], neg="didn't:不")


def things(draw: Draw, word: str) -> list[tuple[str, str]]:
    """Draw the readings of wear or play in any order, each with a thing."""
    readings = (reading.split() for reading in draw.two(LISTS[word]))
    return [(verb, draw.pick(LISTS[nouns])) for verb, nouns in readings]


@of_each("wear play", "before")
def own_it(draw: Draw, word: str) -> Pair:
    """She bought a coat/hat last year, but she never wore it: ..., 但从来没穿过/戴过."""
    who = draw.pick(LISTS[f"{word}_it"])
    never, form = draw.pick(LISTS[f"{word}_never"]).split()
    found = [{"v": f"{form}:{verb}", "n": counted(A, noun)} for verb, noun in things(draw, word)]
    year, week = "last:去 year:年", *LISTS["week"]
    time = year if never.endswith("过") else draw.pick([week, year])
    english = "{s} {got} {n} {t}, {but} {he} {never} {v} it"
    chinese = "{s}{t}{got}了{n}，{but}{never<}{v}{never>}"
    return twin(draw, english, chinese, *found, s=who, he=pronoun(who), never=never, t=time)


@of_each("wear", "before", bag=True)
def own_two(draw: Draw, word: str) -> Pair:
    """She sold her coat and bought a hat but never wore it, and the two exchanged."""
    who = draw.pick(LISTS[f"{word}_two"])
    never, form = draw.pick(LISTS[f"{word}_never"]).split()
    one, two = things(draw, word)
    found = [
        {"n": counted(her(who), old), "m": counted(A, new), "v": f"{form}:{verb}"}
        for (_, old), (verb, new) in ((one, two), (two, one))
    ]
    english = "{s} {sold} {n} and {bought} {m} {but} {never} {v} it"
    chinese = "{s}把{n}{sold}了，{bought}了{m}，{but}{never<}{v}{never>}"
    return twin(draw, english, chinese, *found, s=who, never=never)


# ---------------------------------------------------------------- letter, bank, short, play


@twins("letter", "before", bag=True)
def letter_and(draw: Draw) -> Pair:
    """She wrote a letter on the plane and a poem on the blackboard, and the two exchanged."""
    surface, travel = draw.pick(LISTS["surfaces"]), draw.pick(LISTS["travels"])
    found = [
        {"n": "a:一封 letter:信", "x": travel, "y": surface},
        {"n": "a:一个 letter:字母", "x": surface, "y": travel},
    ]
    english = "{s} {wrote} {n} {on} {x} and {m} {on2} {y}"
    chinese = "{s}{on<}{x}{on>}{wrote}了{n}，{on2<}{y}{on2>}写了{m}"
    fixed = {"m": draw.pick(["a:一首 poem:诗", "a:一句 sentence:话"]), "wrote": "wrote:写"}
    on = "on:在/上 the"
    return twin(draw, english, chinese, *found, s=LISTS["thrice"], on=on, on2=on, **fixed)


of_each("play", "before", bag=True)(own_two)  # here, since the words share the pairs in this order


@twins("bank", "before")
def bank_keep(draw: Draw) -> Pair:
    """This is the bank where Tom keeps his ducks/gold: 这就是汤姆养鸭子的河边/存黄金的银行."""
    who = draw.pick(LISTS["keepers"])
    found = []
    for bank, kept in (("河边", "raised"), ("银行", "stored")):
        keeps, what = draw.pick(LISTS[kept]).split()
        found.append({"n": f"the bank:{bank}", "s": who, "x": f"{keeps} {her(who)} {what}"})
    english, chinese = "{lead} {n} where {s} {x}", "{lead<}{s}{x}的{n}{lead>}"
    return twin(draw, english, chinese, *found, lead=LISTS["leads"])


@twins("short", "after")
def short_and(draw: Draw) -> Pair:
    """Tom noticed a short and thin boy/rope: 汤姆注意到了一个又矮又瘦的男孩/一根又短又细的绳子."""
    looks, feels, things = draw.pick(LISTS["looks"]).split()
    found = []
    for short, look, nouns in (("矮", looks, "little"), ("短", feels, things)):
        a, noun = counted(A, draw.pick(LISTS[nouns])).split()
        found.append({"a": a, "v": f"short:{short}", "look": f"{look}的", "n": noun})
    english = "{s} {looked} {a} {v} {and_} {look} {n} {t}"
    chinese = "{s}{t}{looked}{a}{and_<}{v}{and_>}{look}{n}"
    looked = draw.pick(LISTS["looked"])
    times = LISTS["recent"] if "了" in looked else ""
    return twin(draw, english, chinese, *found, and_="and:又/又", looked=looked, t=times)


@twins("play", "before")
def play_best(draw: Draw) -> Pair:
    """The piano/violin is the instrument Tom plays best: 钢琴是汤姆弹得最好的乐器."""
    who = draw.pick(LISTS["subjects"])
    form = "play" if pronoun(who) in ("I", "we", "they") else "plays"
    readings = (reading.split() for reading in LISTS["play"])
    found = [
        {"v": f"{form}:{verb}", "n": counted("the", draw.pick(LISTS[nouns]))}
        for verb, nouns in readings
    ]
    english, chinese = "{n} {be} the {what} that {s} {v} {best}", "{n}{be}{s}{v}得{best}的{what}"
    best = ["best:最好", "most:最多"]
    return twin(draw, english, chinese, *found, what="instrument:乐器", s=who, best=best)
