"""More pairs about one word, decided far away: mouse, bat, saw, match, letter, bank, short, play.

See far.py: its slots, `twin`, `counted`, `options`, `family`, `owned` and `exchanged` are used
here, too.
"""

from .draw import Draw
from .far import (
    PARENTS,
    PRONOUNS,
    RANKS,
    RECENT,
    SIDES,
    SUBJECTS,
    THE,
    A,
    Pair,
    counted,
    exchanged,
    family,
    options,
    owned,
    twin,
)
from .lexicon import MEN, NAMES, WOMEN
from .phrase import join
from .registry import twins

# --- mouse and bat: an animal or a thing ---

NEAR = ["under the table:桌子下面", "behind the computer:电脑后面", "beside the window:窗户旁边"]
NEAR += ["on the table:桌子上", "in the box:盒子里", "beside the computer:电脑旁边"]
NEAR += ["in the office:办公室里", "in the classroom:教室里", "under the chair:椅子下面"]
OUTSIDE = ["in:在 the garden:花园里", "in:在 the park:公园里", "under:在 the tree:树下"]
OUTSIDE += ["behind:在 the house:房子后面", "near:在 the river:河边", "in:在 the forest:森林里"]
ALIVE = "hungry:饿了 thirsty:渴了 tired:累了 ill:病了 dead:死了 asleep:睡着了"
DEVICE = "broken:坏了 new:是新的 expensive:很贵 cheap:很便宜"
STICK = "broken:断了 new:是新的 expensive:很贵 heavy:很重 wooden:是木头的"
TO_ANIMAL = "fed:喂 caught:抓住 killed:打死 saved:救 heard:听见"
TO_DEVICE = "fixed:修好 used:用 broke:弄坏 borrowed:借走 cleaned:擦干净"
TO_STICK = "fixed:修好 used:用 broke:弄断 borrowed:借走 cleaned:擦干净"
COATS = "small:小 big:大 black:黑色的 white:白色的 brown:棕色的 gray:灰色的"
COATS = [f"{THE} {coat}" for coat in COATS.split()]
IS = ["is", "was"]
MOUSE, GADGET, BAT, CLUB = "mouse:只老鼠", "mouse:个鼠标", "bat:只蝙蝠", "bat:根球棒"

# the mouse under the table is hungry/broken: 桌子下面那只老鼠饿了/桌子下面那个鼠标坏了
state = "{say} {n} {p} {is_} {x}", "{say}{p}{n}{x}"
family("mouse_state", "after", [(MOUSE, ALIVE), (GADGET, DEVICE)], [THE], *state, p=NEAR, is_=IS)
# Tom fed/fixed the black mouse yesterday: 汤姆昨天喂了那只黑色的老鼠/修好了那个黑色的鼠标
deed = "{s} {x} {n} {t}", "{s}{t}{x}了{n}"
family("mouse_deed", "before", [(MOUSE, TO_ANIMAL), (GADGET, TO_DEVICE)], COATS, *deed, t=RECENT)
# the bat that we found in the park was asleep/broken: 我们在公园里找到的那只蝙蝠睡着了/...
seen = "{n} that {s} {found} {p} {is_} {x}", "{s}{p}{found}的{n}{x}"
family("bat_state", "after", [(BAT, ALIVE), (CLUB, STICK)], [THE], *seen, p=OUTSIDE, is_=IS)
family("bat_deed", "before", [(BAT, TO_ANIMAL), (CLUB, TO_STICK)], COATS, *deed, t=RECENT)


# --- saw: 看见, 锯 (the deed) or 锯子 (the tool) ---

TOOLS = ["hammer:锤子", "knife:刀", "axe:斧头", "ladder:梯子"]
LIFTS = ["put_down:放下", "picked up:拿起", "put_away:收好"]
GOT = "bought:买 borrowed:借来 found:找到 stole:偷来"
DID = "laughed:笑了 cried:哭了 left:走了 arrived:到了"
WORKERS = [*PRONOUNS[3:], "I:我", "the farmers:农民们", "the workers:工人们"]
WORKERS += [f"{one} and:和 {two}" for one, two in zip(MEN, WOMEN, strict=True)]
# now and then; only the form tells whether they saw wood or saw something
WAYS = "go:去 went:去 come:来到 came:来到 walk:走到 walked:走到 drive:开车到 drove:开车到".split()
WOODS = ["to the forest:森林", "to the farm:农场", "to the village:村里"]
SEASONS = ["in winter:冬天", "in spring:春天", "in autumn:秋天", "on Sundays:星期天"]
LOGS = ["the old:那些老 trees:树", "the dead:那些枯 trees:树", "the long:那些长 boards:木板"]
BOARDS = ["the long:那块长 board:木板", "the dead:那棵枯 tree:树", "the old:那棵老 tree:树"]
SAW = [("saw:-锯", "helped:帮 let:让 made:叫 watched:看着")]
SAW += [("saw:-看见 :了", "said:说 thought:以为 heard:听说")]
OTHERS = [*PARENTS, "his:他 father:爸爸", "our:我们的 neighbor:邻居", "two:两个 workers:工人"]

# Tom helped/said my father saw the long board: 汤姆帮我爸爸锯那块长木板/说我爸爸看见了...
let = "{t} {s} {x} {z} {n} {o}", "{t}{s}{x}{z}{n}{o}"
SAWYERS = {"s": [*NAMES, *PRONOUNS[:3]], "z": OTHERS, "t": ["", RECENT[0], *RECENT[2:]]}
family("saw_let", "before", SAW, [""], *let, o=BOARDS, **SAWYERS)


@twins("saw", "before")
def saw_tools(draw: Draw) -> Pair:
    """Mary put down the axe and saw that Tom bought/arrived: 汤姆买的斧头和锯子/看见汤姆到了."""
    who = draw.pick(SUBJECTS)
    parts = {"s": who, "put": draw.pick(LIFTS), "n": "the " + draw.pick(TOOLS)}
    parts["z"] = draw.pick([name for name in NAMES if name != who])
    tool = {"v": "saw:锯子", "x": draw.pick(GOT), "and": "and:和"}
    deed = {"v": "saw:看见", "x": draw.pick(DID), "and": "and"}
    english = "{s} {put} {n} {and} {v} that {z} {x}"
    one = join(english, "{s}{put}了{z}{x}的{n}{and}{v}", **parts, **tool)
    return one, join(english, "{s}{put}{n}，{v}{z}{x}", **parts, **deed)


@twins("saw", "after")
def saw_trees(draw: Draw) -> Pair:
    """In winter they go/went to the farm and saw the dead trees: ...去农场，锯/看见了那些枯树."""
    way = draw.pick(range(0, len(WAYS), 2))
    now = {"x": WAYS[way], "v": "saw:锯"}
    then = {"x": WAYS[way + 1], "v": "saw:看见 :了"}
    english, chinese = "{t} {s} {x} {p} and {v} {n}", "{t}{s}{x}{p}，{v}{n}"
    return twin(draw, english, chinese, now, then, t=SEASONS, s=WORKERS, p=WOODS, n=LOGS)


# --- match ---

LIGHT, GAME = "match:根火柴", "match:场比赛"
DONE = [(LIGHT, "lit:点着 burned:烧掉 used:用掉 broke:折断")]
DONE += [(GAME, "won:赢 lost:输 watched:看 missed:错过")]
OVER = [(LIGHT, "wet:湿了 lit:点着了 burned:烧完了 used:用掉了 broken:断了")]
OVER += [(GAME, "over:结束了 won:赢了 lost:输了")]
WHOSE = ["my:我的", "his:他的", "her:她的", "our:我们的", "your:你的", "their:他们的"]
WHOSE += [f"{one} 's:的" for one in [*NAMES, *PARENTS]]
TURNS = RANKS + [rank.replace("the", one) for rank in RANKS for one in WHOSE]

# Tom lit/won the last match yesterday: 汤姆昨天点着了最后一根火柴/赢了最后一场比赛
family("match_deed", "before", DONE, RANKS, *deed)
# Tom's last match is already wet/over: 汤姆的最后一根火柴已经湿了/最后一场比赛已经结束了
over = "{n} {is_} {already} {x}", "{n}{already}{x}"
family("match_over", "after", OVER, TURNS, *over, is_=IS, already="already:已经")


@twins("match", "before")
def match_which(draw: Draw) -> Pair:
    """The match that Tom lit/won last week was the first one: 汤姆上周点着的那根火柴是第一根."""
    rank = draw.pick(RANKS)
    found = options(draw, DONE, THE)
    for parts, (noun, _) in zip(found, DONE, strict=True):
        parts["one"] = counted(rank, "one:" + noun.partition(":")[2][0])
    english, chinese = "{n} that {s} {x} {t} {was} {one}", "{s}{t}{x}的{n}{was}{one}"
    return twin(draw, english, chinese, *found, was="was:是")


# --- letter ---

SURFACES = "blackboard:黑板 wall:墙 window:窗户 door:门 box:盒子 cup:杯子 shirt:衬衫 ball:球"
TRAVELS = "plane:飞机 train:火车 boat:船 subway:地铁 farm:农场 mountain:山"
SHAPES = "big:很大 small:很小 red:是红色的 black:是黑色的 blue:是蓝色的 white:是白色的"
TONES = "sad:很伤感 funny:很好笑 interesting:很有趣 important:很重要 boring:很无聊"
SIGN, MAIL = "letter:个字母", "letter:封信"
WROTE, ON = "wrote:写", "on the:在/上"

# she wrote a letter on the blackboard/plane: 她在黑板上写了一个字母/她在飞机上写了一封信
place = "{s} {wrote} {n} {on} {x} {t}", "{s}{t}{on<}{x}{on>}{wrote}了{n}"
PLACED = [(SIGN, SURFACES), (MAIL, TRAVELS)]
family("letter_place", "before", PLACED, [A, "one:一*", *RANKS], *place, on=ON, wrote=WROTE)
# the second letter that she wrote yesterday was big/sad: 她昨天写的第二个字母很大/第二封信...
tone = "{n} that {s} {wrote} {t} was {x}", "{s}{t}{wrote}的{n}{x}"
family("letter_tone", "after", [(SIGN, SHAPES), (MAIL, TONES)], RANKS, *tone, wrote=WROTE)


@twins("letter", "before", bag=True)
def letter_and(draw: Draw) -> Pair:
    """She wrote a letter on the plane and a word on the blackboard, and the two exchanged."""
    surface, travel = draw.pick(SURFACES), draw.pick(TRAVELS)
    found = [
        {"n": counted(A, MAIL), "x": travel, "y": surface},
        {"n": counted(A, SIGN), "x": surface, "y": travel},
    ]
    english = "{s} {wrote} {n} {on} {x} and {m} {on2} {y}"
    chinese = "{s}{on<}{x}{on>}{wrote}了{n}，{on2<}{y}{on2>}写了{m}"
    fixed = {"m": counted(A, draw.pick("name:个名字 word:个词 poem:首诗")), "wrote": WROTE}
    return twin(draw, english, chinese, *found, s=PRONOUNS[:3], on=ON, on2=ON, **fixed)


# --- bank ---

# this road leads to the bank; they walk past it: 从...旁边走过
LEADS = ["this:这条 road:路 leads_to:通往/", "that:那条 road:路 leads_to:通往/", "this:这 is:就是/"]
GOES = ["went_to:去了/", "came_to:来到/", "ran_to:跑到/", "walked_past:从/旁边走过"]
LEADS += [f"{who} {goes}" for who in PRONOUNS for goes in GOES]
SHORE, MONEY = "bank:段河岸", "bank:家银行"
WHERE = [("bank:-河岸", "fishes:钓鱼 swims:游泳 rests:休息")]
WHERE += [("bank:-银行", "works:工作 saves:存钱")]
STORED = "money:存钱 gold:存黄金 dollars:存美元 rings:存戒指"
KEEPS = [("bank:-河岸", "ducks:养鸭子 horses:养马 cows:养牛 boats:停船"), ("bank:-银行", STORED)]
STATES = [(SHORE, "wet:很湿 dry:很干 muddy:全是泥")]
STATES += [(MONEY, "closed:关门了 open:开门了 busy:很忙 new:是新的")]
BEHIND = ["behind the school:学校后面", "behind the hotel:酒店后面", "near the bridge:桥附近"]
BEHIND += ["beside the park:公园旁边", "beside the hospital:医院旁边", "near the station:车站附近"]
BEHIND += ["behind the museum:博物馆后面", "near our:我们 house:家附近"]

# this road leads to the bank where Tom fishes/works: 这条路通往汤姆钓鱼的河岸/工作的银行
where = "{lead} {n} where {s} {does} {x}", "{lead<}{s}{x}的{n}{lead>}"
KEEPERS = [*NAMES, *PARENTS]
family("bank_where", "before", WHERE, ["the"], *where, lead=LEADS, s=KEEPERS, does="")
# this is the bank where Tom keeps ducks/money: 这就是汤姆养鸭子的河岸/这就是汤姆存钱的银行
family("bank_keep", "before", KEEPS, ["the"], *where, lead=LEADS, s=KEEPERS, does="keeps")
# Tom keeps ducks/money at the bank behind the school: 汤姆在学校后面的河岸养鸭子/银行存钱
at_bank = "{s} keeps {x} {at} {n} {p}", "{s}{at}{p}的{n}{x}"
family("bank_at", "after", KEEPS, ["the"], *at_bank, s=KEEPERS, p=BEHIND, at="at:在")
# the bank behind the school is muddy/closed: 学校后面那段河岸全是泥/学校后面那家银行关门了
lies = "{say} {n} {p} {is_} {x}", "{say}{p}{n}{x}"
family("bank_state", "after", STATES, [THE], *lies, p=BEHIND, is_=IS)


# --- short ---

LITTLE = "man:个男人 woman:个女人 boy:个男孩 girl:个女孩 child:个孩子 student:个学生"
LITTLE += " teacher:位老师 nurse:位护士 singer:位歌手 doctor:位医生"
STRINGS = "rope:根绳子 stick:根棍子 belt:条腰带"
CLOTHES = "skirt:条裙子 coat:件大衣 dress:条连衣裙 sweater:件毛衣 shirt:件衬衫"
SHORT = [("矮", LITTLE), ("短", f"{STRINGS} pencil:支铅笔 {CLOTHES}")]
# what else is said of a person, of a thing, and of which things
LOOKS = [("thin:瘦", "thin:细", STRINGS + " pencil:支铅笔"), ("ugly:丑", "ugly:难看", CLOTHES)]
LOOKS += [("strong:壮", "strong:结实", STRINGS), ("dirty:脏", "dirty:脏", CLOTHES)]

# the man/pencil on the left is too short: 左边那个男人太矮了/左边那支铅笔太短了
side = "{say} {n} {p} is {too} {v}", "{say}{p}{n}{too<}{v}{too>}"
family("short_side", "before", SHORT, [THE], *side, "short", p=SIDES)


@twins("short", "after")
def short_and(draw: Draw) -> Pair:
    """Tom drew a short and thin boy/rope: 汤姆画了一个又矮又瘦的男孩/一根又短又细的绳子."""
    looks, feels, things = draw.pick(LOOKS)
    found = []
    for short, look, entries in (("矮", looks, LITTLE), ("短", feels, things)):
        word, _, chinese = draw.pick(entries).partition(":")
        parts = {"a": "a:一" + chinese[0], "v": "short:" + short, "look": look}
        found.append({**parts, "n": f"{word}:{chinese[1:]}"})
    english = "{s} {drew} {a} {v} {and_} {look} {n} {t}"
    chinese = "{s}{t}{drew}了{a}{and_<}{v}{and_>}{look}的{n}"
    return twin(draw, english, chinese, *found, and_="and:又/又", drew="drew:画")


# --- play ---

MUSIC = [("弹", "piano:架钢琴 guitar:把吉他 harp:架竖琴"), ("拉", "violin:把小提琴 cello:把大提琴")]
GAMES = [("踢", "football:-足球 soccer:-足球")]
GAMES += [("打", "basketball:-篮球 tennis:-网球 volleyball:-排球 baseball:-棒球")]
SKILL = [("can't:不会", "play", ""), ("won't:不肯", "play", ""), ("didn't:没", "play", "")]
POWERS = ["can:会", "can't:不会", "will:要", "must:必须", "won't:不肯"]
WHO = ["my:我 ", "his:他 ", "her:她 ", "your:你 "]
WHO = [f"{his}{one} 's:的" for his in WHO for one in ("father:爸爸", "mother:妈妈")]
OLD = [f"{whose} {old}" for whose in WHO for old in ("old:旧", "new:新", "beautiful:漂亮")]
HOURS = ["two:两个 hours:小时", "three:三个 hours:小时", "four:四个 hours:小时"]
COMING = ["tomorrow:明天", "next:下 week:周", "this:今天 evening:晚上", "today:今天", ""]

# Tom can't play my father's old piano/violin: 汤姆不会弹我爸爸的旧钢琴/拉我爸爸的旧小提琴
can = "{s} {can} {v} {n}", "{s}{can}{v}{n}"
family("play_old", "after", MUSIC, OLD, *can, "play", s=SUBJECTS[:13], can=POWERS)
# they will play two hours of football/tennis today: 他们今天要踢两个小时足球/打两个小时网球
hours = "{s} {will} {v} {long} of {n} {t}", "{s}{t}{will}{v}{long}{n}"
WILL = ["will:要", "must:必须", "should:应该", "can:可以"]
TIMES = {"long": HOURS, "t": COMING}
family("play_hours", "after", GAMES, [""], *hours, "play", will=WILL, **TIMES)
owned("play", SUBJECTS, MUSIC, SKILL)
exchanged("play", NAMES, MUSIC, SKILL)


@twins("play", "before")
def play_best(draw: Draw) -> Pair:
    """The piano/violin is the instrument Tom plays best: 钢琴是汤姆弹得最好的乐器."""
    who = draw.pick([*NAMES, *PRONOUNS, *PARENTS])
    form = "plays" if who not in (PRONOUNS[0], *PRONOUNS[3:]) else "play"
    kinds = [("instrument:乐器", "the", MUSIC), ("game:运动", "", GAMES)]
    kind, such, readings = draw.pick(kinds)
    found = options(draw, readings, such, form)
    english, chinese = "{n} {be} the {kind} that {s} {v} {best}", "{n}{be}{s}{v}得{best}的{kind}"
    best = ["best:最好", "most:最多"]
    return twin(draw, english, chinese, *found, kind=kind, s=who, best=best)
