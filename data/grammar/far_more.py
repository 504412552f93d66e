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
    WEEK,
    A,
    Pair,
    Parts,
    counted,
    exchanged,
    family,
    options,
    owned,
    places,
    pronoun,
    twin,
)
from .lexicon import NAMES
from .registry import twins

SAYS = [f"{name} {says}" for name in NAMES for says in ("says:说", "thinks:觉得")]
THINK = {"say": ["", *SAYS], "is_": "is"}
# --- mouse and bat: an animal or a thing ---

NEAR = ["under:下面 the table:桌子", "behind:后面 the computer:电脑", "beside:旁边 the window:窗户"]
NEAR += ["on:上 the table:桌子", "in:里 the box:盒子", "beside:旁边 the computer:电脑"]
NEAR += ["in:里 the office:办公室", "in:里 the classroom:教室", "under:下面 the chair:椅子"]
OUTSIDE = ["in:在/里 the garden:花园", "in:在/里 the park:公园", "under:在/下 the tree:树"]
OUTSIDE += ["behind:在/后面 the house:房子", "near:在/边 the river:河", "in:在/里 the forest:森林"]
NEAR, OUTSIDE = places(*NEAR), places(*OUTSIDE)
ALIVE = "hungry:饿了 thirsty:渴了 ill:病了 dead:死了 asleep:睡着了"
DEVICE = ["broken:坏了", ":很 new:新", ":很 expensive:贵", ":很 cheap:便宜"]
STICK = ["broken:断了", ":很 heavy:重", ":很 expensive:贵", ":很 long:长"]
TO_ANIMAL = "fed:喂 caught:抓住 killed:打死 saved:救"
TO_DEVICE = "fixed:修好 used:用 broke:弄坏 borrowed:借走"
TO_STICK = "fixed:修好 used:用 broke:弄断 borrowed:借走"
COATS = "small:小 big:大 black:黑色的 white:白色的 brown:棕色的 gray:灰色的"
COATS = [f"{THE} {coat}" for coat in COATS.split()]
ASLEEP = ["hungry:饿了", "thirsty:渴了", "ill:病了", ":已经 dead:死了", "asleep:在睡觉"]
IS = ["is", "was"]
MOUSE, GADGET, BAT, CLUB = "mouse:只老鼠", "mouse:个鼠标", "bat:只蝙蝠", "bat:根球棒"

# the mouse under the table is hungry/broken: 桌子下面那只老鼠饿了/桌子下面那个鼠标坏了
state = "{say} {n} {p} {is_} {x}", "{say}{p}{n}{x}"
family("mouse_state", "after", [(MOUSE, ALIVE), (GADGET, DEVICE)], [THE], *state, **THINK, p=NEAR)
# Tom fed/fixed the black mouse yesterday: 汤姆昨天喂了那只黑色的老鼠/修好了那个黑色的鼠标
deed = "{s} {x} {n} {t}", "{s}{t}{x}了{n}"
family("mouse_deed", "before", [(MOUSE, TO_ANIMAL), (GADGET, TO_DEVICE)], COATS, *deed, t=RECENT)
# the bat that we found in the park was asleep/broken: 我们在公园里发现的那只蝙蝠在睡觉/...
seen = "{n} that {s} {found} {p} {is_} {x}", "{s}{p}{found}的{n}{x}"
FOUND = {"found": "found:发现", "is_": IS}
family("bat_state", "after", [(BAT, ASLEEP), (CLUB, STICK)], [THE], *seen, p=OUTSIDE, **FOUND)
family("bat_deed", "before", [(BAT, TO_ANIMAL), (CLUB, TO_STICK)], COATS, *deed, t=RECENT)


# --- saw: 看见, or 锯 (what one does with a saw) ---

BOARDS = ["the:那块 long:长 board:木板", "the:那块 thick:厚 board:木板"]
BOARDS += ["the:那根 dead:枯 branch:树枝", "the:那根 long:长 branch:树枝"]
SAW = [("saw:-锯 :了", "helped:帮 let:让")]
SAW += [("saw:-看见 :了", "said:说 thought:以为")]
OTHERS = [*PARENTS, "his:他 father:爸爸", "our:我们的 neighbor:邻居"]

# Tom helped/said my father saw the long board: 汤姆帮我爸爸锯那块长木板/说我爸爸看见了...
let = "{t} {s} {x} {z} {n} {o}", "{t}{s}{x}{z}{n}{o}"
SAWYERS = {"s": [*NAMES, *PRONOUNS[:3]], "z": OTHERS, "t": ["", *RECENT]}
family("saw_let", "before", SAW, [""], *let, o=BOARDS, **SAWYERS)


# --- match ---

LIGHT, GAME = "match:根火柴", "match:场比赛"
DONE = [(LIGHT, "lit:点着 used:用掉 broke:弄断")]
DONE += [(GAME, "won:赢 lost:输 watched:看 missed:错过")]
OVER = [(LIGHT, "wet:湿了 broken:断了")]
OVER += [(GAME, "over:结束了 finished:结束了")]
WHOSE = ["my:我的", "his:他的", "her:她的", "our:我们的", "your:你的", "their:他们的"]
WHOSE += [f"{one} 's:的" for one in PARENTS]
LAST = [RANKS[1].replace("the", one) for one in ["the", *WHOSE[:6]]]
TURNS = [THE, *LAST, *[RANKS[1].replace("the", one) for one in WHOSE[6:]]]
PLAYED = [*RECENT, WEEK]

# Tom lit/won the last match yesterday: 汤姆昨天点着了最后一根火柴/赢了最后一场比赛
family("match_deed", "before", DONE, RANKS, *deed, t=PLAYED)
# Tom says his last match is already wet/over: 汤姆说他的最后一根火柴已经湿了/...已经结束了
over = "{say} {n} {is_} {already} {x}", "{say}{n}{already}{x}"
family("match_over", "after", OVER, TURNS, *over, **THINK, already="already:已经")


@twins("match", "before")
def match_which(draw: Draw) -> Pair:
    """The match that Tom lit/won last week was the last one: 汤姆上周点着的那根火柴是最后一根."""
    found = options(draw, DONE, THE)
    for parts, (noun, _) in zip(found, DONE, strict=True):
        parts["one"] = f"the last:最后 one:一{noun.partition(':')[2][0]}"
    english, chinese = "{n} that {s} {x} {t} {was} {one}", "{s}{t}{x}的{n}{was}{one}"
    return twin(draw, english, chinese, *found, was="was:是", t=PLAYED)


# --- letter ---

SURFACES = "blackboard:黑板 wall:墙 door:门 box:盒子 cup:杯子 shirt:衬衫 ball:球"
TRAVELS = "plane:飞机 train:火车 boat:船 subway:地铁 bus:公共汽车"
SIGN, MAIL = "letter:个字母", "letter:封信"
WROTE, ON = "wrote:写", "on:在/上 the"

# she wrote a letter on the blackboard/plane: 她在黑板上写了一个字母/她在飞机上写了一封信
place = "{s} {wrote} {n} {on} {x} {t}", "{s}{t}{on<}{x}{on>}{wrote}了{n}"
PLACED = [(SIGN, SURFACES), (MAIL, TRAVELS)]
WRITING = {"on": ON, "wrote": WROTE, "t": [*RECENT, WEEK]}
family("letter_place", "before", PLACED, [A, "one:一*", *RANKS], *place, **WRITING)


@twins("letter", "before", bag=True)
def letter_and(draw: Draw) -> Pair:
    """She wrote a letter on the plane and a poem on the blackboard, and the two exchanged."""
    surface, travel = draw.pick(SURFACES), draw.pick(TRAVELS)
    found = [
        {"n": counted(A, MAIL), "x": travel, "y": surface},
        {"n": counted(A, SIGN), "x": surface, "y": travel},
    ]
    english = "{s} {wrote} {n} {on} {x} and {m} {on2} {y}"
    chinese = "{s}{on<}{x}{on>}{wrote}了{n}，{on2<}{y}{on2>}写了{m}"
    fixed = {"m": counted(A, draw.pick("poem:首诗 sentence:句话")), "wrote": WROTE}
    return twin(draw, english, chinese, *found, s=PRONOUNS[:3], on=ON, on2=ON, **fixed)


# --- bank ---

# this road leads to the bank; they walk past it: 从...旁边走过
LEADS = ["this:这条 road:路 leads_to:通往/", "that:那条 road:路 leads_to:通往/", "this:这 is:就是/"]
GOES = ["went:去 to :了/", "came:来 to:到 :了/", "walked_past:经过 :了/"]
LEADS = ["this:这条 road:路 leads_to:通往/", "that:那条 road:路 leads_to:通往/", "this:这 is:就是/"]
GOES = ["went:去 to :了/", "came:来 to:到 :了/", "walked_past:经过 :了/"]
PAST = "{s} {v} {w}", "{s}{w}{v}"
LEADS += [f"{who} {goes}" for who in PRONOUNS for goes in GOES]
SHORE, MONEY = "bank:-河边", "bank:-银行"
WHERE = [("bank:-河边", "fishes:钓鱼 runs:跑步")]
WHERE += [("bank:-银行", "works:工作")]
STORED = [("存", "money:钱"), ("存", "gold:黄金")]
RAISED = [("养", "ducks:鸭子"), ("养", "horses:马"), ("停", "boats:船")]
STATES = [(SHORE, [":很 wet:湿", ":很 muddy:泥泞", ":很 steep:陡"])]
STATES += [(MONEY, ["closed:关门了", "open:开着门", ":很 new:新"])]
BEHIND = ["behind:后面 the school:学校", "behind:后面 the hotel:酒店", "near:附近 the bridge:桥"]
BEHIND += ["behind:后面 the park:公园", "near:附近 the hospital:医院"]
BEHIND += ["near:附近 the station:车站", "behind:后面 the museum:博物馆"]
BEHIND += ["near:附近 our:我们 house:家", "behind:后面 the library:图书馆"]
BEHIND += ["near:附近 the zoo:动物园"]
BEHIND = places(*BEHIND)

# this road leads to the bank where Tom fishes/works: 这条路通往汤姆钓鱼的河边/工作的银行
where = "{lead} {n} where {s} {does} {x}", "{lead<}{s}{x}的{n}{lead>}"
KEEPERS = [*NAMES, *PARENTS]
family("bank_where", "before", WHERE, ["the"], *where, lead=LEADS, s=KEEPERS, does="")
# the bank behind the school is muddy/closed: 学校后面的河边很泥泞/学校后面的银行关门了
lies = "{say} {n} {p} {is_} {x}", "{say}{p}{n}{x}"
family("bank_state", "after", STATES, ["the :的"], *lies, **THINK, p=BEHIND)


def keeping(draw: Draw) -> list[Parts]:
    """Draw who keeps his ducks, or his money: on a bank of a river, or in the other."""
    who = draw.pick(KEEPERS)
    his = "his" if pronoun(who) == "he" else "her"
    drawn = [("河边", *draw.pick(RAISED)), ("银行", *draw.pick(STORED))]
    return [
        {"n": f"the bank:{bank}", "s": who, "x": f"keeps:{keeps} {his} {what}"}
        for bank, keeps, what in drawn
    ]


@twins("bank", "before")
def bank_keep(draw: Draw) -> Pair:
    """This is the bank where Tom keeps his ducks/gold: 这就是汤姆养鸭子的河边/存黄金的银行."""
    english, chinese = "{lead} {n} where {s} {x}", "{lead<}{s}{x}的{n}{lead>}"
    return twin(draw, english, chinese, *keeping(draw), lead=LEADS)


# --- short ---

LITTLE = "man:个男人 woman:个女人 boy:个男孩 girl:个女孩 child:个孩子 student:个学生"
LITTLE += " teacher:位老师 nurse:位护士 singer:位歌手 doctor:位医生"
STRINGS = "rope:根绳子 stick:根棍子 belt:条腰带"
CLOTHES = "skirt:条裙子 coat:件大衣 dress:条连衣裙 sweater:件毛衣 shirt:件衬衫"
SHORT = [("矮", LITTLE), ("短", f"{STRINGS} pencil:支铅笔 {CLOTHES}")]
# what else is said of a person, of a thing, and of which things
LOOKS = [("thin:瘦", "thin:细", STRINGS + " pencil:支铅笔")]
LOOKS += [("strong:壮", "strong:结实", STRINGS), ("thin:瘦", "thin:薄", CLOTHES)]

# what somebody did with either, and when
LOOKED = [("noticed:注意到 :了", RECENT), ("drew:画 :了", RECENT), ("wanted_to draw:想画", "")]

# the man/pencil on the left is too short: 左边那个男人太矮了/左边那支铅笔太短了
side = "{say} {n} {p} is {too} {v}", "{say}{p}{n}{too<}{v}{too>}"
family("short_side", "before", SHORT, [THE], *side, "short", p=SIDES)


@twins("short", "after")
def short_and(draw: Draw) -> Pair:
    """Tom noticed a short and thin boy/rope: 汤姆注意到了一个又矮又瘦的男孩/一根又短又细的绳子."""
    looks, feels, things = draw.pick(LOOKS)
    found = []
    for short, look, entries in (("矮", looks, LITTLE), ("短", feels, things)):
        word, _, chinese = draw.pick(entries).partition(":")
        parts = {"a": "a:一" + chinese[0], "v": "short:" + short, "look": look + "的"}
        found.append({**parts, "n": f"{word}:{chinese[1:]}"})
    english = "{s} {looked} {a} {v} {and_} {look} {n} {t}"
    chinese = "{s}{t}{looked}{a}{and_<}{v}{and_>}{look}{n}"
    looked, times = draw.pick(LOOKED)
    return twin(draw, english, chinese, *found, and_="and:又/又", looked=looked, t=times)


# --- play ---

MUSIC = [("弹", "piano:架钢琴 guitar:把吉他 harp:架竖琴"), ("拉", "violin:把小提琴 cello:把大提琴")]
GAMES = [("踢", "football:-足球 soccer:-足球")]
GAMES += [("打", "basketball:-篮球 tennis:-网球 baseball:-棒球")]
SKILL = [("can't:不会/", "play"), ("won't:不愿意/", "play"), ("didn't:没/过", "play")]
POWERS = ["can:可以", "can't:不能", "will:要", "must:必须"]
WHO = ["my:我 ", "his:他 ", "her:她 ", "your:你 "]
WHO = [f"{his}{one} 's:的" for his in WHO for one in ("father:爸爸", "mother:妈妈")]
OLD = [f"{whose} {old}" for whose in WHO for old in ("", "old:旧")]
HOURS = ["two:两个 hours:小时", "three:三个 hours:小时", "four:四个 hours:小时"]
COMING = ["tomorrow:明天", "this:今天 evening:晚上", "today:今天", ""]

# Tom can't play my father's old piano/violin: 汤姆不能弹我爸爸的旧钢琴/拉我爸爸的旧小提琴
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
    found = options(draw, MUSIC, "the", form)
    english, chinese = "{n} {be} the {what} that {s} {v} {best}", "{n}{be}{s}{v}得{best}的{what}"
    best = ["best:最好", "most:最多"]
    return twin(draw, english, chinese, *found, what="instrument:乐器", s=who, best=best)
