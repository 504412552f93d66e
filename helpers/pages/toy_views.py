"""What notebook 06 looks at: curves of stacks, a reader of the twins, and where a decoder looks."""

import html
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn

from helpers.attention import watching
from helpers.display import heatmaps
from helpers.display.figure_text import printed
from helpers.display.gloss import pinyin
from helpers.display.glossary import word_for_word
from helpers.display.heatmaps import GREY, INK, MUTED, PAPER, Picture, cell, picture
from helpers.text import Vocabulary, tokenize
from helpers.toys.toy_translation import GLOSS
from helpers.transformer import evaluating

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


def names_and_gap(
    reader: nn.Module, source: Tensor, wanted: Tensor, asked: Tensor, twins: Tensor
) -> tuple[str, float]:
    """Give the share of right names among the words asked for, and the gap between twins.

    asked: the ids of the words that count. twins: (2, t) ids; the gap is that of their vectors at
    place 2 after the last layer: their difference, as a part of their mean length.
    """
    with evaluating(reader):
        right = (reader(source).argmax(dim=-1) == wanted)[torch.isin(source, asked)]
        reader(twins)
    one, two = reader.trunk[-1][:, 1]
    gap = 2 * (one - two).norm() / (one.norm() + two.norm())
    return f"{right.float().mean():.1%}", gap.item()


@torch.no_grad()
def patched(reader: nn.Module, twins: Tensor, places, into=0, layer=1) -> Tensor:
    """Give the names' ids after vectors at some places (from 1) were taken from the twin.

    reader: keeps in `trunk` what goes into its `layers`; its `norm` and `name` follow them.
    twins: (2, t) ids; into: which of them gets the vectors, after this layer (0: the words).
    """
    with evaluating(reader):
        reader(twins)
        x = reader.trunk[layer][[into]]
        for place in places:
            x[0, place - 1] = reader.trunk[layer][1 - into, place - 1]
        for each in reader.layers[layer:]:
            x = each(x, None)
        return reader.name(reader.norm(x))[0].argmax(dim=-1)


def looks(model: nn.Module, source: Tensor, target_in: Tensor) -> Tensor:
    """Give the mean of all cross-attentions for a batch of one: (t_target, t_source)."""
    with evaluating(model), watching(model) as seen:
        model(source, target_in)
    maps = [weights for name, (weights,) in seen.items() if "cross" in name]
    return torch.cat(maps, dim=1)[0].mean(dim=0)


def map_of(
    model: nn.Module, source: Tensor, target_in: Tensor, target_out: Tensor,
    source_words: Vocabulary, target_words: Vocabulary, framed: str = "",
) -> Picture:  # fmt: skip
    """Draw where a decoder looks while it writes a sentence; a batch of one, without pads.

    framed: the token whose row gets a frame.
    """
    words = [source_words.tokens[number] for number in source[0].tolist()]
    tokens = [target_words.tokens[number] for number in target_out[0].tolist()]
    labels = [f"{token} {read}" for token, read in zip(tokens, pinyin(tokens), strict=True)]
    head = [cell("writes ↓ looks at →", "center", 10, MUTED)]
    rows = [head + [cell(word, "center", 13, INK, tag="th") for word in words]]
    for token, label, row in zip(tokens, labels, looks(model, source, target_in), strict=True):
        label = f"▸ {label}" if token == framed else label
        cells = [cell(label, "right", 13, INK, tag="th"), *map(_share, row.tolist())]
        most = max(range(len(row)), key=lambda place: float(row[place]))
        cells[most + 1] = _share(float(row[most]), mark="b")
        rows.append([each.replace('style="', _FRAME, 1) for each in cells] if token == framed
                    else cells)
    size = f"{len(tokens)} rows x {len(words)} columns"
    return picture("look of a decoder", " ".join(words), size, [("", rows)], spacing=0)


_FRAME = f'style="box-shadow:inset 0 2px {INK},inset 0 -2px {INK};'


def _share(share: float, mark: str = "") -> str:
    """Write a share as a cell, the more amber the larger it is."""
    text = printed(share, 2)
    paper = heatmaps.amber_on_paper(0.75 * float(text))
    return cell(text, "center", 12, INK, paper, mark=mark)


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


def side_by_side(*pictures: Picture) -> Picture:
    """Put pictures beside one another, where the page is wide enough."""
    markup = "".join(picture.markup for picture in pictures)
    return Picture(markup, "\n".join(picture.description for picture in pictures))
