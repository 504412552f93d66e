"""Sentences written as rows of a table, with the links between their words.

Two rows, and what they give::

    very_much:非常 I:我 thank:感谢 you:你 | 2 1 3 4
    <who> likes/like:喜欢 <a-/clothes,book> with:跟/一起 <me> ? | 1 4< 5 4> 2 3

In the first one four glosses stand in the order of the English (``_`` is a space); behind | come
their numbers in the order of the Chinese, where that differs. In the second one ``likes/like``
agrees with the subject, ``<who>`` is one of SUBJECTS, ``<me>`` one of MAKERS or of SLOTS,
``<a-/clothes,book>`` a noun phrase with a noun of those tags (``-``: without adjectives),
``4<`` and ``4>`` are the two sides of 跟/一起, and ``?`` ends a question.

Further, ``<habit+ing>`` is a slot with its verb in that form, ``<young+岁>`` a number with its
measure word, and ``~`` stands before Chinese that only ``+past`` has. Rows are divided by ; or a
new line; those that are indented go on with the line above.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from .draw import Draw
from .lexicon import MEN, PRONOUNS, TOPICS, WOMEN, Noun, read_adjectives, read_nouns, read_verbs
from .nouns import PLURALS, described, kin, noun_phrase, possessive
from .people import a_subject, asked, name, pronoun, somebody, two_names
from .phrase import EMPTY, Phrase, gloss, join

MALE, FEMALE = "father son husband".split(), "mother daughter wife grandmother".split()
# words between a verb and a noun that is not its object
BREAKS = frozenset("in at on to with for from by of than and but , is are was were".split())
SLOTS = """
wants = wants_to/want_to:想
want = wants_to/want_to:想; would like_to:想
mood = :很 tired:累; :很 busy:忙; :很 happy:高兴
drink = tea:茶; coffee:咖啡; milk:牛奶; juice:果汁
food = rice:米饭; noodles:面条; dumplings:饺子; bread:面包; fish:鱼; <bare-/fruit>
staple = noodles:面条; dumplings:饺子; bread:面包; bread:面包
dry = bread:面包; fish:鱼; rice:米饭
bad = cold:冷; hot:热; expensive:贵
meal = breakfast:早饭; lunch:午饭; dinner:晚饭
liked = <topic>; <topic>; <drink>; <food>; <bare-/pet,flower,horse>; films:电影
city = Beijing:北京; Shanghai:上海; London:伦敦; Paris:巴黎
place = the park:公园; the library:图书馆; the supermarket:超市; the zoo:动物园; the station:车站;
    the museum:博物馆; the hospital:医院; the cinema:电影院; the restaurant:餐厅
leisure = the park:公园; the library:图书馆; the cinema:电影院; the supermarket:超市
daily = the office:办公室; work:上班; the library:图书馆; the supermarket:超市
each = every:每 day:天; every:每天 morning:早上; every:每天 evening:晚上
us = me:我; us:我们; him:他; her:她
spot = at:在 school:学校; at:在 home:家里; in:在/里 the park:公园 | 1< 3 1>;
    in:在 the library:图书馆
work_at = in:在 the hospital:医院; in:在 the library:图书馆; in:在 that:那家 hotel:酒店
was = yesterday:昨天; this:今天 morning:早上; last:上 week:周
a_day = tomorrow:明天; today:今天
will_be = tomorrow:明天; next:下 week:周; this:今天 evening:晚上; this:这个 weekend:周末
job = teacher:老师; doctor:医生; nurse:护士; driver:司机; cook:厨师; writer:作家
jobs = doctors:医生; teachers:老师; nurses:护士; students:学生
habit = drinks/drink:喝 <drink>; eats/eat:吃 <food>; watches/watch:看 TV:电视;
    goes/go:去 to <leisure>; listens_to/listen_to:听 music:音乐; takes_a_walk/take_a_walk:散步;
    reads/read:看 books:书; cooks/cook:做 dinner:晚饭; swims/swim:游泳
doing = sleeps/sleep:睡觉; watches/watch:看 TV:电视; cooks/cook:做 dinner:晚饭; rests/rest:休息;
    eats/eat:吃 <meal>; studies/study:学习; waits_for/wait_for:等 <me>; reads/read:看书
together = watches/watch:看 TV:电视; cooks/cook:做 dinner:晚饭; eats/eat:吃 <meal>;
    studies/study:学习 Chinese:中文; reads/read:看书
sport = swims/swim:游泳; runs/run:跑步; takes_a_walk/take_a_walk:散步
plan = listen_to:听 music:音乐; go:去 to <leisure>; go:去 to <city>; go:回 home:家;
    study:学习 <tongue>; rest:休息;
    drink:喝 a:一 cup:杯 of <hot>; watch:看 this:这部 movie:电影; take_a_walk:散步;
    buy:买 <a/clothes,headwear,book,phone,camera,bike,guitar,umbrella>; eat:吃 <food>
outing = go:去 to <leisure>; go:去 to the zoo:动物园; go:去 to <city>; watch:看 a movie:电影;
    eat:吃 dinner:晚饭; take_a_walk:散步; go:去 to the park:公园 to run:跑步
tongue = English:英语; Chinese:中文
hot = tea:茶; coffee:咖啡
adverb = often:经常; sometimes:有时候; usually:通常; never:从来不
vehicle = by:坐 bus:公共汽车; by:坐 bus:公共汽车; by:坐 subway:地铁; by:骑 bike:自行车
bus = <vehicle>; by:开 car:车
train = by:坐 train:火车; by:坐 plane:飞机
errand = the supermarket:超市 to buy:买 ~:了 <groceries>; the park:公园 to run:跑步 ~:了;
    the library:图书馆 to borrow:借 ~:了 <a-/book,dictionary,magazine>;
    the restaurant:餐厅 to eat:吃 ~:了 <staple>; the station:车站 to meet:接 ~:了 <kin>;
    the cinema:电影院 to watch:看 ~:了 a~:一部 movie:电影; the library:图书馆 to study:学习 ~:了;
    the shop:商店 to buy:买 ~:了 <a-/clothes,headwear,umbrella,phone>;
    the station:车站 to buy:买 ~:了 tickets:票
groceries = noodles:面条; <staple>; fish:鱼; milk:牛奶; <bare-/fruit>
my = my:我; her:她; his:他; your:你
your = your:你的; his:他的; her:她的; my:我的
others = your:你的; his:他的; her:她的; Tom's:汤姆的; Mary's:玛丽的; Anna's:安娜的; Jack's:杰克的
owner = my:我的; <others>
dear = <my> mom:妈妈; <my> dad:爸爸
head = head:头; leg:腿
ache = a_headache:头疼; a_fever:发烧 :了
weather = cold:冷; hot:热; warm:暖和
climate = :很 hot:热 in summer:夏天 | 4 1 2; very:非常 hot:热 in summer:夏天 | 4 1 2;
    :很 cold:冷 in winter:冬天 | 4 1 2; very:非常 cold:冷 in winter:冬天 | 4 1 2;
    :很 warm:暖和 in spring:春天 | 4 1 2; very:非常 warm:暖和 in spring:春天 | 4 1 2
rain = rains/rain:下雨; snows/snow:下雪
open = shop:商店; supermarket:超市; library:图书馆; museum:博物馆; restaurant:餐厅
can = swim:游泳; cook:做饭; drive:开车; speak:说 <tongue>; ride a bike:骑自行车; dance:跳舞
room = room:房间; kitchen:厨房; classroom:教室; office:办公室
left = left:走; came:回 home:家; arrived:到
hour = six:六点; seven:七点; eight:八点; half:半 past six:六点 | 3 1; half:半 past seven:七点 | 3 1
early = seven:七点; eight:八点; nine:九点
late = four:四点; five:五点; six:六点; ten:十点
bedtime = nine:九点; ten:十点; eleven:十一点; half:半 past nine:九点 | 3 1
did_for = cooked:做 :了 <meal>; made:做 :了 a:一个 cake:蛋糕; sang:唱 :了 a:一首 song:歌;
    bought:买 :了 <a/clothes,headwear,present,book,toy>; opened:开 :了 the door:门
do_for = make:做 a:一个 cake:蛋糕; sing:唱 a:一首 song:歌; make:做 <meal>; open:开 the door:门;
    buy:买 a:一 cup:杯 of <hot>
near = here:这里; the hotel:酒店; school:学校; home:家
ba = close:关上 <door> :把 | 3 2 1; open:打开 <door> :把 | 3 2 1; turn_on:打开 <lamp> :把 | 3 2 1;
    <turn>;
    turn_off:关掉 <lamp> :把 | 3 2 1; give:给 <def/small> to me:我 :把 | 5 2 1 4;
    put:放 <def/small> on:在/上 the table:桌子 :把 | 6 2 1 3< 5 3>
turn = turn_on:打开 <lamp> :把 | 3 2 1; turn_off:关掉 <lamp> :把 | 3 2 1
door = the door:门; the window:窗户; this:这扇 window:窗户
lamp = the light:灯; the:那台 radio:收音机; the:那台 computer:电脑; the TV:电视
ask = listen_to:听 <def/song,story>; listen_to:听 me:我说; come_in:进来; sit_down:坐;
    speak:说 <tongue>; wait:等 ten:十 minutes:分钟;
    come:来 here:这里; look_at:看 <def/photo,painting,map,watch>; look_at:看 <me>
forbidden = open:打开 <def/box,bag,can>; close:关 the window:窗户; cry:哭; laugh:笑;
    eat:吃 <def/fruit,cake>; drink:喝 that:那杯 <drink>; sleep:睡觉 here:在这里 | 2 1;
    swim:游泳 here:在这里 | 2 1; buy:买 <def/clothes,headwear,device>; go:去 there:那里;
    forget:忘了 <your> <one/umbrella,key,ticket,bag>;
    forget:忘了 <your> <one/umbrella,key,ticket,bag>
cup = a:一 cup:杯 of <hot>; two:两 cups:杯 of <hot>; a:一 glass:杯 of water:水;
    two:两 glasses:杯 of <cold>; a:一 bottle:瓶 of juice:果汁; a:一 bowl:碗 of rice:米饭
cold = water:水; milk:牛奶; juice:果汁
query = may:可以 I:我 ask:问 you:您 a:一个 question:问题 :吗 | 2 1 3 4 5 6 7;
    can:能 you:您 help:帮 me:我 :吗 | 2 1 3 4 5; may:可以 I:我 sit_down:坐下 :吗 | 2 1 3 4;
    is:是 this:这 your:您的 <one/ticket,key,bag,phone,hat,umbrella> :吗 | 2 1 3 4 5;
    where:哪里 do you:您 live:住在 | 3 4 1; would you:您 like:想要 <cup> :吗;
    do you:您 like:喜欢 <liked> :吗; do you:您 speak:会说 <tongue> :吗;
    may:可以 I:我 ask:问 you:您 a:一个 question:问题 :吗 | 2 1 3 4 5 6 7;
    what:什么 would you:您 like_to:想 <eat> | 3 4 5 1; where:哪里 are you:您 going:要去 | 3 4 1
eat = eat:吃; drink:喝; buy:买; see:看
remark = I:我 would like_to:想 ask:问 you:您 a:一个 question:问题;
    please:请 sit_down:坐; please:请 sit_down:坐下 here:在这里 | 1 3 2; please:请 come_in:进来;
    good_morning:早上好;
    good_evening:晚上好; I:我 would like_to:想 ask:问 you:您 a:一个 question:问题;
    your:您的 <one/bag,phone,car,coat> is:在 here:这里; I:我 can:可以 help:帮 you:您;
    please:请 give:给 me:我 your:您的 <one/ticket,photo>; please:请 wait:等 a_moment:一下;
    this:这 is:是 your:您的 <one/ticket,key,bag,phone,hat,umbrella>
title = Mr:先生 <family> | 2 1; Mrs:太太 <family> | 2 1
sir = sir:先生; <title>
family = Wang:王; Li:李
plurals = hats:帽子; keys:钥匙; umbrellas:雨伞; phones:手机; tickets:票; bags:包
mine = <owner> <one/lost,clothes,bike,car,chair,cup,cat,dog>
how = :很 <weather>; very:非常 <weather>; not:不 <weather>; too:太 <weather> :了
colder = colder:冷; hotter:热; warmer:暖和
state = ready:准备好了; ready:准备好了; ill:生病了; lost:迷路了; free:有空;
    :很 angry:生气; :很 fine:好; :很 angry:生气
state_asked = angry:生气; hungry:饿; ready:准备好了; ill:生病了; angry:生气; free:有空;
    tired:累; busy:忙; happy:高兴; cold:冷
did = left:走 :了; laughed:笑 :了; cried:哭 :了; came:来 :了; forgot:忘 :了; slept:睡 :了;
    laughed:笑 :了; cried:哭 :了; waited:等 :了
go = listen_to:听 <def/song>; go:走; eat:吃饭; rest:休息; dance:跳舞; sing:唱歌; wait:等; run:跑步;
    help:帮 <us2>
us2 = him:他; her:她; them:他们; Tom:汤姆; Mary:玛丽; Anna:安娜; Jack:杰克
try = see:看看; try:试试; help:帮 <us2>; go:走; rest:休息; do:做 it; sleep:睡觉
able = come:来; go:去; see:看见 <me>; hear:听见 <me>; do:做 it; help:帮 <me>; wait:等
nice = beautiful:漂亮; cute:可爱; expensive:贵; interesting:有趣; delicious:好吃; cold:冷; hot:热
stop = cry:哭; laugh:笑; cry:哭; laugh:笑; go:走; forget:忘 :了; be_late:迟到; wait:等
event = the:那部 movie:电影; the meeting:会议; this:这个 meeting:会议
part = morning:早上; afternoon:下午; afternoon:下午; evening:晚上
counted = <nth+本> book:书; <nth+张> photo:照片; <nth+个> story:故事; <nth> cup:杯 of <hot>
easy = easy:容易; hard:难; interesting:有趣
work = <nth+部> film:电影; <nth+部> movie:电影; <nth+首> song:歌; <nth+个> story:故事;
    <nth+本> book:书
dull = :很 interesting:有趣; :很 good:好
me2 = me:我; him:他; her:她; you:你
youngster = son:儿子; daughter:女儿
heard = <nth+首> song:歌; <nth+个> story:故事
diy = do:做 it; cook:做 <meal>; clean:打扫 the <room>; fix:修 it; make:做 a:一个 cake:蛋糕
cried = cry:哭; laugh:笑
how2 = cold:冷; hot:热; warm:暖和
waited = wait:等; sleep:睡
possessor = my:我; his:他; her:她
call = good_morning:早上好; good_evening:晚上好; good_night:晚安; hello:你好; goodbye:再见;
    thank_you:谢谢你; thank_you:感谢/你 very_much:非常 | 2 1< 1>; sorry:对不起; excuse_me:打扰一下;
    see:见 you tomorrow:明天 | 3 1; happy:快乐 birthday:生日 | 2 1; please:请 be_quiet:安静;
    please:请 be_careful:小心; don't:别 worry:担心; nice:很高兴 to meet:认识 you:你;
    no:不 , thank_you:谢谢 :， | 1 4 3;
    yes:是的 , thank_you:谢谢 :， | 1 4 3; please:请 wait:等 a_moment:一下
answer = <called>; <weekday>; <drink>; yesterday:昨天; today:今天; tomorrow:明天
addressed = <called>; <called>; <called>; my:我的 friend:朋友
"""


# ---------------------------------------------------------------- rows

@cache
def rows(table: str) -> list[str]:
    """Split a table into its rows."""
    joined = table.replace("\n    ", " ")
    return [row.strip() for row in re.split(r"[;\n]", joined) if row.strip()]


@cache
def slots() -> dict[str, list[str]]:
    """Read SLOTS."""
    lines = SLOTS.strip().replace("\n    ", " ").splitlines()
    return {line.split(" = ")[0]: rows(line.split(" = ")[1]) for line in lines}


def drawn(draw: Draw, table: str, **given: Phrase | str) -> Phrase:
    """Draw a row of a table and fill it; given: slots of this sentence."""
    row = draw.pick(rows(table))
    found = [slot for slot in re.findall(r"<(\w+)>", row) if slot in SUBJECTS]
    who = SUBJECTS[found[0]](draw) if found else EMPTY
    parts = {key: gloss(g) if isinstance(g, str) else g for key, g in given.items()}
    phrase = read(draw, row.replace("?", ""), who, parts)
    if len(phrase.english) > 14 or len(phrase.chinese) > 21:
        return drawn(draw, table, **given)
    return noted(replace(phrase, question="?" in row))


def read(draw: Draw, row: str, who: Phrase, given: dict[str, Phrase]) -> Phrase:
    """Put the parts of a row in the order of each language."""
    text, _, order = row.partition("|")
    words = enumerate(text.split(), 1)
    parts = {f"p{number}": part(draw, word, who, given) for number, word in words}
    places = [f"p{number}" for number in order.split()] or list(parts)
    english, chinese = (" ".join(f"{{{p}}}" for p in side) for side in (parts, places))
    return join(english, chinese.replace(" ", ""), **parts)


def part(draw: Draw, word: str, who: Phrase, given: dict[str, Phrase]) -> Phrase:
    """Read one part of a row: a gloss or a slot."""
    if "~" in word:
        return gloss(word.replace("~", "") if who.agree == "past" else word.partition("~")[0])
    if word[0] != "<":
        return gloss(agreeing(word, who.agree))
    slot, _, form = word[1:-1].partition("+")
    kind, _, tags = slot.partition("/")
    if tags:
        return thing(draw, kind, draw.nouns_with(*tags.split(",")), who)
    if slot in given or slot in SUBJECTS:
        return given.get(slot, who)
    if slot in MAKERS:
        phrase = MAKERS[slot](draw, who)
        return counting(phrase, form) if form else phrase
    return read(draw, draw.pick(slots()[slot]), replace(who, agree=form or who.agree), given)


def thing(draw: Draw, kind: str, nouns: list[Noun], who: Phrase) -> Phrase:
    """Give one of some nouns with a determiner; his: that of the subject."""
    share = 0.0 if kind.endswith("-") else 0.25
    kind = kind.rstrip("-")
    kind = draw.pick(["the", "the", "this", "that"]) if kind == "def" else kind
    plural = kind in PLURALS
    noun = draw.pick([n for n in nouns if n.english != "saw" and not (plural and n.plural == "-")])
    if kind == "his":
        _, _, his, chinese, _ = pronouns(who)
        return possessive(gloss(f"{his}:{chinese}"), described(draw, noun, False, share))
    if kind == "one":
        return described(draw, noun, False, 0.0)
    phrase = noun_phrase(draw, noun, kind, share)
    odd = {"clean", "dirty", "old"} & {*phrase.english}  # nobody buys a dirty hat
    return noun_phrase(draw, noun, kind, 0.0) if odd else phrase


def counting(phrase: Phrase, measure: str) -> Phrase:
    """Put a measure word behind a number, with the number's links."""
    place = len(phrase.english) - 1, len(phrase.chinese)
    return replace(phrase, chinese=(*phrase.chinese, measure), links=(*phrase.links, place))


def agreeing(word: str, agree: str) -> str:
    """Choose the form of a verb: ``is/are/am:在``."""
    left, mark, right = word.partition(":")
    forms = left.split("/")
    if len(forms) == 1:
        return word
    if agree == "ing":
        return gerund(forms[1]) + mark + right
    return forms[min({"he": 0, "I": 2}.get(agree, 1), len(forms) - 1)] + mark + right


def gerund(words: str) -> str:
    """Give watching for watch, listening_to for listen_to."""
    verb, _, rest = words.partition("_")
    stem = verb + verb[-1] if verb in ("swim", "run") else verb
    stem = stem[:-1] if stem.endswith("e") else stem
    return f"{stem}ing_{rest}" if rest else f"{stem}ing"


# ---------------------------------------------------------------- what a sentence puts together


@cache
def known_words() -> tuple[dict[str, str], dict[str, str], set[str]]:
    """Give the nouns and verbs of the lexicon by each of their forms, and its adjectives."""
    nouns = {form: noun.english for noun in read_nouns() for form in (noun.english, noun.plural)}
    forms = ((v.base, v) for v in read_verbs())
    verbs = {f: b for b, v in forms for f in (b, v.third, v.past, v.participle, v.ing)}
    return nouns, verbs, {word.english for word in read_adjectives()}


def noted(phrase: Phrase) -> Phrase:
    """Note what acts on what, who acts, and which adjective stands before which noun."""
    nouns, verbs, adjectives = known_words()
    actor = verb = before = ""
    for word in phrase.english:
        noun = nouns.get(word, "")
        if noun:
            phrase = phrase.relate("verb-object", verb, noun)
            phrase = phrase.relate("adjective-noun", before, noun)
        if word in verbs:
            phrase = phrase.relate("subject-verb", actor, verbs[word])
        before = word if word in adjectives else ""
        verb = "" if noun or word in BREAKS else verbs.get(word, verb)
        actor = noun or ("" if word in verbs else actor)
    return phrase


# ---------------------------------------------------------------- who


def pronouns(who: Phrase) -> tuple[str, ...]:
    """Give I, me, my, 我 for somebody: he for Tom."""
    subjects = {row[0]: row for row in PRONOUNS}
    if who.english[0] in subjects and len(who.english) == 1:
        return subjects[who.english[0]]
    male = who.word in MALE or who in map(gloss, MEN)
    return subjects["he" if male else "she"]


def a_person(draw: Draw) -> Phrase:
    """Draw somebody whom a pronoun can stand for: I, Tom, my mother."""
    while True:
        person = draw.pick([pronoun, name, kin])(draw)
        if not person.word or person.word in MALE + FEMALE:
            return person


def group(draw: Draw) -> Phrase:
    """Give we, they, the students, these children, my friends."""
    noun = draw.noun_with("student", "child", "boy", "girl", "doctor", "nurse", "teacher")
    kind = draw.pick(["plural_the", "these", "plain", "plain"])
    if kind != "plain":
        return noun_phrase(draw, noun, kind)
    words = ["we:我们", "they:他们", "my:我的 friends:朋友", "your:你的 friends:朋友"]
    words.append("his:他的 children:孩子")
    return replace(gloss(draw.pick(words)), agree="they")


def pair(draw: Draw) -> Phrase:
    """Give they, my parents, Tom and Mary."""
    words = ["we:我们", "they:他们", "my:我 parents:父母", "Tom's:汤姆的 parents:父母"]
    return two_names(draw) if draw.chance(0.6) else replace(gloss(draw.pick(words)), agree="they")


def women(draw: Draw) -> Phrase:
    """Give those girls, Mary and Anna."""
    first, second = draw.two(WOMEN)
    words = ["those:那些 girls:女孩", "those:那些 women:女人"]
    words.append("my:我 mother:妈妈 and:和 my:我 grandmother:奶奶")
    names = f"{first} and:和 {second}"
    return replace(gloss(names if draw.chance(0.6) else draw.pick(words)), agree="they")


SEVERAL = ["I:我", "we:我们", "they:他们"]  # with the same forms of all verbs
SUBJECTS: dict[str, Callable[[Draw], Phrase]] = {
    "who": a_subject,
    "asked": asked,
    "youth": lambda draw: a_subject(draw, ("youth",)),
    "brief": lambda draw: draw.pick([name, pronoun])(draw),
    "adult": lambda draw: a_subject(draw, ("adult",)),
    "name": name,
    "person": a_person,
    "one": lambda draw: draw.pick([kin, name, name])(draw),
    "pron": lambda draw: gloss(draw.pick(["he:他", "she:她"])),
    "they": group,
    "two": pair,
    "selves": lambda draw: replace(gloss(draw.pick(SEVERAL)), agree="they"),
}
# slots that look at the subject
MAKERS: dict[str, Callable[[Draw, Phrase], Phrase]] = {
    "whom": somebody,
    "me": lambda draw, who: gloss(draw.pick([t for t in ME if not {*t} & {*who.chinese} - {"们"}])),
    "called": lambda draw, who: name(draw),
    "kin": lambda draw, who: kin(draw),
    "topic": lambda draw, who: gloss(draw.pick(TOPICS)),
    "his": lambda draw, who: gloss("{2}:{3}".format(*pronouns(who))),
    "self": lambda draw, who: gloss(SELVES[pronouns(who)[0]] + ":自己"),
}
ME = ["me:我", "us:我们", "him:他", "her:她", "you:你"]
SELVES = dict(
    I="myself", you="yourself", he="himself", she="herself", we="ourselves", they="themselves"
)
