"""Sentences of one clause: words with two readings, measure words, numbers, tenses, negation.

Most are drawn from the frames in tables/plain.txt (see frames.py).
"""

from .clauses import actors, clause, draw_verb, planned, thing
from .draw import Draw, fits
from .frames import TABLES, agreed, frame, register, say, someone
from .nouns import PERSONAL, noun_phrase, number
from .people import a_subject, does, name
from .phrase import Phrase
from .registry import construction
from .tables import cells

register("plain", "two_readings")

# ---------------------------------------------------------------- measure words, numbers


@construction(8)
def measure_words(draw: Draw) -> Phrase:
    """Tom bought an old saw: the measure word waits for the noun (一把旧锯子)."""
    verb = draw.verb_of("buy buy see find draw borrow lose")
    noun = draw.noun_with(*verb.objects)
    while {"mass", "person", "known", "food"} & {*noun.tags} or noun.english == "can":
        noun = draw.noun_with(*verb.objects)
    if draw.chance(0.3):
        noun = draw.noun_with(*TABLES["owned"].split())
        subject = name(draw) if fits(noun, PERSONAL) else someone(draw)
        what = noun_phrase(draw, noun, "a", 0.6, colours="animal" not in noun.tags)
        return say("{s} {has:有} {o}", s=subject, o=what)
    what = noun_phrase(draw, noun, draw.pick("a a a a that"), 0.65)
    while {"dirty", "clean", "quick", "heavy", "famous", "comfortable"} & {*what.english}:
        what = noun_phrase(draw, noun, "a", 0.65)
    what = what.relate("verb-object", verb.base, noun.english)
    return clause(draw, "past", 0.15, 0.3, verb=verb, what=what)


def age(draw: Draw) -> Phrase:
    """Give she is seventy-three years old."""
    subject = a_subject(draw)
    if subject.agree == "they" and subject.english != ("you",):
        return age(draw)
    span = dict(cells(TABLES["ages"])).get(subject.word, "24-64" if subject.word else "5-80")
    youngest, oldest = map(int, span.split("-"))
    if youngest == 5 and draw.chance(0.6):
        oldest = min(oldest, 19)
    count = number(draw.rng.randint(youngest, oldest))
    return say("{s} {is} {n} {years_old:岁}", "{s}{n}{years_old}", s=subject, n=count)


@construction(6)
def numbers(draw: Draw) -> Phrase:
    """The school has twenty-two teachers (学校有二十二位老师): 两 alone, 二 inside a number."""
    return age(draw) if draw.chance(0.35) else frame(draw, TABLES["counted"])


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
        return frame(draw, TABLES["dislikes"])
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
    if not draw.chance(0.4):
        return clause(draw, "future", 0.25, 1.0)
    verb = planned(draw, TABLES["plans"])
    subject = a_subject(draw, verb.subjects)
    modal = f"{agreed('is', subject)}_going_to:打算"
    return clause(draw, "modal", 0.25, 0.7, modal=modal, subject=subject, verb=verb)


register("plain", "experience")


@construction(4)
def perfect(draw: Draw) -> Phrase:
    """Mary has already washed the shirt (玛丽已经把那件衬衫洗干净了); hasn't yet: 还没."""
    base, done, denied, order = draw.pick(cells(TABLES["perfect"]))
    verb = draw.verb[base]
    subject = a_subject(draw, actors(verb, "future"))
    what = thing(draw, verb, "perfect", subject)
    while what.word in ("rice", "box") or len(subject.chinese + what.chinese) > 13:
        what = thing(draw, verb, "perfect", subject)
    parts = {"s": does(subject, base), "o": what}
    if draw.chance(0.6):
        verb = f"{verb.participle}:{done}"
        return say("{s} {has} {already:已经} {v} {o}", order, v=verb, **parts)
    verb = f"{verb.participle}:{denied}"
    return say("{s} {hasn't:没} {v} {o} {yet:还}", "{s}{yet}{hasnt}{v}{o}", v=verb, **parts)
