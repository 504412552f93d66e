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
}
