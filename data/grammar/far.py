"""Pairs of sentences about one word with two readings, decided by one word far away.

Both English sentences are the same but for the decider, which stands in another phrase; Chinese
writes the reading before anything depends on the decider (route "after") or behind it ("before").
In the tables an entry is a gloss; where its Chinese begins with a measure word, `counted` parts
the two: ``coat:件大衣`` is a:一件 coat:大衣. This file holds the tools, brother and sister, know,
visit and wear; the other words are in far_more.py.
"""

from collections.abc import Callable
from functools import wraps

from .draw import Draw
from .lexicon import CITIES, MEN, NAMES, WOMEN
from .phrase import Phrase, join
from .registry import twins

Pair = tuple[Phrase, Phrase]
Parts = dict[str, str]

PRONOUNS = ["I:我", "he:他", "she:她", "we:我们", "they:他们"]
SUBJECTS = [*NAMES, *PRONOUNS, "my:我 mother:妈妈", "my:我 father:爸爸", "my:我 uncle:叔叔"]
LADIES = [*WOMEN, "she:她", "my:我 mother:妈妈", "my:我 aunt:阿姨", "his:他 wife:妻子"]
RECENT = ["yesterday:昨天", "last:上 week:周", "last:昨 night:晚", "this:今天 morning:早上"]
EARLIER = ["last:上 week:周", "last:去 year:年", "last:上个 month:月"]
PAST = [*RECENT, *EARLIER[1:]]
SAY = ["", *[f"{name} says:说" for name in NAMES]]
THE, A = "the:那*", "a:一*"
THERE = [("there is:有", "one:一*"), ("there is:还有", "another:一*")]
RANKS = ["the first:第一*", "the second:第二*", "the third:第三*", "the last:最后一*"]
# the parts of a template that need no other choice: a gloss, or glosses to draw from
SLOTS = {
    "s": SUBJECTS,
    "t": PAST,
    "say": SAY,
    "but": "but:但",
    "than": "than:比",
    "be": "is:是",
    "found": "found:找到",
    "sold": "sold:卖",
    "bought": "bought:买",
    "got": ["bought:买", "found:捡到", "received:收到"],
    "too": ["too:太/了", "very:很/", "quite:相当/"],
}


def twin(
    draw: Draw, english: str, chinese: str, first: Parts, second: Parts, **slots: str | list[str]
) -> Pair:
    """Fill two templates twice; `first` and `second` hold what differs, SLOTS what isn't given."""
    shared = {
        name: options if isinstance(options, str) else draw.pick(options)
        for name, options in (SLOTS | slots).items()
        if name not in first
    }
    asked = chinese.endswith(("吗", "{how}"))
    one, two = (join(english, chinese, asked, **shared, **parts) for parts in (first, second))
    return one, two


def counted(determiner: str, entry: str) -> str:
    """Put a determiner before a noun: ("a:一*", "coat:件大衣") gives "a:一件 coat:大衣"."""
    word, _, chinese = entry.partition(":")
    return f"{determiner.replace('*', chinese[0])} {word}:{chinese[1:]}"


def by_noun(draw: Draw, such: str, form: str, readings: list[tuple[str, str]]) -> list[Parts]:
    """Draw the noun `n` that gives the word `v` its reading: coat 穿, hat 戴."""
    return [
        {"v": f"{form}:{verb}", "n": counted(such, draw.pick(entries))}
        for verb, entries in readings
    ]


def by_word(draw: Draw, such: str, readings: list[tuple[str, str]]) -> list[Parts]:
    """Draw the word `x` that tells what the noun `n` is: hungry 老鼠, broken 鼠标."""
    return [{"n": counted(such, noun), "x": draw.pick(deciders)} for noun, deciders in readings]


def pronoun(subject: str) -> str:
    """Give the pronoun that takes a subject up: he for Tom, she for my mother, I for I."""
    if subject in PRONOUNS:
        return subject.split(":")[0]
    return "he" if subject in MEN or subject.endswith(("爸爸", "叔叔")) else "she"


# --- brother and sister ---

# the one before me in years, the one behind, and the child that a stranger sees
KIN = {
    "brother": ("brother:哥哥", "brother:弟弟", "boy:男孩"),
    "sister": ("sister:姐姐", "sister:妹妹", "girl:女孩"),
}
# whose brother, who is compared with him, and the owner taken up again
OWNERS = [("my:我", "me:我", "my:我"), ("your:你", "you:你", "your:你")]
OWNERS += [("his:他", "him:他", "his:他"), ("her:她", "her:她", "her:她")]
OWNERS += [(f"{name} 's:的", "him:他", "his:他") for name in MEN]
OWNERS += [(f"{name} 's:的", "her:她", "her:她") for name in WOMEN]
HOLDERS = [("I:我", "am", "my:我"), ("you:你", "are", "your:你")]
HOLDERS += [(name, "is", "his:他") for name in [*MEN, "he:他"]]
HOLDERS += [(name, "is", "her:她") for name in [*WOMEN, "she:她"]]
YEARS = [
    "a:一 year:岁",
    "two:两 years:岁",
    "three:三 years:岁",
    "four:四 years:岁",
    "five:五 years:岁",
]
YEARS += [
    "six:六 years:岁",
    "seven:七 years:岁",
    "ten:十 months:个月",
    "much:得多",
    "a_little:一点",
]
SPANS = [years.replace("岁", "年") for years in YEARS[:8]]
AGES = """
five:五 six:六 seven:七 eight:八 nine:九 ten:十 eleven:十一 twelve:十二 thirteen:十三
fourteen:十四 fifteen:十五 sixteen:十六 seventeen:十七 eighteen:十八
""".split()
PLACES = ["over there:那边", "in front:前面", "on stage:台上", ""]
BIRTHS = [("before:比/早", "after:比/晚"), ("earlier_than:比/早", "later_than:比/晚")]
OLDER, YOUNGER = "older:大", "younger:小"


def both(route: str, bag: bool = False) -> Callable:
    """Register a function for brother and for sister; it is told which."""

    def register(make: Callable[[Draw, str], Pair]) -> Callable:
        for kin in KIN:

            @wraps(make)
            def make_one(draw: Draw, kin: str = kin) -> Pair:
                return make(draw, kin)

            twins(kin, route, bag)(make_one)
        return make

    return register


def kins(kin: str, older: str = OLDER, younger: str = YOUNGER) -> list[Parts]:
    """Give the two readings `k` of brother or sister with their deciders `x`."""
    return [{"k": KIN[kin][0], "x": older}, {"k": KIN[kin][1], "x": younger}]


def owner(draw: Draw, owners: list[tuple[str, str, str]] = OWNERS) -> Parts:
    """Draw whose brother it is; nobody speaks before a name ("Tom says Tom's brother")."""
    whose, me, own = draw.pick(owners)
    return {"o": whose, "me": me, "own": own, "say": "" if "'s" in whose else draw.pick(SAY)}


def holder(draw: Draw) -> Parts:
    """Draw who has a brother, as a subject."""
    return dict(zip(("s", "am", "o"), draw.pick(HOLDERS), strict=True))


@both("after")
def kin_older(draw: Draw, kin: str) -> Pair:
    """My brother is two years older/younger than me: 我哥哥比我大两岁/我弟弟比我小两岁."""
    english, chinese = "{say} {o} {k} is {y} {x} {than} {me}", "{say}{o}{k}{than}{me}{x}{y}"
    return twin(draw, english, chinese, *kins(kin), y=YEARS, **owner(draw))


@both("after")
def kin_born(draw: Draw, kin: str) -> Pair:
    """My brother was born a year before/after me: 我哥哥比我早出生一年/我弟弟比我晚出生一年."""
    english, chinese = "{say} {o} {k} was {b} {y} {x} {me}", "{say}{o}{k}{x<}{me}{x>}{b}{y}"
    birth = kins(kin, *draw.pick(BIRTHS))
    return twin(draw, english, chinese, *birth, y=SPANS, b="born:出生", **owner(draw))


@both("after")
def kin_first(draw: Draw, kin: str) -> Pair:
    """Her sister is the oldest/youngest of the four children: 她姐姐/妹妹是四个孩子里最大的."""
    english, chinese = "{say} {o} {k} {be} the {x} of the {c}", "{say}{o}{k}{be}{c}里{x}"
    child = draw.pick("three:三个 four:四个 five:五个 six:六个") + " children:孩子"
    place = kins(kin, "oldest:最大的", "youngest:最小的")
    return twin(draw, english, chinese, *place, c=child, **owner(draw))


@both("after")
def kin_below(draw: Draw, kin: str) -> Pair:
    """Tom is two years younger/older than his brother: 汤姆比他哥哥小两岁/汤姆比他弟弟大两岁."""
    english, chinese = "{s} {am} {y} {x} {than} {o} {k}", "{s}{than}{o}{k}{x}{y}"
    return twin(draw, english, chinese, *kins(kin, YOUNGER, OLDER), y=YEARS, **holder(draw))


@both("after")
def kin_soon(draw: Draw, kin: str) -> Pair:
    """I am ten years old and my brother will soon be twelve/eight: 我十岁，我哥哥快十二岁了."""
    english = "{s} {am} {age} {old} and {o} {k} will {soon} be {x}"
    chinese = "{s}{age}{old}，{o}{k}{soon}{x}了"
    age = draw.rng.randrange(3, len(AGES) - 4)
    ages = AGES[age + draw.pick([2, 3, 4])] + "岁", AGES[age - draw.pick([1, 2, 3])] + "岁"
    fixed = {"age": AGES[age], "old": "years_old:岁", "soon": "soon:快", **holder(draw)}
    return twin(draw, english, chinese, *kins(kin, *ages), **fixed)


@both("before")
def kin_age(draw: Draw, kin: str) -> Pair:
    """I am ten/twelve years old and my brother is eleven: 我十岁，我哥哥/我十二岁，我弟弟十一岁."""
    english, chinese = "{s} {am} {x} {old} and {o} {k} is {age}", "{s}{x}{old}，{o}{k}{age}"
    age = draw.rng.randrange(3, len(AGES) - 3)
    ages = AGES[age - draw.pick([1, 2, 3])], AGES[age + draw.pick([1, 2, 3])]
    fixed = {"age": AGES[age] + "岁", "old": "years_old:岁", **holder(draw)}
    return twin(draw, english, chinese, *kins(kin, *ages), **fixed)


@both("before")
def kin_there(draw: Draw, kin: str) -> Pair:
    """The boy who is a year older/younger than me is my brother: 那个比我大一岁的男孩是我哥哥."""
    english = "{the} {child} {p} who is {y} {x} {than} {me} {be} {o} {k}"
    chinese = "{p}{the}{than}{me}{x}{y}的{child}{be}{o}{k}"
    fixed = {"the": "the:那个", "child": KIN[kin][2], **owner(draw, OWNERS[:4])}
    return twin(draw, english, chinese, *kins(kin), y=YEARS, p=PLACES, **fixed)


@both("before")
def kin_named(draw: Draw, kin: str) -> Pair:
    """Mary is a year older/younger than Tom and she is his sister: 玛丽比汤姆大一岁，是他姐姐."""
    english, chinese = (
        "{s} is {y} {x} {than} {z} and {he} {be} {o} {k}",
        "{s}{than}{z}{x}{y}，{be}{o}{k}",
    )
    fixed = {"s": draw.pick(WOMEN), "z": draw.pick(MEN), "he": "she", "o": "his:他"}
    if kin == "brother":
        fixed |= {"s": fixed["z"], "z": fixed["s"], "he": "he", "o": "her:她"}
    return twin(draw, english, chinese, *kins(kin), y=YEARS, **fixed)


@both("after", bag=True)
def kin_exchanged(draw: Draw, kin: str) -> Pair:
    """My brother is older than me but my sister is younger: 我哥哥比我大，但我妹妹比我小."""
    fixed = owner(draw, OWNERS[:4])
    fixed["y"] = "" if fixed["say"] else draw.pick([*YEARS, ""])
    which = draw.pick([0, 1])
    fixed["x"], fixed["less"] = (OLDER, YOUNGER) if which == 0 else (YOUNGER, OLDER)
    readings = [
        {"k": KIN[one][which], "z": KIN[two][1 - which]}
        for one, two in (("brother", "sister"), ("sister", "brother"))
    ]
    return twin(
        draw,
        "{say} {o} {k} is {y} {x} {than} {me} {but} {own} {z} is {less}",
        "{say}{o}{k}{than}{me}{x}{y}，{but}{own}{z}比" + fixed["own"][-1] + "{less}",
        *(readings if kin == "brother" else readings[::-1]),
        but=["but:但", "and"],
        **fixed,
    )


@both("after", bag=True)
def kin_turned(draw: Draw, kin: str) -> Pair:
    """My brother is older than I am (我哥哥...), I am older than my brother is (我比我弟弟大)."""
    keys = "o", "s", "am"
    whose = draw.pick([("my:我", "I:我", "am"), ("your:你", "you:你", "are")])
    shared = dict(zip(keys, whose, strict=True))
    shared |= {"than": "than:比", "say": draw.pick(SAY), "y": draw.pick(YEARS)}
    above, below = draw.pick([kins(kin), kins(kin)[::-1]])
    shared["x"] = above.pop("x")
    below["x"] = shared["x"]
    one = "{say} {o} {k} is {y} {x} {than} {s} {am}", "{say}{o}{k}{than}{s}{x}{y}"
    two = "{say} {s} {am} {y} {x} {than} {o} {k} is", "{say}{s}{than}{o}{k}{x}{y}"
    return join(*one, **shared | above), join(*two, **shared | below)


# --- know ---

# who knows or doesn't, in the form of the verb that follows
KNOWERS = ["I:我 don't:不", "they:他们 don't:不", "we:我们 don't:不", "we:我们 all:都"]
KNOWERS += [f"{name} doesn't:不" for name in NAMES]
ALONE = ["nobody:没有人", *[f"only:只有 {name}" for name in NAMES]]
ASKED = ["do you:你", "do they:他们", "do your:你 friends:朋友", "does your:你 mother:妈妈"]
ASKED += ["does his:他 father:爸爸", *[f"does {name}" for name in NAMES]]
PAGES = ["in this:这本 book:书里", "in this:这本 magazine:杂志里", "on this:这 page:一页上"]
PAGES += ["on the first:第一 page:页上", "on the last:最后一 page:页上"]
PEOPLE = """
teacher:位老师 doctor:位医生 nurse:位护士 writer:位作家 singer:位歌手 manager:位经理 driver:位司机
cook:位厨师 lawyer:位律师 painter:位画家 professor:位教授 actor:位演员 student:个学生
"""
FACTS = """
answer:个答案 name:个名字 number:个号码 address:个地址 password:个密码 date:个日期 price:个价格
title:个标题 rule:条规则 result:个结果 plan:个计划 secret:个秘密
"""
CAN_FIND = "answer:个答案 number:个号码 address:个地址 password:个密码 name:个名字"
OTHERS = ["the other:另一*", *RANKS[1:]]
KNOW = [("认识", PEOPLE), ("知道", FACTS)]


def knower(draw: Draw) -> tuple[str, str]:
    """Draw who knows or doesn't, and the form of the verb behind."""
    return (draw.pick(KNOWERS), "know") if draw.chance(0.5) else (draw.pick(ALONE), "knows")


@twins("know", "after")
def know_ask(draw: Draw) -> Pair:
    """Do you know the other singer/price in this book? 你认识/知道这本书里的另一位歌手吗."""
    readings = by_noun(draw, draw.pick(OTHERS), "know", KNOW)
    return twin(draw, "{s} {v} {n} {p}", "{s}{v}{p}的{n}吗", *readings, s=ASKED, p=PAGES)


@twins("know", "after")
def know_say(draw: Draw) -> Pair:
    """Only Tom knows the second doctor/rule on this page: 只有汤姆认识/知道这一页上的第二..."""
    who, form = knower(draw)
    readings = by_noun(draw, draw.pick(OTHERS), form, KNOW)
    return twin(draw, "{s} {v} {n} {p}", "{s}{v}{p}的{n}", *readings, s=who, p=PAGES)


@twins("know", "before")
def know_there(draw: Draw) -> Pair:
    """There is one singer/secret in this book only Tom knows: 这本书里有一位歌手只有汤姆认识."""
    who, form = knower(draw)
    there, one = draw.pick(THERE)
    readings = by_noun(draw, one, form, KNOW)
    english, chinese = "{there} {n} {p} that {s} {v}", "{p}{there}{n}{s}{v}"
    return twin(draw, english, chinese, *readings, s=who, p=PAGES, there=there)


@twins("know", "before")
def know_many(draw: Draw) -> Pair:
    """How many of these doctors/rules do you know? 这些医生你认识几位/这些规则你知道几条."""
    readings = []
    for verb, entries in KNOW:
        word, _, chinese = draw.pick(entries).partition(":")
        noun = word + ("es:" if word.endswith("s") else "s:") + chinese[1:]
        readings.append({"n": noun, "v": "know:" + verb, "how": "how_many:几" + chinese[0]})
    english, chinese = "{how} of {d} {n} {s} {v}", "{d}{n}{s}{v}{how}"
    return twin(draw, english, chinese, *readings, s=ASKED, d=["these:这些", "those:那些"])


@twins("know", "before", bag=True)
def know_found(draw: Draw) -> Pair:
    """Tom found the writer but didn't know the address: 汤姆找到了那位作家，但不知道那个地址."""
    who = draw.pick(SUBJECTS)
    person, fact = counted(THE, draw.pick(PEOPLE)), counted(THE, draw.pick(CAN_FIND))
    return twin(
        draw,
        "{s} {found} {n} {but} {he} {neg} {v} {m}",
        "{s}{found}了{n}，{but}{neg}{v}{m}",
        {"n": person, "m": fact, "v": "know:知道"},
        {"n": fact, "m": person, "v": "know:认识"},
        s=who,
        he=pronoun(who),
        neg="didn't:不",
    )


# --- visit ---

CITY = ["in the city:城里", "in this:这个 town:镇上", "in our:我们 town:镇上"]
CITY += ["in " + city for city in CITIES]
HOSTS = """
writer:位作家 singer:位歌手 judge:位法官 teacher:位老师 painter:位画家 professor:位教授
cook:位厨师 scientist:位科学家 musician:位音乐家 poet:位诗人 actor:位演员 lawyer:位律师
"""
SIGHTS = """
museum:座博物馆 school:所学校 library:座图书馆 zoo:家动物园 factory:家工厂 garden:座花园
temple:座寺庙 palace:座宫殿 castle:座城堡 university:所大学 church:座教堂 gallery:家美术馆
"""
VISIT = [("拜访", HOSTS), ("参观", SIGHTS)]
WISHES = ["will:要", "must:必须", "should:应该", "can:可以"]
SOON = ["tomorrow:明天", "next:下 week:周", "this:今天 afternoon:下午", ""]
GUESTS = ["students:学生", "tourists:游客", "foreigners:外国人", "young:年轻 people:人"]
GUESTS += ["journalists:记者", "artists:艺术家"]
OFTEN = ["often:常", "sometimes:有时", "always:总"]
MANY = ["everyone wants_to:大家都想", "many:很多 people:人 want_to:想"]
MANY += ["all students want_to:学生都想", "we:我们 all:都 want_to:想"]
OF_IT = ["famous:有名", "popular:受欢迎", "important:重要", "special:特别", "quiet:安静"]
FAMOUS, MOST = " famous:有名的", "the most:最 famous:有名的"


@twins("visit", "after")
def visit_famous(draw: Draw) -> Pair:
    """We will visit the most famous writer/museum in the city: 我们要拜访/参观城里最有名的..."""
    readings = by_noun(draw, MOST, "visit", VISIT)
    english, chinese = "{s} {w} {v} {n} {p} {t}", "{s}{t}{w}{v}{p}{n}"
    return twin(draw, english, chinese, *readings, w=WISHES, p=CITY, t=SOON)


@twins("visit", "after")
def visit_which(draw: Draw) -> Pair:
    """The writer/museum that we visited last week is very famous: 我们上周拜访的那位作家很有名."""
    which = draw.pick([THE, "the other:另一*", "the second:第二*", "the first:第一*"])
    readings = by_noun(draw, which, "visited", VISIT)
    english, chinese = "{n} that {s} {v} {t} is {very} {x}", "{s}{t}{v}的{n}{very}{x}"
    very = ["very:很", "not:不", "quite:相当"]
    return twin(draw, english, chinese, *readings, very=very, x=OF_IT)


@twins("visit", "before")
def visit_guests(draw: Draw) -> Pair:
    """The famous writer/museum in Paris is often visited by students: ...常有学生来拜访."""
    which = draw.pick([THE + FAMOUS, MOST, "the other:另一*"])
    readings = by_noun(draw, which, "visited", VISIT)
    english, chinese = "{n} {p} is {often} {v} by {guests}", "{p}{n}{often}有{guests}来{v}"
    return twin(draw, english, chinese, *readings, p=CITY, often=OFTEN, guests=GUESTS)


@twins("visit", "before")
def visit_everyone(draw: Draw) -> Pair:
    """There is a famous writer/museum in Paris that everyone wants to visit: ...大家都想去拜访."""
    there, one = draw.pick(THERE)
    such = draw.pick([FAMOUS, " special:特别的", ""])
    readings = by_noun(draw, one + such, "visit", VISIT)
    english, chinese = "{there} {n} {p} that {s} {v}", "{p}{there}{n}，{s}去{v}"
    return twin(draw, english, chinese, *readings, s=MANY, p=CITY, there=there)


@twins("visit", "before", bag=True)
def visit_then(draw: Draw) -> Pair:
    """They talked about the museum and then visited the writer, and the two exchanged."""
    host, sight = counted(THE, draw.pick(HOSTS)), counted(THE, draw.pick(SIGHTS))
    return twin(
        draw,
        "{s} {talked} {n} {then} {v} {m}",
        "{s}{talked}{n}，{then}{v}了{m}",
        {"n": host, "m": sight, "v": "visited:参观"},
        {"n": sight, "m": host, "v": "visited:拜访"},
        s=[*NAMES, *PRONOUNS],
        talked="talked_about:谈了谈",
        then="and then:然后",
    )


# --- wear ---

GARMENTS = """
coat:件大衣 skirt:条裙子 shirt:件衬衫 sweater:件毛衣 dress:条连衣裙 jacket:件夹克 suit:套西装
raincoat:件雨衣 uniform:套制服 vest:件背心 gown:件礼服 robe:件长袍
"""
ORNAMENTS = """
hat:顶帽子 watch:块手表 ring:枚戒指 scarf:条围巾 necklace:条项链 mask:个口罩 helmet:个头盔
bracelet:只手镯 wig:顶假发 badge:枚徽章 medal:枚奖牌 headscarf:条头巾
"""
COLORED = "hat:顶帽子 scarf:条围巾 watch:块手表 mask:个口罩 helmet:个头盔 headscarf:条头巾"
JEWELRY = "hat:顶帽子 scarf:条围巾 watch:块手表 ring:枚戒指 necklace:条项链 bracelet:只手镯"
WEAR = [("穿", GARMENTS), ("戴", ORNAMENTS)]
NICE = "old:旧的 expensive:贵的 nice:好看的 special:特别的 strange:奇怪的 ugly:难看的"
COLORS = "blue:蓝色的 green:绿色的 red:红色的 brown:棕色的 gray:灰色的"
TODAY = ["today:今天", "now:现在", "again today:今天又", "this:今天 evening:晚上", ""]
# what she does or doesn't do: before the verb, its form, and what Chinese has behind it
NEVER = [("never:从来没", "wore", "过"), ("can't:不能", "wear", ""), ("won't:不肯", "wear", "")]
NEVER += [("didn't:没", "wear", "")]
SPOTS = ["on the bed:床上", "on the chair:椅子上", "on the sofa:沙发上", "in the box:盒子里"]
SPOTS += ["in the bag:包里", "on the table:桌子上"]
BAD = ["old:旧", "dirty:脏", "small:小", "big:大", "ugly:难看"]
WAS = ["old:旧", "expensive:贵", "nice:好看", "special:特别", "ugly:难看"]


@twins("wear", "after")
def wear_very(draw: Draw) -> Pair:
    """She wore a very old coat/hat yesterday: 她昨天穿了一件很旧的大衣/戴了一顶很旧的帽子."""
    readings = by_noun(draw, "a:一* very:很 " + draw.pick(NICE), "wore", WEAR)
    return twin(draw, "{s} {v} {n} {t}", "{s}{t}{v}了{n}", *readings, s=LADIES)


@twins("wear", "after")
def wear_dark(draw: Draw) -> Pair:
    """Mary is wearing a dark blue coat/hat today: 玛丽今天穿着一件深蓝色的大衣/戴着一顶..."""
    such = "a:一* " + draw.pick(["dark:深 ", "light:浅 "]) + draw.pick(COLORS)
    readings = by_noun(draw, such, "wearing", [("穿", GARMENTS), ("戴", COLORED)])
    return twin(draw, "{s} is {v} {n} {t}", "{s}{t}{v}着{n}", *readings, s=LADIES, t=TODAY)


@twins("wear", "after")
def wear_which(draw: Draw) -> Pair:
    """The coat/hat that she wore yesterday was very old: 她昨天穿的那件大衣很旧."""
    readings = by_noun(draw, THE, "wore", WEAR)
    english, chinese = "{n} that {s} {v} {t} was {how} {x}", "{s}{t}{v}的{n}{how}{x}"
    return twin(draw, english, chinese, *readings, s=LADIES, how=["very:很", "really:真"], x=WAS)


@twins("wear", "before")
def wear_it(draw: Draw) -> Pair:
    """She bought a coat/hat last week, but she never wore it: 她上周买了一件大衣，但从来没穿过."""
    (never, form, end), who = draw.pick(NEVER), draw.pick(LADIES)
    readings = by_noun(draw, A, form, WEAR)
    english = "{s} {got} {n} {t}, {but} {she} {never} {v} it"
    chinese = "{s}{t}{got}了{n}，{but}{never}{v}" + end
    fixed = {"s": who, "she": pronoun(who), "never": never}
    return twin(draw, english, chinese, *readings, t=EARLIER if end else PAST, **fixed)


@twins("wear", "before")
def wear_too(draw: Draw) -> Pair:
    """The coat/hat on the bed is too old to wear: 床上那件大衣太旧了，没法穿."""
    readings = by_noun(draw, THE, "wear", WEAR)
    english, chinese = "{say} {n} {p} is {too} {x} {to} {v}", "{say}{p}{n}{too<}{x}{too>}，{to}{v}"
    return twin(draw, english, chinese, *readings, p=SPOTS, x=BAD, too="too:太/了", to="to:没法")


@twins("wear", "before", bag=True)
def wear_sold(draw: Draw) -> Pair:
    """She sold her coat and bought a hat but she never wore it, and the two exchanged."""
    never, form, end = draw.pick(NEVER)
    coat, hat = draw.pick(GARMENTS), draw.pick(JEWELRY)
    readings = [
        {"n": counted("her", old), "m": counted(A, new), "v": f"{form}:{verb}"}
        for old, new, verb in ((coat, hat, "戴"), (hat, coat, "穿"))
    ]
    english = "{s} {sold} {n} and {bought} {m} {but} she {never} {v} it"
    chinese = "{s}{sold}了{n}，{bought}了{m}，{but}{never}{v}" + end
    return twin(draw, english, chinese, *readings, s=[*WOMEN, "she:她"], never=never)
