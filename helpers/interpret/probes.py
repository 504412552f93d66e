"""What a word's vector holds, and who writes its reading: probes and attribution (lab 08a).

The sentences of data/probe_sets are twins: two rows differ in one word, the decider, and so in the
reading of the word that the set is about. `make experiments NAMES=vectors` measures five trained
translators, those of the experiment `translator`, and the same models before their training.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from helpers.attention import watching
from helpers.batches import encode_pairs, make_batch, pad_ids
from helpers.pairs import DATA, Pair, read_pairs
from helpers.recipe import Recipe
from helpers.text import Vocabulary
from helpers.transformer import Transformer, evaluating

WORDS = ("saw", "brother")
AT_ONCE = 250  # sentences in a batch
N_COINS = 10  # questions without meaning, for each of which coins are tossed
Probe = Callable[[Tensor], Tensor]
Split = tuple[Tensor, Tensor]  # bool: which sentences to fit a probe on, which to ask it about


class Doubt(NamedTuple):
    """A sentence with a word of two readings: where that stands, its reading, where the decider."""

    pair: Pair
    place: int
    reading: int  # 0 or 1, a place among the readings of the set
    decider: int


@dataclass(frozen=True)
class ProbeSet:
    """The sentences about a word; twins stand side by side, an even number and the next one."""

    word: str
    doubts: tuple[Doubt, ...]
    names: tuple[str, str]  # the readings in Chinese

    @cached_property
    def readings(self) -> Tensor:
        """The reading of each sentence, 0 or 1."""
        return torch.tensor([doubt.reading for doubt in self.doubts])

    @cached_property
    def places(self) -> Tensor:
        """Where the word stands in each sentence, from 0."""
        return torch.tensor([doubt.place for doubt in self.doubts])

    @cached_property
    def deciders(self) -> Tensor:
        """Where the word stands that decides, from 0."""
        return torch.tensor([doubt.decider for doubt in self.doubts])

    @cached_property
    def deciding(self) -> list[frozenset[str]]:
        """For each sentence the two words that decide in it and in its twin."""
        words = [doubt.pair.source_tokens[doubt.decider] for doubt in self.doubts]
        return [frozenset(words[n - n % 2 : n - n % 2 + 2]) for n in range(len(words))]

    def first(self, count: int) -> "ProbeSet":
        """Keep the first sentences."""
        return ProbeSet(self.word, self.doubts[:count], self.names)


def read_probe_set(word: str) -> ProbeSet:
    """Read data/probe_sets/WORD.tsv; raises ValueError if two rows are no twins."""
    path = DATA / "probe_sets" / f"{word}.tsv"
    rows = [line.split("\t")[-2:] for line in path.read_text(encoding="utf-8").splitlines()]
    names = sorted({reading for _, reading in rows})
    pairs, doubts = [*read_pairs(path)], []
    for number, (pair, (place, reading)) in enumerate(zip(pairs, rows, strict=True)):
        both = zip(pair.source_tokens, pairs[number ^ 1].source_tokens, strict=True)
        differing = [at for at, (one, other) in enumerate(both) if one != other]
        if len(differing) != 1:
            raise ValueError(f"{path.name}, line {number + 1}: no twin of {pair.source!r}")
        doubts.append(Doubt(pair, int(place), names.index(reading), *differing))
    return ProbeSet(word, tuple(doubts), tuple(names))


def stops(n_layers: int) -> list[str]:
    """Name the places on the way through the encoder where a vector is read."""
    layers = [f"after layer {number}" for number in range(1, n_layers + 1)]
    return ["the word alone", "with its place", *layers, "encoder's output"]


def follow(model: Transformer, doubts: Sequence[Doubt], vocabulary: Vocabulary) -> Tensor:
    """Follow a word through the encoder: its vectors (stop, sentence, d_model), see `stops`."""
    found = []
    for start in range(0, len(doubts), AT_ONCE):
        part = doubts[start : start + AT_ONCE]
        source = pad_ids([vocabulary.encode(doubt.pair.source_tokens) for doubt in part])
        rows = torch.arange(len(part)), torch.tensor([doubt.place for doubt in part])
        with evaluating(model):
            keep, x = model.source_keep(source), model.embed(source, model.source_embedding)
            vectors = [model.source_embedding(source)[rows], x[rows]]
            for layer in model.encoder_layers:
                x = layer(x, keep)
                vectors.append(x[rows])
            vectors.append(model.encoder_norm(x)[rows])
        found.append(torch.stack(vectors))
    return torch.cat(found, dim=1).double().clone()


def mean_of_words(model: Transformer, doubts: Sequence[Doubt], vocabulary: Vocabulary) -> Tensor:
    """Average the vectors of a sentence's words, without any attention: (sentence, d_model)."""
    ids = (vocabulary.encode(doubt.pair.source_tokens) for doubt in doubts)
    table = model.source_embedding.weight.detach().double()
    return torch.stack([table[numbers].mean(0) for numbers in ids])


def bags(sentences: Sequence[Sequence[object]]) -> Tensor:
    """Turn bags of words into rows of 0 and 1, a column for each word: (sentence, words)."""
    column = {word: n for n, word in enumerate(sorted({w for each in sentences for w in each}))}
    rows = torch.zeros(len(sentences), len(column), dtype=torch.double)
    for row, words in zip(rows, sentences, strict=True):
        row[[column[word] for word in words]] = 1
    return rows


def fit_probe(vectors: Tensor, answers: Tensor) -> Probe:
    """Fit a weight for each channel by least squares, with a small penalty on the weights.

    vectors: (sentence, channels), answers: 0 or 1 each. Returns: what answers for other vectors.
    """
    mean, spread = vectors.mean(0), vectors.std(0) + 1e-6
    x, y = (vectors - mean) / spread, 2 * answers.double() - 1
    penalty = 0.01 * len(x) * torch.eye(x.size(1), dtype=x.dtype)
    weights = torch.linalg.solve(x.T @ x + penalty, x.T @ (y - y.mean()))
    return lambda new: ((new - mean) / spread @ weights + y.mean() > 0).long()


def share_right(said: Tensor, answers: Tensor) -> float:
    """Give the share of right answers, the mean of those of both kinds: who always says one: 0.5"""
    return sum((said[answers == n] == n).double().mean().item() for n in (0, 1)) / 2


def asked(vectors: Tensor, answers: Tensor, splits: Sequence[Split]) -> float:
    """Fit and ask a probe on each split, and give the mean share of right answers."""
    shares = [
        share_right(fit_probe(vectors[fit], answers[fit])(vectors[ask]), answers[ask])
        for fit, ask in splits
    ]
    return sum(shares) / len(shares)


def halves(doubts: Sequence[Doubt], seed: int = 0) -> list[Split]:
    """Split sentences in two halves by lot, twins together, and take each half once to fit."""
    order = torch.randperm(len(doubts) // 2, generator=torch.Generator().manual_seed(seed))
    first = torch.isin(torch.arange(len(doubts)) // 2, order[: len(order) // 2])
    return [(first, ~first), (~first, first)]


def new_deciders(deciding: Sequence[frozenset[str]]) -> list[Split]:
    """Ask about each pair of deciding words after fitting where neither of the two stands."""
    splits = []
    for pair in sorted({*deciding}, key=sorted):
        fit = torch.tensor([not pair & other for other in deciding])
        splits.append((fit, torch.tensor([pair == other for other in deciding])))
    return splits


def toss(words: Sequence[str], seed: int) -> Tensor:
    """Toss a coin for each kind of word, half of them heads, and give each word its coin."""
    kinds = sorted({*words})
    order = torch.randperm(len(kinds), generator=torch.Generator().manual_seed(seed)).tolist()
    coin = {word: int(order[number] < len(kinds) / 2) for number, word in enumerate(kinds)}
    return torch.tensor([coin[word] for word in words])


def three_questions(vectors: Tensor, about: ProbeSet) -> dict[str, float]:
    """Ask for the reading (deciders known, deciders new) and for coins of the first word."""
    opening = [doubt.pair.source_tokens[0] for doubt in about.doubts]
    known, coins = halves(about.doubts), (toss(opening, seed) for seed in range(N_COINS))
    return dict(
        known=asked(vectors, about.readings, known),
        new=asked(vectors, about.readings, new_deciders(about.deciding)),
        coin=sum(asked(vectors, coin, known) for coin in coins) / N_COINS,
    )


def words_only(about: ProbeSet) -> dict[str, Tensor]:
    """Give the bag of words of each sentence, and the bag of the word's two neighbours."""
    beside = []
    for pair, place, *_ in about.doubts:
        padded = ["", *pair.source_tokens, ""]
        beside.append([(-1, padded[place]), (1, padded[place + 2])])
    return dict(bag=bags([d.pair.source_tokens for d in about.doubts]), neighbours=bags(beside))


class Steps(NamedTuple):
    """Sentences ready to be scored where the decoder writes the reading's first character."""

    source: Tensor
    target_in: Tensor
    row: Tensor  # of the decoder, in which the character is due
    own: Tensor  # its number, and that of the other reading's
    other: Tensor


def steps_of(about: ProbeSet, vocabularies: tuple[Vocabulary, Vocabulary]) -> Steps:
    """Find in each sentence the step that writes the reading, and the two characters."""
    batch = make_batch(encode_pairs([doubt.pair for doubt in about.doubts], *vocabularies))
    rows = [min(j for i, j in d.pair.links if i == d.place) for d in about.doubts]
    first = torch.tensor([vocabularies[1].ids[name[0]] for name in about.names])
    own, other = first[about.readings], first[1 - about.readings]
    return Steps(batch.source, batch.target_in, torch.tensor(rows), own, other)


def margins(model: Transformer, steps: Steps) -> Tensor:
    """Score the right character above the wrong one, in each sentence."""
    rows = torch.arange(len(steps.row))
    with evaluating(model):
        scores = model(steps.source, steps.target_in)[rows, steps.row]
    return scores[rows, steps.own] - scores[rows, steps.other]


def head_names(n_layers: int, n_heads: int) -> list[tuple[int, str, int]]:
    """Name the decoder's heads: (layer, self or cross, head), from 1."""
    kinds = ("self", "cross")
    return [
        (layer + 1, kind, head + 1)
        for layer in range(n_layers) for kind in kinds for head in range(n_heads)
    ]  # fmt: skip


def what_is_added(model: Transformer, steps: Steps) -> tuple[dict[tuple, Tensor], Tensor]:
    """Catch what each part adds to the decoder's stream, in the row that writes the reading.

    Returns: {("start",): ..., (1, "self", 1): ..., (1, "self", "bias"): ..., (1, "net"): ...},
    each (sentence, d_model), and the stream at its end, their sum.
    """
    rows, caught, hooks = torch.arange(len(steps.row)), {}, []

    def catch(name):
        def hook(_, inputs, output):
            caught[name] = inputs[0][rows, steps.row], output[rows, steps.row]

        return hook

    watched = {("end",): model.decoder_norm, ("start",): model.decoder_layers[0]}
    for number, layer in enumerate(model.decoder_layers, 1):
        watched[number, "self"] = layer.self_attention.output
        watched[number, "cross"] = layer.cross_attention.output
        watched[number, "net"] = layer.feed_forward
    try:
        hooks = [part.register_forward_hook(catch(name)) for name, part in watched.items()]
        with evaluating(model):
            model(steps.source, steps.target_in)
    finally:
        for hook in hooks:
            hook.remove()
    added = {("start",): caught["start",][0]}
    for number, layer in enumerate(model.decoder_layers, 1):
        for kind in ("self", "cross"):
            block = getattr(layer, f"{kind}_attention")
            contexts = caught[number, kind][0].split(block.d_head, dim=-1)
            slices = block.output.weight.detach().split(block.d_head, dim=1)
            for head, (context, w_o) in enumerate(zip(contexts, slices, strict=True), 1):
                added[number, kind, head] = context @ w_o.T
            added[number, kind, "bias"] = block.output.bias.detach().expand(len(rows), -1)
        added[number, "net"] = caught[number, "net"][1]
    return added, caught["end",][0]


def frozen_direction(model: Transformer, steps: Steps, stream: Tensor) -> tuple[Tensor, Tensor]:
    """Freeze the last norm: the direction in which the stream scores, and what the norm adds.

    The norm subtracts the mean and multiplies by its gains, which is linear, and divides by the
    spread of the stream. That spread is held at its value in each sentence.
    Returns: (sentence, d_model) and (sentence,); stream @ direction + constant = the margin.
    """
    norm, table = model.decoder_norm, model.target_embedding.weight.detach()
    apart = table[steps.own] - table[steps.other]
    spread = (stream.var(dim=-1, unbiased=False) + norm.eps).sqrt()
    direction = norm.weight.detach() * apart
    direction = (direction - direction.mean(dim=-1, keepdim=True)) / spread[:, None]
    return direction, apart @ norm.bias.detach()


def attribute(model: Transformer, steps: Steps) -> dict[tuple, Tensor]:
    """Split the margin of each sentence into what the parts add to it: (sentence,) each."""
    added, stream = what_is_added(model, steps)
    direction, constant = frozen_direction(model, steps, stream)
    shares = {name: (vectors * direction).sum(dim=-1) for name, vectors in added.items()}
    return shares | {("norm",): constant}


def by_source(model: Transformer, steps: Steps, layer: int, head: int) -> tuple[Tensor, Tensor]:
    """Split what a cross-attention head adds to the margin by the source words it comes from.

    Returns: the head's weights and their shares of the margin, (sentence, t_source) each.
    """
    rows, block = torch.arange(len(steps.row)), model.decoder_layers[layer - 1].cross_attention
    stream = what_is_added(model, steps)[1]
    direction, _ = frozen_direction(model, steps, stream)
    with evaluating(model), watching(model) as seen:
        model(steps.source, steps.target_in)
        values = block.split_heads(block.value(model.encode(steps.source)))[:, head - 1]
    weights = seen[f"decoder_layers.{layer - 1}.cross_attention"][0][rows, head - 1, steps.row]
    w_o = block.output.weight.detach().split(block.d_head, dim=1)[head - 1]
    told = (values @ (direction @ w_o)[:, :, None])[..., 0]  # what each word would add, at weight 1
    return weights, weights * told


@contextmanager
def head_off(model: Transformer, name: tuple[int, str, int], instead: Tensor | None = None):
    """Switch a head of the decoder off: zeros, or a mean, in place of what it found."""
    layer, kind, head = name
    block = getattr(model.decoder_layers[layer - 1], f"{kind}_attention")
    channels = slice((head - 1) * block.d_head, head * block.d_head)

    def change(_, inputs):
        context = inputs[0].clone()
        context[..., channels] = 0 if instead is None else instead
        return context

    hook = block.output.register_forward_pre_hook(change)
    try:
        yield
    finally:
        hook.remove()


def mean_found(model: Transformer, steps: Steps, name: tuple[int, str, int]) -> Tensor:
    """Average what a head finds over all rows up to the one that writes the reading: (d_head,)."""
    layer, kind, head = name
    block, kept = getattr(model.decoder_layers[layer - 1], f"{kind}_attention"), []
    hook = block.output.register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0]))
    try:
        margins(model, steps)
    finally:
        hook.remove()
    up_to = torch.arange(kept[0].size(1)) <= steps.row[:, None]
    return kept[0][up_to].split(block.d_head, dim=-1)[head - 1].mean(0)


@contextmanager
def twins_rows(model: Transformer, places: Tensor) -> Iterator[None]:
    """Give each sentence its twin's row of the encoder's output, in one place of each."""
    rows = torch.arange(len(places))

    def change(_, inputs, output):
        changed = output.clone()
        changed[rows, places] = output[rows ^ 1, places]
        return changed

    hook = model.encoder_norm.register_forward_hook(change)
    try:
        yield
    finally:
        hook.remove()


def probe_all(models: dict[str, Transformer], about: ProbeSet, vocabulary: Vocabulary) -> list:
    """Ask the three questions of the vectors of each model, stop by stop, and of words alone."""
    found = []
    for name, model in models.items():
        vectors = follow(model, about.doubts, vocabulary)
        stages = dict(zip(stops(len(model.encoder_layers)), vectors, strict=True))
        stages["mean of all words"] = mean_of_words(model, about.doubts, vocabulary)
        found += [(name, stage, three_questions(each, about)) for stage, each in stages.items()]
    only = words_only(about).items()
    found += [("words", name, three_questions(features, about)) for name, features in only]
    return [
        dict(word=about.word, model=model, stop=stage)
        | {question: round(share, 4) for question, share in shares.items()}
        for model, stage, shares in found
    ]


def name_of(part: tuple) -> str:
    """Write the name of a part as 08 does: cross 2.1 is head 1 of layer 2's cross-attention."""
    if len(part) == 1:
        return part[0]
    layer, kind, *head = part
    kind = "decoder" if kind == "self" else kind
    return f"{kind} {layer}" + "".join(f".{n}" if isinstance(n, int) else f" {n}" for n in head)


def switch_all(model: Transformer, about: ProbeSet, steps: Steps) -> list[dict]:
    """List the parts with what they add to the margin, and heads with what it loses without them.

    adds: the mean over the sentences of each reading. zero, mean: what the mean margin loses.
    """
    shares, before = attribute(model, steps), margins(model, steps).mean()
    heads, found = head_names(len(model.decoder_layers), model.sizes["n_heads"]), []
    for part, share in shares.items():
        adds = [share[about.readings == n].mean().item() for n in (0, 1)]
        row = dict(word=about.word, part=name_of(part), adds=[round(each, 3) for each in adds])
        for how in ("zero", "mean") if part in heads else ():
            instead = mean_found(model, steps, part) if how == "mean" else None
            with head_off(model, part, instead):
                row[how] = round((before - margins(model, steps).mean()).item(), 3)
        found.append(row)
    return found


def follow_writer(model: Transformer, about: ProbeSet, steps: Steps) -> dict:
    """Find the head that adds most, and say from which source words it takes that.

    Returns: means over all sentences, and under "readings" those over the sentences of each
    reading, with what the last net adds there with the head and without it ("net", "net without"),
    and the share of sentences that are right without it ("right without").
    """
    shares, rows = attribute(model, steps), torch.arange(len(steps.row))
    heads = head_names(len(model.decoder_layers), model.sizes["n_heads"])
    layer, kind, head = best = max(heads, key=lambda name: shares[name].mean().item())
    figures = {"margin": margins(model, steps), "adds": shares[best]}
    if kind == "cross":
        weights, told = by_source(model, steps, layer, head)
        for name, places in (("word", about.places), ("decider", about.deciders)):
            figures[f"weight on {name}"] = weights[rows, places]
            figures[f"from {name}"] = told[rows, places]
    means = {name: round(each.mean().item(), 3) for name, each in figures.items()}
    net = len(model.decoder_layers), "net"
    with head_off(model, best):
        figures |= {"net": shares[net], "net without": attribute(model, steps)[net]}
        figures["right without"] = (margins(model, steps) > 0).float()
    readings = [
        {name: round(each[about.readings == n].mean().item(), 3) for name, each in figures.items()}
        for n in (0, 1)
    ]
    return dict(word=about.word, head=name_of(best)) | means | dict(readings=readings)


def share_wrong(model: Transformer, steps: Steps) -> float:
    """Give the share of sentences in which the wrong character scores above the right one."""
    return round((margins(model, steps) < 0).double().mean().item(), 4)


def share_turned(model: Transformer, about: ProbeSet, steps: Steps) -> dict:
    """Take a row of the encoder's output from the twin; count where the other reading then wins."""
    wheres = {"row of word": about.places, "row of decider": about.deciders}
    wheres["row of neighbour"] = about.places - 1
    found = dict(word=about.word, nothing=share_wrong(model, steps))
    for name, places in wheres.items():
        with twins_rows(model, places):
            found[name] = share_wrong(model, steps)
    return found


def two_listeners(model: Transformer, about: ProbeSet, steps: Steps) -> dict:
    """Exchange a row of the encoder's output for the twin's: who now says the other reading?

    Returns: for each row that is exchanged the share of sentences in which a probe on the word's
    row says the other reading (those it was not fitted on), and that in which the decoder does.
    """
    rows, (fit, ask) = torch.arange(len(steps.row)), halves(about.doubts)[0]

    def heard() -> Tensor:
        with evaluating(model):
            return model.encode(steps.source)[rows, about.places].double()

    before = heard()
    probe = fit_probe(before[fit], about.readings[fit])
    wheres = {"word": about.places, "decider": about.deciders, "neighbour": about.places - 1}
    found = {}
    for name, places in wheres.items():
        with twins_rows(model, places):
            said = (probe(heard()[ask]) != about.readings[ask]).double().mean().item()
            found[name] = round(said, 4), share_wrong(model, steps)
    return found


def measure(recipe: Recipe) -> dict:
    """Measure a trained translator, and the same model before its training: a row's figures."""
    recipe.train(reuse=True, log=str)
    trained, untrained = recipe.translator().model, recipe.new_model().eval()
    figures: dict[str, list] = dict(probes=[], parts=[], writers=[], turned=[])
    for about in map(read_probe_set, WORDS):
        models = dict(trained=trained, untrained=untrained)
        figures["probes"] += probe_all(models, about, recipe.vocabularies[0])
        steps = steps_of(about, recipe.vocabularies)
        figures["parts"] += switch_all(trained, about, steps)
        figures["writers"].append(follow_writer(trained, about, steps))
        figures["turned"].append(share_turned(trained, about, steps))
    return figures
