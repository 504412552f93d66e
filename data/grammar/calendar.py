"""Times and numbers: the clock, weekdays, dates, money, hundreds, durations, ages."""

from .draw import Draw
from .nouns import number
from .phrase import Phrase, gloss, join
from .registry import construction
from .rows import MAKERS, counting, drawn

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = ["January:一月", "March:三月", "April:四月", "July:七月", "September:九月", "October:十月"]
ORDINALS = (
    "first:一 second:二 third:三 fourth:四 fifth:五 sixth:六 seventh:七 eighth:八 ninth:九 "
    "tenth:十 twentieth:二十"
).split()
MINUTES = ["five:零五分", "ten:十分", "twenty:二十分"]
# what is counted, one and many, with its Chinese
SPANS = {
    "hour": "an:一 hour:小时 hours:小时 个",
    "day": "a:一 day:天 days:天 ",
    "year": "a:一 year:年 years:年 ",
}


def plain(value: int) -> Phrase:
    """Give a number up to 99 that counts nothing: 二, not 两."""
    return gloss("two:二") if value == 2 else number(value)


def ranked(draw: Draw) -> Phrase:
    """Give the third, 第三."""
    english, chinese = draw.pick(ORDINALS).split(":")
    return gloss(f"{english}:第{chinese}")


def clock(draw: Draw, most: float = 1.0) -> Phrase:
    """Give half past three, 三点半; ten to two, 差十分两点; up to 0.65: no minutes."""
    hour = number(draw.rng.randint(1, 12))
    kind = draw.rng.random() * most
    if kind < 0.25:
        return join("{h} {o}", "{h}{o}", h=hour, o="o'clock:点钟")
    if kind < 0.5:
        return counting(hour, "点")
    if kind < 0.65:
        return join("{m} {t} {h}", "{h}{t}{m}", h=hour, m="half:半", t="past:点")
    if kind < 0.85:
        return join("{m} {t} {h}", "{h}{t}{m}", h=hour, m=draw.pick(MINUTES), t="past:点")
    return join("{m} {t} {h}", "{t}{m}{h}点", h=hour, m=draw.pick(MINUTES[1:]), t="to:差")


def weekday(draw: Draw) -> Phrase:
    """Give Monday, 星期一."""
    day = draw.rng.randrange(7)
    return gloss(f"{WEEKDAYS[day]}:星期{'一二三四五六天'[day]}")


def date(draw: Draw) -> Phrase:
    """Give March the third or the third of March: 三月三号."""
    english, chinese = draw.pick(ORDINALS).split(":")
    order = draw.pick(["{m} the {d}", "the {d} of {m}"])
    return join(order, "{m}{d}", m=draw.pick(MONTHS), d=f"{english}:{chinese}号")


def yuan(draw: Draw, least: int = 1) -> Phrase:
    """Give fifty yuan, 五十块钱."""
    return join("{n} {y}", "{n}{y}", n=number(draw.rng.randint(least, 9) * 10), y="yuan:块钱")


def hundreds(draw: Draw, unit: str = "hundred:百", least: int = 2) -> Phrase:
    """Give two hundred, 两百; three thousand, 三千; three hundred and twenty, 三百二十."""
    count = draw.rng.randint(least, 9)
    digit = "one:一" if count == 1 else number(count)
    phrase = join("{d} {u}", "{d}{u}", d=digit, u=unit)
    if unit[0] == "t" or draw.chance(0.6):
        return phrase
    tens = plain(draw.rng.randint(2, 9) * 10)
    return join("{h} and {t}", "{h}{t}", h=phrase, t=tens)


def span(draw: Draw, units: str, most: int) -> Phrase:
    """Give eight hours, 八个小时; a year, 一年."""
    article, one, many, measure = SPANS[draw.pick(units)].split(" ")
    value = draw.pick([1, 1, 1, *range(1, most + 1)])
    count = gloss(article) if value == 1 else number(value)
    count = counting(count, measure) if measure else count
    return join("{n} {u}", "{n}{u}", n=count, u=one if value == 1 else many)


def minutes(draw: Draw) -> Phrase:
    """Give ten minutes, 十分钟."""
    value = number(draw.rng.randint(1, 6) * 5)
    return join("{n} {u}", "{n}{u}", n=value, u="minutes:分钟")


def times(draw: Draw) -> Phrase:
    """Give once, 一次; twice, 两次; three times, 三次."""
    return gloss(draw.pick(["once:一次", "twice:两次", "three:三 times:次", "four:四 times:次"]))


MAKERS |= {
    "clock": lambda draw, who: clock(draw),
    "round": lambda draw, who: clock(draw, 0.65),
    "weekday": lambda draw, who: weekday(draw),
    "month": lambda draw, who: gloss(draw.pick(MONTHS)),
    "date": lambda draw, who: date(draw),
    "fair": lambda draw, who: yuan(draw, 3),
    "yuan": lambda draw, who: yuan(draw),
    "hundreds": lambda draw, who: hundreds(draw),
    "thousands": lambda draw, who: hundreds(draw, "thousand:千"),
    "hours": lambda draw, who: span(draw, "hour", 8),
    "minutes": lambda draw, who: minutes(draw),
    "days": lambda draw, who: span(draw, "day", 9),
    "years": lambda draw, who: span(draw, "year", 10),
    "times": lambda draw, who: times(draw),
    "nth": lambda draw, who: ranked(draw),
    "height": lambda draw, who: number(draw.rng.randint(3, 20)),
    "few": lambda draw, who: number(draw.rng.randint(2, 9)),
    "young": lambda draw, who: number(draw.rng.randint(3, 22)),
}


# ---------------------------------------------------------------- the clock and the calendar


@construction(1.4)
def clock_time(draw: Draw) -> Phrase:
    """It is half past three: 三点半; the film starts at eight: 那部电影八点开始."""
    return drawn(draw, """it is <clock>; it is <clock> now:现在 | 4 3
<event> begins:开始 at <round> | 1 4 2; <event> begins:开始 at <round> <a_day> | 1 5 4 2
<who> gets_up/get_up:起床 at <hour> every:每 day:天 | 1 5 6 4 2
please:请 come:来 at <round> | 1 4 2; <who> came:回 home:家 at <round> | 1 5 2 3
let's:我们/吧 meet:见面 at <round> <a_day> | 1< 5 4 2 1>
<who> will:要 leave:走 at <round> <a_day> | 1 6 5 2 3
what_time:几点 do <they> get_up:起床 ? | 3 1 4
what_time:几点 is_it :了 ? | 1 3; what_time:几点 does/do <asked> get_up:起床 ? | 3 1 4
<event> begins:开始 at <round> on <weekday> | 1 6 4 2; the train:火车 leaves:开 at <clock> | 2 5 3
the train:火车 leaves:开 at <clock> | 2 5 3; the train:火车 leaves:开 at <clock> | 2 5 3
is it <round> :了吗 ? | 3 4; are you:你 free:有空 at <round> <a_day> :吗 ? | 2 6 5 3 7
<who> goes_to_bed/go_to_bed:睡觉 at <bedtime> every:每 day:天 | 1 5 6 4 2""")


@construction(1.5)
def weekdays(draw: Draw) -> Phrase:
    """We will go to the park on Monday: 我们星期一要去公园; today is Sunday: 今天是星期天."""
    return drawn(draw, """<who> will:要 go:去 to <place> on <weekday> | 1 7 2 3 5
today:今天 is:是 <weekday>; <who> went:去 :了 to <place> on <weekday> | 1 7 2 3 5
tomorrow:明天 is:是 <weekday>; yesterday:昨天 was:是 <weekday>; today:今天 isn't:不是 <weekday>
is/are <asked> free:有空 on <weekday> :吗 ? | 2 5 3 6
<who> <habit> every:每个/都 <weekday> | 1 3< 4 3> 2
let's:我们/吧 <outing> on <weekday> | 1< 4 2 1>; <who> is/are/am :很 busy:忙 on <weekday> | 1 6 3 4
the <open> is closed:关门 on <weekday> | 2 6 4; see:见 you on <weekday> | 4 1
<who> was/were/was at:在 home:家 on <weekday> <part> | 1 6 7 3 4
<adult> doesn't/don't:不 work:工作 on <weekday> | 1 5 2 3
<who> <want> <outing> next:下个 <weekday> | 1 4 5 2 3
<who> is/are/am free:有空 on <weekday> <part> | 1 5 6 3
is/are <asked> free:有空 on <weekday> <part> :吗 ? | 2 5 6 3 7""")


@construction(1.5)
def dates(draw: Draw) -> Phrase:
    """My birthday is on March the third: 我的生日是三月三号."""
    return drawn(draw, """today:今天 is:是 <date>; <owner> birthday:生日 is:是 on <date> | 1 2 3 5
<who> will:要 go:去 to <city> on <date> | 1 7 2 3 5; <who> will:会 come:来 on <date> | 1 5 2 3
<who> will:要 go:去 to <city> in <month> | 1 7 2 3 5
<owner> birthday:生日 is:在 in <month> | 1 2 3 5
when:什么时候 is:是 <others> birthday:生日 ? | 3 4 2 1; tomorrow:明天 is:是 <date>
<who> was/were/was:是/的 born:出生 on <date> | 1 2< 5 3 2>
<who> was/were/was:是/的 born:出生 in <month> | 1 2< 5 3 2>
<who> went:去 :了 to <city> in <month> | 1 7 2 3 5""")


@construction(1.4)
def money(draw: Draw) -> Phrase:
    """This shirt costs fifty yuan: 这件衬衫要五十块钱."""
    return drawn(draw, """<this-/clothes,scarf,hat,dish,book,umbrella,toy> costs:要 <fair>
<who> paid:花 :了 <fair> for:买 <this/book,clothes,umbrella,dish,toy,scarf,hat> | 1 5 6 2 3 4
<who> spent:花 :了 <yuan> <was> | 1 5 2 3 4; <brief> spent:花 :了 <yuan> <was> | 1 5 2 3 4
 a:一张 ticket:票 costs:要 <yuan>
<who> only:只 has/have:有 <yuan>; it only:只 costs:要 <yuan>; <who> gave:给 :了 <me> <yuan>
please:请 give:给 me:我 <yuan>; does/do <asked> have:有 <yuan> :吗 ? | 2 3 4 5
<who> bought:买 :了 <a/book,clothes,umbrella,toy> for:花 <fair> | 1 5 6 2 3 4
<who> lent:借给 :了 <me> <yuan>""")


@construction(1.3)
def hundred_thousand(draw: Draw) -> Phrase:
    """There are three hundred students in the school: 学校里有三百个学生."""
    return drawn(draw, """there are:有 <hundreds+个> students:学生 in:里 the school:学校 | 7 5 2 3 4
<this-/phone,computer,camera,guitar> costs:要 <thousands> yuan:块钱
<this-/bike,coat,watch> costs:要 <hundreds> yuan:块钱; <who> needs/need:需要 <thousands> yuan:块钱
<this-/hotel> has:有 <hundreds+个> rooms:房间; that:那家 hotel:酒店 has:有 <hundreds+个> rooms:房间
 the library:图书馆 has:有 <thousands+本> books:书
<who> paid:花 :了 <hundreds> yuan:块钱 for:买 <this/coat,bike,watch> | 1 6 7 2 3 4 5
<who> paid:花 :了 <thousands> yuan:块钱 for:买 <this/phone,computer,guitar> | 1 6 7 2 3 4 5""")


@construction(1.5)
def ordinals(draw: Draw) -> Phrase:
    """This is my first time in Beijing: 这是我第一次来北京; the third song: 第三首歌."""
    return drawn(draw, """<who> likes/like:喜欢 the <work>
this:这 is:是 <my> <nth> time:次 in:来 <city>
is:是 this:这 your:你 <nth> time:次 in:来 <city> :吗 ? | 2 1 3 4 5 6 7 8
this:这 is:是 <owner> <counted>; the <nth+个> question:问题 is :很 <easy>
the <nth+个> question:问题 is :很 <easy>; <who> has/have heard:听过 the <heard>
the <work> is <dull>; <name> was:是 the <nth+个> to come:来 :的 | 1 2 4 6 7
is the <nth+个> question:问题 <easy> :吗 ?""")


@construction(1.6)
def durations(draw: Draw) -> Phrase:
    """He slept for eight hours: 他睡了八个小时."""
    return drawn(draw, """<who> slept:睡 :了 for <hours>
<brief> slept:睡 :了 for <hours> last:昨 night:晚 | 1 6 7 2 3 5
<brief> stayed:待 :了 in:在 <city> for <days> | 1 4 5 2 3 7
<who> waited:等 :了 for <minutes> | 1 2 3 5
<who> has/have lived:住 :了 in:在 <city> for <years> :了 | 1 5 6 3 4 8 9
<adult> has/have worked:工作 :了 here:在这里 for <years> :了 | 1 5 3 4 7 8
<who> stayed:待 :了 in:在 <city> for <days> | 1 4 5 2 3 7; please:请 wait:等 <minutes>
<who> will:要 stay:待 in:在 <city> for <days> | 1 2 4 5 3 7
<who> stayed:待 :了 at:在 home:家里 for <days> | 1 4 5 2 3 7
<who> has/have lived:住 :了 here:在这里 for <years> :了 | 1 5 3 4 7 8
<who> has/have studied:学 <tongue> for <years> :了 :了 | 1 3 7 6 4 8
<youth> studied:学习 :了 for <hours>; <who> waited:等 :了 for <whom> for <minutes> | 1 2 3 5 7
<adult> worked:工作 :了 for <hours> <was> | 1 6 2 3 5
how_long:多长时间 did <asked> <waited> :了 ? | 3 4 5 1
<who> watched:看 :了 TV:电视 for <hours> | 1 2 3 6 4""")


@construction(1.2)
def frequency(draw: Draw) -> Phrase:
    """He swims twice a week: 他每周游泳两次."""
    return drawn(draw, """<who> <sport> <times> a:每 week:周 | 1 4 5 2 3
<who> goes/go:去 to <leisure> <times> a:每 week:周 | 1 6 7 2 5 4
<who> has/have been_to:去过 <city> <times> | 1 3 4 5
<who> has/have watched:看过 <def/film> <times> | 4 1 3 5
<adult> goes/go:去 to <city> <times> a:每 year:年 | 1 6 7 2 5 4
how_many:几 times:次 a:每 week:周 does/do <asked> <sport+base> ? | 6 3 4 7 1 2
<who> takes/take:吃 medicine:药 <times> a:每 day:天 | 1 5 6 2 4 3
<who> takes/take:吃 medicine:药 <times> a:每 day:天 | 1 5 6 2 4 3""")


@construction(0.9)
def ages_heights(draw: Draw) -> Phrase:
    """That tree is ten meters tall: 那棵树有十米高; he is two years older: 他大两岁."""
    return drawn(draw, """<def-/tree> is:有 <height> meters:米 tall:高
<def-/tree> is:有 <height> meters:米 tall:高
<def-/bridge> is:有 <hundreds> meters:米 long:长
<my> <youngster> will_be:就 <young+岁> next:明 year:年 :了 | 1 2 5 6 3 4 7
<name> was <young+岁> last:去 year:年 | 1 4 5 3
<name> is <few> years:岁 older:大 than:比 <me2> | 1 6 7 5 3 4
<name> is <few> years:岁 younger:小 than:比 <me2> | 1 6 7 5 3 4
how:多 tall:高 is/are <asked> ? | 4 1 2""")
