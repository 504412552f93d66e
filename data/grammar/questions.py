"""Questions: 吗 and A不A, 谁, 什么, 哪里, 什么时候, 为什么, 怎么, 几; tags, 呢 and 怎么样.

Nearly all are drawn from frames (see frames.py).
"""

from dataclasses import replace

from .clauses import actors, thing, where
from .draw import Draw
from .frames import frame
from .lexicon import NAMES
from .nouns import described, noun_phrase
from .people import asked, does
from .phrase import EMPTY, Phrase, do, gloss, join
from .registry import construction

YES_NO = """
2 | asked | buy see find borrow wash eat drink help watch open hear feed clean leave go |
    did {s} {v} {o} {t.past?}? | {s}{t}{v}{o}了吗
1 | asked | sell fix | did {s} {v.done} {o} {t.past?}? | {s}{t}把{o}{v}了吗
1.2 | asked | | {does} {s} {like:喜欢} {liked}? | {s}{like}{liked}吗
.7 | asked | | {is} {s} {feeling}? | {s}{feeling}吗
.7 | said | | is {s} {said}? | {s}{said}吗
.4 | asked | sleep work study cook swim fish rest | {is:在} {s} {v.ing}? | {s}{is}{v}吗
.4 | asked | work study swim fish | {is} {s} {v.ing} {p}? | {s}{p}{v}吗
.6 | asked | go go buy sell | {will:会} {s} {v} {o} {t.future}? | {s}{t}{will}{v}{o}吗
"""
WHO_WHAT = """
2 | who | buy find open close break clean wash fix eat borrow help sell feed |
    {s} {rest.past} {t.past?}? | {t}{s}{rest}
.6 | who | write draw | {s} {v.past} {o}? | {o}是{s}{v}的
.6 | the this that: man woman boy girl singer student child writer | | {who:谁} is {s}? |
    {s}是{who}
.8 | who | sing dance cook swim study sleep fish work cry laugh | {s} {rest.progressive}? |
    {s}{rest}
.5 | who | work study swim fish drink read | {s} {rest.present} {t.present}? | {s}{t}{rest}
2 | asked | buy find lose write draw eat drink borrow see |
    {what:什么} did {s} {v.done} {t.past?}? | {s}{t}{v}了{what}
.7 | asked | eat drink | {what:什么} {does} {s} {v} {t.present}? | {s}{t}{v}{what}
1.2 | asked | read write draw eat drink wash buy watch |
    {what:什么} {is:在} {s} {v.ing}? | {s}{is}{v}{what}
.5 | the this that own: box bag bottle cup bowl | | {what:什么} {is:有} {in:里} {s}? |
    {s}{in}{is}{what}
"""
WHERE_WHEN = """
2 | asked | buy buy see find lose meet | {where:在哪里} did {s} {v.done} {o}? | {s}是{where}{v}{o}的
2 | asked | buy see meet sell fix find clean |
    {when:什么时候} did {s} {v.done} {o}? | {s}是{when}{v}{o}的
.4 | asked | | {where:哪里} {is:在} {s}? | {s}{is}{where}
.8 | the the own own: lost car bike camera pet hammer | | {where:哪里} {is:在} {s}? | {s}{is}{where}
.4 | asked | | {where:哪里} {is} {s} {going:去}? | {s}{going}{where}
.8 | asked | work work study swim run fish | {where:在哪里} {does} {s} {v}? | {s}{where}{v}
1 | asked | buy sell fix clean borrow go go water |
    {when:什么时候} will {s} {v} {o}? | {s}{when}{v}{o}
"""
WHY_HOW = """
1 | asked | buy open close wash help eat go read find fix |
    {why:为什么} {didn't:没} {s} {v} {o}? | {s}{why}{didnt}{v}{o}
1.2 | asked | buy sell borrow draw help clean |
    {why:为什么} did {s} {v} {o}? | {s}{why}{v}{o}
.8 | asked | cry cry laugh laugh run sleep | {why:为什么} {is:在} {s} {v.ing}? | {s}{why}{is}{v}
1 | asked | | {why:为什么} {is} {s} {so:这么} {trouble}? | {s}{why}{so}{trouble}
1 | asked | go | {how:怎么} {does} {s} {v} {o}? | {s}{how}{v}{o}
1.4 | asked | open fix find catch | {how:怎么} did {s} {v.done} {o}? | {s}是{how}{v}{o}的
"""
HOW_MUCH = """
2 | the this that: clothes headwear device vehicle furniture painting | |
    {how_much:多少钱} is {s}? | {s}{how_much}
1 | asked | | {how_old:多大} {is} {s}? | {s}{how_old}了
1 | asked | drink buy | {how_much:多少} {drunk} did {s} {v} {t.past?}? |
    {s}{t}{v}了{how_much}{drunk}
"""
A_NOT_A = """
1 | asked | | {is} {s} {mood.twice} or {not:不}? | {s}{mood<}{not}{mood>}
1 | single | | {is} {s} {single.twice} or {not:不}? | {s}{single<}{not}{single>}
1 | asked | | {does} {s} {like:喜/喜欢} {liked} or {not:不}? | {s}{like<}{not}{like>}{liked}
.5 | asked | go | {does} {s} {want:想/想} to {v} {o} or {not:不}? | {s}{want<}{not}{want>}{v}{o}
.4 | asked | swim dance sing cook fish rest | {does} {s} {want:想/想} to {v} or {not:不}? |
    {s}{want<}{not}{want>}{v}
.6 | asked | eat drink | {does} {s} {v.twice} {o.present} or {not:不}? | {s}{v<}{not}{v>}{o}
.6 | asked | go | will {s} {v.twice} {o} {t.future} or {not:不}? | {s}{t}{v<}{not}{v>}{o}
"""
# what is said before right? or and you?
STATED = """
1 | asked | | {s} {is} {state} | {s}{state}
1 | asked | | {s} {likes:喜欢} {liked} | {s}{likes}{liked}
1 | asked | go go watch | {s} {rest.past} {t.past?} | {s}{t}{rest}
1 | asked | go drink read swim run cook | {s} {rest.present} {t.present} | {s}{t}{rest}
"""
ME = replace(gloss("I:我"), agree="I")
# who is compared: Tom and Anna, my son and yours
KIN = "mother father son daughter wife husband grandmother".split()


@construction(5)
def yes_no(draw: Draw) -> Phrase:
    """Did you buy the book (你买那本书了吗): 吗."""
    return frame(draw, YES_NO)


@construction(5)
def who_what(draw: Draw) -> Phrase:
    """Who opened the window (谁把窗户打开了); what did Tom buy (汤姆买了什么)."""
    return frame(draw, WHO_WHAT)


@construction(4)
def where_when(draw: Draw) -> Phrase:
    """Where did Anna buy the guitar (安娜是在哪里买那把吉他的): 哪里, 什么时候."""
    return frame(draw, WHERE_WHEN)


@construction(3)
def why_how(draw: Draw) -> Phrase:
    """Why is she so tired (她为什么这么累); how do you go to school (你怎么去学校)."""
    return frame(draw, WHY_HOW)


@construction(4)
def how_many(draw: Draw) -> Phrase:
    """How many books did you buy (你买了几本书): 几 with its measure; how much: 多少."""
    if draw.chance(0.35):
        return frame(draw, HOW_MUCH)
    verb, owns = draw.verb_of("buy buy see draw eat wash"), draw.chance(0.4)
    tags = {"wash": ("dish", "apple"), "see": ("animal",)}.get(verb.base, verb.objects)
    noun = draw.counted_noun(*(("lost", "shirt", "pet", "bike") if owns else tags))
    what = described(draw, noun, True, 0.2 if owns else 0.0, colours=True)
    what = join("{h} {n}", "{h}{n}", h=f"how_many:几{noun.measure}", n=what)
    subject = asked(draw, actors(verb, "future"), known=owns)
    if owns:
        parts = {"d": do(subject.agree), "s": subject, "h": "have:有", "o": what}
        return join("{o} {d} {s} {h}", "{s}{h}{o}", True, **parts)
    what = what.relate("verb-object", verb.base, noun.english)
    parts = {"s": does(subject, verb.base), "v": f"{verb.base}:{verb.done}", "o": what}
    when = draw.perhaps_time("past", 0.4)
    return join("{o} did {s} {v} {t}", "{s}{t}{v}了{o}", True, t=when, **parts)


@construction(1.5)
def a_not_a(draw: Draw) -> Phrase:
    """Are you tired or not (你累不累); do you like tea or not (你喜不喜欢茶)."""
    return frame(draw, A_NOT_A)


@construction(1)
def tag_question(draw: Draw) -> Phrase:
    """You are tired, right (你累了，对吗); he likes tea, I guess (他喜欢茶吧)."""
    said = frame(draw, STATED, most=16)
    if said.english[0] == "you" or "了" in said.chinese or draw.chance(0.5):
        return join("{s}, {r}", "{s}，{r}吗", True, s=said, r="right:对")
    return join("{s}, {g}", "{s}{g}", s=said, g="I_guess:吧")


@construction(1)
def and_you(draw: Draw) -> Phrase:
    """I am hungry, and you (我饿了，你呢); my mother is fine, and yours (你妈妈呢)."""
    way = draw.pick("I I I names names kin thing")
    if way == "I":
        said, other = frame(draw, STATED, ME, most=16), "you:你"
    elif way == "names":
        first, other = draw.two(NAMES)
        said = frame(draw, STATED, gloss(first), most=16)
    elif way == "kin":
        word = draw.noun[draw.pick(KIN)]
        mine, other = gloss(f"my:我 {word.english}:{word.chinese}"), f"yours:你{word.chinese}"
        fine = join("{s} is {a}", "{s}很{a}", s=mine, a="fine:好")
        said = fine if draw.chance(0.8) else frame(draw, STATED, mine, most=16)
    else:
        noun = draw.noun_with("device", "clothes", "vehicle", "bag", "umbrella", "house")
        word = draw.pick([a for a in draw.after[noun.english] if a.english not in "dirty new"])
        parts = {"n": f"{noun.english}:{noun.chinese}", "a": f"{word.english}:{word.after}"}
        said, other = join("{m} {n} is {a}", "{m}{n}很{a}", m="my:我的", **parts), "yours:你的"
    if way == "names":
        parts = {"s": said, "w": "what_about:呢", "o": other}
        return join("{s}, but {w} {o}", "{s}，{o}{w}", True, **parts)
    return join("{s}, and {o}", "{s}，{o}呢", True, s=said, o=other)


@construction(0.5)
def how_about(draw: Draw) -> Phrase:
    """How about going to the park tomorrow (明天去公园怎么样); how about this watch."""
    about = "how_about:怎么样"
    if draw.chance(0.35):
        noun = draw.noun_with("clothes", "headwear", "device", "furniture", "painting")
        what = noun_phrase(draw, noun, draw.pick("this that"), 0.5, colours=True)
        return join("{h} {o}", "{o}{h}", True, h=about, o=what)
    verb = draw.verb_of("go go go watch swim fish cook")
    what = thing(draw, verb, "future") if verb.objects else EMPTY
    while {"hospital", "station", "school", "hotel", "some"} & {*what.english}:
        what = thing(draw, verb, "future")
    spot = where(draw, verb, EMPTY, what) if verb.base in ("swim", "fish") else EMPTY
    parts = {"v": f"{verb.ing}:{verb.chinese}", "o": what, "p": spot}
    when = draw.pick(["", "tomorrow:明天", "this:今天 evening:晚上"])
    order = ("{h} {v} {o} {p} {t}", "{t}{p}{v}{o}{h}")
    return join(*order, True, h=about, t=when, **parts)
