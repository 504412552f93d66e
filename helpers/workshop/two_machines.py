"""What lab 07g gives to its two machines: long sentences to one, short ones to the other."""

from helpers.batches import Example, encode_pairs
from helpers.pairs import read_pairs
from helpers.recipe import DATA
from helpers.text import Vocabulary


def long_and_short(count: int = 6) -> tuple[tuple[Vocabulary, Vocabulary], list[Example]]:
    """Take the longest and the shortest pairs of the validation part, so many of each.

    Returns: the vocabularies of the part, and the examples: the long ones first.
    """
    pairs = sorted(read_pairs(DATA / "valid.tsv"), key=lambda pair: -len(pair.target_tokens))
    words = (
        Vocabulary.from_sentences(pair.source_tokens for pair in pairs),
        Vocabulary.from_sentences(pair.target_tokens for pair in pairs),
    )
    return words, encode_pairs([*pairs[:count], *pairs[-count:]], *words)[:]
