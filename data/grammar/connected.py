"""Sentences that train does not hold: long connected ones, and two short ones joined."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

from helpers.text import tokenize

from .draw import Draw
from .lexicon import NAMES
from .people import name
from .phrase import Phrase, join
from .structures import did, doer, someone
from .two_clauses import ALL_THE_SAME

if TYPE_CHECKING:
    from .splits import Line

LONG: list[Callable] = []
LONGEST_HALF = 6  # English tokens
# Halves of one construction go together, of feelings those with the same verb.
ALIKE = ("progressive", "feeling", "still")
VERBS = ("love", "miss")
PRONOUNS = ("he", "she", "they")  # who would be taken for the first one
# which say what is not, or what goes with nothing
APART = frozenset("'t not never now you like likes has have at in works work lives live".split())
CAPITAL = frozenset(name.partition(":")[0] for name in NAMES) | {"I"}


# what one does at home, later and earlier
AT_HOME = [
    ("watch:看 a film:电影", "watched:看 :了 a:一部 film:电影"),
    ("read:看 a:一本 new:新 book:书", "wrote:写 :了 a:一个 story:故事"),
    ("cook:做饭", "drank:喝 :了 two:两 cups:杯 of tea:茶"),
    ("clean:打扫 the kitchen:厨房", "cleaned:打扫 :了 the kitchen:厨房"),
    ("write:写 a:一个 story:故事", "fixed:修好 :了 that:那辆 old:旧 bike:自行车"),
]
WEATHER = ["it rains:下雨", "it snows:下雪", "it:天气 is :很 cold:冷", "it:天气 is :很 hot:热"]
PLACES = ["the park:公园", "the museum:博物馆", "the zoo:动物园", "the supermarket:超市"]
# a thing, how it is got, and why
WHICH = [
    ("the:那栋 house:房子", "sold:卖", "bought:买下来", "cheap:便宜 big:大 beautiful:漂亮"),
    ("the:那辆 car:汽车", "sold:卖", "bought:买下来", "cheap:便宜 new:新 comfortable:舒服"),
    ("the:那本 book:书", "wrote:写", "borrowed:借走", "interesting:有趣 famous:有名"),
    ("the:那把 guitar:吉他", "fixed:修好", "borrowed:借走", "beautiful:漂亮"),
]


def long(make: Callable) -> Callable:
    """Register a function that draws a long sentence."""
    LONG.append(make)
    return make


@long
def doer_and_reason(draw: Draw) -> Phrase:
    """Because it was raining, the man who bought the car stayed at home and cooked."""
    weather = draw.pick(["it was raining:下雨 :了", "it was snowing:下雪 :了"])
    parts = {"w": "because:因为/所以", "r": weather, "d": doer(*did(draw)[:2])}
    parts["h"] = "stayed:待 at:在 home:家里"
    rest = draw.pick(AT_HOME)[1]
    return join("{w} {r}, {d} {h} and {m}", "{w<}{r}，{w>}{d}{h}{m}", m=rest, **parts)


@long
def doer_all_the_same(draw: Draw) -> Phrase:
    """Although it was raining, the man who bought the car still went to the park."""
    parts = {"w": "although:虽然/但", "s": "still:还是"}
    parts |= {"r": draw.pick(ALL_THE_SAME), "d": doer(*did(draw)[:2])}
    rest = join("{v} to {p}", "{v}了{p}", v="went:去", p=draw.pick(PLACES))
    return join("{w} {r}, {d} {s} {m}", "{w<}{r}，{w>}{d}{s}{m}", m=rest, **parts)


@long
def two_conditions(draw: Draw) -> Phrase:
    """If it rains tomorrow and Tom is busy, we will stay at home and watch a film."""
    one = join("{r} {t}", "{t}{r}", r=draw.pick(WEATHER), t="tomorrow:明天")
    who, state = name(draw), draw.pick(["busy:忙", "tired:累"])
    two = join("{a} {s} is {q}", "{s}{a}很{q}", a="and:又", s=who, q=state)
    main = {"s": draw.pick(["we:我们", "I:我", "they:他们"]), "m": draw.pick(AT_HOME)[0]}
    parts = {"i": "if:如果/就", "a": one, "b": two, "h": "stay:待 at:在 home:家里"} | main
    return join("{i} {a} {b}, {s} will {h} and {m}", "{i<}{a}，{b}，{s}{i>}{h}{m}", **parts)


@long
def thing_and_reason(draw: Draw) -> Phrase:
    """Tom bought the house that my father sold last week because it was very cheap."""
    what, act, got, why = draw.pick(WHICH)
    one, other = name(draw), someone(draw)
    while other.chinese[:1] == one.chinese[:1]:
        other = someone(draw)
    when = draw.pick(["last:上 week:周", "last:去 year:年"])
    clause = join("{s} {v} {t}", "{s}{t}{v}", s=other, v=act, t=when)
    which = join("{n} that {c}", "{c}的{n}", n=what, c=clause)
    parts = {"w": "because:因为/所以", "s": one, "v": got, "o": which, "a": draw.pick(why)}
    english, chinese = "{s} {v} {o} {w} it was {d} {a}", "{w<}{o}{d}{a}，{w>}{s}把它{v}了"
    return join(english, chinese, d="very:非常", **parts)


@long
def at_home_with_a_book(draw: Draw) -> Phrase:
    """If it rains tomorrow, we will stay at home and read the book that Tom bought yesterday."""
    act = draw.pick(["bought:买", "borrowed:借", "found:找到"])
    when = draw.pick(["last:上 week:周", "yesterday:昨天", "this:今天 morning:早上"])
    clause = join("{s} {v} {t}", "{s}{t}{v}", s=someone(draw), v=act, t=when)
    noun = draw.pick(["book:书", "magazine:杂志"])
    book = join("{n} that {c}", "{c}的{n}", n="the:那本 " + noun, c=clause)
    one = join("{r} {t}", "{t}{r}", r=draw.pick(WEATHER), t="tomorrow:明天")
    parts = {"i": "if:如果/就", "a": one, "s": draw.pick(["we:我们", "I:我"]), "b": book}
    parts |= {"h": "stay:待 at:在 home:家里", "v": "read:看"}
    return join("{i} {a}, {s} will {h} and {v} {b}", "{i<}{a}，{s}{i>}{h}{v}{b}", **parts)


def phrase_of(line: "Line") -> Phrase:
    """Read a line of a file as a phrase again, without its capital and its final mark."""
    english = tokenize(line.english, lowercase=False)
    chinese = tokenize(line.chinese)
    if english[-1] in ".?":
        english, chinese = english[:-1], chinese[:-1]
    if english[0] not in CAPITAL:
        english[0] = english[0].lower()
    links = (tuple(map(int, link.split("-"))) for link in line.alignment.split())
    kept = tuple((i, j) for i, j in links if i < len(english) and j < len(chinese))
    return Phrase(tuple(english), tuple(chinese), kept)


def halves_of(train: list["Line"]) -> dict[tuple[str, ...], list[Phrase]]:
    """List the short statements of train that say what is, by what they are alike in."""
    halves = defaultdict(list)
    for line in train:
        phrase = phrase_of(line)
        short = len(phrase.english) <= LONGEST_HALF and not {*"，？吗"} & {*line.chinese}
        if line.construction in ALIKE and short and not APART & {*phrase.english}:
            verbs = [verb for verb in VERBS if any(verb in word for word in phrase.english)]
            if not verbs or line.construction == "feeling":
                halves[line.construction, *verbs].append(phrase)
    return halves


def join_halves(train: list["Line"], rng: Random) -> Iterator[Phrase]:
    """Join two short sentences of train that are alike: what two people do, like, or did."""
    groups = list(halves_of(train).values())
    for _ in range(100_000):
        first, second = rng.sample(rng.choice(groups), 2)
        clear = second.english[0] not in (first.english[0], *PRONOUNS)
        if clear and first.chinese[-1] != second.chinese[-1]:
            yield join("{a}, and {b}", "{a}，{b}", a=first, b=second)
