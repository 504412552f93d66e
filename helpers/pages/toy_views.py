"""What notebook 06 looks at: curves of stacks, sentences with their words, a diary."""

import html
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt

from helpers.display import heatmaps
from helpers.display.figure_text import printed
from helpers.display.gloss import pinyin
from helpers.display.glossary import word_for_word
from helpers.display.heatmaps import GREY, INK, PAPER, Picture, cell, picture
from helpers.text import tokenize
from helpers.toys.toy_translation import GLOSS

COLOURS = {"f(x)": "#9a9a9a", "x + f(x)": "#e08a00", "x + f(norm(x))": "#8e44ad"}
Curves = Mapping[str, Sequence[Sequence[float]]]  # some for each kind of stack, by its name


def draw_likeness(kinds: Curves) -> plt.Figure:
    """Draw how alike the words of a sentence are after each layer; a curve for each start."""
    figure, ax = plt.subplots(figsize=(6.4, 3))
    _draw(ax, kinds, "o-", markersize=3)
    ax.set(xlabel="layers", ylabel="likeness of the six words", ylim=(0, 1.05))
    ax.legend(loc="lower right")
    return figure


def draw_losses(rates: Mapping[float, Curves]) -> plt.Figure:
    """Draw the losses of trainings of 30 steps, a panel for each learning rate."""
    figure, axes = plt.subplots(1, len(rates), figsize=(4.5 * len(rates), 3.4), sharey=True)
    for ax, (rate, kinds) in zip(axes, rates.items(), strict=True):
        _draw(ax, kinds, "-")
        ax.set(title=f"learning rate {rate}", xlabel="step", yscale="log")
        ax.set(xlim=(0, 30), ylim=(1e-5, 1e3))
        ax.legend(loc="upper right")
    axes[0].set_ylabel("loss")
    return figure


def _draw(ax: plt.Axes, kinds: Curves, line: str, **more) -> None:
    for name, curves in kinds.items():
        for number, curve in enumerate(curves):
            label = None if number else name
            ax.plot(curve, line, color=COLOURS[name], label=label, **more)


def lessons(pairs: Sequence[tuple[Sequence[str], str]]) -> Picture:
    """Show sentences to learn from: English, Chinese, what it says word for word, how it's read."""
    rows = [[" ".join(words), *_told(text)] for words, text in pairs]
    header = ["English", "Chinese", "word for word (· measure word)", "read aloud"]
    return heatmaps.table_html(rows, header)


def diary(rows: Sequence[Sequence], twins: Sequence[Sequence[str]], wanted: Sequence) -> Picture:
    """Show what a model wrote for the twins after some steps, on grey where it's what is wanted.

    rows: the step, the loss and a Chinese text for each twin. wanted: the right text for each.
    """
    header = ["step", "loss", *map(" ".join, twins)]
    drawn = [[cell(name, "left", 12, INK, "#f0f0f0", tag="th") for name in header]]
    for step, loss, *texts in rows:
        loss = printed(loss, 2) if isinstance(loss, float) else loss
        drawn.append([cell(str(each), "right", 13, INK) for each in (step, loss)])
        drawn[-1] += [_stacked(*pair) for pair in zip(texts, wanted, strict=True)]
    size = f"{len(rows)} rows x {len(header)} columns"
    return picture("diary", "on grey: right", size, [("", drawn)], spacing=0)


_QUIET = "#505050"  # readable on grey as well


def _stacked(text: str, wanted: str) -> str:
    """Write a Chinese text as a cell: how it's read, the text, and what it says below it."""
    chinese, said, read = _told(text)
    right = text == wanted
    box = cell(chinese, "left", 16, INK, GREY if right else PAPER, mark="b" if right else "")
    start, end = box[: box.index(">") + 1], "</td>"
    small = f'<span lang="en" style="color:{_QUIET};font-size:11px">'
    lines = [f"{small}{html.escape(each)}</span>" for each in (read, said) if each]
    inner = box[len(start) : -len(end)]
    return start + "<br>".join([*lines[:1], inner, *lines[1:]]) + end


def _told(text: str) -> tuple[str, str, str]:
    """Give a Chinese text, what it says word for word, and how it's read; of <bos> the count."""
    told = word_for_word(text, GLOSS)
    return (told, "", "") if text.startswith("<") else (
        text, told.partition(" = ")[2], " ".join(pinyin(tokenize(text)))
    )
