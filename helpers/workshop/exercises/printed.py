"""Checks of lab 07e: a program to mend, the shift of a target, a line-up, a test of attentions."""

import math
import traceback
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.checks import check_attempt
from helpers.masks import causal_keep
from helpers.text import BOS, EOS, PAD
from helpers.workshop.exercises.answers import check_answers

# Fourteen lines with five faults, each of a kind that the lab has met; it is mended by the reader.
PRINTED = """
import torch
from torch import nn

class Tower(nn.Module):
    def __init__(self, n_tokens, width):
        super().__init__()
        self.words = nn.Embedding(n_tokens, width)
        self.mix = nn.Linear(width, 64)

    def forward(self, ids):
        return self.mix(self.words(ids))

tower = Tower(50, 32, 0.1)
optimizer = optim.Adam(tower.parameters())
ids = torch.tensor([[4, 7, 50]])
answers, weights = tower(ids)
print("the tower is", tower.width, "wide, its answers are", tuple(answers.shape))
"""


def it_runs(my_program: str) -> None:
    """Run a reader's mended copy of PRINTED: say where it stops, or whether all is still in it."""
    if not isinstance(my_program, str) or my_program.split() in ([], PRINTED.split()):
        print("not tried yet: the program is as it was printed")
        return
    names: dict = {"__name__": "printed"}
    try:
        exec(compile(my_program.strip(), "<printed>", "exec"), names)
    except Exception as error:  # a stop is what this exercise is about
        own = [frame for frame in traceback.extract_tb(error.__traceback__)
               if frame.filename == "<printed>"]  # fmt: skip
        line = own[-1].lineno if own else getattr(error, "lineno", None)
        print(f"not yet: it stops in line {line}, {type(error).__name__}: {error}")
        return
    if gone := [name for name in ("tower", "optimizer", "ids", "answers") if name not in names]:
        print(f"not yet: it runs, but {gone[0]} is gone; mend a line, don't take it out")
        return
    wide, shape = getattr(names["tower"], "width", None), tuple(names["answers"].shape)
    if (wide, shape) != (32, (1, 3, 64)):
        print(f"not yet: it runs, but says {wide} and {shape}; the tower is 32 wide, of three")
        print("tokens come three answers of 64 channels")
        return
    print("right: it runs, and everything is still in it")


def shift(my_shift: Callable) -> None:
    """Check what the decoder reads and what it should answer, from whole target sentences."""
    start = "The decoder reads BOS first, and the last thing that it answers is EOS."
    ends = "Look at the shorter row: its EOS stands right behind its last token, its pads after it."
    ragged = [[BOS, 5, 6, 7], [BOS, 8, PAD, PAD]], [[5, 6, 7, EOS], [8, EOS, PAD, PAD]]
    again = [[BOS, 9, PAD], [BOS, 4, 4]], [[9, EOS, PAD], [4, 4, EOS]]
    cases = [
        (([[5, 6, 7]],), ([[BOS, 5, 6, 7]], [[5, 6, 7, EOS]]), start),
        (([[5, 6, 7], [8]],), ragged, ends),
        (([[9], [4, 4]],), again, ends),
    ]
    cases = [(given, tuple(map(torch.tensor, wanted)), hint) for given, wanted, hint in cases]
    check_attempt(my_shift, cases)


def _weights(scores: Tensor, keep: Tensor, dim: int = -1) -> Tensor:
    return scores.masked_fill(~keep, -math.inf).softmax(dim)


def _attention(fault: str) -> Callable:
    """Make a causal attention with a fault, or without one where the name is none of them."""

    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        heads, t, d_head = q.shape[-3:]
        root = dict(wide=heads * d_head, bare=1).get(fault, d_head)
        scores, keep = q @ k.transpose(-2, -1) / math.sqrt(root), causal_keep(t)
        if fault == "late":
            return (scores.softmax(-1) * keep) @ v
        if fault == "peek":
            keep = torch.ones(t, t, dtype=torch.bool).tril(1)
        if fault == "ahead":
            keep = keep.T
        found = _weights(scores, keep, -2 if fault == "queries" else -1) @ v
        return found.flip(-3) if fault == "heads" else found

    return attention


# Which fault each letter has, its number in the lab's list, and a hint that names none.
_LINE_UP = {
    "A": ("late", 5, "give it values that are all 1, and read its outputs from the top down."),
    "B": ("peek", 3, "change the last token's key and value. Which places above it move?"),
    "C": ("", 1, "compare it with PyTorch's."),
    "D": ("ahead", 6, "change the first token's key and value. Who notices?"),
    "E": ("wide", 2, "compare it with PyTorch's, and then again with only one head."),
    "F": ("queries", 4, "values like an identity matrix show its weights. What sums to 1?"),
}


def suspects() -> dict[str, Callable]:
    """Give the six attentions of the line-up, by their letters."""
    return {letter: _attention(fault) for letter, (fault, _, _) in _LINE_UP.items()}


def diagnosis(my_diagnosis: Mapping) -> None:
    """Check what is wrong with whom: {"A": a number of the list, ...}; None is still open."""

    def fault_of(letter: str, said) -> str:
        _, right, hint = _LINE_UP[letter]
        if said not in range(1, 7):
            return f"{letter} says {said!r}, and the list goes from 1 to 6"
        return "" if said == right else f"{letter} is something else\nhint: {hint}"

    check_answers(my_diagnosis, _LINE_UP, fault_of, "letter", "six of six")


def _ours(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, causal_keep(q.size(-2)))[0]


def _pytorch(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def _token_by_token(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    rows = []
    for t in range(1, q.size(-2) + 1):
        shares = (k[..., :t, :] @ q[..., t - 1, :, None]).div(math.sqrt(q.size(-1))).double().exp()
        mixed = (shares * v[..., :t, :]).sum(-2) / shares.sum(-2)
        rows.append(mixed.to(q.dtype))
    return torch.stack(rows, dim=-2)


_RIGHT = {"ours": _ours, "PyTorch's": _pytorch, "one that goes token by token": _token_by_token}
_WRONG = {  # and what might have hidden each from a test
    "wide": "Which sizes make the root of a head's width and that of the whole width the same?",
    "bare": "When doesn't it matter what the scores are divided by?",
    "peek": "How many tokens must there be, so that one can look ahead?",
    "ahead": "How many tokens must there be, so that past and future differ?",
    "late": "How many tokens must there be, so that something is masked?",
    "queries": "Do rows and columns of your scores differ?",
    "heads": "It has all the right numbers. Where are they?",
}


def net(my_test: Callable) -> None:
    """Check a reader's test: right attentions must pass it, in all their digits, others not."""
    slipped = []
    for name, attention in [*_RIGHT.items(), *((fault, _attention(fault)) for fault in _WRONG)]:
        try:
            said = my_test(attention)
            if said is None:
                print("not tried yet: my_test returns nothing")
                return
            passed = bool(said)
        except Exception as error:  # whatever the reader's code raises becomes one line
            print(f"not yet: my_test stops with {type(error).__name__}: {error}")
            print("hint: let it return True or False, whatever it's given.")
            return
        if name in _RIGHT and not passed:
            print(f"not yet: it refuses a right attention, {name}")
            print("hint: right ones differ in the last digits. How far apart may two answers be?")
            return
        if name in _WRONG and passed:
            slipped.append(name)
    caught = f"{len(_WRONG) - len(slipped)} of {len(_WRONG)} wrong ones"
    if slipped:
        print(f"not yet: it finds {caught}\nhint: {_WRONG[slipped[0]]}")
        return
    print(f"right: it finds {caught}, and lets {len(_RIGHT)} of {len(_RIGHT)} right ones pass")
