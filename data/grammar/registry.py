"""The constructions: each function that draws a kind of sentence, and how often it is drawn."""

from collections.abc import Callable
from typing import NamedTuple

from .draw import Draw
from .phrase import Phrase


class Construction(NamedTuple):
    """A kind of sentence: its name, how often it comes, and the function that draws one.

    known: whether all its sentences belong to train, since each is an expression of its own.
    """

    name: str
    share: float
    make: Callable[[Draw], Phrase]
    known: bool = False


class Twins(NamedTuple):
    """Sentences about a word with two readings, in pairs that differ in one far word.

    route: "after" if Chinese writes the reading before the deciding word, so that the source alone
    can tell, or "before"; bag: whether both sentences hold the same words, in another order.
    """

    word: str
    route: str
    bag: bool
    make: Callable[[Draw], tuple[Phrase, Phrase]]

    @property
    def name(self) -> str:
        """The construction in the fourth column of a file: far_brother_after."""
        return f"far_{self.word}_{self.route}" + ("_order" if self.bag else "")


CONSTRUCTIONS: list[Construction] = []
TWINS: list[Twins] = []


def construction(share: float, known: bool = False) -> Callable:
    """Register a function that draws a sentence; share: how often, 1 is about one in a hundred."""

    def register(make: Callable[[Draw], Phrase]) -> Callable:
        CONSTRUCTIONS.append(Construction(make.__name__, share, make, known))
        return make

    return register


def twins(word: str, route: str, bag: bool = False) -> Callable:
    """Register a function that draws two sentences of a word whose reading is decided far away."""

    def register(make: Callable[[Draw], tuple[Phrase, Phrase]]) -> Callable:
        TWINS.append(Twins(word, route, bag, make))
        return make

    return register
