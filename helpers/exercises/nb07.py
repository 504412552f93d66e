"""Checks of notebook 07: the loop, a step of a beam, p, a duel; pads, a lost shift, sureness."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from helpers.batches import Batch, Examples, endless_batches
from helpers.checks import check_attempt
from helpers.studies.broken_sentences import keep_breaker
from helpers.text import PAD, UNK, Vocabulary, tokenize
from helpers.training import learning_rate_at, make_optimizer, translator_steps
from helpers.transformer import Transformer
from helpers.translator import Translator


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


FAULTS = {
    "no shift": "Its answer stands in what it reads: the decoder reads target_in, says target_out.",
    "echo": "The labels are target_out, the tokens to say; target_in is what the decoder reads.",
    "pads": "Pads are counted. cross_entropy leaves out the number that ignore_index names.",
    "sharp": "That's the plain loss; this one is smoothed, with settings.label_smoothing.",
    "heap": "The gradients of all steps pile up: optimizer.zero_grad() empties them.",
    "not clipped": "Nothing is clipped. Before backward() there's nothing to clip, and after "
    "optimizer.step() it's too late.",
    "rigid": "The weights never move: optimizer.step() comes last, and nothing empties the "
    "gradients between backward() and it.",
    "late": "Each step uses the gradients of the one before: first backward(), then step().",
}
_SHAPES = "logits are (batch, t, V); flattened, cross_entropy takes (batch * t, V) and (batch * t)"


def _losses(model: Transformer, work: Sequence[Batch], settings, fault: str = "") -> list[float]:
    """Train a step on each batch with one of the FAULTS, or none, and list the losses.

    "sideways" is no fault: cross_entropy takes (batch, V, t), too, and adds in another order.
    """
    optimizer, losses = make_optimizer(model.train(), settings), []
    for step, batch in enumerate(work, 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate_at(step, settings)
        read = batch.target_out if fault == "no shift" else batch.target_in
        labels = batch.target_in if fault == "echo" else batch.target_out
        how = dict(label_smoothing=0.0 if fault == "sharp" else settings.label_smoothing)
        how |= {} if fault == "pads" else dict(ignore_index=PAD)
        logits = model(batch.source, read)
        both = (logits.flatten(0, 1), labels.flatten()), (logits.transpose(1, 2), labels)
        loss = cross_entropy(*both[fault == "sideways"], **how)
        if fault == "late":
            optimizer.step()
        if fault != "heap":
            optimizer.zero_grad()
        loss.backward()
        if fault != "not clipped":
            torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        if fault not in ("rigid", "late"):
            optimizer.step()
        losses.append(loss.item())
    return losses


def loop(
    my_losses: Callable, new_model: Callable[[], Transformer], work: Sequence[Batch], settings
) -> None:
    """Let the reader's loop take a step on each batch; name its fault by the losses it makes.

    new_model: draws the same untrained model each time. On a CPU the losses are compared bit by
    bit: each usual fault (see FAULTS) is tried, and one that makes the same losses is the reader's.
    """
    exact = work[0].source.device.type == "cpu"

    def same(one: Sequence[float], other: Sequence[float]) -> bool:
        gap = max(abs(left - right) for left, right in zip(one, other, strict=True))
        return gap == 0 if exact else gap < 1e-3

    wanted = [loss for _, loss in translator_steps(new_model(), work, settings)]
    try:
        found = my_losses(new_model(), work, settings)
    except Exception as error:  # whatever the reader's code raises becomes a line
        if "NoneType" in str(error):
            print("not tried yet: a blank is still None")
        else:
            print(f"not yet: {type(error).__name__}: {error}\nhint: {_SHAPES}")
        return
    if found is None or any(each is None for each in found):
        print("not tried yet: a blank is still None")
        return
    found = [*map(float, found)]
    if len(found) != len(wanted):
        print(f"not yet: {len(found)} losses\nhint: one a step, {len(wanted)} in all")
    elif same(found, wanted):
        print(f"right: all {len(wanted)} losses are equal" + " to the last bit" * exact)
    elif same(found, _losses(new_model(), work, settings, "sideways")):
        print(f"right: all {len(wanted)} losses are equal, but for the order in which it's summed")
    else:
        at = next(number for number in range(len(found)) if found[number] != wanted[number])
        print(f"not yet: loss {at + 1} is {found[at]:.6f}, it should be {wanted[at]:.6f}")
        names = ((hint, fault) for fault, hint in FAULTS.items())
        tried = ((hint, _losses(new_model(), work, settings, fault)) for hint, fault in names)
        where = "predict and measure" if at == 0 else "differentiate, clip and move"
        general = f"look at {where}; what comes before is right."
        print("hint:", next((hint for hint, losses in tried if same(losses, found)), general))


TOY = {  # what comes next, and how likely it is; "." ends a sentence
    "": {"A": 0.5, "B": 0.4, "C": 0.1, ".": 0.0},
    "A": {"A": 0.2, "B": 0.2, "C": 0.2, ".": 0.4},
    "B": {"A": 0.0, "B": 0.0, "C": 0.1, ".": 0.9},
    "C": {"A": 0.1, "B": 0.5, "C": 0.1, ".": 0.3},
}


def extend(my_extend: Callable) -> None:
    """Check one step of a beam on a toy table of four tokens (see TOY)."""
    start = "The start is a beginning, too: its last token is '', its chance 1. Chances multiply."
    whole = "Each new chance times that of its beginning; then all compete for `width` places."
    last = "table[...] takes the last token of a beginning, beginning[-1:]."
    cases = [
        (({"": 1.0}, 2), {"A": 0.5, "B": 0.4}, start),
        (({"A": 0.5, "B": 0.4}, 2), {"B.": 0.36, "A.": 0.2}, whole),
        (({"C": 0.1, "B": 0.4}, 1), {"B.": 0.36}, whole),
        (({"AC": 0.1, "B": 0.4}, 2), {"B.": 0.36, "ACB": 0.05}, last),
    ]

    def sorted_out(beginnings: dict[str, float], width: int) -> str | None:
        found = my_extend(beginnings, TOY, width)
        if found is None:
            return None
        ranked = sorted(dict(found).items(), key=lambda each: (-round(each[1], 6), each[0]))
        return ", ".join(f"{text} {chance:.3g}" for text, chance in ranked)

    right = [
        ", ".join(f"{text} {chance:.3g}" for text, chance in each[1].items()) for each in cases
    ]
    told = zip(cases, right, strict=True)
    check_attempt(sorted_out, [(given, text, hint) for (given, _, hint), text in told])


def which_p(my_p: float | None, my_loser: str | None) -> None:
    """Check from which p on the shelf's longest sentence wins, and which one never does."""
    if my_p is None and my_loser is None:
        print("not tried yet: both are None")
        return
    if my_p is None or abs(my_p - 0.6) > 0.01:
        print(f"not yet: my_p is {my_p}")
        print("hint: divide each log probability by its length to the power of p, for p = 0.1, 0.2")
    if my_loser != "middle":
        print(f"not yet: my_loser is {my_loser!r}")
        print("hint: who is nearest to 0 just before my_p, and who at it?")
    if my_p is not None and abs(my_p - 0.6) <= 0.01 and my_loser == "middle":
        print("right: the short one up to 0.5, the long one from 0.6 on, the middle one never")


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


def no_shift(
    my_no_shift: Callable, new_model: Callable[[], Transformer] | None = None,
    examples: Examples = (), words: Sequence[Vocabulary] = (), settings=None, steps: int = 100,
) -> list[list[str]]:  # fmt: skip
    """Check a batch whose decoder reads the very tokens that it must say; then train with it.

    new_model: draws the same untrained model each time; without it nothing is trained.
    Returns: how the target was read, the mean loss of the last ten steps, what "I saw a saw"
    becomes; no rows until the batch is right.
    """
    batch = _two_pairs()
    hint = "The decoder reads target_out and must say target_out; the source stays."
    expected = Batch(batch.source, batch.target_out, batch.target_out)
    right = check_attempt(my_no_shift, [((batch,), expected, hint)], atol=0)
    if not right or new_model is None:
        return []
    short = replace(
        settings, steps=steps, minutes=0.0, warmup_steps=steps // 2, label_smoothing=0.0
    )
    rows = []
    for name, change in (("shifted", lambda each: each), ("yours", my_no_shift)):
        model = new_model()
        device = next(model.parameters()).device
        work = endless_batches(examples, short.batch_size, short.seed, device=device)
        work = map(change, work)
        losses = [loss for _, loss in translator_steps(model, work, short)]
        text = Translator(model.eval(), *words).translate(["I saw a saw"], max_tokens=9)[0]
        rows.append([name, f"{sum(losses[-10:]) / len(losses[-10:]):.2f}", text])
    return rows


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
