"""Checks of notebook 03: a context by hand, an impossible table, blanks, formulas, one word."""

import math
import warnings
from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.checks import check_attempt
from helpers.display.plane_explorers import COMPASS, W_K, W_Q, W_V, WORDS
from helpers.exercises.grading import NotTried, NotYet, graded, typed_numbers
from helpers.masks import causal_keep
from helpers.toys import toy_tagging

TWINS = "i saw a saw", "a saw i saw"
NEAR = 0.006  # what is typed with two decimals is as far as that from what was computed


@graded
def context_of_i(my_weights, my_context) -> str:
    """Check the weights and the context of the first `i` in `i saw i`, worked out by hand."""
    if my_weights is None and my_context is None:
        raise NotTried("my_weights and my_context are still None")
    weights = typed_numbers(my_weights, (3,), "my_weights")
    likely = {
        (0, 4, 0): "these are scores; they still have to become weights",
        (0, 2, 0): "these are scaled scores; the softmax is still to come",
        (0.0177, 0.9647, 0.0177): "scores are scaled before they go into the softmax",
        (0, 1, 0): "you divided by the sum; softmax takes e to the power of them first",
    }
    if not _close(weights, (0.1065, 0.7870, 0.1065)):
        if _close(weights, (0.1065, 0.7870, 0.1065), 0.011):
            hint = "almost: round the third decimal, don't cut it off"
        elif abs(float(weights.sum()) - 1) > 0.02:
            hint = "weights share out a whole, so they sum to 1"
        else:
            hint = "write down its query, then its three scores, then go on"
        found = (said for point, said in likely.items() if _close(weights, point))
        raise NotYet(next(found, hint), verdict="not yet, the weights: ")
    context = typed_numbers(my_context, (2,), "my_context")
    if _close(context, (1.2130, 0.7870), 0.02):
        return ": i asks for a noun, and saw, half a noun, answers loudest"
    turned = _close(context, (0.7870, 1.2130), 0.02)
    hint = "each word's value, times its weight, all three added up"
    hint = "the verb's channel stands first" if turned else hint
    raise NotYet(hint, verdict="not yet, the context: ")


def _close(found: Tensor, wanted, near: float = NEAR) -> bool:
    """Tell whether every number is as wanted, but for rounding to two decimals."""
    return bool((found - torch.tensor(wanted, dtype=torch.float64)).abs().max() <= near)


def our_w_q() -> Tensor:
    """Hand out our W_q with its blanks filled in, for whoever goes on."""
    return torch.tensor(W_Q).float()


def six_places() -> tuple[Tensor, Tensor, Tensor]:
    """Hand out W_q, W_k, W_v for words of two channels and one more for each of six places.

    The words ask as ours do, and every place asks for the one before it, as loudly as ours.
    """
    w_q = torch.zeros(8, 8)
    w_q[:2, :2] = our_w_q()[:2, :2]
    w_q[3:, 2:7] = 8 * torch.eye(5)  # place 2 asks for place 1, place 3 for place 2, ...
    return w_q, torch.eye(8), torch.eye(8, 2)


def _attended(sentence: str, w_q: Tensor) -> tuple[Tensor, Tensor]:
    """Return contexts and weights of a twin with mask and compass."""
    words = torch.tensor([[*WORDS[word], 0, 0] for word in sentence.split()]).double()
    x = words + torch.tensor(COMPASS)
    w_k, w_v = torch.tensor(W_K).double(), torch.tensor(W_V).double()
    return scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, causal_keep(len(x)))


@graded
def asks_one_back(my_w_q) -> str:
    """Check a W_q whose compass part makes each word of both twins look at the word before it."""
    w_q = typed_numbers(my_w_q, (4, 4), "my_W_q", "a blank is still None")
    for sentence in TWINS:
        words = sentence.split()
        contexts, weights = _attended(sentence, w_q)
        for place in range(1, 4):
            before, most = weights[place, place - 1], int(weights[place].argmax())
            if before <= 0.5:
                what = f"in '{sentence}' word {place + 1}, {words[place]}, takes only"
                what += f" {before:.2f} from the word before it"
                elsewhere = f", and most from word {most + 1}, {words[most]}" * (most != place - 1)
                raise NotYet(what + elsewhere, _hint_for_blanks(w_q, place))
    first, last = contexts[1].tolist(), contexts[3].tolist()
    return (
        ": every word looks back one step; in the twin the first saw is now at"
        f" ({first[0]:.2f}, {first[1]:.2f}), the last at ({last[0]:.2f}, {last[1]:.2f})"
    )


def _hint_for_blanks(w_q: Tensor, place: int) -> str:
    """Say what is wrong with the compass part, from where one word should look."""
    here, before = torch.tensor(COMPASS).double()[[place, place - 1], 2:]
    asks = here @ w_q[2:, 2:]
    fit, row = float(asks @ before), 3 if place % 2 == 0 else 4
    if not asks.any():
        return f"row {row} of W_q asks for nothing yet, so at this place only the word counts"
    if fit < 0:
        return f"this place asks for the opposite direction; look at the sign in row {row}"
    if fit == 0:
        return f"row {row} asks for this place's own axis; the one before lies a quarter turn away"
    return "the direction is right, but the words' own scores drown it; ask louder"


def mended_formula(my_attention: Callable) -> None:
    """Check attention for a batch, made from a formula with four mistakes."""
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 4), torch.randn(3, 5, 4), torch.randn(3, 5, 6)
    alike = torch.zeros(2, 3, 4), torch.zeros(2, 3, 4), torch.ones(2, 3, 6)
    square = tuple(torch.randn(4, 4, 4) for _ in range(3))
    shape = (
        "k.T turns all three axes round; only the last two should change places. All scores are 0"
        " here and all values 1: equal weights that sum to 1, times the values, give 1."
    )
    shares = (
        "All values are 1, so this is what each query's weights sum to. Which axis has the keys?"
    )
    scale = "The sums are right, so which of the six steps is missing? Take d_k, not d_v."
    last = "Here all sizes are equal, so nothing stops a wrong product: @ or *?"
    cases = [
        (alike, torch.ones(2, 3, 6), shape),
        ((q, k, torch.ones(3, 5, 6)), torch.ones(3, 2, 6), shares),
        ((q, k, v), F.scaled_dot_product_attention(q, k, v), scale),
        (square, F.scaled_dot_product_attention(*square), last),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # .T of three axes is deprecated, too
        check_attempt(my_attention, cases, atol=1e-4)


@graded
def one_word(head: Callable, sentence: Sequence[str], my_bet, my_place, my_word) -> str:
    """Take the relative asked about out of a question, against a bet; then change one word of it.

    head: a trained tagger; sentence: eight words; my_bet: older or younger; my_place: from 1 to 7.
    """
    if my_bet is None:
        raise NotTried("my_bet is still None")
    if my_bet not in ("older", "younger"):
        raise NotYet('my_bet is "older" or "younger"')
    asked = dict(zip(toy_tagging.ASKED, (toy_tagging.SISTERS, toy_tagging.BROTHERS), strict=True))
    without = ["er" if word in asked[sentence[-1]] else word for word in sentence]
    said = _asked_again(head, without)
    print(f"your bet is {'right' if said == my_bet else 'lost'}: it says {said}")
    if my_place is None or my_word is None:
        raise NotTried("the second part; my_place or my_word is still None")
    family = ["er", *toy_tagging.SISTERS, *toy_tagging.BROTHERS]
    if my_word not in family:
        raise NotYet(f"my_word is one of {', '.join(family)}")
    if my_place not in range(1, len(sentence)):
        raise NotYet("my_place is from 1 to 7; place 8 has the question, which stays")
    changed, place = list(sentence), int(my_place) - 1
    if changed[place] == my_word:
        raise NotYet(f"{my_word} stands at place {my_place} already")
    changed[place] = my_word
    before, says = toy_tagging.ask(head, sentence)[1], _asked_again(head, changed)
    if says == before:
        raise NotYet(f"it still says {says}", verdict="not yet, ")
    return f", now it says {says}"


def _asked_again(head: Callable, words: Sequence[str]) -> str:
    """Print a question and where the head looks, and return what it says."""
    shares, says = toy_tagging.ask(head, words)
    most = int(shares.argmax())
    print(" ".join(words))
    print(f"most of the weight, {shares[most]:.2f}, on {words[most]} at place {most + 1}")
    return says


# The suspects of the detective. Whoever writes the test should not read on.


def _root(d_k: int, d_v: int) -> float:
    return math.sqrt(d_k)


def _one(d_k: int, d_v: int) -> float:
    return 1.0


def _attention(dim: int = -1, before: Callable = _root, after: Callable = _one) -> Callable:
    """Make an attention: the axis of its softmax, the divisors of scores and of weights."""

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        sizes = k.size(-1), v.size(-1)
        weights = torch.softmax(q @ k.transpose(-2, -1) / before(*sizes), dim=dim)
        return weights / after(*sizes) @ v

    return attend


_VERDICTS = [
    (_attention(before=_one, after=_root), "scale after"),
    (_attention(before=lambda d_k, d_v: math.sqrt(d_v)), "wrong scale"),
    (_attention(), "right"),
    (_attention(dim=-2), "axis"),
    (_attention(before=_one), "wrong scale"),
    (_attention(before=lambda d_k, d_v: d_k), "wrong scale"),
]
_HINTS = {
    "scale after": "Let all values be 1: the output is what the weights of each query sum to.",
    "wrong scale": "The weights sum to 1. Compare the output with PyTorch's, and take d_v ≠ d_k.",
    "right": "This one agrees with F.scaled_dot_product_attention, but for rounding.",
    "axis": "The sums of the weights differ from query to query. Take several queries and keys.",
}


def suspects() -> dict[str, Callable]:
    """Hand out the first four suspects, under the names a to d."""
    return {name: each for name, (each, _) in zip("abcd", _VERDICTS, strict=False)}


def detective(my_diagnose: Callable) -> None:
    """Check a test that finds out by calling which attention has which mistake."""
    cases = [((each,), verdict, _HINTS[verdict]) for each, verdict in _VERDICTS]
    check_attempt(my_diagnose, cases)
