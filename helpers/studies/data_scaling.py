"""The translator of notebook 07 with less to read, other rates, harder targets (lab 07b).

`make experiments NAMES=data_sizes` trains all of it with three seeds.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from helpers.batches import Example, Examples, endless_batches
from helpers.recipe import Recipe
from helpers.studies.translator_figures import first_mistakes, share_exact
from helpers.training import TrainingSettings, evaluate, translator_steps

SIZES = (500, 1000, 2000, 4000, 8000, 16000, 0)  # pairs to train with; 0: all
LOOKS = (50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200)
N_SEEN = 500  # training pairs that are measured: the same ones for every size
N_SEEDS = 3
RATES = (0.0017, 0.005, 0.015, 0.045)
FOREVER = 10**6  # steps until the rate has fallen: so far away that it stays where it is
SHORT = dict(steps=120, warmup_steps=40)  # of the trainings that try rates
NO_NET = dict(warmup_steps=0, clip=1e6)


@dataclass(frozen=True)
class FewPairs(Recipe):
    """The recipe of notebook 07, with some of its pairs; a larger choice holds the smaller one.

    The vocabularies stay those of the whole corpus, so that all models have the same size and all
    losses are among the same tokens.
    """

    n_pairs: int = 0  # 0: all
    steps: int = LOOKS[-1]
    label_smoothing: float = 0.1
    warmup_steps: int = 200
    clip: float = 1.0
    name: str = "data_sizes"

    @cached_property
    def settings(self) -> TrainingSettings:
        """The recipe's, with what is varied here."""
        changed = dict(label_smoothing=self.label_smoothing, clip=self.clip)
        return replace(super().settings, warmup_steps=self.warmup_steps, **changed)

    @cached_property
    def train_examples(self) -> Examples:
        """The chosen pairs as numbers: the first of an order that the seed draws."""
        pairs = self.pairs.train
        generator = torch.Generator().manual_seed(self.seed)
        order = torch.randperm(len(pairs), generator=generator).tolist()
        return self.encode(pairs[place] for place in order[: self.n_pairs or None])


def known_sentences(seen: Sequence[Example], examples: Sequence[Example]) -> list[bool]:
    """Tell of each example whether all its words, of both languages, stand in those seen."""
    sources = {number for example in seen for number in example.source}
    targets = {number for example in seen for number in example.target}
    pairs = ((set(each.source), set(each.target)) for each in examples)
    return [source <= sources and target <= targets for source, target in pairs]


def train_few_pairs(recipe: FewPairs, looks: Sequence[int] = LOOKS) -> tuple:
    """Train to the last look or to the recipe's end, and measure both losses on the way.

    Returns: the model as it is at the end, a copy from its smallest valid loss, rows.
    """
    work = endless_batches(recipe.train_examples, recipe.batch_size, recipe.seed)
    model, best, best_loss, rows = recipe.new_model(), None, float("inf"), []
    for step, _ in translator_steps(model, work, recipe.settings):
        if step in looks or step == recipe.steps:
            train_loss, _ = evaluate(model, recipe.train_examples[:N_SEEN])
            valid_loss, _ = evaluate(model, recipe.valid_examples)
            row = dict(train_loss=train_loss, valid_loss=valid_loss)
            row |= dict(valid_exact=share_exact(model, recipe.valid_examples))
            rows.append(dict(step=step) | {name: round(each, 4) for name, each in row.items()})
            if valid_loss < best_loss:
                best, best_loss = deepcopy(model), valid_loss
        if step == max(looks):
            break
    return model, best, rows


def measure_few_pairs(recipe: FewPairs) -> dict:
    """Train and measure: the figures of a row of the experiment."""
    model, best, rows = train_few_pairs(recipe)
    test, far = (recipe.encode(recipe.pairs.tests[name]) for name in ("test", "test_pairs"))
    right = [place < 0 for place, _ in first_mistakes(model, test)]
    known = known_sentences(recipe.train_examples, test)
    of_known = [hit for hit, each in zip(right, known, strict=True) if each]
    found = dict(seen=share_exact(model, recipe.train_examples[:N_SEEN]))
    found |= dict(test=sum(right) / len(right), known=sum(known) / len(known))
    found["test_known"] = sum(of_known) / max(1, len(of_known))
    found |= dict(test_pairs=share_exact(model, far), test_of_best=share_exact(best, test))
    best_step = min(rows, key=lambda row: row["valid_loss"])["step"]
    rounded = {name: round(share, 4) for name, share in found.items()}
    return rounded | dict(best_step=best_step, rows=rows)


def all_rows() -> tuple[dict, ...]:
    """List all trainings: by heart, without smoothing, sizes, and short ones at other rates."""
    usual = dict(n_pairs=0, steps=LOOKS[-1], learning_rate=0.005, label_smoothing=0.1)
    usual |= dict(warmup_steps=200, clip=1.0)
    plain = usual | dict(label_smoothing=0.0)
    kinds = [plain | dict(n_pairs=500, steps=FOREVER), plain | dict(n_pairs=500), plain]
    kinds += [usual | dict(n_pairs=size) for size in SIZES]
    for rate in RATES:
        short = usual | dict(learning_rate=rate) | SHORT
        kinds += [short, short | NO_NET] if rate > RATES[0] else [short]
    return tuple(kind | dict(seed=seed) for kind in kinds for seed in range(N_SEEDS))
