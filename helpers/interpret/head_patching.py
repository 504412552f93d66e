"""Give one head what it says in another sentence: who brings the news that a final mark is due?"""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.batches import pad_ids
from helpers.interpret import head_ablation
from helpers.interpret.head_ablation import Head, heads_of, inputs_of, switched_off, take_head
from helpers.interpret.scored_sentences import MARKS, Sentences
from helpers.recipe import Recipe
from helpers.text import BOS
from helpers.transformer import Transformer, evaluating

FROM_ITS_TWIN = "the suspect's numbers, from its marked twin"
FROM_A_QUESTION = "the suspect's, from a question into a statement: ？ comes"


class MarkStep:
    """Sentences with a final mark, at the step where the mark is due, and their bare twins."""

    def __init__(self, model: Transformer, sentences: Sentences, recipe: Recipe):
        """Take both versions; the Chinese is the right one, up to its mark."""
        self.model, device = model, recipe.device
        pairs = [pair for pair in sentences.pairs if pair.target[-1] in MARKS]
        source_words, target_words = recipe.vocabularies
        sources = [source_words.encode(pair.source_tokens) for pair in pairs]
        texts = [[BOS, *target_words.encode(pair.target_tokens[:-1])] for pair in pairs]
        self.marked, self.text = pad_ids(sources, device), pad_ids(texts, device)
        self.bare = pad_ids([source[:-1] for source in sources], device)
        steps = torch.tensor([len(text) - 1 for text in texts], device=device)
        self.at = torch.arange(len(texts), device=device), steps
        self.marks = torch.tensor(target_words.encode([*MARKS]), device=device)
        (self.question,) = target_words.encode(["？"])
        self.asked = torch.tensor([pair.target[-1] == "？" for pair in pairs], device=device)

    def next_tokens(self, source: Tensor) -> Tensor:
        """Write the token where the mark is due: (batch,)."""
        with evaluating(self.model):
            return self.model(source, self.text)[self.at].argmax(-1)

    def contexts(self, source: Tensor, name: tuple[str, int]) -> Tensor:
        """Catch what the heads of a block bring at the step: (batch, channels)."""
        with inputs_of({"heads": head_ablation.blocks_of(self.model)[name].output}) as seen:
            self.next_tokens(source)
        return seen["heads"][self.at]

    def with_head(self, given: Tensor, head: Head, exchange: Callable) -> Tensor:
        """Write the token without a mark in the source, with one head's numbers of others."""

        def at_the_step(context: Tensor, head: int, d_head: int) -> Tensor:
            context = context.clone()
            context[self.at] = exchange(context[self.at], given, head, d_head)
            return context

        with switched_off(self.model, [head], switch=at_the_step):
            return self.next_tokens(self.bare)

    def share(self, tokens: Tensor) -> float:
        """Say which share of the next tokens are marks."""
        return torch.isin(tokens, self.marks).float().mean().item()


def marks_next(
    model: Transformer, sentences: Sentences, recipe: Recipe, head: Head
) -> dict[str, list[float]]:
    """Say which share writes a mark next, if the English has one and if it has none.

    Returns: {case: [share, share]} for the healthy model, and for the head switched off.
    """
    step, found = MarkStep(model, sentences, recipe), {}
    for case, off in (("healthy", []), ("suspect off", [head])):
        with switched_off(model, off):
            both = [step.next_tokens(source) for source in (step.marked, step.bare)]
        found[case] = [*map(step.share, both)]
    return found


def marks_given(
    model: Transformer, sentences: Sentences, recipe: Recipe, head: Head,
    exchange: Callable = take_head,
) -> dict[str, float]:  # fmt: skip
    """Put numbers of one head into sentences without a mark; say which share then gets one.

    exchange: gives one head's channels of another context (see take_head).
    Returns: a share for each case, by what goes into a sentence.
    """
    step = MarkStep(model, sentences, recipe)
    marked, bare = (step.contexts(source, head[:2]) for source in (step.marked, step.bare))

    def share(given: Tensor, giver: Head = head) -> float:
        return step.share(step.with_head(given, giver, exchange))

    others = [each for each in heads_of(model) if each[:2] == head[:2] and each != head]
    found = {
        "nothing": step.share(step.next_tokens(step.bare)),
        FROM_ITS_TWIN: share(marked),
        "another head of its layer, from that twin (the best)": max(
            share(marked, each) for each in others
        ),
        "the suspect's, from another sentence with a mark": share(marked.roll(-1, 0)),
        "the suspect's, from another sentence without one": share(bare.roll(-1, 0)),
        FROM_A_QUESTION: 0.0,
    }
    askers = step.asked.nonzero().flatten()
    if len(askers) and not step.asked.all():  # give statements what a question's head says
        donors = askers[step.at[0] % len(askers)]
        written = step.with_head(marked[donors], head, exchange)
        found[FROM_A_QUESTION] = (written == step.question)[~step.asked].float().mean().item()
    return found
