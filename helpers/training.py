"""Training: the settings, the one loop of steps that every training goes through, evaluation."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

from helpers.batches import Batch, Example, batches
from helpers.checks import require_range
from helpers.text import PAD
from helpers.transformer import Transformer, evaluating


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that decides a training besides the model and the data."""

    steps: int = 1000
    batch_size: int = 48  # sentences of mean length
    learning_rate: float = 6e-3  # the highest, reached after warmup_steps
    warmup_steps: int = 200
    weight_decay: float = 0.2
    label_smoothing: float = 0.1
    clip: float = 1.0  # largest norm of the gradient
    evaluate_every: int = 100  # steps
    seed: int = 0
    minutes: float = 0.0  # of CPU; above 0 they count, and not the steps

    def __post_init__(self):
        """Refuse values that cannot be right; raises ValueError naming setting and value."""
        require_range(steps=(self.steps, 1, 10**9), batch_size=(self.batch_size, 1, 10**6))
        require_range(learning_rate=(self.learning_rate, 1e-9, 1.0), seed=(self.seed, 0, 2**31))
        require_range(warmup_steps=(self.warmup_steps, 0, 10**9), clip=(self.clip, 1e-6, 1e6))
        require_range(evaluate_every=(self.evaluate_every, 1, 10**9))
        require_range(weight_decay=(self.weight_decay, 0.0, 9.0), minutes=(self.minutes, 0.0, 1e99))
        require_range(label_smoothing=(self.label_smoothing, 0.0, 0.99))


def learning_rate_at(step: int, settings: TrainingSettings, spent: float | None = None) -> float:
    """Give the rate of a step (from 1): up in a line while warming up, then along a cosine to 0.

    spent: the share of the time that is used up; without it, that of the steps behind the warm-up.
    """
    if step <= settings.warmup_steps:
        return settings.learning_rate * step / settings.warmup_steps
    if spent is None:
        spent = (step - settings.warmup_steps) / max(1, settings.steps - settings.warmup_steps)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * min(1.0, spent)))


def make_optimizer(model: nn.Module, settings: TrainingSettings) -> AdamW:
    """Create AdamW; weight decay for matrices only, not for norms and biases."""
    matrices = [weight for weight in model.parameters() if weight.dim() > 1]
    others = [weight for weight in model.parameters() if weight.dim() <= 1]
    decay = settings.weight_decay
    groups = [dict(params=matrices, weight_decay=decay), dict(params=others, weight_decay=0.0)]
    # fused: one pass over the weights, and the same bits on every processor (PyTorch's unfused
    # square root is not).
    return AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98), fused=True)


def token_loss(logits: Tensor, target_out, label_smoothing=0.0, reduction="mean") -> Tensor:
    """Average the cross entropy over all target tokens that are no pads.

    logits: (batch, t_target, target_size); target_out: (batch, t_target) ids.
    reduction: "mean", or "sum" for the sum over the tokens.
    Returns: a number in nats for each token.
    """
    how = dict(ignore_index=PAD, label_smoothing=label_smoothing, reduction=reduction)
    return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), **how)


def training_steps(
    model: nn.Module, batches: Iterable, loss_of: Callable[..., Tensor], optimizer: Optimizer,
    rate_at: Callable[[int], float] | None = None, clip: float = 0.0, first: int = 1,
) -> Iterator[tuple[int, float]]:
    """Predict, measure, differentiate, clip, move: a step for each batch; yields its number, loss.

    loss_of: takes the model and a batch, whatever that is, and returns a tensor of one number.
    rate_at: the learning rate of a step; without it the optimizer's own stays.
    clip: the largest norm of the gradient; 0 leaves it as it is.
    Raises: ValueError if the loss is no number any more.
    """
    model.train()
    weights = list(model.parameters())
    for step, batch in enumerate(batches, first):
        if rate_at is not None:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(step)
        loss = loss_of(model, batch)
        if not math.isfinite(loss.item()):
            advice = f"try a smaller learning_rate than {optimizer.defaults['lr']}"
            raise ValueError(f"the loss is {loss.item()} at step {step}; {advice}")
        optimizer.zero_grad()
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(weights, clip)
        optimizer.step()
        yield step, loss.item()


class Budget:
    """How much of a training is used up: of its steps, or of its minutes of CPU."""

    def __init__(
        self, settings: TrainingSettings, cpu_seconds: float = 0.0, minutes=None, agree=float
    ):
        """Start the clock; cpu_seconds were used by an earlier part of the same training.

        minutes: what is left of those in the settings, if others have used some of them.
        agree: what makes one number of those that several processes read from their clocks.
        """
        self.settings, self.agree = settings, agree
        self.started = time.process_time() - cpu_seconds
        self.minutes = settings.minutes if minutes is None else minutes
        self.spent = 0.0 if settings.minutes else None  # the share of the minutes, if these count

    def cpu_seconds(self) -> float:
        """Count the seconds of CPU of all parts of the training so far."""
        return time.process_time() - self.started

    def over(self, step: int) -> bool:
        """Tell whether this step is the last."""
        return step >= self.settings.steps if self.spent is None else self.spent >= 1

    def rate(self, step: int) -> float:
        """Give the learning rate of a step."""
        return learning_rate_at(step, self.settings, self.spent)

    def limit(self, batches: Iterable, first: int = 1) -> Iterator:
        """Pass batches on, from the first step on, until the budget is used up."""
        for step, batch in enumerate(batches, first):
            if self.spent is not None:
                self.spent = self.agree(self.cpu_seconds() / 60 / max(self.minutes, 1e-9))
            yield batch
            if self.over(step):
                return


def translator_steps(
    model: Transformer, batches: Iterable[Batch], settings: TrainingSettings,
    optimizer: Optimizer | None = None, first: int = 1, budget: Budget | None = None,
    loss: Callable[..., Tensor] | None = None,
) -> Iterator[tuple[int, float]]:
    """Train a translator as the settings say, until its steps or minutes are used up.

    batches: padded sentences, say endless_batches.
    loss: of logits, target_out and label_smoothing, token_loss if none is given.
    Returns: see training_steps.
    """

    def loss_of(model: Transformer, batch: Batch) -> Tensor:
        logits = model(batch.source, batch.target_in)
        return (loss or token_loss)(logits, batch.target_out, settings.label_smoothing)

    optimizer, budget = optimizer or make_optimizer(model, settings), budget or Budget(settings)
    batches = budget.limit(batches, first)
    return training_steps(model, batches, loss_of, optimizer, budget.rate, settings.clip, first)


def evaluate(model, examples: Sequence[Example], batch_size: int = 200) -> tuple[float, float]:
    """Measure with teacher forcing: every prediction sees the right tokens before it.

    Returns: cross entropy in nats for each target token, and the share of tokens predicted right.
    """
    device = next(model.parameters()).device
    total_loss, total_right, total = 0.0, 0, 0
    with evaluating(model):
        for batch in batches(examples, batch_size, device=device):
            logits = model(batch.source, batch.target_in)
            hits = (logits.argmax(-1) == batch.target_out)[batch.target_out != PAD]
            total_loss += token_loss(logits, batch.target_out).item() * len(hits)
            total_right += int(hits.sum())
            total += len(hits)
    return total_loss / total, total_right / total
