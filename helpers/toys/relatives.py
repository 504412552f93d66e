"""The listener of lab 06c: questions about relatives, and a training of who answers them."""

from collections.abc import Sequence
from itertools import permutations, product

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.training import training_steps

SISTERS, BROTHERS = ["big-sis", "little-sis"], ["big-bro", "little-bro"]
ASKED = ["sister?", "brother?"]
VOCABULARY = ["er", *SISTERS, *BROTHERS, *ASKED]
LENGTH = 8
Question = tuple[list[str], int]


def relatives(places: Sequence[tuple[int, int]]) -> list[Question]:
    """Write all questions with a sister and a brother at these places, counted from 0.

    A question is `er big-bro er er little-sis er er sister?`, with 0 if the one asked about is
    older, 1 if younger. For each pair of places eight questions, in the order of the sister, the
    brother, the one asked about.
    """
    questions = []
    for (at, there), sister, brother, asked in product(places, *[range(2)] * 3):
        words = ["er"] * (LENGTH - 1) + [ASKED[asked]]
        words[at], words[there] = SISTERS[sister], BROTHERS[brother]
        questions.append((words, (sister, brother)[asked]))
    return questions


def families(seed: int) -> tuple[list[Question], list[Question]]:
    """Draw half of the 42 pairs of places for training; the questions of the others are kept."""
    places = list(permutations(range(LENGTH - 1), 2))
    order = torch.randperm(len(places), generator=torch.Generator().manual_seed(seed)).tolist()
    first, rest = order[: len(order) // 2], order[len(order) // 2 :]
    return relatives([places[n] for n in first]), relatives([places[n] for n in rest])


def ids_and_answers(questions: Sequence[Question]) -> tuple[Tensor, Tensor]:
    """Return the words as numbers, (n, 8), and the answers, (n,)."""
    ids = [[VOCABULARY.index(word) for word in words] for words, _ in questions]
    return torch.tensor(ids), torch.tensor([answer for _, answer in questions])


def teach(model: nn.Module, questions: Sequence[Question], steps: int) -> nn.Module:
    """Train with Adam, 32 questions a step, from (32, 8) to (32, 2), and return the model."""
    ids, answers = ids_and_answers(questions)

    def loss_of(model: nn.Module, some: Tensor) -> Tensor:
        return F.cross_entropy(model(ids[some]), answers[some])

    adam = torch.optim.Adam(model.parameters(), lr=0.003)
    for _ in training_steps(model, torch.randint(len(ids), (steps, 32)), loss_of, adam):
        pass
    return model


def right(model: nn.Module, questions: Sequence[Question]) -> float:
    """Return the share of questions that a model answers rightly."""
    ids, answers = ids_and_answers(questions)
    with torch.no_grad():
        return float((model(ids).argmax(dim=-1) == answers).float().mean())
