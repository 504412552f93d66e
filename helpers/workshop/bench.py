"""Measure speed as ratios within one run, and write build/bench.md and build/bench.json: what `make bench` calls."""

import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from helpers.decoding import beam_search, greedy
from helpers.masks import causal_keep, padding_keep
from helpers.text import (
    BOS,
    EOS,
    PAD,
    Batch,
    Vocabulary,
    encode_pairs,
    length_buckets,
    load_corpus,
    make_batch,
    pad_ids,
)
from helpers.training import TrainingSettings, build_folder, make_optimizer, train_step
from helpers.transformer import Transformer

DATA = Path(__file__).resolve().parent.parent.parent / "data"
SIZES = dict(d_model=128, n_heads=4, n_layers=2, d_ff=512, dropout=0.1)
BATCH_SIZE, ROUNDS = 48, 7  # the size that README.md advises for real sentences


class PyTorchTransformer(nn.Module):
    """torch.nn.Transformer between the same embeddings, positions and tied output layer as ours."""

    def __init__(
        self,
        ours: Transformer,
        d_model: int,
        n_heads: int,
        n_layers: int,
        d_ff: int,
        dropout: float,
    ):
        """Take the outer parts from our model, so that only the layers differ."""
        super().__init__()
        self.outer, self.max_tokens = ours, ours.max_tokens
        sizes = d_model, n_heads, n_layers, n_layers, d_ff, dropout
        with (
            warnings.catch_warnings()
        ):  # it tells that a path for post-norm inference cannot be used
            warnings.simplefilter("ignore")
            self.layers = nn.Transformer(*sizes, batch_first=True, norm_first=True)
        ours.encoder_layers = ours.decoder_layers = nn.ModuleList()
        ours.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        """Score every next target token: logits (batch, t_target, target_size)."""
        outer, hide = self.outer, source == PAD
        embedded = (
            outer.embed(source, outer.source_embedding),
            outer.embed(target_in, outer.target_embedding),
        )
        masks = dict(
            src_key_padding_mask=hide,
            memory_key_padding_mask=hide,
            tgt_mask=~causal_keep(target_in.size(1)),
        )
        return self.layers(*embedded, **masks) @ outer.target_embedding.weight.T


def greedy_without_cache(model: PyTorchTransformer, source: Tensor, max_tokens: int) -> Tensor:
    """Decode with nn.Transformer as it is: encode once, then the whole prefix again for each token."""
    outer, layers, hide = model.outer, model.layers, source == PAD
    prefix = torch.full((len(source), 1), BOS)
    with torch.inference_mode():
        memory = layers.encoder(
            outer.embed(source, outer.source_embedding), src_key_padding_mask=hide
        )
        for _ in range(max_tokens):
            masks = dict(memory_key_padding_mask=hide, tgt_mask=~causal_keep(prefix.size(1)))
            decoded = layers.decoder(outer.embed(prefix, outer.target_embedding), memory, **masks)
            logits = decoded[:, -1] @ outer.target_embedding.weight.T
            logits[:, EOS] = -torch.inf  # all the way to max_tokens
            prefix = torch.cat([prefix, logits.argmax(-1, keepdim=True)], dim=1)
    return prefix


def compare(first: Callable[[], object], second: Callable[[], object]) -> list[float]:
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


def training(
    model: nn.Module, work: list[Batch], threads: int = 1, plain: bool = False
) -> Callable[[], None]:
    """Make a job that trains a model on some batches; plain: with Adam as it comes, in place of our step."""
    settings = TrainingSettings()
    optimizer = (
        torch.optim.Adam(model.parameters(), lr=1e-3) if plain else make_optimizer(model, settings)
    )

    def job() -> None:
        torch.set_num_threads(threads)
        for batch in work:
            if plain:
                logits = model(batch.source, batch.target_in).flatten(0, 1)
                loss = F.cross_entropy(
                    logits, batch.target_out.flatten(), ignore_index=PAD, label_smoothing=0.1
                )
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            else:
                train_step(model, batch, optimizer, settings.warmup_steps, settings)
        torch.set_num_threads(1)

    return job


def tokens_of(work: list[Batch]) -> int:
    """Count the target tokens that are no pads."""
    return sum(int((batch.target_out != PAD).sum()) for batch in work)


def matmul_peak() -> float:
    """Measure the most floating-point operations a second that a product of two large matrices reaches here."""
    first, second = torch.rand(1024, 1024), torch.rand(1024, 1024)
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        first @ second
        seconds.append(time.perf_counter() - start)
    return 2 * 1024**3 / min(seconds)


def differing_tokens(model: Transformer, sentences: list[list[int]]) -> tuple[int, float]:
    """Decode with and without the cache.

    Returns: how many sentences differ, and over these the largest gap, where they part, between the two likeliest
    tokens, in logits: a tie that rounding decides.
    """
    differing, largest = 0, 0.0
    for start in range(0, len(sentences), 100):
        source = pad_ids(sentences[start : start + 100])
        for row, (ours, other) in enumerate(
            zip(greedy(model, source), greedy(model, source, use_cache=False), strict=True)
        ):
            if ours != other:
                both = zip([*ours, EOS], [*other, EOS], strict=False)
                common = next(t for t, (mine, their) in enumerate(both) if mine != their)
                with torch.inference_mode():
                    memory, keep = (
                        model.encode(source[row : row + 1])[0],
                        padding_keep(source[row : row + 1]),
                    )
                    logits = model.decode(torch.tensor([[BOS, *ours[:common]]]), memory, keep)[0][
                        0, -1
                    ]
                differing, largest = (
                    differing + 1,
                    max(largest, -float(logits.topk(2).values.diff())),
                )
    return differing, largest


def main(arguments: list[str]) -> int:
    """Run all comparisons, on a corpus of one's own if one is named, and write them down."""
    corpus = arguments[0] if arguments else str(DATA)
    parts = load_corpus(corpus)
    vocabularies = [
        Vocabulary.from_sentences((pair.source_tokens for pair in parts.train), max_size=5000),
        Vocabulary.from_sentences((pair.target_tokens for pair in parts.train), max_size=5000),
    ]
    examples = encode_pairs(parts.train, *vocabularies)
    in_buckets = length_buckets(examples, BATCH_SIZE, seed=0)[:20]
    at_random = torch.randperm(len(examples), generator=torch.Generator().manual_seed(0)).split(
        BATCH_SIZE
    )[:20]
    buckets, random = (
        [make_batch([examples[int(index)] for index in group]) for group in groups]
        for groups in (in_buckets, at_random)
    )

    def new() -> Transformer:
        torch.manual_seed(0)
        return Transformer(*map(len, vocabularies), **SIZES)

    ours, theirs, decoder = new(), PyTorchTransformer(new(), **SIZES), new().eval()
    with torch.no_grad():
        decoder.target_embedding.weight[EOS] = (
            0.0  # with the line below: a score of 0, which is never the highest
        )
    source = pad_ids([example.source for example in examples[:50]])
    their_decoder = PyTorchTransformer(new(), **SIZES).eval()
    equal = compare(training(ours, buckets), training(theirs, buckets))
    share = tokens_of(buckets) / tokens_of(random)  # as many tokens in each
    used = [
        ratio * share
        for ratio in compare(training(ours, buckets), training(theirs, random, plain=True))
    ]
    cached, uncached = (
        lambda use=use: greedy(decoder, source, 40, use_cache=use) for use in (True, False)
    )
    theirs_uncached = compare(cached, lambda: greedy_without_cache(their_decoder, source, 40))
    rows = [
        ("training, the same batches", "torch.nn.Transformer", equal),
        ("training, each as normally used", "torch.nn.Transformer, random batches, Adam", used),
        (
            "training, 1 thread",
            "2 threads",
            compare(training(ours, buckets[:5]), training(ours, buckets[:5], 2)),
        ),
        (
            "50 sentences of 40 tokens, cached",
            "torch.nn.Transformer without a cache",
            theirs_uncached,
        ),
        ("the same", "ours without the cache", compare(cached, uncached)),
        ("the same", "80 tokens", compare(cached, lambda: greedy(decoder, source, 80))),
        (
            "the same",
            "beam 4",
            compare(cached, lambda: beam_search(decoder, source, 4, max_tokens=40)),
        ),
    ]
    lines = ["| ours, time = 1 | beside it | takes times as long (median) | smallest and largest |"]
    lines.append("|---|---|---|---|")
    for base, other, ratios in rows:
        lines.append(
            f"| {base} | {other} | {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} |"
        )
    with FlopCounterMode(display=False) as counter:
        for batch in buckets:
            ours(batch.source, batch.target_in).sum().backward()
    start = time.perf_counter()
    training(ours, buckets)()
    seconds = time.perf_counter() - start
    peak = matmul_peak()
    speed = counter.get_total_flops() / seconds
    sizes = " and ".join(map(str, map(len, vocabularies)))
    lines += [
        "",
        f"{ROUNDS} rounds in turns, one thread; {SIZES}; vocabularies of {sizes} tokens, batches of {BATCH_SIZE}.",
        f"Training: {tokens_of(buckets) / seconds:,.0f} target tokens and {speed / 1e9:.0f} GFLOP a second:",
        f"{speed / peak:.0%} of the {peak / 1e9:.0f} that a product of large matrices reaches here.",
    ]
    # Tokens that differ say something only where the model has learned to end its sentences.
    tests = [pair for part in parts.tests.values() for pair in part]
    trained, settings = new(), TrainingSettings(learning_rate=6e-3)
    optimizer = make_optimizer(trained, settings)
    for step, group in enumerate(length_buckets(examples, 32, seed=1)[:400], start=1):
        train_step(
            trained, make_batch([examples[index] for index in group]), optimizer, step, settings
        )
    sentences = [example.source for example in encode_pairs(tests, *vocabularies)]
    differing, gap = differing_tokens(trained.eval(), sentences)
    lines.append(
        f"After 400 steps, decoding with and without cache differs in {differing} of {len(sentences)} test sentences"
        + (
            f"; where they part, the two likeliest tokens are at most {gap:.1e} logits apart."
            if differing
            else "."
        )
    )
    if torch.cuda.is_available():
        lines.append("A GPU is here: notebook 09 measures it with device = 'cuda'.")
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    medians = dict(
        training_equal_batches=equal, training_as_used=used, decoding_cached=theirs_uncached
    )
    content = {
        name: dict(median=statistics.median(ratios), smallest=min(ratios), largest=max(ratios))
        for name, ratios in medians.items()
    }
    (folder / "bench.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print("\n".join(lines), f"Written to {folder.name}/bench.md and bench.json", sep="\n")
    return 0
