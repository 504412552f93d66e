"""Decoding: from scores for the next token to whole sentences, greedily or with a beam."""

import torch
from torch import Tensor

from helpers.masks import padding_keep
from helpers.text import BOS, EOS, PAD, UNK
from helpers.transformer import DecoderState, evaluating

NEVER = torch.tensor([PAD, BOS, UNK])  # no translation holds these; as a list it is slower


def _next_logits(model, prefix: Tensor, memory: Tensor, memory_keep: Tensor, state) -> Tensor:
    """Score the token after each prefix (batch, t): (batch, target_size) logits."""
    prefix = prefix if state is None else prefix[:, -1:]
    logits = model.decode(prefix, memory, memory_keep, state)[:, -1]
    logits[:, NEVER] = -torch.inf
    return logits


def _length_limits(model, source: Tensor, max_tokens: int | None) -> list[int]:
    """Decide for each sentence after how many tokens to stop: enough for any translation."""
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens={max_tokens} is not at least 1")
    lengths = (source != PAD).sum(1).tolist()
    return [min(max_tokens or 3 * length + 20, model.max_tokens) for length in lengths]


def greedy(model, source: Tensor, max_tokens=None, use_cache=True) -> list[list[int]]:
    """Write the likeliest next token again and again until <eos>, for a whole batch at once.

    source: (batch, t_source) ids. Sentences that are finished leave the batch. One without <eos>
    ends after max_tokens tokens (if not given, three times the source and 20 more, at most the
    positions of the model).
    use_cache: keep the keys and values of earlier tokens; else all is computed again each time.
    Returns: the ids of each translation, without <bos> and <eos>.
    """
    outputs: list[list[int]] = [[] for _ in range(len(source))]
    limits = _length_limits(model, source, max_tokens)
    with evaluating(model):
        memory, memory_keep = model.encode(source), padding_keep(source)
        state = DecoderState(len(model.decoder_layers)) if use_cache else None
        rows = torch.arange(len(source), device=source.device)
        prefix = torch.full((len(source), 1), BOS, device=source.device)
        for _ in range(max(limits)):
            best = _next_logits(model, prefix, memory, memory_keep, state).argmax(-1)
            going = best != EOS
            if not going.all():
                parts = rows, best, prefix, memory, memory_keep
                rows, best, prefix, memory, memory_keep = (part[going] for part in parts)
                if state:
                    state.select(going.nonzero()[:, 0])
            if not len(rows):
                break
            for row, token in zip(rows.tolist(), best.tolist(), strict=True):
                outputs[row].append(token)
            prefix = torch.cat([prefix, best[:, None]], dim=1)
    return [output[:limit] for output, limit in zip(outputs, limits, strict=True)]


Candidate = tuple[float, int, int]  # log probability, row of the beginning, token to append


class _Hypotheses:
    """The finished translations of one sentence, and the rule that ends the search for more."""

    def __init__(self, limit: int, beam_size: int, length_penalty: float):
        self.limit, self.beam_size, self.length_penalty = limit, beam_size, length_penalty
        self.finished: list[tuple[float, list[int]]] = []

    def take(self, candidates: list[Candidate], begun: list[list[int]]) -> list[Candidate]:
        """Put the finished of the candidates aside; return those that go on, none when done."""
        length, going = len(begun[0]), [each for each in candidates if each[2] != EOS]
        norm = length**self.length_penalty
        for log_prob, row, token in candidates[: self.beam_size]:
            if token == EOS:
                self.finished.append((log_prob / norm, begun[row][1:]))
        log_prob, row, token = going[0]
        if length == self.limit:
            self.finished = self.finished or [(log_prob / norm, [*begun[row][1:], token])]
            return []
        last_of_best = sorted(self.finished, reverse=True)[self.beam_size - 1 : self.beam_size]
        if last_of_best and last_of_best[0][0] >= log_prob / norm:
            return []
        return (going + going[-1:] * self.beam_size)[: self.beam_size]  # of few words: too few


def _candidates(scores: Tensor, log_probs: Tensor, beam_size: int) -> list[list[Candidate]]:
    """List the likeliest continuations of each sentence's beginnings, the best first.

    scores: (n_sentences, width); log_probs: (n_sentences * width, target_size).
    """
    (n_sentences, width), size = scores.shape, log_probs.size(1)
    totals = (scores[:, :, None] + log_probs.view(n_sentences, width, size)).flatten(1)
    # Twice as many as needed: even if half of them are <eos>, enough are left to go on.
    values, places = totals.topk(min(2 * beam_size, totals.size(1)))
    rows = width * torch.arange(n_sentences, device=scores.device)[:, None] + places // size
    found = zip(values.tolist(), rows.tolist(), (places % size).tolist(), strict=True)
    return [list(zip(*of_one_sentence, strict=True)) for of_one_sentence in found]


def beam_search(
    model, source: Tensor, beam_size: int = 4, length_penalty: float = 1.0, max_tokens=None
) -> list[list[int]]:
    """Keep the beam_size likeliest beginnings of each sentence; of the finished return the best.

    Finished sentences compete by their log probability divided by length ** length_penalty (<eos>
    counts), since every further token makes a sentence less likely. A sentence is done when
    beam_size candidates are finished and none that still goes on is better than the last of these:
    a sure model offers poor ends long before the good one.
    source: (batch, t_source) ids.
    Returns: the ids of each translation, without <bos> and <eos>.
    Raises: ValueError if beam_size is not at least 1.
    """
    if beam_size < 1:
        raise ValueError(f"beam_size={beam_size} is not at least 1")
    limits = _length_limits(model, source, max_tokens)
    hypotheses = [_Hypotheses(limit, beam_size, length_penalty) for limit in limits]
    with evaluating(model):
        _search(model, source, hypotheses, beam_size)
    return [max(each.finished)[1] for each in hypotheses]


def _search(model, source: Tensor, hypotheses: list[_Hypotheses], beam_size: int) -> None:
    """Lengthen the beginnings of all sentences token by token until each sentence is done."""
    memory, memory_keep, device = model.encode(source), padding_keep(source), source.device
    state, searched = DecoderState(len(model.decoder_layers)), hypotheses
    prefix = torch.full((len(source), 1), BOS, device=device)
    scores = torch.zeros(len(source), 1, device=device)  # each sentence has `width` rows
    while searched:
        log_probs = _next_logits(model, prefix, memory, memory_keep, state).log_softmax(-1)
        found, begun = _candidates(scores, log_probs, beam_size), prefix.tolist()
        going = [each.take(those, begun) for each, those in zip(searched, found, strict=True)]
        searched = [each for each, those in zip(searched, going, strict=True) if those]
        kept = [candidate for those in going for candidate in those]
        if not kept:
            break
        parts = zip(*kept, strict=True)
        log_prob, rows, tokens = (torch.tensor(part, device=device) for part in parts)
        same_sources = len(rows) == len(memory)  # no sentence left: beginnings change places
        state.select(rows, same_sources)
        if not same_sources:
            memory, memory_keep = memory[rows], memory_keep[rows]
        prefix = torch.cat([prefix[rows], tokens[:, None]], dim=1)
        scores = log_prob.view(len(searched), beam_size)
