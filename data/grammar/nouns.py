"""Noun phrases: determiners, adjectives, owners, numbers, amounts, places."""

from dataclasses import replace

from .draw import Draw, fits
from .lexicon import DIGITS, MEN, NAMES, NUMBER_WORDS, PRONOUNS, TENS, WOMEN, Noun
from .phrase import Phrase, gloss, join, without
from .tables import cells, tables

# Of two adjectives the first is one of OUTER and the second one of INNER: a cheap red umbrella.
OUTER = "beautiful cheap expensive quick cute comfortable fresh clever delicious".split()
INNER = "small red black white blue brown".split()
# Nobody's brother or sister: which of the two Chinese words is meant has to be said (far.py).
RELATIVES = "mother father son daughter grandmother friend friend teacher neighbor wife husband"
OWNERS = [f"{his}:{he}" for _, _, his, he, _ in PRONOUNS]
SPOUSES = {"wife": ("my:我 your:你 his:他", MEN), "husband": ("my:我 your:你 her:她", WOMEN)}
# what several people have no single one of
PERSONAL = ("clothes", "headwear", "lost")
PLURALS = ("some", "any", "bare", "these", "those", "plural_the", "count", "many")
DETERMINERS = dict(cells(tables("nouns")["determiners"]))
# cup, cups and 杯 for each kind of drink
UNITS = {kind: units.split(",") for kind, units in cells(tables("nouns")["units"])}


def number(value: int) -> Phrase:
    """Give a number up to 99 before a measure word: 两 for two alone, 二 inside a longer number."""
    if value == 2:
        return gloss("two:两")
    if value < 20:
        digits = DIGITS[value] if value <= 10 else f"十{DIGITS[value - 10]}"
        return gloss(f"{NUMBER_WORDS[value]}:{digits}")
    tens, ones = divmod(value, 10)
    first = f"{TENS[tens]}:{DIGITS[tens]}十"
    return gloss(f"{first} - {NUMBER_WORDS[ones]}:{DIGITS[ones]}" if ones else first)


def amount(draw: Draw, most: int) -> int:
    """Draw a number; where dozens are possible the teens come as often as the rest."""
    if most < 20 or draw.chance(0.12):
        return draw.rng.randint(2, min(most, 12))
    if draw.chance(0.7):
        return draw.rng.randint(10, 19)
    return draw.rng.randint(draw.pick([20, 20, 70, 80]), most)


def counting(phrase: Phrase, measure: str) -> Phrase:
    """Put a measure word behind a number; it is linked to the last word of the number."""
    place = len(phrase.english) - 1, len(phrase.chinese)
    return replace(phrase, chinese=(*phrase.chinese, measure), links=(*phrase.links, place))


def counted(draw: Draw, measure: str, most: int) -> Phrase:
    """Give a number with a measure word; two, which is 两, comes often."""
    value = 2 if draw.chance(0.2 if most > 20 else 0.3) else amount(draw, most)
    return counting(number(value), measure)


def described(draw: Draw, noun: Noun, plural: bool, share: float, colours: bool = False) -> Phrase:
    """Give a noun, perhaps after one adjective, seldom after two (敏捷的棕色狐狸)."""
    phrase = gloss(f"{noun.plural if plural else noun.english}:{noun.chinese}")
    words = [word for word in draw.before[noun.english] if word.after == "-" or not colours]
    if not words or not draw.chance(share):
        return phrase
    chosen = [draw.pick(words)]
    if chosen[0].english in OUTER and draw.chance(0.1):
        inner = [word for word in words if word.english in INNER and "的" not in word.before]
        if chosen[0].english in ("quick", "clever", "cute"):
            inner = [word for word in inner if word.english != "small"]
        chosen = [draw.pick(inner), *chosen] if inner else chosen
    for word in chosen:
        before = f"{word.english}:{word.before}".replace(":很", ":")  # 很重的
        very = ":很 " * word.before.startswith("很")
        phrase = join("{a} {n}", "{a}{n}", a=very + before, n=phrase)
        phrase = phrase.relate("adjective-noun", word.english, noun.english)
    return phrase


# ---------------------------------------------------------------- whose


def genitive(draw: Draw) -> Phrase:
    """Give my mother's, 我妈妈的; of two 的 the first one goes: 汤姆妈妈的."""
    person = kin(draw)
    if "'s" in person.english and person.word in ("teacher", "grandmother"):
        return genitive(draw)  # 汤姆老师 would be a teacher called Tom
    if "的" in person.chinese:  # 我们朋友的, too
        person = without(person, person.chinese.index("的"))
    return join("{p}{s}", "{p}{s}", p=person, s="'s:的")


def possessive(owner: Phrase, thing: Phrase, close: bool = False) -> Phrase:
    """Join owner and thing: 我妈妈, 我们妈妈 (close), but 我们的朋友, 我的书, 汤姆的妈妈."""
    if owner.english[-1] != "'s":
        distant = thing.word in ("friend", "neighbor") and owner.english[0] in ("our", "their")
        if distant or not close:
            owner = counting(owner, "的")
    return replace(join("{o} {n}", "{o}{n}", o=owner, n=thing), word=thing.word)


def first_owner(draw: Draw, relative: str = "") -> Phrase:
    """Give my, your, Tom's...: an owner that may have the relative."""
    owners, names = SPOUSES.get(relative, (OWNERS, NAMES))
    if draw.chance(0.65):
        return gloss(draw.pick(owners))
    return gloss(f"{draw.pick(names)} 's:的")


def kin(draw: Draw) -> Phrase:
    """Give somebody's mother, son, friend..."""
    word = draw.pick(RELATIVES)
    relative = replace(gloss(f"{word}:{draw.noun[word].chinese}"), word=word)
    return possessive(first_owner(draw, word), relative, close=True)


def owner(draw: Draw, noun: Noun) -> Phrase:
    """Give a possessive: my, Tom's, seldom my mother's; nobody says our coat."""
    whose = first_owner(draw) if draw.chance(0.85) else genitive(draw)
    several = whose.english[0] in ("our", "their") and fits(noun, PERSONAL)
    man = noun.english == "skirt" and f"{whose.english[0]}:" in "his: their: " + " ".join(MEN)
    return owner(draw, noun) if several or man else whose


# ---------------------------------------------------------------- which


def noun_phrase(
    draw: Draw, noun: Noun, kind: str, share: float = 0.3, colours: bool = False, most: int = 5
) -> Phrase:
    """Give a noun with its determiner.

    kind: a, loose (`a` without 一件), the, full (with 那 always: 那位老师), this, that, own, or one
    of PLURALS; share: how often it has an adjective; colours: only one not said behind `is`.
    """
    plural = kind in PLURALS
    person = "person" in noun.tags
    body = described(draw, noun, plural, 0.0 if person and plural else share, colours)
    bare = len(body.english) == 1 and fits(noun, ("role", "known", "place"))
    if kind == "own":
        whose = owner(draw, noun)
        if "的" in body.chinese:  # one 的 is enough: 安娜那辆红色的汽车
            whose = without(whose, len(whose.chinese) - 1) if "'s" in whose.english else whose
            whose = counting(counting(whose, "那"), noun.measure)
            phrase = join("{o} {n}", "{o}{n}", o=whose, n=body)
        else:
            phrase = possessive(whose, body)
    elif kind == "bare":
        phrase = body
    elif kind == "any" or (kind == "the" and bare):
        phrase = join(f"{kind} {{n}}", "{n}", n=body)
    elif kind == "plural_the" and person and noun.english not in ("man", "woman"):
        # 们 belongs to the ending of the plural.
        phrase = gloss(f"the {noun.plural}:{noun.chinese}们")
    elif kind == "count":
        phrase = join("{d} {n}", "{d}{n}", d=counted(draw, noun.measure, most), n=body)
    else:
        phrase = join("{d} {n}", "{d}{n}", d=determiner(kind, noun.measure, body), n=body)
    return replace(phrase, word=noun.english, agree="they" if plural else "he")


def determiner(kind: str, measure: str, body: Phrase) -> str:
    """Give the gloss of a determiner: 一把, 那把, 这些."""
    article = "an" if body.english[0][0] in "aeiou" else "a"
    return DETERMINERS[kind].format(article=article, measure=measure)


def mass(draw: Draw, noun: Noun, partitive: bool) -> Phrase:
    """Give coffee, or a cup of coffee."""
    if not partitive:
        return replace(gloss(f"{noun.english}:{noun.chinese}"), word=noun.english)
    unit, plural, measure = draw.pick(UNITS[noun.tags[1]]).split()
    if draw.chance(0.6):
        count = gloss(f"a:一 {unit}:{measure}")
    else:
        count = join("{c} {u}", "{c}{u}", c=number(draw.rng.randint(2, 3)), u=f"{plural}:{measure}")
    phrase = join("{c} of {n}", "{c}{n}", c=count, n=f"{noun.english}:{noun.chinese}")
    return replace(phrase, word=noun.english)


def place(draw: Draw, key: str) -> Phrase:
    """Give in the park, 在公园里: 在 and 里 belong to `in`."""
    where = draw.places[key]
    side, noun = f"{where.preposition}:在/{where.side}", f"{where.english}:{where.chinese}"
    return join("{p} {n}", "{p<}{n}{p>}", p=side, n=noun)
