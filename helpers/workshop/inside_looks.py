"""Guesses at what heads look at, each a list of places, beside an even spread (lab 08b)."""

from collections import defaultdict

import torch
from torch import Tensor

from helpers.attention import watching
from helpers.pairs import Pair
from helpers.transformer import Transformer, evaluating
from helpers.workshop.inside import Head, Sentences, blocks_of

GUESSES = {
    "encoder": ("the word itself", "the word before", "the word behind", "the last token"),
    "decoder": ("just read", "one further back", "two further back", "<bos>"),
    "cross": ("its word", "the next token's word", "the last token's word", "the last word"),
}


def places_of(kind: str, pair: Pair) -> list[list[tuple[int, list[int]]]]:
    """List for each guess of a kind the rows of a sentence, and the columns guessed for each."""
    t_source, t_target = len(pair.source_tokens), len(pair.target_tokens)
    if kind == "cross":
        links = defaultdict(list)
        for i, j in pair.links:
            links[j].append(i)
        found = [[(j, links.get(j + step, [])) for j in range(t_target)] for step in (0, 1, -1)]
        found.append([(j, [t_source - 1]) for j in range(t_target)])
    elif kind == "encoder":
        rows = range(t_source)
        found = [[(i, [i + step]) for i in rows if 0 <= i + step < t_source] for step in (0, -1, 1)]
        found.append([(i, [t_source - 1]) for i in rows])
    else:
        rows = range(t_target + 1)
        found = [[(t, [t - back]) for t in rows if t >= back] for back in (0, 1, 2)]
        found.append([(t, [0]) for t in rows])
    return [[(row, columns) for row, columns in guess if columns] for guess in found]


def seen_by(kind: str, row: int, pair: Pair) -> int:
    """Count the tokens that a row may look at."""
    return row + 1 if kind == "decoder" else len(pair.source_tokens)


def maps_of(model: Transformer, sentences: Sentences, kind: str) -> list[Tensor]:
    """Watch all heads of one kind: for each sentence (n_layers * n_heads, t_query, t_key)."""
    names = {block: name for name, block in model.named_modules()}
    wanted = [names[block] for (other, _), block in blocks_of(model).items() if other == kind]
    maps: list[Tensor] = [torch.empty(0)] * len(sentences.pairs)
    with evaluating(model):
        for group, batch in sentences.batches:
            with watching(model) as seen:
                model(batch.source, batch.target_in)
            weights = torch.cat([seen[name][0] for name in wanted], dim=1).cpu()
            for number, of_sentence in zip(group, weights, strict=True):
                maps[number] = of_sentence
    return maps


def shares_of_guesses(
    model: Transformer, sentences: Sentences, kind: str
) -> tuple[dict[Head, list[float]], list[float]]:
    """Average each head's weight on the guessed places, and what an even spread would have."""
    maps, guesses = maps_of(model, sentences, kind), len(GUESSES[kind])
    totals = [torch.zeros(len(maps[0])) for _ in range(guesses)]
    even, counts = [0.0] * guesses, [0] * guesses
    for weights, pair in zip(maps, sentences.pairs, strict=True):
        for number, guess in enumerate(places_of(kind, pair)):
            for row, columns in guess:
                totals[number] += weights[:, row, columns].sum(-1)
                even[number] += len(columns) / seen_by(kind, row, pair)
                counts[number] += 1
    means = torch.stack(totals, dim=1) / torch.tensor(counts)
    heads = [
        (*name, number)
        for name, block in blocks_of(model).items()
        if name[0] == kind
        for number in range(1, block.n_heads + 1)
    ]
    shares = dict(zip(heads, means.tolist(), strict=True))
    return shares, [each / count for each, count in zip(even, counts, strict=True)]
