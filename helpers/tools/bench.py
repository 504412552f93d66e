"""Measure speed as ratios within one run: `make bench` writes build/bench.md and bench.json."""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import torch
from torch import Tensor, nn

from helpers.batches import Batch, length_buckets, make_batch, pad_ids
from helpers.checkpoint import build_folder, write_atomically
from helpers.decoding import beam_search, greedy
from helpers.masks import causal_keep
from helpers.pairs import DATA
from helpers.recipe import Recipe
from helpers.text import EOS, PAD
from helpers.training import TrainingSettings, make_optimizer, translator_steps
from helpers.transformer import Transformer

SIZES = dict(d_model=128, n_heads=4, n_layers=2, d_ff=512, dropout=0.1)
BATCH_SIZE, ROUNDS = 48, 7  # the size that README.md advises for real sentences
SETTINGS = TrainingSettings(steps=10**9, batch_size=BATCH_SIZE, warmup_steps=1)


class PyTorchTransformer(nn.Module):
    """torch.nn.Transformer between the same embeddings, positions and output layer as ours."""

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

    def encode(self, source: Tensor) -> Tensor:
        """Return what the encoder makes of the source: (batch, t_source, d_model)."""
        embedded = self.outer.embed(source, self.outer.source_embedding)
        return self.layers.encoder(embedded, src_key_padding_mask=source == PAD)

    def decode(self, target_in: Tensor, memory: Tensor, source: Tensor, state=None) -> Tensor:
        """Score every next target token: logits (batch, t_target, target_size); without a cache.

        source: ids; or (batch, 1, 1, t_source), False at pads: 0, which is the id of a pad.
        """
        table = self.outer.target_embedding
        masks = dict(tgt_mask=~causal_keep(target_in.size(1)))
        masks["memory_key_padding_mask"] = source.flatten(1) == PAD
        decoded = self.layers.decoder(self.outer.embed(target_in, table), memory, **masks)
        return self.outer.scores(decoded)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Score every next target token: logits (batch, t_target, target_size)."""
        return self.decode(target_in, self.encode(source), source)


def time_ratios(first: Callable[[], object], second: Callable[[], object]) -> list[float]:
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


def train_on(model: nn.Module, work: Sequence[Batch], threads: int = 1) -> None:
    """Train a model on some batches as the translator is trained."""
    torch.set_num_threads(threads)
    for _ in translator_steps(model, work, SETTINGS, make_optimizer(model, SETTINGS)):
        pass
    torch.set_num_threads(1)


def compare_training(recipe: Recipe) -> dict[tuple[str, str], list[float]]:
    """Compare training steps: the ratios, by what and beside what."""
    groups = length_buckets(recipe.train_examples, BATCH_SIZE, seed=0)[:20]
    work = [make_batch([recipe.train_examples[i] for i in group]) for group in groups]
    ours = recipe.new_model(**SIZES)
    theirs = PyTorchTransformer(recipe.new_model(**SIZES))
    alone, together = (partial(train_on, ours, work[:5], threads) for threads in (1, 2))
    equal = time_ratios(partial(train_on, ours, work), partial(train_on, theirs, work))
    return {
        ("training, the same batches", "torch.nn.Transformer"): equal,
        ("training, 1 thread", "2 threads"): time_ratios(alone, together),
    }


def compare_decoding(recipe: Recipe) -> dict[tuple[str, str], list[float]]:
    """Compare decoding: the ratios, by what and beside what."""
    model = recipe.new_model(**SIZES).eval()
    theirs = PyTorchTransformer(recipe.new_model(**SIZES)).eval()
    with torch.no_grad():
        for each in (model, theirs.outer):
            each.scores.weight[EOS] = 0.0  # its score is 0 then: never the highest
    source = pad_ids([example.source for example in recipe.train_examples[:50]])
    again = dict(use_cache=False)
    others = {
        "torch.nn.Transformer without a cache": partial(greedy, theirs, source, 40, **again),
        "ours without the cache": partial(greedy, model, source, 40, **again),
        "80 tokens": partial(greedy, model, source, 80),
        "beam 4": partial(beam_search, model, source, 4, max_tokens=40),
    }
    cached, name = partial(greedy, model, source, 40), "50 sentences of 40 tokens, cached"
    return {(name, other): time_ratios(cached, job) for other, job in others.items()}


def main(arguments: list[str]) -> int:
    """Run all comparisons, print them and write them down."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("corpus", nargs="?", default=str(DATA), help="a folder or file of pairs")
    corpus = parser.parse_args(arguments).corpus
    recipe = Recipe(corpus=corpus, batch_size=BATCH_SIZE).prepare()
    found = {}
    lines = ["| ours, time = 1 | beside it | takes times as long (median) | smallest and largest |"]
    lines.append("|---|---|---|---|")
    for (base, other), ratios in (compare_training(recipe) | compare_decoding(recipe)).items():
        middle, ends = median(ratios), (min(ratios), max(ratios))
        found[f"{base} | {other}"] = dict(median=middle, smallest=ends[0], largest=ends[1])
        lines.append(f"| {base} | {other} | {middle:.2f} | {ends[0]:.2f} to {ends[1]:.2f} |")
    sizes = " and ".join(map(str, map(len, recipe.vocabularies)))
    how = f"{ROUNDS} rounds in turns, one thread; {SIZES}; vocabularies of {sizes} tokens, "
    lines += ["", f"{how}batches of {BATCH_SIZE}."]
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "bench.md", "\n".join(lines) + "\n")
    write_atomically(folder / "bench.json", json.dumps(found, indent=2) + "\n")
    print(*lines, f"Written to {folder.name}/bench.md and bench.json", sep="\n")
    return 0
