"""Measure speed as ratios within one run: `make bench` writes build/bench.md and bench.json."""

import argparse
import json
import statistics
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from helpers.batches import Batch, Examples, length_buckets, make_batch, pad_ids
from helpers.checkpoint import build_folder, write_atomically
from helpers.decoding import beam_search, greedy
from helpers.masks import causal_keep
from helpers.pairs import DATA
from helpers.recipe import Recipe
from helpers.text import BOS, EOS, PAD
from helpers.training import TrainingSettings, make_optimizer, translator_steps
from helpers.transformer import Transformer

SIZES = dict(d_model=128, n_heads=4, n_layers=2, d_ff=512, dropout=0.1)
BATCH_SIZE, ROUNDS = 48, 7  # the size that README.md advises for real sentences
SETTINGS = TrainingSettings(steps=10**9, batch_size=BATCH_SIZE, warmup_steps=1)


class PyTorchTransformer(nn.Module):
    """torch.nn.Transformer between the same embeddings, positions and tied output layer as ours."""

    def __init__(self, ours: Transformer):
        """Take the outer parts from our model, so that only the layers differ."""
        super().__init__()
        self.outer, self.max_tokens, sizes = ours, ours.max_tokens, ours.sizes
        names = ("d_model", "n_heads", "n_layers", "n_layers", "d_ff", "dropout")
        with warnings.catch_warnings():  # a path for post-norm inference cannot be used
            warnings.simplefilter("ignore")
            arguments = [sizes[name] for name in names]
            self.layers = nn.Transformer(*arguments, batch_first=True, norm_first=True)
        ours.encoder_layers = ours.decoder_layers = nn.ModuleList()

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Score every next target token: logits (batch, t_target, target_size)."""
        outer, hide = self.outer, source == PAD
        embedded_source = outer.embed(source, outer.source_embedding)
        embedded_target = outer.embed(target_in, outer.target_embedding)
        masks = dict(src_key_padding_mask=hide, memory_key_padding_mask=hide)
        masks["tgt_mask"] = ~causal_keep(target_in.size(1))
        decoded = self.layers(embedded_source, embedded_target, **masks)
        return decoded @ outer.target_embedding.weight.T


def greedy_without_cache(model: PyTorchTransformer, source: Tensor, max_tokens: int) -> Tensor:
    """Decode with nn.Transformer as it is: encode once, then the whole prefix for each token."""
    outer, layers, hide = model.outer, model.layers, source == PAD
    prefix = torch.full((len(source), 1), BOS)
    with torch.inference_mode():
        embedded = outer.embed(source, outer.source_embedding)
        memory = layers.encoder(embedded, src_key_padding_mask=hide)
        for _ in range(max_tokens):
            masks = dict(memory_key_padding_mask=hide, tgt_mask=~causal_keep(prefix.size(1)))
            embedded = outer.embed(prefix, outer.target_embedding)
            decoded = layers.decoder(embedded, memory, **masks)[:, -1]
            logits = decoded @ outer.target_embedding.weight.T
            logits[:, EOS] = -torch.inf  # all the way to max_tokens
            prefix = torch.cat([prefix, logits.argmax(-1, keepdim=True)], dim=1)
    return prefix


def compare(first: Callable[[], object], second: Callable[[], object]) -> list[float]:
    """Time both in turns, after one turn to warm up.

    Returns: how many times as long the second took, round by round.
    """
    ratios = []
    for _ in range(ROUNDS + 1):
        seconds = []
        for work in (first, second):
            start = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - start)
        ratios.append(seconds[1] / seconds[0])
    return ratios[1:]


def training(model: nn.Module, work: list[Batch], threads: int = 1) -> Callable[[], None]:
    """Make a job that trains a model on some batches as the translator is trained."""
    optimizer = make_optimizer(model, SETTINGS)

    def job() -> None:
        torch.set_num_threads(threads)
        for _ in translator_steps(model, work, SETTINGS, optimizer):
            pass
        torch.set_num_threads(1)

    return job


@dataclass
class Work:
    """What all comparisons work on: a recipe and some batches of similar length."""

    recipe: Recipe
    batches: list[Batch]

    def new(self) -> Transformer:
        """Draw the same model each time."""
        return self.recipe.new_model(**SIZES)


def prepare(corpus: str) -> Work:
    """Read the corpus and make twenty batches."""
    recipe = Recipe(corpus=corpus, batch_size=BATCH_SIZE).prepare()
    examples: Examples = recipe.train_examples
    groups = length_buckets(examples, BATCH_SIZE, seed=0)[:20]
    return Work(recipe, [make_batch([examples[i] for i in group]) for group in groups])


def compare_training(work: Work) -> list[tuple[str, str, list[float]]]:
    """Compare training steps: each row says what, beside what, and the ratios."""
    ours, theirs = work.new(), PyTorchTransformer(work.new())
    few = work.batches[:5]
    equal = compare(training(ours, work.batches), training(theirs, work.batches))
    threads = compare(training(ours, few), training(ours, few, threads=2))
    return [
        ("training, the same batches", "torch.nn.Transformer", equal),
        ("training, 1 thread", "2 threads", threads),
    ]


def compare_decoding(work: Work) -> list[tuple[str, str, list[float]]]:
    """Compare decoding: each row says what, beside what, and the ratios."""
    decoder, their_decoder = work.new().eval(), PyTorchTransformer(work.new()).eval()
    with torch.no_grad():
        decoder.target_embedding.weight[EOS] = 0.0  # its score is 0 then, which is never highest
    source = pad_ids([example.source for example in work.recipe.train_examples[:50]])

    def cached() -> object:
        return greedy(decoder, source, 40)

    others = {
        "torch.nn.Transformer without a cache": lambda: greedy_without_cache(
            their_decoder, source, 40
        ),
        "ours without the cache": lambda: greedy(decoder, source, 40, use_cache=False),
        "80 tokens": lambda: greedy(decoder, source, 80),
        "beam 4": lambda: beam_search(decoder, source, 4, max_tokens=40),
    }
    name = "50 sentences of 40 tokens, cached"
    return [(name, other, compare(cached, job)) for other, job in others.items()]


def table(rows: list[tuple[str, str, list[float]]]) -> list[str]:
    """Write the ratios as a table in markdown."""
    lines = ["| ours, time = 1 | beside it | takes times as long (median) | smallest and largest |"]
    lines.append("|---|---|---|---|")
    for base, other, ratios in rows:
        ends = f"{min(ratios):.2f} to {max(ratios):.2f}"
        lines.append(f"| {base} | {other} | {statistics.median(ratios):.2f} | {ends} |")
    return lines


def main(arguments: list[str]) -> int:
    """Run all comparisons, print them and write them down."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("corpus", nargs="?", default=str(DATA), help="a folder or file of pairs")
    work = prepare(parser.parse_args(arguments).corpus)
    rows = compare_training(work) + compare_decoding(work)
    sizes = " and ".join(map(str, map(len, work.recipe.vocabularies)))
    how = f"{ROUNDS} rounds in turns, one thread; {SIZES}; vocabularies of {sizes} tokens, "
    lines = [*table(rows), "", f"{how}batches of {BATCH_SIZE}."]
    if torch.cuda.is_available():
        lines.append("A GPU is here: notebook 09 measures it with device = 'cuda'.")
    found = {}
    for base, other, ratios in rows:
        summary = dict(median=statistics.median(ratios), smallest=min(ratios), largest=max(ratios))
        found[f"{base} | {other}"] = summary
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "bench.md", "\n".join(lines) + "\n")
    write_atomically(folder / "bench.json", json.dumps(found, indent=2) + "\n")
    print(*lines, f"Written to {folder.name}/bench.md and bench.json", sep="\n")
    return 0
