"""More pairs about one word, decided far away: mouse, bat, saw, match, letter, bank, short, play.

See far.py: its slots, `twin`, `counted`, `by_noun` and `by_word` are used here, too.
"""

from .draw import Draw
from .far import (
    EARLIER,
    PAST,
    RANKS,
    RECENT,
    SUBJECTS,
    THE,
    A,
    Pair,
    by_noun,
    by_word,
    counted,
    pronoun,
    twin,
)
from .lexicon import MEN, NAMES, WOMEN
from .phrase import join
from .registry import twins

# --- mouse and bat: an animal or a thing ---

NEAR = [
    "under the table:桌子下面",
    "on the table:桌子上",
    "behind the computer:电脑后面",
    "beside the computer:电脑旁边",
    "beside the window:窗户旁边",
    "under the bed:床下面",
    "behind the door:门后面",
    "in the box:盒子里",
    "in the office:办公室里",
    "in my:我 room:房间里",
    "in the classroom:教室里",
    "under the chair:椅子下面",
]
OUTSIDE = [
    "in:在 the garden:花园里",
    "in:在 the park:公园里",
    "under:在 the tree:树下",
    "behind:在 the house:房子后面",
    "at:在 the school:学校里",
    "near:在 the river:河边",
    "in:在 the forest:森林里",
    "beside:在 the wall:墙边",
]
ALIVE = """
hungry:饿了 thirsty:渴了 asleep:睡着了 dead:死了 sick:病了 tired:累了 awake:醒了 injured:受伤了
sleeping:在睡觉 scared:很害怕 alive:还活着 blind:瞎了
"""
DEVICE = """
broken:坏了 wireless:是无线的 optical:是光学的 charging:在充电 charged:充好电了 connected:连上了
unplugged:没插好 repaired:修好了 installed:装好了 waterproof:是防水的 faulty:有毛病
rechargeable:可以充电
"""
STICK = """
broken:断了 wooden:是木头的 plastic:是塑料的 metal:是金属的 hollow:是空心的 cracked:裂了
scratched:刮花了 rotten:烂了 dented:凹进去了 bent:弯了 rusty:生锈了 splintered:开裂了
"""
TO_ANIMAL = """
fed:喂了 heard:听见了 woke:吵醒了 frightened:吓到了 killed:打死了 saved:救了 freed:放走了
chased:追赶了 petted:摸了摸 trapped:困住了 scared:吓跑了 poisoned:毒死了
"""
TO_DEVICE = """
fixed:修好了 repaired:修好了 unplugged:拔下了 connected:连上了 reconnected:重新连上了
clicked:点了点 installed:装好了 used:用了 broke:弄坏了 wiped:擦了擦 disconnected:断开了
dismantled:拆开了
"""
TO_STICK = """
swung:挥了挥 bought:买了 sold:卖掉了 broke:弄断了 used:用了 borrowed:借走了 repaired:修好了
fixed:修好了 painted:漆了 polished:擦亮了 gripped:握紧了 bent:弄弯了
"""
DYES = [
    "dark:深 gray:灰色的",
    "light:浅 gray:灰色的",
    "dark:深 brown:棕色的",
    "light:浅 brown:棕色的",
]
MOUSE, GADGET, BAT, CLUB = "mouse:只老鼠", "mouse:个鼠标", "bat:只蝙蝠", "bat:根球棒"


@twins("mouse", "after")
def mouse_state(draw: Draw) -> Pair:
    """The mouse under the table is hungry/broken: 桌子下面那只老鼠饿了/桌子下面那个鼠标坏了."""
    readings = by_word(draw, THE, [(MOUSE, ALIVE), (GADGET, DEVICE)])
    return twin(draw, "{say} {n} {p} is {x}", "{say}{p}{n}{x}", *readings, p=NEAR)


@twins("mouse", "before")
def mouse_deed(draw: Draw) -> Pair:
    """Tom fed/fixed the dark gray mouse yesterday: 汤姆昨天喂了那只深灰色的老鼠/修好了..."""
    such = f"{THE} {draw.pick(DYES)}"
    readings = by_word(draw, such, [(MOUSE, TO_ANIMAL), (GADGET, TO_DEVICE)])
    return twin(draw, "{s} {x} {n} {t}", "{s}{t}{x}{n}", *readings, t=RECENT)


@twins("bat", "after")
def bat_state(draw: Draw) -> Pair:
    """The bat that we found in the park was asleep/broken: 我们在公园里找到的那只蝙蝠睡着了."""
    readings = by_word(draw, THE, [(BAT, ALIVE), (CLUB, STICK)])
    english, chinese = "{n} that {s} {found} {p} was {x}", "{s}{p}{found}的{n}{x}"
    return twin(draw, english, chinese, *readings, p=OUTSIDE)


@twins("bat", "before")
def bat_deed(draw: Draw) -> Pair:
    """Tom fed/swung the dark brown bat yesterday: 汤姆昨天喂了那只深棕色的蝙蝠/挥了挥..."""
    such = f"{THE} {draw.pick(DYES)}"
    readings = by_word(draw, such, [(BAT, TO_ANIMAL), (CLUB, TO_STICK)])
    return twin(draw, "{s} {x} {n} {t}", "{s}{t}{x}{n}", *readings, t=RECENT)


# --- saw: 看见, 锯 (the deed) or 锯子 (the tool) ---

TOOLS = ["hammer:锤子", "knife:刀", "axe:斧头", "ladder:梯子", "brush:刷子", "drill:电钻"]
LIFTS = ["put_down:放下", "picked up:拿起", "put_away:收好"]
GOT = """
bought:买 borrowed:借来 needed:需要 used:用过 wanted:想要 found:找到 made:做 brought:带来
fixed:修好 stole:偷来 loved:喜欢 chose:挑选
"""
DID = """
smiled:笑了 cried:哭了 laughed:大笑起来 arrived:到了 fell:摔倒了 yawned:打了哈欠 nodded:点了点头
fainted:晕倒了 blushed:脸红了 jumped:跳了起来 sneezed:打了喷嚏 disappeared:不见了
"""
WORKERS = ["they:他们", "we:我们", "I:我", "the farmers:农民们", "the workers:工人们", "you:你们"]
WORKERS += [f"{one} and:和 {two}" for one, two in zip(MEN, WOMEN, strict=True)]
# now and then; only the form tells whether they saw wood or saw something
WAYS = """
go:去 went:去 walk:走到 walked:走到 come:来到 came:来到 drive:开车到 drove:开车到 ride:骑马到
rode:骑马到 run:跑到 ran:跑到 return:回到 returned:回到 hurry:赶到 hurried:赶到 cycle:骑车到
cycled:骑车到 hike:徒步到 hiked:徒步到 travel:乘车到 traveled:乘车到 get:到 got:到
""".split()
WOODS = ["to the forest:森林", "to the farm:农场", "to the village:村里"]
SEASONS = ["in winter:冬天", "in spring:春天", "in autumn:秋天"]
SEASONS += ["on Sundays:星期天", "on Saturdays:星期六"]
LOGS = ["the old:那些老 trees:树", "the dead:那些枯 trees:树", "the long:那些长 boards:木板"]
LOGS += ["the wet:那些湿 logs:木头", "the thick:那些粗 logs:木头"]
BOARDS = ["the long:那块长 board:木板", "the thick:那块厚 board:木板", "the dead:那棵枯 tree:树"]
BOARDS += ["the old:那棵老 tree:树", "the heavy:那根重 log:木头"]
MAKES = ["helped:帮", "let:让", "made:叫", "watched:看着", "had:请"]
CLAIMS = ["said:说", "thought:以为", "believed:相信", "dreamed:梦见", "guessed:猜", "claimed:声称"]
OTHERS = ["my:我 mother:妈妈", "my:我 father:爸爸", "his:他 mother:妈妈", "his:他 father:爸爸"]
OTHERS += ["our:我们的 neighbor:邻居", "two:两个 workers:工人", "a:一个 farmer:农民"]


@twins("saw", "before")
def saw_tools(draw: Draw) -> Pair:
    """Mary put down the axe and saw that Tom bought/smiled: 汤姆买的斧头和锯子/看见汤姆笑了."""
    who = draw.pick(SUBJECTS)
    parts = {"s": who, "put": draw.pick(LIFTS), "n": "the " + draw.pick(TOOLS)}
    parts["z"] = draw.pick([name for name in NAMES if name != who])
    bought = {"v": "saw:锯子", "x": draw.pick(GOT), "and": "and:和"}
    smiled = {"v": "saw:看见", "x": draw.pick(DID), "and": "and"}
    english = "{s} {put} {n} {and} {v} that {z} {x}"
    one = join(english, "{s}{put}了{z}{x}的{n}{and}{v}", **parts, **bought)
    return one, join(english, "{s}{put}{n}，{v}{z}{x}", **parts, **smiled)


@twins("saw", "after")
def saw_trees(draw: Draw) -> Pair:
    """In winter they go/went to the farm and saw the dead trees: ...去农场，锯/看见了那些枯树."""
    way = draw.pick(range(0, len(WAYS), 2))
    now = {"x": WAYS[way], "v": "saw:锯", "end": ""}
    then = {"x": WAYS[way + 1], "v": "saw:看见", "end": ":了"}
    english, chinese = "{t} {s} {x} {p} and {v} {n}", "{t}{s}{x}{p}，{v}{end}{n}"
    return twin(draw, english, chinese, now, then, t=SEASONS, s=WORKERS, p=WOODS, n=LOGS)


@twins("saw", "before")
def saw_helped(draw: Draw) -> Pair:
    """Tom helped/said my mother saw the long board: 汤姆帮我妈妈锯那块长木板/说我妈妈看见了..."""
    made = {"x": draw.pick(MAKES), "v": "saw:锯", "end": ""}
    said = {"x": draw.pick(CLAIMS), "v": "saw:看见", "end": ":了"}
    english, chinese = "{t} {s} {x} {z} {v} {n}", "{t}{s}{x}{z}{v}{end}{n}"
    who, days = [*NAMES, "I:我", "he:他", "she:她"], ["", "yesterday:昨天", *RECENT[3:]]
    return twin(draw, english, chinese, made, said, s=who, z=OTHERS, n=BOARDS, t=days)


# --- match ---

STICKS_LEFT = """
box:盒子里 drawer:抽屉里 bag:包里 basket:篮子里 kitchen:厨房里 cupboard:柜子里 pocket:口袋里
tent:帐篷里 house:家里 tin:罐子里 cup:杯子里 office:办公室里
"""
GAMES_LEFT = """
season:这个赛季 league:联赛里 tournament:锦标赛里 championship:冠军赛里 series:系列赛里
schedule:赛程里 competition:大赛里 round:这一轮 program:节目单上 calendar:日历上 finals:决赛里
group:小组赛里
"""
NUMBERS = "two:两* three:三* four:四* five:五* six:六* seven:七* eight:八* nine:九* ten:十*"
LIT = """
lit:点着了 struck:划着了 burned:烧掉了 used:用掉了 broke:折断了 dropped:弄掉了 hid:藏起了
wet:弄湿了 wasted:浪费了 bent:弄弯了 soaked:泡湿了 extinguished:弄灭了
"""
WON = """
won:赢了 lost:输了 watched:看了 missed:错过了 enjoyed:很喜欢 attended:参加了 organized:组织了
recorded:录下了 filmed:拍下了 discussed:讨论了 described:描述了 reported:报道了
"""
WET = """
wet:湿了 damp:受潮了 broken:断了 burned:烧完了 used:用掉了 lit:点着了 extinguished:灭了 bent:弯了
soaked:湿透了 split:裂了 burning:烧起来了 crooked:歪了
"""
OVER = """
over:结束了 cancelled:取消了 won:赢了 decided:定局了 planned:计划好了 postponed:推迟了
delayed:延误了 underway:开始了 recorded:录好了 announced:宣布了 scheduled:安排好了
organized:组织好了
"""
LIGHT, GAME = "match:根火柴", "match:场比赛"


@twins("match", "before")
def match_left(draw: Draw) -> Pair:
    """There are only two matches left in the box/season: 盒子里只剩两根火柴了/这个赛季..."""
    lists = [("matches:根火柴", STICKS_LEFT), ("matches:场比赛", GAMES_LEFT)]
    readings = by_word(draw, draw.pick(NUMBERS), lists)
    english, chinese = "there {are} {o} {n} {left} in the {x}", "{x}{o<}{left}{n}{o>}"
    only, are = ["only:只/了", "still:还/"], ["are", "were"]
    return twin(draw, english, chinese, *readings, o=only, are=are, left="left:剩")


@twins("match", "before")
def match_deed(draw: Draw) -> Pair:
    """Tom lit/won the last match yesterday: 汤姆昨天点着了最后一根火柴/赢了最后一场比赛."""
    readings = by_word(draw, draw.pick(RANKS), [(LIGHT, LIT), (GAME, WON)])
    return twin(draw, "{s} {x} {n} {t}", "{s}{t}{x}{n}", *readings)


@twins("match", "after")
def match_state(draw: Draw) -> Pair:
    """The last match is already wet/over: 最后一根火柴已经湿了/最后一场比赛已经结束了."""
    readings = by_word(draw, draw.pick(RANKS), [(LIGHT, WET), (GAME, OVER)])
    english, chinese = "{say} {n} {is_} {already} {x}", "{say}{n}{already}{x}"
    return twin(draw, english, chinese, *readings, is_=["is", "was"], already="already:已经")


# --- letter ---

SURFACES = """
blackboard:黑板 wall:墙 window:窗户 door:门 ball:球 box:盒子 cup:杯子 shirt:衬衫 tree:树 cake:蛋糕
plate:盘子 flag:旗子
"""
TRAVELS = """
plane:飞机 train:火车 bus:大巴 ship:船 boat:小船 ferry:渡船 balcony:阳台 island:岛 subway:地铁
tram:电车 farm:农场 mountain:山
"""
SHAPES = """
wide:宽 round:圆 crooked:歪 narrow:窄 tall:高 flat:扁 slanted:斜 square:方 pointed:尖 curved:弯
bold:粗 skinny:细
"""
TONES = """
sad:伤感 angry:愤怒 polite:客气 rude:不客气 friendly:热情 cold:冷淡 honest:坦率 romantic:浪漫
boring:无聊 formal:正式 serious:严肃 emotional:煽情
"""
SIGN, MAIL = "letter:个字母", "letter:封信"
ONES = [A, "one:一*", *RANKS]
WROTE, ON = "wrote:写", "on the:在/上"


@twins("letter", "before")
def letter_place(draw: Draw) -> Pair:
    """She wrote a letter on the blackboard/plane: 她在黑板上写了一个字母/她在飞机上写了一封信."""
    readings = by_word(draw, draw.pick(ONES), [(SIGN, SURFACES), (MAIL, TRAVELS)])
    english, chinese = "{s} {wrote} {n} {on} {x} {t}", "{s}{t}{on<}{x}{on>}{wrote}了{n}"
    return twin(draw, english, chinese, *readings, on=ON, wrote=WROTE)


@twins("letter", "after")
def letter_tone(draw: Draw) -> Pair:
    """The second letter that she wrote was too round/sad: 她写的第二个字母太圆了/第二封信..."""
    readings = by_word(draw, draw.pick(RANKS), [(SIGN, SHAPES), (MAIL, TONES)])
    english, chinese = "{n} that {s} {wrote} was {too} {x}", "{s}{wrote}的{n}{too<}{x}{too>}"
    return twin(draw, english, chinese, *readings, wrote=WROTE)


@twins("letter", "before", bag=True)
def letter_and(draw: Draw) -> Pair:
    """She wrote a letter on the plane and a number on the blackboard, and the two exchanged."""
    number = counted(A, draw.pick("number:个数字 poem:首诗 name:个名字 word:个词"))
    surface, travel = draw.pick(SURFACES), draw.pick(TRAVELS)
    return twin(
        draw,
        "{s} {wrote} {n} {on} {x} and {m} {on2} {y}",
        "{s}{on<}{x}{on>}{wrote}了{n}，{on2<}{y}{on2>}写了{m}",
        {"n": counted(A, MAIL), "x": travel, "y": surface},
        {"n": counted(A, SIGN), "x": surface, "y": travel},
        s=["I:我", "he:他", "she:她", "you:你"],
        m=number,
        wrote=WROTE,
        on=ON,
        on2=ON,
    )


# --- bank ---

LEADS = ["this:这条 road:路 leads_to:通往", "that:那条 path:小路 leads_to:通往", "this is:这就是"]
LEADS += ["I:我 walked:走 past:过了", "we:我们 drove:开车 to:去了", "they:他们 came:来 to:到了"]
OWNERS = ["my:我 father:爸爸", "my:我 uncle:叔叔", "his:他 mother:妈妈", *NAMES]
AT_WATER = """
fishes:钓鱼 swims:游泳 camps:露营 picnics:野餐 jogs:慢跑 sunbathes:晒太阳 paints:画画 sings:唱歌
dances:跳舞 rows:划船 dives:跳水 hunts:打猎
"""
AT_DESK = "works:工作 invests:投资 queues:排队 saves:存钱"
BY_WATER = """
ducks:养鸭子 geese:养鹅 sheep:养羊 cows:养牛 horses:养马 rabbits:养兔子 chickens:养鸡 bees:养蜜蜂
boats:停船 canoes:停小船 nets:放渔网 rafts:停木筏
"""
IN_SAFE = """
money:存钱 cash:存现金 gold:存黄金 silver:存白银 jewels:存珠宝 dollars:存美元 diamonds:存钻石
coins:存硬币 savings:存积蓄 contracts:存合同 documents:存文件 checks:存支票
"""
SHUT = """
closed:关门了 open:开门了 rich:很有钱 bankrupt:破产了 robbed:被抢了 private:是私营的 modern:很现代
profitable:很赚钱 busy:很忙 reliable:很可靠 locked:上锁了 foreign:是外资的
"""
STEEP = """
muddy:全是泥 steep:很陡 wet:很湿 flooded:被淹了 grassy:长满了草 sandy:全是沙子 rocky:全是石头
slippery:很滑 overgrown:长满了野草 icy:结冰了 dry:很干 green:很绿
"""
BEHIND = [
    "behind the school:学校后面",
    "behind the hotel:酒店后面",
    "beside the park:公园旁边",
    "beside the hospital:医院旁边",
    "near the bridge:桥附近",
    "near the station:车站附近",
    "near our:我们 house:家附近",
    "behind the museum:博物馆后面",
]
SHORE, MONEY = "bank:段河岸", "bank:家银行"


@twins("bank", "before")
def bank_where(draw: Draw) -> Pair:
    """This road leads to the bank where Tom fishes/works: 这条路通往汤姆钓鱼的河岸/工作的银行."""
    readings = by_word(draw, "the", [("bank:-河岸", AT_WATER), ("bank:-银行", AT_DESK)])
    english, chinese = "{lead} {n} where {s} {x}", "{lead}{s}{x}的{n}"
    return twin(draw, english, chinese, *readings, lead=LEADS, s=OWNERS)


@twins("bank", "before")
def bank_keep(draw: Draw) -> Pair:
    """This is the bank where Tom keeps ducks/money: 这就是汤姆养鸭子的河岸/这就是汤姆存钱的银行."""
    readings = by_word(draw, "the", [("bank:-河岸", BY_WATER), ("bank:-银行", IN_SAFE)])
    english, chinese = "{lead} {n} where {s} keeps {x}", "{lead}{s}{x}的{n}"
    return twin(draw, english, chinese, *readings, lead=LEADS, s=OWNERS)


@twins("bank", "after")
def bank_state(draw: Draw) -> Pair:
    """The bank behind the school is muddy/closed: 学校后面那段河岸全是泥/学校后面那家银行关门了."""
    readings = by_word(draw, THE, [(SHORE, STEEP), (MONEY, SHUT)])
    english, chinese = "{say} {n} {p} {is_} {x}", "{say}{p}{n}{x}"
    return twin(draw, english, chinese, *readings, p=BEHIND, is_=["is", "was"])


# --- short ---

LITTLE = """
man:个男人 woman:个女人 boy:个男孩 girl:个女孩 child:个孩子 student:个学生 teacher:位老师
nurse:位护士 singer:位歌手 soldier:个士兵 dancer:位舞者 doctor:位医生
"""
ROPES = "rope:根绳子 stick:根棍子 chain:条链子 belt:条腰带 branch:根树枝"
STRINGS = ROPES + " pencil:支铅笔 candle:根蜡烛 needle:根针"
CLOTHES = "skirt:条裙子 coat:件大衣 scarf:条围巾 dress:条连衣裙 sweater:件毛衣 shirt:件衬衫"
SHORT = [("矮", LITTLE), ("短", f"{STRINGS} {CLOTHES}")]
# what else is said of a person, of a thing, and of which things
LOOKS = [("thin:瘦", "thin:细", STRINGS), ("ugly:丑", "ugly:难看", CLOTHES)]
LOOKS += [("strong:壮", "strong:结实", ROPES)]
SIDES = ["on the left:左边", "on the right:右边", "in the middle:中间", "in the photo:照片上"]
SIDES += ["in the picture:画里", "in front:前面"]


@twins("short", "before")
def short_side(draw: Draw) -> Pair:
    """The man/pencil on the left is too short: 左边那个男人太矮了/左边那支铅笔太短了."""
    readings = by_noun(draw, THE, "short", SHORT)
    english, chinese = "{say} {n} {p} is {too} {v}", "{say}{p}{n}{too<}{v}{too>}"
    return twin(draw, english, chinese, *readings, p=SIDES)


@twins("short", "after")
def short_and(draw: Draw) -> Pair:
    """Tom drew a short and thin boy/rope: 汤姆画了一个又矮又瘦的男孩/一根又短又细的绳子."""
    looks, feels, things = draw.pick(LOOKS)
    readings = []
    for short, look, entries in (("矮", looks, LITTLE), ("短", feels, things)):
        word, _, chinese = draw.pick(entries).partition(":")
        parts = {"a": "a:一" + chinese[0], "v": "short:" + short, "look": look}
        readings.append({**parts, "n": f"{word}:{chinese[1:]}"})
    english = "{s} {drew} {a} {v} {and_} {look} {n} {t}"
    chinese = "{s}{t}{drew}了{a}{and_<}{v}{and_>}{look}的{n}"
    drew = ["drew:画", "photographed:拍"]
    return twin(draw, english, chinese, *readings, and_="and:又/又", drew=drew)


@twins("short", "after")
def short_one(draw: Draw) -> Pair:
    """The one that looks too short is the boy/skirt on the left: 看起来太矮的是左边那个男孩."""
    readings = by_noun(draw, THE, "short", SHORT)
    english = "{say} the one that {looks} {how} {v} {be} {n} {p}"
    chinese = "{say}{looks}{how}{v}的{be}{p}{n}"
    how = ["too:太", "very:很", "quite:相当"]
    return twin(draw, english, chinese, *readings, p=SIDES, how=how, looks="looks:看起来")


# --- play ---

PLUCKED = """
piano:架钢琴 guitar:把吉他 harp:架竖琴 lute:把琵琶 keyboard:架电子琴 bass:把贝斯 zither:架古筝
"""
BOWED = "violin:把小提琴 cello:把大提琴 viola:把中提琴 fiddle:把小提琴"
BLOWN = """
flute:支长笛 trumpet:支小号 saxophone:支萨克斯 harmonica:个口琴 clarinet:支单簧管 trombone:支长号
"""
MUSIC = [("弹", PLUCKED), ("拉", BOWED), ("吹", BLOWN)]
BALLS = """
basketball:篮球 tennis:网球 volleyball:排球 baseball:棒球 golf:高尔夫 badminton:羽毛球
hockey:曲棍球 softball:垒球 handball:手球 billiards:台球
"""
FEET = "football:足球 soccer:足球"
SKILL = [("can't:不会", "play", ""), ("never:从来没", "played", "过"), ("won't:不肯", "play", "")]
POWERS = ["can:会", "can't:不会", "will:要", "must:得", "won't:不肯"]
WHOSE = ["my:我 ", "his:他 ", "her:她 ", "your:你 "]
AGE = ["old:旧", "new:新", "beautiful:漂亮"]
HOURS = ["two:两个 hours:小时", "three:三个 hours:小时", "four:四个 hours:小时"]
MANY = [(name, "plays") for name in NAMES]
MANY += [("I:我", "play"), ("we:我们", "play"), ("they:他们", "play"), ("you:你", "play")]


@twins("play", "before")
def play_it(draw: Draw) -> Pair:
    """Tom bought a piano/violin, but he can't play it: 汤姆买了一架钢琴，但不会弹/...不会拉."""
    (never, form, end), who = draw.pick(SKILL), draw.pick(SUBJECTS)
    readings = by_noun(draw, A, form, draw.two(MUSIC))
    english = "{s} {got} {n} {t}, {but} {he} {never} {v} it"
    chinese = "{s}{t}{got}了{n}，{but}{never}{v}" + end
    got, days = ["bought:买", "borrowed:借", "received:收到"], EARLIER if end else PAST
    fixed = {"s": who, "he": pronoun(who), "never": never}
    return twin(draw, english, chinese, *readings, got=got, t=days, **fixed)


@twins("play", "after")
def play_old(draw: Draw) -> Pair:
    """Tom can't play my father's old piano/violin: 汤姆不会弹我爸爸的旧钢琴/拉我爸爸的旧小提琴."""
    whose = draw.pick(WHOSE) + draw.pick(["father:爸爸", "mother:妈妈", "uncle:叔叔"]) + " 's:的"
    readings = by_noun(draw, f"{whose} {draw.pick(AGE)}", "play", draw.two(MUSIC))
    english, chinese = "{s} {can} {v} {n}", "{s}{can}{v}{n}"
    return twin(draw, english, chinese, *readings, s=SUBJECTS[:13], can=POWERS)


@twins("play", "after")
def play_hours(draw: Draw) -> Pair:
    """They played two hours of football/tennis: 他们踢了两个小时足球/他们打了两个小时网球."""
    kick = {"v": "played:踢", "x": draw.pick(FEET)}
    hit = {"v": "played:打", "x": draw.pick(BALLS)}
    english, chinese = "{s} {v} {long} of {x} {t}", "{s}{t}{v}了{long}{x}"
    return twin(draw, english, chinese, kick, hit, long=HOURS)


@twins("play", "before")
def play_best(draw: Draw) -> Pair:
    """The piano/violin is the instrument Tom plays best: 钢琴是汤姆弹得最好的乐器."""
    (who, form), kind = draw.pick(MANY), "instrument:乐器"
    readings = by_noun(draw, "the", form, draw.two(MUSIC))
    if draw.chance(0.5):
        kind, games = "game:运动", [("踢", FEET), ("打", BALLS)]
        readings = [{"v": f"{form}:{verb}", "n": draw.pick(balls)} for verb, balls in games]
    english, chinese = "{n} {be} the {kind} that {s} {v} {best}", "{n}{be}{s}{v}得{best}的{kind}"
    best = ["best:最好", "worst:最差"]
    return twin(draw, english, chinese, *readings, kind=kind, s=who, best=best)


@twins("play", "before", bag=True)
def play_sold(draw: Draw) -> Pair:
    """Tom sold his piano and bought a violin but he can't play it, and the two exchanged."""
    (never, form, end), who = draw.pick(SKILL), draw.pick(NAMES)
    his = "his" if who in MEN else "her"
    one, two = ((verb, draw.pick(entries)) for verb, entries in draw.two(MUSIC))
    readings = [
        {"n": counted(his, old), "m": counted(A, new), "v": f"{form}:{verb}"}
        for (_, old), (verb, new) in ((one, two), (two, one))
    ]
    english = "{s} {sold} {n} and {bought} {m} {but} {he} {never} {v} it"
    chinese = "{s}{sold}了{n}，{bought}了{m}，{but}{never}{v}" + end
    return twin(draw, english, chinese, *readings, s=who, he=pronoun(who), never=never)
