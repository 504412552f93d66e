"""Checks of notebook 04: a job for a head, cut and merge, parts, a majority, three harder."""

from collections.abc import Callable
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.checks import check_attempt

PEOPLE = {"tom": [1.0, 0.0], "saw": [0.0, 0.0], "emma": [0.0, 1.0]}
PLACES = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]  # the compass of notebook 03: east, north, west
BACK = [[0, 0], [0, 0], [0, -4], [4, 0]]  # the W_q of head 1
AHEAD = [[0, 0], [0, 0], [0, 4], [-4, 0]]  # the place after: not what is asked for
OTHER = [[0, 0], [0, 0], [-4, 0], [-4, 0]]  # the other person
W_K = [[0, 0], [0, 0], [2, 0], [0, 2]]
SENTENCES = "tom saw emma", "emma saw tom"
TARGETS = 2, 2, 0  # where each place looks that looks for the other person


def jobs(my_w_q) -> None:
    """Check a W_q (4 rows of 2) with which each word looks at the other person."""
    if "None" in str(my_w_q):
        print("not tried yet: a blank is still None")
        return
    try:
        w_q = torch.as_tensor(my_w_q).double()
    except (TypeError, ValueError, RuntimeError):
        print("not yet: my_W_q can't be read as numbers; are all rows equally long?")
        return
    if w_q.shape != (4, 2) or not w_q.isfinite().all():
        print(f"not yet: my_W_q has the shape {tuple(w_q.shape)}; give 4 rows of 2 finite numbers")
        return
    found = []
    for sentence in SENTENCES:
        words = torch.tensor([PEOPLE[word] for word in sentence.split()]).double()
        x = torch.cat([words, torch.tensor(PLACES).double()], dim=1)
        context, weights = scaled_dot_product_attention(
            x @ w_q, x @ torch.tensor(W_K).double(), words
        )
        for place, target in enumerate(TARGETS):
            share, most = weights[place, target], int(weights[place].argmax())
            if share <= 0.5:
                others = f"most to word {most + 1}" if most != target else "which is half or less"
                print(
                    f"not yet: in '{sentence}' word {place + 1} gives {share:.2f} to word"
                    f" {target + 1}, {others}"
                )
                print(f"hint: {_hint_for_jobs(w_q, place, target)}")
                return
        found.append(f"({context[1, 0]:.2f}, {context[1, 1]:.2f})")
    print(f"right: from head 2 saw now gets {found[0]}, and in the twin {found[1]}")


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


def split(my_split: Callable) -> None:
    """Check (batch, t, d_model) -> (batch, n_heads, t, d_head): each head has every word."""
    three = torch.arange(12).view(1, 3, 4)
    larger = torch.arange(96).view(2, 4, 12)

    def wanted(x: Tensor, n_heads: int) -> Tensor:
        return torch.stack(x.chunk(n_heads, dim=-1), dim=1)

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
        ((three, 2), wanted(three, 2), words),
        ((three, 1), wanted(three, 1), "One head holds everything, and its axis is still there."),
        ((three, 4), wanted(three, 4), count),
        ((larger, 3), wanted(larger, 3), order),
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
    cases = [
        ((context,), three, _hint_for_merge(my_merge, context.clone())),
        ((our_split(three, 1),), three, "With one head its axis goes, and nothing else."),
        ((our_split(larger, 3).contiguous(),), larger, "Sizes come from context; any number."),
    ]
    check_attempt(my_merge, cases, atol=0)


def _hint_for_merge(my_merge: Callable, context: Tensor) -> str:
    """Say whether view can't join the axes, or else which order they should have."""
    try:
        my_merge(context)
    except Exception as error:  # check_attempt reports it; here only its kind counts
        if "view size" in str(error):
            return "After an exchange of axes view can't join them: it never copies. flatten can."
    return (
        "Row 1 should be Tom's again, 0 1 2 3. A reshape alone reads the numbers head by head;"
        " which two axes must change places first?"
    )


def our_merge(context: Tensor) -> Tensor:
    """Put the heads side by side again: (batch, n_heads, t, d_head) -> (batch, t, d_model)."""
    return context.transpose(1, 2).flatten(2)


def parts(my_parts: Callable) -> None:
    """Check what each head adds to the output: (n_heads, batch, t, d_out)."""
    hand = torch.tensor([[[0.0, 1, 1, 0]]])  # a word, two heads of two channels
    rows = torch.arange(1.0, 13).view(4, 3)
    torch.manual_seed(0)
    contexts, w_o = torch.randn(2, 5, 12), torch.randn(12, 7)

    def wanted(side_by_side: Tensor, w_o: Tensor, n_heads: int) -> Tensor:
        width, found = side_by_side.size(-1) // n_heads, []
        for head in range(n_heads):
            alone = torch.zeros_like(side_by_side)
            own = slice(head * width, (head + 1) * width)
            alone[..., own] = side_by_side[..., own]
            found.append(alone @ w_o)
        return torch.stack(found)

    own = (
        "Head 1 owns the first two channels of side_by_side, and so the first two rows of W_o. A"
        " part is these channels times these rows."
    )
    shape = "One part for each head, stacked in front: (n_heads, batch, t, d_out)."
    cases = [
        ((hand, rows, 2), wanted(hand, rows, 2), own),
        ((hand, rows, 1), wanted(hand, rows, 1), "With one head the only part is the output."),
        ((contexts, w_o, 3), wanted(contexts, w_o, 3), shape),
    ]
    check_attempt(my_parts, cases, atol=1e-4)


def our_parts(side_by_side: Tensor, w_o: Tensor, n_heads: int) -> Tensor:
    """Say what each head adds to the output: (n_heads, batch, t, d_out)."""
    pairs = zip(side_by_side.chunk(n_heads, dim=-1), w_o.chunk(n_heads), strict=True)
    return torch.stack([context @ own for context, own in pairs])


def majority(my_shares) -> None:
    """Check shares of four places with which the reader is always right about the second.

    The reader names the token with the most in the mix, so all 65,536 cases can be tried.
    """
    if "None" in str(my_shares):
        print("not tried yet: a share is still None")
        return
    shares = _four_shares(my_shares)
    if shares is None:
        return
    tokens = torch.cartesian_prod(*[torch.arange(16)] * 4)
    mix = torch.zeros(len(tokens), 16, dtype=torch.float64)
    mix.scatter_add_(1, tokens, shares.expand(len(tokens), 4))
    named = mix.argmax(dim=1, keepdim=True)
    right = (tokens == named).double().mean(dim=0)
    if shares[1] > 0.5 + 1e-9:
        others = ", ".join(f"{float(right[place]):.2f}" for place in (0, 2, 3))
        print("right: 2 steps back it never errs. 1, 3 and 4 steps back it's right in", others)
        print(f"of the cases, so in {float(right.mean()):.2f} on average; a bag has 0.34")
        return
    errors = (tokens[:, 1:2] != named).flatten().nonzero()
    told = ", ".join("ABCDEFGHIJKLMNOP"[token] for token in tokens[int(errors[0])])
    print(f"not yet: 2 steps back it errs in {len(errors):,} of {len(tokens):,} cases")
    print(f"hint: going back the letters may be {told}; which of them has most of your mix?")


def _four_shares(my_shares) -> Tensor | None:
    """Return four shares as a tensor, or say what is wrong with them."""
    try:
        shares = torch.as_tensor(my_shares).double()
    except (TypeError, ValueError, RuntimeError):
        print("not yet: my_shares can't be read as numbers")
        return None
    if shares.shape != (4,) or (shares < 0).any() or not abs(float(shares.sum()) - 1) <= 1e-6:
        print("not yet: give four shares, none negative, that sum to 1")
        return None
    return shares


def one_row(my_shares, my_read: Callable) -> None:
    """Check four shares, and a reading of their mix that gives back four tokens in order."""
    if my_shares is None:
        print("not tried yet: my_shares is still None")
        return
    shares = _four_shares(my_shares)
    if shares is None:
        return
    sums = sorted(sum(each) for each in _subsets(shares.tolist()))
    if min(later - former for former, later in pairwise(sums)) < 1e-6:
        print("not yet: with these shares two different sentences give the same mix")
        print("hint: if a token stands at two places, its shares are added; no two sums may agree")
        return
    torch.manual_seed(0)
    draws = [torch.tensor(each) for each in ([3, 1, 4, 15], [5, 5, 5, 5], [9, 2, 9, 2])]
    draws += list(torch.randint(16, (20, 4)))
    hints = [
        "here all four tokens differ, so each channel that isn't 0 holds one share: whose?",
        "one token at all four places: its channel holds the sum of all shares",
        "two tokens, twice each; a channel may hold the sum of two shares",
    ]
    hints += ["any four tokens; take the largest share first, and see what is left"] * 20
    cases = []
    for tokens, hint in zip(draws, hints, strict=True):
        mix = (shares @ F.one_hot(tokens, 16).double()).float()
        cases.append(((mix,), tokens, hint))

    def read(mix: Tensor) -> Tensor | None:
        found = my_read(mix)
        return None if found is None else torch.as_tensor(found)

    check_attempt(read, cases, atol=0)


def _subsets(shares: list[float]) -> list[list[float]]:
    """List all subsets of the shares."""
    found: list[list[float]] = [[]]
    for share in shares:
        found += [[*each, share] for each in found]
    return found


def fold(my_fold: Callable) -> None:
    """Check a value layer that makes the output layer of a single head unnecessary."""

    def together(w_v: Tensor, b_v: Tensor, w_o: Tensor, b_o: Tensor) -> tuple[Tensor, Tensor]:
        def both(x: Tensor) -> Tensor:
            return F.linear(F.linear(x, w_v, b_v), w_o, b_o)

        zeros = torch.zeros(w_v.size(1), dtype=w_v.dtype)
        return torch.func.jacrev(both)(zeros), both(zeros)

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
