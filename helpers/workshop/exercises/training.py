"""Checks of notebook 07: pads, a beam's choice, a duel; a lost shift, counted pads, sureness."""

from collections.abc import Callable, Collection
from pathlib import Path

import torch

from helpers.batches import Batch
from helpers.checks import check_attempt
from helpers.text import PAD, UNK, tokenize
from helpers.translator import Translator
from helpers.workshop.breakers import keep_breaker


def pad_share(my_pad_share: Callable) -> None:
    """Check the share of pads when each group of sentences is a batch."""
    row = "Each row of a batch is as long as the longest sentence of its group."
    groups = "Each group has a longest sentence of its own; count the cells of all groups together."
    cases = [
        (([1, 3], [[0, 1]]), 1 / 3, row),
        (([3, 3], [[0, 1]]), 0.0, "Equal lengths need no pad."),
        (([1, 3, 2, 2], [[0, 1], [2, 3]]), 0.2, groups),
        (([4, 1, 1], [[0, 2], [1]]), 1 / 3, "A group of one sentence has cells, too, and no pad."),
    ]
    check_attempt(my_pad_share, cases)


def best_of(my_best: Callable) -> None:
    """Check the choice among finished translations, of which longer ones have paid more."""
    short, long = (-1.0, ["好", "<eos>"]), (-1.5, ["我", "很", "好", "<eos>"])
    plain = "With penalty 0 nothing is divided: n to the power of 0 is 1."
    power = "Divide the log probability by the length to the power of the penalty."
    counted = "<eos> was a choice, too, and it counts as one more."
    many = "The best may stand anywhere in the list."
    finer, worse = (-0.8, ["我", "<eos>"]), (-2.1, long[1])
    cases = [
        (([short, long], 0.0), short[1], plain),
        (([short, long], 1.0), long[1], power),
        (([worse, short], 1.0), short[1], counted),
        (([short, long], 0.5), short[1], power),
        (([long, finer, short], 2.0), long[1], many),
    ]

    def joined(finished: list, penalty: float) -> str | None:
        chosen = my_best(finished, penalty)
        return None if chosen is None else " ".join(map(str, chosen))

    check_attempt(joined, [(given, " ".join(right), hint) for given, right, hint in cases])


def duel(
    my_sentence: str | None, what_is_wrong: str, translator: Translator, known: Collection[str],
    folder: Path,
) -> str:  # fmt: skip
    """Let the translator answer a sentence; keep it in breakers.tsv once the reader says why.

    known: the sources that it learned from, normalised as in helpers.corpus.
    Returns: its translation, "" where it didn't come to a duel.
    """
    if not my_sentence:
        print("not tried yet: my_sentence is None")
        return ""
    try:
        wrote = translator.translate([my_sentence])[0]
    except ValueError as error:
        print(f"no duel: {error}")
        return ""
    if unknown := translator.unknown(my_sentence):
        print(f"no duel: it has never seen {', '.join(unknown)}")
        print("hint: with words that it doesn't know anybody wins; the list of words is its weapon")
        return ""
    said = " ".join(token for token in tokenize(my_sentence) if token[-1].isalnum())
    if said in known:
        print("no duel: it learned this very sentence by heart\nhint: change a word")
        return ""
    print(f"{my_sentence} → {wrote}")
    if not what_is_wrong:
        print("Right? Then it wins this round. Wrong? Say why in what_is_wrong, and it's kept.")
    elif keep_breaker(folder, my_sentence, what_is_wrong, wrote, "you"):
        print("kept in breakers.tsv; notebook 08 opens on it")
    else:
        print("it's in breakers.tsv already")
    return wrote


def _two_pairs() -> Batch:
    """Make a batch of a long and a short sentence."""
    rows = [[5, 6], [7, PAD]], [[1, 8, 9], [1, 8, PAD]], [[8, 9, 2], [8, 2, PAD]]
    return Batch(*map(torch.tensor, rows))


def no_shift(my_no_shift: Callable) -> None:
    """Check a batch whose decoder reads the very tokens that it must say."""
    batch = _two_pairs()
    hint = "The decoder reads target_out and must say target_out; the source stays."
    expected = Batch(batch.source, batch.target_out, batch.target_out)
    check_attempt(my_no_shift, [((batch,), expected, hint)], atol=0)


def count_pads(my_count_pads: Callable) -> None:
    """Check a batch whose labels have UNK in place of each pad, so that the loss counts them."""
    batch = _two_pairs()
    labels = torch.tensor([[8, 9, 2], [8, 2, UNK]])
    hint = "Only the labels change, target_out: PAD becomes UNK; masked_fill makes a new tensor."
    check_attempt(my_count_pads, [((batch,), batch._replace(target_out=labels), hint)], atol=0)


def sureness(my_sureness: Callable) -> None:
    """Check the mean probability of the first choice, where it's right and where it's wrong."""
    chances = [[0.1, 0.7, 0.1, 0.1], [0.1, 0.1, 0.6, 0.2], [0.9, 0.05, 0.03, 0.02]]
    two_rows = [chances, [[0.1, 0.5, 0.3, 0.1], [0.1, 0.4, 0.3, 0.2], [0.1, 0.1, 0.1, 0.7]]]
    own = "The probability of the model's own choice, where another is right, too. Pads: nowhere."
    every = "The mean over all tokens of the batch, not a mean of sentences."
    one, both = torch.tensor([chances]).log(), torch.tensor(two_rows).log()
    cases = [
        ((one, torch.tensor([[1, 3, PAD]])), (0.7, 0.6), own),
        ((both, torch.tensor([[1, 3, PAD], [1, 2, 3]])), (1.9 / 3, 0.5), every),
        ((one + 5, torch.tensor([[1, 3, PAD]])), (0.7, 0.6), "Logits first go through softmax."),
    ]
    check_attempt(my_sureness, cases)
