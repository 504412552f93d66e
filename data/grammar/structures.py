"""Sentences of one clause, each with a shape of its own: 的, 比, 有, 从…身上.

Their words stand in tables/structures.txt.
"""

from dataclasses import replace

from .clauses import clause
from .draw import Draw, fits
from .frames import owned, qualities, say, someone, words
from .lexicon import Adjective, Noun
from .nouns import first_owner, genitive, noun_phrase, place
from .people import does, name, somebody
from .phrase import EMPTY, Phrase, gloss
from .registry import construction
from .tables import cells, tables

TABLES = tables("structures")
SIDES = {"on": "上", "under": "下面", "in": "里", "behind": "后面", "beside": "旁边", "into": ""}
SIDES |= {"beside_river": "边", "under_tree": "下"}


# ---------------------------------------------------------------- what several of them need


def one_of(draw: Draw, table: str) -> tuple[str, str]:
    """Draw a row of a table, and one of the words behind it."""
    row, _, words = draw.pick(table).partition(":")
    return row, draw.pick(words.split(",")) if words else ""


def day(draw: Draw, share: float) -> Phrase:
    """Give yesterday, this morning, last night or nothing."""
    days = "yesterday:昨天 this:今天_morning:早上 last:昨_night:晚"
    return words(draw, days) if draw.chance(share) else EMPTY


def someone_apart(draw: Draw, other: Phrase) -> Phrase:
    """Draw somebody who has nothing to do with another one."""
    person = someone(draw)
    return someone_apart(draw, other) if share_words(person, other) else person


def share_words(one: Phrase, other: Phrase) -> bool:
    """Say whether two phrases have a Chinese word in common."""
    return bool({*one.chinese} & {*other.chinese} - {"的"})


def quality(draw: Draw, noun: Noun, names: str = "") -> Phrase:
    """Draw an adjective said of the noun, of some or of all; nothing if none fits."""
    found = qualities(draw, noun.english, names)
    word = draw.pick(found) if found else ""
    return gloss(word).relate("adjective-noun", word.partition(":")[0], noun.english)


def is_said(draw: Draw, subject: Phrase, said: Phrase, negative: float = 0.0) -> Phrase:
    """Say what something is like: 很 without another adverb, 非常 for very, 不 for not."""
    word, parts = said.english[0], {"s": subject, "a": said}
    if word not in ("famous", "fun", "useful", "new") and draw.chance(negative):
        if word == "interesting":  # what is not 有趣 is 没意思
            parts["a"] = replace(gloss("interesting:意思"), relations=said.relations)
            return say("{s} {isn't:没} {a}", **parts)
        return say("{s} {isn't:不} {a}", **parts)
    owned = subject.english[0] not in ("the", "this", "that")  # 我的手机非常新 is odd
    if word != "fun" and not (word == "new" and owned) and draw.chance(0.3):
        return say("{s} {is} {very:非常} {a}", **parts)
    return say("{s} {is} {a}", "{s}很{a}", **parts)


def shown(draw: Draw, noun: Noun) -> Phrase:
    """Give this room, those apples, that coffee, my mother."""
    if "kin" in noun.tags:
        return owned(first_owner(draw, noun.english), noun)
    if "mass" in noun.tags:
        this = draw.pick("this:这 that:那")
        return replace(gloss(f"{this} {noun.english}:{noun.chinese}"), word=noun.english)
    if noun.plural != "-" and draw.chance(0.4):
        several = "plural_the" if "person" in noun.tags else draw.pick("these those plural_the")
        return noun_phrase(draw, noun, several, 0.2, colours=True)
    kind = "the" if "place" in noun.tags else draw.pick("the the this that")
    return noun_phrase(draw, noun, kind, 0.15, colours=True)


# ---------------------------------------------------------------- 的, qualities, comparisons


@construction(3)
def possessive(draw: Draw) -> Phrase:
    """My teacher's phone is new: 我老师的手机很新."""
    noun = draw.noun_with(*TABLES["belongings"].split())
    thing = owned(genitive(draw), noun)
    said, share = quality(draw, noun), draw.rng.random()
    if share < 0.45 and said.english:
        return is_said(draw, thing, said, 0.15)
    if share < 0.6:
        return say("{where:哪里} {is:在} {s}?", "{s}{is}{where}", s=thing)
    this = draw.pick("this:这 that:那")
    if share < 0.75:
        return say("{t} {is:是} {s}", t=this, s=thing)
    if share < 0.85 and "my" not in thing.english:
        return say("{is:是} {t} {s}?", "{t}{is}{s}吗", t=this, s=thing)
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


def two_to_compare(draw: Draw) -> tuple[Adjective, Phrase, Phrase]:
    """Draw two that can be compared, and by what."""
    noun = draw.noun[draw.pick(TABLES["comparable"])]
    if draw.chance(0.4):
        noun, left, right = draw.noun["daughter"], someone(draw), somebody(draw)
        while right.word and "kin" not in draw.noun[right.word].tags:
            right = somebody(draw)
        said = quality(draw, noun, "tall young busy kind friendly clever")
    else:
        unowned = fits(noun, tuple(TABLES["unowned"].split()))
        kinds = draw.pick("this,that that,this own,this own,own")
        kinds = draw.pick("this,that that,this") if unowned else kinds
        kinds = ((kind, 0.25 * (kind != "own")) for kind in kinds.split(","))
        left, right = (noun_phrase(draw, noun, kind, share, True) for kind, share in kinds)
        said = quality(draw, noun, TABLES["compared"])
    unclear = "'s" in left.english and right.english[0] in ("his", "her", "their")
    if not said.english or unclear or {*left.chinese[:2]} & {*right.chinese[:2]} - {"的"}:
        return two_to_compare(draw)
    word = next(a for a in draw.after[noun.english] if a.english == said.english[0])
    return word, left.relate("adjective-noun", word.english, left.word), right


@construction(4)
def comparative(draw: Draw) -> Phrase:
    """Your father is taller than Tom: 比, without 很."""
    word, left, right = two_to_compare(draw)
    more = word.compared if word.compared != "-" else f"more_{word.english}"
    after = "小" if word.english == "young" else word.after  # 年轻 is not said of a child
    parts = {"s": left, "r": right, "a": f"{more}:{after}"}
    parts["much"] = "much:得多" if draw.chance(0.2) else ""
    return say("{s} {is} {much} {a} {than:比} {r}", "{s}{than}{r}{a}{much}", **parts)


@construction(2)
def equality(draw: Draw) -> Phrase:
    """This cat is as big as that dog: 和…一样; not as big as: 没有…那么."""
    word, left, right = two_to_compare(draw)
    if word.english == "young":
        return equality(draw)
    parts = {"s": left, "r": right, "a": f"{word.english}:{word.after}"}
    if draw.chance(0.5):
        return say("{s} {is} {so} {a} {as:和} {r}", "{s}{as}{r}{so}{a}", so="as:一样", **parts)
    return say("{s} {isn't:没有} {as:那么} {a} as {r}", "{s}{isnt}{r}{as}{a}", **parts)


@construction(1.6)
def the_more(draw: Draw) -> Phrase:
    """My son is getting taller and taller: 我儿子越来越高了."""
    qualities, nouns = draw.pick(cells(TABLES["the_more"]))
    noun, word = draw.noun[draw.pick(nouns)], draw.pick(qualities)
    subject = noun_phrase(draw, noun, "bare", 0.0) if "cheap" in qualities else shown(draw, noun)
    if qualities[:4] == "busy":
        subject = someone(draw)
    said = next(a for a in draw.adjectives if a.english == word and a.after != "-")
    more = f"more_and_more:越来越 {word}:{said.after}"
    if said.compared != "-":  # Both of the equal words belong to the one that Chinese has.
        more = f"{said.compared}_and_{said.compared}:越来越{said.after}"
    more = gloss(more).relate("adjective-noun", word, subject.word)
    return say("{s} {is} getting {m}", "{s}{m}了", s=subject, m=more)


# ---------------------------------------------------------------- what something is, and where


@construction(3)
def topic(draw: Draw) -> Phrase:
    """Swimming is fun: 游泳很好玩; this is an old bike; Tom is a doctor."""
    share = draw.rng.random()
    if not 0.35 <= share < 0.65:
        return (what_is_fun if share < 0.35 else role)(draw)
    noun = draw.noun_with("goods", "animal", "photo", "key", "box", "bottle", "boat")
    if noun.english == "saw":
        return topic(draw)
    plural = noun.plural != "-" and draw.chance(0.3)
    this = "these:这些_are:是 those:那些_are:是" if plural else "this:这_is:是 that:那_is:是"
    thing = noun_phrase(draw, noun, "bare" if plural else "a", 1.0)
    return say("{t} {o}", t=words(draw, this), o=thing)


def role(draw: Draw) -> Phrase:
    """Say who somebody is: Tom is a famous cook."""
    subject = someone(draw)
    if subject.agree == "they" or subject.word in ("teacher", "grandmother"):
        subject = name(draw)
    role, word = one_of(draw, TABLES["roles"])
    noun = draw.noun[role]
    what = gloss(f"a {role}:{noun.chinese}")
    if draw.chance(0.5) and subject.agree == "he":
        before = next((a.before for a in draw.before[role] if a.english == word), "")
        what = gloss(f"a:一{noun.measure} {word}:{before} {role}:{noun.chinese}")
        what = what.relate("adjective-noun", word, role)
    return say("{s} {is:是} {o}", s=subject, o=what)


def what_is_fun(draw: Draw) -> Phrase:
    """Give math is hard, swimming is fun: of sports and games the Chinese names the doing."""
    field, spots = draw.chance(0.5), dict(cells(TABLES["spots"]))
    what = words(draw, TABLES["fields" if field else "pastimes"])
    said = "fun:好玩 fun:好玩 easy:容易 hard:难"
    if field:
        said = "useful:有用 useful:有用 important:重要 important:重要 interesting:有趣 hard:难"
    elif what.english[0] in spots and draw.chance(0.5):
        spot = place(draw, draw.pick(spots[what.english[0]]))
        what, said = say("{w} {p}", "{p}{w}", w=what, p=spot), "fun:好玩"
    word = words(draw, said)
    if draw.chance(0.15):
        return say("is {s} {a}?", "{s}{a}吗", s=what, a=word)
    return is_said(draw, what, word, 0.2)


@construction(4)
def existential(draw: Draw) -> Phrase:
    """There is a cat on the table: 桌子上有一只猫."""
    (where, word), kind = one_of(draw, TABLES["contents"]), "a"
    noun, (preposition, _, spot) = draw.noun[word.lower()], where.partition("_")
    side = SIDES.get(where, SIDES[preposition])
    parts = {"p": f"{preposition}:{side}", "n": f"{spot}:{draw.noun[spot].chinese}"}
    if noun.plural != "-" and (word.isupper() or draw.chance(0.4)):
        kind = draw.pick("count count some many any" if word.isupper() else "count some any")
    asked = draw.chance({"any": 0.5, "a": 0.12}.get(kind, 0.0))
    found = "loose" if asked and kind == "a" else kind  # 有猫吗 without 一只
    parts["s"] = noun_phrase(draw, noun, found, 0.25, True, most=99 if word.isupper() else 5)
    if asked:
        return say("{is:有} there {s} {p} the {n}?", "{n}{p}{is}{s}吗", **parts)
    if kind == "any":
        return say("there {isn't:没有} {s} {p} the {n}", "{n}{p}{isnt}{s}", **parts)
    return say("there {is:有} {s} {p} the {n}", "{n}{p}{is}{s}", **parts)


@construction(3)
def motion(draw: Draw) -> Phrase:
    """The quick brown fox jumped over the lazy dog: 从那只懒狗身上跳了过去; ran into: 跑进了."""
    if draw.chance(0.4):
        return jumps_over(draw)
    row = draw.pick(cells(TABLES["motions"]))
    past = draw.chance(0.2)
    base, act, who, goals = cells(TABLES["passing"])[0] if past else row
    noun = draw.noun[draw.pick(goals)]
    goal = noun_phrase(draw, noun, "the", 0.0 if "place" in noun.tags else 0.15)
    subject = noun_phrase(draw, draw.noun[draw.pick(who)], "the", 0.5) if who else someone(draw)
    parts = {"s": does(subject, base), "v": act, "o": goal, "t": day(draw, 0.15)}
    if past:
        return say("{s} {v} {past:从/旁边} {o} {t}", "{s}{t}{past<}{o}{past>}{v<}了{v>}", **parts)
    return say("{s} {v} {o} {t}", "{s}{t}{v}{o}", **parts)


def jumps_over(draw: Draw) -> Phrase:
    """Give the fox jumped over the dog, which takes 从…身上跳了过去."""
    one = draw.noun[draw.pick("fox fox cat dog rabbit horse tiger monkey")]
    other = draw.noun[draw.pick("dog dog cat fox rabbit duck snake monkey")]
    first, second = (noun_phrase(draw, noun, "the", 0.85) for noun in (one, other))
    if one == other or len(first.chinese + second.chinese) > 15:
        return jumps_over(draw)
    order = "{s}{over<}{o}{over>}{jumped<}了{jumped>}"
    parts = {"s": does(first, "jump"), "o": second, "jumped": "jumped:跳/过去"}
    return say("{s} {jumped} {over:从/身上} {o}", order, **parts)


# ---------------------------------------------------------------- who did it


def did(draw: Draw) -> tuple[Noun, Phrase, str, str]:
    """Draw who did what: the noun, the clause behind who, the verb, what is said of the doer."""
    base, chinese, objects, people, qualities = draw.pick(cells(TABLES["who_did"]))
    noun, verb, what = draw.noun[draw.pick(people)], draw.verb[base], draw.noun[draw.pick(objects)]
    kind = "the" if fits(what, ("known", "place")) else draw.pick("the the that")
    thing = noun_phrase(draw, what, kind, 0.0)
    if what.measure == noun.measure:  # not 打扫那个房间的那个人
        thing = gloss(f"the {what.english}:{what.chinese}")
    thing = thing.relate("verb-object", base, what.english)
    timeless = base in ("write", "plant") or len(thing.chinese) > 5
    when = draw.perhaps_time("past", 0 if timeless else 0.25)
    parts = {"v": f"{verb.past}:{chinese}", "o": thing, "t": when}
    return noun, say("{v} {o} {t}", "{t}{v}{o}", **parts), base, qualities


def doer(noun: Noun, clause: Phrase) -> Phrase:
    """Name somebody by a clause about him: the man who bought the car."""
    head = f"the:那{noun.measure} {noun.english}:{noun.chinese}"
    return say("{n} who {c}", "{c}的{n}", n=head, c=clause)
