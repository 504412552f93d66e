"""Four letters back, the task of notebook 04: its sentences, a model that reports, its training."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.masks import causal_keep
from helpers.training import training_steps

LETTERS = "ABCDEFGHIJKLMNOP"
N_TOKENS, TIME, WIDTH, FAR = len(LETTERS), 16, 32, 4
TEST = torch.randint(N_TOKENS, (400, TIME), generator=torch.Generator().manual_seed(999))


def wanted_of(tokens: Tensor) -> Tensor:
    """Say what each token from the fifth on must report: (batch, TIME) -> (batch, 12, 4)."""
    return torch.stack([tokens[:, FAR - far : TIME - far] for far in range(1, FAR + 1)], dim=-1)


class Reporter(nn.Module):
    """Vectors for letters and places, one masked attention, and a reader of what it brings."""

    def __init__(self, make_attention: Callable, n_heads: int, hidden: int = 0):
        """Make the attention of so many heads; hidden: channels in the middle of the reader.

        make_attention: takes width and heads; what it makes returns an output and its weights.
        """
        super().__init__()
        self.token, self.place = nn.Embedding(N_TOKENS, WIDTH), nn.Embedding(TIME, WIDTH)
        self.attention = make_attention(WIDTH, n_heads)
        self.reader = nn.Linear(WIDTH, FAR * N_TOKENS)
        if hidden:
            read, say = nn.Linear(WIDTH, hidden), nn.Linear(hidden, FAR * N_TOKENS)
            self.reader = nn.Sequential(read, nn.ReLU(), say)

    def forward(self, tokens: Tensor) -> Tensor:
        """Score all letters for each report: (batch, TIME) -> (batch, 12, 4, N_TOKENS)."""
        x = self.token(tokens) + self.place.weight
        mix, self.weights = self.attention(x, x, causal_keep(TIME))
        return self.reader(mix)[:, FAR:].unflatten(-1, (FAR, N_TOKENS))


def loss_of(model: Reporter, tokens: Tensor) -> Tensor:
    """Return the mean loss over the four letters of all reports."""
    return F.cross_entropy(model(tokens).flatten(0, 2), wanted_of(tokens).flatten())


def said_by(model: Reporter) -> Tensor:
    """Return what a model reports on the 400 sentences of the test: (400, 12, 4)."""
    with torch.no_grad():
        return model(TEST).argmax(dim=-1)


def share_right(model: Reporter) -> float:
    """Return the share of right letters on the test."""
    return (said_by(model) == wanted_of(TEST)).float().mean().item()


def train_reporter(
    make_attention: Callable, n_heads: int, start: int, looks: Sequence[int], hidden: int = 0
) -> tuple[Reporter, list[float]]:
    """Train a Reporter from a start up to the last look; returns it, and the share at each look."""
    torch.manual_seed(start)
    model, shares = Reporter(make_attention, n_heads, hidden), []
    adam = torch.optim.Adam(model.parameters(), lr=0.003, fused=True)
    sentences = (torch.randint(N_TOKENS, (32, TIME)) for _ in range(max(looks)))
    for step, _ in training_steps(model, sentences, loss_of, adam):
        if step in looks:
            shares.append(share_right(model))
    return model, shares


def spelled(reports: Tensor) -> list[list[str]]:
    """Write reports (n, 4) as letters."""
    return [[LETTERS[token] for token in report] for report in reports.tolist()]


def bag_share() -> float:
    """Return how often the most frequent of four letters is right, over all 65,536 fours."""
    fours = torch.cartesian_prod(*[torch.arange(N_TOKENS)] * FAR)
    return F.one_hot(fours, N_TOKENS).sum(dim=1).max(dim=-1).values.float().mean().item() / FAR


def habits(model: Reporter) -> tuple[float, float]:
    """Count on the test how often a report names one letter four times, and how often the fullest.

    Returns: the share of reports of one letter; and where a letter stands twice or more, the share
    of reports that name nothing but a most frequent one.
    """
    said, counts = said_by(model), F.one_hot(wanted_of(TEST), N_TOKENS).sum(dim=-2)
    most = counts.max(dim=-1, keepdim=True).values
    fullest = (counts.gather(-1, said) == most).all(dim=-1)
    alike = (said == said[..., :1]).all(dim=-1)
    return alike.float().mean().item(), fullest[most[..., 0] > 1].float().mean().item()
