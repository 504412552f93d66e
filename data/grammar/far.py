"""Pairs of sentences about one word with two readings, decided by one word far away.

Both English sentences are the same but for the decider, which stands in another phrase; Chinese
writes the reading before anything depends on the decider (route "after") or behind it ("before").
In the tables an entry is a gloss; where its Chinese begins with a measure word, `counted` parts
the two: ``coat:件大衣`` is a:一件 coat:大衣. This file holds the tools, brother and sister, know,
visit and wear; the other words are in far_more.py.
"""

from collections.abc import Callable, Sequence
from functools import partial, wraps

from .draw import Draw
from .lexicon import CITIES, MEN, NAMES, WOMEN
from .phrase import Phrase, join
from .registry import twins

Pair = tuple[Phrase, Phrase]
# what may fill a part of a template: one gloss, or several to draw from
Slot = str | Sequence[str | Phrase]
Parts = dict[str, str]
# the two readings (or more) of a word, each with its deciders
Readings = Sequence[tuple[str, str | list[str]]]
# never, and the form of the verb behind it
Nevers = list[tuple[str, str]]

PRONOUNS = ["I:我", "he:他", "she:她", "we:我们", "they:他们"]
PARENTS = ["my:我 mother:妈妈", "my:我 father:爸爸"]
SUBJECTS = [*NAMES, *PRONOUNS, *PARENTS]
LADIES = [*WOMEN, "she:她", PARENTS[0], "his:他 wife:妻子", "her:她 daughter:女儿"]
RECENT = ["yesterday:昨天", "last:昨 night:晚", "this:今天 morning:早上"]
WEEK = "last:上 week:周"
SAY = ["", *[f"{name} says:说" for name in NAMES]]
THE, A = "the:那*", "a:一*"
RANKS = ["the first:第一*", "the last:最后一*"]
# the parts of a template that need no other choice: a gloss, or glosses to draw from
SLOTS = {"s": SUBJECTS, "t": RECENT, "say": SAY, "than": "than:比", "be": "is:是", "but": "but:但"}
SLOTS |= {"got": ["bought:买", "borrowed:借", "received:收到"], "too": ["too:太/了", "very:很/"]}
SLOTS |= {"bought": "bought:买", "sold": "sold:卖", "found": "found:找到"}


def twin(
    draw: Draw, english: str, chinese: str, first: Parts, second: Parts, **slots: Slot
) -> Pair:
    """Fill two templates twice; `first` and `second` hold what differs, SLOTS what isn't given."""
    shared = {
        name: options if isinstance(options, str) else draw.pick(options)
        for name, options in (SLOTS | slots).items()
        if name not in first
    }
    asked = chinese.endswith("吗")
    one, two = (join(english, chinese, asked, **shared, **parts) for parts in (first, second))
    return one, two


def places(*entries: str) -> list[Phrase]:
    """Build places; Chinese has the preposition behind: "under:下面 the table:桌子" is 桌子下面."""
    found = []
    for entry in entries:
        preposition, _, noun = entry.partition(" ")
        chinese = "{in_<}{n}{in_>}" if "/" in preposition else "{n}{in_}"
        found.append(join("{in_} {n}", chinese, in_=preposition, n=noun))
    return found


def counted(determiner: str, entry: str) -> str:
    """Put a determiner before a noun: ("a:一*", "coat:件大衣") gives "a:一件 coat:大衣"."""
    word, _, chinese = entry.partition(":")
    return f"{determiner.replace('*', chinese[0])} {word}:{chinese[1:]}"


def options(draw: Draw, readings: Readings, such: str, form: str = "") -> list[Parts]:
    """Draw a decider for each reading.

    A verb `v` in some form is decided by its noun `n` (wear a coat 穿, a hat 戴), a noun `n` by
    some word `x` (a hungry mouse 老鼠, a broken one 鼠标). such: what stands before the noun.
    """
    drawn = [(word, draw.pick(deciders)) for word, deciders in readings]
    if form:
        return [{"v": f"{form}:{verb}", "n": counted(such, noun)} for verb, noun in drawn]
    return [{"n": counted(such, noun), "x": decider} for noun, decider in drawn]


def family(
    name: str,
    route: str,
    readings: Readings,
    such: list[str],
    english: str,
    chinese: str,
    form: str = "",
    **slots: Slot,
) -> None:
    """Register a function that fills two templates with `options`; it is named by its word."""

    def make(draw: Draw) -> Pair:
        found = options(draw, readings, draw.pick(such), form)
        return twin(draw, english, chinese, *found, **slots)

    make.__name__ = name
    twins(name.split("_")[0], route)(make)


def pronoun(subject: str) -> str:
    """Give the pronoun that takes a subject up: he for Tom, she for my mother, I for I."""
    if subject in PRONOUNS:
        return subject.split(":")[0]
    return "he" if subject in MEN or subject == PARENTS[1] else "she"


def owned(word: str, subjects: list[str], readings: Readings, nevers: Nevers) -> None:
    """Register a function of what somebody bought and never wore."""

    @twins(word, "before")
    def own_it(draw: Draw) -> Pair:
        """She bought a coat/hat last year, but she never wore it: ..., 但从来没穿过/戴过."""
        times = [WEEK, "last:去 year:年"]
        who, (never, form) = draw.pick(subjects), draw.pick(nevers)
        found = options(draw, draw.two(readings), A, form)
        english = "{s} {got} {n} {t}, {but} {he} {never} {v} it"
        chinese = "{s}{t}{got}了{n}，{but}{never<}{v}{never>}"
        fixed = {"s": who, "he": pronoun(who), "never": never}
        fixed["t"] = times[1] if never[-1] == "过" else draw.pick(times)
        return twin(draw, english, chinese, *found, **fixed)


def exchanged(word: str, names: list[str], readings: Readings, nevers: Nevers) -> None:
    """Register a function of two such things, one sold and one bought."""

    @twins(word, "before", bag=True)
    def own_two(draw: Draw) -> Pair:
        """She sold her coat and bought a hat but never wore it, and the two exchanged."""
        who, (never, form) = draw.pick(names), draw.pick(nevers)
        his = "his" if who in MEN else "her"
        one, two = ((verb, draw.pick(entries)) for verb, entries in draw.two(readings))
        found = [
            {"n": counted(his, old), "m": counted(A, new), "v": f"{form}:{verb}"}
            for (_, old), (verb, new) in ((one, two), (two, one))
        ]
        english = "{s} {sold} {n} and {bought} {m} {but} {never} {v} it"
        chinese = "{s}把{n}{sold}了，{bought}了{m}，{but}{never<}{v}{never>}"
        return twin(draw, english, chinese, *found, s=who, never=never)


SIDES = ["on the left:左边", "on the right:右边", "over_there:那边"]
SIDES += places("in:上 the photo:照片")

# --- brother and sister ---

# the one before me in years, the one behind, and the child that a stranger sees
KIN = {"brother": ("哥哥", "弟弟", "boy:男孩"), "sister": ("姐姐", "妹妹", "girl:女孩")}
# whose brother, who is compared with him, and the owner taken up again
OWNERS = [("my:我", "me:我", "my:我"), ("your:你", "you:你", "your:你")]
OWNERS += [("his:他", "him:他", "his:他"), ("her:她", "her:她", "her:她")]
OWNERS += [(f"{name} 's:的", "him:他", "his:他") for name in MEN]
OWNERS += [(f"{name} 's:的", "her:她", "her:她") for name in WOMEN]
SPANS = [f"{number} years:年" for number in "two:两 three:三 four:四 five:五 six:六".split()]
SPANS += ["a:一 year:年"]
YEARS = [span.replace("年", "岁") for span in SPANS] + ["much:得多", "a_little:一点"]
EVENTS = ["was born:出生", "started_school:上学"]
NUMBERS = "three:三个 four:四个 five:五个 six:六个 seven:七个"
NEAR = ["", "over_there:那边", "outside:外面"]
CHILDREN = [f"{number} children:孩子" for number in NUMBERS.split()]
OLDER, YOUNGER, FIRST = "older:大", "younger:小", ("oldest:最大的", "youngest:最小的")


def both(route: str, bag: bool = False) -> Callable:
    """Register a function for brother and for sister; it is told which."""

    def register(make: Callable[[Draw, str], Pair]) -> Callable:
        for kin in KIN:
            twins(kin, route, bag)(wraps(make)(partial(make, kin=kin)))
        return make

    return register


def kins(kin: str, older: str = OLDER, younger: str = YOUNGER) -> list[Parts]:
    """Give the two readings `k` of brother or sister with their deciders `x`."""
    return [{"k": f"{kin}:{KIN[kin][0]}", "x": older}, {"k": f"{kin}:{KIN[kin][1]}", "x": younger}]


def owner(draw: Draw, owners: list[tuple[str, str, str]] = OWNERS) -> Parts:
    """Draw whose brother it is; nobody speaks before a name ("Tom says Tom's brother")."""
    whose, me, own = draw.pick(owners)
    return {"o": whose, "me": me, "own": own, "say": "" if "'s" in whose else draw.pick(SAY)}


def compared(draw: Draw, kin: str) -> tuple[str, str, list[Parts], Parts]:
    """Draw how two are compared, older than me or born before me: templates, readings, parts."""
    if draw.chance(0.4):
        how = "is {y} {x} {than} {me}", "{than}{me}{x}{y}"
        return *how, kins(kin), {"y": draw.pick(YEARS)}
    how = "{did} {y} {x} {me}", "{x<}{me}{x>}{y}{did}"
    parts = {"y": draw.pick(SPANS), "did": draw.pick(EVENTS)}
    return *how, kins(kin, "before:比/早", "after:比/晚"), parts


@both("after")
def kin_older(draw: Draw, kin: str) -> Pair:
    """My brother is two years older/younger than me: 我哥哥比我大两岁/我弟弟比我小两岁."""
    english, chinese, found, parts = compared(draw, kin)
    english, chinese = "{say} {o} {k} " + english, "{say}{o}{k}" + chinese
    return twin(draw, english, chinese, *found, **parts, **owner(draw))


@both("before")
def kin_there(draw: Draw, kin: str) -> Pair:
    """The boy who is older/younger than me is my brother: 那个比我大/小的男孩是我哥哥/弟弟."""
    english, chinese, found, parts = compared(draw, kin)
    english = "{the} {child} {p} who " + english + " {be} {o} {k}"
    chinese = "{p}{the}" + chinese + "的{child}{be}{o}{k}"
    parts |= {"the": "the:那个", "child": KIN[kin][2], **owner(draw, OWNERS[:4])}
    return twin(draw, english, chinese, *found, p=NEAR, **parts)


@both("after")
def kin_named(draw: Draw, kin: str) -> Pair:
    """Mary is Tom's sister and is a year older/younger than him: 玛丽是汤姆的姐姐，比他大一岁."""
    english, chinese, found, parts = compared(draw, kin)
    english, chinese = "{s} {be} {o} {k} and " + english, "{s}{be}{o}{k}，" + chinese
    sister, brother = draw.pick(WOMEN), draw.pick(MEN)
    parts |= {"s": sister, "o": brother + " 's:的", "me": "him:他"}
    if kin == "brother":
        parts |= {"s": brother, "o": sister + " 's:的", "me": "her:她"}
    return twin(draw, english, chinese, *found, **parts)


@both("after")
def kin_first(draw: Draw, kin: str) -> Pair:
    """Her sister is the oldest/youngest of the four children: 她姐姐/妹妹是四个孩子里最大的."""
    english, chinese = "{say} {o} {k} {be} the {x} {of} the {c}", "{say}{o}{k}{be}{c}{of}{x}"
    return twin(draw, english, chinese, *kins(kin, *FIRST), c=CHILDREN, of="of:里", **owner(draw))


@both("before")
def kin_last(draw: Draw, kin: str) -> Pair:
    """The oldest/youngest of the four children is her sister: 四个孩子里最大的是她姐姐."""
    english, chinese = "{say} the {x} {of} the {c} {be} {o} {k}", "{say}{c}{of}{x}{be}{o}{k}"
    return twin(draw, english, chinese, *kins(kin, *FIRST), c=CHILDREN, of="of:里", **owner(draw))


@both("after", bag=True)
def kin_exchanged(draw: Draw, kin: str) -> Pair:
    """My brother is two years older than me but my sister is a year younger."""
    fixed = owner(draw) | {"say": "", "y": draw.pick(YEARS), "less_by": draw.pick(YEARS)}
    which = draw.pick([0, 1])
    fixed["x"], fixed["less"] = (OLDER, YOUNGER) if which == 0 else (YOUNGER, OLDER)
    found = [
        {"k": f"{one}:{KIN[one][which]}", "z": f"{two}:{KIN[two][1 - which]}"}
        for one, two in (("brother", "sister"), ("sister", "brother"))
    ]
    english = "{say} {o} {k} is {y} {x} {than} {me} {but} {own} {z} is {less_by} {less}"
    chinese = "{say}{o}{k}{than}{me}{x}{y}，{but}{own}{z}比" + fixed["own"][-1] + "{less}{less_by}"
    found = found if kin == "brother" else found[::-1]
    return twin(draw, english, chinese, *found, **fixed)


@both("after", bag=True)
def kin_turned(draw: Draw, kin: str) -> Pair:
    """My brother is older than I am (我哥哥...), I am older than my brother is (我比我弟弟大)."""
    whose = draw.pick([("my:我", "I:我", "am"), ("your:你", "you:你", "are")])
    shared = dict(zip(("o", "s", "am"), whose, strict=True))
    shared |= {"than": "than:比", "say": draw.pick(SAY), "y": draw.pick(YEARS)}
    above, below = draw.pick([kins(kin), kins(kin)[::-1]])
    below["x"] = above["x"]
    one = "{say} {o} {k} is {y} {x} {than} {s} {am}", "{say}{o}{k}{than}{s}{x}{y}"
    two = "{say} {s} {am} {y} {x} {than} {o} {k} is", "{say}{s}{than}{o}{k}{x}{y}"
    return join(*one, **shared | above), join(*two, **shared | below)


# --- know ---

# who knows, or doesn't (with know behind), and who alone (with knows)
KNOWERS = ["they:他们 don't:不", "we:我们 don't:不", "we:我们 all:都", "you:你 don't:不"]
KNOWERS += ["I:我 don't:不", *[f"{name} doesn't:不" for name in NAMES]]
ALONE = ["everyone:大家都", *[f"only:只有 {name}" for name in NAMES]]
ASKED = ["do you:你", "do they:他们", "does your:你 mother:妈妈"]
ASKED += ["does his:他 father:爸爸", *[f"does {name}" for name in NAMES]]
PAGES = ["this:这一", "that:那一", "the first:第一", "the next:下一", "the last:最后一"]
PAGES = places(*[f"on:上 {which} page:页" for which in PAGES])
PEOPLE = "teacher:位老师 doctor:位医生 nurse:位护士 writer:位作家 singer:位歌手 manager:位经理"
PEOPLE += " driver:位司机 student:个学生"
FACTS = "number:个号码 address:个地址 answer:个答案 rule:条规则 story:个故事 song:首歌"
FACTS += " restaurant:家餐馆"
OTHERS = ["the other:另一*", *RANKS]
KNOW = [("认识", PEOPLE), ("知道", FACTS)]

# do you know the other singer/price on this page: 你认识/知道这一页上的另一位歌手吗
ask = "{s} {v} {n} {p}", "{s}{v}{p}的{n}吗"
family("know_ask", "after", KNOW, OTHERS, *ask, "know", s=ASKED, p=PAGES)
# Tom doesn't know the first doctor/rule on this page: 汤姆不认识/知道这一页上的第一...
say = "{s} {v} {n} {p}", "{s}{v}{p}的{n}"
family("know_not", "after", KNOW, OTHERS, *say, "know", s=KNOWERS, p=PAGES)
# there is one singer/song on this page that only Tom knows: 这一页上有一位歌手，只有汤姆认识
one = "there {has} {n} {p} that {s} {v}", "{p}{has}{n}，{s}{v}"
family("know_one", "before", KNOW, ["one:一*"], *one, "knows", s=ALONE, p=PAGES, has="is:有")
more = {"s": KNOWERS, "p": PAGES, "has": "is:还有"}
family("know_another", "before", KNOW, ["another:一*"], *one, "know", **more)


OF_SOMEBODY = [("singer:位歌手", "song:首歌"), ("writer:位作家", "story:个故事")]
OF_SOMEBODY += [("manager:位经理", "restaurant:家餐馆"), ("doctor:位医生", "hospital:家医院")]
RECALLED = ["remembered:记得", "liked:喜欢", "had heard_of:听说过"]


@twins("know", "before", bag=True)
def know_recalled(draw: Draw) -> Pair:
    """Tom liked the singer but didn't know the song: 汤姆喜欢那位歌手，但不知道那首歌."""
    person, fact = (counted(THE, entry) for entry in draw.pick(OF_SOMEBODY))
    found = [
        {"n": person, "m": fact, "v": "know:知道"},
        {"n": fact, "m": person, "v": "know:认识"},
    ]
    english, chinese = "{s} {did} {n} {but} {neg} {v} {m}", "{s}{did}{n}，{but}{neg}{v}{m}"
    return twin(draw, english, chinese, *found, did=RECALLED, neg="didn't:不")


# --- visit ---

CITY = [*places("in:里 the city:城", "in:上 this:这个 town:镇"), *[f"in {city}" for city in CITIES]]
HOSTS = "writer:位作家 singer:位歌手 teacher:位老师 doctor:位医生 manager:位经理 cook:位厨师"
HOSTS += " painter:位画家 professor:位教授"
SIGHTS = "museum:座博物馆 school:所学校 library:座图书馆 zoo:家动物园 garden:座花园"
SIGHTS += " church:座教堂 university:所大学 palace:座宫殿"
VISIT = [("拜访", HOSTS), ("参观", SIGHTS)]
WISHES = ["will:要", "must:必须", "should:应该", "can:可以"]
SOON = ["tomorrow:明天", "today:今天", ""]
MANY = ["everyone wants_to:大家都想", "we:我们 all:都 want_to:想"]
MANY += [f"{some} people:人 want_to:想" for some in ("many:很多", "some:有些")]
MANY += [f"{name} wants_to:想" for name in NAMES]
OF_IT = ["famous:有名", "popular:受欢迎", "important:重要", "interesting:有趣"]
VERY = ["very:很", "also:也 :很"]
VISITED = [RECENT[0], RECENT[2], WEEK]
MOST = [f"the most:最 {of_it}的" for of_it in OF_IT[:2] + OF_IT[3:]]
SUCH = [f"one:一* :很 {of_it}的" for of_it in OF_IT] + ["one:一*"]

# we will visit the most famous writer/museum in the city: 我们要拜访/参观城里最有名的...
most = "{s} {w} {v} {n} {p} {t}", "{s}{t}{w}{v}{p}{n}"
family("visit_most", "after", VISIT, MOST, *most, "visit", w=WISHES, p=CITY, t=SOON)
# the writer/museum that we visited last week is very famous: 我们上周拜访/参观的那...
last = "{n} that {s} {v} {t} is {very} {x}", "{s}{t}{v}的{n}{very}{x}"
OF_THEM = {"very": VERY, "x": OF_IT}
family("visit_last", "after", VISIT, [THE, *RANKS], *last, "visited", t=VISITED, **OF_THEM)
# there is one famous writer/museum in Paris that everyone wants to visit: ...大家都想去拜访/参观
all_want = "there {has} {n} {p} that {s} {v}", "{p}{has}{n}，{s}去{v}"
family("visit_all", "before", VISIT, SUCH, *all_want, "visit", s=MANY, p=CITY, has="is:有")

# --- wear ---

GARMENTS = "coat:件大衣 skirt:条裙子 shirt:件衬衫 sweater:件毛衣 dress:条连衣裙 jacket:件夹克"
ORNAMENTS = "hat:顶帽子 watch:块手表 ring:枚戒指 scarf:条围巾 necklace:条项链 helmet:个头盔"
WEAR = [("穿", GARMENTS), ("戴", ORNAMENTS)]
LOOK = ["old:旧", "expensive:贵", "beautiful:漂亮", "cheap:便宜", "ugly:难看"]
VERY_OLD = [f"a:一* very:很 {look}的" for look in LOOK]
NEVER = [("never:从来没/过", "wore"), ("won't:不愿意/", "wear"), ("didn't:没/过", "wear")]
SPOTS = ["on:上 the bed:床", "on:上 the chair:椅子", "in:里 the box:盒子", "in:里 the bag:包"]
SPOTS = places(*SPOTS)
BAD = ["old:旧", "dirty:脏", "small:小", "big:大", "ugly:难看"]

# she wore a very old coat/hat yesterday: 她昨天穿了一件很旧的大衣/戴了一顶很旧的帽子
very = "{s} {v} {n} {t}", "{s}{t}{v}了{n}"
family("wear_very", "after", WEAR, VERY_OLD, *very, "wore", s=LADIES)
# the coat/hat that she wore yesterday was very old: 她昨天穿的那件大衣很旧
was = "{n} that {s} {v} {t} was {how} {x}", "{s}{t}{v}的{n}{how}{x}"
family("wear_was", "after", WEAR, [THE], *was, "wore", s=LADIES, how=VERY, x=LOOK)
# the coat/hat on the bed is too old to wear: 床上那件大衣太旧了，没法穿
bad = "{say} {n} {p} is {too} {x} {to} {v}", "{say}{p}{n}{too<}{x}{too>}，{to}{v}"
TOO = {"too": "too:太/了", "to": "to:没法"}
family("wear_bad", "before", WEAR, [THE], *bad, "wear", p=SPOTS, x=BAD, **TOO)
owned("wear", LADIES, WEAR, NEVER)
exchanged("wear", WOMEN, WEAR, NEVER)
