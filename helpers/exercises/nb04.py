"""Checks of notebook 04: a job for a head, cut and merge, parts, a majority, three harder."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.checks import check_attempt
from helpers.exercises.grading import NotYet, graded, read_off, typed_numbers

PEOPLE = {"tom": [1.0, 0.0], "saw": [0.0, 0.0], "emma": [0.0, 1.0]}
PLACES = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]  # the compass of notebook 03: east, north, west
BACK = [[0, 0], [0, 0], [0, -4], [4, 0]]  # the W_q of head 1
AHEAD = [[0, 0], [0, 0], [0, 4], [-4, 0]]  # the place after: not what is asked for
OTHER = [[0, 0], [0, 0], [-4, 0], [-4, 0]]  # the other person
W_K = [[0, 0], [0, 0], [2, 0], [0, 2]]
SENTENCES = "tom saw emma", "emma saw tom"
TARGETS = 2, 2, 0  # where each place looks that looks for the other person


@graded
def jobs(my_w_q) -> str:
    """Check a W_q (4 rows of 2) with which each word looks at the other person."""
    w_q = typed_numbers(my_w_q, (4, 2), "my_W_q", "a blank is still None")
    found = []
    for sentence in SENTENCES:
        words = torch.tensor([PEOPLE[word] for word in sentence.split()]).double()
        x = torch.cat([words, torch.tensor(PLACES).double()], dim=1)
        w_k = torch.tensor(W_K).double()
        context, weights = scaled_dot_product_attention(x @ w_q, x @ w_k, words)
        for place, target in enumerate(TARGETS):
            share, most = weights[place, target], int(weights[place].argmax())
            if share <= 0.5:
                others = f"most to word {most + 1}" if most != target else "which is half or less"
                what = f"in '{sentence}' word {place + 1} gives {share:.2f} to word {target + 1}"
                raise NotYet(f"{what}, {others}", _hint_for_jobs(w_q, place, target))
        found.append(f"({context[1, 0]:.2f}, {context[1, 1]:.2f})")
    return f": from head 2 saw now gets {found[0]}, and in the twin {found[1]}"


def _hint_for_jobs(w_q: Tensor, place: int, target: int) -> str:
    """Say what is wrong with a W_q, from where one word should look."""
    if torch.equal(w_q, torch.tensor(BACK).double()):
        return "that's head 1 again; two heads with one job are one head"
    if torch.equal(w_q.sign(), torch.tensor(AHEAD).double().sign()):
        return "that's the place after; from Tom the other person is two places on"
    compass = torch.tensor(PLACES).double()
    asks = compass[place] @ w_q[2:]
    row = 4 if place == 1 else 3  # west, at place 3, is row 3 with its signs turned
    fit = float(asks @ compass[target])
    if not asks.any():
        return f"row {row} is what place {place + 1} asks with, and it asks for nothing yet"
    if w_q[:2].any() and fit > 0:
        return "rows 1 and 2 belong to the people; where to look depends on the place alone"
    if fit < 0:
        return f"row {row} asks for the opposite direction; look at its sign"
    if fit == 0:
        return f"row {row} asks along the other axis; which way does place {target + 1} point?"
    if float(asks.abs().max()) > fit:
        return f"row {row} asks for place {target + 1}, and louder for another one"
    return "the direction is right, but the asking is too quiet; take larger numbers"


def our_other() -> Tensor:
    """Hand out our W_q of head 2, for whoever goes on."""
    return torch.tensor(OTHER).float()


def cut_into_heads(my_split: Callable) -> None:
    """Check (batch, t, d_model) -> (batch, n_heads, t, d_head): each head has every word."""
    three = torch.arange(12).view(1, 3, 4)
    larger = torch.arange(96).view(2, 4, 12)

    words = (
        "Head 1 should hold 0 1, 4 5, 8 9, and head 2 the rest: each head a part of every word's"
        " query. Which axis must the heads be cut out of?"
    )
    order = (
        "The numbers of one head are now in the right company, or nearly; look at the order of the"
        " axes: batch, heads, words, channels."
    )
    count = "The number of heads is an argument; so is, through x, everything else."
    cases = [
        ((three, 2), our_split(three, 2), words),
        ((three, 1), our_split(three, 1), "One head holds all, and its axis is still there."),
        ((three, 4), our_split(three, 4), count),
        ((larger, 3), our_split(larger, 3), order),
    ]
    check_attempt(my_split, cases, atol=0)


def our_split(x: Tensor, n_heads: int) -> Tensor:
    """Cut queries into heads: (batch, t, d_model) -> (batch, n_heads, t, d_head)."""
    batch, t, d_model = x.shape
    return x.view(batch, t, n_heads, d_model // n_heads).transpose(1, 2)


def merge(my_merge: Callable) -> None:
    """Check the way back: (batch, n_heads, t, d_head) -> (batch, t, d_model)."""
    three = torch.arange(12).view(1, 3, 4)
    larger = torch.arange(96).view(2, 4, 12)
    context = our_split(three, 2).contiguous()
    order = (
        "Row 1 should be Tom's again, 0 1 2 3. A reshape alone reads the numbers head by head;"
        " which two axes must change places first? Then view can't join them: it never copies."
        " flatten can."
    )
    cases = [
        ((context,), three, order),
        ((our_split(three, 1),), three, "With one head its axis goes, and nothing else."),
        ((our_split(larger, 3).contiguous(),), larger, "Sizes come from context; any number."),
    ]
    check_attempt(my_merge, cases, atol=0)


def our_merge(context: Tensor) -> Tensor:
    """Put the heads side by side again: (batch, n_heads, t, d_head) -> (batch, t, d_model)."""
    return context.transpose(1, 2).flatten(2)


def parts(my_parts: Callable) -> None:
    """Check what each head adds to the output: (n_heads, batch, t, d_out)."""
    hand = torch.tensor([[[0.0, 1, 1, 0]]])  # a word, two heads of two channels
    rows = torch.arange(1.0, 13).view(4, 3)
    torch.manual_seed(0)
    contexts, w_o = torch.randn(2, 5, 12), torch.randn(12, 7)

    own = (
        "Head 1 owns the first two channels of side_by_side, and so the first two rows of W_o. A"
        " part is these channels times these rows."
    )
    shape = "One part for each head, stacked in front: (n_heads, batch, t, d_out)."
    cases = [
        ((hand, rows, 2), our_parts(hand, rows, 2), own),
        ((hand, rows, 1), our_parts(hand, rows, 1), "With one head the only part is the output."),
        ((contexts, w_o, 3), our_parts(contexts, w_o, 3), shape),
    ]
    check_attempt(my_parts, cases, atol=1e-4)


def our_parts(side_by_side: Tensor, w_o: Tensor, n_heads: int) -> Tensor:
    """Say what each head adds to the output: (n_heads, batch, t, d_out)."""
    pairs = zip(side_by_side.chunk(n_heads, dim=-1), w_o.chunk(n_heads), strict=True)
    return torch.stack([context @ own for context, own in pairs])


@graded
def majority(my_shares) -> str:
    """Check shares of four places with which the reader is always right about the second.

    The reader names the token with the most in the mix, so all 65,536 cases can be tried.
    """
    shares = _four_shares(my_shares, "a share is still None")
    tokens = torch.cartesian_prod(*[torch.arange(16)] * 4)
    mix = torch.zeros(len(tokens), 16, dtype=torch.float64)
    mix.scatter_add_(1, tokens, shares.expand(len(tokens), 4))
    named = mix.argmax(dim=1, keepdim=True)
    right = (tokens == named).double().mean(dim=0)
    if shares[1] > 0.5 + 1e-9:
        others = ", ".join(f"{float(right[place]):.2f}" for place in (0, 2, 3))
        return (
            f": 2 steps back it never errs. 1, 3 and 4 steps back it's right in {others}\n"
            f"of the cases, so in {float(right.mean()):.2f} on average; a bag has 0.34"
        )
    errors = (tokens[:, 1:2] != named).flatten().nonzero()
    told = ", ".join("ABCDEFGHIJKLMNOP"[token] for token in tokens[int(errors[0])])
    hint = f"going back the letters may be {told}; which of them has most of your mix?"
    raise NotYet(f"2 steps back it errs in {len(errors):,} of {len(tokens):,} cases", hint)


def _four_shares(my_shares, empty: str) -> Tensor:
    """Return four shares as a tensor, or refuse them."""
    shares = typed_numbers(my_shares, (4,), "my_shares", empty)
    if (shares < 0).any() or abs(float(shares.sum()) - 1) > 1e-6:
        raise NotYet("give four shares, none negative, that sum to 1")
    return shares


@graded
def one_row(my_shares, my_read: Callable) -> None:
    """Check four shares, and a reading of their mix that gives back four tokens in order."""
    shares = _four_shares(my_shares, "my_shares is still None")
    subsets = torch.cartesian_prod(*[torch.arange(2.0)] * 4).double()
    if (subsets @ shares).sort().values.diff().min() < 1e-6:
        hint = "if a token stands at two places, its shares are added; no two sums may agree"
        raise NotYet("with these shares two different sentences give the same mix", hint)
    torch.manual_seed(0)
    tokens = [
        ([3, 1, 4, 15], "all four tokens differ, so each channel that isn't 0 holds one share"),
        ([5, 5, 5, 5], "one token at all four places: its channel holds the sum of all shares"),
        ([9, 2, 9, 2], "two tokens, twice each; a channel may hold the sum of two shares"),
    ]
    any_four = "any four tokens; take the largest share first, and see what is left"
    tokens += [(drawn, any_four) for drawn in torch.randint(16, (20, 4)).tolist()]
    cases = []
    for drawn, hint in tokens:
        wanted = torch.tensor(drawn)
        cases.append((((shares @ F.one_hot(wanted, 16).double()).float(),), wanted, hint))
    check_attempt(read_off(my_read, torch.as_tensor), cases, atol=0)


def fold(my_fold: Callable) -> None:
    """Check a value layer that makes the output layer of a single head unnecessary."""

    def together(w_v: Tensor, b_v: Tensor, w_o: Tensor, b_o: Tensor) -> tuple[Tensor, Tensor]:
        return w_o @ w_v, w_o @ b_v + b_o

    torch.manual_seed(0)
    hand_v, hand_o = torch.tensor([[0.0, 1], [0, 0]]), torch.tensor([[1.0, 0], [2, 0]])
    no_bias = [hand_v, torch.zeros(2), hand_o, torch.zeros(2)]
    with_bias = [hand_v, torch.tensor([1.0, 0]), hand_o, torch.zeros(2)]
    square = [torch.randn(size) for size in ((6, 6), (6,), (6, 6), (6,))]
    narrow = [torch.randn(size) for size in ((2, 5), (2,), (5, 2), (5,))]
    order = "Return a weight and a bias. Which layer gets the word first, and where does it stand?"
    cases = [
        (no_bias, together(*no_bias), order),
        (with_bias, together(*with_bias), "The value layer's bias goes through W_o as well."),
        (square, together(*square), "And the output layer's own bias comes last."),
        (narrow, together(*narrow), "Not every weight is square: (out, in) times (in, ...)."),
    ]
    check_attempt(my_fold, cases, atol=1e-4)
