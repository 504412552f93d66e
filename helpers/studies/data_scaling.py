"""The translator of notebook 07 with less to read, other rates, harder targets (lab 07b).

`make experiments NAMES=data_sizes` trains all of it with three seeds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from helpers.batches import Example, Examples, endless_batches, length_buckets, make_batch
from helpers.checks import require_range
from helpers.recipe import Recipe
from helpers.text import PAD
from helpers.training import TrainingSettings, token_loss, translator_steps
from helpers.transformer import evaluating

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

    def __post_init__(self):
        """Refuse values that make no sense; raises ValueError naming them."""
        super().__post_init__()
        require_range(n_pairs=(self.n_pairs, 0, 10**9))

    @cached_property
    def settings(self) -> TrainingSettings:
        """The recipe's, with what is varied here."""
        names = "label_smoothing", "warmup_steps", "clip"
        return replace(super().settings, **{name: getattr(self, name) for name in names})

    @cached_property
    def train_examples(self) -> Examples:
        """The chosen pairs as numbers: the first of an order that the seed draws."""
        pairs = self.pairs.train
        generator = torch.Generator().manual_seed(self.seed)
        order = torch.randperm(len(pairs), generator=generator).tolist()
        return self.encode(pairs[place] for place in order[: self.n_pairs or None])


def look(model, examples: Sequence[Example]) -> tuple[float, list[bool]]:
    """Measure the loss in nats a token, and which sentences are right to the last token.

    If every next token is right after the right beginning, greedy writing gives the whole target.
    """
    total_loss, tokens, hits = 0.0, 0, [False] * len(examples)
    with evaluating(model):
        for group in length_buckets(examples, 200):
            batch = make_batch([examples[place] for place in group])
            logits = model(batch.source, batch.target_in)
            counted = batch.target_out != PAD
            right = (logits.argmax(-1) == batch.target_out) | ~counted
            for place, hit in zip(group, right.all(dim=1).tolist(), strict=True):
                hits[place] = hit
            total_loss += token_loss(logits, batch.target_out).item() * int(counted.sum())
            tokens += int(counted.sum())
    return total_loss / tokens, hits


def share(hits: Sequence[bool]) -> float:
    """Give the share of hits, with four digits."""
    return round(sum(hits) / max(1, len(hits)), 4)


def known_sentences(seen: Sequence[Example], examples: Sequence[Example]) -> list[bool]:
    """Tell of each example whether all its words, of both languages, stand in those seen."""
    sources = {number for example in seen for number in example.source}
    targets = {number for example in seen for number in example.target}
    pairs = ((set(each.source), set(each.target)) for each in examples)
    return [source <= sources and target <= targets for source, target in pairs]


def train(recipe: FewPairs, looks: Sequence[int] = LOOKS) -> tuple:
    """Train to the last look or to the recipe's end, and measure both losses on the way.

    Returns: the model with its last weights, its best weights (of the smallest valid loss), rows.
    """
    work = endless_batches(recipe.train_examples, recipe.batch_size, recipe.seed)
    model, rows, best_loss, best_weights = recipe.new_model(), [], float("inf"), {}
    for step, _ in translator_steps(model, work, recipe.settings):
        if step in looks or step == recipe.steps:
            train_loss, _ = look(model, recipe.train_examples[:N_SEEN])
            valid_loss, hits = look(model, recipe.valid_examples)
            losses = dict(train_loss=round(train_loss, 4), valid_loss=round(valid_loss, 4))
            rows.append(dict(step=step) | losses | dict(valid_exact=share(hits)))
            if valid_loss < best_loss:
                best_loss = valid_loss
                best_weights = {name: each.clone() for name, each in model.state_dict().items()}
        if step == max(looks):
            break
    return model, best_weights, rows


def measure(recipe: FewPairs) -> dict:
    """Train and measure: the figures of a row of the experiment."""
    model, best_weights, rows = train(recipe)
    test = recipe.encode(recipe.pairs.tests["test"])
    hits, known = look(model, test)[1], known_sentences(recipe.train_examples, test)
    far = recipe.encode(recipe.pairs.tests["test_pairs"])
    found = dict(seen=share(look(model, recipe.train_examples[:N_SEEN])[1]), test=share(hits))
    found |= dict(known=share(known))
    found["test_known"] = share([hit for hit, each in zip(hits, known, strict=True) if each])
    found["test_pairs"] = share(look(model, far)[1])
    model.load_state_dict(best_weights)
    found["test_of_best"] = share(look(model, test)[1])
    found["best_step"] = min(rows, key=lambda row: row["valid_loss"])["step"]
    return found | dict(rows=rows)


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
