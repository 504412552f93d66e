"""Decoding: from a trained model to sentences, one token at a time."""

from pathlib import Path

import torch
from torch import Tensor

from helpers.masks import padding_keep
from helpers.text import BOS, EOS, PAD, UNK, Vocabulary, detokenize, pad_ids, tokenize
from helpers.training import load_checkpoint
from helpers.transformer import DecoderState, Transformer, evaluating

NEVER = [PAD, BOS, UNK]  # no translation holds these


def _next_scores(
    model: Transformer, prefix: Tensor, memory: Tensor, memory_keep: Tensor, state: DecoderState | None
) -> Tensor:
    """Score the token after each prefix (batch, t): (batch, target_size) log probabilities."""
    logits, _ = model.decode(prefix if state is None else prefix[:, -1:], memory, memory_keep, state)
    logits = logits[:, -1]
    logits[:, NEVER] = -torch.inf
    return logits.log_softmax(-1)


def _length_limits(model: Transformer, source: Tensor, max_tokens: int | None) -> list[int]:
    """Decide for each sentence after how many tokens to stop: enough for any honest translation."""
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens={max_tokens} is not at least 1")
    lengths = (source != PAD).sum(1).tolist()
    return [min(max_tokens or 3 * length + 20, model.max_tokens) for length in lengths]


def greedy(
    model: Transformer, source: Tensor, max_tokens: int | None = None, use_cache: bool = True
) -> list[list[int]]:
    """Write the likeliest next token again and again until <eos>, for all sentences of a batch at once.

    source: (batch, t_source) ids. Sentences that are finished leave the batch. A sentence without <eos> ends after
    max_tokens tokens (if not given, three times the source and 20 more, at most the positions of the model).
    use_cache: keep the keys and values of earlier tokens; without it everything is computed again at each token.
    Returns: the ids of each translation, without <bos> and <eos>.
    """
    outputs: list[list[int]] = [[] for _ in range(len(source))]
    limits = _length_limits(model, source, max_tokens)
    with evaluating(model):
        memory, memory_keep = model.encode(source)[0], padding_keep(source)
        state = DecoderState(len(model.decoder_layers)) if use_cache else None
        rows = torch.arange(len(source), device=source.device)
        prefix = torch.full((len(source), 1), BOS, device=source.device)
        for _ in range(max(limits)):
            best = _next_scores(model, prefix, memory, memory_keep, state).argmax(-1)
            going = best != EOS
            if not going.all():
                rows, best, prefix, memory, memory_keep = (
                    tensor[going] for tensor in (rows, best, prefix, memory, memory_keep)
                )
                if state:
                    state.select(going.nonzero()[:, 0])
            if not len(rows):
                break
            for row, token in zip(rows.tolist(), best.tolist(), strict=True):
                outputs[row].append(token)
            prefix = torch.cat([prefix, best[:, None]], dim=1)
    return [output[:limit] for output, limit in zip(outputs, limits, strict=True)]


def beam_search(
    model: Transformer, source: Tensor, beam_size: int = 4, length_penalty: float = 1.0, max_tokens: int | None = None
) -> list[list[int]]:
    """Keep the beam_size likeliest beginnings of each sentence, and of the finished ones return the best.

    Finished sentences compete by their log probability divided by length ** length_penalty (<eos> counts), since
    every further token makes a sentence less likely. A sentence is done when beam_size candidates are finished and
    none that still goes on is better than the last of these: a sure model offers poor ends long before the good one.
    source: (batch, t_source) ids.
    Returns: the ids of each translation, without <bos> and <eos>.
    Raises: ValueError if beam_size is not at least 1.
    """
    if beam_size < 1:
        raise ValueError(f"beam_size={beam_size} is not at least 1")
    finished: list[list[tuple[float, list[int]]]] = [[] for _ in range(len(source))]
    limits = _length_limits(model, source, max_tokens)
    with evaluating(model):
        memory, memory_keep = model.encode(source)[0], padding_keep(source)
        state = DecoderState(len(model.decoder_layers))
        sentences = list(range(len(source)))  # those still searched; each has `width` rows of the batch
        prefix = torch.full((len(source), 1), BOS, device=source.device)
        scores = torch.zeros(len(source), 1, device=source.device)
        for length in range(1, max(limits) + 1):
            width = scores.size(1)
            log_probs = _next_scores(model, prefix, memory, memory_keep, state)
            totals = (scores[:, :, None] + log_probs.view(len(sentences), width, -1)).flatten(1)
            # Twice as many candidates as needed: even if half of them are <eos>, enough are left to go on.
            values, indices = totals.topk(min(2 * beam_size, totals.size(1)))
            size, prefixes = log_probs.size(1), prefix.tolist()
            rows, tokens, kept_scores, kept = [], [], [], []
            for place, sentence in enumerate(sentences):
                going = []
                for rank, (value, index) in enumerate(
                    zip(values[place].tolist(), indices[place].tolist(), strict=True)
                ):
                    row, token = place * width + index // size, index % size
                    if token != EOS:
                        going.append((value, row, token))
                    elif rank < beam_size:
                        finished[sentence].append((value / length**length_penalty, prefixes[row][1:]))
                if length == limits[sentence] and not finished[sentence]:
                    value, row, token = going[0]
                    finished[sentence].append((value / length**length_penalty, [*prefixes[row][1:], token]))
                best_going = going[0][0] / length**length_penalty
                enough = sorted(finished[sentence], reverse=True)[beam_size - 1 : beam_size]
                if length == limits[sentence] or (enough and enough[0][0] >= best_going):
                    continue
                going = (going + going[-1:] * beam_size)[:beam_size]  # a tiny vocabulary may offer too few
                kept.append(sentence)
                kept_scores.append([value for value, _, _ in going])
                rows += [row for _, row, _ in going]
                tokens += [token for _, _, token in going]
            sentences = kept
            if not sentences:
                break
            chosen = torch.tensor(rows, device=source.device)
            same_sources = len(chosen) == len(memory)  # no sentence has left, so only beginnings change places
            state.select(chosen, same_sources)
            if not same_sources:
                memory, memory_keep = memory[chosen], memory_keep[chosen]
            prefix = torch.cat([prefix[chosen], torch.tensor(tokens, device=source.device)[:, None]], dim=1)
            scores = torch.tensor(kept_scores, device=source.device)
    return [max(candidates)[1] for candidates in finished]


class Translator:
    """A trained model with its two vocabularies: sentences in, sentences out."""

    def __init__(self, model: Transformer, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary):
        """Put the three together.

        Raises: ValueError if the model was made for vocabularies of other sizes.
        """
        sizes = model.sizes["source_size"], model.sizes["target_size"]
        if sizes != (len(source_vocabulary), len(target_vocabulary)):
            raise ValueError(
                f"the model knows {sizes[0]} source and {sizes[1]} target tokens, the vocabularies have "
                f"{len(source_vocabulary)} and {len(target_vocabulary)}; use the vocabularies it was trained with"
            )
        self.model, self.source_vocabulary, self.target_vocabulary = model, source_vocabulary, target_vocabulary

    @classmethod
    def from_checkpoint(cls, path: Path, device: torch.device | str = "cpu") -> "Translator":
        """Load a trained translator; raises what load_checkpoint raises, ValueError if the weights do not fit."""
        content = load_checkpoint(path, device)
        try:
            model = Transformer(**content["about"]["model"]).to(device)
            model.load_state_dict(content["model"])
            vocabularies = [Vocabulary(content[name][4:]) for name in ("source_tokens", "target_tokens")]
        except (KeyError, TypeError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise ValueError(f"the checkpoint {path.name!r} does not fit this code ({reason}); train again") from None
        return cls(model.eval(), *vocabularies)

    def unknown(self, sentence: str) -> list[str]:
        """List the tokens of a sentence that the model never saw; it reads all of them as <unk>."""
        return [token for token in tokenize(sentence) if token not in self.source_vocabulary.ids]

    def read(self, sentence: str) -> list[int]:
        """Turn a sentence into ids; raises ValueError if it is empty or longer than the model's positions."""
        tokens = tokenize(sentence)
        if not tokens:
            raise ValueError("the sentence is empty; type at least one word")
        if len(tokens) > self.model.max_tokens:
            raise ValueError(
                f"the sentence has {len(tokens)} tokens, this model reads at most {self.model.max_tokens}; split it"
            )
        return self.source_vocabulary.encode(tokens)

    def translate(
        self, sentences: list[str], beam_size: int = 1, batch_size: int = 100, max_tokens: int | None = None
    ) -> list[str]:
        """Translate sentences, greedily or with a beam, in batches of similar length.

        Returns: one translation for each sentence, in their order.
        Raises: ValueError for a sentence that is empty or too long, or for a string in place of a list.
        """
        if isinstance(sentences, str):
            raise ValueError("translate takes a list of sentences; put the sentence in brackets")
        if batch_size < 1:
            raise ValueError(f"batch_size={batch_size} is not at least 1")
        ids = [self.read(sentence) for sentence in sentences]
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        device = next(self.model.parameters()).device
        translations = [""] * len(ids)
        for start in range(0, len(order), batch_size):
            group = order[start : start + batch_size]
            source = pad_ids([ids[index] for index in group], device)
            if beam_size == 1:
                outputs = greedy(self.model, source, max_tokens)
            else:
                outputs = beam_search(self.model, source, beam_size, max_tokens=max_tokens)
            for index, output in zip(group, outputs, strict=True):
                translations[index] = detokenize(self.target_vocabulary.decode(output))
        return translations

    def cross_attention(self, sentence: str, translation: str | None = None) -> tuple[list[str], list[str], Tensor]:
        """Show where the decoder looked while it wrote each token of a translation (its own greedy one if not given).

        Row t belongs to the step that writes target token t, which reads token t - 1 (<bos> at first).
        Returns: source tokens, target tokens with <eos>, weights (n_layers, n_heads, t_target, t_source).
        """
        source = torch.tensor([self.read(sentence)], device=next(self.model.parameters()).device)
        if translation is None:
            ids = greedy(self.model, source)[0]
        else:
            ids = self.target_vocabulary.encode(tokenize(translation, lowercase=False))
        with evaluating(self.model):
            memory = self.model.encode(source)[0]
            target_in = torch.tensor([[BOS, *ids]], device=source.device)
            _, weights = self.model.decode(target_in, memory, padding_keep(source), need_weights=True)
        target_tokens = [*(self.target_vocabulary.tokens[number] for number in ids), "<eos>"]
        return tokenize(sentence), target_tokens, torch.cat(weights)
