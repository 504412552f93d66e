"""What lab 07g gives to its two machines: long sentences to one, short ones to the other."""

from collections.abc import Mapping

import matplotlib.pyplot as plt

from helpers.batches import Batch, Example, encode_pairs
from helpers.pairs import read_pairs
from helpers.recipe import DATA
from helpers.text import PAD, Vocabulary


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


def draw_heaps(batches: Mapping[str, Batch]) -> plt.Figure:
    """Draw the tokens that each machine must write, on one scale, and count them in the title."""
    figure, axes = plt.subplots(1, len(batches), figsize=(8, 2.6), sharex=True)
    widest = max(batch.target_out.size(1) for batch in batches.values())
    for axis, (place, batch) in zip(axes, batches.items(), strict=True):
        tokens = batch.target_out != PAD
        axis.imshow(tokens.numpy(), cmap="Greys", vmin=0, vmax=1.4, aspect="auto")
        axis.set(title=f"{place}: {tokens.sum()} tokens", xlabel="place", ylabel="sentence")
        axis.set_xlim(-0.5, widest - 0.5)
    return figure
