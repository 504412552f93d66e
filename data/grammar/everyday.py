"""What a learner of translation meets every day: also, still, please, with somebody, the weather.

Most sentences are rows of a table. A row holds glosses in the order of the English and, behind |,
their numbers in the order of the Chinese where that differs: ``very_much:非常 I:我 | 2 1``.
``likes/like`` agrees with the subject, ``<drink>`` is one of SUBJECTS, MAKERS or SLOTS,
``<a/clothes>`` a noun phrase with a noun of that tag (``a-``: without adjectives), ``<habit+ing>``
a slot with its verb in that form, ``<age+岁>`` a number with its measure word, ``~`` Chinese that
only ``+past`` has, ``?`` the end of a question.
Rows are divided by ; or a new line, and those that are indented go on with the line above.
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
from .registry import construction

# Other English words of the same meaning; the Chinese stays.
OTHER_WORDS = dict(
    film="movie", films="movies", mother="mom", father="dad", child="kid", children="kids",
    big="large", biggest="largest", begins="starts", begin="start", shop="store", bike="bicycle",
    grandmother="grandma", seldom="rarely", clever="smart",
)  # fmt: skip
MALE, FEMALE = "father son husband".split(), "mother daughter wife grandmother".split()
# words between a verb and a noun that is not its object
BREAKS = frozenset("in at on to with for from by of than and but , is are was were".split())
SLOTS = """
wants = wants_to/want_to:想
want = wants_to/want_to:想; would_like_to:想
bad_mood = :很 tired:累; :很 busy:忙
mood = :很 tired:累; :很 busy:忙; :很 happy:高兴
drink = tea:茶; coffee:咖啡; milk:牛奶; juice:果汁
food = rice:米饭; noodles:面条; dumplings:饺子; bread:面包; fish:鱼; <bare-/fruit>; eggs:鸡蛋
dry = fish:鱼; bread:面包; rice:米饭
some_food = noodles:面条; dumplings:饺子; fish:鱼
meal = breakfast:早饭; lunch:午饭; dinner:晚饭
liked = <topic>; <topic>; <drink>; <food>; <bare-/pet,flower,horse>; music:音乐
city = Beijing:北京; Shanghai:上海; London:伦敦; Paris:巴黎
place = the park:公园; the library:图书馆; the supermarket:超市; the zoo:动物园; the station:车站;
    the museum:博物馆; the hospital:医院; the shop:商店; the cinema:电影院; the restaurant:餐厅
each_day = every:每 day:天; every:每天 morning:早上
ride = by:坐 bus:公共汽车; by:坐 subway:地铁; by:骑 bike:自行车
daily = the office:办公室; work:上班; the library:图书馆; the supermarket:超市; the park:公园
leisure = the park:公园; the library:图书馆; the cinema:电影院; the supermarket:超市
us = me:我; us:我们; him:他; her:她
spot = at:在 school:学校; at:在 home:家里; in:在/里 the park:公园 | 1< 3 1>;
    in:在 the library:图书馆
work_at = in:在 the hospital:医院; in:在 this:这家 shop:商店; in:在 the library:图书馆;
    at:在 the station:车站; in:在 this:这家 restaurant:餐厅; in:在 that:那家 hotel:酒店
was_any = yesterday:昨天; last:昨 night:晚; last:上 week:周
was = yesterday:昨天; this:今天 morning:早上; last:上 week:周
was_day = yesterday:昨天; this:今天 morning:早上
a_day = tomorrow:明天; today:今天
soon = tomorrow:明天; this:今天 evening:晚上; this:这个 weekend:周末
will_be = tomorrow:明天; next:下 week:周; this:今天 evening:晚上
each = every:每 day:天; every:每天 morning:早上; every:每天 evening:晚上
job = teacher:老师; doctor:医生; nurse:护士; driver:司机; cook:厨师; manager:经理; writer:作家
jobs = doctors:医生; teachers:老师; nurses:护士; students:学生; drivers:司机; singers:歌手
habit = drinks/drink:喝 <drink>; eats/eat:吃 <food>; watches/watch:看 TV:电视;
    goes/go:去 to <leisure>; listens_to/listen_to:听 music:音乐; takes/take a_walk:散步;
    watches/watch:看 films:电影; reads/read:看 books:书; reads/read:看 newspapers:报纸;
    cooks/cook:做 dinner:晚饭; swims/swim:游泳; sings/sing:唱歌; dances/dance:跳舞
study = does/do:做 homework:作业; reads/read:看 books:书; studies/study:学习 English:英语
evening = watches/watch:看 TV:电视; reads/read:看 books:书; listens_to/listen_to:听 music:音乐;
    takes/take a_walk:散步; studies/study:学习 English:英语
doing = sleeps/sleep:睡觉; watches/watch:看 TV:电视; cooks/cook:做 dinner:晚饭; cries/cry:哭;
    eats/eat:吃 <meal>; listens_to/listen_to:听 music:音乐; studies/study:学习; rests/rest:休息;
    waits_for/wait_for:等 <me>; reads/read:看 books:书
together = watches/watch:看 TV:电视; cooks/cook:做 dinner:晚饭; eats/eat:吃 <meal>;
    studies/study:学习 Chinese:中文; takes/take a_walk:散步
effort = go:去 to <leisure>; run:跑步; swim:游泳; work:工作; study:学习; go:去 to <sight>
plan = go:去 to <leisure>; go:去 to <sight>; go:回 home:家; learn:学 Chinese:中文;
    learn:学 English:英语; rest:休息; drink:喝 a:一 cup:杯 of <hot>; watch:看 this:这部 film:电影;
    buy:买 <a/clothes,headwear,book>; eat:吃 <food>; go:去 to <city>; take a_walk:散步;
    buy:买 <a/phone,camera,bike,guitar,umbrella>
hot = tea:茶; coffee:咖啡
sight = the museum:博物馆; the zoo:动物园; the park:公园
outing = go:去 to <leisure>; go:去 to <sight>; go:去 to <city>; watch:看 a film:电影;
    eat:吃 dinner:晚饭; take a_walk:散步; learn:学 English:英语; go:去 to the park:公园 to run:跑步;
    go:去 to the zoo:动物园
adverb = often:经常; sometimes:有时候; seldom:很少; never:从来不; often:经常
bus = by:坐 bus:公共汽车; by:坐 subway:地铁; by:骑 bike:自行车; by:开 car:车; by:坐 taxi:出租车
train = by:坐 train:火车; by:坐 plane:飞机
errand = the supermarket:超市 to buy:买 ~:了 <groceries>;
    the library:图书馆 to borrow:借 ~:了 <book>; the park:公园 to run:跑步 ~:了;
    the park:公园 to take a_walk:散步 ~:了; the museum:博物馆 to see:看 ~:了 the paintings:画;
    the restaurant:餐厅 to eat:吃 ~:了 <some_food>;
    the cinema:电影院 to watch:看 ~:了 a~:一部 film:电影; the office:办公室 to work:工作 ~:了;
    the library:图书馆 to study:学习 ~:了; the shop:商店 to buy:买 ~:了 <item>;
    the station:车站 to meet:接 ~:了 <kin>; the station:车站 to buy:买 ~:了 tickets:票
item = a~:一件 coat:大衣; an~:一把 umbrella:雨伞; a~:一顶 hat:帽子; a~:一件 shirt:衬衫;
    some~:一些 flowers:花; a~:一部 phone:手机; a~:一条 skirt:裙子; a~:一块 watch:手表;
    a~:一把 chair:椅子; a~:一个 cake:蛋糕
groceries = eggs:鸡蛋; fish:鱼; bread:面包; milk:牛奶; <bare-/fruit>; rice:米
book = a~:一本 book:书; two:两本 books:书; a~:一本 dictionary:词典; a~:一本 magazine:杂志
title = sir:先生; madam:女士; miss:小姐; Mr:先生 <family> | 2 1; Mrs:太太 <family> | 2 1
family = Wang:王; Li:李; Zhang:张; Chen:陈
head = head:头; stomach:肚子; leg:腿; foot:脚; hand:手; back:背; tooth:牙; throat:嗓子
ache = a_headache:头疼; a_toothache:牙疼; a_stomachache:肚子疼; a_cold:感冒 :了; a_fever:发烧 :了
weather = cold:冷; hot:热; warm:暖和; cool:凉快
season = spring:春天; summer:夏天; autumn:秋天; winter:冬天
sky = rains/rain:下雨; snows/snow:下雪
rained = rained:下雨 :了; snowed:下雪 :了
rain = rains/rain:下雨; snows/snow:下雪
whose = my:我; her:她; his:他
my = my:我; her:她; his:他; your:你
best = tallest:最高; most:最 friendly:友好; cleverest:最聪明; laziest:最懒
sort = which:哪种 fruit:水果; which:哪种 color:颜色; which:哪个 season:季节; which:哪种 animal:动物;
    which:哪种 sport:运动; which:哪个 city:城市; what:什么
open = shop:商店; supermarket:超市; library:图书馆; museum:博物馆; restaurant:餐厅
can = swim:游泳; cook:做饭; drive:开车; speak:说 Chinese:中文; speak:说 English:英语;
    ride a bike:骑自行车; dance:跳舞
mood_asked = tired:累; busy:忙; happy:高兴
once = says/say:说; reads/read:读; sings/sing:唱; does/do:做
study_room = room:房间; office:办公室
some_hours = two:两个 hours:小时; three:三个 hours:小时; five:五个 hours:小时
heir = son:儿子; daughter:女儿; friend:朋友
seat = table:桌子; bed:床
room = room:房间; kitchen:厨房; classroom:教室; office:办公室
got = got_up:起床; come:回 home:家; eaten:吃完 <meal>; left:走; finished:看完 this:这本 book:书;
    arrived:到; gone:去 to <place>
left = left:走; got_up:起床; came:回 home:家; arrived:到; went:出 out:去
hour = six:六点; seven:七点; eight:八点; half:半 past six:六点 | 3 1; half:半 past seven:七点 | 3 1
did_for = cooked:做 :了 dinner:晚饭; made:做 :了 a:一个 cake:蛋糕; sang:唱 :了 a:一首 song:歌;
    bought:买 :了 <a/clothes,headwear,present,book,toy>; drew:画 :了 a:一张 picture:画;
    took:拍 :了 <a-/photo>; opened:开 :了 the door:门; wrote:写 :了 a:一首 song:歌
do_for = make:做 a:一个 cake:蛋糕; sing:唱 a:一首 song:歌; take:拍 a:一张 photo:照片;
    cook:做 <meal>; draw:画 a:一张 picture:画; buy:买 a:一 cup:杯 of <hot>; open:开 the door:门
near = here:这里; the hotel:酒店; school:学校; home:家
early = seven:七点; eight:八点; nine:九点; half:半 past eight:八点 | 3 1
late = four:四点; five:五点; six:六点; ten:十点; half:半 past five:五点 | 3 1
cab = taxi:出租车; bus:公共汽车
home = sleep:睡觉; cook:做 dinner:晚饭; rest:休息; eat:吃 <meal>; get:拿 an umbrella:雨伞;
    get:拿 a book:书
routine = the park:公园 to run:跑步; the park:公园 to take a_walk:散步;
    the library:图书馆 to study:学习; the supermarket:超市 to buy:买 <groceries>;
    the river:河边 to fish:钓鱼; the park:公园 to dance:跳舞
ba = close:关上 <door> :把 | 3 2 1; open:打开 <door> :把 | 3 2 1; turn_on:打开 <lamp> :把 | 3 2 1;
    turn_off:关掉 <lamp> :把 | 3 2 1; give:给 <def/small> to me:我 :把 | 5 2 1 4;
    put:放 <def/small> on:在/上 the table:桌子 :把 | 6 2 1 3< 5 3>
door = the door:门; the window:窗户; this:这扇 window:窗户; this:这扇 door:门
lamp = the light:灯; the:那台 radio:收音机; the:那台 computer:电脑; the TV:电视
ask = come_in:进来; sit_down:坐下; speak:说 slowly:慢点; wait:等 ten:十 minutes:分钟;
    come:来 here:这里; speak:说 Chinese:中文; listen_to:听 me:我说; look_at:看 <def/paper,painting>;
    read:读 <def/book,magazine>
forbidden = open:打开 <def/box,bag,can>; open:开 the door:门; close:关 the window:窗户; cry:哭;
    laugh:笑; eat:吃 <def/fruit,cake>; drink:喝 that:那杯 <drink>; run:跑;
    sleep:睡觉 here:这里 | 2 1; swim:游泳 here:在这里 | 2 1; talk:说话;
    buy:买 <def/clothes,headwear,device>; forget:忘了 <your> <one/umbrella,key,ticket>;
    be_late:迟到; sing:唱歌 here:在这里 | 2 1; go:去 there:那里; sell:卖 <def/vehicle,painting>
your = your:你的; his:他的; her:她的; my:我的
cup = a:一 cup:杯 of <hot>; two:两 cups:杯 of <hot>; a:一 glass:杯 of water:水;
    a:一 bottle:瓶 of juice:果汁; a:一 bowl:碗 of soup:汤; a:一 bowl:碗 of rice:米饭;
    a:一 glass:杯 of milk:牛奶
query = can:能 you:您 help:帮 me:我 :吗 | 2 1 3 4 5;
    is:是 this:这 your:您的 <one/ticket,key,bag,phone,hat,umbrella> :吗 | 2 1 3 4 5;
    where:哪里 do you:您 live:住在 | 3 4 1; <offer> <cup> :吗 | 1 2 3; are you:您 <mood_asked> :吗;
    do you:您 like:喜欢 <liked> :吗; do you:您 speak:会说 <tongue> :吗;
    may:可以 I:我 ask:问 you:您 a:一个 question:问题 :吗 | 2 1 3 4 5 6 7;
    what:什么 would you:您 like_to:想 <eat> | 3 4 5 1; where:哪里 are you:您 going:要去 | 3 4 1;
    how:好 are you:您 :吗 | 3 1 4; when:什么时候 will you:您 come:来 | 3 1 4
offer = would you:您 like:想要
eat = eat:吃; drink:喝; buy:买; see:看
tongue = English:英语; Chinese:中文
remark = please:请 sit_down:坐; please:请 come_in:进; good_morning:早上好; good_evening:晚上好;
    here_is:这是 your:您的 <one/ticket,key,bag,hat>; your:您的 room:房间 is:在 on the <floor>;
    I:我 would_like_to:想 ask:问 you:您 a:一个 question:问题; please:请 wait_a_moment:等一下;
    your:您的 <one/bag,phone,car,coat> is:在 here:这里;
    please:请 give:给 me:我 your:您的 <one/ticket,photo>; I:我 can:可以 help:帮助 you:您;
    this:这 is:是 your:您的 <one/ticket,key,bag,phone,hat,umbrella>
floor = second:二 floor:楼; third:三 floor:楼; fifth:五 floor:楼; tenth:十 floor:楼
liked_one = school:学校; teacher:老师; house:房子
plurals = hats:帽子; books:书; umbrellas:雨伞; phones:手机; coats:大衣; shirts:衬衫; tickets:票;
    bags:包
mine = <your> <one/lost,clothes,bike,car,chair,cup>; <your> <one/cat,dog,teacher,student>;
    <name_s> <one/lost>
name_s = Tom's:汤姆的; Mary's:玛丽的; Jack's:杰克的; Anna's:安娜的
how = :很 <warm>; very:非常 <warm>; not:不 <warm>; so:真 <warm>; too:太 cold:冷 :了;
    too:太 hot:热 :了; :很 <warm>
warm = cold:冷; hot:热; warm:暖和; cool:凉快
colder = colder:冷; hotter:热; warmer:暖和; cooler:凉快
now = today:今天; now:现在; this:这个 week:星期
here = here:这里; there:那里
fine = :很 good:好; bad:不好; very:非常 good:好; :很 nice:好
today = today:今天; now:现在
state_mine = <state>; hungry:饿 :了; thirsty:渴 :了; full:饱 :了
state = late:迟到 :了; ready:准备好 :了; ill:生病 :了; lost:迷路 :了; wrong:错 :了; :很 angry:生气;
    :很 sad:难过; :很 afraid:害怕; :很 safe:安全; :很 fine:好; free:有空
state_asked = hungry:饿; thirsty:渴; ready:准备好 :了; ill:生病 :了; angry:生气; afraid:害怕;
    free:有空; tired:累; busy:忙; at:在 home:家; happy:高兴; cold:冷
did = left:走 :了; laughed:笑 :了; cried:哭 :了; came:来 :了; agreed:同意 :了; forgot:忘 :了;
    won:赢 :了; lost:输 :了; lied:说谎 :了; slept:睡 :了; understands/understand:明白;
    smiled:笑 :了; waited:等 :了; disappeared:不见 :了
go = go:走; begin:开始; eat:吃饭; rest:休息; dance:跳舞; sing:唱歌; try:试试; wait:等等;
    help:帮 <me>; run:跑步
when = tomorrow:明天; next:下 week:周; this:今天 evening:晚上; at <hour>; soon:一会儿
try = see:看看; try:试试; think:想想; help:帮 <me>; go:走; sleep:睡觉; rest:休息; do:做 it;
    read:读 it
try2 = come:来; help:帮忙; go:去; see:看见 <me>; hear:听见 <me>; do:做 it; wait:等; try:试试
nice = beautiful:漂亮; cute:可爱; expensive:贵; interesting:有趣; strange:奇怪; delicious:好吃;
    cold:冷; hot:热
event = the:那部 film:电影; the meeting:会议; the concert:音乐会; the party:聚会; the exam:考试
wake = six:六点; seven:七点; eight:八点; half:半 past six:六点 | 3 1; half:半 past seven:七点 | 3 1
bedtime = nine:九点; ten:十点; eleven:十一点; half:半 past nine:九点 | 3 1;
    half:半 past ten:十点 | 3 1
train_or_bus = train:火车; bus:公共汽车; train:火车
part = morning:早上; evening:晚上; afternoon:下午
her_or_his = your:你的; her:她的; his:他的; Tom's:汤姆的; Mary's:玛丽的; Anna's:安娜的
owner = my:我的; her:她的; his:他的; Tom's:汤姆的; Mary's:玛丽的; Anna's:安娜的; Jack's:杰克的
coins = two:两 yuan:块; three:三 yuan:块; five:五 yuan:块; eight:八 yuan:块
open2 = library:图书馆
office = the office:办公室; the library:图书馆; the restaurant:餐厅; my:我的 room:房间;
    the classroom:教室
counted = car:辆汽车; book:本书; phone:部手机; cup:杯 of <hot>; bike:辆自行车; job:份工作
easy = easy:容易; hard:难; interesting:有趣
work = film:部电影; song:首歌; story:个故事; book:本书
dull = :很 interesting:有趣; :很 boring:无聊; :很 good:好
sport = swims/swim:游泳; runs/run:跑步
me2 = me:我; him:他; her:她; you:你
parent = mother:妈妈; father:爸爸; son:儿子; daughter:女儿; friend:朋友
heir2 = son:儿子; daughter:女儿
stop = cry:哭; laugh:笑; move:动; go:走; worry:担心; forget:忘 :了; be_late:迟到; be_afraid:怕;
    stop:停; wait:等
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
    return reworded(draw, noted(replace(phrase, question="?" in row)))


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


def reworded(draw: Draw, phrase: Phrase) -> Phrase:
    """Say some words in another way: a movie for a film."""
    if not draw.chance(0.3):
        return phrase
    english = tuple(OTHER_WORDS.get(word, word) for word in phrase.english)
    return replace(phrase, english=english)


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
    words = ["we:我们", "they:他们", "my:我的 friends:朋友", "his:他的 children:孩子"]
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
}
# slots that look at the subject
MAKERS: dict[str, Callable[[Draw, Phrase], Phrase]] = {
    "whom": somebody,
    "me": lambda draw, who: gloss(draw.pick([t for t in ME if not {*t} & {*who.chinese} - {"们"}])),
    "kin": lambda draw, who: kin(draw),
    "topic": lambda draw, who: gloss(draw.pick(TOPICS)),
    "again": lambda draw, who: gloss("{0}:{3}".format(*pronouns(who))),
    "his": lambda draw, who: gloss("{2}:{3}".format(*pronouns(who))),
    "self": lambda draw, who: gloss(SELVES[pronouns(who)[0]] + ":自己"),
}
ME = ["me:我", "us:我们", "him:他", "her:她", "you:你"]
SELVES = dict(
    I="myself", you="yourself", he="himself", she="herself", we="ourselves", they="themselves"
)


# ---------------------------------------------------------------- small words


@construction(1.4)
def also(draw: Draw) -> Phrase:
    """Tom also likes tea: 汤姆也喜欢茶."""
    return drawn(draw, """<who> also:也 likes/like:喜欢 <liked>
<who> likes/like:喜欢 <liked> , too:也 | 1 5 2 3; <who> also:也 <wants> <plan>
<who> doesn't/don't:不 like:喜欢 <liked> , either:也 | 1 6 2 3 4
<who> is/are/am also:也 <mood>; <one> is:是 also:也 a:一位 <job> | 1 3 2 4 5
<who> bought:买 :了 <a/clothes,headwear,book,phone> , too:也 | 1 6 2 3 4
<adult> also:也 works/work:工作 <work_at> | 1 2 4 3; <who> <want> <plan> , too:也 | 1 5 2 3
<who> went:去 :了 to <place> yesterday:昨天 , too:也 | 1 6 8 2 3 5""")


@construction(1.4)
def all_both(draw: Draw) -> Phrase:
    """The students are all tired: 学生们都很累; they both like swimming: 他们都喜欢游泳."""
    return drawn(draw, """<they> are all:都 <mood>; <they> all:都 like:喜欢 <liked>
<they> are all:都 <spot>; <they> all:都 have:有 <bare-/phone,bike,umbrella>
all:所有/都 the:的 <jobs> are <mood> | 1< 2 3 1> 5; <they> all:都 went:回 home:家 :了
everyone:大家/都 likes:喜欢 <whom> | 1< 1> 2 3; everyone:大家/都 laughed:笑 :了 | 1< 1> 2 3
all:所有/都 the:的 <bare-/student,child,boy,girl> are <spot> | 1< 2 3 1> 5
<they> all:都 laughed:笑 :了
<two> both:都 like:喜欢 <liked>; <two> are both:都 <mood>; <two> are:是 both:都 <jobs> | 1 3 2 4
<two> are both:都 <spot>; <two> both:都 <wants> <plan>; <two> both:都 live:住 in:在 <city>""")


@construction(1.1)
def most(draw: Draw) -> Phrase:
    """This is the biggest room: 这是最大的房间; who is the tallest: 谁最高."""
    noun = draw.noun_with("clothes", "headwear", "device", "furniture", "bike", "guitar")
    word = draw.pick([word for word in draw.after[noun.english] if word.english not in NOT_MOST])
    ending = f"{word.compared[:-1]}st:最{word.after}"
    ending = f"most:最 {word.english}:{word.after}" if word.compared == "-" else ending
    which = draw.pick(["this:这", "that:那", "which:哪"]) + noun.measure
    table = MOST if which[0] == "t" else "<which> <thing> is the <most> ?"
    if draw.chance(0.5):
        return drawn(draw, MOST_LIKED)
    thing = f"{noun.english}:{noun.chinese}"
    phrase = drawn(draw, table, most=ending, which=which, thing=thing)
    return phrase.relate("adjective-noun", word.english, noun.english)


NOT_MOST = ("old", "dirty", "clean", "long")
MOST = """this:这 is:是 the <most> :的 <thing>; <which> <thing> is the <most>
that:那 is:是 the <most> :的 <thing> in:里 the shop:商店 | 1 2 9 7 4 5 6
<who> bought:买 :了 the <most> :的 <thing>
is:是 this:这 the <most> :的 <thing> :吗 ? | 2 1 4 5 6 7"""
MOST_LIKED = """who:谁 is the <best> ?; who:谁 is the <best> in:里 your:你们 class:班 ? | 6 7 5 1 4
<name> is:是 the <best> :的 student:学生 in:里 our:我们 class:班 | 1 2 8 9 7 4 5 6
<name> is:是 <my> best:最好 :的 friend:朋友; <who> likes/like:喜欢 <liked> best:最 | 1 4 2 3
<sort> does/do <asked> like:喜欢 best:最 ? | 3 5 4 1"""


@construction(1.1)
def still(draw: Draw) -> Phrase:
    """She is still sleeping: 她还在睡觉."""
    return drawn(draw, """<who> is/are/am:在 still:还 <doing+ing> | 1 3 2 4
<youth> is/are/am:在 still:还 doing:做 homework:作业 | 1 3 2 4 5
<who> is/are/am still:还 <spot>; <who> still:还 <wants> <plan>; <person> still:还 loves/love:爱 <me>
<adult> still:还 works/work:工作 <work_at> | 1 2 4 3; <one> still:还 lives:住 in:在 <city>
the <open> is still:还 open:开着; it is:在 still:还 <rain+ing> outside:外面 | 5 3 2 4
<who> is/are/am still:还 <bad_mood>; <who> still:还 doesn't/don't:不 understand:明白
<who> still:还 has/have:有 <count/book,ticket,apple,egg>; <who> still:还 can't:不会 <can>
is/are:在 <asked> still:还 <doing+ing> :吗 ? | 2 3 1 4 5
is/are <asked> still:还 <mood_asked> :吗 ?""")


@construction(1.1)
def again(draw: Draw) -> Phrase:
    """It rained again yesterday: 昨天又下雨了; please say it again: 请再说一遍."""
    return drawn(draw, """<who> was/were/was late:迟到 again:又 :了 | 1 4 3 5
<who> was/were/was late:迟到 again:又 <was_day> :了 | 1 5 4 3 6
it <rained> again:又 <was_any> | 4 3 2; <person> lost:弄丢 :了 <his/lost> again:又 | 1 5 2 3 4
<who> went:去 :了 to <place> again:又 <was> | 1 7 6 2 3 5; <who> forgot:忘 :了 again:又 | 1 4 2 3
<who> called:给/打电话 <me> again:又 :了 | 1 4 2< 3 2> 5; <who> laughed:笑 again:又 :了 | 1 3 2 4
please:请 <once+base> it again:再/一遍 | 1 4< 2 4>; please:请 try:试 again:再/一次 | 1 3< 2 3>
<who> <want> watch:看 <def/film> again:再/一遍 | 1 2 5< 3 5> 4
<who> <want> read:看 <def/book> again:再/一遍 | 1 2 5< 3 5> 4
<person> will:会 come:来 here:这里 again:再 <will_be> | 1 6 2 5 3 4
let's:我们/吧 go:去 there:那里 again:再 <will_be> | 1< 5 4 2 3 1>
can:能 you:你 <once+base> it again:再/一遍 :吗 ? | 2 1 5< 3 5> 6
<who> doesn't/don't:不 want_to:想 go:去 there:那里 again:再 :了 | 1 2 3 6 4 5 7""")


@construction(1.1)
def only_just(draw: Draw) -> Phrase:
    """He only drinks tea: 他只喝茶; she has just left: 她刚走."""
    return drawn(draw, """<who> only:只 drinks/drink:喝 <drink>; <who> only:只 eats/eat:吃 <food>
<who> only:只 has/have:有 <count-/book,magazine,bag,hat,umbrella,toy>
<who> has/have:有 only:只 <count-/book,magazine,bag,hat,umbrella,toy> | 1 3 2 4
<one> only:只 has:有 one:一个 <heir>
there is:有 only:只 one:一张 <seat> in:里 the <room> | 8 6 3 2 4 5
<who> only:只 <wants> <plan>; <who> only:只 slept:睡 :了 for <some_hours>
<who> has/have just:刚 <got>; <who> just:刚 <left>; the:那部 film:电影 has just:刚 begun:开始
<who> just:刚 bought:买 :了 <a/clothes,headwear,bike,phone,computer>; <who> has/have just:刚 <got>
<who> has/have just:刚 bought:买 :了 <a/clothes,headwear,bike,phone,car>""")


@construction(1.5)
def always_often(draw: Draw) -> Phrase:
    """She often drinks tea: 她经常喝茶; he is never late: 他从来不迟到."""
    return drawn(draw, """<who> <adverb> <habit>
<who> <adverb> <habit> with:跟/一起 <whom> | 1 2 4< 5 4> 3
<who> <adverb> <habit>; <who> usually:通常 <evening> in_the_evening:晚上 | 1 2 4 3
<youth> always:总是 <study> in_the_evening:晚上 | 1 4 2 3; <who> is/are/am always:总是 <mood>
<who> is/are/am <adverb> late:迟到; <who> is/are/am always:总是 late:迟到
<who> usually:通常 gets_up/get_up:起床 at <hour> | 1 2 5 3; sometimes:有时候 <who> <habit>
<who> always:总是 helps/help:帮助 <whom>; does/do <asked> often:经常 <habit+base> :吗 ?
<adult> usually:通常 goes/go:去 to <daily> <bus> | 1 2 6 3 5
<who> is/are/am often:经常 :很 busy:忙""")


# ---------------------------------------------------------------- phrases beside the verb


@construction(1.3)
def with_somebody(draw: Draw) -> Phrase:
    """I went to the park with my mother: 我跟我妈妈一起去了公园."""
    return drawn(draw, """<who> went:去 :了 to <place> with:跟/一起 <whom> | 1 6< 7 6> 2 3 5
<who> went:去 :了 to <place> with:跟/一起 <whom> <was> | 1 8 6< 7 6> 2 3 5
<who> is/are/am:正在 <together+ing> with:跟/一起 <whom> | 1 2 4< 5 4> 3
<who> <want> <outing> with:跟/一起 <whom> | 1 2 4< 5 4> 3
<person> lives/live:住 with:跟/一起 <his> parents:父母 | 1 3< 4 5 3> 2
<who> will:要 go:去 to <city> with:跟/一起 <whom> <will_be> | 1 8 2 6< 7 6> 3 5
did <asked> go:去 to <place> with:跟/一起 <whom> :了吗 ? | 2 6< 7 6> 3 5 8
<who> often:经常 talks/talk:聊天 with:跟 <whom> | 1 2 4 5 3""")


@construction(1.3)
def for_to_somebody(draw: Draw) -> Phrase:
    """She cooked dinner for us: 她给我们做了晚饭."""
    return drawn(draw, """<who> <did_for> for:给 <whom> | 1 3 4 2
<who> <did_for> for:给 <whom> yesterday:昨天 | 1 5 3 4 2
<who> told:讲 :了 a:一个 story:故事 to:给 <whom> | 1 6 7 2 3 4 5
<who> <want> buy:买 <a/clothes,headwear,present,book> for:给 <whom> | 1 2 5 6 3 4
<brief> will:要 cook:做 <meal> for:给 <whom> tomorrow:明天 | 1 7 2 5 6 3 4
<who> calls/call:给/打电话 <whom> <each> | 1 4 2< 3 2>
<who> called:给/打电话 <whom> <was> :了 | 1 4 2< 3 2> 5
can:能 you:你 <do_for> for:给 <us> :吗 ? | 2 1 4 5 3 6; please:请 <do_for> for:给 <us> | 1 3 4 2""")


@construction(0.9)
def from_to(draw: Draw) -> Phrase:
    """He went from Beijing to Shanghai by train: 他从北京坐火车去了上海."""
    start, goal = draw.two(draw.pick([slots()["city"][:2], slots()["city"][2:]]))
    return drawn(draw, FROM_TO, start=start, goal=goal)


FROM_TO = """<who> went:去 :了 from:从 <start> to <goal> <train> | 1 4 5 8 2 3 7
<who> will:要 go:去 from:从 <start> to <goal> <train> <will_be> | 1 9 2 4 5 8 3 7
how_far:多远 is_it:有 from:从 <near> to:到 <place> ? | 3 4 5 6 2 1
how_long:多长时间 does_it_take:要 from:从 <near> to:到 <place> <bus> ? | 3 4 7 5 6 2 1
it takes:要 <some_hours> from:从 <start> to:到 <goal> <train> | 4 5 8 6 7 2 3
<adult> works/work:工作 from:从 <early> to:到 <late> | 1 3 4 2 5 6
the <open> is open:开 from:从 <early> to:到 <late> | 2 5 6 4 7 8
<who> walked:走 from:从 <near> to:到 :了 <place> | 1 3 4 2 5 6 7
is it far:远 from:从 <near> to:到 <place> :吗 ? | 4 5 6 7 3 8
did <asked> go:去 from:从 <start> to <goal> <train> :了吗 ? | 2 4 5 8 3 7 9"""


@construction(1.1)
def by_vehicle(draw: Draw) -> Phrase:
    """She goes to school by bike every day: 她每天骑自行车去学校."""
    return drawn(draw, """<adult> goes/go:去 to <daily> <bus> <each_day> | 1 6 5 2 4
<youth> goes/go:去 to school:学校 <ride> <each_day> | 1 6 5 2 4
<adult> went:去 :了 to <place> <bus> | 1 6 2 3 5
<adult> went:去 :了 to <place> <bus> <was> | 1 7 6 2 3 5
<adult> drove:开车 to:去 :了 <place> <was> | 1 6 2 3 4 5
<who> rode:骑 a bike:自行车 to:去 :了 <place>
<who> took:坐 a <cab> to:去 :了 <place>; please:请 take:带 <us> to:去 <place>
<who> took:带 <me> to:去 :了 <place>; <adult> <want> go:去 to <place> <bus> | 1 2 6 3 5
can:可以 we:我们 go:去 there:那里 <bus> :吗 ? | 2 1 5 3 4 6
does/do <asked> go:去 to <daily> <bus> :吗 ? | 2 6 3 5 7
<who> came:来 here:这里 <bus> :是 :的 | 1 5 4 2 3 6
<who> will:要 go:去 to <city> <train> <will_be> | 1 7 2 6 3 5; <who> walked:走路 to:去 :了 <place>
let's:我们/吧 take:坐 a <cab> to:去 <place> | 1< 2 4 5 6 1>
<who> walks/walk:走路 to:去 <daily> <each_day> | 1 5 2 3 4
<youth> walks/walk:走路 to:去 school:学校 <each_day> | 1 5 2 3 4
<who> went:去 :了 to <city> <train> <was> | 1 7 6 2 3 5""")


@construction(1.3)
def serial_verbs(draw: Draw) -> Phrase:
    """He went to the supermarket to buy eggs: 他去超市买了鸡蛋."""
    return drawn(draw, """<who> went:去 to <errand+past>
<who> went:去 to <errand+past> <was> | 1 5 2 4
<who> <want> go:去 to <errand>; <who> will:要 go:去 to <errand> <will_be> | 1 6 2 3 5
let's:我们/吧 go:去 to <errand> | 1< 2 4 1>; <who> went:回 home:家 to <home> :了
<who> will:要 come:来 here:这里 to help:帮助 <me> <will_be> | 1 8 2 3 4 6 7
did <asked> go:去 to <errand> :了吗 ? | 2 3 5 6; <who> goes/go:去 to <routine> <each> | 1 5 2 4""")


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


TOPICAL = """<it> <brief> has/have <done> :过了 | 1 2 4 5
as_for <it> , <brief> has/have <done> :过了 it | 2 4 6 7
<it> <brief> has/have already:已经 <done> :过了
as_for <it> , <brief> has/have already:已经 <done> :过了 it
<it> <brief> hasn't/haven't:没 <done> yet:还 | 1 2 5 3 4
as_for <it> , <brief> hasn't/haven't:没 <done> it yet:还 | 2 4 8 5 6
as_for <drink> , <brief> doesn't/don't:不 drink:喝 it
as_for <dry> , <brief> doesn't/don't:不 eat:吃 it
<this_one> <brief> likes/like:喜欢 , but:但是 <other> <brief> doesn't/don't:不 like:喜欢 :， | 1 2 3
    10 5 6 7 8 9"""


# ---------------------------------------------------------------- requests, people


@construction(1.4)
def please_dont(draw: Draw) -> Phrase:
    """Please close the window: 请把窗户关上; don't cry: 别哭; let's go home: 我们回家吧."""
    return drawn(draw, """please:请 <ba>; <ba> , please:请 | 3 1; please:请 <ask>
please:请 don't:别 <forbidden>
don't:别 <forbidden>; let's:我们/吧 <plan> | 1< 2 1>; let's:我们/吧 <outing> <soon> | 1< 3 2 1>
don't:别 <forbidden>; please:请 give:给 me:我 <cup>; <ba>
please:请 wait_for:等 <us>; please:请 help:帮帮 <us>; please:请 <ask>
<cup> , please:请给我 | 3 1""")


@construction(0.9)
def oneself(draw: Draw) -> Phrase:
    """He cooked dinner himself: 他自己做了晚饭."""
    return drawn(draw, """<person> cooked:做 :了 <meal> <self> | 1 5 2 3 4
<person> bought:买 :了 <a/clothes,headwear,phone,bike> for:给 <self> | 1 5 6 2 3 4
<person> can:可以 do:做 it <self> | 1 2 5 3; <person> went:去 :了 to <place> by <self> | 1 7 2 3 5
<person> lives/live:住 by <self> | 1 4 2
<person> fixed:修好 :了 <def/vehicle,device> <self> | 1 5 2 3 4
<person> <want> do:做 it <self> | 1 2 5 3; please:请 do:做 it yourself:你自己 | 1 4 2
did:是 you:你 make:做 this:这个 cake:蛋糕 yourself:自己 :的吗 ? | 4 5 1 2 6 3 7
<person> cleaned:打扫 :了 the <room> <self> | 1 6 2 3 5
<person> <want> go:去 there:那里 by <self> | 1 2 6 3 4""")


@construction(1.1)
def polite_you(draw: Draw) -> Phrase:
    """Can you help me, sir: 先生，您能帮我吗."""
    return drawn(draw, """<query> , <title> :， ? | 3 4 1; <title> , <query> :， ? | 1 4 3
<remark> , <title> :， | 3 4 1; <query> , <title> :， ? | 3 4 1; <title> , <remark> :， | 1 4 3""")


@construction(0.7)
def it_them(draw: Draw) -> Phrase:
    """I found a cat and took it home: 我找到了一只猫，把它带回了家."""
    return drawn(draw, """<who> found:找到 :了 <a-/cat,dog,rabbit> and took:带 it:它 home:回/家
    :，把 :了 | 1 2 3 4 9 7 6 8< 10 8>
<who> bought:买 :了 <a/book,toy,clothes,headwear> and gave:送给 it:它 to <me> :，把 :了 | 1 2 3 4 10
    7 6 11 9
<who> bought:买 :了 <a/chair,table,computer> and put:放 it:它 in:在/里 the <study_room> :，把 :了 |
    1 2 3 4 11 7 6 8< 12 10 8>
<who> borrowed:借 :了 <a/umbrella,dictionary,camera,book> and lost:弄丢 it:它 :，把 :了 | 1 2 3 4 8
    7 6 9
<who> has/have:有 <a/pet> and likes/like:喜欢 it:它 very_much:非常 :， | 1 2 3 8 7 5 6
<who> has/have:有 <count-/pet,rabbit,duck> and loves/love:爱 them:它们 :，很 | 1 2 3 7 5 6
<the-/pet> is :很 hungry:饿 :， , please:请 feed:喂 it:它 | 1 3 4 5 7 8 9
<person> washed:洗 :了 <the-/apple,tomato> and:然后 ate:吃 it:它 :， :把 :了 | 1 2 3 4 8 5 9 7 6 10
<def/headwear,clothes,device,bike> is old:旧 , but:但是 I:我 like:喜欢 it:它 :， :很 | 1 10 3 9 5 6
    7 8""")


@construction(0.7)
def they_women(draw: Draw) -> Phrase:
    """Mary and Anna lost their hats: 玛丽和安娜弄丢了她们的帽子."""
    return drawn(draw, WOMEN_ROWS, women=women(draw))


WOMEN_ROWS = """<women> said:说 that they:她们 were <mood>; <women> said:说 they:她们 were <mood>
<women> lost:弄丢 :了 their:她们的 <plurals>; <women> like:喜欢 their:她们的 <liked_one>
<pron> met:遇见 :了 <women> and helped:帮助 :了 them:她们 :， | 1 2 3 4 9 6 7 8
I:我 like:喜欢 <women> , but:但是 they:她们 don't:不 like:喜欢 me:我 :， | 1 2 3 10 5 6 7 8 9
I:我 love:爱 my:我 mother:妈妈 and:和 my:我 grandmother:奶奶 , and they:她们 love:爱 me:我 , too:也
    :， | 1 2 3 4 5 6 7 15 10 14 11 12
<pron> called:给/打电话 <women> , but:但是 they:她们 were :了， <mood> | 1 2< 3 2> 8 5 6 9
<women> asked:请 <me> to go:去 to their:她们 home:家 | 1 2 3 5 7 8
<women> told:告诉 <me> that they:她们 liked:喜欢 <liked>
<women> showed:给/看 <me> their:她们的 photos:照片 :了 | 1 2< 3 2> 6 4 5
<pron> bought:买 :了 two:两张 tickets:票 for:给 <women> , but:但是 they:她们 didn't:没 come:来 :， |
    1 6 7 2 3 4 5 13 9 10 11 12"""


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
<this> is not:不是 <first> but:而是 <second> :， | 1 3 4 7 5 6"""
IS_NOT = """<this> isn't:不是 <first>; this:这 isn't:不是 <mine>; that:那 isn't:不是 <mine>
these:这些 aren't:不是 my:我的 <plurals>; those:那些 aren't:不是 <your> <plurals>
<one> isn't:不是 from:人 <city> | 1 2 4 3; isn't:不是 this:这 <mine> :吗 ? | 2 1 3 4
they:他们 aren't:不是 <jobs>; my:我的 friends:朋友 aren't:不是 <jobs>
this:这 isn't:不是 <first> , it is:是 <second> :， | 1 2 3 8 6 7"""


# ---------------------------------------------------------------- weather, body, short sentences


@construction(1.2)
def weather(draw: Draw) -> Phrase:
    """It is cold today: 今天很冷; it is cold: 天气很冷; it rained yesterday: 昨天下雨了."""
    return drawn(draw, """it is <how> today:今天 | 4 3; it was <how> yesterday:昨天 | 4 3
it is <how> outside:外面 | 4 3; it:天气 is <how>; it:天气 is getting:变 <warm> :了
it <rained> <was_any> | 3 2
it will:会 <rain+base> <will_be> | 4 2 3; will:会 it <rain+base> <will_be> :吗 ? | 4 1 3 5
it is:正在 <rain+ing>; it is:正在 <rain+ing> outside:外面 | 4 2 3
it is <how> in <city> <now> | 6 5 3
is it <warm> in <city> <now> :吗 ? | 6 5 3 7
it is <colder> today:今天 than:比 yesterday:昨天 | 4 5 6 3
it often:经常 rains:下雨 in <city> in <season> | 5 7 2 3
it often:经常 snows:下雪 in <city> in winter:冬天 | 5 7 2 3
it didn't:没 <rain+base> <was_any> | 4 2 3
take:带 <a-/umbrella> , it will:会 <rain+base> <will_be> :， | 1 2 8 7 5 6
please:请 take:带 <a-/coat,umbrella>
it is <how> <here> in <season> | 6 4 3; the weather:天气 is <fine> today:今天 | 5 2 4
it was <how> <was_any> | 4 3
it:天气 is_getting:越来越 <colder>""")


@construction(0.7)
def body(draw: Draw) -> Phrase:
    """My head hurts: 我头疼; she has a fever: 她发烧了."""
    return drawn(draw, """my:我 <head> hurts:疼; his:他 <head> hurts:疼; her:她 <head> hurts:疼
<one> 's <head> hurts:疼; <one> 's <head> hurts:疼 <today> | 1 5 3 4; <brief> has/have <ache>
<brief> has/have <ache> , so:所以 <again> can't:不能 <effort> :， | 1 3 9 5 7 8
does your:你 <head> hurt:疼 :吗 ?; does/do <asked> have <ache> :吗 ?
<brief> had <ache> <was_day> | 1 4 3; <brief> feels/feel ill:不舒服
<brief> feels/feel ill:不舒服 today:今天 | 1 4 3""")


@construction(2.1)
def short_sentences(draw: Draw) -> Phrase:
    """Thank you: 谢谢; he is here: 他在这里."""
    return drawn(draw, SHORT_PATTERNS if draw.chance(0.6) else SHORT)


SHORT_PATTERNS = """<who> <did>; <who> is/are/am:在 <here>; is/are:在 <asked> <here> :吗 ? | 2 1 3 4
<who> is/are/am <state>
I'm:我 <state_mine>; are you:你 <state_asked> :吗 ?; is <one> <state_asked> :吗 ?
let's:我们/吧 <go> | 1< 2 1>
my:我 name_is:叫 <name>; this:这 is:是 <mine>; is:是 that:那 <mine> :吗 ? | 2 1 3 4; I'm:我是 <name>
see:见 you <when> | 3 1; who:谁 is:是 <one> ? | 3 2 1; where:哪里 is:在 <one> ? | 3 2 1
where:哪里 is:在 <the-/lost> ? | 3 2 1; thank_you:谢谢你 , <name> :， | 3 4 1; let:让 me:我 <try>
how:真 <nice>; it's too:太 <warm> :了; <who> wants/want:想要 <a-/clothes,fruit,book,phone>
don't:别 <stop>; <who> can:能 <try2>
<who> can't:不会 <can>; can:会 <asked> <can> :吗 ? | 2 1 3 4; welcome:欢迎 to:来 <city>"""


SHORT = """yes:是的; no:不; thank_you:谢谢; thank_you:感谢 very_much:非常 | 2 1; thanks:谢谢
you're_welcome:不客气; hello:你好
hi:你好; goodbye:再见; bye:再见; good_morning:早上好; good_afternoon:下午好; good_evening:晚上好
good_night:晚安
sorry:对不起; I'm_sorry:对不起; excuse_me:打扰一下; wait:等一下; wait_a_moment:等一下
hurry_up:快点; come_in:进来
sit_down:坐下; stand_up:站起来; come_here:过来; go_away:走开; be_careful:小心; be_quiet:安静
listen:听; look:看
help:帮帮 me:我; follow:跟/来 me:我 | 1< 2 1>; wait_for:等 me:我; try_it:试试; I:我 see:明白 :了
I:我 understand:明白 :了
I:我 don't:不 understand:明白; I:我 agree:同意; I:我 hope_so:希望如此; I:我 remember:记得
I:我 promise:保证
I'm_home:我回来了; I'm_coming:我来了; who_is_it:是谁 ?; who_is:是谁 he:他 ? | 2 1
who_are:是谁 you:你 ? | 2 1
what:什么 is:是 this:这 ? | 3 2 1; what:什么 is:是 that:那 ? | 3 2 1
how:好 are you:你 :吗 ? | 3 1 4
and you:你 :呢 ?; why:为什么 ?; why_not:为什么不 ?; when:什么时候 ?; where:在哪里 ?
really:真的吗 ?; who:谁 ?
what_happened:怎么了 ?; what's_wrong:怎么了 ?; how_much_is_it:多少钱 ?
how_old:多大了 are you:你 ? | 3 1
what's:叫什么 your:你 name:名字 ? | 2 1 3; nice:很高兴 to meet:认识 you:你; that's_right:没错
that's_all:就这些
it's_true:这是真的; it's_late:很晚了; it's_over:结束了; it's_broken:坏了; it's_easy:很容易
it's_free:免费; it's_mine:是我的
it's_yours:是你的; I:我 need:需要 help:帮助; I:我 want:想要 this:这个; I'll:我 take:买 it :了
here_you_are:给你
of_course:当然; maybe:也许; no_problem:没问题; never_mind:没关系; it_doesn't_matter:没关系
that's_OK:没关系; OK:好的
very_good:很好; great:太好了; well_done:做得好; good_luck:祝你好运; happy:快乐 birthday:生日 | 2 1
congratulations:恭喜
happy:快乐 new_year:新年 | 2 1; welcome:欢迎; have_fun:玩得开心; take_care:保重
have_a_good_trip:一路顺风; cheers:干杯
too:太 expensive:贵 :了; not:没有 yet:还 | 2 1; not_now:现在不行; me:我 too:也是; not_me:不是我
I:我 can't:不能; I:我 can:能; dinner:晚饭 is ready:好 :了; time:时间 is up:到 :了; tell:告诉 me:我
call:给/打电话 me:我 | 1< 2 1>
trust:相信 me:我; answer:回答 me:我; may:可以 I:我 come_in:进来 :吗 ? | 2 1 3 4
can:能 I:我 help:帮 you:你 :吗 ? | 2 1 3 4 5
do you:你 understand:明白 :吗 ?; do you:你 like:喜欢 it :吗 ?; is_it_true:是真的吗 ?
nobody:没有人 came:来
somebody:有人 is_coming:来 :了; time_flies:时间过得真快; no_smoking:禁止吸烟; stop:停
look_at:看 me:我; good:好"""
