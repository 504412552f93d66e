"""Contractions: I'm for I am, where English allows it; the number of tokens stays the same."""

from dataclasses import replace

from .phrase import Phrase
from .tables import tables

TABLES = {key: table.split() for key, table in tables("contractions").items()}


def contracted(phrase: Phrase) -> Phrase:
    """Contract the verbs of a sentence without its final mark: I 'm for I am."""
    words = ["^", *phrase.english]
    each = zip(words, words[1:], words[2:], words[3:], strict=False)
    for place, (before, pronoun, verb, behind) in enumerate(each):
        pair = f"{pronoun.lower()}_{verb}"
        fits = pair in TABLES["pronouns"] and before in TABLES["before"]
        fits = (fits or before + pair in TABLES["first"]) and behind not in TABLES["never"]
        if fits and (verb != "have" or behind in TABLES["been"]):
            words[place + 2] = TABLES["endings"][TABLES["verbs"].index(verb)]
    return replace(phrase, english=tuple(words[1:]))
