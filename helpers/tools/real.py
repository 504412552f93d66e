"""Translate what people wrote: our Transformer beside torch.nn.Transformer, trained equally long.

The two train in turns, seed by seed, on one thread: with the same sizes, first embeddings, batches
and loop, for the same seconds of CPU, and each with the settings that were tuned for it.
data/experiments/real.json keeps settings and figures, but no sentence.
"""

import argparse
import copy
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.base import Metric
from torch import nn

from helpers.batches import endless_batches
from helpers.checkpoint import numeric_settings, write_atomically
from helpers.checks import require_range
from helpers.pairs import DATA, read_pairs
from helpers.recipe import Recipe
from helpers.scoring import bleu, chrf
from helpers.studies.recurrent_baselines import write_all
from helpers.tools.bench import PyTorchTransformer
from helpers.tools.notebooks import WrongCall
from helpers.tools.parameters import sizes_of
from helpers.training import Budget, TrainingSettings, evaluate, make_optimizer, translator_steps

RESULTS = DATA / "experiments" / "real.json"
# Tuned for nn.Transformer, whose layers keep the first weights that PyTorch draws; the rest is as
# in our Recipe.
THEIRS = dict(learning_rate=0.003, warmup_steps=200, label_smoothing=0.1, batch_size=48)
EVALUATIONS, RESAMPLES = 12, 1000
UNUSED = "steps", "evaluate_every", "seed"  # of the settings: minutes decide, seeds vary


def read_recipe(files: Sequence[str], minutes: float, folder: Path, backwards: bool) -> Recipe:
    """Read the files to train and to test with, sizes chosen by their length.

    folder: gets them turned round for the way back, so that no source is in two parts there either.
    Raises: ValueError or FileNotFoundError in a sentence.
    """
    sizes = sizes_of(files[0])
    if backwards:
        turned = [folder / name for name in ("train.tsv", "test.tsv")]
        for path, file in zip(turned, files, strict=True):
            lines = (f"{pair.target}\t{pair.source}\n" for pair in read_pairs(file))
            path.write_text("".join(lines), encoding="utf-8")
        files = turned
    return Recipe(corpus=files[0], test_file=files[1], minutes=minutes, **sizes).prepare()


def train_alike(model: nn.Module, recipe: Recipe, settings: TrainingSettings) -> dict[str, float]:
    """Train for the minutes in the settings, evaluations apart; leave the best weights in it."""
    work = endless_batches(recipe.train_examples, settings.batch_size, settings.seed)
    optimizer, budget = make_optimizer(model, settings), Budget(settings)
    torch.manual_seed(settings.seed)  # of dropout
    evaluated, best_loss, best_weights, done = 0, float("inf"), {}, {}
    for step, _ in translator_steps(model, work, settings, optimizer, budget=budget):
        if (point := int(budget.spent * EVALUATIONS)) > evaluated:
            done, started = dict(steps=step, cpu_seconds=budget.cpu_seconds()), time.process_time()
            evaluated, loss = point, evaluate(model, recipe.valid_examples)[0]
            if loss < best_loss:
                best_loss, best_weights = loss, copy.deepcopy(model.state_dict())
            budget.started += time.process_time() - started  # the clock stood still meanwhile
    model.load_state_dict(best_weights)
    return done | dict(valid_loss=best_loss)


def paired_bootstrap(
    metric: Metric, references: list[str], ours: list[list[str]], theirs: list[list[str]]
) -> dict[str, float]:
    """Test a difference of scores by a paired bootstrap over the sentences.

    ours, theirs: the translations of each seed; a resample takes the same sentences of all of them.
    Returns: the mean of each side over its seeds, their difference, and p: how often resampling
    alone moves it by as much, up or down (as sacrebleu counts it for two single systems).
    """
    count, random = len(references), np.random.default_rng(0)
    drawn = random.multinomial(count, np.full(count, 1 / count), RESAMPLES)  # how often each is
    drawn = np.vstack([np.ones_like(drawn[:1]), drawn])  # first the test as it is

    def scores_of(side: list[list[str]]) -> np.ndarray:
        # What sacrebleu counts in each sentence adds up to what it counts in all.
        counts = [metric._extract_corpus_statistics(each, [references]) for each in side]
        sums, score = (drawn @ np.array(each) for each in counts), metric._compute_score_from_stats
        return np.mean([[score(row.tolist()).score for row in each] for each in sums], axis=0)

    means = dict(ours=scores_of(ours), theirs=scores_of(theirs))
    means["difference"] = means["ours"] - means["theirs"]
    observed, *others = means["difference"]
    as_far = np.abs(others - np.mean(others)) >= abs(observed)
    found = {name: round(values[0], 3) for name, values in means.items()}
    return found | dict(p=round((1 + as_far.sum()) / (1 + RESAMPLES), 4))


def measure(recipe: Recipe, seeds: int) -> dict:
    """Train both with each seed, translate the test, score; returns all that the file keeps."""
    test = recipe.pairs.tests["test"]
    sources, references = [pair.source for pair in test], [pair.target for pair in test]
    settings = dict(ours=recipe.settings, theirs=replace(recipe.settings, **THEIRS))
    rows, written = dict(ours=[], theirs=[]), dict(ours=[], theirs=[])
    for seed, name in product(range(seeds), settings):
        model = recipe.new_model(seed)
        model = PyTorchTransformer(model) if name == "theirs" else model
        row = dict(seed=seed) | train_alike(model, recipe, replace(settings[name], seed=seed))
        translations = write_all(model, recipe, sources)
        scores = [score(translations, [[each] for each in references]) for score in (bleu, chrf)]
        row |= {score.name: score.value for score in scores}
        row = {key: round(value, 3) for key, value in row.items()}
        print(f"{name:6}", *(f"{key}={value}" for key, value in row.items()), flush=True)
        rows[name].append(row)
        written[name].append(translations)
    tokenizer = scores[0].signature.partition("tok:")[2].partition("|")[0]
    metrics = dict(BLEU=BLEU(tokenize=tokenizer, force=True), chrF=CHRF())
    parts = dict(train=recipe.pairs.train, valid=recipe.pairs.valid, test=references)
    about = dict(corpus=recipe.pairs.fingerprint, pairs={key: len(parts[key]) for key in parts})
    about |= dict(sizes=recipe.new_model().sizes, kernels=numeric_settings(), resamples=RESAMPLES)
    about |= dict(signatures=[score.signature for score in scores], rows=rows)
    for name, how in settings.items():
        settings[name] = {key: value for key, value in asdict(how).items() if key not in UNUSED}
    found = {key: paired_bootstrap(each, references, **written) for key, each in metrics.items()}
    return about | dict(settings=settings, scores=found)


def kept_figures() -> dict:
    """Read what the file has by now, of either direction."""
    try:
        return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    except ValueError:
        raise WrongCall(f"{RESULTS.name} is damaged; move it away and run again") from None


def main(arguments: list[str]) -> int:
    """Read the command line, measure one direction, and write it beside the other."""
    parser = argparse.ArgumentParser(prog="real", description=__doc__.partition("\n")[0])
    parser.add_argument("train", help="a file of sentence pairs; a part of it is for validation")
    parser.add_argument("test", help="a file of other pairs, to be translated")
    parser.add_argument("--minutes", type=float, default=8.0, help="of CPU, for each training")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--backwards", action="store_true", help="from the second language")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    try:
        require_range(minutes=(options.minutes, 1e-3, 1e4), seeds=(options.seeds, 1, 100))
        kept_figures()  # a damaged file is told now, and not after the training
        with TemporaryDirectory() as folder:
            files, how = (options.train, options.test), (Path(folder), options.backwards)
            found = measure(read_recipe(files, options.minutes, *how), options.seeds)
    except ValueError as error:
        raise WrongCall(str(error)) from None
    for name, each in found["scores"].items():
        print(f"{name:6}", *(f"{key}={value}" for key, value in each.items()))
    direction = "backwards" if options.backwards else "forwards"
    write_atomically(RESULTS, json.dumps(kept_figures() | {direction: found}, indent=1) + "\n")
    print(f"Written: data/experiments/{RESULTS.name}")
    return 0
