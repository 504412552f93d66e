"""Make small faults in copies of helpers and data, and see a test or a notebook turn red: `make mutants`.

Each fault is a mistake that people really make. The tests of the changed module run first, then all tests of
helpers, then the notebooks that name the changed function; the first red ends it. A fault that nothing notices is a
missing test.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from helpers.training import build_folder
from helpers.workshop.comparison import NBVAL
from helpers.workshop.notebooks import ROOT


class Mutant(NamedTuple):
    """A fault: in a file, the text `right` becomes `wrong`; name: what a notebook that uses it has to mention."""

    fault: str
    file: str
    right: str
    wrong: str
    name: str


def _of(file: str, name: str, *faults: tuple[str, str, str]) -> list[Mutant]:
    return [Mutant(fault, file, right, wrong, name) for fault, right, wrong in faults]


MUTANTS = [
    *_of(
        "helpers/attention.py",
        "attention",
        ("no scale", " / math.sqrt(k.size(-1))", ""),
        (
            "scale after the softmax",
            "return weights @ v, weights",
            "return weights @ v / math.sqrt(k.size(-1)), weights",
        ),
        ("scale by the width of the values", "math.sqrt(k.size(-1))", "math.sqrt(v.size(-1))"),
        ("scale by d_k, not its root", "math.sqrt(k.size(-1))", "k.size(-1)"),
        (
            "scale by the root of d_model",
            "q = self.split_heads(self.query(query))",
            "q = self.split_heads(self.query(query)) / math.sqrt(self.n_heads)",
        ),
        ("softmax over the queries", "-math.inf), dim=-1)", "-math.inf), dim=-2)"),
        (
            "softmax over the queries, no mask",
            "torch.softmax(scores, dim=-1)",
            "torch.softmax(scores, dim=-2)",
        ),
        ("mask inverted", "scores.masked_fill(~keep,", "scores.masked_fill(keep,"),
        (
            "mask of 0 instead of -inf",
            "scores.masked_fill(~keep, -math.inf)",
            "scores.masked_fill(~keep, 0.0)",
        ),
        ("empty row left NaN", "dim=-1).masked_fill(~keep, 0.0)", "dim=-1)"),
        ("keys not turned", "q @ k.transpose(-2, -1)", "k @ q.transpose(-2, -1)"),
        (
            "view without transpose",
            "view(batch, t, self.n_heads, self.d_head).transpose(1, 2)",
            "reshape(batch, self.n_heads, t, self.d_head)",
        ),
        (
            "heads joined without transpose",
            "context.transpose(1, 2).flatten(2)",
            "context.reshape(context.size(0), context.size(2), -1)",
        ),
        (
            "query and key exchanged",
            "q = self.split_heads(self.query(query))",
            "q = self.split_heads(self.key(query))",
        ),
        (
            "keys used as values",
            "self.split_heads(self.value(memory))",
            "self.split_heads(self.key(memory))",
        ),
        (
            "cross-attention reads the target",
            "self.split_heads(self.key(memory))",
            "self.split_heads(self.key(query))",
        ),
        (
            "heads share one projection",
            "return self.output(context.transpose(1, 2).flatten(2))",
            "return self.output(context[:, :1].expand_as(context).transpose(1, 2).flatten(2))",
        ),
        (
            "output layer left out",
            "self.output(context.transpose(1, 2).flatten(2))",
            "context.transpose(1, 2).flatten(2)",
        ),
        ("mask lost in the fused kernel", "attn_mask=keep", "attn_mask=None"),
        (
            "cache not advanced",
            "self.k = k if self.k is None else torch.cat([self.k, k], dim=2)",
            "self.k = k",
        ),
        ("cache grows in front", "torch.cat([self.v, v], dim=2)", "torch.cat([v, self.v], dim=2)"),
        ("cache not shared out to the rows", "self.k, self.v = self.k[rows], self.v[rows]", "pass"),
        (
            "cross cache filled again and again",
            "cache.fixed and cache.k is not None",
            "cache.k is None",
        ),
    ),
    *_of(
        "helpers/masks.py",
        "keep",
        ("triu for tril", ".tril(t_key - t_query)", ".triu(t_key - t_query)"),
        ("a token does not see itself", ".tril(t_key - t_query)", ".tril(t_key - t_query - 1)"),
        ("mask without the cached keys", ".tril(t_key - t_query)", ".tril()"),
        ("padding inverted", "(ids != pad)", "(ids == pad)"),
        ("queries hidden, not keys", "[:, None, None, :]", "[:, None, :, None]"),
    ),
    *_of(
        "helpers/transformer.py",
        "Transformer",
        ("sin and cos exchanged", "[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]"),
        (
            "positions not interleaved",
            "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
            "torch.cat([angles.sin(), angles.cos()], dim=-1)",
        ),
        ("positions from 1", "torch.arange(t, dtype", "torch.arange(1, t + 1, dtype"),
        (
            "position off by one with a cache",
            "self.positions[start:end]",
            "self.positions[max(0, start - 1) : end - min(1, start)]",
        ),
        ("embeddings not scaled", " * math.sqrt(self.d_model) +", " +"),
        ("no residual around attention", "x = x + self.dropout(read)", "x = self.dropout(read)"),
        (
            "no norm before self-attention",
            "normed = self.norm_self(x)\n        read",
            "normed = x\n        read",
        ),
        (
            "no norm before feed-forward",
            "self.feed_forward(self.norm_ff(x))",
            "self.feed_forward(x)",
        ),
        ("no causal mask", "if t_new > 1 else None", "if t_new > 9999 else None"),
        (
            "target mask used for the source",
            "memory, self.source_keep(source))[0]",
            "memory, self.source_keep(target_in))[0]",
        ),
        (
            "the decoder sees pads of the source",
            "memory, self.source_keep(source))[0]",
            "memory, None)[0]",
        ),
        (
            "cross-attention mask transposed",
            "layer(x, memory, keep, memory_keep, cache",
            "layer(x, memory, keep, None if memory_keep is None else memory_keep.mT, cache",
        ),
        (
            "cache shared between layers",
            "[(KeyValueCache(), KeyValueCache(fixed=True)) for _ in range(n_layers)]",
            "[(KeyValueCache(), KeyValueCache(fixed=True))] * n_layers",
        ),
        ("pads not masked in the encoder", "return None if keep.all() else keep", "return None"),
        (
            "list instead of ModuleList",
            "self.encoder_layers = nn.ModuleList(",
            "self.encoder_layers = list(",
        ),
        (
            "one layer used again and again",
            "nn.ModuleList(DecoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))",
            "nn.ModuleList([DecoderLayer(d_model, n_heads, d_ff, dropout)] * n_layers)",
        ),
        ("last norm left out", "return self.encoder_norm(x), weights", "return x, weights"),
        (
            "output layer not tied",
            "@ self.target_embedding.weight.T",
            "@ self.target_embedding.weight.T.flip(1)",
        ),
        ("decoder counts no tokens", "state.t_done += t_new", "state.t_done += 0"),
        (
            "dropout also when not training",
            "if not self.training or not self.share:",
            "if not self.share:",
        ),
        ("dropout does not widen", " * (1 / (1 - self.share))", ""),
        ("dropout left on while evaluating", "    model.eval()\n    try:", "    try:"),
        ("dropout not switched on again", "model.train(was_training)", "pass"),
    ),
    *_of(
        "helpers/text.py",
        "batch",
        (
            "input of teacher forcing not shifted",
            "[[BOS, *example.target] for",
            "[[*example.target, EOS] for",
        ),
        (
            "labels not shifted",
            "pad_ids([[*example.target, EOS] for",
            "pad_ids([[BOS, *example.target] for",
        ),
        ("no end in the labels", "[*example.target, EOS]", "[*example.target, PAD]"),
        (
            "pads in front",
            "row + [PAD] * (longest - len(row))",
            "[PAD] * (longest - len(row)) + row",
        ),
        (
            "buckets drop the tail",
            "    if seed is not None:\n        groups = [groups[",
            "    groups = groups[:-1]\n    if seed is not None:\n        groups = [groups[",
        ),
        (
            "buckets not by length",
            "order = order[sizes[order].argsort(stable=True)].tolist()",
            "order = order.tolist()",
        ),
        (
            "split with overlap",
            "parts[name].where(key not in later for key in keys)",
            "parts[name].where(True for key in keys)",
        ),
        ("end of sentence ignored", "            if number == EOS:\n                break\n", ""),
        (
            "unknown words dropped",
            "return [self.ids.get(token, UNK) for token in tokens]",
            "return [self.ids[token] for token in tokens if token in self.ids]",
        ),
        (
            "special tokens counted twice",
            "cls(frequent[: max_size - len(SPECIALS)])",
            "cls(frequent[:max_size])",
        ),
        (
            "source and target exchanged",
            "return Pair(columns[0], columns[1])",
            "return Pair(columns[1], columns[0])",
        ),
    ),
    *_of(
        "helpers/training.py",
        "train",
        ("loss over pads", "ignore_index=PAD, ", ""),
        ("gradients add up", "    optimizer.zero_grad()\n", ""),
        ("no clipping", "    nn.utils.clip_grad_norm_(model.parameters(), settings.clip)\n", ""),
        (
            "no warm-up",
            "return settings.learning_rate * step / settings.warmup_steps",
            "return settings.learning_rate",
        ),
        ("learning rate does not fall", "0.5 * (1 + math.cos(math.pi * min(1.0, spent)))", "1.0"),
        (
            "label smoothing forgotten",
            "batch.target_out, settings.label_smoothing)",
            "batch.target_out)",
        ),
        (
            "label smoothing while evaluating",
            "token_loss(logits, batch.target_out).item()",
            "token_loss(logits, batch.target_out, 0.1).item()",
        ),
        (
            "decay on norms and biases",
            "dict(params=others, weight_decay=0.0)",
            "dict(params=others, weight_decay=settings.weight_decay)",
        ),
        ("the last weights instead of the best", "model.load_state_dict(best_weights)", "pass"),
        ("a worse checkpoint over a better one", "if history.best is row:", "if row:"),
        (
            "a checkpoint made otherwise is overwritten",
            "                folder.rename(aside)\n",
            "",
        ),
        ("random numbers not seeded", "torch.manual_seed(settings.seed)  # dropout", "pass"),
        ("every seed the same order", "seed=settings.seed * 100_003 + epoch", "seed=epoch"),
        (
            "every epoch the same order",
            "seed=settings.seed * 100_003 + epoch",
            "seed=settings.seed * 100_003",
        ),
        (
            "right pads counted as right tokens",
            "real = batch.target_out != PAD",
            "real = batch.target_out >= PAD",
        ),
        (
            "tokens right over the wrong axis",
            "(logits.argmax(-1) == batch",
            "(logits.argmax(1) == batch",
        ),
        ("best weights not copied", "{name: weight.clone() for name", "{name: weight for name"),
        (
            "mean of batches, not of tokens",
            "batch.target_out).item() * count",
            "batch.target_out).item() * total / max(1, total)",
        ),
        (
            "half a checkpoint",
            "        os.replace(part, path)\n",
            "        path.write_bytes(part.read_bytes()[:-100])\n",
        ),
        (
            "resumed without the optimizer",
            '        optimizer.load_state_dict(saved["optimizer"])\n',
            "",
        ),
    ),
    *_of(
        "helpers/decoding.py",
        "greedy",
        ("end ignored by greedy", "going = best != EOS", "going = best == best"),
        (
            "greedy picks the unlikeliest",
            "memory_keep, state).argmax(-1)",
            "memory_keep, state).argmin(-1)",
        ),
        (
            "greedy picks over the wrong axis",
            "memory_keep, state).argmax(-1)",
            "memory_keep, state).argmax(0)",
        ),
        (
            "greedy writes all rows into one list",
            "[[] for _ in range(len(source))]\n    limits",
            "[[]] * len(source)\n    limits",
        ),
        ("pads counted in the longest output", "(source != PAD).sum(1)", "(source >= PAD).sum(1)"),
        ("end ignored by the beam", "if token != EOS:", "if token != PAD:"),
        (
            "length penalty multiplied",
            "(value / length**length_penalty, prefixes[row][1:])",
            "(value * length**length_penalty, prefixes[row][1:])",
        ),
        (
            "cache shared between rows",
            "state.select(chosen, same_sources)",
            "state.select(chosen[:1].expand_as(chosen), same_sources)",
        ),
        (
            "beams of all sentences in one list",
            "list[tuple[float, list[int]]]] = [[] for _ in range(len(source))]",
            "list[tuple[float, list[int]]]] = [[]] * len(source)",
        ),
        (
            "translations joined by spaces",
            "detokenize(self.target_vocabulary.decode(output))",
            '" ".join(self.target_vocabulary.decode(output))',
        ),
        ("pads may be written", "NEVER = [PAD, BOS, UNK]", "NEVER = [BOS, UNK]"),
        ("unknown may be written", "NEVER = [PAD, BOS, UNK]", "NEVER = [PAD, BOS]"),
        (
            "beam without length normalisation",
            "(value / length**length_penalty, prefixes[row][1:])",
            "(value, prefixes[row][1:])",
        ),
        (
            "beam forgets its scores",
            "(scores[:, :, None] + log_probs",
            "(0 * scores[:, :, None] + log_probs",
        ),
        ("beam does not move the cache", "            state.select(chosen, same_sources)\n", ""),
        ("beam takes the worst", "max(candidates)[1]", "min(candidates)[1]"),
        ("finished rows keep the cache", "state.select(going.nonzero()[:, 0])", "pass"),
    ),
    *_of(
        "helpers/scoring.py",
        "scoring",
        ("BLEU with the wrong tokenizer", '"zh" if _HAN.search(text) else "13a"', '"13a"'),
        (
            "BLEU of characters joined by spaces",
            "list(hypotheses), columns",
            "[*map(' '.join, hypotheses)], columns",
        ),
        (
            "exact match in lower case",
            "hypothesis.strip() in {right.strip() for",
            "hypothesis.strip().lower() in {right.strip().lower() for",
        ),
        (
            "axes of a link exchanged",
            "len(guess & truth)",
            "len({(j, i) for i, j in guess} & truth)",
        ),
        ("error rate without the factor 2", "1 - 2 * sum(", "1 - sum("),
        (
            "only the first reference counts",
            "in {right.strip() for right in rights}",
            "in {rights[0].strip()}",
        ),
    ),
    *_of(
        "data/make_corpus.py",
        "make_corpus",
        ("alignment counted from 1", '"{i}-{j}"', '"{i + 1}-{j + 1}"'),
        ("link written target first", '"{i}-{j}"', '"{j}-{i}"'),
        (
            "link of the final mark one too early",
            "links.append((len(english), len(chinese)))",
            "links.append((len(english) - 1, len(chinese) - 1))",
        ),
        ("Chinese question with a full stop", '"？" if phrase.question else "。"', '"。"'),
        (
            "no line feed at the end",
            "(pair.line() for pair in pairs)",
            "(pair.line() for pair in pairs).strip()",
        ),
        ("line ends of Windows", 'newline="\\n"', 'newline="\\r\\n"'),
        (
            "a sentence may come again",
            "            self.used.add(key)\n            return phrase",
            "            return phrase",
        ),
        (
            "parts drawn with overlap",
            "phrases.pop(self.rng.randrange(len(phrases)))",
            "phrases[self.rng.randrange(len(phrases))]",
        ),
        (
            "probes not set aside",
            "{normalised(pair.english) for pair in probe_pairs()}",
            "set()",
        ),
        (
            "held-out pair only where it is its own relation",
            'wanted == "ordinary" and self.together(key)',
            'wanted == "ordinary" and pairs',
        ),
        ("held-out pair only in the singular", "{noun.english, noun.plural}", "{noun.english}"),
        (
            "no longest training sentence",
            "not 3 <= len(key) <= LONGEST_ENGLISH or",
            "len(key) < 3 or",
        ),
        ("long in one language only", "> longest_english and", "> longest_english or"),
        (
            "two translations not noticed",
            "self.translations.setdefault(key",
            "self.translations.get(key",
        ),
        ("random sentences without a seed", "self.rng = Random(seed)", "self.rng = Random()"),
    ),
    *_of(
        "data/grammar.py",
        "make_corpus",
        ("links do not move with a phrase", "right_starts[name] + j", "left_starts[name] + j"),
        ("links do not move when 的 goes", "(i, j - (j > place))", "(i, j)"),
        (
            "only the first character linked",
            "range(len(right_tokens))",
            "range(min(1, len(right_tokens)))",
        ),
        (
            "measure word linked to the noun",
            "(len(phrase.english) - 1, len(phrase.chinese))",
            "(len(phrase.english), len(phrase.chinese))",
        ),
        ("个 for everything", '"person" in noun.tags, noun.measure', '"person" in noun.tags, "个"'),
        (
            "a or an by the noun, not by the next word",
            "body.english[0][0] in",
            "noun.english[0] in",
        ),
        (
            "no -s in the third person",
            "            form = verb.third",
            "            form = verb.base",
        ),
        (
            "time behind the Chinese verb",
            '"{s} {v} {t}", "{s}{t}{v}"',
            '"{s} {v} {t}", "{s}{v}{t}"',
        ),
        ("不 for what did not happen", "didn't:没", "didn't:不"),
        ("二 for two things", "two:两", "two:二"),
    ),
    *_of(
        "data/simple.py",
        "make_corpus",
        ("几个 for everything", "几{noun.measure}", "几个"),
    ),
    *_of(
        "data/constructions.py",
        "make_corpus",
        (
            "relative clause behind the Chinese noun",
            '"{d} {n} that {c}", "{c}的{d}{n}"',
            '"{d} {n} that {c}", "{d}{n}{c}的"',
        ),
    ),
    *_of(
        "data/lexicon.py",
        "make_corpus",
        ("saw, the verb, read as a tool", "| 看见 | 看见 |", "| 看见 | 锯 |"),
        ("wrong measure word in the lexicon", "马 匹", "马 只"),
    ),
]


def run(command: list[str | Path], folder: Path) -> str:
    """Run pytest on a mutated copy; returns the first test that failed, or nothing."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            folder,
            *command,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(folder), "ATTENTION_BUILD": str(folder / "build")},
    )
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (
        lines[0].split(" - ")[0].split(" ", 1)[1]
        if lines
        else f"pytest ended with {done.returncode}"
    )


def caught_by(mutant: Mutant, folder: Path, notebooks: bool = True) -> str:
    """Make the fault in a fresh copy of helpers, data and notebooks, and look for the first red.

    Raises: ValueError if the text to change is not in the file exactly as it is written here.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("helpers", "data", "notebooks"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("README.md", "environment.yml", "Makefile"):
        shutil.copy(ROOT / file, folder)
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    if mutant.right not in text:
        raise ValueError(
            f"{mutant.fault}: {mutant.file} does not hold {mutant.right!r}; adapt the mutant"
        )
    path.write_text(text.replace(mutant.right, mutant.wrong, 1), encoding="utf-8")
    tests = "corpus" if path.parent.name == "data" else path.stem
    first = folder / "helpers" / "tests" / f"test_{tests}.py"
    if first.exists() and (red := run([first], folder)):
        return red
    if red := run(
        ["helpers/tests", "--ignore", first, "--ignore", "helpers/tests/test_regression.py"], folder
    ):
        return red
    for notebook in sorted((folder / "notebooks").glob("*.ipynb")) if notebooks else ():
        if mutant.name in notebook.read_text(encoding="utf-8"):
            if red := run([*NBVAL, "--nbval-current-env", notebook], folder):
                return red
    return ""


def main() -> int:
    """Try all mutants, print the table, and return how many survived."""
    folder, survivors = build_folder() / "mutants", 0
    print("| fault | file | caught by | seconds |\n|---|---|---|---|")
    for mutant in MUTANTS:
        start = time.perf_counter()
        red = caught_by(mutant, folder)
        survivors += not red
        seconds = time.perf_counter() - start
        print(
            f"| {mutant.fault} | {mutant.file} | {red or '**nothing**'} | {seconds:.0f} |",
            flush=True,
        )
    print(f"\nmake mutants: {len(MUTANTS)} faults, {survivors} not noticed.")
    return survivors


if __name__ == "__main__":
    sys.exit(main() > 0)
