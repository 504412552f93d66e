"""Times and numbers: the clock, weekdays, dates, money, hundreds, durations, ages."""

from dataclasses import replace

from .draw import Draw
from .everyday import MAKERS, counting, drawn
from .lexicon import DIGITS
from .nouns import number
from .phrase import Phrase, gloss, join
from .registry import construction

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = (
    "January February March April May June July August September October November December".split()
)
ORDINALS = dict(
    one="first", two="second", three="third", five="fifth", eight="eighth", nine="ninth",
    twelve="twelfth", twenty="twentieth", thirty="thirtieth",
)  # fmt: skip
MINUTES = ["five:零五分", "ten:十分", "a quarter:一刻", "twenty:二十分"]


def plain(value: int) -> Phrase:
    """Give a number up to 99 that counts nothing: 二, not 两."""
    return gloss("two:二") if value == 2 else number(value)


def ordinal(value: int) -> Phrase:
    """Give third, twenty-first: only the last word is changed."""
    phrase = plain(value)
    *words, last = phrase.english
    ending = ORDINALS.get(last, last + "th")
    return Phrase((*words, ending), phrase.chinese, phrase.links)


def ranked(phrase: Phrase) -> Phrase:
    """Put 第 before a number."""
    links = ((0, 0), *((i, j + 1) for i, j in phrase.links))
    return replace(phrase, chinese=("第", *phrase.chinese), links=links)


def clock(draw: Draw, most: float = 1.0) -> Phrase:
    """Give half past three, 三点半; ten to two, 差十分两点; up to 0.65: no minutes."""
    hour = number(draw.rng.randint(1, 12))
    kind = draw.rng.random() * most
    if kind < 0.25:
        return join("{h} {o}", "{h}{o}", h=hour, o="o'clock:点")
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


def month(draw: Draw) -> Phrase:
    """Give May, 五月."""
    value = draw.rng.randint(1, 12)
    return gloss(f"{MONTHS[value - 1]}:{''.join(plain(value).chinese)}月")


def date(draw: Draw) -> Phrase:
    """Give March the third or May 1: 三月三号."""
    day = draw.rng.randint(1, 28)
    if day < 10 and draw.chance(0.5):
        return join("{m} {d}", "{m}{d}", m=month(draw), d=f"{day}:{DIGITS[day]}号")
    order = draw.pick(["{m} the {d}", "the {d} of {m}"])
    return join(order, "{m}{d}", m=month(draw), d=counting(ordinal(day), "号"))


def year(draw: Draw, first: int = 1960) -> Phrase:
    """Give 1995, 一九九五: digit by digit."""
    value = str(draw.rng.randint(first, 2024))
    return gloss(" ".join(f"{digit}:{DIGITS[int(digit)]}" for digit in value))


def yuan(draw: Draw, least: int = 2) -> Phrase:
    """Give ten yuan, 十块."""
    value = draw.pick([draw.rng.randint(least, 20), draw.rng.randint(least // 5 + 1, 19) * 5])
    return join("{n} {y}", "{n}{y}", n=number(value), y="yuan:块")


UNITS = "hundred:百 hundred:百 thousand:千"


def hundreds(draw: Draw, units: str = UNITS, least: int = 1) -> Phrase:
    """Give two hundred, 两百; three thousand, 三千; three hundred and twenty, 三百二十."""
    count = draw.rng.randint(least, 9)
    unit = draw.pick(units)
    digit = draw.pick(["a:一", "one:一"]) if count == 1 else number(count)
    phrase = join("{d} {u}", "{d}{u}", d=digit, u=unit)
    if unit[0] == "t" or draw.chance(0.6):
        return phrase
    tens = plain(draw.rng.randint(2, 9) * 10)
    return join("{h} and {t}", "{h}{t}", h=phrase, t=tens)


def span(draw: Draw, units: str, most: int) -> Phrase:
    """Give eight hours, 八个小时; a week, 一个星期."""
    one, many, chinese = draw.pick(units.split(";")).split()
    value = draw.rng.randint(1, most)
    if value == 1:
        article = "an" if one == "hour" else draw.pick(["a", "one"])
        return gloss(f"{article}:一 {one}:{chinese}")
    return join("{n} {u}", "{n}{u}", n=number(value), u=f"{many}:{chinese}")


def minutes(draw: Draw) -> Phrase:
    """Give ten minutes, 十分钟."""
    value = number(draw.rng.randint(1, 9) * 5)
    return join("{n} {u}", "{n}{u}", n=value, u="minutes:分钟")


def times(draw: Draw) -> Phrase:
    """Give once, 一次; twice, 两次; three times, 三次."""
    more = ["three:三 times:次", "four:四 times:次", "five:五 times:次"]
    return gloss(draw.pick(["once:一次", "once:一次", "twice:两次", "twice:两次", *more]))


SHORT_SPAN, LONG_SPAN = "hour hours 个小时;minute minutes 分钟", "year years 年;month months 个月"
MAKERS |= {
    "clock": lambda draw, who: clock(draw),
    "round": lambda draw, who: clock(draw, 0.65),
    "weekday": lambda draw, who: weekday(draw),
    "month": lambda draw, who: month(draw),
    "date": lambda draw, who: date(draw),
    "year": lambda draw, who: year(draw),
    "lately": lambda draw, who: year(draw, 2000),
    "fair": lambda draw, who: yuan(draw, 15),
    "yuan": lambda draw, who: yuan(draw),
    "hundreds": lambda draw, who: hundreds(draw),
    "hours": lambda draw, who: span(draw, "hour hours 个小时", 9),
    "minutes": lambda draw, who: minutes(draw),
    "days": lambda draw, who: span(draw, "day days 天;week weeks 个星期", 6),
    "years": lambda draw, who: span(draw, LONG_SPAN, 11),
    "some_hundred": lambda draw, who: hundreds(draw, "hundred:百", 2),
    "thousands": lambda draw, who: hundreds(draw, "thousand:千", 2),
    "times": lambda draw, who: times(draw),
    "tens": lambda draw, who: plain(draw.rng.randint(5, 9) * 10),
    "few_hours": lambda draw, who: span(draw, "hour hours 个小时", 4),
    "nth": lambda draw, who: ordinal(draw.rng.randint(1, 9)),
    "low": lambda draw, who: ranked(ordinal(draw.rng.randint(1, 4))),
    "height": lambda draw, who: number(draw.rng.randint(3, 40)),
    "few": lambda draw, who: number(draw.rng.randint(2, 9)),
    "young": lambda draw, who: number(draw.rng.randint(3, 22)),
    "age": lambda draw, who: number(draw.rng.randint(6, 60)),
}


# ---------------------------------------------------------------- the clock and the calendar


@construction(0.9)
def clock_time(draw: Draw) -> Phrase:
    """It is half past three: 三点半; the film starts at eight: 那部电影八点开始."""
    return drawn(draw, """it is <clock>; it is <clock> now:现在 | 4 3
<event> begins:开始 at <round> | 1 4 2
<who> gets_up/get_up:起床 at <wake> every:每 day:天 | 1 5 6 4 2
please:请 come:来 at <round> | 1 4 2
let's:我们/吧 meet:见面 at <round> <a_day> | 1< 5 4 2 1>; <who> came:回 home:家 at <round> | 1 5 2 3
<who> will:要 leave:走 at <round> <a_day> | 1 6 5 2 3
<event> begins:开始 at <round> <a_day> | 1 5 4 2
what_time:几点 is_it :了 ? | 1 3; what_time:几点 does/do <asked> get_up:起床 ? | 3 1 4
what_time:几点 does <event> begin:开始 ? | 3 1 4; the <train_or_bus> leaves:开 at <clock> | 2 5 3
is it <round> :了吗 ? | 3 4; it is <wake> in_the_morning:早上 | 4 3
it is <bedtime> in_the_evening:晚上 | 4 3
<who> <wants> go:去 there:那里 at <round> | 1 2 6 3 4
are you:你 free:有空 at <round> <a_day> :吗 ? | 2 6 5 3 7
<who> goes/go to_bed:睡觉 at <bedtime> every:每 day:天 | 1 6 7 5 3""")


@construction(0.9)
def weekdays(draw: Draw) -> Phrase:
    """We will go to the park on Monday: 我们星期一要去公园; today is Sunday: 今天是星期天."""
    return drawn(draw, """<who> will:要 go:去 to <place> on <weekday> | 1 7 2 3 5
today:今天 is:是 <weekday>
tomorrow:明天 is:是 <weekday>; yesterday:昨天 was:是 <weekday>; today:今天 isn't:不是 <weekday>
is/are <asked> free:有空 on <weekday> :吗 ? | 2 5 3 6; <who> <habit> every:每个 <weekday> | 1 3 4 2
<who> went:去 :了 to <place> on <weekday> | 1 7 2 3 5
let's:我们/吧 <outing> on <weekday> | 1< 4 2 1>
<who> is/are/am :很 busy:忙 on <weekday> | 1 6 3 4; the <open> is closed:关门 on <weekday> | 2 6 4
<who> is/are/am at:在 home:家 on <weekday> <part> | 1 6 7 3 4; see:见 you on <weekday> | 4 1
<adult> doesn't/don't:不 work:工作 on <weekday> | 1 5 2 3
what:几 day:星期 is_it:是 today:今天 ? | 4 3 2 1
<who> <want> <outing> next:下个 <weekday> | 1 4 5 2 3
<who> is/are/am free:有空 on <weekday> <part> | 1 5 6 3""")


@construction(0.9)
def dates(draw: Draw) -> Phrase:
    """My birthday is on March the third: 我的生日是三月三号."""
    return drawn(draw, """today:今天 is:是 <date>; <owner> birthday:生日 is:是 on <date> | 1 2 3 5
<who> will:要 go:去 to <city> on <date> | 1 7 2 3 5; <who> will:会 come:来 on <date> | 1 5 2 3
<who> was/were/was:是 born:出生 in:年 <year> :的 | 1 2 5 4 3 6
<who> came:来 here:这里 in <month> :是 :的 | 1 6 5 2 3 7
<who> will:要 go:去 to <city> in <month> | 1 7 2 3 5
<owner> birthday:生日 is:在 in <month> | 1 2 3 5
<who> went:去 :了 to <city> in:年 <lately> | 1 7 6 2 3 5
when:什么时候 is:是 <her_or_his> birthday:生日 ? | 3 4 2 1
<who> was/were/was:是 born:出生 on <date> :的 | 1 2 5 3 6; school begins:开学 in <month> | 4 2
<who> was/were/was:是 born:出生 in <month> :的 | 1 2 5 3 6; tomorrow:明天 is:是 <date>
is_it <warm> here:这里 in <month> :吗 ? | 3 5 2 6
<who> bought:买 :了 <def/house,car> in:年 <lately> | 1 6 5 2 3 4""")


@construction(0.9)
def money(draw: Draw) -> Phrase:
    """This shirt costs fifty yuan: 这件衬衫要五十块."""
    return drawn(draw, """<this-/clothes,scarf,hat,dish,book,umbrella,toy> costs:要 <fair>
<who> paid:花 :了 <fair> for:买 <this/book,clothes,umbrella,dish,toy,scarf,hat> | 1 5 6 2 3 4
<who> spent:花 :了 <yuan> <was_day> | 1 5 2 3 4; a:一张 ticket:票 costs:要 <yuan>
it costs:要 <yuan>
<who> only:只 has/have:有 <yuan>; it only:只 costs:要 <yuan>; <who> gave:给 :了 <me> <yuan>
please:请 give:给 me:我 <yuan>
<who> bought:买 :了 <a/book,clothes,umbrella,toy> for:花 <fair> | 1 5 6 2 3 4
does/do <asked> have:有 <yuan> :吗 ? | 2 3 4 5; a:一 cup:杯 of <hot> costs:要 <yuan>
<who> lent:借给 :了 <me> <yuan>; that:那 is:是 <yuan>; <this-/food> costs:要 <coins>""")


@construction(0.8)
def hundred_thousand(draw: Draw) -> Phrase:
    """There are three hundred students in the school: 学校里有三百个学生."""
    return drawn(draw, """there are:有 <hundreds+个> students:学生 in:里 the school:学校 | 7 5 2 3 4
<this-/phone,computer,camera,guitar> costs:要 <thousands> yuan:块
<this-/bike,coat,watch> costs:要 <hundreds> yuan:块
<this-/hotel> has:有 <some_hundred+个> rooms:房间; <this-/book> has:有 <some_hundred> pages:页
<who> paid:花 :了 <hundreds> yuan:块 for:买 <this/coat,bike,watch> | 1 6 7 2 3 4 5
the <open2> has:有 <thousands+本> books:书
<this-/bridge,tree> is:有 <some_hundred> years:年 old:的历史
it is:有 <some_hundred> kilometers:公里 from:从 here:这里 to:到 <city> | 5 6 7 8 2 3 4
<who> needs/need:需要 <hundreds> yuan:块""")


@construction(0.8)
def ordinals(draw: Draw) -> Phrase:
    """This is my first time in Beijing: 这是我第一次来北京; on the third floor: 三楼."""
    return drawn(draw, """<who> lives/live:住在 on the <nth> floor:楼 | 1 2 5 6
<office> is:在 on the <nth> floor:楼 | 1 2 5 6; <who> likes/like:喜欢 the <low> <work> | 1 2 4 5
this:这 is:是 <my> <low> time:次 in:来 <city>
is:是 this:这 your:你 <low> time:次 here:来这里 :吗 ? | 2 1 3 4 5 6 7
this:这 is:是 <owner> <low> <counted>; the <low> question:个问题 is :很 <easy>
<who> went:去 :了 to <city> on the <low> day:天 | 1 8 9 2 3 5; the <low> <work> is <dull>
<who> left:走 on the <low> day:天 :了 | 1 5 6 2 7
<name> was:是 the <low+个> to come:来 :的 | 1 2 4 6 7
<name> is:是 <whose> <low> child:个孩子; is the <low> question:个问题 <easy> :吗 ? | 3 4 5 6""")


@construction(1.1)
def durations(draw: Draw) -> Phrase:
    """He slept for eight hours: 他睡了八个小时."""
    return drawn(draw, """<who> slept:睡 :了 for <hours>
<who> waited:等 :了 for <minutes> | 1 2 3 5
<who> has/have lived:住 :了 in:在 <city> for <years> :了 | 1 5 6 3 4 8 9
<who> has/have lived:住 :了 here:在这里 for <years> :了 | 1 5 3 4 7 8
<adult> has/have worked:工作 :了 here:在这里 for <years> :了 | 1 5 3 4 7 8
<who> stayed:待 :了 in:在 <city> for <days> | 1 4 5 2 3 7; please:请 wait:等 <minutes>
<who> will:要 stay:待 in:在 <city> for <days> | 1 2 4 5 3 7
<youth> studied:学习 :了 for <few_hours>
<who> has/have studied:学 <tongue> for <years> :了 :了 | 1 3 7 6 4 8
<who> ran:跑 :了 for <minutes> | 1 2 3 5
<adult> worked:工作 :了 for <hours> <was_day> | 1 6 2 3 5; <adult> worked:工作 :了 for <hours>
how_long:多长时间 did <asked> wait:等 :了 ? | 3 4 5 1
how_long:多长时间 did <asked> sleep:睡 :了 ? | 3 4 5 1
how_long:多长时间 has/have <asked> lived:住 :了 here:在这里 ? | 3 6 4 5 1
<who> waited:等 :了 for <whom> for <minutes> | 1 2 3 5 7
<who> watched:看 :了 TV:电视 for <few_hours> | 1 2 3 6 4""")


@construction(0.9)
def frequency(draw: Draw) -> Phrase:
    """He swims twice a week: 他每周游泳两次."""
    return drawn(draw, """<who> <sport> <times> a:每 week:周 | 1 4 5 2 3
<who> goes/go:去 to <leisure> <times> a:每 week:周 | 1 6 7 2 5 4
<person> calls/call:给/打电话 <his> <parent> <times> a:每 week:周 | 1 6 7 2< 3 4 2> 5
<who> has/have been_to:去过 <city> <times> | 1 3 4 5
<who> has/have watched:看过 <def/film> <times> | 1 3 5 4
<who> eats/eat:吃 <food> <times> a:每 month:个月 | 1 5 6 2 4 3
<adult> goes/go:去 to <city> <times> a:每 year:年 | 1 6 7 2 5 4
how_many:几 times:次 a:每 week:周 does/do <asked> <sport+base> ? | 6 3 4 7 1 2
how_many:几 times:次 has/have <asked> been_to:去过 <city> ? | 4 5 6 1 2
<who> takes/take:吃 medicine:药 three:三 times:次 a:每 day:天 | 1 6 7 2 4 5 3
<who> drinks/drink:喝 <hot> twice:两次 a:每 day:天 | 1 5 6 2 4 3
<who> has/have been:去过 there:那里 <times>""")


@construction(0.7)
def ages_heights(draw: Draw) -> Phrase:
    """Tom is one hundred and eighty centimeters tall: 汤姆有一百八十厘米高."""
    return drawn(draw, """<name> is:有 one:一 hundred:百 and <tens> centimeters:厘米 tall:高
<that-/tree> is:有 <height> meters:米 tall:高; <that-/bridge> is:有 <some_hundred> meters:米 long:长
my:我 <heir2> will_be:就 <young+岁> next:明 year:年 :了 | 1 2 5 6 3 4 7
<name> will_be:就 <age+岁> next:明 year:年 :了 | 1 4 5 2 3 6
<name> was <age+岁> last:去 year:年 | 1 4 5 3
<name> is <few> years:岁 older:大 than:比 <me2> | 1 6 7 5 3 4
<name> is <few> years:岁 younger:小 than:比 <me2> | 1 6 7 5 3 4
how:多 tall:高 is/are <asked> ? | 4 1 2
how:多 tall:高 is:有 <that-/tree> ? | 4 3 1 2; how:多 long:长 is:有 <that-/bridge> ? | 4 3 1 2""")
