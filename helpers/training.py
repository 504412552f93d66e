"""Training: one step, many steps with a log, and checkpoints that survive an interruption."""

import io
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import count
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter

from helpers.text import PAD, Batch, Example, Vocabulary, batches, length_buckets, make_batch
from helpers.transformer import Transformer, evaluating


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that decides a training run besides the model and the data."""

    steps: int = 1000
    batch_size: int = 48  # sentences of mean length
    learning_rate: float = 6e-3  # the highest, reached after warmup_steps
    warmup_steps: int = 200
    weight_decay: float = 0.1
    label_smoothing: float = 0.1
    clip: float = 1.0  # largest norm of the gradient
    evaluate_every: int = 100  # steps
    seed: int = 0
    minutes: float = 0.0  # of CPU; above 0 they end the training, and the learning rate falls with them, not with steps

    def __post_init__(self):
        """Refuse values that cannot be right; raises ValueError naming the setting and the value."""
        for setting in fields(self):
            value, kind = getattr(self, setting.name), setting.type
            if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
                raise ValueError(f"{setting.name}={value!r} is not a {'whole ' * (kind is int)}number")
            least = 1 if setting.name in ("steps", "batch_size", "evaluate_every") else 0
            if not least <= value < math.inf:
                raise ValueError(f"{setting.name}={value!r} is out of range; give {least} or more")
        if not 0 < self.learning_rate <= 1:
            raise ValueError(f"learning_rate={self.learning_rate} is not between 0 and 1; try 0.003")
        if not self.clip:
            raise ValueError("clip=0 would stop all learning; try 1.0")
        if self.label_smoothing >= 1:
            raise ValueError(f"label_smoothing={self.label_smoothing} is not below 1")


def build_folder() -> Path:
    """Find where results go: the folder build of the project, or the one that ATTENTION_BUILD names (make test)."""
    return Path(os.environ.get("ATTENTION_BUILD") or Path(__file__).resolve().parent.parent / "build")


def pick_device(device: str) -> torch.device:
    """Turn a name like cpu or cuda into a device that is there.

    Raises: ValueError if the name is unknown or no such device is there.
    """
    try:
        found = torch.device(device)
        torch.ones(1, device=found).item()  # the device named meta holds no numbers
    except (RuntimeError, AssertionError, TypeError, NotImplementedError):
        raise ValueError(
            f"device={device!r} is not to be had here; use 'cpu', or 'cuda' where there is a GPU"
        ) from None
    return found


def learning_rate_at(step: int, settings: TrainingSettings, spent: float | None = None) -> float:
    """Give the learning rate of a step (from 1): up in a line during the warm-up, then down to 0 along a cosine.

    spent: the share of the time budget that is used up; without it, that of the steps behind the warm-up.
    """
    if step <= settings.warmup_steps:
        return settings.learning_rate * step / settings.warmup_steps
    if spent is None:
        spent = (step - settings.warmup_steps) / max(1, settings.steps - settings.warmup_steps)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * min(1.0, spent)))


def make_optimizer(model: nn.Module, settings: TrainingSettings) -> torch.optim.AdamW:
    """Create AdamW; weight decay for matrices only, since norms and biases are no weights of inputs."""
    matrices = [weight for weight in model.parameters() if weight.dim() > 1]
    others = [weight for weight in model.parameters() if weight.dim() <= 1]
    groups = [dict(params=matrices, weight_decay=settings.weight_decay), dict(params=others, weight_decay=0.0)]
    # fused: one pass over the weights, and the same bits on every processor (PyTorch's unfused square root is not).
    return torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98), fused=True)


def token_loss(logits: Tensor, target_out: Tensor, label_smoothing: float = 0.0) -> Tensor:
    """Average the cross entropy over all target tokens that are no pads.

    logits: (batch, t_target, target_size); target_out: (batch, t_target) ids.
    Returns: a number in nats for each token.
    """
    flat = logits.flatten(0, 1), target_out.flatten()
    return F.cross_entropy(*flat, ignore_index=PAD, label_smoothing=label_smoothing)


def train_step(
    model: Transformer,
    batch: Batch,
    optimizer: torch.optim.Optimizer,
    step: int,
    settings: TrainingSettings,
    spent: float | None = None,
) -> float:
    """Predict, measure, differentiate, clip, move: one step (from 1); returns the loss in nats for each token."""
    for group in optimizer.param_groups:
        group["lr"] = learning_rate_at(step, settings, spent)
    loss = token_loss(model(batch.source, batch.target_in), batch.target_out, settings.label_smoothing)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
    optimizer.step()
    return loss.item()


def evaluate(model: Transformer, examples: Sequence[Example], batch_size: int = 200) -> tuple[float, float]:
    """Measure with teacher forcing: every prediction sees the right tokens before it.

    Returns: cross entropy in nats for each target token, and the share of target tokens predicted right.
    """
    device = next(model.parameters()).device
    total_loss, total_right, total = 0.0, 0, 0
    with evaluating(model):
        for batch in batches(examples, batch_size, device=device):
            logits = model(batch.source, batch.target_in)
            real = batch.target_out != PAD
            count = int(real.sum())
            total_loss += token_loss(logits, batch.target_out).item() * count
            total_right += int((logits.argmax(-1) == batch.target_out)[real].sum())
            total += count
    return total_loss / total, total_right / total


@dataclass
class History:
    """What a training run recorded: one row for each evaluation, the step of the best one, and the time."""

    rows: list[dict[str, float]] = field(default_factory=list)
    cpu_seconds: float = 0.0

    @property
    def best(self) -> dict[str, float]:
        """The row with the smallest validation loss."""
        return min(self.rows, key=lambda row: row["valid_loss"])

    def column(self, name: str) -> list[float]:
        """One quantity over all evaluations, say valid_loss."""
        return [row[name] for row in self.rows]


def numeric_settings() -> dict[str, str]:
    """Name what decides the last bits of a result, beside the seed: version, threads and kernels."""
    names = ("ATEN_CPU_CAPABILITY", "MKL_CBWR", "ONEDNN_MAX_CPU_ISA")
    kernels = {name: os.environ.get(name, "") for name in names}
    return {"torch": torch.__version__.split("+")[0], "threads": str(torch.get_num_threads()), **kernels}


def save_atomically(content: dict, path: Path) -> None:
    """Write a checkpoint beside its place and move it there when it is whole, so that no half file is ever seen.

    Raises: OSError with the reason if it cannot be written (a full disk); what was saved before stays.
    """
    part, buffer = path.with_name(path.name + ".part"), io.BytesIO()
    torch.save(content, buffer)  # to memory first: of a full disk, torch.save has nothing to say
    try:
        with open(part, "wb") as file:
            file.write(buffer.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        kept = "what was saved before is kept: make room and run again"
        raise OSError(f"{path.name} could not be saved ({error.strerror or error}); {kept}") from None
    finally:
        part.unlink(missing_ok=True)


def load_checkpoint(path: Path, device: torch.device | str = "cpu") -> dict:
    """Read a checkpoint.

    Raises: FileNotFoundError if there is none; ValueError if the file is damaged or is no checkpoint of ours.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no checkpoint {path.name!r} in {path.parent.name!r}; train one first")
    try:
        content = torch.load(path, map_location=device, weights_only=True)
        content["about"], content["model"]
    except Exception as error:
        raise ValueError(
            f"the checkpoint {path.name!r} cannot be read ({type(error).__name__}); move it away and train again"
        ) from None
    return content


def set_aside(folder: Path, made_with: dict) -> Path | None:
    """Move a folder away whose checkpoint was not made with all this, or cannot be read; return where to."""
    for name in ("checkpoint.pt", "unfinished.pt"):
        if (folder / name).exists():
            try:
                same = made_with.items() <= load_checkpoint(folder / name).items()
            except ValueError:
                same = False
            if not same:
                number = 1
                while (aside := folder.with_name(f"{folder.name}-{number}")).exists():
                    number += 1
                folder.rename(aside)
                return aside
    return None


def train(
    model: Transformer,
    vocabularies: tuple[Vocabulary, Vocabulary],
    train_examples: Sequence[Example],
    valid_examples: Sequence[Example],
    settings: TrainingSettings,
    folder: Path,
    corpus: str = "",
    log: Callable[[str], None] = print,
    reuse: bool = False,
) -> History:
    """Train, print and log a line every evaluate_every steps, and leave the best weights in the model and in a file.

    The folder gets checkpoint.pt (only when training is finished), tensorboard/, and, while training goes on,
    unfinished.pt: the same call after an interruption goes on from there to the same result. A checkpoint that was
    made with other settings, data or sizes is moved aside with its folder first.
    The train loss in the log is that of the first 500 training examples, measured like the validation loss.
    corpus: a fingerprint of the data, kept with the checkpoint.
    reuse: take a finished checkpoint that was made with all the same, and its log, instead of training again.
    """
    about = dict(model=model.sizes, settings=asdict(settings), corpus=corpus, numerics=numeric_settings())
    source_tokens, target_tokens = (vocabulary.tokens for vocabulary in vocabularies)
    made_with = dict(about=about, source_tokens=source_tokens, target_tokens=target_tokens)
    if aside := set_aside(folder, made_with):
        log(f"the checkpoint that was here was made otherwise: it is kept in {aside.parent.name}/{aside.name}")
    if reuse and (folder / "checkpoint.pt").exists() and not (folder / "unfinished.pt").exists():
        saved = load_checkpoint(folder / "checkpoint.pt", next(model.parameters()).device)
        model.load_state_dict(saved["model"])
        history = History(saved["rows"], saved["cpu_seconds"])
        log("\n".join(map(_line, history.rows)))
        return history
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / "unfinished.pt"
    device = next(model.parameters()).device
    optimizer, history, best_weights, first, last = make_optimizer(model, settings), History(), {}, 1, False
    torch.manual_seed(settings.seed)  # dropout
    if unfinished.exists():
        saved = load_checkpoint(unfinished, device)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        torch.set_rng_state(saved["random"].cpu())
        history, best_weights = History(saved["rows"], saved["cpu_seconds"]), saved["best_weights"]
        first, last = saved["step"] + 1, saved["last"]
        log("\n".join(map(_line, history.rows)))
    model.train()
    started = time.process_time() - history.cpu_seconds
    groups: list[list[int]] = []
    per_epoch = len(length_buckets(train_examples, settings.batch_size))
    with SummaryWriter(str(folder / "tensorboard"), purge_step=first) as writer:
        for step in () if last else count(first):
            spent = (time.process_time() - started) / 60 / settings.minutes if settings.minutes else None
            last = step == settings.steps if spent is None else spent >= 1
            epoch, number = divmod(step - 1, per_epoch)
            if not groups or number == 0:  # a new order for every epoch, which depends on nothing but seed and epoch
                groups = length_buckets(train_examples, settings.batch_size, seed=settings.seed * 100_003 + epoch)
            batch = make_batch([train_examples[index] for index in groups[number]], device)
            loss = train_step(model, batch, optimizer, step, settings, spent)
            if not math.isfinite(loss):
                raise ValueError(
                    f"the loss is {loss} at step {step}; try a smaller learning_rate than {settings.learning_rate}"
                )
            if step % settings.evaluate_every and not last:
                continue
            train_loss, _ = evaluate(model, train_examples[:500])
            valid_loss, valid_accuracy = evaluate(model, valid_examples)
            row = dict(step=step, train_loss=train_loss, valid_loss=valid_loss, valid_accuracy=valid_accuracy)
            row["learning_rate"] = learning_rate_at(step, settings, spent)
            history.rows.append(row)
            for name, value in row.items():
                if name != "step":
                    writer.add_scalar(name, value, step)
            log(_line(row))
            if history.best is row:
                best_weights = {name: weight.clone() for name, weight in model.state_dict().items()}
            history.cpu_seconds = time.process_time() - started
            writer.flush()  # so that a kill loses nothing of the log that the checkpoint holds
            state = dict(step=step, last=last, model=model.state_dict(), optimizer=optimizer.state_dict())
            state |= made_with | dict(random=torch.get_rng_state(), rows=history.rows, cpu_seconds=history.cpu_seconds)
            save_atomically(state | dict(best_weights=best_weights), unfinished)
            if last:
                break
    model.load_state_dict(best_weights)
    content = made_with | dict(model=best_weights, rows=history.rows, cpu_seconds=history.cpu_seconds)
    save_atomically(content, folder / "checkpoint.pt")
    unfinished.unlink()
    return history


def _line(row: dict[str, float]) -> str:
    return (
        f"step {row['step']:5d}  train loss {row['train_loss']:.2f}  valid loss {row['valid_loss']:.2f}"
        f"  valid tokens right {row['valid_accuracy']:.1%}"
    )
