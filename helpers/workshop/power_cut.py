"""A tiny English-German corpus, its recipe, and what interrupts its training in lab 07a."""

import subprocess
import sys
import time
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from pathlib import Path

import matplotlib.pyplot as plt
import torch

from helpers.batches import Batch, encode_pairs, endless_batches
from helpers.checkpoint import load_checkpoint
from helpers.pairs import Pair
from helpers.recipe import Recipe
from helpers.text import Vocabulary
from helpers.training import TrainingSettings, evaluate, token_loss, training_steps
from helpers.transformer import Transformer

NOUNS = {
    "dog": "der Hund",
    "cat": "die Katze",
    "fox": "der Fuchs",
    "horse": "das Pferd",
    "mouse": "die Maus",
    "child": "das Kind",
    "man": "der Mann",
    "woman": "die Frau",
}
VERBS = {"sees": "sieht", "hears": "hört", "likes": "mag", "finds": "findet", "knows": "kennt"}
FROM, CUT, END = 51, 60, 84  # steps of the training that the lab opens with


def german_lines() -> list[str]:
    """Write who does what to whom, in English and German; the article of a noun is its own."""
    lines = []
    for one, (verb, does), other in product(NOUNS, VERBS.items(), NOUNS):
        if one != other:
            whom = NOUNS[other].replace("der ", "den ")
            german = f"{NOUNS[one]} {does} {whom}."
            lines.append(f"The {one} {verb} the {other}.\t{german[0].upper()}{german[1:]}")
    return lines


def write_german(path: Path) -> Path:
    """Write the corpus into a file, a pair a line, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(german_lines()) + "\n", encoding="utf-8")
    return path


@dataclass(frozen=True)
class TinyRecipe(Recipe):
    """A recipe for a corpus of a few hundred pairs: a hundred steps of a small model."""

    d_model: int = 32
    n_heads: int = 4
    n_layers: int = 1
    d_ff: int = 64
    dropout: float = 0.1
    steps: int = 100
    batch_size: int = 24
    learning_rate: float = 0.02

    @cached_property
    def settings(self) -> TrainingSettings:
        """The recipe's, with a warm-up that is shorter than the training, and ten evaluations."""
        tenth = max(1, self.steps // 10)
        return replace(super().settings, warmup_steps=2 * tenth, evaluate_every=tenth)


def recipe_of(file: Path, name: str, **settings) -> TinyRecipe:
    """Make the recipe for a file of pairs, whose results go into a folder below build/."""
    return TinyRecipe(corpus=str(file), name=name, **settings)


# The child waits before it saves once more than asked: whoever runs this loses the same steps.
PROGRAM = """
import itertools, time, torch
from {module} import {kind}
torch.set_num_threads({threads})
number = itertools.count(1)
def log(line):
    print(line, flush=True)
    if line.startswith("step") and next(number) > {saved}:
        time.sleep(600)
{recipe!r}.train(log=log)
"""


def train_until_killed(recipe: Recipe, saved: int) -> None:
    """Train in a process of its own, and kill that one after so many savings.

    Raises: RuntimeError if it came to its end before.
    """
    names = dict(module=type(recipe).__module__, kind=type(recipe).__name__, recipe=recipe)
    program = PROGRAM.format(**names, threads=torch.get_num_threads(), saved=saved)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        lines = (line for line in process.stdout if line.startswith(b"step"))
        for number, _ in enumerate(lines, 1):
            if number > saved:
                process.kill()
    if not (recipe.folder / "unfinished.pt").exists():
        raise RuntimeError(f"the training did not come to {saved} savings, or to its end before")
    time.sleep(1)  # TensorBoard orders its files by the second in which they were begun


def same_weights(one: Path, other: Path) -> bool:
    """Tell whether two checkpoints hold the same weights, to the last bit."""
    mine, theirs = (load_checkpoint(folder / "checkpoint.pt")["model"] for folder in (one, other))
    return all(torch.equal(mine[name], theirs[name]) for name in mine)


def _losses(cut: int) -> list[float]:
    """Train on the German pairs with Adam; after `cut` steps go on with nothing but the weights.

    Returns: the loss over all pairs, after each step from FROM on.
    """
    pairs = [Pair(*line.split("\t")) for line in german_lines()]
    source = Vocabulary.from_sentences(pair.source_tokens for pair in pairs)
    target = Vocabulary.from_sentences(pair.target_tokens for pair in pairs)
    examples = encode_pairs(pairs, source, target)
    torch.manual_seed(0)
    sizes = dict(d_model=32, n_heads=4, n_layers=1, d_ff=64, dropout=0.0)
    model, losses = Transformer(len(source), len(target), **sizes), []

    def loss_of(model: Transformer, batch: Batch) -> torch.Tensor:
        return token_loss(model(batch.source, batch.target_in), batch.target_out)

    for first, last in ((1, cut), (cut + 1, END)):
        adam = torch.optim.Adam(model.parameters(), lr=0.02, betas=(0.9, 0.98), fused=True)
        work = islice(endless_batches(examples, 16, 0, first), last - first + 1)
        for step, _ in training_steps(model, work, loss_of, adam, first=first):
            losses += [evaluate(model, examples)[0]] if step >= FROM else []
    return losses


def draw_the_cut() -> plt.Figure:
    """Draw the loss of a training left in peace, and of one whose weights alone were saved."""
    figure, axes = plt.subplots(figsize=(6.8, 3.2))
    axes.plot(range(FROM, END + 1), _losses(END), "o-", color="#111111", label="left in peace")
    cut, what = _losses(CUT)[CUT - FROM :], "weights saved, weights loaded"
    axes.plot(range(CUT, END + 1), cut, "o-", color="#e66100", label=what)
    axes.axvline(CUT, color="#9a9a9a", linestyle="--", label="the power goes off")
    axes.set(xlabel="step", ylabel="loss over all pairs", ylim=(0, None))
    axes.legend()
    return figure
