"""The pictures of notebook 08: what breaks without a head, and without more and more of them."""

import json
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

from helpers.gloss import pinyin
from helpers.recipe import DATA
from helpers.workshop.inside import Head
from helpers.workshop.markup import GREY, INK, MUTED, ORANGE, Picture, heatmap_html, table_html
from helpers.workshop.tables import AMBER

PURPLE, WORDS = "#8e44ad", "measure_words"
KINDS = {"final mark": AMBER, "measure word": PURPLE, "(end)": INK, "other word": GREY}


def with_pinyin(tokens: Sequence[str]) -> list[str]:
    """Put its pinyin behind each Chinese token."""
    pairs = zip(tokens, pinyin(tokens), strict=True)
    return [f"{token} {reading}".strip() for token, reading in pairs]


def show_clue() -> Picture:
    """Show the map that 08 opens with, from data/experiments/clue.json."""
    file = DATA / "experiments" / "clue.json"
    clue = json.loads(file.read_text(encoding="utf-8"))["rows"][0]
    return heatmap_html(clue["weights"], with_pinyin(clue["written"]), clue["source"])


def name_of(head: Head) -> str:
    """Name a head as the reader counts: cross 2.5 is head 5 of the decoder's layer 2."""
    return f"{head[0]} {head[1]}.{head[2]}"


def draw_broken(counts: Mapping[Head, Mapping[str, int]], total: int) -> plt.Figure:
    """Draw for each head the sentences that break without it, by the kind of first wrong token."""
    figure, ax = plt.subplots(figsize=(7.2, 0.3 * len(counts) + 1.1))
    for row, of_head in enumerate(counts.values()):
        start = 0.0
        for kind, colour in KINDS.items():
            width = 100 * of_head.get(kind, 0) / total
            label = f"first wrong: {kind}" if row == 0 else None
            ax.barh(row, width, left=start, color=colour, label=label)
            start += width
    ax.set_yticks(range(len(counts)), [name_of(head) for head in counts])
    ax.set(xlabel="sentences of 100 that break", ylim=(len(counts) - 0.4, -0.6))
    ax.legend(loc="lower right")
    return figure


def draw_gang(
    grown: Sequence[int], drawn: Sequence[Sequence[int]], trios: Sequence[tuple], total: int
) -> plt.Figure:
    """Draw how many measure words go wrong: with more and more lookers off, and with any three.

    drawn: for each number of heads what several sets chosen by lot cost. trios: of each set of
    three heads of one layer the mean weight on the noun, and what it costs.
    """
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 3.3), sharey=True, width_ratios=(5, 4))
    places, (ax, beside) = range(1, len(grown) + 1), axes
    ax.plot(places, [100 * each / total for each in grown], color=PURPLE, marker="o")
    look = dict(xytext=(9, 0), textcoords="offset points", va="top")
    ax.annotate("who look\nat nouns", (len(grown), 100 * grown[-1] / total), **look)
    for place, costs in enumerate(drawn, 1):
        across = [place + 0.05 * (number - (len(costs) - 1) / 2) for number in range(len(costs))]
        shares = [100 * each / total for each in costs]
        ax.plot(across, shares, "o", color=MUTED, markersize=4, alpha=0.6)
    look |= dict(va="bottom", color=MUTED)
    ax.annotate("others,\nby lot", (len(drawn), 0), **look)
    ax.set(xlabel="heads off", ylabel="% of measure words wrong", title="more and more")
    ax.set(xlim=(0.6, len(grown) + 1.2), ylim=(-3, None), xticks=places)
    shares = [100 * wrong / total for _, wrong in trios]
    beside.plot([weight for weight, _ in trios], shares, "o", color=PURPLE, mfc="white")
    beside.set(xlabel="mean weight on the noun", title="any three of one layer")
    return figure


def draw_claims(here: Sequence[Sequence[float]], rows: Sequence[dict]) -> plt.Figure:
    """Draw a row for each of CLAIMS: yours as a full dot, translators of other seeds as rings.

    here: shares for each group of claims. In the first a dashed line says what is needed.
    """
    count = sum(map(len, CLAIMS.values()))
    figure, axes = plt.subplots(
        len(CLAIMS), 1, figsize=(8.6, 0.3 * count + 2.2), sharex=True,
        height_ratios=[len(claims) for claims in CLAIMS.values()],
    )  # fmt: skip
    for ax, (title, claims), shares in zip(axes, CLAIMS.items(), here, strict=True):
        for place, (key, share) in enumerate(zip(claims.values(), shares, strict=True)):
            others = [100 * share_of(row, key) for row in rows]
            down = [place + 0.13 * (number - 2) for number in range(len(others))]
            ax.plot(others, down, "o", color=PURPLE, mfc="white", markersize=5, clip_on=False)
            ax.plot([100 * share], [place], "o", color=INK, markersize=6, clip_on=False)
        ax.set_yticks(range(len(claims)), [*claims])
        ax.set(xlim=(0, 100), ylim=(len(claims) - 0.4, -0.6))
        ax.set_title(title, loc="left", fontsize=10, fontweight="bold")
        ax.grid(axis="y", alpha=0.4)
    axes[0].axvline(10, color=MUTED, linestyle="--", linewidth=1)
    axes[0].annotate("needed: a tenth", (11, 0.5), color=MUTED, va="center")
    axes[-1].set(xlabel="%  (full: yours; rings: seeds 0 to 4, from above)")
    return figure


def heads_table(values: Mapping[Head, float], name: str, lit: Head) -> Picture:
    """Show one number for each head of one kind: a row for each layer, and one head on grey."""
    layers: dict[int, list] = {}
    for (_, layer, _), value in sorted(values.items()):
        layers.setdefault(layer, [f"layer {layer}"]).append(value)
    header = [name, *(f"head {number}" for number in range(1, len(layers[1])))]
    return table_html([*layers.values()], header, highlight=[(lit[1] - 1, lit[2])])


def draw_guesses(tables: Mapping[str, tuple]) -> plt.Figure:
    """Colour each head's weight on each guess by how many times an even spread it is.

    tables: for each kind of head its guesses, the shares of each head, and the even ones.
    """
    figure, axes = plt.subplots(1, len(tables), figsize=(9, 4.8), squeeze=False)
    for ax, (kind, (guesses, shares, even)) in zip(axes[0], tables.items(), strict=True):
        times = np.array([*shares.values()]) / np.array(even)
        drawn = ax.imshow(times, cmap="PuOr_r", norm=LogNorm(1 / 6, 6), aspect="auto")
        for (row, column), number in np.ndenumerate(times):
            ink = "white" if number > 3.5 else INK
            ax.text(column, row, f"{number:.1f}", ha="center", va="center", color=ink, fontsize=8)
        ax.set_title(kind)
        ax.set_xticks(range(len(guesses)), guesses, rotation=40, ha="right", fontsize=8)
        ax.set_yticks(range(len(times)), [f"{layer}.{number}" for _, layer, number in shares])
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
    ticks = [0.5, 1, 2, 4]
    bar = figure.colorbar(drawn, ax=axes[0], shrink=0.6, label="times an even spread", ticks=ticks)
    bar.minorticks_off()
    bar.ax.set_yticklabels([f"{tick:g}" for tick in ticks])
    return figure


def draw_returns(rows: Sequence[Mapping]) -> plt.Figure:
    """Draw how much comes back with more heads on, of five translators: the lines and their span.

    rows: those of the experiment `head_order`. On the left whole sentences, on the right tokens.
    """
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    counts = rows[0]["counts"]
    for how, colour in (("zero", ORANGE), ("mean", INK)):
        lines = np.array([row[f"best.{how}"]["sentences"] for row in rows])
        axes[0].plot(counts, lines.mean(0), color=colour, label=f"costliest first, {how}")
        axes[0].fill_between(counts, lines.min(0), lines.max(0), color=colour, alpha=0.15)
    lots = [line for row in rows for line in row["lots.mean"]]
    for line in lots:
        axes[0].plot(counts, line, color=GREY, linewidth=0.7, zorder=0)
    axes[0].plot([], [], color=GREY, label=f"{len(lots)} times by lot, mean")
    axes[0].set(xlabel="heads that are on", ylabel="sentences right", title="whole sentences")
    axes[0].legend(fontsize=8, loc="upper left")
    for kind in ("measure word", "final mark", "other word"):
        lines = np.array([row["best.mean"][kind] for row in rows])
        colour = INK if kind == "other word" else KINDS[kind]
        axes[1].plot(counts, lines.mean(0), color=colour, label=kind)
        axes[1].fill_between(counts, lines.min(0), lines.max(0), color=colour, alpha=0.15)
    axes[1].set(xlabel="heads that are on", ylabel="tokens right", title="by kind of token, mean")
    axes[1].legend(fontsize=8, loc="lower right")
    return figure


# What 08 claims: in a row of its experiments a key, or a key and of what it is a share.
CLAIMS = {
    "heads off, in % of the measure words or of the marks": {
        "best looker off: measure words wrong": ("looker_measure_words_wrong.zero", WORDS),
        "worst single head off: measure words wrong": ("most_measure_words.zero", WORDS),
        "three lookers off: measure words wrong": ("gang_of_three", WORDS),
        "three by lot off, at most: measure words wrong": ("drawn_at_most", WORDS),
        "suspect off: measure words wrong": ("suspect_measure_words_wrong.zero", WORDS),
        "suspect off: final marks wrong": ("suspect_marks_wrong.zero", "marks"),
        "suspect off, by mean: final marks wrong": ("suspect_marks_wrong.mean", "marks"),
        "three lookers off: final marks wrong": ("marks_of_three", "marks"),
        "suspect's output given: marks unasked": "mark_given",
    },
    "brother, in % of 1,000 sentences": {
        "brother's row from the twin: turn": "turned_at_most.word",
        "decider's row from the twin: turn": "turned_at_least.decider",
        "decider silenced: right": "brother_right.silenced, word's own",
        "... and brother's row from the twin: right": "brother_right.silenced, word's twin",
        "two off that look at brother: right": "brother_right.word off 2",
        "two off that look at the decider: right": "brother_right.decider off 2",
    },
    "saw, in % of the sentences": {
        "I saw a saw: one row copied over both: turn": ("copied_at_most", "two_saws"),
        "I saw a saw: row of map or bought, at least: turn": "given_at_least",
        "let or said: saw's row from the twin: turn": "far_turned_at_most.word",
        "let or said: decider's row from the twin: turn": "far_turned_at_least.decider",
    },
}


def share_of(row: Mapping, key: str | tuple[str, str]) -> float:
    """Find the figure of a claim in a row of both experiments, as a share."""
    return row[key] if isinstance(key, str) else row[key[0]] / row[key[1]]


def rows_of_seeds() -> list[dict]:
    """Read what the experiments `inside` and `saws` found, a row for each translator."""
    files = [DATA / "experiments" / f"{name}.json" for name in ("inside", "saws")]
    both = [json.loads(file.read_text(encoding="utf-8"))["rows"] for file in files]
    return [one | other for one, other in zip(*both, strict=True)]


GLOSS = {"。": "full stop", "？": "question mark", "<eos>": "the end"}


def pairs_table(pairs: Mapping[tuple[str, str], int], most: int = 4) -> Picture:
    """Show the commonest first wrong tokens: what should have come, what came, how often."""
    common = sorted(pairs.items(), key=lambda each: -each[1])[:most]
    rows = [[*map(_glossed, pair), count] for pair, count in common]
    rows = rows or [["nothing breaks", "", 0]]
    return table_html(rows, ["should have come", "came", "sentences"])


def _glossed(token: str) -> str:
    return f"{token} {GLOSS[token]}" if token in GLOSS else with_pinyin([token])[0]
