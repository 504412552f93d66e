"""Times and numbers: the clock, weekdays, dates, money, hundreds, durations, ages.

The sentences are in tables/calendar.txt; here are the slots that need more than a row.
"""

from bisect import bisect

from .draw import Draw
from .phrase import Phrase
from .rows import MAKERS, filled, register, rows
from .tables import tables

TABLES = tables("calendar")
LIMITS = (0.25, 0.5, 0.65, 0.85)  # of the random numbers that give a row of the clock


def clock(draw: Draw, most: float = 1.0) -> Phrase:
    """Give half past three, 三点半; ten to two, 差十分两点; up to 0.65: no minutes."""
    hour = filled(draw, "<1-12>")
    row = bisect(LIMITS, draw.rng.random() * most)
    return filled(draw, rows(TABLES["clock"])[row], hour=hour)


def date(draw: Draw) -> Phrase:
    """Give March the third or the third of March: 三月三号."""
    day = filled(draw, "<day>")
    return filled(draw, draw.pick(rows(TABLES["date"])), day=day)


def hundreds(draw: Draw) -> Phrase:
    """Give two hundred, 两百; three hundred and twenty, 三百二十."""
    phrase = filled(draw, "<even_hundreds>")
    return phrase if draw.chance(0.6) else filled(draw, "<even> and <2-9*10>", even=phrase)


MAKERS |= {
    "clock": lambda draw, who: clock(draw),
    "round": lambda draw, who: clock(draw, 0.65),
    "date": lambda draw, who: date(draw),
    "hundreds": lambda draw, who: hundreds(draw),
}
register("calendar")
