"""Sentences of one clause: words with two readings, measure words, numbers, tenses, negation.

Most are drawn from frames (see frames.py).
"""

from .clauses import actors, clause, draw_verb, planned, thing
from .draw import Draw, fits
from .frames import frame
from .nouns import PERSONAL, noun_phrase, number
from .people import a_subject, does, name
from .phrase import Phrase, be, have, join
from .registry import construction
from .structures import someone

# ---------------------------------------------------------------- words with two readings

READINGS = """
3 | person | see | {s} {rest.past} {t.past?} | {s}{t}{rest}
2 | person | see | {s} {v.past} {a_saw} {p?} {t.past?} | {s}{t}{p}{v}了{a_saw}
1 | person | buy borrow | {s} {v.past} {a_saw} {t.past?} | {s}{t}{v}了{a_saw}
1 | person | buy find borrow | {s} {v.past} {the_saw} {t.past?} | {s}{t}{v}了{the_saw}
.5 | owner | | {s} {has:有} {one_saw} | {s}{has}{one_saw}
.5 | owner | | {s} {needs:需要} {my_saw} | {s}{needs}{my_saw}
1 | the this that own own: saw | | {s} is {in:在/里} {indoors} | {s}{in<}{indoors}{in>}
1 | person | see buy lose | {s} {v.past} {a_watch} {t.past?} | {s}{t}{v}了{a_watch}
.5 | person | see draw | {s} {v.past} {a_fish} {t.past?} | {s}{t}{v}了{a_fish}
.7 | person | eat | {s} {v.past} {a_orange} {t.past?} | {s}{t}{v}了{a_orange}
.3 | person | open | {s} {v.past} {one_can} {t.past?} | {s}{t}{v}了{one_can}
.8 | person | buy | {s} {v.past} {one_drink} {t.past?} | {s}{t}{v}了{one_drink}
.3 | person | buy | {s} {v.past} {one_light} {t.past?} | {s}{t}{v}了{one_light}
.6 | person | open | {s} {rest.past} {t.past?} | {s}{t}{rest}
.8 | the the this that: door window box bag | | {s} is {open:开着} {now} | {s}{now}{open}
.4 | the the this that: door window box bag | | {s} {isn't:没} {open:开} {now} |
    {s}{now}{isnt}{open}
.4 | the: library museum shop restaurant zoo | | {s} is {open:开着门} {now} | {s}{now}{open}
.3 | the: library museum shop restaurant zoo | | {s} {isn't:没} {open:开门} {now}
    | {s}{now}{isnt}{open}
.7 | person | leave | {s} {rest.past} {t.past?} | {s}{t}{rest}
.5 | person | | {s} {is:是} {right:对} | {s}{is}{right}的
1 | the: library museum school station restaurant shop car truck chair table box | |
    {s} is {on:在} the {side} | {s}{on}{side}
.6 | person | | {s} {has} a {cold:感冒了} | {s}{cold}
.5 | person | drink | {s} {v.present} {cold_drink} {t.present} | {s}{t}{v}{cold_drink}
.5 | person | work study | {s} {v.present} {hard:努力} {t.present} | {s}{t}{hard}{v}
.4 | person | work study | {s} {is:正在} {v.ing} {hard:努力} | {s}{is}{hard}{v}
1.8 | name | | {s} {looks:长得} {like:像} {kin} | {s}{looks}{like}{kin}
.5 | person | | {s} {likes:喜欢} {him} | {s}{likes}{him}
.5 | person | fish | {s} {likes:喜欢} to {v} {p?} | {s}{likes}{p}{v}
.5 | person | fish | {s} {rest.progressive} | {s}{rest}
.9 | the this own: container furniture coat umbrella computer guitar | |
    {s} {degree} {light:轻} | {s}{degree}{light}
.5 | this that: light | | {s} {degree} {lamp} | {s}{degree}{lamp}
.3 | this that: light | | {s} is {too:太} {lamp} | {s}{too}{lamp}了
.8 | the this: saw | | {s} {degree} {lamp} | {s}{degree}{lamp}
.3 | the this that: question | | {s} {degree} {hard:难} | {s}{degree}{hard}
.3 | topic | | {s} {degree} {hard:难} | {s}{degree}{hard}
.3 | the: room kitchen office house | | {s} {degree} {cold:冷} | {s}{degree}{cold}
"""


@construction(9)
def two_readings(draw: Draw) -> Phrase:
    """I saw a saw: words whose Chinese depends on the rest (我看见了一把锯子)."""
    return frame(draw, READINGS)


COUNTED = """
2 | owner | | {s} {has:有} {few_lost} | {s}{has}{few_lost}
1 | owner | | {s} {has:有} {few_shirt} | {s}{has}{few_shirt}
.5 | owner | | {s} {has:有} {few_pet} | {s}{has}{few_pet}
.5 | person | buy wash | {s} {v.past} {few_dish} {t.past?} | {s}{t}{v}了{few_dish}
.5 | person | buy eat | {s} {v.past} {few_fruit} {t.past?} | {s}{t}{v}了{few_fruit}
.5 | person | see draw | {s} {v.past} {few_animal} {t.past?} | {s}{t}{v}了{few_animal}
1 | the: school | | {s} {has:有} {dozens_student} | {s}{has}{dozens_student}
1 | the: school | | {s} {has:有} {dozens_teacher} | {s}{has}{dozens_teacher}
1 | the: restaurant library | | {s} {has:有} {dozens_chair} | {s}{has}{dozens_chair}
1 | the: restaurant library | | {s} {has:有} {dozens_table} | {s}{has}{dozens_table}
.6 | the: zoo | | {s} {has:有} {dozens_bird} | {s}{has}{dozens_bird}
.4 | the: zoo | | {s} {has:有} {dozens_duck} | {s}{has}{dozens_duck}
"""
# How old somebody can be
AGES = (
    "child 5-12 boy 5-17 girl 5-17 student 8-24 son 5-30 daughter 5-30 mother 40-70 father 40-70 "
    "grandmother 70-93 friend 10-70 neighbor 20-90 man 20-89 woman 20-89"
).split()
# what one has or has not done in one's life
LIVES = """
4 | adult | | {s} {has} {never} {lived} | {s}{never}{lived}
2 | asked_adult | | {has} {s} ever {lived}? | {s}{lived}吗
"""
# how the perfect is said: what stands in {v}, what 还没 denies
PERFECT = {
    "{s}{a}{v}了{o}": "buy:买:买 find:找到:找到",
    "{s}{a}{v}{o}了": "go:去:去 leave:离开:离开",
    "{s}{a}把{o}{v}了": "sell:卖掉:卖 write:写完:写 read:看完:看 eat:吃:吃 wash:洗干净:洗 "
    "clean:打扫干净:打扫 fix:修好:修好 close:关上:关",
}
DONE = {row.split(":")[0]: (order, row) for order, rows in PERFECT.items() for row in rows.split()}
DISLIKES = """
2 | person | | {s} {doesn't:不} {like:喜欢} {liked} | {s}{doesnt}{like}{liked}
1 | owner | | {s} {doesn't:没} {have:有} {device} | {s}{doesnt}{have}{device}
1 | owner | | {s} {doesn't:不} {need:需要} {my_tool} | {s}{doesnt}{need}{my_tool}
"""


# ---------------------------------------------------------------- measure words, numbers

OWNED = (
    "tool guitar shirt coat sweater headwear umbrella vehicle device dictionary bag pet horse"
).split()


@construction(8)
def measure_words(draw: Draw) -> Phrase:
    """Tom bought an old saw: the measure word waits for the noun (一把旧锯子)."""
    verb = draw.verb_of("buy buy see find draw borrow lose")
    noun = draw.noun_with(*verb.objects)
    while {"mass", "person", "known", "food"} & {*noun.tags} or noun.english == "can":
        noun = draw.noun_with(*verb.objects)
    if draw.chance(0.3):
        noun = draw.noun_with(*OWNED)
        subject = name(draw) if fits(noun, PERSONAL) else someone(draw)
        what = noun_phrase(draw, noun, "a", 0.6, colours="animal" not in noun.tags)
        return join("{s} {h} {o}", "{s}{h}{o}", s=subject, h=f"{have(subject.agree)}:有", o=what)
    what = noun_phrase(draw, noun, draw.pick("a a a a that"), 0.65)
    while {"dirty", "clean", "quick", "heavy", "famous"} & {*what.english}:
        what = noun_phrase(draw, noun, "a", 0.65)
    what = what.relate("verb-object", verb.base, noun.english)
    return clause(draw, "past", 0.15, 0.3, verb=verb, what=what)


def age(draw: Draw) -> Phrase:
    """Give she is seventy-three years old."""
    subject = a_subject(draw)
    while subject.agree == "they" and subject.english != ("you",):
        subject = a_subject(draw)
    ages = dict(zip(AGES[::2], AGES[1::2], strict=True))
    span = ages.get(subject.word, "24-64" if subject.word else "5-80")
    youngest, oldest = map(int, span.split("-"))
    if youngest == 5 and draw.chance(0.6):
        oldest = min(oldest, 19)
    count = number(draw.rng.randint(youngest, oldest))
    parts = {"b": be(subject.agree), "y": "years_old:岁", "n": count}
    return join("{s} {b} {n} {y}", "{s}{n}{y}", s=subject, **parts)


@construction(6)
def numbers(draw: Draw) -> Phrase:
    """The school has twenty-two teachers (学校有二十二位老师): 两 alone, 二 inside a number."""
    return age(draw) if draw.chance(0.35) else frame(draw, COUNTED)


# ---------------------------------------------------------------- tense and negation


@construction(6)
def time_and_place(draw: Draw) -> Phrase:
    """Tom bought a book in the shop yesterday (汤姆昨天在商店里买了一本书)."""
    tense = draw.pick("past past present present present future")
    while True:
        verb = draw_verb(draw, tense)
        if tense == "present" and draw.chance(0.15):
            verb = draw.verb_of("read water drink eat")
        if (verb.places and verb.kind != "sound") or verb.base == "go":
            return clause(draw, tense, 0.85, 0.9 if tense == "past" else 1.0, verb=verb)


@construction(4)
def negation_past(draw: Draw) -> Phrase:
    """She didn't buy the watch (她没买那块手表): 没 and no 了."""
    verb = draw_verb(draw, "past_not")
    when = not verb.objects or draw.chance(0.4)
    # 没在商店里买 would deny the place
    return clause(draw, "past_not", 0.0 if verb.objects else 0.25, float(when), verb=verb)


@construction(4)
def negation_present(draw: Draw) -> Phrase:
    """He doesn't drink coffee (他不喝咖啡); he won't go to the park tomorrow (明天不去)."""
    if draw.chance(0.55):
        return frame(draw, DISLIKES)
    tense = draw.pick("future_not present_not present_not")
    return clause(draw, tense, 0.2, 1.0)


@construction(4)
def progressive(draw: Draw) -> Phrase:
    """The children are playing in the park (孩子们正在公园里玩)."""
    if draw.chance(0.7):
        busy = draw.verb_of("chase feed help water fix") if draw.chance(0.25) else None
        return clause(draw, "progressive", 0.45, 0.1, verb=busy)
    idle = draw.verb_of("sleep work study play cook swim fish run sing dance rest read drink watch")
    return clause(draw, "progressive_not", 0.4, 0.1, verb=idle)


@construction(4)
def future(draw: Draw) -> Phrase:
    """Tom will buy a car tomorrow: 要; he is going to buy one: 打算."""
    if draw.chance(0.4):
        plans = "buy buy sell read write draw fix clean plant borrow study rest watch go go"
        verb = planned(draw, plans)
        subject = a_subject(draw, verb.subjects)
        more = {"modal": f"{be(subject.agree)} going_to:打算", "subject": subject, "verb": verb}
        return clause(draw, "modal", 0.25, 0.7, **more)
    return clause(draw, "future", 0.25, 1.0)


@construction(3)
def experience(draw: Draw) -> Phrase:
    """I have been to Beijing (我去过北京); he has never seen a fox (他从来没见过狐狸)."""
    return frame(draw, LIVES)


@construction(4)
def perfect(draw: Draw) -> Phrase:
    """Mary has already washed the shirt (玛丽已经把那件衬衫洗干净了); hasn't yet: 还没."""
    verb = draw.verb[draw.pick(list(DONE))]
    order, row = DONE[verb.base]
    _, done, denied = row.split(":")
    subject = a_subject(draw, actors(verb, "future"))
    what = thing(draw, verb, "perfect", subject)
    while what.word in ("rice", "box") or len(subject.chinese + what.chinese) > 13:
        what = thing(draw, verb, "perfect", subject)
    parts = {"s": does(subject, verb.base), "o": what}
    if draw.chance(0.6):
        parts |= {"h": have(subject.agree), "a": "already:已经", "v": f"{verb.participle}:{done}"}
        return join("{s} {h} {a} {v} {o}", order, **parts)
    parts |= {"n": f"{have(subject.agree)}n't:没", "v": f"{verb.participle}:{denied}"}
    return join("{s} {n} {v} {o} {y}", "{s}{y}{n}{v}{o}", y="yet:还", **parts)
