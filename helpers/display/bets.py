"""Bets: a guess that is kept before the output comes, and answered after it."""

from collections.abc import Sequence


class Bet:
    """A question, what may be answered, and the reader's guess, or None."""

    def __init__(self, question: str, options: Sequence, mine):
        """Keep the three; `bet` checks them."""
        self.question, self.options, self.mine = question, list(options), mine

    def __repr__(self) -> str:
        """Return the question, and what the reader holds or how to bet: one line."""
        choice = f" ({', '.join(map(str, self.options))})" if self.options else ""
        held = "write your guess after mine=" if self.mine is None else f"your bet: {self.mine}"
        return f"{self.question}{choice} {held}"

    def answer(self, truth) -> None:
        """Print whether the guess was right, in one line; without a guess only the truth."""
        verdict = f"you bet {self.mine}: {'right' if self.mine == truth else 'not this time'}"
        print(f"{self.question} {truth}; {'no bet' if self.mine is None else verdict}")


def bet(question: str, options: Sequence = (), mine=None) -> Bet:
    """Ask before the output comes; mine is the reader's guess, None until one is made.

    options: the answers to choose from; without them any answer is taken, a number, say.
    Returns: the bet; after the output came, call its `answer` with the truth.
    Raises: ValueError if mine is none of the options.
    """
    if mine is not None and options and mine not in options:
        choice = ", ".join(map(repr, options))
        raise ValueError(f"mine={mine!r} is no option; take one of {choice}")
    return Bet(question, options, mine)
