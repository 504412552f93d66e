"""Explorers: one call in a cell gives tables of its numbers, which move where scripts run."""

from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

import torch
from torch import Tensor

from helpers.bets import bet as bet
from helpers.gloss import gloss as gloss
from helpers.gloss import labels, pinyin
from helpers.plane import attend as attend
from helpers.plane import mix as mix
from helpers.text import tokenize
from helpers.workshop.figures import printed
from helpers.workshop.markup import Picture, attention_maps
from helpers.workshop.tables import frame, grid, require, rounded, table, tagged

Tokens, FOLDED_LIMIT = Sequence[str], 45_000  # bytes


def heads(
    weights: Tensor, queries: Tokens, keys: Tokens, keep: Tensor | None = None,
    title="What each head takes",
) -> Picture:  # fmt: skip
    """Show the maps of all heads of all layers for one sentence.

    weights: (n_layers, n_heads, t_query, t_key). queries: the tokens that are written; keys: those
    that are looked at. keep: (t_query, t_key) bool, False where the map is left blank.
    Raises: ValueError if shapes and tokens differ, or a weight is not between 0 and 1.
    """
    fault = f"weights have shape {tuple(weights.shape)}; give (n_layers, n_heads, t_query, t_key)"
    require(weights.dim() == 4, fault)
    maps = attention_maps(weights.flatten(0, 1), queries, keys)
    keep = torch.ones(maps.shape[1:], dtype=torch.bool) if keep is None else keep
    require(keep.shape == maps.shape[1:], f"keep is {tuple(keep.shape)}; give {maps.shape[1:]}")
    places = [divmod(number, weights.size(1)) for number in range(len(maps))]
    names = [f"layer {layer + 1}, head {head + 1}" for layer, head in places]
    most = [[f"{keys[row.argmax()]} {printed(row.max(), 2)}" for row in each] for each in maps]
    rows = [*zip(labels(queries), *([*map(escape, each)] for each in most), strict=True)]
    static = table(["token", *names], rows, "what each head takes most of")
    named = zip(maps, names, strict=True)
    every = "".join(grid(each, queries, keys, name, keep) for each, name in named)
    if len(every) > FOLDED_LIMIT:  # a model of many heads; the script has them all
        every = f"{maps.size} weights are too many to print; give fewer layers or tokens"
    static += f"<details><summary>every weight of every head</summary>{every}</details>"
    data = dict(weights=rounded(weights), queries=tagged(queries), keys=tagged(keys))
    data["keep"] = keep
    says = "A row belongs to the token that is written, a column to one that is looked at."
    return frame("heads", title, says, static, data)


def twins(sentences, states, translations, patched=(), title="One word differs") -> Picture:
    """Show how far each token is from its twin, layer by layer, and what a patch there turns.

    sentences: two lists of as many tokens. states: two tensors (n_layers + 1, t, d_model), the
    words first, then what each layer gives; the gap is the length of their difference, as a part
    of their mean length. translations: of the two. patched: one or two lists: patched[0][layer][t]
    is the translation of the first sentence after the vector there was taken from the second,
    patched[1] the other way round.
    Raises: ValueError if sizes differ.
    """
    first, second = states
    lengths = [len(each) for each in sentences]
    fault = f"the sentences have {lengths} tokens, the states {tuple(first.shape)}"
    fault += f" and {tuple(second.shape)}; give twins of one length, states (n_layers + 1, t, d)"
    require(first.shape == second.shape and {*lengths} == {first.size(1)}, fault)
    rows = ["words", *(f"layer {number}" for number in range(1, len(first)))]
    for each in patched:
        counts = [len(row) for row in each]
        fault = f"patched has rows of {counts}; give {len(rows)} rows of {lengths[0]} translations"
        require(counts == [lengths[0]] * len(rows), fault)
    gap = 2 * (first - second).norm(dim=-1) / (first.norm(dim=-1) + second.norm(dim=-1))
    caption, whole = "how far each token is from its twin", float(gap.max())
    static = grid(gap, rows, sentences[0], caption, whole=whole)
    for into, each in enumerate(patched):
        kept, other = translations[into], translations[1 - into]
        said = {kept: "the same", other: "<b>the twin's</b>"}
        cells = [[said.get(text) or labels([text])[0] for text in row] for row in each]
        cells = [[name, *row] for name, row in zip(rows, cells, strict=True)]
        caption = f"{kept} ({pinyin([kept])[0]}) after one vector was taken from the twin"
        static += table(["", *labels(sentences[into])], cells, caption)
    said = [f"{' '.join(each)}: {text}" for each, text in zip(sentences, translations, strict=True)]
    texts = {*translations, *(text for each in patched for row in each for text in row)}
    data = dict(sentences=sentences, gap=rounded(gap), rows=rows, patched=patched)
    data["texts"] = {text: tagged(tokenize(text, lowercase=False)) for text in sorted(texts)}
    data["translations"] = translations
    return frame("twins", title, "\n".join(said), static, data)


def play(source: Tokens, steps, attention: Tensor, beam=(), title="Token by token") -> Picture:
    """Play the decoding of one sentence: what is written, what else was likely, where it looked.

    steps: for each step its likeliest tokens as (token, probability), first the one that is
    written. attention: (t_target, t_source), the cross-attention of each step. beam: for each step
    what the beam keeps as (parent, token, log probability), the best first; parent is the place,
    from 0, in the step before. What is finished ends with <eos> and is no parent.
    Raises: ValueError if sizes differ, or a parent is none.
    """
    fault = f"attention has shape {tuple(attention.shape)}; give ({len(steps)}, {len(source)})"
    require(attention.shape == (len(steps), len(source)), fault + ", a row for each step")
    written, rows, nodes, width = [best[0][0] for best in steps], [], [], 1
    for step, (best, name) in enumerate(zip(steps, labels(written), strict=True), 1):
        likely = [f"{token} {printed(chance, 2)}" for token, chance in best]
        rows.append([str(step), name, escape(", ".join(likely)), f"{step} and {len(source)}"])
    static = table(["step", "writes", "likeliest", "keys: own and source"], rows)
    static += grid(attention, written, source, "cross-attention of each step")
    for step, kept in enumerate(beam, 1):
        parents = [parent for parent, _, _ in kept]
        fault = f"step {step} of the beam has parents {parents}; give places from 0 to {width - 1}"
        require({*parents} <= {*range(width)}, fault)
        cells = [f"{token} {printed(score, 2)} after {parent + 1}" for parent, token, score in kept]
        nodes.append([f"step {step}", *map(escape, cells)])
        width = len(kept)
    if beam:
        columns = [str(place + 1) for place in range(max(map(len, beam)))]
        nodes = [row + [""] * (len(columns) + 1 - len(row)) for row in nodes]
        static += table(["beam", *columns], nodes, "token, log probability, place it continues")
    data = dict(source=tagged(source), written=tagged(written), attention=rounded(attention))
    data["steps"] = [[[*tagged([word]), rounded(part)] for word, part in best] for best in steps]
    beam = [[[up, *tagged([word]), rounded(score)] for up, word, score in kept] for kept in beam]
    says = f"{' '.join(source)}: {' '.join(written)}"
    return frame("play", title, says, static, data | dict(beam=beam))


def kind_of_token(token: str) -> str:
    """Sort what should have been written: the end, a mark, or a word."""
    return "the end" if token == "<eos>" else "a word" if token[-1].isalnum() else "a mark"


def damage(
    lost: dict[str, Tensor], broken: dict, kind_of: Callable = kind_of_token, shown=3,
    title="Heads switched off",
) -> Picture:  # fmt: skip
    """Show what is lost when a head is off, and the sentences that break, from the first wrong on.

    lost: to the name of each attention (n_layers, n_heads) points. broken: to (name, layer, head),
    both from 1, a list of (source, expected, written) sentences that went wrong. kind_of: sorts the
    first token that should have been written and was not, for the counts. shown: so many sentences
    of each head are in the output, all are counted.
    Raises: ValueError for a head that lost does not have, or a sentence that is not broken.
    """
    whole = max(float(each.max()) for each in lost.values())
    static, cases, rows = "", [], []
    for name, each in lost.items():
        size = tuple(each.shape)
        require(len(size) == 2, f"lost[{name!r}] has shape {size}; give (n_layers, n_heads)")
        layers = [f"layer {number + 1}" for number in range(size[0])]
        columns = [f"head {number + 1}" for number in range(size[1])]
        static += grid(each, layers, columns, f"{name}: points lost", whole=whole)
    for (name, layer, head), sentences in broken.items():
        there = name in lost and 0 < layer <= len(lost[name]) and 0 < head <= lost[name].size(1)
        require(there, f"broken tells of {name!r}, layer {layer}, head {head}; lost has none such")
        found = [(source, *_first_wrong(right, wrote)) for source, right, wrote in sentences]
        kinds = Counter(kind_of((right + ["<eos>"])[place]) for _, right, _, place in found)
        counts = kinds.most_common()
        told = ", ".join(f"{kind} {count}" for kind, count in counts)
        where = f"{name}, layer {layer}, head {head}: {len(found)} broken, first {told}"
        for source, right, wrote, place in found[:shown]:
            both = _marked(right, place), _marked(wrote, place)
            rows.append([escape(where), escape(source), *both])
            where = ""
        examples = [[one, *map(tagged, both), place] for one, *both, place in found[:shown]]
        cases.append([name, layer, head, len(found), counts, examples])
    head = ["head", "source", "expected", "written, first wrong token bold"]
    data = dict(lost={name: rounded(each) for name, each in lost.items()}, cases=cases)
    says = "Points that are lost when one head is off, and what breaks then."
    return frame("damage", title, says, static + table(head, rows), data)


def _first_wrong(expected: str, written: str) -> tuple[list[str], list[str], int]:
    """Cut both sentences into tokens and find the place where the first differs."""
    right, wrote = (tokenize(text, lowercase=False) for text in (expected, written))
    require(right != wrote, f"{written!r} is as expected; put only broken sentences into broken")
    pairs = zip(right + ["<eos>"], wrote + ["<eos>"], strict=False)
    return right, wrote, [one == other for one, other in pairs].index(False)


def _marked(tokens: list[str], place: int) -> str:
    """Write a sentence as HTML, pinyin above, one token bold; after its end stands (end)."""
    ahead, token = "".join(tokens[:place]), (tokens + ["(end)"])[place]
    text = f"{escape(ahead)}<b>{escape(token)}</b>{escape(''.join(tokens[place + 1 :]))}"
    return f"<small>{' '.join(pinyin(tokens))}</small><br>{text}"
