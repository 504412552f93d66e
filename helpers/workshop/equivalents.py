"""Random faults that change nothing that a test could or should see, each with its reason.

A fault stands here as `make mutants` prints it when it survives: function, kind, change.
"""

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "helpers/scoring.py:alignment_error_rate",
        "argument left out",
        "… for guess, truth in zip(predicted, gold[, strict=True → ])]",
    ): "the numbers of both were compared just before",
    (
        "helpers/decoding.py:greedy",
        "argument left out",
        "…for output, limit in zip(outputs, limits[, strict=True → ])]",
    ): "both were made with one entry for each sentence of the same source",
    (
        "helpers/decoding.py:greedy",
        "constant moved",
        "…t, limit in zip(outputs, limits, strict=[Tru → Fals]e)]",
    ): "both were made with one entry for each sentence of the same source",
    (
        "helpers/decoding.py:_search",
        "argument left out",
        "state.select(rows[, same_sources → ])",
    ): "beginnings of one sentence have the same source: it only saves time",
    (
        "helpers/batches.py:length_buckets",
        "constant moved",
        "cells = batch_size * sum(lengths) / max([1 → 2], len(lengths))",
    ): "a single example is a group of its own, whatever its size",
    (
        "helpers/runs.py:train",
        "constant moved",
        "…s, settings, folder: Path, corpus: str='[ → x]', log: Callable[[str], None]=print, reu…",
    ): "the default name of a corpus only has to be the same each time",
    (
        "helpers/workshop/bench.py:ties",
        "argument left out",
        "…ettings(steps=steps, learning_rate=0.006[, batch_size=32 → ])",
    ): "it counts ties of a model that was trained a little, with whatever batches",
    (
        "helpers/workshop/tamper.py:main",
        "argument left out",
        "…rser.add_argument('notebooks', nargs='*'"
        "[, help='07, 07a, labs (default: all there are)' → ])",
    ): "a help text, which a person reads and no test compares",
    (
        "helpers/workshop/execute.py:execute_aloud",
        "argument left out",
        "…one in {time.monotonic() - start:.0f} s'[, flush=True → ])",
    ): "the same line, shown a little later",
    (
        "helpers/workshop/experiments.py:run",
        "constant moved",
        "…{value}' for key, value in told), flush=[Tru → Fals]e)",
    ): "the same line, shown a little later",
}
