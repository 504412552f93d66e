"""A training as a whole: its log, its best weights, and the way back after an interruption."""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch.utils.tensorboard import SummaryWriter

from helpers import distributed
from helpers.batches import endless_batches
from helpers.checkpoint import load_checkpoint, numeric_settings, save_checkpoint, set_aside
from helpers.training import Budget, evaluate, make_optimizer, translator_steps

MARKS = (100, 200, 500, 1000, 2000)  # steps whose weights are kept, to see how it learned


@dataclass
class History:
    """What a training recorded: a row for each evaluation, the time, the weights at MARKS."""

    rows: list[dict[str, float]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    early: dict[int, dict] = field(default_factory=dict, compare=False, repr=False)

    @property
    def best(self) -> dict[str, float]:
        """The row with the smallest validation loss."""
        return min(self.rows, key=lambda row: row["valid_loss"])

    def column(self, name: str) -> list[float]:
        """One quantity over all evaluations, say valid_loss."""
        return [row[name] for row in self.rows]

    def __str__(self) -> str:
        """Write a line for each row."""
        return "\n".join(
            f"step {row['step']:5d}  train loss {row['train_loss']:.2f}  "
            f"valid loss {row['valid_loss']:.2f}  valid tokens right {row['valid_accuracy']:.1%}"
            for row in self.rows
        )


def train(
    model, vocabularies, train_examples, valid_examples, settings, folder: Path, corpus: str = "",
    log: Callable[[str], None] = print, reuse: bool = False, minutes: float | None = None,
) -> History:
    """Train, log a line every evaluate_every steps, leave the best weights in model and file.

    The folder gets checkpoint.pt (only when training is finished), tensorboard/, and, while
    training goes on, unfinished.pt: the same call after an interruption goes on from there to the
    same result. A checkpoint made with other settings, data or sizes is moved aside first, with
    its folder. The weights of the steps in MARKS are kept in it, too: copies, which change nothing.
    The train loss in the log is that of the first 500 examples, measured like the validation loss.
    model, vocabularies, settings: a Transformer, two Vocabulary, TrainingSettings.
    corpus: a fingerprint of the data, kept with the checkpoint.
    reuse: take a finished checkpoint that was made with all the same, and its log, instead of
    training again; ATTENTION_REUSE in the environment asks for it, too (make test).
    minutes: of CPU that are left of those in the settings; None: all of them.
    """
    made_with = all_that_decides(model, vocabularies, settings, corpus)
    checkpoint, unfinished = folder / "checkpoint.pt", folder / "unfinished.pt"
    with distributed.in_rank_0(distributed.lock, folder):
        if aside := distributed.told(set_aside, folder, made_with):
            where = f"{aside.parent.name}/{aside.name}"
            log(f"the checkpoint that was here was made otherwise: it is kept in {where}")
        reuse = reuse or bool(os.environ.get("ATTENTION_REUSE"))
        if distributed.told(lambda: reuse and checkpoint.exists() and not unfinished.exists()):
            saved = distributed.told(load_checkpoint, checkpoint)
            log(str(History(saved["rows"])))
        else:
            distributed.told(folder.mkdir, exist_ok=True)
            examples = train_examples, valid_examples
            how = minutes, unfinished, made_with, log
            state = _train_to_the_end(model, examples, settings, *how)
            kept = {name: state[name] for name in ("rows", "cpu_seconds", "early")}
            saved = made_with | dict(model=state["best_weights"]) | kept
            distributed.told(save_checkpoint, saved, checkpoint)
            distributed.told(unfinished.unlink)
        model.load_state_dict(saved["model"])
    return History(saved["rows"], saved["cpu_seconds"], saved.get("early", {}))


def all_that_decides(model, vocabularies, settings, corpus: str) -> dict:
    """List what a checkpoint was made with: its translations are those of no other training."""
    source_tokens, target_tokens = (vocabulary.tokens for vocabulary in vocabularies)
    about = dict(model=model.sizes, settings=asdict(settings), corpus=corpus)
    about["numerics"] = numeric_settings()
    pieces = [vocabulary.text for vocabulary in vocabularies if hasattr(vocabulary, "text")]
    tokens = dict(source_tokens=source_tokens, target_tokens=target_tokens)
    return dict(about=about, **tokens, **(dict(subwords=pieces) if pieces else {}))


def _train_to_the_end(model, examples, settings, minutes, path, made_with, log):
    """Train from the start, or from where an interrupted training was; return its last state."""
    optimizer, (train_examples, valid_examples) = make_optimizer(model, settings), examples
    state = _start_or_resume(model, optimizer, settings.seed, path, log)
    if state["last"]:
        return state
    first, device = state["step"] + 1, next(model.parameters()).device
    budget = Budget(settings, state["cpu_seconds"], minutes, distributed.largest)
    work = endless_batches(train_examples, settings.batch_size, settings.seed, first, device)
    work = distributed.in_step(map(distributed.share, work), device)
    how = settings, optimizer, first, budget, distributed.loss_of_all
    board = str(path.parent / "tensorboard")
    writes = distributed.in_rank_0(SummaryWriter, board, purge_step=first)
    with writes as writer:
        for step, _ in translator_steps(distributed.wrap(model), work, *how):
            if step in MARKS:
                state["early"][step] = _copy_of(model)
            if step % settings.evaluate_every and not budget.over(step):
                continue
            random = distributed.random_states()
            if distributed.rank():  # rank 0 measures, logs and saves for all
                continue
            (train_loss, _), (valid_loss, valid_accuracy) = (
                evaluate(model, part) for part in (train_examples[:500], valid_examples)
            )
            row = dict(step=step, train_loss=train_loss, valid_loss=valid_loss)
            row |= dict(valid_accuracy=valid_accuracy, learning_rate=budget.rate(step))
            for name, value in list(row.items())[1:]:
                writer.add_scalar(name, value, step)
            writer.flush()  # so that a kill loses nothing of the log that the checkpoint holds
            log(str(History([row])))
            rows, best_weights = [*state["rows"], row], state["best_weights"]
            if History(rows).best is row:
                best_weights = _copy_of(model)
            state = dict(step=step, last=budget.over(step), early=state["early"])
            state |= dict(model=model.state_dict(), optimizer=optimizer.state_dict(), random=random)
            state |= dict(rows=rows, best_weights=best_weights, cpu_seconds=budget.cpu_seconds())
            save_checkpoint(made_with | state, path)
    return distributed.told(dict, state)


def _copy_of(model) -> dict:
    return {name: each.clone() for name, each in model.state_dict().items()}


def _start_or_resume(model, optimizer, seed: int, path: Path, log) -> dict:
    """Read the state of an interrupted training into model and optimizer, if there is one."""
    torch.manual_seed(seed + 100_003 * distributed.rank())  # dropout
    if not distributed.told(path.exists):
        return dict(step=0, last=False, rows=[], best_weights={}, cpu_seconds=0.0, early={})
    state = distributed.told(load_checkpoint, path)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    distributed.take_random_state(state["random"])
    log(str(History(state["rows"])))
    return dict(early={}) | state
