"""Measure speed as ratios within one run, and write them to build/bench.md: what `make bench` calls."""

import math
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from helpers.decoding import beam_search, greedy
from helpers.masks import causal_keep
from helpers.text import PAD, Batch, Vocabulary, batches, encode_pairs, pad_ids, read_pairs
from helpers.training import TrainingSettings, build_folder, make_optimizer, train_step
from helpers.transformer import Transformer

DATA = Path(__file__).resolve().parent.parent / "data"
SIZES = dict(d_model=96, n_heads=6, n_layers=2, d_ff=192, dropout=0.0)  # those of notebook 07
ROUNDS = 5


class PyTorchTransformer(nn.Module):
    """torch.nn.Transformer between the same embeddings, positions and tied output layer as ours."""

    def __init__(self, ours: Transformer, d_model: int, n_heads: int, n_layers: int, d_ff: int, dropout: float):
        """Take the outer parts from our model, so that only the layers differ."""
        super().__init__()
        self.outer = ours
        sizes = d_model, n_heads, n_layers, n_layers, d_ff, dropout
        with warnings.catch_warnings():  # it tells that a path for post-norm inference cannot be used
            warnings.simplefilter("ignore")
            self.layers = nn.Transformer(*sizes, batch_first=True, norm_first=True)
        ours.encoder_layers = ours.decoder_layers = nn.ModuleList()

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Score every next target token: logits (batch, t_target, target_size)."""
        outer, hide = self.outer, source == PAD
        embedded = outer.embed(source, outer.source_embedding), outer.embed(target_in, outer.target_embedding)
        masks = dict(src_key_padding_mask=hide, memory_key_padding_mask=hide, tgt_mask=~causal_keep(target_in.size(1)))
        return self.layers(*embedded, **masks) @ outer.target_embedding.weight.T


def compare(first: Callable[[], None], second: Callable[[], None]) -> list[float]:
    """Time both in turns, after one turn to warm up; return how many times as long the second took, round by round."""
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
    """Make a job that trains a model on some batches with so many threads."""
    settings = TrainingSettings()
    optimizer = make_optimizer(model, settings)

    def job() -> None:
        torch.set_num_threads(threads)
        for batch in work:
            train_step(model, batch, optimizer, settings.warmup_steps, settings)
        torch.set_num_threads(1)

    return job


def main() -> None:
    """Run all comparisons, print them and write them down."""
    pairs = read_pairs(DATA / "train.tsv")[:2000]
    vocabularies = [
        Vocabulary.from_sentences(pair.source_tokens for pair in pairs),
        Vocabulary.from_sentences(pair.target_tokens for pair in pairs),
    ]
    examples = encode_pairs(pairs, *vocabularies)
    work = list(batches(examples, 16, seed=0))[:60]

    def new() -> Transformer:
        torch.manual_seed(0)
        return Transformer(*map(len, vocabularies), **SIZES)

    ours, theirs, decoder = new(), PyTorchTransformer(new(), **SIZES), new().eval()
    source = pad_ids([example.source for example in examples[:50]])
    rows = [
        ("training step, ours = 1", "torch.nn.Transformer", compare(training(ours, work), training(theirs, work))),
        ("training step, 1 thread = 1", "2 threads", compare(training(ours, work), training(ours, work, threads=2))),
    ]
    # An untrained model rarely ends a sentence, so all of them have the same length of 40 tokens at most.
    cached, uncached = (lambda use=use: greedy(decoder, source, 40, use_cache=use) for use in (True, False))
    rows += [
        ("50 sentences of 40 tokens, with cache = 1", "without cache", compare(cached, uncached)),
        ("the same, greedy = 1", "beam 4", compare(cached, lambda: beam_search(decoder, source, 4, max_tokens=40))),
    ]
    lines = ["| compared | with | takes times as long (median) | smallest and largest |", "|---|---|---|---|"]
    for base, other, ratios in rows:
        lines.append(f"| {base} | {other} | {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} |")
    tokens = sum(int((batch.target_out != PAD).sum()) for batch in work)
    start = time.perf_counter()
    training(ours, work)()
    speed = tokens / (time.perf_counter() - start)
    lines.append(f"\n{ROUNDS} rounds in turns; training with one thread: {math.floor(speed):,} target tokens a second.")
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), f"Written to {folder.name}/bench.md", sep="\n")


if __name__ == "__main__":
    main()
