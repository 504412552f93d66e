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

KINDS = {"final mark": AMBER, "measure word": "#8e44ad", "(end)": INK, "other word": GREY}


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
    grown: Sequence[int], drawn: Sequence[Sequence[int]], total: int, title: str = ""
) -> plt.Figure:
    """Draw how many measure words go wrong with 1, 2, ... heads off: the lookers', and others'.

    drawn: for each number of heads what several sets chosen by lot cost.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    places = range(1, len(grown) + 1)
    ax.plot(places, [100 * each / total for each in grown], color="#8e44ad", marker="o")
    look = dict(xytext=(9, 0), textcoords="offset points", va="center")
    ax.annotate("who look at nouns", (len(grown), 100 * grown[-1] / total), **look)
    for place, costs in enumerate(drawn, 1):
        shares = [100 * each / total for each in costs]
        ax.plot([place] * len(shares), shares, "o", color=MUTED, markersize=4, alpha=0.6)
    ax.annotate("others, by lot", (len(drawn), 0), color=MUTED, **look)
    ax.set(xlabel="heads off", ylabel="% of measure words wrong", title=title)
    ax.set(xlim=(0.6, len(grown) + 1.9), ylim=(-3, None), xticks=places)
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


# What 08 says of a claim, and what the files of its experiments call it: a key, or one and a place.
CLAIMS = {
    "measure words wrong, best looker off": "looker_measure_words_wrong.zero",
    "measure words wrong, any one head off, at most": "most_measure_words.zero",
    "measure words wrong, three lookers off": "gang_of_three",
    "measure words wrong, three by lot, at most": "drawn_at_most",
    "measure words wrong, suspect off": "suspect_measure_words_wrong.zero",
    "final marks wrong, suspect off": "suspect_marks_wrong.zero",
    "final marks wrong, suspect off, by mean": "suspect_marks_wrong.mean",
    "brothers turned by the row of brother": "turned_at_most.word",
    "brothers turned by the row of the decider": "turned_at_least.decider",
    "brothers right without those who look at brother": "brother_right.word off 2",
    "brothers right without those who look at the decider": "brother_right.decider off 2",
    "final marks wrong, three lookers off": ("gang_marks", 2),
    "two saws made one, readings changed, at most": "copied_at_most",
    "far saws turned by the row of saw": "far_turned_at_most.word",
    "far saws turned by the row of the decider": "far_turned_at_least.decider",
}


def figure_of(row: Mapping, claim: str) -> float:
    """Find the figure of a claim in a row of both experiments."""
    key = CLAIMS[claim]
    return row[key] if isinstance(key, str) else row[key[0]][key[1]]


def verdict_table(here: Mapping[str, float], rows: Sequence[dict], title: str) -> Picture:
    """Put what was found here beside what five translators of other seeds say; shares as %."""
    shown = []
    for claim, value in here.items():
        values = [value, *(figure_of(row, claim) for row in rows)]
        shares = any(isinstance(each, float) for each in values)
        shown.append([claim, *(f"{each:.1%}" if shares else each for each in values)])
    return table_html(shown, ["", "yours", *(f"seed {row['seed']}" for row in rows)], title)
