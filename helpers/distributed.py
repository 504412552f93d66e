"""One training in several processes, its ranks, of one machine or many: what torchrun starts.

Each rank takes its rows of every batch, and all keep the same weights; rank 0 alone measures, logs
and writes.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from helpers import training
from helpers.batches import Batch, endless_batches
from helpers.checks import pick_device
from helpers.text import BOS, PAD, UNK
from helpers.trainer import Training
from helpers.training import Budget


def join(device: str = "cpu") -> None:
    """Join the other ranks, if torchrun or `launch` started this process as one of several.

    Raises: ValueError if there are fewer GPUs than ranks on this machine.
    """
    if "RANK" not in os.environ:
        return
    if device == "cuda":  # a GPU for each rank; gradients go by NCCL, all else by gloo
        torch.cuda.set_device(pick_device(f"cuda:{os.environ['LOCAL_RANK']}"))
    dist.init_process_group("cpu:gloo,cuda:nccl" if device == "cuda" else "gloo")


def leave() -> None:
    """Wait for the others and part: a process that ends while another still sends may crash."""
    if dist.is_initialized():
        dist.barrier()
        dist.destroy_process_group()


def rank() -> int:
    """Give this process's number, from 0: rank 0 alone measures, logs and writes."""
    return dist.get_rank() if dist.is_initialized() else 0


def world() -> int:
    """Count the ranks."""
    return dist.get_world_size() if dist.is_initialized() else 1


def gather_objects(value: object) -> list:
    """Give each rank the values of all, in their order."""
    values = [value] * world()
    if dist.is_initialized():
        dist.all_gather_object(values, value)
    return values


def on_rank_0(act: Callable, *arguments, **options):
    """Let rank 0 act and tell the others its result; an error of its act is raised in all."""
    said = [None, None]
    if rank() == 0:
        try:
            said = [act(*arguments, **options), None]
        except Exception as error:
            said = [None, error]
    if dist.is_initialized():
        dist.broadcast_object_list(said)
    if said[1] is not None:
        raise said[1]
    return said[0]


def largest(number: float) -> float:
    """Give the largest of the ranks' numbers, so that all decide alike (a clock, the end)."""
    found = torch.tensor(float(number), dtype=torch.double)
    if dist.is_initialized():
        dist.all_reduce(found, dist.ReduceOp.MAX)
    return found.item()


def share(batch: Batch) -> Batch:
    """Take this rank's rows of a batch: of two ranks every second, so that each has long ones."""
    return Batch(*(rows[rank() :: world()] for rows in batch))


def in_step(batches: Iterable[Batch], device: torch.device | str = "cpu") -> Iterator[Batch]:
    """Pass this rank's batches on until every rank has had its last.

    A rank that has none any more, or one without a row, goes on with a single pad, which moves
    nothing: the others wait for its gradient, and would wait for ever.
    """
    pad = Batch(*(torch.tensor([[token]], device=device) for token in (UNK, BOS, PAD)))
    batches = iter(batches)
    while largest((batch := next(batches, None)) is not None):
        yield batch if batch and len(batch.source) else pad


def wrap(model: nn.Module) -> nn.Module:
    """Let the ranks start with the weights of rank 0 and average their gradients ever after."""
    return DistributedDataParallel(model, forward_sync_buffers=False) if world() > 1 else model


def loss_of_all(logits: Tensor, target_out: Tensor, label_smoothing: float = 0.0) -> Tensor:
    """Average the cross entropy over the target tokens of all ranks, none of them pads.

    Ranks have different numbers of tokens, so a mean of their means would weigh tokens unequally:
    the sums are divided by the count of all. Times the number of ranks, since
    DistributedDataParallel divides the gradients by it.
    logits: (batch, t_target, target_size); target_out: (batch, t_target), of this rank.
    Returns: the same number in every rank, in nats; its gradient is that of this rank's tokens.
    """
    if world() == 1:
        return training.token_loss(logits, target_out, label_smoothing)
    mine = training.token_loss(logits, target_out, label_smoothing, "sum")
    sums = torch.stack([mine.detach().double(), (target_out != PAD).sum().double()])
    dist.all_reduce(sums)
    total, count = sums.to(mine.dtype)
    mine = mine * (world() / count)
    return mine + (total / count - mine).detach()


def is_lost(error: Exception) -> bool:
    """Tell whether an error says no more than that another rank is gone."""
    return isinstance(error, dist.DistError) or "gloo" in str(error)


class TrainingInRanks(Training):
    """What several processes do otherwise than the one of Training."""

    def lock(self):
        """Lock the folder in rank 0 alone."""
        return nullcontext() if rank() else super().lock()

    def reusable_checkpoint(self, reuse: bool) -> dict:
        """Let rank 0 look for a checkpoint."""
        return on_rank_0(super().reusable_checkpoint, reuse)

    def read_state(self) -> dict:
        """Let rank 0 read how far an interrupted training was."""
        return on_rank_0(super().read_state)

    def seed_of_dropout(self) -> int:
        """Let each rank drop out other channels."""
        return super().seed_of_dropout() + 100_003 * rank()

    def take_random_state(self, state: Tensor) -> None:
        """Take this rank's row of random_state; there is none if there were fewer ranks then."""
        for row in state.view(-1, len(torch.get_rng_state()))[rank() :][:1]:
            super().take_random_state(row)

    def random_state(self) -> Tensor:
        """Gather the state of every rank's random numbers, a row each."""
        return torch.stack(gather_objects(super().random_state()))

    def budget(self, cpu_seconds: float) -> Budget:
        """End when the slowest clock says so."""
        return Budget(self.settings, cpu_seconds, self.minutes, largest)

    def steps(self, optimizer, budget: Budget, first: int) -> Iterator[tuple[int, float]]:
        """Train on this rank's share of every batch, with the gradient of all."""
        how = self.settings.batch_size, self.settings.seed, first, self.device
        work = in_step(map(share, endless_batches(self.train_examples, *how)), self.device)
        how = self.settings, optimizer, first, budget, loss_of_all
        return training.translator_steps(wrap(self.model), work, *how)

    def board(self, first: int):
        """Open the log in rank 0 alone."""
        return nullcontext() if rank() else super().board(first)

    def record(self, step: int, state: dict, optimizer, budget: Budget, board) -> dict:
        """Let rank 0 measure, log and save; the others give their random state only."""
        if rank() == 0:
            return super().record(step, state, optimizer, budget, board)
        self.random_state()
        return state

    def to_the_end(self) -> dict:
        """Give every rank the last state of rank 0."""
        state = super().to_the_end()
        return on_rank_0(dict, state)

    def finish(self, state: dict) -> dict:
        """Let rank 0 write the checkpoint."""
        return on_rank_0(super().finish, state)
