"""Sentences written by hand and not drawn: those of a phrase book, and the probes."""

from random import Random

from .draw import Draw
from .rows import filled, rows
from .splits import Line, finish
from .tables import tables


def by_hand(table: str, construction: str, marked: bool) -> list[Line]:
    """Read a table of whole sentences, each with its translation and links."""
    draw = Draw(Random(0))  # for the signature only: nothing in a row is drawn
    found = rows(tables(table)[table])
    return [finish(filled(draw, row), construction, marked) for row in found]
