"""What people did and like, give, move, can and must: relative clauses, 给, 把, 被, modals.

Tables of words are strings, as in structures.py.
"""

from dataclasses import replace

from .clauses import core, timed
from .draw import Draw, fits
from .lexicon import Noun
from .nouns import described, first_owner, kin, noun_phrase, place
from .nouns import possessive as owned
from .people import does, name, pronoun, somebody
from .phrase import Phrase, be, gloss, join
from .registry import construction
from .structures import (
    SIDES,
    choose,
    day,
    did,
    doer,
    gender,
    her_own,
    is_said,
    one_of,
    quality,
    someone,
    words,
)

# ---------------------------------------------------------------- relative clauses

# who does it now, or always
WHO_DOES = """
sleep:park,garden dance:park,garden,restaurant sing:park,garden,classroom,restaurant run:park
fish:riverside swim:river cook:kitchen rest:park,garden cry:classroom,garden,park
work:library,hotel,supermarket,museum work:hospital,restaurant,office,hotel study:library,classroom
"""
# who somebody can be to somebody
RELATION = """
man:father,husband,friend,teacher,neighbor woman:mother,wife,friend,teacher,neighbor boy:son,friend
girl:daughter,friend child:son,daughter student:friend,son,daughter,neighbor neighbor:friend,teacher
writer:friend,neighbor singer:friend,neighbor,daughter
"""


def does_now(draw: Draw) -> tuple[Noun, Phrase, str, str]:
    """Draw who is doing what, or always does it, as did()."""
    base, spot = one_of(draw, WHO_DOES)
    people = {"cry": "boy girl child", "work": "man woman"}.get(base, "man woman boy girl student")
    noun, verb = draw.noun[draw.pick(people)], draw.verb[base]
    form = verb.third if base == "work" else f"is {verb.ing}"
    parts = {"v": f"{form}:{verb.chinese}", "p": place(draw, spot)}
    qualities = "" if base == "cry" else "tall young friendly"
    return noun, join("{v} {p}", "{p}{v}", **parts), base, qualities


@construction(4)
def relative_subject(draw: Draw) -> Phrase:
    """The man who bought the car is my neighbor: 买那辆汽车的那个男人是我邻居."""
    noun, clause, base, qualities = (did if draw.chance(0.6) else does_now)(draw)
    who = doer(noun, clause).relate("subject-verb", noun.english, base)
    share = draw.rng.random()
    said = quality(draw, noun, qualities) if qualities else gloss("")
    if share < 0.4 and said.english:
        return is_said(draw, who, said)
    if share < 0.55 or base == "steal":
        return join("{q} {b} {w}", "{w}{b}{q}", True, q="who:谁", b="is:是", w=who)
    if base == "work" and share < 0.75:
        return join("{s} {v} {w}", "{s}{v}了{w}", s=someone(draw), v="met:遇见", w=who)
    row = next(row for row in RELATION.split() if row.startswith(noun.english + ":"))
    word = one_of(draw, row)[1]
    relative = replace(gloss(f"{word}:{draw.noun[word].chinese}"), word=word)
    relative = owned(first_owner(draw, word), relative, close=True)
    return join("{w} {b} {k}", "{w}{b}{k}", w=who, b="is:是", k=relative)


# what was done to a thing: verb | Chinese | to what | what the thing can be
CLOTHES = "shirt skirt sweater coat scarf hat chair bed"
WHICH = [
    ("buy", "bought:买", CLOTHES, "expensive cheap beautiful comfortable"),
    ("buy", "bought:买", "bike car guitar camera phone cake", "expensive cheap delicious"),
    ("borrow", "borrowed:借", "book magazine dictionary hammer guitar", "interesting heavy old"),
    ("write", "wrote:写", "book story song", "interesting long"),
    ("read", "read:看", "book magazine", "interesting"),
    ("watch", "watched:看", "film", "interesting long"),
    ("find", "found:找到", "ring watch umbrella map hat bag", "old expensive beautiful dirty"),
    ("lose", "lost:弄丢", "phone ring watch umbrella camera", "expensive new beautiful"),
    ("fix", "fixed:修好", "bike car radio chair table bed", "old comfortable"),
    ("draw", "drew:画", "cat dog horse flower bird rabbit", "beautiful cute"),
    ("plant", "planted:种", "tree", "tall beautiful"),
    ("sell", "sold:卖掉", "car house bike painting guitar", "old expensive beautiful"),
    ("", "gave:给/", "ring scarf hat book umbrella toy", "beautiful interesting expensive"),
    ("", "showed:给/看", "book house photo painting ring", "beautiful interesting"),
]


@construction(4)
def relative_object(draw: Draw) -> Phrase:
    """The book that I bought yesterday is interesting: 我昨天买的那本书很有趣."""
    base, act, things, qualities = draw.pick(WHICH)
    noun, subject = draw.noun[draw.pick(things)], someone(draw)
    while not base and {"I", "we", "my", "our"} & {*subject.english}:  # who gave me something
        subject = someone(draw)
    act = gloss(act) if base else join("{v} {m}", "{v<}{m}{v>}", v=act, m="me:我")
    when = draw.perhaps_time("past", {"read": 0.9, "write": 0, "plant": 0}.get(base, 0.35))
    parts = {"d": f"the:那{noun.measure}", "n": described(draw, noun, False, 0.0), "v": act}
    parts |= {"s": does(subject, base), "t": when}
    which = join("{d} {n} that {s} {v} {t}", "{s}{t}{v}的{d}{n}", **parts)
    which = which.relate("verb-object", base, noun.english)
    said, share = quality(draw, noun, qualities), draw.rng.random()
    if said.english and (share < 0.5 or base in ("lose", "sell")):
        return is_said(draw, which, said)
    if share < 0.7 and base in ("buy", "borrow", "read", "find") and noun.english != "bed":
        return join("{w} {b} {s}", "{s}{b}{w}", True, w="where:哪里", b="is:在", s=which)
    if share < 0.85 or base in ("borrow", "find", "fix", "read", "lose", "sell"):
        return join("{t} {b} {w}", "{t}{b}{w}", t="this:这", b="is:是", w=which)
    fan = someone(draw)
    while {*fan.chinese} & {*subject.chinese} - {"的"}:
        fan = someone(draw)
    like = "likes:喜欢" if fan.agree == "he" else "like:喜欢"
    return join("{s} {v} {w}", "{s}{v}{w}", s=fan, v=like, w=which)


# ---------------------------------------------------------------- feelings and gifts

# a class of things in each line
LIKED = """
swimming:游泳 dancing:跳舞 cooking:做饭 fishing:钓鱼 singing:唱歌 reading:看书 drawing:画画
watching:看_films:电影 riding:骑_horses:马 writing:写_stories:故事 planting:种_flowers:花 music:音乐
football:足球 basketball:篮球 tennis:网球
history:历史 math:数学 physics:物理 English:英语
eating:吃_apples:苹果 eating:吃_oranges:橙子 eating:吃_tomatoes:西红柿 eating:吃_bananas:香蕉
eating:吃_eggs:鸡蛋 eating:吃_cakes:蛋糕
drinking:喝_coffee:咖啡 drinking:喝_tea:茶 drinking:喝_milk:牛奶 drinking:喝_juice:果汁
cats:猫 rabbits:兔子 birds:鸟 horses:马 dogs:狗
""".strip().splitlines()


@construction(3)
def feeling(draw: Draw) -> Phrase:
    """I love you; she misses her grandmother; he likes swimming."""
    third, chinese = draw.pick(["loves 爱"] * 4 + ["misses 想念"] * 3 + ["likes 喜欢"] * 6).split()
    verb = {"loves": "love", "misses": "miss", "likes": "like"}[third]
    subject = someone(draw)
    if verb != "like" and not gender(subject) and "they" != subject.agree:
        subject = pronoun(draw)
    liked = something_liked(draw, subject) if verb == "like" else loved(draw, subject)
    parts = {"s": subject, "o": liked}
    if verb == "like" and draw.chance(0.2):
        no = "doesn't:不" if subject.agree == "he" else "don't:不"
        return join("{s} {n} {v} {o}", "{s}{n}{v}{o}", v="like:喜欢", n=no, **parts)
    much = "very_much:非常" if draw.chance(0.2) else ""
    parts |= {"v": f"{third if subject.agree == 'he' else verb}:{chinese}", "m": much}
    return join("{s} {v} {o} {m}", "{s}{m}{v}{o}", **parts)


def loved(draw: Draw, subject: Phrase) -> Phrase:
    """Draw whom one loves or misses: one's own family above all."""
    word = draw.pick("mother father son daughter grandmother friend")
    if draw.chance(0.4) or word in subject.english or subject.agree == "they":
        person = somebody(draw, subject)
        return person if not person.word else loved(draw, subject)
    return her_own(draw, subject, draw.noun[word])


def something_liked(draw: Draw, subject: Phrase) -> Phrase:
    """Draw what one likes: 喜欢游泳, 喜欢喝茶, 喜欢这首歌, 喜欢那位老师."""
    share = draw.rng.random()
    if share < 0.55:
        return words(draw, draw.pick(LIKED))
    if share < 0.7:
        noun = draw.noun[draw.pick("teacher doctor nurse singer writer manager")]
        return noun_phrase(draw, noun, draw.pick("full that this"), 0.2)
    noun = draw.noun_with("clothes", "work", "pet", "painting", "book", "house", "ring", "bike")
    kind = draw.pick("the this that these" if noun.plural != "-" else "the this that")
    return noun_phrase(draw, noun, kind, 0.2)


# who gives what: verb | past | the Chinese order with a thing, and with the thing | things
V_R, BA, FOR = "{s}{t}{v}了{r}{o}", "{s}{t}把{o}{v}了{r}", "{s}{t}{v<}{r}{v>}了{o}"
GIVINGS = [
    ("give", "gave:给", V_R, BA, "ring scarf hat book ticket ticket photo umbrella"),
    ("lend", "lent:借给", V_R, BA, "umbrella book dictionary magazine bike camera guitar hammer"),
    ("sell", "sold:卖给", V_R, BA, "car bike computer guitar house painting table radio"),
    ("send", "sent:寄给", V_R, BA, "book photo gift magazine map"),
    ("show", "showed:给/看", FOR, FOR, "photo map watch ring painting"),
    ("tell", "told:给/讲", FOR, FOR, "story"),
    # several times, since one mostly buys things for nobody in particular
    *4
    * [("buy", "bought:给/买", FOR, FOR, "hat coat scarf book cake phone bike gift ring sweater")],
    ("make", "made:给/做", FOR, FOR, "cake"),
    ("ask", "asked:问", V_R, V_R, "question"),
]


@construction(4)
def two_objects(draw: Draw) -> Phrase:
    """He gave me two tickets: 给了我两张票; he gave me the ticket: 把那张票给了我."""
    subject = someone(draw)
    receiver = somebody(draw, subject)
    if draw.chance(0.13):
        teach = "teaches:教" if subject.agree == "he" else "teach:教"
        what = draw.pick("math:数学 English:英语 Chinese:中文 history:历史 physics:物理")
        return join("{s} {v} {r} {o}", "{s}{v}{r}{o}", s=subject, v=teach, r=receiver, o=what)
    base, act, with_a, with_the, things = draw.pick(GIVINGS)
    noun = draw.noun[draw.pick(things)]
    few = "a" if noun.plural == "-" or fits(noun, ("repairable", "furniture")) else "count"
    kinds = ["a", "a", "a", few, "this", "the", "own"]
    kind = draw.pick(kinds[:-1] if base in ("make", "ask", "tell", "buy", "send") else kinds)
    if kind == "own":
        thing = her_own(draw, subject, noun)
    else:
        thing = noun_phrase(draw, noun, kind, 0.3, colours=kind != "a", most=4)
    thing = thing.relate("verb-object", base, noun.english)
    parts = {"s": does(subject, base), "v": act, "r": receiver, "o": thing, "t": day(draw, 0.2)}
    return join("{s} {v} {r} {o} {t}", with_a if kind in ("a", "count") else with_the, **parts)


# ---------------------------------------------------------------- 把 and 被

SMALL = "book,key,cup,phone,magazine,dictionary,map,umbrella,hat,bag,camera,watch,ticket,photo"
PUT = f"""
put_on_table:{SMALL},plate,bowl,cake,bottle put_on_bed:coat,shirt,skirt,sweater,hat,bag,book
put_on_chair:coat,scarf,hat,bag,guitar put_in_box:toy,ring,key,photo,watch,hat,knife
put_in_bag:phone,key,book,ticket,umbrella,camera,map,magazine put_under_table:box,bag,ball,toy
put_under_bed:box,bag,ball,toy put_behind_door:umbrella,bag,box,hammer put_beside_bed:table,bag
put_beside_window:chair,table,guitar put_beside_door:chair,umbrella,box,bag
hid_in_box:ring,key,photo,watch,gift,toy hid_in_bag:ring,photo,gift,toy
hid_under_bed:box,toy,ball,gift,painting hid_behind_door:ball,toy,bag hid_behind_tree:bike,ball
moved_into_room:chair,table,bed,computer moved_into_kitchen:chair,table,box
moved_into_office:chair,table,computer moved_into_garden:chair,table
"""
PUTTING = {"put": "放", "hid": "藏", "moved": "搬"}
AWAY = [
    ("took:带", "home:回/家", "cat,dog,book,toy,computer,guitar,camera,umbrella"),
    ("took:拿", "away:走/", SMALL + ",chair,cup,plate,bottle,knife"),
    ("threw:扔", "away:掉/", "magazine,hat,toy,shirt,umbrella,bottle,box,bag,coat,photo"),
    ("turned_off:关掉", "", "light,radio,computer,phone"),
    ("turned_on:打开", "", "light,radio,computer"),
    ("gave:给", "back:还", "book,dictionary,umbrella,bike,camera,hammer,guitar,magazine,key"),
    ("gave:给", "back:还", "book,dictionary,umbrella,bike,camera,hammer,guitar,magazine,key"),
]


@construction(4)
def ba(draw: Draw) -> Phrase:
    """Mary put the umbrella on the table: 把那把雨伞放在了桌子上."""
    put, (way, word), (act, away, things) = draw.chance(0.5), one_of(draw, PUT), draw.pick(AWAY)
    noun, subject = draw.noun[word if put else draw.pick(things.split(","))], someone(draw)
    thing = noun_phrase(draw, noun, draw.pick("the the this that"), 0.25, colours=True)
    parts = {"s": subject, "o": thing, "t": day(draw, 0.15), "v": act, "w": away}
    if put:
        base, preposition, where = way.split("_")
        on = f"{preposition}:{'进' if preposition == 'into' else '在'}/{SIDES[preposition]}"
        where = f"{where}:{draw.noun[where].chinese}"
        parts |= {"v": f"{base}:{PUTTING[base]}", "w": on, "p": where}
        return join("{s} {v} {o} {w} the {p} {t}", "{s}{t}把{o}{v}{w<}了{p}{w>}", **parts)
    if away == "back:还":
        parts["r"] = somebody(draw, subject)
        return join("{s} {v} {o} {w} to {r} {t}", "{s}{t}把{o}{w}{v}了{r}", **parts)
    return join("{s} {v} {o} {w} {t}", "{s}{t}把{o}{v}{w<}了{w>}", **parts)


# what happened: verb | participle with its Chinese | by whom ("": nobody knows) | to what
MISHAPS = [
    ("eat", "eaten:吃掉", "cat dog monkey", "cake egg banana apple"),
    ("break", "broken:打破", "boy girl child cat dog student", "window cup plate bowl bottle"),
    ("steal", "stolen:偷走", "", "phone bag bike car camera ring watch computer guitar"),
    ("bite", "bitten:咬", "dog snake", ""),
    ("borrow", "borrowed:借走", "kin", "book dictionary umbrella bike guitar hammer camera"),
    ("catch", "caught:抓住", "cat fox dog", "rabbit bird duck"),
    ("sell", "sold:卖掉", "kin", "car house bike guitar painting computer"),
    ("", "taken:拿 away:走", "kin", "chair umbrella bag key map box phone camera knife"),
    ("", "thrown:扔 away:掉", "kin", "magazine hat shirt umbrella bottle box coat photo"),
]


@construction(2.5)
def bei(draw: Draw) -> Phrase:
    """The cake was eaten by the dog: 那个蛋糕被那只狗吃掉了."""
    base, act, agents, things = draw.pick(MISHAPS)
    if things:
        noun = draw.noun[draw.pick(things)]
        kind = draw.pick("the the that" if agents[:3] == "cat" else "the the that own")
        what = noun_phrase(draw, noun, kind, 0.2 * (kind != "own"), colours=True)
        what = what.relate("verb-object", base, noun.english)
    else:
        what = someone(draw)
    was = be(what.agree, past=True)
    parts = {"o": what, "v": act, "t": day(draw, 0.3), "p": ""}
    if not agents or (base in ("break", "sell") and draw.chance(0.3)):
        if base == "steal" and draw.chance(0.4):
            parts["p"] = place(draw, draw.pick("station park supermarket"))
        return join("{o} {b} {v} {p} {t}", "{o}{t}{p}{b}{v}了", b=f"{was}:被", **parts)
    if agents == "kin":
        agent = draw.pick([name, kin])(draw)
        while {*agent.chinese} & {*what.chinese} - {"的"}:
            agent = name(draw)
    else:
        kind = draw.pick("the a that" if base == "bite" else "the the that")
        agent = noun_phrase(draw, draw.noun[draw.pick(agents)], kind, 0.25, colours=True)
    parts |= {"w": "by:被", "a": does(agent, base)}
    return join("{o} {b} {v} {w} {a} {t}", "{o}{t}{w}{a}{v}了", b=was, **parts)


# ---------------------------------------------------------------- modals

DUTIES = (
    "go:hospital,office,school,station,supermarket rest study clean:room,kitchen,classroom "
    "wash:shirt,coat,plate,car fix:car,bike,computer,radio feed:cat,dog,horse buy:ticket water "
    "work buy:fruit,egg,dictionary help:person "
)
MODALS = {
    "must:必须": DUTIES,
    "has_to:得": DUTIES,
    "needs_to:需要": DUTIES + "buy:computer,coat,umbrella,phone",
    "should:应该": "rest read:book go:hospital,library wash:shirt,car eat:fruit help:person "
    "buy:umbrella,coat,dictionary,map drink:colddrink study clean:room,kitchen",
    "may:可以": "go:park,zoo watch:film eat:cake,fruit borrow:umbrella,bike,book,camera rest "
    "read:readable open:opening drink:hotdrink,colddrink",
    "wants_to:想": "buy:clothes,headwear,device,bike,car,toy eat:fruit,cake watch:film sleep rest "
    "drink:hotdrink,colddrink go:zoo,museum,park read:book borrow:bike,camera draw:horse,cat",
    "shouldn't:不应该": "open:box,bag sell:house,car,guitar buy:car,ring,house eat:cake borrow:car",
    "doesn't:不 want_to:想": "go:school,office,hospital,station sell:car,house,guitar sleep study "
    "eat:egg,rice,soup clean:room,kitchen buy:clothes drink:hotdrink,milk help:person",
    "doesn't_have_to:不用": "go:school,office,hospital,station clean:room,kitchen,classroom "
    "wash:shirt,plate,car buy:ticket,umbrella fix:bike,car,radio help:person read:book",
}
SKILLS = """
swim:游泳 cook:做饭 dance:跳舞 sing:唱歌 draw:画画 speak:说_English:英语 speak:说_Chinese:中文
drive:开车 ride:骑_a_bike:自行车 ride:骑_a_horse:马 drive:开_a_truck:卡车 fix:修_bikes:自行车
write:写_songs:歌 draw:画_horses:马 play:弹_the_piano:钢琴
"""
FAVOURS = "help:person fix:bike,car,computer,radio buy:ticket clean:room,kitchen"


@construction(5)
def modal(draw: Draw) -> Phrase:
    """You must read this book: 必须; my mother can cook: 会; can you help me: 能."""
    share, subject = draw.rng.random(), draw.pick([someone, someone, pronoun])(draw)
    if share < 0.2:
        return skilled(draw, subject)
    if share < 0.35:
        return possible(draw, subject)
    word = draw.pick(list(MODALS))
    verb = choose(draw, MODALS[word])
    if subject.agree != "he":
        word = word.replace("doesn't", "don't").replace("has_", "have_").replace("s_to", "_to")
    tense = "modal_not" if "n't" in word else "modal"
    subject, rest = core(draw, tense, 0.0, modal=word, subject=subject, verb=verb)
    lasting = verb.base in ("go", "clean", "wash", "fix", "help", "watch", "work", "study")
    return timed(draw, subject, rest, tense, 0.35 if lasting else 0.0)


def skilled(draw: Draw, subject: Phrase) -> Phrase:
    """Say or ask what somebody can do: 会."""
    skill = words(draw, SKILLS)
    if draw.chance(0.3) and not {"I", "we", "my", "our"} & {*subject.english}:
        return join("{c} {s} {k}", "{s}{c}{k}吗", True, c="can:会", s=subject, k=skill)
    can = draw.pick(["can:会", "can:会", "can't:不会"])
    return join("{s} {c} {k}", "{s}{c}{k}", s=subject, c=can, k=skill)


def possible(draw: Draw, subject: Phrase) -> Phrase:
    """Ask for help, or say what is not possible: 你能帮我吗, 我明天不能去公园."""
    if draw.chance(0.4):
        verb = choose(draw, "go:park,zoo,museum,library,school help:person watch:film")
        parts = {"draw": draw, "subject": subject, "verb": verb}
        subject, rest = core(tense="modal_not", place=0.0, modal="can't:不能", **parts)
        return timed(draw, subject, rest, "modal", 0.6)
    subject = gloss("you:你") if draw.chance(0.5) else draw.pick([name, kin])(draw)
    verb = choose(draw, FAVOURS)
    _, rest = core(draw, "modal_not", 0.0, subject=subject, verb=verb)
    parts = {"c": "can:能", "s": subject, "t": draw.pick(["", "tomorrow:明天"]), "r": rest}
    return join("{c} {s} {r} {t}", "{s}{t}{c}{r}吗", True, **parts)
