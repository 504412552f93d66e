"""The pictures of notebook 08: what breaks without a head, and without more and more of them."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch

from helpers.batches import encode_pairs
from helpers.checkpoint import load_checkpoint
from helpers.display.gloss import pinyin
from helpers.display.heatmaps import GREY, INK, MUTED, ORANGE, Picture, heatmap_html, table_html
from helpers.display.tables import AMBER
from helpers.interpret.alignment import cross_maps, lookers_of
from helpers.interpret.head_ablation import Cost, Head, Sets, name_of
from helpers.interpret.head_patching import FROM_ITS_TWIN
from helpers.interpret.scored_sentences import Sentences
from helpers.pages.broken_sentences import kept_breakers
from helpers.pairs import DATA, read_pairs
from helpers.translator import BOX, Translator

CLUE = "Tom bought an old saw yesterday."
PURPLE, PALE, WORDS = "#8e44ad", "#bdbdbd", "measure_words"
SLATE, LIGHT = "#4d5d70", "#b4bfcc"  # of bars and dots: amber is for weights
KINDS = {"final mark": AMBER, "measure word": PURPLE, "(end)": INK, "other word": GREY}


def show_breakers(folder: Path) -> None:
    """Print what the reader of 07 broke the translator with, or that there's nothing yet."""
    rows = [row for row in kept_breakers(folder) if row[3] == "you"]
    for english, _, wrote, _ in rows:
        print(f"you broke it with: {english} -> {wrote}")
    if not rows:
        print("breakers.tsv: no sentence of yours yet")


def with_pinyin(tokens: Sequence[str]) -> list[str]:
    """Put its pinyin behind each Chinese token."""
    pairs = zip(tokens, pinyin(tokens), strict=True)
    return [f"{token} {reading}".strip() for token, reading in pairs]


def show_clue() -> Picture:
    """Show the map that 08 opens with: of the head with most weight on nouns, in one sentence."""
    translator, pairs = Translator.from_box(), read_pairs(DATA / "test.tsv")
    words = translator.source_vocabulary, translator.target_vocabulary
    sentences = Sentences(pairs, encode_pairs(pairs, *words))
    lookers, _ = lookers_of(cross_maps(translator.model, sentences), sentences)
    _, layer, number = lookers[0]
    source, written, maps = translator.cross_attention(CLUE)
    return heatmap_html(maps[layer - 1, number - 1], with_pinyin(written), source)


def whose_translator(build: Path) -> str:
    """Say in a sentence whether the translator that the reader trained in 07 is that of the box."""
    try:
        mine = load_checkpoint(build / "translator" / "checkpoint.pt")
    except FileNotFoundError:
        return "no translator of yours is in build/: notebook 07 leaves one there"
    except ValueError as error:
        return str(error)
    box = load_checkpoint(BOX / "weights.pt")
    recipes = [each["about"] | dict(numerics=None) for each in (mine, box)]
    told = f"yours, with seed {mine['about']['settings']['seed']}, is"
    if recipes[0] != recipes[1]:
        return f"{told} another one than the one here: nobody else may have it"
    if all(torch.equal(mine["model"][name], weight) for name, weight in box["model"].items()):
        return f"{told} the one here, to the last bit"
    return f"{told} made as the one here, but other kernels round otherwise: it's another one"


def draw_sets(grown: Sequence[int], drawn: Sequence[Sequence[int]], total: int) -> plt.Figure:
    """Draw how many measure words go wrong with more and more lookers off.

    drawn: for each number of heads what several sets chosen by lot cost.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.3))
    places = range(1, len(grown) + 1)
    ax.plot(places, [100 * each / total for each in grown], color=PURPLE, marker="o")
    look = dict(xytext=(9, 0), textcoords="offset points", va="top")
    ax.annotate("who look\nat nouns", (len(grown), 100 * grown[-1] / total), **look)
    for place, costs in enumerate(drawn, 1):
        across = [place + 0.05 * (number - (len(costs) - 1) / 2) for number in range(len(costs))]
        shares = [100 * each / total for each in costs]
        ax.plot(across, shares, "o", color=MUTED, markersize=4, alpha=0.6)
    look |= dict(xytext=(16, 0), va="bottom", color=MUTED)
    ax.annotate("others,\nby lot", (len(drawn), 0), **look)
    ax.set(xlabel="heads off", ylabel="% of measure words wrong")
    ax.set(xlim=(0.6, len(grown) + 0.9), ylim=(-3, None), xticks=places)
    return figure


def draw_seeds(here: Sequence[float], rows: Sequence[Mapping]) -> plt.Figure:
    """Draw FIVE as rows: a diamond for the translator here, a dot for each seed, its number inside.

    here: its shares. The dashed line is a tenth; what's below it is grey. The last row says
    something else, so it has a panel of its own.
    """
    columns = [here, *([share_of(row, key) for key in FIVE.values()] for row in rows)]
    names, shape = ["here", *(str(row["seed"]) for row in rows)], dict(height_ratios=(4, 1.1))
    figure, axes = plt.subplots(2, 1, figsize=(8.4, 6.4), sharex=True, gridspec_kw=shape)
    labels = [*FIVE]
    for place, label in enumerate(labels):
        last = place == len(labels) - 1
        lit = PURPLE if "measure" in label else SLATE
        for number, (name, shares) in enumerate(zip(names, columns, strict=True)):
            colour = PALE if shares[place] < NEEDED and not last else lit
            high = place * (not last) + 0.14 * (number - 2.5)
            _draw_share(axes[int(last)], 100 * shares[place], high, name, colour)
    axes[0].axvline(100 * NEEDED, linestyle="--", color=MUTED, zorder=1, linewidth=1)
    for ax, shown in zip(axes, (labels[:-1], labels[-1:]), strict=True):
        ax.set_yticks(range(len(shown)), shown)
        ax.set(xlim=(-2, 109), ylim=(len(shown) - 0.5, -0.5))
        ax.grid(visible=False, axis="y")
    axes[0].set(xlabel="% of these tokens go wrong")
    axes[0].tick_params(labelbottom=True)
    axes[1].set(xlabel="% of the bare sentences get a mark")
    told = {"measure words": PURPLE, "final marks": SLATE, "less than a tenth": PALE}
    for name, colour in told.items():
        axes[0].plot([], [], "s", color=colour, label=name)
    axes[0].plot([], [], "D", color="white", markeredgecolor=INK, label="here")
    axes[0].plot([], [], "o", color="white", markeredgecolor=INK, label="seeds 0 to 4")
    axes[0].legend(fontsize=8, loc="upper right")
    return figure


def _draw_share(ax: plt.Axes, share: float, high: float, name: str, colour: str) -> None:
    if name == "here":
        ax.plot(share, high, "D", color=colour, markersize=7, zorder=4)
        return
    ax.plot(share, high, "o", color=colour, markersize=10, zorder=4)
    ink = INK if colour == PALE else "white"
    ax.text(share, high, name, ha="center", va="center_baseline", fontsize=7, color=ink, zorder=5)


STRANGERS = ("stranger says\nthe same", "stranger says\nthe opposite")


def draw_turns(
    turned: Mapping[str, Sequence[float]], words: Sequence[str], places: Sequence[int]
) -> plt.Figure:
    """Draw under the words of a sentence which share of the readings turns with the row of each.

    turned: for each of `places` the shares after layers 1 and 2 (see rows_exchanged); those of the
    strangers stand apart.
    """
    figure, ax = plt.subplots(figsize=(9, 2.5))
    apart = [len(words) + 0.7, len(words) + 2.9]
    at = [*places, *apart]
    for number, (place, shares) in enumerate(zip(at, turned.values(), strict=True)):
        for layer, share in enumerate(shares):
            left = place + 0.36 * (layer - (len(shares) - 1) / 2)
            label = f"after layer {layer + 1}" if number == 0 else None
            colour = SLATE if layer else LIGHT
            ax.bar(left, 100 * share, 0.32, color=colour, label=label)
            ax.text(left, 100 * share + 3, f"{100 * share:.0f}", ha="center", fontsize=6)
    ax.set_xticks([*range(len(words)), *apart], [*words, *STRANGERS])
    for place, label in enumerate(ax.get_xticklabels()):
        label.set_color(INK if place in places or place >= len(words) else PALE)
        label.set_fontsize(10 if place < len(words) else 9)
    ax.set(ylabel="% of readings that turn", ylim=(0, 122), yticks=(0, 50, 100))
    ax.set(xlim=(-0.6, apart[-1] + 1))
    ax.grid(visible=False, axis="x")
    ax.legend(fontsize=8, loc="upper left")
    return figure


def draw_two_by_two(cases: Sequence[tuple], word: str) -> plt.Figure:
    """Draw by how much the right reading leads after two patches at once (see two_by_two)."""
    figure, ax = plt.subplots(figsize=(7.4, 2.1))
    names = []
    for place, (decider, of_word, share, gap) in enumerate(cases):
        names.append(f"decider: {decider}, {word}: {of_word}")
        ax.barh(place, round(gap, 2), color=SLATE, height=0.6)
        ax.text(max(round(gap, 2), 0) + 0.1, place, f"{gap:.2f}   ({share:.1%} right)", va="center")
    ax.axvline(0, color=MUTED, linewidth=1)
    ax.set_yticks(range(len(cases)), names)
    most = max(1.0, *(gap for *_, gap in cases))
    ax.set(xlabel="score of the right reading above the twin's", xlim=(-0.3, 1.5 * most))
    ax.set(ylim=(len(cases) - 0.5, -0.5))
    ax.grid(visible=False, axis="y")
    return figure


def option_of(share: float, options: Sequence[str]) -> str:
    """Sort a share into three options of a bet: nearly all, about half, nearly none."""
    return options[(share < 0.75) + (share < 0.25)]


def costs_table(costs: Mapping[Head, object], heads: Sequence[Head], lit: Head) -> Picture:
    """Show what some heads cost: sentences of 100, by zeros and by means, and measure words.

    lit: the head whose measure words are on grey.
    """
    rows = [
        [name_of(head), f"{cost.zero:.1f}", f"{cost.mean:.1f}", cost.wrong["measure word"]]
        for head, cost in ((head, costs[head]) for head in heads)
    ]
    header = ["head off", "points lost, zero", "points lost, mean", "measure words wrong"]
    return table_html(rows, header, highlight=[([*heads].index(lit), 3)])


def sets_table(sets: Mapping[str, Mapping[str, float]], totals: Mapping[str, int]) -> Picture:
    """Show what share of each kind of token goes wrong with some sets of heads off."""
    kinds = ("measure word", "final mark", "other word")
    rows = [
        [name, *(f"{100 * wrong[kind] / totals[kind]:.1f} %" for kind in kinds)]
        for name, wrong in sets.items()
    ]
    return table_html(rows, ["off", *(f"{kind}s wrong" for kind in kinds)])


def shares_table(shares: Mapping[str, Sequence[float]], header: Sequence[str], title="") -> Picture:
    """Show rows of shares as per cents."""
    rows = [[name, *(f"{each:.1%}" for each in row)] for name, row in shares.items()]
    return table_html(rows, header, title)


def looks_table(found: Mapping[str, tuple], word: str) -> Picture:
    """Show what share is right without the heads that look at something most."""
    rows = []
    for name, (heads, right) in found.items():
        told = ", ".join(f"{name_of(head)} ({weight:.2f})" for head, weight in heads)
        rows.append([name.replace("the word", word), told, f"{right:.1%}"])
    return table_html(rows, ["heads off that look", "(weight there)", "right"])


SAW_ROWS = {
    "both rows from the verb's": ("saw (verb)", "saw (verb)"),
    "both rows from the tool's": ("saw (tool)", "saw (tool)"),
    "map instead of the verb's row": ("map", "saw (tool)"),
    "map instead of the tool's row": ("saw (verb)", "map"),
    "bought instead of the verb's row": ("bought", "saw (tool)"),
    "bought instead of the tool's row": ("saw (verb)", "bought"),
}


def draw_saws(cases: Mapping[str, Sequence[int]], count: int) -> plt.Figure:
    """Draw what stands in the rows of two saws, and how much of the Chinese changes then.

    cases: for each name of SAW_ROWS the numbers of verbs, of measure words and of tools.
    """
    widths = (2.7, 1, 1, 1)
    size = (9, 0.75 + 0.36 * len(cases))
    figure, axes = plt.subplots(1, 4, figsize=size, sharey=True, width_ratios=widths)
    look = dict(ha="center", va="center", fontsize=9)
    for place, (case, changed) in enumerate(cases.items()):
        verb, tool = SAW_ROWS[case]
        own = {0: "I", 0.95: "saw (verb)", 1.85: "a", 2.8: "saw (tool)"}
        for x, word in (own | {0.95: verb, 2.8: tool}).items():
            colour = "white" if word == own[x] else "#ffe98f"
            box = dict(boxstyle="round", facecolor=colour, edgecolor=PALE)
            axes[0].text(x, place, word, bbox=box, **look)
        for ax, number in zip(axes[1:], changed, strict=True):
            ax.barh(place, number, 0.6, color=SLATE)
            ax.text(number + 3, place, str(number), va="center", fontsize=8)
    axes[0].set(xlim=(-0.3, 3.4), ylim=(len(cases) - 0.5, -0.5), yticks=(), xticks=())
    axes[0].set_title("the rows that the decoder gets", fontsize=10)
    axes[0].spines[:].set_visible(False)
    names = ("verbs\nthat change", "measure words\nthat change", "tools\nthat change")
    for ax, name in zip(axes[1:], names, strict=True):
        ax.set(xlim=(0, 1.35 * count), xticks=(0, count))
        ax.set_title(name, fontsize=10)
        ax.grid(visible=False)
    return figure


def heads_table(values: Mapping[Head, float], name: str, lit: Head) -> Picture:
    """Show one number for each head of one kind: a row for each layer, and one head on grey."""
    layers: dict[int, list] = {}
    for (_, layer, _), value in sorted(values.items()):
        layers.setdefault(layer, [f"layer {layer}"]).append(value)
    header = [name, *(f"head {number}" for number in range(1, len(layers[1])))]
    return table_html([*layers.values()], header, highlight=[(lit[1] - 1, lit[2])])


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


NEEDED = 0.1  # of the tokens of a kind that go wrong: from here on we call heads needed

# The five rows of draw_seeds: what 08 holds against other translators.
FIVE = {  # a key, or a key and of what it is a share
    "three lookers off: measure words": ("gang_of_three", WORDS),
    "three lookers off: final marks": ("marks_of_three", "marks"),
    "suspect off: final marks": ("suspect_marks_wrong.zero", "marks"),
    "suspect off: measure words": ("suspect_measure_words_wrong.zero", WORDS),
    "suspect's numbers given: marks": "mark_given",
}


def four_and_one(sets: Sets, suspect: Cost, given: dict, totals: Counter) -> list[float]:
    """Give the shares of the five claims that 08 holds against other translators."""
    three, kinds = sets.together[2], ("measure word", "final mark")
    both = [[wrong[kind] / totals[kind] for kind in kinds] for wrong in (three, suspect.wrong)]
    return [*both[0], both[1][1], both[1][0], given[FROM_ITS_TWIN]]


def share_of(row: Mapping, key: str | tuple[str, str]) -> float:
    """Find the figure of a claim in a row of both experiments, as a share."""
    return row[key] if isinstance(key, str) else row[key[0]] / row[key[1]]


def rows_of_seeds() -> list[dict]:
    """Read what the experiments `inside` and `saws` found, a row for each translator."""
    files = [DATA / "experiments" / f"{name}.json" for name in ("inside", "saws")]
    both = [json.loads(file.read_text(encoding="utf-8"))["rows"] for file in files]
    return [one | other for one, other in zip(*both, strict=True)]
