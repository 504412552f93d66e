"""Where two pens part: the sentence in which a beam pays, its fork, its tree; BLEU worked out."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import torch

from helpers.pairs import Pair
from helpers.text import BOS, EOS, Vocabulary, tokenize
from helpers.transformer import evaluating
from helpers.translator import Translator

Beginning = tuple[float, list[int]]  # log probability; ids, from <bos> on


def where_a_beam_pays(
    translator: Translator, pairs: Sequence[Pair], longest: int = 9, width: int = 2
) -> tuple[str, str]:
    """Look for a sentence that only a beam gets right, else one where both pens differ.

    pairs: only those with at most `longest` source tokens are tried, or the first of all.
    Returns: the sentence, and a line that counts.
    """
    rights: dict[str, set[str]] = {}
    for pair in pairs:
        if len(pair.source_tokens) <= longest:
            rights.setdefault(pair.source, set()).add(pair.target)
    both = [translator.translate([*rights], beam_size=size) for size in (1, width)]
    differ = [each for each in zip(rights, *both, strict=True) if each[1] != each[2]]
    paid = [each for each in differ if each[2] in rights[each[0]]]
    lost = [each for each in differ if each[1] in rights[each[0]]]
    told = f"of {len(rights)} sentences of {longest} tokens or fewer, the pens differ in "
    told += f"{len(differ)}: only the beam is right in {len(paid)}, only greedy in {len(lost)}"
    return [*paid, *differ, *((source,) for source in rights), (pairs[0].source,)][0][0], told


class Fork(NamedTuple):
    """Where two translations part: after which tokens, and what each writes there, how sure."""

    step: int  # from 1
    so_far: str
    choices: list[tuple[str, float]]  # of each translation, as token and probability


def fork_of(translator: Translator, source: str, translations: Sequence[str]) -> Fork:
    """Find the first token in which two translations differ; equal ones part at their end."""
    words = translator.target_vocabulary
    rows = [[*tokenize(text, lowercase=False), "<eos>"] for text in translations]
    pairs = enumerate(zip(*rows, strict=False))
    step = next((step for step, (one, other) in pairs if one != other), min(map(len, rows)) - 1)
    prefix = [BOS, *words.encode(rows[0][:step])]
    device = next(translator.model.parameters()).device
    ids = (torch.tensor([each], device=device) for each in (translator.read(source), prefix))
    with evaluating(translator.model):
        chances = translator.model(*ids)[0, -1].softmax(-1)
    tokens = [row[step] for row in rows]
    numbers = [EOS if token == "<eos>" else words.encode([token])[0] for token in tokens]
    choices = [(token, chances[at].item()) for token, at in zip(tokens, numbers, strict=True)]
    return Fork(step + 1, "".join(rows[0][:step]), choices)


def tree_of(steps: Sequence[Sequence[Beginning]], words: Vocabulary) -> list[list[tuple]]:
    """Turn what a beam kept at each step into (parent, token, log probability), as beam_tree asks.

    A parent is the place in the step before of the beginning that lacks the last token.
    """
    drawn, before = [], [[BOS]]
    for kept in steps:
        drawn.append(
            [(before.index(ids[:-1]), words.tokens[ids[-1]], log_p) for log_p, ids in kept]
        )
        before = [ids for _, ids in kept]
    return drawn


def runs_found(wrote: str, right: str) -> tuple[list[list], float]:
    """Work BLEU out for one sentence: its runs of one to four tokens, and those that are right.

    Returns: a row for each length: the runs, those found, how many of how many, the share; and the
    factor for being too short.
    """
    ours, theirs = (tokenize(text, lowercase=False) for text in (wrote, right))
    rows = []
    for n in (1, 2, 3, 4):
        mine, other = (
            Counter("".join(each[at : at + n]) for at in range(len(each) - n + 1))
            for each in (ours, theirs)
        )
        found, count = (mine & other).total(), max(1, mine.total())
        runs = " ".join(each if each in other else f"({each})" for each in mine)
        rows.append([n, runs, f"{found} of {mine.total()}", found / count])
    return rows, math.exp(min(0.0, 1 - len(theirs) / max(1, len(ours))))
