"""The benchmark measures what it says: the same model beside PyTorch's, ratios, files."""

import json
from itertools import count

import pytest
import torch

from helpers.tests.conftest import copy_transformer
from helpers.text import BOS, EOS
from helpers.transformer import Transformer
from helpers.workshop import bench

SMALL = dict(d_model=8, n_heads=2, n_layers=2, d_ff=8, dropout=0.1)


def two_models():
    """Draw our model twice, the second one with PyTorch's layers between, of the same weights."""
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(Transformer(20, 20, **SMALL))
    theirs = bench.PyTorchTransformer(models[1]).eval()
    ours = models[0].eval()
    # PyTorch's norm at the end of each half is ours, too
    copy_transformer(ours, theirs.layers)
    return ours, theirs


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_the_other_model_computes_the_same():
    ours, theirs = two_models()
    for weights in (*ours.parameters(), *theirs.parameters()):  # so that what is seen decides
        weights.data *= 3
    source = torch.tensor([[5, 6, 7, 8], [9, 10, 0, 0]])
    target_in = torch.tensor([[BOS, 4, 5], [BOS, 6, 0]])
    assert torch.allclose(ours(source, target_in), theirs(source, target_in), rtol=1e-4, atol=1e-4)
    written = bench.greedy_without_cache(theirs, source, 12)
    prefix = torch.full((2, 1), BOS)
    for _ in range(12):
        logits = ours(source, prefix)[:, -1]
        logits[:, EOS] = -torch.inf
        prefix = torch.cat([prefix, logits.argmax(-1, keepdim=True)], dim=1)
    assert written.tolist() == prefix.tolist()


def test_the_ratio_is_that_of_the_second_after_a_round_to_warm_up(monkeypatch):
    clock, calls = [0.0], []
    monkeypatch.setattr(bench.time, "perf_counter", lambda: clock[0])

    def work(name, seconds):
        def job():
            calls.append(name)
            clock[0] += next(seconds)

        return job

    slow = iter([100.0] + [3.0] * bench.ROUNDS)
    ratios = bench.compare(work("a", iter([1.0] + [2.0] * bench.ROUNDS)), work("b", slow))
    assert ratios == [1.5] * bench.ROUNDS and calls == ["a", "b"] * (bench.ROUNDS + 1)


def test_where_cached_and_uncached_decoding_part_the_gap_is_that_of_the_two_likeliest(monkeypatch):
    ours, _ = two_models()
    sources = [[5, 6], [7], [8, 9, 10]] * 40  # more than a batch of 100
    assert bench.differing_tokens(ours, sources) == (0, 0.0)
    real, calls = bench.greedy, count()

    def sometimes_other(model, source, use_cache=True):
        outputs = real(model, source, 3, use_cache)
        if not use_cache and next(calls) == 0:
            outputs[1] = [outputs[1][0], 4 if outputs[1][1] != 4 else 5, *outputs[1][2:]]
        return outputs

    monkeypatch.setattr(bench, "greedy", sometimes_other)
    differing, gap = bench.differing_tokens(ours, sources)
    first = real(ours, torch.tensor([[7]]), 3)[0][0]
    logits = ours(torch.tensor([[7]]), torch.tensor([[BOS, first]])).detach()[0, -1].sort().values
    assert differing == 1 and gap == pytest.approx(float(logits[-1] - logits[-2]), abs=1e-5)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_a_run_writes_a_table_and_the_numbers(tmp_path, monkeypatch, capsys):
    lines = (f"word{number} here\t第{number}个\n" for number in "abcdefghijklmnopqrstuvwxy")
    (tmp_path / "pairs.tsv").write_text("".join(lines), encoding="utf-8")
    build, made, new = tmp_path / "not" / "yet", [], bench.Work.new
    monkeypatch.setenv("ATTENTION_BUILD", str(build))
    monkeypatch.setattr(
        bench.Work, "new", lambda work, **sizes: made.append(sizes) or new(work, **sizes)
    )
    greedy, cached = bench.greedy, []

    def watched(model, source, steps, use_cache=True):
        cached.append((steps, use_cache))
        return greedy(model, source, steps, use_cache)

    monkeypatch.setattr(bench, "greedy", watched)
    monkeypatch.setattr(bench, "SIZES", SMALL)
    monkeypatch.setattr(bench, "BATCH_SIZE", 8)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "ties", lambda work: "no ties")
    assert bench.main([str(tmp_path / "pairs.tsv")]) == 0
    printed = capsys.readouterr().out
    assert (build / "bench.md").read_text() in printed and "no ties" in printed
    found = json.loads((build / "bench.json").read_text())
    assert "training, the same batches | torch.nn.Transformer" in found and len(found) == 8
    assert all(each["smallest"] <= each["median"] <= each["largest"] for each in found.values())
    assert torch.get_num_threads() == 1
    assert {*cached} == {(40, True), (40, False), (80, True)}
    assert dict(dropout=0.0) in made and dict(dropout=0.05) in made
