"""Look inside a translator (08): switch heads off, see what goes wrong first, exchange vectors.

A head is named by its kind ("encoder", "decoder", "cross"), its layer and its number, from 1.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention, watching
from helpers.batches import Examples, length_buckets, make_batch, pad_ids
from helpers.decoding import NEVER, greedy
from helpers.pairs import DATA, Pair, read_pairs
from helpers.recipe import Recipe
from helpers.scoring import alignment_error_rate
from helpers.studies import broken_sentences
from helpers.text import BOS, EOS, PAD, detokenize, tokenize
from helpers.transformer import Transformer, evaluating
from helpers.translator import Translator

Head = tuple[str, int, int]
MARKS = "。？！"


def blocks_of(model: Transformer) -> dict[tuple[str, int], MultiHeadAttention]:
    """Name the attentions: the encoder's, the decoder's own, and those across to the source."""
    encoder, decoder = model.encoder_layers, model.decoder_layers
    blocks = {("encoder", n): layer.self_attention for n, layer in enumerate(encoder, 1)}
    blocks |= {("decoder", n): layer.self_attention for n, layer in enumerate(decoder, 1)}
    return blocks | {("cross", n): layer.cross_attention for n, layer in enumerate(decoder, 1)}


def heads_of(model: Transformer) -> list[Head]:
    """List all heads."""
    blocks = blocks_of(model).items()
    return [(*name, number) for name, block in blocks for number in range(1, block.n_heads + 1)]


@contextmanager
def before(module: nn.Module, change) -> Iterator[None]:
    """Let change(x) take the place of what goes into a module, for a while."""
    hook = module.register_forward_pre_hook(lambda _, inputs: (change(inputs[0]), *inputs[1:]))
    try:
        yield
    finally:
        hook.remove()


def _mute(x: Tensor, at: Tensor, rest: Tensor) -> Tensor:
    return torch.where(at, rest, x)


def _note(x: Tensor, seen: dict, name) -> Tensor:
    seen[name] = x
    return x


def mute(context: Tensor, head: int, d_head: int) -> Tensor:
    """Silence one head (from 1) among the contexts that stand side by side."""
    context = context.clone()
    context[..., (head - 1) * d_head : head * d_head] = 0
    return context


def take_head(context: Tensor, other: Tensor, head: int, d_head: int) -> Tensor:
    """Give one head (from 1) the channels that it has in another context."""
    context, channels = context.clone(), slice((head - 1) * d_head, head * d_head)
    context[..., channels] = other[..., channels]
    return context


def _mute_each(x: Tensor, switch: Callable, heads: list[int], d_head: int) -> Tensor:
    for head in heads:
        x = switch(x, head, d_head)
    return x


@contextmanager
def switched_off(
    model: Transformer, heads: Sequence[Head], means=None, switch: Callable | None = None
) -> Iterator[None]:
    """Switch heads off: their channels are 0 before the output layer mixes them, or their means.

    means: of each block the mean context (see mean_contexts); without it zeros. switch: silences
    one head in place of ours (see mute).
    """
    with ExitStack() as stack:
        for name, block in blocks_of(model).items():
            off = [number - 1 for *of_head, number in heads if tuple(of_head) == name]
            if off and switch:
                numbers = [number + 1 for number in off]
                change = partial(_mute_each, switch=switch, heads=numbers, d_head=block.d_head)
                stack.enter_context(before(block.output, change))
            elif off:
                width = block.n_heads * block.d_head
                at = torch.zeros(block.n_heads, dtype=torch.bool)
                at[off] = True
                at = at.repeat_interleave(block.d_head).to(block.output.weight.device)
                rest = means[name] if means else at.new_zeros(width, dtype=torch.float)
                stack.enter_context(before(block.output, partial(_mute, at=at, rest=rest)))
        yield


class Sentences:
    """Test sentences in batches, with what should be written and where the measure words are."""

    def __init__(self, pairs: Sequence[Pair], examples: Examples, device="cpu"):
        """Sort them into batches of similar length."""
        self.pairs, self.examples = pairs, examples
        self.wanted = [[*example.target, EOS] for example in examples]
        groups = length_buckets(examples, 200)
        self.batches = [
            (group, make_batch([examples[n] for n in group], device)) for group in groups
        ]
        nouns = read_nouns()
        self.nouns = [nouns_of_measure_words(pair, nouns) for pair in pairs]

    def kind(self, number: int, place: int) -> str:
        """Sort a token that should be written: measure word, final mark, (end), or another one."""
        tokens = self.pairs[number].target_tokens
        if place == len(tokens):
            return "(end)"
        if place in self.nouns[number]:
            return "measure word"
        return "final mark" if place == len(tokens) - 1 and tokens[-1] in MARKS else "other word"


def sentences_of(recipe: Recipe, count: int) -> Sentences:
    """Take the test sentences of a recipe.

    Raises: ValueError if they cannot be looked at as 08 does.
    """
    pairs = recipe.pairs.tests.get("test", [])[:count]
    known = {*recipe.vocabularies[0].tokens} >= {"brother", "saw"}
    known &= {*recipe.vocabularies[1].tokens} >= {*"哥弟看锯"}
    if not known or not pairs or not all(pair.links for pair in pairs):
        fault = "this corpus has no test sentences with word links, or no brother and no saw"
        raise ValueError(f"{fault}; take ../data, or go on with notebook 09")
    sentences = Sentences(pairs, recipe.encode(pairs), recipe.device)
    if not any(sentences.nouns):
        raise ValueError("these sentences hold no measure word; give a larger n_sentences")
    return sentences


def kept_breakers(folder: Path) -> list[list[str]]:
    """Read the sentences that the reader of 07 broke the translator with; none without the file."""
    return [row[:3] for row in broken_sentences.kept_breakers(folder) if row[3] == "you"]


def read_nouns() -> dict[str, set[str]]:
    """Read which measure words a noun may have: {"saws": {"把"}}."""
    lines = (DATA / "measure_words.tsv").read_text(encoding="utf-8").splitlines()
    found = defaultdict(set)
    found |= {noun: {*measures.split()} for noun, measures in (line.split("\t") for line in lines)}
    return found


def nouns_of_measure_words(pair: Pair, nouns: dict[str, set[str]]) -> dict[int, int]:
    """Find the measure words of a translation: the place of each, and of its noun in the source.

    A measure word is linked to an article or a number; the noun behind it decides which it is.
    """
    found, source = {}, pair.source_tokens
    for i, j in pair.links:
        behind = (place for place in range(i + 1, len(source)) if source[place] in nouns)
        noun = next(behind, None)
        if noun is not None and pair.target_tokens[j] in nouns[source[noun]]:
            found[j] = noun
    return found


def mean_contexts(model: Transformer, sentences: Sentences) -> dict[tuple[str, int], Tensor]:
    """Average what the heads of each block bring, side by side, over all tokens but pads."""
    blocks, totals = blocks_of(model), dict.fromkeys(blocks_of(model), 0.0)
    counts, seen = Counter(), {}
    with ExitStack() as stack:
        for name, block in blocks.items():
            stack.enter_context(before(block.output, partial(_note, seen=seen, name=name)))
        with evaluating(model):
            for _, batch in sentences.batches:
                model(batch.source, batch.target_in)
                for name, context in seen.items():
                    real = (batch.source if name[0] == "encoder" else batch.target_out) != PAD
                    totals[name] = totals[name] + context[real].sum(0)
                    counts[name] += int(real.sum())
    return {name: totals[name] / counts[name] for name in blocks}


def next_tokens(model: Transformer, sentences: Sentences) -> list[list[int]]:
    """Write each next token after the right beginning, for all places in one pass.

    Greedy decoding writes the right sentence exactly if all of them are right.
    """
    found = [[]] * len(sentences.pairs)
    with evaluating(model):
        for group, batch in sentences.batches:
            logits = model(batch.source, batch.target_in)
            logits[..., NEVER] = -torch.inf
            for number, row in zip(group, logits.argmax(-1).tolist(), strict=True):
                found[number] = row[: len(sentences.wanted[number])]
    return found


def first_wrong(written: Sequence, wanted: Sequence) -> int | None:
    """Find the first place where two rows differ; None if there is none."""
    pairs = enumerate(zip(written, wanted, strict=True))
    return next((place for place, (one, other) in pairs if one != other), None)


def right_sentences(written: list[list[int]], sentences: Sentences) -> list[bool]:
    """Tell which sentences are right to the last token."""
    return [one == other for one, other in zip(written, sentences.wanted, strict=True)]


def wrong_tokens(written: list[list[int]], sentences: Sentences) -> Counter:
    """Count the wrong tokens of each kind, wherever they stand."""
    wrong = Counter({"measure word": 0, "final mark": 0, "(end)": 0, "other word": 0})
    for number, (one, other) in enumerate(zip(written, sentences.wanted, strict=True)):
        places = (place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
        wrong.update(sentences.kind(number, place) for place in places)
    return wrong


def all_tokens(sentences: Sentences) -> Counter:
    """Count the tokens of each kind that should be written."""
    counts = Counter()
    for number, row in enumerate(sentences.wanted):
        counts.update(sentences.kind(number, place) for place in range(len(row)))
    return counts


def newly_broken(
    healthy: list[list[int]], written: list[list[int]], sentences: Sentences
) -> list[tuple[int, int]]:
    """List the sentences that were right and go wrong, each with its first wrong place."""
    rows = enumerate(zip(healthy, written, sentences.wanted, strict=True))
    places = {n: first_wrong(now, wanted) for n, (then, now, wanted) in rows if then == wanted}
    return [(number, place) for number, place in places.items() if place is not None]


def broken_translations(
    translator: Translator, sentences: Sentences, healthy: list, head: Head, shown: int
) -> list[tuple[str, str, str]]:
    """List the sentences that break without a head: source, right, and what is written now.

    The first `shown` are written to their ends by greedy decoding, of the others up to the fault.
    """
    with switched_off(translator.model, [head]):
        written = next_tokens(translator.model, sentences)
        found = newly_broken(healthy, written, sentences)
        first = [sentences.pairs[number] for number, _ in found[:shown]]
        texts = translator.translate([pair.source for pair in first]) if first else []
    names = translator.target_vocabulary.tokens
    for number, place in found[shown:]:
        ids = written[number][: place + 1]
        texts.append("".join(names[each] for each in ids if each != EOS))
    pairs = [sentences.pairs[number] for number, _ in found]
    rows = [(pair.source, pair.target, text) for pair, text in zip(pairs, texts, strict=True)]
    return [row for row in rows if row[1] != row[2]]


def mark_or_not(token: str) -> str:
    """Sort a token for the explorer of broken sentences."""
    return "final mark" if token in MARKS else "(end)" if token == "<eos>" else "word"


def patched_everywhere(translator: Translator, sentences: Sequence[str]) -> dict:
    """Translate two twins, and each with every vector of its encoder taken from the other.

    Returns: what the explorer of twins asks for.
    """
    model = translator.model
    device = next(model.parameters()).device
    ids = [torch.tensor([translator.read(each)], device=device) for each in sentences]
    begin = torch.tensor([[BOS]], device=device)
    stops = stops_of(model.encoder_layers, model.encoder_norm)
    states = [vectors_at(model, stops, each, begin) for each in ids]

    def write(source: Tensor) -> str:
        return detokenize(translator.target_vocabulary.decode(greedy(model, source)[0]))

    patches = []
    for source, other in zip(ids, reversed(states), strict=True):
        patches.append([])
        for name, module in stops.items():
            patches[-1].append([])
            for place in range(source.size(1)):
                with patched(module, torch.tensor([place]), other[name][:, place]):
                    patches[-1][-1].append(write(source))
    vectors = [torch.cat([*each.values()]) for each in states]
    tokens, texts = [tokenize(each) for each in sentences], [write(each) for each in ids]
    return dict(sentences=tokens, states=vectors, translations=texts, patched=patches)


def cross_maps(model: Transformer, sentences: Sentences) -> list[Tensor]:
    """Watch the cross-attention while the right translations are read.

    Returns: for each sentence (n_layers, n_heads, t_target + 1, t_source); row t writes token t.
    """
    maps: list[Tensor] = [torch.empty(0)] * len(sentences.pairs)
    with evaluating(model):
        for group, batch in sentences.batches:
            with watching(model.decoder_layers) as seen:
                model(batch.source, batch.target_in)
            cross = torch.stack([seen[name][0] for name in seen if "cross" in name], dim=1)
            for number, of_sentence in zip(group, cross.cpu(), strict=True):
                source, target = sentences.examples[number]
                maps[number] = of_sentence[:, :, : len(target) + 1, : len(source)].clone()
    return maps


def weight_on_nouns(maps: list[Tensor], sentences: Sentences) -> Tensor:
    """Average the weight on the noun while its measure word is written: (n_layers, n_heads)."""
    found = [
        of_sentence[:, :, j, noun]
        for of_sentence, nouns in zip(maps, sentences.nouns, strict=True)
        for j, noun in nouns.items()
    ]
    return torch.stack(found).mean(0)


def weight_on_marks(maps: list[Tensor], sentences: Sentences) -> Tensor:
    """Average a head's weight on the English mark while the Chinese one is written."""
    pairs = zip(maps, sentences.pairs, strict=True)
    found = [each[:, :, -2, -1] for each, pair in pairs if pair.target_tokens[-1] in MARKS]
    return torch.stack(found).mean(0)


def alignment_scores(chosen: list[list[int]], pairs: Sequence[Pair]) -> list[float]:
    """Score one source place for each target token against the gold links.

    Returns: the alignment error rate; the share that is right, of the tokens that have a link, and
    of all tokens.
    """
    gold, guess = [set(pair.links) for pair in pairs], []
    for places, pair in zip(chosen, pairs, strict=True):
        guess.append({(i, j) for j, i in enumerate(places[: len(pair.target_tokens)])})
    hits = sum(len(one & other) for one, other in zip(guess, gold, strict=True))
    linked = sum(len({j for _, j in links}) for links in gold)
    return [alignment_error_rate(guess, gold), hits / linked, hits / sum(map(len, guess))]


def baselines(pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """Score what looks at no model: the best possible, the diagonal, and chance (its mean)."""
    best, diagonal, expected = [], [], 0.0
    for pair in pairs:
        t_source, t_target = len(pair.source_tokens), len(pair.target_tokens)
        places = {j: i for i, j in pair.links}
        best.append([places.get(j, 0) for j in range(t_target)])
        diagonal.append([int((j + 0.5) * t_source / t_target) for j in range(t_target)])
        expected += len(pair.links) / t_source
    linked = sum(len({j for _, j in pair.links}) for pair in pairs)
    links, tokens = sum(len(pair.links) for pair in pairs), sum(map(len, best))
    chance = [1 - 2 * expected / (tokens + links), expected / linked, expected / tokens]
    found = {"best possible": best, "diagonal": diagonal}
    scored = {name: alignment_scores(each, pairs) for name, each in found.items()}
    return scored | {"chance": chance}


@dataclass
class Twins:
    """Sentences and their twins, which differ in one word of the source, the decider; as tensors.

    Each pair is there twice, either way round. word, decider: their places in the source. step:
    where the first character of the reading is written; own, other: this character, and the twin's.
    """

    pairs: list[tuple[Pair, Pair]]
    source: Tensor
    twin_source: Tensor
    target_in: Tensor
    twin_target_in: Tensor
    word: Tensor
    decider: Tensor
    step: Tensor
    twin_step: Tensor
    own: Tensor
    other: Tensor

    @property
    def rows(self) -> Tensor:
        """Number the sentences."""
        return torch.arange(len(self.pairs), device=self.source.device)


def read_twins(word: str, recipe: Recipe) -> Twins:
    """Read the unseen pairs of sentences about a word from data/probe_sets."""
    path = DATA / "probe_sets" / f"{word}.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    places = [int(line.split("\t")[4]) for line in lines]
    rows = [*zip(read_pairs(path), places, strict=True)]
    couples = [*zip(rows[::2], rows[1::2], strict=True)]
    couples += [(other, one) for one, other in couples]
    return make_twins(couples, recipe)


def make_twins(couples: list[tuple[tuple[Pair, int], tuple[Pair, int]]], recipe: Recipe) -> Twins:
    """Turn couples of (pair, place of the word) into tensors; each differs in one source word."""
    columns, (source_words, target_words) = defaultdict(list), recipe.vocabularies
    for (one, place), (other, other_place) in couples:
        words = enumerate(zip(one.source_tokens, other.source_tokens, strict=True))
        (decider,) = (i for i, (mine, twins) in words if mine != twins)
        for name, pair, at in (("", one, place), ("twin_", other, other_place)):
            ids = target_words.encode(pair.target_tokens)
            step = min(j for i, j in pair.links if i == at)
            columns[f"{name}source"].append(source_words.encode(pair.source_tokens))
            columns[f"{name}target_in"].append([BOS, *ids])
            columns[f"{name}step"].append(step)
            columns["other" if name else "own"].append(ids[step])
        columns["word"].append(place)
        columns["decider"].append(decider)
    tensors = {
        name: pad_ids(each, recipe.device)
        if isinstance(each[0], list)
        else torch.tensor(each, device=recipe.device)
        for name, each in columns.items()
    }
    return Twins([(one, other) for (one, _), (other, _) in couples], **tensors)


def stops_of(layers: Sequence[nn.Module], norm: nn.Module) -> dict[str, nn.Module]:
    """Name the places where the vectors of a tower can be caught: before each layer, at the top."""
    names = ["the words", *(f"after layer {number}" for number in range(1, len(layers) + 1))]
    return dict(zip(names, [*layers, norm], strict=True))


def vectors_at(model: Transformer, stops: dict, source: Tensor, target_in: Tensor) -> dict:
    """Catch the vectors at each stop: (batch, t, d_model) by its name."""
    seen = {}
    with ExitStack() as stack, evaluating(model):
        for name, module in stops.items():
            stack.enter_context(before(module, partial(_note, seen=seen, name=name)))
        model(source, target_in)
    return seen


def exchange(x: Tensor, places: Tensor, vectors: Tensor) -> Tensor:
    """Put other vectors (batch, d_model) at one place of each sentence."""
    x = x.clone()
    x[torch.arange(len(x), device=x.device), places] = vectors
    return x


@contextmanager
def patched(module: nn.Module, places: Tensor, vectors: Tensor) -> Iterator[None]:
    """Put other vectors (batch, d_model) at one place of each sentence of what enters a module."""
    with before(module, lambda x: exchange(x, places, vectors)):
        yield


def readings(model: Transformer, twins: Twins, source=None, twin_text=False) -> tuple[float, float]:
    """Say which shares of the sentences write their own reading, and the twin's.

    source: other sentences to read. twin_text: read the twin's translation up to there.
    """
    text, step = (twins.target_in, twins.step)
    if twin_text:
        text, step = twins.twin_target_in, twins.twin_step
    with evaluating(model):
        logits = model(twins.source if source is None else source, text)
    best = logits[twins.rows, step].argmax(-1)
    return (best == twins.own).float().mean().item(), (best == twins.other).float().mean().item()


def looks_of(model: Transformer, twins: Twins) -> dict[Head, tuple[float, float]]:
    """Average each head's weight on the decider and on the word while the reading is written."""
    with evaluating(model), watching(model.decoder_layers) as seen:
        model(twins.source, twins.target_in)
    maps, found = [seen[name][0] for name in seen if "cross" in name], {}
    for layer, weights in enumerate(maps, 1):
        row = weights[twins.rows, :, twins.step]  # (batch, n_heads, t_source)
        looks = [row[twins.rows, :, places].mean(0) for places in (twins.decider, twins.word)]
        for number, both in enumerate(zip(*(each.tolist() for each in looks), strict=True), 1):
            found["cross", layer, number] = both
    return found


def strangers(twins: Twins, same_decider: bool) -> Tensor:
    """Choose for each sentence another one, whose decider stands in the same place if it can be.

    same_decider: its decider is the same word, else the twin's.
    """
    words = twins.source[twins.rows, twins.decider].tolist()
    others = twins.twin_source[twins.rows, twins.decider].tolist()
    asked, found = words if same_decider else others, []
    places, by_word = twins.decider.tolist(), defaultdict(list)
    for number, word in enumerate(words):
        by_word[word].append(number)
    for number, word in enumerate(asked):
        near = [n for n in by_word[word] if places[n] == places[number]] or by_word[word]
        later = [n for n in near if n > number and twins.pairs[n][0] != twins.pairs[number][0]]
        found.append((later or near)[0])
    return torch.tensor(found, device=twins.source.device)


READINGS = ("看见", "锯子")


def two_saws(pairs: Sequence[Pair]) -> list[tuple[Pair, list[int], list[int]]]:
    """Find the sentences with both readings of saw: their places, and the steps that write them."""
    found = []
    for pair in pairs:
        places = {}
        for place, word in enumerate(pair.source_tokens):
            steps = sorted(j for i, j in pair.links if i == place)
            text = "".join(pair.target_tokens[j] for j in steps)
            if word == "saw" and text in READINGS:
                places[text] = place, steps[0]
        if len(places) == 2 and pair.source_tokens.count("saw") == 2:
            both = [places[reading] for reading in READINGS]
            found.append((pair, [place for place, _ in both], [step for _, step in both]))
    return found


def steps_scored(model: Transformer, saws: list, recipe: Recipe, module=None, change=None):
    """Score the first character of both readings of each sentence: (batch, 2, target_size).

    module, change: change(x) takes the place of what enters the module.
    """
    source, text, _, steps = saw_tensors(saws, recipe)
    with ExitStack() as stack, evaluating(model):
        if module is not None:
            stack.enter_context(before(module, change))
        logits = model(source, text)
    return logits[torch.arange(len(saws), device=recipe.device)[:, None], steps]


def saw_tensors(saws: list, recipe: Recipe) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Turn sentences with two saws into tensors: source, text, places and steps of both."""
    source_words, target_words = recipe.vocabularies
    source = [source_words.encode(pair.source_tokens) for pair, *_ in saws]
    text = [[BOS, *target_words.encode(pair.target_tokens)] for pair, *_ in saws]
    places, steps = (
        torch.tensor([each[n] for each in saws], device=recipe.device).view(-1, 2) for n in (1, 2)
    )
    return pad_ids(source, recipe.device), pad_ids(text, recipe.device), places, steps


COPIES = ("both rows from the verb's", "both rows from the tool's", "each from a stranger's")


def change_of(saws: list, recipe: Recipe, which: str, steps: bool = False):
    """Make a function that changes the rows of the two saws, or of their two steps.

    which: "swap", or one of COPIES. A stranger is the next sentence with another text; its saw has
    the same reading.
    """
    places = saw_tensors(saws, recipe)[3 if steps else 2]
    rows = torch.arange(len(saws), device=recipe.device)[:, None]
    donors, taken = rows, places.flip(1)
    if which == COPIES[2]:
        strangers_of_saws = [[stranger_of(saws, number)] for number in range(len(saws))]
        donors = torch.tensor(strangers_of_saws, device=recipe.device)
        taken = places[donors[:, 0]]
    elif which != "swap":
        taken = places[:, [COPIES.index(which)] * 2]

    def change(x: Tensor) -> Tensor:
        found = x.clone()
        found[rows, places] = x[donors, taken]
        return found

    return change


def changed_steps(model: Transformer, saws: list, recipe: Recipe, module, change) -> Tensor:
    """Say which of the two steps then write another character: (batch, 2)."""
    healthy = steps_scored(model, saws, recipe)
    return steps_scored(model, saws, recipe, module, change).argmax(-1) != healthy.argmax(-1)


def exchanged(model: Transformer, saws: list, recipe: Recipe, module=None, steps=False) -> int:
    """Exchange the vectors of the two saws (or of their two steps) where they enter a module.

    Returns: in how many sentences at least one of the two steps then writes another character.
    """
    if not saws:
        return 0
    change = change_of(saws, recipe, "swap", steps)
    return int(changed_steps(model, saws, recipe, module, change).any(1).sum())


def copied(model: Transformer, saws: list, recipe: Recipe, module, which: str) -> list[int]:
    """Overwrite rows of the two saws where they enter a module of the encoder (see COPIES).

    Returns: in how many sentences the verb, and the tool, then begins with another character.
    """
    if not saws:
        return [0, 0]
    change = change_of(saws, recipe, which)
    return changed_steps(model, saws, recipe, module, change).sum(0).tolist()


def moved(model: Transformer, saws: list, recipe: Recipe, which: str) -> list[int]:
    """Swap or copy after each layer of the encoder (see change_of).

    Returns: in how many sentences a score of one of the two steps moves by more than rounding.
    """
    if not saws:
        return [0] * len(model.encoder_layers)
    change, healthy = change_of(saws, recipe, which), steps_scored(model, saws, recipe)
    modules = list(stops_of(model.encoder_layers, model.encoder_norm).values())[1:]
    now = (steps_scored(model, saws, recipe, module, change) for module in modules)
    return [int(((each - healthy).abs() > 0.001).flatten(1).any(1).sum()) for each in now]


def stranger_of(saws: list, number: int) -> int:
    """Find the next sentence with two saws and another English text."""
    order = [*range(number + 1, len(saws)), *range(number)]
    text = saws[number][0].source
    return next((n for n in order if saws[n][0].source != text), number)


def without(model: Transformer, sentences: Sentences, heads: Sequence[Head], means=None) -> list:
    """Write all next tokens with some heads off."""
    with switched_off(model, heads, means):
        return next_tokens(model, sentences)


def wrong_without(
    model: Transformer, sentences: Sentences, heads: Sequence[Head], switch=None
) -> Counter:
    """Count the wrong tokens of each kind with some heads off.

    switch: silences a head in place of ours (see mute).
    """
    with switched_off(model, heads, switch=switch):
        return wrong_tokens(next_tokens(model, sentences), sentences)


def each_off(model: Transformer, sentences: Sentences, means=None) -> dict[Head, list]:
    """Write all next tokens without each head in turn."""
    return {head: without(model, sentences, [head], means) for head in heads_of(model)}


def points_lost(healthy: list, written: list, sentences: Sentences) -> float:
    """Say how many sentences of 100 are lost."""
    right = [sum(right_sentences(each, sentences)) for each in (healthy, written)]
    return 100 * (right[0] - right[1]) / len(sentences.pairs)


def first_wrong_kinds(healthy: list, written: list, sentences: Sentences) -> Counter:
    """Count the broken sentences by the kind of the token that should have come first."""
    broken = newly_broken(healthy, written, sentences)
    return Counter(sentences.kind(number, place) for number, place in broken)


def grids_of(values: dict[Head, float]) -> dict[str, Tensor]:
    """Lay one number for each head out as (n_layers, n_heads) for each kind."""
    kinds = list(dict.fromkeys(kind for kind, _, _ in values))
    layers = max(layer for _, layer, _ in values)
    found = {kind: [value for head, value in values.items() if head[0] == kind] for kind in kinds}
    return {kind: torch.tensor(each).view(layers, -1) for kind, each in found.items()}


def answers(maps: list[Tensor], head: Head) -> list[list[int]]:
    """Name for each sentence the place that a head of cross-attention looks at most, by token."""
    _, layer, number = head
    return [weights[layer - 1, number - 1].argmax(-1).tolist() for weights in maps]


def turned_by_text(model: Transformer, twins: Twins) -> float:
    """Silence the decider, feed the twin's Chinese; say which share then writes its reading."""
    stop, rows = {"top": model.encoder_norm}, twins.rows
    own = vectors_at(model, stop, twins.source, twins.target_in)["top"]
    other = vectors_at(model, stop, twins.twin_source, twins.twin_target_in)["top"]
    silent = (own + other)[rows, twins.decider] / 2
    with patched(model.encoder_norm, twins.decider, silent):
        return readings(model, twins, twin_text=True)[1]


def marked_twins(sentences: Sentences, recipe: Recipe) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Take the sentences with a final mark: source, source without it, Chinese up to it, its step.

    The Chinese is the right one, and its mark is due at the step.
    """
    pairs = [pair for pair in sentences.pairs if pair.target[-1] in MARKS]
    source_words, target_words = recipe.vocabularies
    texts = [[BOS, *target_words.encode(pair.target_tokens[:-1])] for pair in pairs]
    sources = [source_words.encode(pair.source_tokens) for pair in pairs]
    bare = pad_ids([each[:-1] for each in sources], recipe.device)
    steps = torch.tensor([len(text) - 1 for text in texts], device=recipe.device)
    return pad_ids(sources, recipe.device), bare, pad_ids(texts, recipe.device), steps


def marks_next(model: Transformer, sentences: Sentences, recipe: Recipe, head: Head) -> dict:
    """Say which share writes a mark next, if the English has one and if it has none.

    Returns: {case: [share, share]} for the healthy model, for the head switched off, and for the
    head's output at that step exchanged between the two versions of a sentence.
    """
    if not any(pair.target[-1] in MARKS for pair in sentences.pairs):
        return dict.fromkeys(MARK_CASES, [0.0, 0.0])
    *sources, text, steps = marked_twins(sentences, recipe)
    rows, seen = torch.arange(len(text), device=text.device), {}
    marks = torch.tensor(recipe.vocabularies[1].encode([*MARKS]), device=text.device)
    kind, layer, number = head
    block = blocks_of(model)[kind, layer]
    channels = slice((number - 1) * block.d_head, number * block.d_head)

    def share(source: Tensor) -> float:
        with evaluating(model):
            best = model(source, text)[rows, steps].argmax(-1)
        return torch.isin(best, marks).float().mean().item()

    found = {MARK_CASES[0]: [share(source) for source in sources]}
    for place, source in enumerate(sources):
        with before(block.output, partial(_note, seen=seen, name=place)):
            share(source)
    with switched_off(model, [head]):
        found[MARK_CASES[1]] = [share(source) for source in sources]
    found[MARK_CASES[2]] = []
    for place, source in enumerate(sources):

        def change(x: Tensor, given: Tensor = seen[1 - place]) -> Tensor:
            x = x.clone()
            x[rows, steps, channels] = given[rows, steps, channels]
            return x

        with before(block.output, change):
            found[MARK_CASES[2]].append(share(source))
    return found


MARK_CASES = ("healthy", "suspect off", "suspect's output from the other version")


def turned(
    model: Transformer, twins: Twins, module, places: Tensor, vectors: Tensor,
    patch: Callable = exchange,
) -> float:  # fmt: skip
    """Say which share writes the twin's reading after one row was patched (see exchange)."""
    with before(module, lambda x: patch(x, places, vectors)):
        return readings(model, twins)[1]


def score_gap(model: Transformer, twins: Twins) -> float:
    """Average by how much the score of a sentence's own reading lies above that of the twin's."""
    with evaluating(model):
        scores = model(twins.source, twins.target_in)[twins.rows, twins.step]
    return (scores[twins.rows, twins.own] - scores[twins.rows, twins.other]).mean().item()


SILENCED = ("its own", "silenced")


def two_by_two(model: Transformer, twins: Twins) -> list[tuple[str, str, float, float]]:
    """Patch two rows of the encoder's output at once: the decider's, and the word's.

    The decider's row is its own, or silenced: the mean of both twins' rows, which says neither. The
    word's row is its own, or the twin's.
    Returns: for each of four cases both names, the share that writes its own reading, and by how
    much its score lies above the twin's.
    """
    stop, rows, found = {"top": model.encoder_norm}, twins.rows, []
    own = vectors_at(model, stop, twins.source, twins.target_in)["top"]
    other = vectors_at(model, stop, twins.twin_source, twins.twin_target_in)["top"]
    said = own[rows, twins.decider], (own + other)[rows, twins.decider] / 2
    for of_decider, decider in zip(SILENCED, said, strict=True):
        for of_word, given in (("its own", own), ("the twin's", other)):
            with (
                patched(model.encoder_norm, twins.decider, decider),
                patched(model.encoder_norm, twins.word, given[rows, twins.word]),
            ):
                figures = readings(model, twins)[0], score_gap(model, twins)
            found.append((of_decider, of_word, *figures))
    return found


GIVEN = {"map": ("I saw a map", 3), "bought": ("I bought a saw", 1)}


def given_rows(model: Transformer, saws: list, recipe: Recipe, word: str, place: int) -> list:
    """Put the row of another word (see GIVEN) in the place of the verb (0) or of the tool (1).

    Returns: after each layer of the encoder, in how many sentences the verb, and the tool, then
    begins with another character.
    """
    stops = dict([*stops_of(model.encoder_layers, model.encoder_norm).items()][1:])
    if not saws:
        return [[0, 0] for _ in stops]
    text, at = GIVEN[word]
    ids = torch.tensor([recipe.vocabularies[0].encode(tokenize(text))], device=recipe.device)
    start = torch.tensor([[BOS]], device=recipe.device)
    given, places = vectors_at(model, stops, ids, start), saw_tensors(saws, recipe)[2][:, place]
    found = []
    for name, module in stops.items():
        change = partial(exchange, places=places, vectors=given[name][0, at])
        found.append(changed_steps(model, saws, recipe, module, change).sum(0).tolist())
    return found


def copy_everywhere(model: Transformer, saws: list, recipe: Recipe) -> dict[str, list]:
    """Copy saws one way after each layer of the encoder: {kind: [[verbs, tools changed], ...]}."""
    modules = list(stops_of(model.encoder_layers, model.encoder_norm).values())[1:]
    return {
        which: [copied(model, saws, recipe, each, which) for each in modules] for which in COPIES
    }


def patch_rows(model: Transformer, twins: Twins, rows: dict) -> dict[str, list[float]]:
    """Take one row from the twin after each layer of the encoder: {row: [share that turns, ...]}.

    rows: the places of each row to be exchanged, by its name.
    """
    stops = stops_of(model.encoder_layers, model.encoder_norm)
    given, found = vectors_at(model, stops, twins.twin_source, twins.twin_target_in), {}
    for name, at in rows.items():
        found[name] = [
            turned(model, twins, module, at, given[stop][twins.rows, at])
            for stop, module in stops.items()
        ][1:]
    return found


def show_breakers(folder: Path) -> None:
    """Print what the reader of 07 broke the translator with, or that there's nothing yet."""
    rows = kept_breakers(folder)
    for english, _, wrote in rows:
        print(f"you broke it with: {english} -> {wrote}")
    if not rows:
        print("breakers.tsv: no sentence of yours yet")
