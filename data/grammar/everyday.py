"""What a learner of translation meets every day: also, still, please, with somebody, the weather.

Most sentences are rows of a table, in the notation of rows.py.
"""

from .draw import Draw
from .nouns import noun_phrase
from .phrase import Phrase
from .registry import construction
from .rows import drawn, rows, slots, women

# ---------------------------------------------------------------- small words


@construction(1.4)
def also(draw: Draw) -> Phrase:
    """Tom also likes tea: 汤姆也喜欢茶."""
    return drawn(draw, """<who> also:也 likes/like:喜欢 <liked>
<who> likes/like:喜欢 <liked> , too:也 | 1 5 2 3; <who> also:也 <wants> <plan>
<who> doesn't/don't:不 like:喜欢 <liked> , either:也 | 1 6 2 3 4
<who> doesn't/don't:不 like:喜欢 <liked> , either:也 | 1 6 2 3 4
<who> is/are/am also:也 <mood>; <one> is:是 also:也 a:一位 <job> | 1 3 2 4 5
<adult> also:也 works/work:工作 <work_at> | 1 2 4 3; <who> <want> <plan> , too:也 | 1 5 2 3
<who> went:去 :了 to <place> yesterday:昨天 , too:也 | 1 6 8 2 3 5""")


@construction(1.6)
def all_both(draw: Draw) -> Phrase:
    """The students are all tired: 学生们都很累; they both like swimming: 他们都喜欢游泳."""
    return drawn(draw, """<they> are all:都 <mood>; <they> all:都 like:喜欢 <liked>
<they> are all:都 <spot>; <they> all:都 have:有 <bare-/phone,bike,umbrella>
all:所有/都 the:的 <jobs> are <mood> | 1< 2 3 1> 5; <they> all:都 went:回 home:家 :了
everyone:大家/都 likes:喜欢 <whom> | 1< 1> 2 3; everyone:大家/都 likes:喜欢 <liked> | 1< 1> 2 3
all:所有/都 the:的 <bare-/student,child,boy,girl> are <spot> | 1< 2 3 1> 5
<two> both:都 like:喜欢 <liked>; <two> are both:都 <mood>; <two> are:是 both:都 <jobs> | 1 3 2 4
<two> are both:都 <spot>; <two> both:都 <wants> <plan>; <two> both:都 live:住 in:在 <city>""")


@construction(1.1)
def most(draw: Draw) -> Phrase:
    """This is the cheapest hat: 这是最便宜的帽子; who likes tea best: 谁最喜欢茶."""
    if draw.chance(0.3):
        return drawn(draw, MOST_LIKED)
    noun = draw.noun_with("clothes", "headwear", "device", "furniture", "bike", "guitar", "house")
    fitting = [word for word in draw.after[noun.english] if word.english in SUPERLATIVES]
    if not fitting:
        return most(draw)
    word = draw.pick(fitting)
    ending = SUPERLATIVES[word.english] + word.after
    which = draw.pick(["this:这", "that:那", "which:哪"]) + noun.measure
    table = MOST if which[0] == "t" else "<which> <thing> is the <most> ?"
    thing = f"{noun.english}:{noun.chinese}"
    given = {"most": ending, "best": ending + "的", "which": which, "thing": thing}
    given["one"] = f"the:那{noun.measure}"
    phrase = drawn(draw, table, **given)
    return phrase.relate("adjective-noun", word.english, noun.english)


SUPERLATIVES = {word: f"most:最 {word}:" for word in ("beautiful", "comfortable", "expensive")}
SUPERLATIVES["cheap"] = "cheapest:最"
MOST = """this:这 is:是 the <best> <thing>; <which> <thing> is the <most>
that:那 is:是 the <best> <thing> in:里 the shop:商店 | 1 2 8 6 4 5
<who> bought:买 :了 <one> <best> <thing> | 1 2 3 5 4 6
is:是 this:这 the <best> <thing> :吗 ? | 2 1 4 5 6"""
MOST_LIKED = """<name> is:是 the best:最好的 student:学生 in:里 the school:学校 | 1 2 8 6 4 5
<name> is:是 <my> best:最好的 friend:朋友; <who> likes/like:喜欢 <liked> best:最 | 1 4 2 3
who:谁 is:是 <my> best:最好的 friend:朋友 ? | 3 4 5 2 1"""


@construction(1.5)
def still(draw: Draw) -> Phrase:
    """She is still sleeping: 她还在睡觉."""
    return drawn(draw, """<who> is/are/am:在 still:还 <doing+ing> | 1 3 2 4
<who> is/are/am:在 still:还 waiting_for:等 <me> | 1 3 2 4 5
<who> is/are/am still:还 <spot>; <person> still:还 loves/love:爱 <me>
<adult> still:还 works/work:工作 <work_at> | 1 2 4 3; <one> still:还 lives:住 in:在 <city>
<who> still:还 doesn't/don't:不 understand:明白
<who> still:还 has/have:有 <count/book,ticket,apple,egg>; <who> still:还 can't:不会 <can>
is/are:在 <asked> still:还 <doing+ing> :吗 ? | 2 3 1 4 5""")


@construction(1.5)
def again(draw: Draw) -> Phrase:
    """It rained again yesterday: 昨天又下雨了; please say it again: 请再说一次."""
    return drawn(draw, """<who> was/were/was late:迟到 again:又 :了 | 1 4 3 5
it rained:下雨 again:又 in <city> <was> :了 | 5 6 3 2 7
<who> forgot:忘 :了 again:又 | 1 4 2 3; <person> forgot:忘 :了 again:又 | 1 4 2 3
<who> went:去 :了 to <place> again:又 <was> | 1 7 6 2 3 5
<who> lost:弄丢 :了 <the-/lost> again:又 | 1 5 2 3 4
<who> called:给/打电话 <me> again:又 :了 | 1 4 2< 3 2> 5
please:请 say:说 it again:再/一次 , <name> :， | 1 4< 2 4> 7 6
can:能 you:你 say:说 it again:再/一次 , <name> :， :吗 ? | 7 8 2 1 5< 3 5> 9
<person> <want> say:说 it again:再/一次 | 1 2 5< 3 5>
can:能 <asked> try:试 again:再/一次 :吗 ? | 2 1
    4< 3 4> 5
<who> <want> watch:看 <def/film> again:再/一次 | 1 2 5< 3 5> 4
<who> <want> read:看 <def/book,magazine> again:再/一次 | 1 2 5< 3 5> 4
<who> <want> try:试 again:再/一次 | 1 2 4< 3 4>
<person> will:会 come:来 again:再/一次 <will_be> | 1 5 2 4< 3 4>""")


@construction(1.1)
def only_just(draw: Draw) -> Phrase:
    """He only drinks tea: 他只喝茶; she has just left: 她刚走."""
    return drawn(draw, """<who> only:只 drinks/drink:喝 <drink>; <who> only:只 eats/eat:吃 <food>
<who> only:只 has/have:有 <count-/book,magazine,bag,hat,umbrella,toy>
<who> has/have:有 only:只 <count-/book,magazine,bag,hat,umbrella,toy> | 1 3 2 4
<who> only:只 <wants> <plan>; <who> has/have just:刚 <left>; <who> just:刚 <left>
<who> just:刚 bought:买 :了 <a/clothes,headwear,bike,phone,computer>
<who> has/have just:刚 bought:买 :了 <a/clothes,headwear,bike,phone,car>""")


@construction(1.9)
def always_often(draw: Draw) -> Phrase:
    """She often drinks tea: 她经常喝茶; he is never late: 他从来不迟到."""
    return drawn(draw, """<who> <adverb> <habit>; <who> <adverb> <habit>
<who> <adverb> <habit> with:跟/一起 <whom> | 1 2 4< 5 4> 3
<youth> always:总是 does/do homework:作业 in_the_evening:晚上 :做 | 1 5 2 6 4
<who> always:总是 does/do homework:作业 in_the_evening:晚上 :做 | 1 5 2 6 4
<who> is/are/am <adverb> late:迟到; <who> is/are/am always:总是 late:迟到
<who> <adverb> gets_up/get_up:起床 at <hour> | 1 2 5 3; <who> always:总是 helps/help:帮 <whom>
<who> always:总是 helps/help:帮 <whom>; does/do <asked> often:经常 <habit+base> :吗 ?""")


# ---------------------------------------------------------------- phrases beside the verb


@construction(1.4)
def with_somebody(draw: Draw) -> Phrase:
    """I went to the park with my mother: 我跟我妈妈一起去了公园."""
    return drawn(draw, """<who> went:去 :了 to <place> with:跟/一起 <whom> | 1 6< 7 6> 2 3 5
<who> went:去 :了 to <place> with:跟/一起 <dear> <was> | 1 8 6< 7 6> 2 3 5
<who> is/are/am:正在 <together+ing> with:跟/一起 <whom> | 1 2 4< 5 4> 3
<who> <want> <outing> with:跟/一起 <dear> | 1 2 4< 5 4> 3
<person> lives/live:住 with:跟/一起 <his> parents:父母 | 1 3< 4 5 3> 2
<who> will:要 go:去 to <city> with:跟/一起 <whom> <will_be> | 1 8 2 6< 7 6> 3 5
did <asked> go:去 to <place> with:跟/一起 <whom> :了吗 ? | 2 6< 7 6> 3 5 8
<who> is/are/am:正在 talking:聊天 with:跟 <whom> | 1 2 4 5 3
<brief> is/are/am:正在 talking:聊天 with:跟 <dear> | 1 2 4 5 3""")


@construction(1.4)
def for_to_somebody(draw: Draw) -> Phrase:
    """She cooked dinner for us: 她给我们做了晚饭."""
    return drawn(draw, """<who> <did_for> for:给 <whom> | 1 3 4 2
<who> <did_for> for:给 <dear> yesterday:昨天 | 1 5 3 4 2
<who> told:讲 :了 a:一个 story:故事 to:给 <whom> | 1 6 7 2 3 4 5
<who> <want> buy:买 <a/clothes,headwear,present,book> for:给 <dear> | 1 2 5 6 3 4
<who> <want> make:做 a:一个 cake:蛋糕 for:给 <dear> | 1 2 6 7 3 4 5
<who> calls/call:给/打电话 <dear> <each> | 1 4 2< 3 2>
<they> call:给/打电话 <dear> <each> | 1 4 2< 3 2>
<who> called:给/打电话 <whom> <was> :了 | 1 4 2< 3 2> 5
can:能 you:你 <do_for> for:给 <us> :吗 ? | 2 1 4 5 3 6; please:请 <do_for> for:给 <us> | 1 3 4 2""")


@construction(1.1)
def from_to(draw: Draw) -> Phrase:
    """He went from Beijing to Shanghai by train: 他从北京坐火车去了上海."""
    start, goal = draw.two(draw.pick([slots()["city"][:2], slots()["city"][2:]]))
    return drawn(draw, FROM_TO, start=start, goal=goal)


FROM_TO = """<who> went:去 :了 from:从 <start> to <goal> <train> | 1 4 5 8 2 3 7
<who> will:要 go:去 from:从 <start> to <goal> <train> <will_be> | 1 9 2 4 5 8 3 7
how_far:多远 is:有 it from:从 <near> to:到 <place> ? | 4 5 6 7 2 1
<adult> works/work:工作 from:从 <early> to:到 <late> | 1 3 4 2 5 6
the <open> is open:开 from:从 <early> to:到 <late> | 2 5 6 4 7 8
<who> walked:走 from:从 <near> to:到 :了 <place> | 1 3 4 2 5 6 7
is it far:远 from:从 <near> to:到 <place> :吗 ? | 4 5 6 7 3 8"""


@construction(1.5)
def by_vehicle(draw: Draw) -> Phrase:
    """She goes to school by bike every day: 她每天骑自行车去学校."""
    return drawn(draw, """<adult> goes/go:去 to <daily> <bus> <each> | 1 6 5 2 4
<youth> goes/go:去 to school:学校 <vehicle> <each> | 1 6 5 2 4
<adult> went:去 :了 to <place> <bus> | 1 6 2 3 5
<adult> went:去 :了 to <place> <bus> <was> | 1 7 6 2 3 5
<adult> drove:开车 to:去 :了 <place> <was> | 1 6 2 3 4 5
<adult> drove:开车 to:去 :了 <place>
<who> arrived_in:到 :了 <city> <was> | 1 5 2 3 4
<who> took:坐 a taxi:出租车 to:去 :了 <place>
<who> took:坐 a taxi:出租车 to:去 :了 <place> <was> | 1 8 2 4 5 6 7
<who> took:带 <me> to:去 :了 <place>
please:请 take:带 <us> to:去 <place>; <adult> <want> go:去 to <place> <bus> | 1 2 6 3 5
can:可以 we:我们 go:去 to <place> <bus> :吗 ? | 2 1 6 3 5 7
does/do <asked> go:去 to <daily> <bus> :吗 ? | 2 6 3 5 7
<who> will:要 go:去 to <city> <train> <will_be> | 1 7 2 6 3 5; <who> walked:走路 to:去 :了 <place>
let's:我们/吧 take:坐 a taxi:出租车 to:去 <place> | 1< 2 4 5 6 1>
<name> walks:走路 to:去 <daily> <each> | 1 5 2 3 4; <one> walks:走路 to:去 school:学校 <each> | 1 5
    2 3 4
<who> went:去 :了 to <city> <train> <was> | 1 7 6 2 3 5""")


@construction(1.3)
def serial_verbs(draw: Draw) -> Phrase:
    """He went to the supermarket to buy milk: 他去超市买了牛奶."""
    return drawn(draw, """<who> went:去 to <errand+past>
<who> went:去 to <errand+past> <was> | 1 5 2 4
<who> <want> go:去 to <errand>; <who> will:要 go:去 to <errand> <will_be> | 1 6 2 3 5
let's:我们/吧 go:去 to <errand> | 1< 2 4 1>
<who> will:要 come:来 here:这里 to help:帮 <me> <will_be> | 1 8 2 3 4 6 7
did <asked> go:去 to <errand> :了吗 ? | 2 3 5 6""")


@construction(0.9)
def topics(draw: Draw) -> Phrase:
    """As for that book, I have read it: 那本书我看过了."""
    verbs = {"read:看": "book magazine", "watched:看": "film", "heard:听": "song story"}
    done = draw.pick(list(verbs))
    one, other = draw.two(draw.pick([slots()["drink"], slots()["food"][:5]]))
    noun = draw.noun[draw.pick(verbs[done])]
    thing = noun_phrase(draw, noun, draw.pick(["that", "this", "the"]), 0.3)
    base = {"r": "read", "w": "watch", "h": "hear"}[done[0]]
    thing = thing.relate("verb-object", base, noun.english)
    return drawn(draw, TOPICAL, it=thing, done=done, this_one=one, other=other)


TOPICAL = """as_for <it> , <brief> has/have <done> :过了 it | 2 4 6 7
as_for <it> , <brief> has/have already:已经 <done> :过了 it
as_for <it> , <brief> hasn't/haven't:没 <done> :过 it yet:还 | 2 4 9 5 6 7
as_for <drink> , <brief> doesn't/don't:不 drink:喝 it
as_for <dry> , <brief> doesn't/don't:不 eat:吃 it
<this_one> <brief> likes/like:喜欢 , but:但是 <other> <brief> doesn't/don't:不 like:喜欢 :， | 1 2 3
    10 5 6 7 8 9"""


# ---------------------------------------------------------------- requests, people


@construction(1.8)
def please_dont(draw: Draw) -> Phrase:
    """Please close the window: 请把窗户关上; don't cry: 别哭; let's go home: 我们回家吧."""
    return drawn(draw, """please:请 <ba>; <ba> , please:请 | 3 1; please:请 <ask>; please:请 <ask>
please:请 look_at:看 <def/photo,painting,map,watch>
please:请 don't:别 <forbidden>; please:请 give:给 me:我 <cup>; <ba>
don't:别 <forbidden>; don't:别 forget:忘了 <your> <one/lost>; let's:我们/吧 <plan> | 1< 2 1>
let's:我们/吧 <outing> <will_be> | 1< 3 2 1>
please:请 wait_for:等 <us>; please:请 help:帮 <us>; <cup> , please:请给我 | 3 1""")


@construction(1.5)
def oneself(draw: Draw) -> Phrase:
    """He cooked dinner himself: 他自己做了晚饭."""
    return drawn(draw, """<person> cooked:做 :了 <meal> <self> | 1 5 2 3 4
<selves> cooked:做 :了 <meal> <self> | 1 5 2 3 4
<person> bought:买 :了 <a/clothes,headwear,phone,bike> for:给 <self> | 1 5 6 2 3 4
<selves> bought:买 :了 <a/clothes,headwear,phone,bike> for:给 <self> | 1 5 6 2 3 4
you:你 can:可以 <diy> yourself:自己 | 1 2 4 3; can:可以 you:你 <diy> yourself:自己 :吗 ? | 2 1 4 3 5
 <selves> went:去 :了 to <place> by <self> | 1 7 2 3 5
<person> fixed:修好 :了 <def/vehicle,device> <self> | 1 5 2 3 4
<selves> cleaned:打扫 :了 the <room> <self> | 1 6 2 3 5
<person> <want> go:去 to <place> by <self> | 1 2 7 3 5""")


@construction(2.2)
def polite_you(draw: Draw) -> Phrase:
    """Can you help me, sir: 先生，您能帮我吗."""
    return drawn(draw, """<query> , <sir> :， ? | 3 4 1; <sir> , <query> :， ? | 1 4 3
<remark> , <sir> :， | 3 4 1; <sir> , <remark> :， | 1 4 3""")


@construction(0.7)
def it_them(draw: Draw) -> Phrase:
    """I found a cat and took it home: 我找到了一只猫，把它带回了家."""
    return drawn(draw, """<who> found:发现 :了 <a-/cat,dog,rabbit> and took:带 it:它 home:回/家
    :，把 :了 | 1 2 3 4 9 7 6 8< 10 8>
<who> bought:买 :了 <a/book,toy,clothes,headwear> and gave:送 it to:给 <me> :， :了 |
    1 2 3 4 10 6 8 9 11
<who> bought:买 :了 <a/chair,table,computer> and put:放 it:它 in:在/里 the <room> :，把 :了 |
    1 2 3 4 11 7 6 8< 12 10 8>
<who> has/have:有 <a/pet> and likes/like:喜欢 it:它 very_much:非常 :， | 1 2 3 8 7 5 6
<who> has/have:有 <count-/pet,rabbit,duck> and loves/love:爱 them:它们 :，很 | 1 2 3 7 5 6
<the-/pet> is :很 hungry:饿 :， , please:请 feed:喂 it:它 | 1 3 4 5 7 8 9
<def/headwear,clothes,device,bike> is old:旧 , but:但是 I:我 like:喜欢 it:它 :， :很 | 1 10 3 9 5 6
    7 8""")


@construction(0.7)
def they_women(draw: Draw) -> Phrase:
    """Mary and Anna lost their hats: 玛丽和安娜弄丢了她们的帽子."""
    return drawn(draw, WOMEN_ROWS, women=women(draw))


WOMEN_ROWS = """<women> said:说 that they:她们 were <mood>; <women> said:说 they:她们 were <mood>
<women> lost:弄丢 :了 their:她们的 <plurals>; <women> like:喜欢 their:她们的 teacher:老师
I:我 like:喜欢 <women> , but:但是 they:她们 don't:不 like:喜欢 me:我 :， | 1 2 3 10 5 6 7 8 9
<pron> called:给/打电话 <women> , but:但是 they:她们 were :了， <mood> | 1 2< 3 2> 8 5 6 9"""


@construction(1.1)
def is_not(draw: Draw) -> Phrase:
    """It is not a cat but a rabbit: 这不是猫，而是兔子; Tom isn't a doctor: 汤姆不是医生."""
    who, kinds = draw.pick(NOT_BUT)
    first, second = draw.two(rows(kinds))
    table = IS_NOT if draw.chance(0.5) else NOT_BUT_ROWS
    return drawn(draw, table.replace("<this>", who), first=first, second=second)


NOT_BUT = [
    ("<one>", "a teacher:老师; a doctor:医生; a nurse:护士; a driver:司机; a cook:厨师"),
    ("<one>", "a writer:作家; a singer:歌手; a student:学生; a manager:经理"),
    ("this:这", "a cat:猫; a dog:狗; a rabbit:兔子; a fox:狐狸"),
    ("that:那", "tea:茶; coffee:咖啡; juice:果汁; water:水"),
    ("this:这", "an apple:苹果; an orange:橙子; a tomato:西红柿"),
    ("this:这", "a phone:手机; a camera:相机; a radio:收音机; a computer:电脑"),
    ("that:那", "a hotel:酒店; a school:学校; a hospital:医院; a library:图书馆; a museum:博物馆"),
]
NOT_BUT_ROWS = """is:是 <this> <first> or:还是 <second> ? | 2 1 3 4 5
<this> is:是 not:不 <first> but:而是 <second> :， | 1 3 2 4 7 5 6"""
IS_NOT = """<this> isn't:不是 <first>; this:这 isn't:不是 <mine>; that:那 isn't:不是 <mine>
these:这些 aren't:不是 <your> <plurals>; those:那些 aren't:不是 <your> <plurals>
isn't:不是 this:这 <mine> :吗 ? | 2 1 3 4; they:他们 aren't:不是 <jobs>
this:这 isn't:不是 <first> , it is:是 <second> :， | 1 2 3 8 6 7"""


# ---------------------------------------------------------------- weather, body, short sentences


@construction(2.9)
def weather(draw: Draw) -> Phrase:
    """It is cold today: 今天很冷; it is cold: 天气很冷; it rained yesterday: 昨天下雨了."""
    start, goal = draw.two(slots()["city"])
    return drawn(draw, WEATHER, start=start, goal=goal)


WEATHER = """it is <how> today:今天 | 4 3; it was <how> yesterday:昨天 | 4 3
it is <how> outside:外面 | 4 3; it:天气 is <how>
it rained:下雨 in <city> <was> :了 | 4 5 2 6; it rained:下雨 in <city> <was> :了 | 4 5 2 6
it didn't:没 <rain+base> in <city> <was> | 5 6 2 3
it will:会 <rain+base> in <city> <will_be> | 5 6 2 3
will:会 it <rain+base> <will_be> :吗 ? | 4 1 3 5
it is:正在 <rain+ing> outside:外面 | 4 2 3; it often:经常 <rain+he> in <city> | 5 2 3
is it <weather> in <city> now:现在 :吗 ? | 6 5 3 7
it is <colder> in <start> than:比 in <goal> | 5 6 8 3
it is <colder> in <start> than:比 in <goal> today:今天 | 9 5 6 8 3
it is <colder> here:这里 than:比 in <city> | 4 5 7 3; is it <how2> outside:外面 :吗 ? | 4 3 5
it is <colder> in <start> than:比 in <goal> | 5 6 8 3
it is <colder> in <start> than:比 in <goal> | 5
    6 8 3; it is <how> outside:外面 | 4 3; it is:正在 <rain+ing> outside:外面 | 4 2 3
it is <climate> in <city> | 5 3; it is <climate> in <city> | 5 3; it is <climate> in <city> | 5 3
take:带 <a-/umbrella> , it will:会 <rain+base> <will_be> :， | 1 2 8 7 5 6
it is <climate> here:这里 | 4 3; it is <climate> here:这里 | 4 3
it is <climate> in <city> | 5 3; is it <climate> in <city> :吗 ? | 5 3 6
is it <climate> in <city> :吗 ? | 5 3 6"""


@construction(1.4)
def body(draw: Draw) -> Phrase:
    """My head hurts: 我头疼; she has a fever: 她发烧了."""
    return drawn(draw, """<possessor> <head> hurts:疼; <one> 's <head> hurts:疼
<one> 's <head> hurts:疼 today:今天 | 1 5 3 4; <brief> has/have <ache>
does your:你 <head> hurt:疼 :吗 ?; does <one> 's <head> hurt:疼 :吗 ?
does/do <asked> have <ache> :吗 ?; <brief> is/are/am ill:生病了; <who> is/are/am ill:生病了
<brief> has/have <ache>""")


@construction(3.3, known=True)
def expressions(draw: Draw) -> Phrase:
    """Thank you: 谢谢; good morning, Tom: 早上好，汤姆."""
    return drawn(draw, TO_SOMEBODY if draw.chance(0.85) else EXPRESSIONS)


TO_SOMEBODY = """<call>; <call> , <addressed> :， | 1 4 3; <addressed> , <call> :， | 1 4 3"""
EXPRESSIONS = """<answer>; <answer>; <answer>; <answer>; who_is_it:是谁 ?
what:什么 is:是 this:这 ? | 3 2 1; what:什么 is:是 that:那 ? | 3 2 1
how_much_is_it:多少钱 ?; how_old:多大 are you:你 :了 ? | 3 1 4; why:为什么 ?; who:谁 ?
what's:叫什么 your:你 name:名字 ? | 2 1 3; when:什么时候 ?; where:在哪里 ?; me:我 too:也是
it's_late:很晚了; it's_easy:很容易; not:没有 yet:还 | 2 1; I:我 can't:不能; I:我 can:能
dinner:晚饭 is ready:好 :了; may:可以 I:我 come_in:进来 :吗 ? | 2 1 3 4; help:帮帮 me:我
and you:你 :呢 ?; I:我 want:想要 this:这个; call:给/打电话 me:我 | 1< 2 1>; look_at:看 me:我
yes:是的; no:不; come:来 here:这里; please:请 help:帮 me:我; I:我 don't:不 understand:明白"""


@construction(2.8)
def short_sentences(draw: Draw) -> Phrase:
    """He is here: 他在这里; let's go: 我们走吧."""
    return drawn(draw, """<who> <did>; <who> <did> <was> | 1 3 2
<who> laughed:笑 :了 <was> | 1 4 2 3; <who> cried:哭 :了 <was> | 1 4 2 3
<who> is/are/am:在 here:这里; <who> is/are/am lost:迷路了; <who> is/are/am <state>
<brief> <did>
<who> is/are/am <state>; <brief> is/are/am <state>; <one> is <state>; <who> is/are/am <state>
did <asked> <cried> :了吗 ? | 2 3 4; did <one> <cried> :了吗 ? | 2 3 4
did <asked> <cried> :了吗 ? | 2 3 4
does/do <asked> understand:明白 :吗 ?
is/are:在 <asked> here:这里 :吗 ? | 2 1 3 4
are you:你 <state_asked> :吗 ?; is <one> <state_asked> :吗 ?; is/are <asked> <state_asked> :吗 ?
 let's:我们/吧 <go> | 1< 2 1>
my:我 name_is:叫 <name>; his:他 name_is:叫 <name>; her:她 name_is:叫 <name>
this:这 is:是 <mine>; is:是 that:那 <mine> :吗 ? | 2 1 3 4
who:谁 is:是 <one> ? | 3 2 1; where:哪里 is:在 <one> ? | 3 2 1
where:哪里 is:在 <the-/lost> ? | 3 2 1; let:让 me:我 <try>
how:真 <nice>; it's too:太 <bad> :了; <who> wants/want:想要 <a-/clothes,fruit,book,phone>
don't:别 <stop> , <name> :， | 1 2 5 4; <brief> can:能 <able>; <brief> can't:不会 <can>
can:会 <asked> <can> :吗 ? | 2 1 3
    4
<name> , welcome:欢迎 to:来 <city> :， | 1 6 3 4 5
welcome:欢迎 to:来 <city> , <name> :， | 1 2 3 6 5; don't:别 <stop> , <name> :， | 1 2 5 4""")
