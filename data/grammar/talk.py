"""What people say at home and on the way; and things with a clause, which are no sentence."""

from .draw import Draw
from .frames import say, someone, words
from .nouns import determiner
from .people import does, pronoun
from .phrase import EMPTY, Phrase, gloss
from .rows import register
from .structures import is_said, quality, someone_apart
from .tables import cells, tables


def things_somebody_saw(draw: Draw) -> Phrase:
    """Give a saw I saw, 我看见的一把锯子, alone or in a sentence; or the sentence I saw a saw."""
    base, act, nouns = draw.pick(cells(tables("talk")["things_somebody_saw"]))
    fitting = "clean new old beautiful expensive" if base == "wash" else ""  # washed, not dirty
    noun, share = draw.noun[draw.pick(nouns)], draw.rng.random()
    subject = gloss("I:我") if draw.chance(0.2) else draw.pick([someone, pronoun])(draw)
    kind = draw.pick("a the" if share < 0.55 else "the")
    thing = gloss(f"{noun.english}:{noun.chinese}").relate("verb-object", base, noun.english)
    parts = dict(s=does(subject, base), v=act, n=thing, rel=draw.pick([gloss("that"), EMPTY]))
    parts |= dict(d=determiner(kind, noun.measure, thing), t=draw.perhaps_time("past", 0.3))
    if share < 0.13:
        return say("{s} {v} {d} {n} {t}", "{s}{t}{v}了{d}{n}", **parts)
    which = say("{d} {n} {rel} {s} {v} {t}", "{s}{t}{v}的{d}{n}", **parts)
    if share < 0.55:
        this = words(draw, "this:这_is:是 that:那_is:是")
        return which if share < 0.45 else say("{t} {w}", t=this, w=which)
    if share < 0.85 and (said := quality(draw, noun, fitting)).english:
        return is_said(draw, which, said, 0.1)
    return say("{s} {likes:喜欢} {w}", s=someone_apart(draw, subject), w=which)


register("talk", things_somebody_saw)
