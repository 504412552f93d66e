"""Sentences of one clause, each with a shape of its own: 的, 比, 有, 从…身上.

A table of words is a string: "park:bird,tree bed:cat" says that birds and trees belong to the park.
"""

from dataclasses import replace

from .clauses import clause
from .draw import Draw, fits
from .lexicon import MEN, PRONOUNS, WOMEN, Adjective, Noun, Verb
from .nouns import PERSONAL, first_owner, genitive, kin, noun_phrase, place
from .nouns import possessive as owned
from .people import does, name, pronoun, somebody
from .phrase import Phrase, be, be_not, gloss, join
from .registry import construction

HE = "he father son husband man boy".split() + [man.partition(":")[0] for man in MEN]
SHE = "she mother daughter wife grandmother woman girl".split()
SHE += [woman.partition(":")[0] for woman in WOMEN]


# ---------------------------------------------------------------- what several of them need


def one_of(draw: Draw, table: str) -> tuple[str, str]:
    """Draw a row of a table, and one of the words behind it."""
    row, _, words = draw.pick(table).partition(":")
    return row, draw.pick(words.split(",")) if words else ""


def choose(draw: Draw, table: str) -> Verb:
    """Draw a verb from "rest go:park,zoo", to be done to nothing but what stands behind it."""
    base, _, objects = draw.pick(table).partition(":")
    verb = draw.verb[base]
    return replace(verb, objects=tuple(objects.split(","))) if objects else verb


def words(draw: Draw, table: str) -> Phrase:
    """Draw one of several glosses, with _ inside for a space."""
    return gloss(draw.pick(table).replace("_", " "))


def day(draw: Draw, share: float) -> Phrase:
    """Give yesterday, this morning, last night or nothing."""
    days = ["yesterday:昨天", "this:今天 morning:早上", "last:昨 night:晚"]
    return gloss(draw.pick(days) if draw.chance(share) else "")


def someone(draw: Draw) -> Phrase:
    """Draw the subject of most sentences: a pronoun but you, a name, my mother."""
    person = draw.pick([pronoun, pronoun, name, name, kin])(draw)
    return person if person.english != ("you",) else someone(draw)


def gender(person: Phrase) -> str:
    """Say whether somebody is he, she, or somebody of whom English does not say."""
    last = person.english[-1]
    return "he" if last in HE else "she" if last in SHE else ""


def her_own(draw: Draw, subject: Phrase, noun: Noun) -> Phrase:
    """Give what belongs to the subject: Tom ... his car; the car if English can't say whose."""
    names = (subject.english[0], gender(subject))
    row = next((row for row in PRONOUNS if row[0] in names), None)
    if row is None or (row[0] in ("we", "they") and fits(noun, PERSONAL)):
        return noun_phrase(draw, noun, "the", 0.0)
    relative = replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)
    return owned(gloss(f"{row[2]}:{row[3]}"), relative, close="kin" in noun.tags)


def quality(draw: Draw, noun: Noun, names: str = "") -> Phrase:
    """Draw an adjective said of the noun, of some or of all; nothing if none fits."""
    fitting = draw.after[noun.english]
    fitting = [word for word in fitting if not names or word.english in names.split()]
    if not fitting:
        return gloss("")
    word = draw.pick(fitting)
    said = gloss(f"{word.english}:{word.after}")
    return said.relate("adjective-noun", word.english, noun.english)


def is_said(draw: Draw, subject: Phrase, said: Phrase, negative: float = 0.0) -> Phrase:
    """Say what something is like: 很 without another adverb, 非常 for very, 不 for not."""
    if said.english[0] not in ("famous", "fun", "useful", "new") and draw.chance(negative):
        dull = said.english == ("interesting",)  # what is not 有趣 is 没意思
        no = be_not(subject.agree) + (":没" if dull else ":不")
        said = replace(gloss("interesting:意思"), relations=said.relations) if dull else said
        return join("{s} {n} {a}", "{s}{n}{a}", s=subject, n=no, a=said)
    parts = {"s": subject, "b": be(subject.agree), "a": said}
    if said.english == ("new",) and subject.english[0] not in ("the", "this", "that"):
        return join("{s} {b} {a}", "{s}{b}{a}的", **parts | {"b": f"{be(subject.agree)}:是"})
    if said.english != ("fun",) and draw.chance(0.3):
        return join("{s} {b} {d} {a}", "{s}{d}{a}", d="very:非常", **parts)
    return join("{s} {b} {a}", "{s}很{a}", **parts)


def shown(draw: Draw, noun: Noun) -> Phrase:
    """Give this room, those apples, that coffee, my mother."""
    if "kin" in noun.tags:
        relative = replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)
        return owned(first_owner(draw, noun.english), relative, close=True)
    if "mass" in noun.tags:
        this = draw.pick("this:这 that:那")
        return replace(gloss(f"{this} {noun.english}:{noun.chinese}"), word=noun.english)
    if noun.plural != "-" and draw.chance(0.4):
        several = "plural_the" if "person" in noun.tags else draw.pick("these those plural_the")
        return noun_phrase(draw, noun, several, 0.2, colours=True)
    kind = "the" if "place" in noun.tags else draw.pick("the the this that")
    return noun_phrase(draw, noun, kind, 0.15, colours=True)


# ---------------------------------------------------------------- 的, qualities, comparisons

BELONGINGS = "device bike car bag watch ring umbrella hat coat shirt cat dog guitar key"


@construction(3)
def possessive(draw: Draw) -> Phrase:
    """My teacher's phone is new: 我老师的手机是新的."""
    noun, whose = draw.noun_with(*BELONGINGS.split()), genitive(draw)
    thing = owned(whose, replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english))
    said, share = quality(draw, noun), draw.rng.random()
    if share < 0.45 and said.english:
        return is_said(draw, thing, said, 0.15)
    if share < 0.6:
        return join("{w} {b} {s}", "{s}{b}{w}", True, w="where:哪里", b="is:在", s=thing)
    this = draw.pick("this:这 that:那")
    if share < 0.75:
        return join("{t} {b} {s}", "{t}{b}{s}", t=this, b="is:是", s=thing)
    if share < 0.85 and "my" not in thing.english:
        return join("{b} {t} {s}", "{t}{b}{s}吗", True, t=this, b="is:是", s=thing)
    verb = draw.verb["borrow" if fits(noun, ("device", "bike", "car", "guitar")) else "find"]
    subject = draw.pick([name(draw), gloss("I:我"), gloss("she:她"), gloss("he:他")])
    thing = thing.relate("verb-object", verb.base, noun.english)
    return clause(draw, "past", 0.0, 0.2, subject=subject, verb=verb, what=thing)


@construction(4)
def adjective(draw: Draw) -> Phrase:
    """This room is very clean: 很, 非常, 不."""
    if draw.chance(0.25):
        subject = someone(draw)
        said = words(draw, "tired:累 busy:忙 hungry:饿 happy:高兴 tall:高 sad:难过")
        said = said.relate("adjective-noun", said.english[0], subject.word)
        return is_said(draw, subject, said, 0.3)
    noun = draw.pick([noun for noun in draw.nouns if draw.after[noun.english]])
    return is_said(draw, shown(draw, noun), quality(draw, noun), 0.25)


COMPARED = (
    "big small cheap expensive comfortable light heavy beautiful interesting delicious fresh"
)
COMPARABLE = (
    "cat dog horse rabbit chair table bed shirt skirt sweater coat scarf hat watch ring car bike "
    "truck computer camera phone radio guitar box bag apple orange tomato cake book film story "
    "magazine song painting house room room box bag box bag camera house rabbit cat dog "
    "horse room house computer cat dog "
    "horse river bridge flower hotel boat"
)
UNOWNED = ("fruit", "work", "place", "food", "flower", "river", "bridge", "room", "boat")


def two_to_compare(draw: Draw) -> tuple[Adjective, Phrase, Phrase]:
    """Draw two that can be compared, and by what."""
    noun = draw.noun[draw.pick(COMPARABLE)]
    if draw.chance(0.4):
        noun, left, right = draw.noun["daughter"], someone(draw), somebody(draw)
        while right.word and "kin" not in draw.noun[right.word].tags:
            right = somebody(draw)
        said = quality(draw, noun, "tall young busy kind friendly clever")
    else:
        kinds = draw.pick([("this", "that"), ("that", "this"), ("own", "this"), ("own", "own")])
        kinds = draw.pick([("this", "that"), ("that", "this")]) if fits(noun, UNOWNED) else kinds
        left, right = (noun_phrase(draw, noun, k, 0.25 * (k != "own"), True) for k in kinds)
        said = quality(draw, noun, COMPARED)
    if not said.english or {*left.chinese[:2]} & {*right.chinese[:2]} - {"的"}:
        return two_to_compare(draw)
    word = next(a for a in draw.after[noun.english] if a.english == said.english[0])
    return word, left.relate("adjective-noun", word.english, left.word), right


@construction(4)
def comparative(draw: Draw) -> Phrase:
    """Your father is taller than Tom: 比, without 很."""
    word, left, right = two_to_compare(draw)
    more = word.compared if word.compared != "-" else f"more_{word.english}"
    much = "much:得多" if draw.chance(0.2) else ""
    parts = {"l": left, "r": right, "a": f"{more}:{word.after}", "t": "than:比", "m": much}
    return join("{l} {b} {m} {a} {t} {r}", "{l}{t}{r}{a}{m}", b=be(left.agree), **parts)


@construction(2)
def equality(draw: Draw) -> Phrase:
    """This cat is as big as that dog: 和…一样; not as big as: 没有…那么."""
    word, left, right = two_to_compare(draw)
    while word.english == "young":
        word, left, right = two_to_compare(draw)
    parts = {"l": left, "r": right, "a": f"{word.english}:{word.after}", "b": be(left.agree)}
    if draw.chance(0.5):
        order = ("{l} {b} {e} {a} {w} {r}", "{l}{w}{r}{e}{a}")
        return join(*order, e="as:一样", w="as:和", **parts)
    parts |= {"n": f"{be_not(left.agree)}:没有"}
    return join("{l} {n} {e} {a} as {r}", "{l}{n}{r}{e}{a}", e="as:那么", **parts)


# what becomes more and more so
MORE = [
    ("tall clever", "son daughter"),
    ("busy tired happy", "mother father wife husband son daughter friend teacher neighbor"),
    ("busy tired", "mother father wife husband friend"),
    ("expensive cheap", "phone bike ticket book apple egg shirt table"),
    ("famous", "writer singer doctor book song film museum"),
    ("beautiful", "garden house"),
    ("big", "cat dog rabbit horse fish"),
    ("tall", "tree"),
    ("lazy", "cat dog horse student boy"),
    ("heavy", "bag box"),
    ("dirty", "room kitchen classroom bag shirt"),
]


@construction(1.6)
def the_more(draw: Draw) -> Phrase:
    """My son is getting taller and taller: 我儿子越来越高了."""
    qualities, nouns = draw.pick(MORE)
    noun, word = draw.noun[draw.pick(nouns)], draw.pick(qualities)
    subject = noun_phrase(draw, noun, "bare", 0.0) if "cheap" in qualities else shown(draw, noun)
    if qualities[:4] == "busy":
        subject = someone(draw)
    said = next(a for a in draw.adjectives if a.english == word and a.after != "-")
    more = f"{said.compared}:{said.after}"
    if said.compared == "-":
        more = gloss(f"more_and_more:越来越 {word}:{said.after}")
    else:
        # Both of the equal words belong to the one that Chinese has.
        more = gloss(f"{said.compared}_and_{said.compared}:越来越{said.after}")
    more = more.relate("adjective-noun", word, subject.word)
    return join("{s} {b} getting {m}", "{s}{m}了", s=subject, b=be(subject.agree), m=more)


# ---------------------------------------------------------------- what something is, and where

FIELDS = (
    "machine:机器_learning:学习 machine:机器_learning:学习 machine:机器_learning:学习 "
    "machine:机器_learning:学习 machine:机器_learning:学习 "
    "deep:深度_learning:学习 "
    "deep:深度_learning:学习 physics:物理 math:数学 history:历史 "
    "English:英语 Chinese:中文"
)
PASTIMES = (
    "swimming:游泳 dancing:跳舞 cooking:做饭 fishing:钓鱼 singing:唱歌 reading:看书 drawing:画画 "
    "football:踢足球 tennis:打网球 basketball:打篮球 riding:骑_a_bike:自行车 riding:骑_a_horse:马 "
    "writing:写_stories:故事 planting:种_trees:树 learning:学_Chinese:中文"
)
SPOTS = {
    "swimming": "river",
    "dancing": "park restaurant",
    "fishing": "riverside",
    "singing": "park garden",
    "reading": "park garden library home",
    "drawing": "park garden home",
}
ROLES = (
    "doctor:young,famous,kind nurse:young,kind,friendly driver:young,friendly cook:young,famous "
    "manager:young,friendly writer:young,famous singer:young,famous student:clever "
    "teacher:young,kind,friendly"
)


@construction(3)
def topic(draw: Draw) -> Phrase:
    """Swimming is fun: 游泳很有趣; this is an old bike; Tom is a doctor."""
    share = draw.rng.random()
    if share < 0.35:
        return what_is_fun(draw)
    if share < 0.65:
        noun = draw.noun_with("goods", "animal", "photo", "key", "box", "bottle", "boat")
        if noun.english == "saw":
            return topic(draw)
        plural = noun.plural != "-" and draw.chance(0.3)
        this = "these:这些_are:是 those:那些_are:是" if plural else "this:这_is:是 that:那_is:是"
        thing = noun_phrase(draw, noun, "bare" if plural else "a", 1.0)
        return join("{t} {o}", "{t}{o}", t=words(draw, this), o=thing)
    subject = someone(draw)
    if subject.agree == "they" or subject.word in ("teacher", "grandmother"):
        subject = name(draw)
    role, word = one_of(draw, ROLES)
    noun = draw.noun[role]
    what = gloss(f"a {role}:{noun.chinese}")
    if draw.chance(0.5) and subject.agree == "he":
        before = next((a.before for a in draw.before[role] if a.english == word), "")
        what = gloss(f"a:一{noun.measure} {word}:{before} {role}:{noun.chinese}")
        what = what.relate("adjective-noun", word, role)
    return join("{s} {b} {o}", "{s}{b}{o}", s=subject, b=f"{be(subject.agree)}:是", o=what)


def what_is_fun(draw: Draw) -> Phrase:
    """Give math is hard, swimming is fun: of sports and games the Chinese names the doing."""
    field = draw.chance(0.5)
    what = words(draw, FIELDS if field else PASTIMES)
    said = "fun:有趣 easy:容易 hard:难"
    if field:
        said = "useful:有用 useful:有用 important:重要 interesting:有趣 hard:难"
    elif what.english[0] in SPOTS and draw.chance(0.5):
        spot = place(draw, draw.pick(SPOTS[what.english[0]]))
        what, said = join("{w} {p}", "{p}{w}", w=what, p=spot), "fun:有趣"
    word = words(draw, said)
    if draw.chance(0.15):
        return join("is {s} {a}", "{s}{a}吗", True, s=what, a=word)
    return is_said(draw, what, word, 0.2)


# Where something can be, and what can be there; of what is in capitals there can be dozens.
CONTENTS = """
on_table:cup,plate,bowl,book,magazine,dictionary,map,key,apple,banana,orange,egg,cake,phone,cat,watch
on_bed:cat,shirt,skirt,sweater,book,coat,hat,toy on_chair:cat,bag,coat,hat,book,scarf
under_table:cat,dog,ball,toy,box,bag under_bridge:boat,duck under_bed:ball,toy,box
under_tree:dog,cat,bike,bird,horse,rabbit,chair,table,boy,girl,student in_river:FISH,boat,DUCK
in_box:toy,key,photo,ring,watch,hat,apple,egg,orange,book,map behind_door:umbrella,cat,dog,box
in_bag:key,book,phone,umbrella,camera,apple,magazine,ticket,map beside_window:chair,table,bed,cat
behind_house:tree,garden,car,bike,cow,horse,river behind_tree:dog,cat,child,rabbit,fox,bike
beside_bed:table,chair,dog,box,bag,guitar beside_door:chair,umbrella,bike,box,dog
beside_river:house,tree,horse,cow,duck in_kitchen:table,chair,cat,dog,woman,apple,tomato,egg
in_classroom:STUDENT,teacher,CHILD,boy,girl,computer,CHAIR,TABLE,map in_zoo:tiger,monkey,snake,CHILD
in_office:computer,table,manager,man,phone in_room:bed,table,chair,cat,computer,guitar,radio,child
in_garden:FLOWER,tree,cat,dog,rabbit,bird,chair,duck in_park:CHILD,TREE,BIRD,dog,FLOWER,DUCK,bike
in_library:STUDENT,BOOK,computer,CHILD beside_school:park,library,supermarket,shop,restaurant
beside_hotel:park,museum,shop,restaurant beside_station:hotel,restaurant,supermarket,shop,park
beside_hospital:hotel,restaurant,supermarket,shop,park in_park:STUDENT,BIRD,TREE,horse
"""
SIDES = {"on": "上", "under": "下面", "in": "里", "behind": "后面", "beside": "旁边", "into": ""}


@construction(4)
def existential(draw: Draw) -> Phrase:
    """There is a cat on the table: 桌子上有一只猫."""
    (where, word), kind = one_of(draw, CONTENTS), "a"
    noun, (preposition, _, where) = draw.noun[word.lower()], where.partition("_")
    parts = {"p": f"{preposition}:{SIDES[preposition]}", "n": f"{where}:{draw.noun[where].chinese}"}
    spot = join("{p} the {n}", "{n}{p}", **parts)
    if noun.plural != "-" and (word.isupper() or draw.chance(0.4)):
        kind = draw.pick("count count some many any" if word.isupper() else "count some any")
    is_there = "is" if kind == "a" else "are"
    asked = draw.chance({"any": 0.5, "a": 0.12}.get(kind, 0.0))
    kind = "loose" if asked and kind == "a" else kind  # 有猫吗 without 一只
    thing = noun_phrase(draw, noun, kind, 0.25, True, most=99 if word.isupper() else 5)
    if asked:
        order = ("{h} there {t} {p}", "{p}{h}{t}吗")
        return join(*order, True, h=f"{is_there}:有", t=thing, p=spot)
    there_is = "there aren't:没有" if kind == "any" else f"there {is_there}:有"
    return join("{h} {t} {p}", "{p}{h}{t}", h=there_is, t=thing, p=spot)


# who moves: verb | past with its Chinese | who | to what
MOTIONS = [
    ("run", "ran:跑 into:进 :了", "cat dog boy girl student", "kitchen garden classroom shop"),
    ("run", "ran:跑 out_of:出 :了", "cat dog boy girl child", "kitchen garden classroom shop"),
    ("walk", "walked:走 into:进 :了", "", "kitchen classroom office library hotel shop park"),
    ("walk", "walked:走 out_of:出 :了", "", "kitchen classroom office library hotel shop"),
    ("fly", "flew:飞 over:过 :了", "bird duck", "river mountain house bridge"),
    ("fly", "flew:飞 over:过 :了", "bird duck", "river mountain house bridge"),
    ("swim", "swam:游 across:过 :了", "dog duck snake horse boy man girl woman", "river"),
    ("climb", "climbed:爬 up:上 :了", "cat monkey boy girl child student", "tree mountain wall"),
    ("jump", "jumped:跳 onto:上 :了", "cat dog monkey", "table bed chair wall"),
]


@construction(3)
def motion(draw: Draw) -> Phrase:
    """The quick brown fox jumps over the lazy dog: 从那只懒狗身上跳了过去; ran into: 跑进了."""
    if draw.chance(0.4):
        return jumps_over(draw)
    base, act, who, goals = draw.pick(MOTIONS)
    if draw.chance(0.2):
        act, goals = "walked:走过", "museum school station hotel library tree house restaurant park"
        who, base = "", "walk"
    noun = draw.noun[draw.pick(goals)]
    goal = noun_phrase(draw, noun, "the", 0.0 if "place" in noun.tags else 0.15)
    subject = noun_phrase(draw, draw.noun[draw.pick(who)], "the", 0.5) if who else someone(draw)
    parts = {"s": does(subject, base), "v": act, "o": goal, "t": day(draw, 0.15)}
    if act == "walked:走过":
        order = ("{s} {v} {w} {o} {t}", "{s}{t}{w<}{o}{w>}{v}")
        return join(*order, w="past:从/旁边", **parts)
    return join("{s} {v} {o} {t}", "{s}{t}{v}{o}", **parts)


def jumps_over(draw: Draw) -> Phrase:
    """Give the fox jumps over the dog, which takes 从…身上跳了过去."""
    one = draw.noun[draw.pick("fox fox cat dog rabbit horse tiger monkey")]
    other = draw.noun[draw.pick("dog dog cat fox rabbit duck snake monkey")]
    first, second = (noun_phrase(draw, noun, "the", 0.85) for noun in (one, other))
    if one == other or len(first.chinese + second.chinese) > 15:
        return jumps_over(draw)
    parts = {"s": does(first, "jump"), "v": "jumps:跳/过去", "w": "over:从/身上", "o": second}
    return join("{s} {v} {w} {o}", "{s}{w<}{o}{w>}{v<}了{v>}", **parts)


# ---------------------------------------------------------------- who did it

# who did it: verb | its Chinese in the clause | to what | who | what such people are
WHO_DID = [
    ("buy", "买走", "car bike house guitar camera painting", "man woman neighbor", "tall young"),
    ("find", "找到", "key ring watch phone bag cat dog", "boy girl man woman student", "kind tall"),
    ("steal", "偷走", "phone bag bike car camera ring", "man woman", ""),
    ("break", "打破", "window cup plate bowl", "boy girl child student", ""),
    ("fix", "修好", "car bike radio computer bed", "man woman neighbor student", "clever kind"),
    ("write", "写", "book story song", "man woman student writer singer", "clever young"),
    ("borrow", "借走", "umbrella dictionary guitar hammer bike", "boy girl student man woman", ""),
    ("feed", "喂过", "cat dog horse rabbit", "boy girl child woman man", "kind"),
    ("clean", "打扫", "kitchen classroom room office", "boy girl student woman man", "tall"),
    ("plant", "种", "tree", "boy girl student woman man", "tall young"),
]


def did(draw: Draw) -> tuple[Noun, Phrase, str, str]:
    """Draw who did what: the noun, the clause behind who, the verb, what is said of the doer."""
    base, chinese, objects, people, qualities = draw.pick(WHO_DID)
    noun, verb, what = draw.noun[draw.pick(people)], draw.verb[base], draw.noun[draw.pick(objects)]
    kind = "the" if fits(what, ("known", "place")) else draw.pick("the the that")
    thing = noun_phrase(draw, what, kind, 0.0)
    if what.measure == noun.measure:  # not 打扫那个房间的那个人
        thing = gloss(f"the {what.english}:{what.chinese}")
    thing = thing.relate("verb-object", base, what.english)
    timeless = base in ("write", "plant") or len(thing.chinese) > 5
    when = draw.perhaps_time("past", 0 if timeless else 0.25)
    parts = {"v": f"{verb.past}:{chinese}", "o": thing, "t": when}
    return noun, join("{v} {o} {t}", "{t}{v}{o}", **parts), base, qualities


def doer(noun: Noun, clause: Phrase) -> Phrase:
    """Name somebody by a clause about him: the man who bought the car."""
    head = f"the:那{noun.measure} {noun.english}:{noun.chinese}"
    return join("{n} who {c}", "{c}的{n}", n=head, c=clause)
