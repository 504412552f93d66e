"""Figures of a trained translator that notebooks and experiments share."""

from collections.abc import Sequence
from itertools import islice

import torch

from helpers.batches import endless_batches
from helpers.pairs import DATA, Pair
from helpers.recipe import Recipe
from helpers.studies.reading_rules import doubts_in, is_read
from helpers.text import BOS, tokenize
from helpers.training import translator_steps
from helpers.transformer import evaluating
from helpers.translator import Translator


def accepted_translations(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Give for each source its translations: those of the pairs, then of data/references.tsv."""
    accepted: dict[str, list[str]] = {}
    for pair in pairs:
        accepted.setdefault(pair.source, []).append(pair.target)
    for line in (DATA / "references.tsv").read_text(encoding="utf-8").splitlines():
        source, *others = line.split("\t")
        if source in accepted:
            accepted[source] += [other for other in others if other not in accepted[source]]
    return accepted


def readings_right(pairs: Sequence[Pair], translations: Sequence[str]) -> dict[str, float]:
    """Score how the words decided far away are read: of all minimal pairs, and of each word.

    Pairs whose sentences hold the same words in another order are scored apart, as `order`.
    """
    hits: dict[str, list[bool]] = {}
    for pair, found in zip(pairs, translations, strict=True):
        word, *kind = pair.construction.removeprefix("far_").split("_")
        doubtful = [doubt for doubt in doubts_in(pair) if doubt.word == word]
        right = all(is_read(word, doubt.reading, found) for doubt in doubtful)
        for group in ["order"] if "order" in kind else ["test_pairs", word]:
            hits.setdefault(group, []).append(right)
    return {f"readings.{group}": sum(found) / len(found) for group, found in hits.items()}


def likeliest(translator: Translator, source: str, translation: str, count: int = 3) -> list:
    """List the likeliest tokens at each step of a translation, each with its chance."""
    device = next(translator.model.parameters()).device
    source_ids = torch.tensor([translator.read(source)], device=device)
    tokens = tokenize(translation, lowercase=False)
    ids = [BOS, *translator.target_vocabulary.encode(tokens)]
    target_in = torch.tensor([ids], device=device)
    with evaluating(translator.model):
        chances, best = translator.model(source_ids, target_in)[0].softmax(-1).topk(count)
    names = [[translator.target_vocabulary.tokens[number] for number in row] for row in best]
    rows = zip(names, chances.tolist(), strict=True)
    return [[[name, round(chance, 2)] for name, chance in zip(*row, strict=True)] for row in rows]


def first_losses(recipe: Recipe, count: int) -> list[float]:
    """Train for the first steps of a recipe and return the loss of each."""
    work = endless_batches(recipe.train_examples, recipe.batch_size, recipe.seed)
    steps = translator_steps(recipe.new_model(), work, recipe.settings)
    return [loss for _, loss in islice(steps, count)]
