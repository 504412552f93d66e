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

from helpers.tests.tamper import NBVAL, ROOT
from helpers.training import build_folder


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
        ("softmax over the queries", "-math.inf), dim=-1)", "-math.inf), dim=-2)"),
        ("softmax over the queries, no mask", "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-2)"),
        ("mask inverted", "scores.masked_fill(~keep,", "scores.masked_fill(keep,"),
        ("mask of 0 instead of -inf", "scores.masked_fill(~keep, -math.inf)", "scores.masked_fill(~keep, 0.0)"),
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
        ("query and key exchanged", "q = self.split_heads(self.query(query))", "q = self.split_heads(self.key(query))"),
        ("keys used as values", "self.split_heads(self.value(memory))", "self.split_heads(self.key(memory))"),
        ("cross-attention reads the target", "self.split_heads(self.key(memory))", "self.split_heads(self.key(query))"),
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
        ("cache not advanced", "self.k = k if self.k is None else torch.cat([self.k, k], dim=2)", "self.k = k"),
        ("cache grows in front", "torch.cat([self.v, v], dim=2)", "torch.cat([v, self.v], dim=2)"),
        ("cache not shared out to the rows", "self.k, self.v = self.k[rows], self.v[rows]", "pass"),
        ("cross cache filled again and again", "cache.fixed and cache.k is not None", "cache.k is None"),
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
        ("no norm before self-attention", "normed = self.norm_self(x)\n        read", "normed = x\n        read"),
        ("no norm before feed-forward", "self.feed_forward(self.norm_ff(x))", "self.feed_forward(x)"),
        ("no causal mask", "if t_new > 1 else None", "if t_new > 9999 else None"),
        (
            "target mask used for the source",
            "return self.decode(target_in, memory, self.source_keep(source))[0]",
            "return self.decode(target_in, memory, None)[0]",
        ),
        ("pads not masked in the encoder", "return None if keep.all() else keep", "return None"),
        ("list instead of ModuleList", "self.encoder_layers = nn.ModuleList(", "self.encoder_layers = list("),
        (
            "one layer used again and again",
            "nn.ModuleList(DecoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))",
            "nn.ModuleList([DecoderLayer(d_model, n_heads, d_ff, dropout)] * n_layers)",
        ),
        ("last norm left out", "return self.encoder_norm(x), weights", "return x, weights"),
        ("output layer not tied", "@ self.target_embedding.weight.T", "@ self.target_embedding.weight.T.flip(1)"),
        ("decoder counts no tokens", "state.t_done += t_new", "state.t_done += 0"),
        ("dropout also when not training", "if not self.training or not self.share:", "if not self.share:"),
        ("dropout does not widen", " * (1 / (1 - self.share))", ""),
        ("dropout left on while evaluating", "    model.eval()\n    try:", "    try:"),
        ("dropout not switched on again", "model.train(was_training)", "pass"),
    ),
    *_of(
        "helpers/text.py",
        "batch",
        ("labels not shifted", "pad_ids([[*example.target, EOS] for", "pad_ids([[BOS, *example.target] for"),
        ("no end in the labels", "[*example.target, EOS]", "[*example.target, PAD]"),
        ("pads in front", "row + [PAD] * (longest - len(row))", "[PAD] * (longest - len(row)) + row"),
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
        ("special tokens counted twice", "cls(frequent[: max_size - len(SPECIALS)])", "cls(frequent[:max_size])"),
        ("source and target exchanged", "return Pair(columns[0], columns[1])", "return Pair(columns[1], columns[0])"),
    ),
    *_of(
        "helpers/training.py",
        "train",
        ("loss over pads", "ignore_index=PAD, ", ""),
        ("gradients add up", "    optimizer.zero_grad()\n", ""),
        ("no clipping", "    nn.utils.clip_grad_norm_(model.parameters(), settings.clip)\n", ""),
        ("no warm-up", "return settings.learning_rate * step / settings.warmup_steps", "return settings.learning_rate"),
        ("learning rate does not fall", "0.5 * (1 + math.cos(math.pi * min(1.0, spent)))", "1.0"),
        ("label smoothing forgotten", "batch.target_out, settings.label_smoothing)", "batch.target_out)"),
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
        ("resumed without the optimizer", '        optimizer.load_state_dict(saved["optimizer"])\n', ""),
    ),
    *_of(
        "helpers/decoding.py",
        "greedy",
        ("end ignored by greedy", "going = best != EOS", "going = best == best"),
        ("greedy picks over the wrong axis", "memory_keep, state).argmax(-1)", "memory_keep, state).argmin(-1)"),
        ("pads may be written", "NEVER = [PAD, BOS, UNK]", "NEVER = [BOS, UNK]"),
        ("unknown may be written", "NEVER = [PAD, BOS, UNK]", "NEVER = [PAD, BOS]"),
        (
            "beam without length normalisation",
            "(value / length**length_penalty, prefixes[row][1:])",
            "(value, prefixes[row][1:])",
        ),
        ("beam forgets its scores", "(scores[:, :, None] + log_probs", "(0 * scores[:, :, None] + log_probs"),
        ("beam does not move the cache", "            state.select(chosen, same_sources)\n", ""),
        ("beam takes the worst", "max(candidates)[1]", "min(candidates)[1]"),
        ("finished rows keep the cache", "state.select(going.nonzero()[:, 0])", "pass"),
    ),
    *_of(
        "helpers/scoring.py",
        "scoring",
        ("BLEU with the wrong tokenizer", '"zh" if _HAN.search(text) else "13a"', '"13a"'),
        ("error rate without the factor 2", "1 - 2 * sum(", "1 - sum("),
        ("only the first reference counts", "in {right.strip() for right in rights}", "in {rights[0].strip()}"),
    ),
]


def run(command: list[str | Path], folder: Path) -> str:
    """Run pytest on a mutated copy; returns the first test that failed, or nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--rootdir", folder, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(folder), "ATTENTION_BUILD": str(folder / "build")},
    )
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].split(" ", 1)[1] if lines else f"pytest ended with {done.returncode}"


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
        raise ValueError(f"{mutant.fault}: {mutant.file} does not hold {mutant.right!r}; adapt the mutant")
    path.write_text(text.replace(mutant.right, mutant.wrong, 1), encoding="utf-8")
    first = folder / "helpers" / "tests" / f"test_{path.stem}.py"
    if first.exists() and (red := run([first], folder)):
        return red
    if red := run(["helpers/tests", "--ignore", first, "--ignore", "helpers/tests/test_regression.py"], folder):
        return red
    for notebook in sorted((folder / "notebooks").glob("*.ipynb")) if notebooks else ():
        if mutant.name in notebook.read_text(encoding="utf-8"):
            if red := run([*NBVAL, notebook], folder):
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
        print(f"| {mutant.fault} | {mutant.file} | {red or '**nothing**'} | {seconds:.0f} |", flush=True)
    print(f"\nmake mutants: {len(MUTANTS)} faults, {survivors} not noticed.")
    return survivors


if __name__ == "__main__":
    sys.exit(main() > 0)
