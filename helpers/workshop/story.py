"""The running example in numbers: `I saw a saw` with its vectors, masks and compass."""

from dataclasses import dataclass

import numpy as np

WORDS = ["I", "saw", "a", "saw"]
VECTORS = {"I": (2, 0), "saw": (1, 1), "a": (0, 2)}  # a verb is near, a noun is near
COMPASS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
W_Q = np.array([(0, 2, 0, 0), (2, 2, 0, 0), (0, 0, 0, -4), (0, 0, 4, 0)])
W_K = np.diag([1, 1, 2, 2])
W_V = np.eye(4, 2)
KEEP = np.tri(4, dtype=bool)
SLOTS = np.array([(2, 0), (0, 2)])  # what a slot that wants a verb asks with, and one for a noun

# Notebook 04: who did it, and whom? Channels: is it Tom, is it Emma, and two of the compass.
MEETING = ["Tom", "saw", "Emma"]
PEOPLE = np.array([(1, 0, 1, 0), (0, 0, 0, 1), (0, 1, -1, 0)])
BEFORE = np.array([(0, 0), (0, 0), (0, -4), (4, 0)])  # W_q of head 1: whoever stands before
OTHER = np.array([(0, 0), (0, 0), (-4, 0), (-4, 0)])  # W_q of head 2: the other person
COMPASS_ONLY = np.array([(0, 0), (0, 0), (2, 0), (0, 2)])  # their W_k
PEOPLE_ONLY = np.eye(4, 2)  # their W_v
WRITES = np.array([(1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1)])  # their W_o


@dataclass
class Attention:
    """Each step of one attention, from the words to their contexts."""

    x: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    scaled: np.ndarray
    weights: np.ndarray
    context: np.ndarray


def softmax(scores: np.ndarray) -> np.ndarray:
    """Turn each row of scores into weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def embed(compass: bool = True) -> np.ndarray:
    """Return the words of the sentence, one a row, with their positions in the last channels."""
    vectors = np.array([VECTORS[word] for word in WORDS])
    return np.hstack([vectors, COMPASS * compass])


def attend(mask: bool = True, compass: bool = True) -> Attention:
    """Let the words of the sentence attend to one another."""
    x = embed(compass)
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    return _attention(x, q, k, v, KEEP if mask else True)


def meet() -> tuple[Attention, Attention]:
    """Let the two heads of notebook 04 read `Tom saw Emma`."""
    first, second = (
        _attention(PEOPLE, PEOPLE @ w_q, PEOPLE @ COMPASS_ONLY, PEOPLE @ PEOPLE_ONLY, True)
        for w_q in (BEFORE, OTHER)
    )
    return first, second


def cross() -> Attention:
    """Let a slot that wants a verb, and one that wants a noun, ask the contexts of the sentence.

    The reader may look ahead, as an encoder does, so these contexts are made without a mask.
    """
    memory = attend(mask=False).context
    return _attention(memory, SLOTS, memory, memory, True)


def _attention(x, q, k, v, keep) -> Attention:
    scores = q @ k.T
    scaled = scores / np.sqrt(k.shape[1])
    weights = softmax(np.where(keep, scaled, -np.inf))
    return Attention(x, q, k, v, scores, scaled, weights, weights @ v)
