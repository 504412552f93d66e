"""The speaker of notebook 03 who says `er`: doubtful words, relatives, and what decides them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement, permutations, product

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from helpers.display.heatmaps import AMBERS
from helpers.training import training_steps

BOTH_WAYS = ["saw", "watch", "fish", "drink", "plant", "book", "iron", "hammer"]
SISTERS, BROTHERS = ["big-sis", "little-sis"], ["big-bro", "little-bro"]
ASKED = ["sister?", "brother?"]
VOCABULARY = ["i", "we", "a", "the", "er", *BOTH_WAYS, *SISTERS, *BROTHERS, *ASKED]
HINTS = dict.fromkeys(["i", "we", "big-sis", "big-bro"], 1)  # the rest stands on the fence
HINTS |= dict.fromkeys(["a", "the", "little-sis", "little-bro"], -1)
LENGTH = 8
Sentence = tuple[list[str], list[int]]


def doubtful(pairs: Sequence[tuple[str, str]]) -> list[Sentence]:
    """Write all sentences of these pairs of words, each with its tags.

    A sentence is `i er saw a er er watch er` or, the other way round, `a er saw i er er watch er`:
    0, 1 or 2 `er` before each doubtful word, and as many behind as make it eight words long.
    Tags: 0 for a verb, 1 for a noun, -100 for whatever doesn't count.
    """
    sentences = []
    people, things, pauses = ["i", "we"], ["a", "the"], range(3)
    for pair, who, what, er, more in product(pairs, people, things, pauses, pauses):
        for one, two in sorted({pair, pair[::-1]}):  # a single one for saw and saw
            for first, last, tag in ((who, what, 0), (what, who, 1)):
                words = [first, *["er"] * er, one, last, *["er"] * more, two]
                tags = [-100] * LENGTH
                tags[1 + er], tags[3 + er + more] = tag, 1 - tag
                sentences.append((words + ["er"] * (LENGTH - len(words)), tags))
    return sentences


def halves(seed: int) -> tuple[list[Sentence], list[Sentence]]:
    """Draw half of the 36 pairs for training; the sentences of the others are kept for the test."""
    pairs = list(combinations_with_replacement(BOTH_WAYS, 2))
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(seed)).tolist()
    half = len(pairs) // 2
    return doubtful([pairs[n] for n in order[:half]]), doubtful([pairs[n] for n in order[half:]])


def relatives(places: Sequence[tuple[int, int]]) -> list[Sentence]:
    """Write all questions with a sister and a brother at these places, counted from 0.

    A sentence is `er big-bro er er little-sis er er sister?`. Only its last word counts: 0 if the
    one asked about is older, 1 if younger. For each pair of places eight sentences, in the order
    of the sister, the brother, the question.
    """
    sentences = []
    for (at, there), sister, brother, asked in product(places, *[range(2)] * 3):
        words = ["er"] * (LENGTH - 1) + [ASKED[asked]]
        words[at], words[there] = SISTERS[sister], BROTHERS[brother]
        sentences.append((words, [-100] * (LENGTH - 1) + [(sister, brother)[asked]]))
    return sentences


def families(seed: int) -> tuple[list[Sentence], list[Sentence]]:
    """Draw half of the 42 pairs of places for training; the questions of the others are kept."""
    places = list(permutations(range(LENGTH - 1), 2))
    order = torch.randperm(len(places), generator=torch.Generator().manual_seed(seed)).tolist()
    first, rest = order[: len(order) // 2], order[len(order) // 2 :]
    return relatives([places[n] for n in first]), relatives([places[n] for n in rest])


def lesson(seed: int) -> tuple[list[Sentence], list[list[Sentence]]]:
    """Return what to train on, as many of each kind, and two tests: doubtful words, relatives."""
    (words, words_kept), (questions, questions_kept) = halves(seed), families(seed)
    return words + 14 * questions, [words_kept, questions_kept]


def ids_and_tags(sentences: Sequence[Sentence]) -> tuple[Tensor, Tensor]:
    """Return the words as numbers, and the tags, both (n, 8)."""
    ids = [[VOCABULARY.index(word) for word in words] for words, _ in sentences]
    return torch.tensor(ids), torch.tensor([tags for _, tags in sentences])


def fading(words: Sequence[str], place: int) -> bool:
    """Tell which side 01's fading memory hears at this place: a verb, say, or a noun."""
    return sum(HINTS.get(words[t], 0) * 0.5 ** (place - t) for t in range(place)) > 0


def best_share(cases: Iterable[tuple[tuple, object]]) -> float:
    """Give the share right of who always gives the most frequent answer; cases: seen, answer."""
    answers = defaultdict(Counter)
    for seen, answer in cases:
        answers[seen][answer] += 1
    most = sum(max(each.values()) for each in answers.values())
    return most / sum(each.total() for each in answers.values())


def best_of(sees: Callable, sentences: Sequence[Sentence]) -> float:
    """Return the share of what counts that the best rule gets right which sees only so much.

    sees: takes the words and a place, returns what the rule may know. It peeks at the tags.
    """
    return best_share(
        (sees(words, place), tag)
        for words, tags in sentences
        for place, tag in enumerate(tags)
        if tag >= 0
    )


def train_tagger(model: nn.Module, sentences: Sequence[Sentence], steps: int) -> nn.Module:
    """Train with Adam, 32 sentences a step, from (32, 8) to (32, 8, 2), and return the model."""
    ids, tags = ids_and_tags(sentences)

    def loss_of(model: nn.Module, some: Tensor) -> Tensor:
        return F.cross_entropy(model(ids[some]).flatten(0, 1), tags[some].flatten())

    adam = torch.optim.Adam(model.parameters(), lr=0.003)
    for _ in training_steps(model, torch.randint(len(ids), (steps, 32)), loss_of, adam):
        pass
    return model


def right(model: nn.Module, sentences: Sequence[Sentence]) -> float:
    """Return the share of what counts that a model tags rightly."""
    ids, tags = ids_and_tags(sentences)
    with torch.no_grad():
        hits = model(ids).argmax(dim=-1) == tags
    return float(hits.sum() / (tags >= 0).sum())


def ask(model: nn.Module, words: Sequence[str]) -> tuple[Tensor, str]:
    """Return the shares that the last word of a question takes from each word, and the answer."""
    ids = ids_and_tags([(list(words), [])])[0]
    with torch.no_grad():
        older, younger = model(ids)[0, -1]
    return model.weights[0, -1], "older" if older > younger else "younger"


def draw_asked(sentences: Sequence[Sequence[str]], model: nn.Module, title: str) -> plt.Figure:
    """Draw a numbered row for each question: its words on the share that the last one takes.

    The largest share of a row gets a frame. Returns: the figure, for `show`.
    """
    figure, ax = plt.subplots(figsize=(10, 0.55 * len(sentences)))
    asked = [ask(model, words) for words in sentences]
    table = torch.stack([shares for shares, _ in asked]).numpy()
    ax.imshow(table, cmap=AMBERS, vmin=0, vmax=1, aspect="auto")
    for row, (words, (shares, answer)) in enumerate(zip(sentences, asked, strict=True)):
        ax.text(LENGTH - 0.4, row, f"says {answer}", va="center", fontsize=10)
        for place, (word, share) in enumerate(zip(words, shares.tolist(), strict=True)):
            said = f"{word}\n{share:.2f}" if share > 0.045 else word
            look = dict(color="#666666" if word == "er" and share < 0.5 else "#111111", fontsize=10)
            ax.text(place, row, said, ha="center", va="center", **look)
    for row, largest in enumerate(table.argmax(axis=1)):
        corner = largest - 0.47, row - 0.46
        ax.add_patch(plt.Rectangle(corner, 0.94, 0.92, fill=False, color="#111111", linewidth=1.6))
    ax.set_yticks(range(len(table)), [f"row {number}" for number in range(1, len(table) + 1)])
    ax.set_title(title, fontsize=11, loc="left")
    ax.set_xticks(range(LENGTH), [f"place {number}" for number in range(1, LENGTH + 1)])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure
