"""The scoreboard of notebooks 01 to 04: of eight `saw`s, how many come out on their side?"""

from collections.abc import Callable, Mapping

import torch

from helpers.display.heatmaps import Picture, table_html

VECTORS = {"yesterday": (0.0, 0.0), "i": (2.0, 0.0), "saw": (1.0, 1.0), "a": (0.0, 2.0)}
SAWS = {"i saw a saw": ["see", "tool"], "a saw i saw": ["tool", "see"]}  # what both should be
SAWS |= {f"yesterday {sentence}": right for sentence, right in SAWS.items()}


def saws_right(ways: Mapping[str, Callable]) -> Picture:
    """Show what each way to read makes of the saws: see below the fence, tool above it.

    ways: by name, each takes a sentence's words (t, 2) and returns their contexts (t, 2). A saw
    that is less than 0.05 off the fence stays on it; that is wrong, too. Wrong ones are grey.
    """
    rows, wrong = [["should be", *map(", ".join, SAWS.values()), 8]], []
    for row, (name, read) in enumerate(ways.items(), 1):
        cells, hits = [name], 0
        for column, (sentence, right) in enumerate(SAWS.items(), 1):
            words = sentence.split()
            contexts = read(torch.tensor([VECTORS[word] for word in words])).tolist()
            ahead = [y - x for word, (x, y) in zip(words, contexts, strict=True) if word == "saw"]
            said = [("fence", "tool", "see")[(by > 0.05) - (by < -0.05)] for by in ahead]
            cells.append(", ".join(said))
            hits += sum(map(str.__eq__, said, right))
            wrong += [(row, column)] * (said != right)
        rows.append([*cells, hits])
    return table_html(rows, ["", *SAWS, "right"], "eight saws", wrong)
