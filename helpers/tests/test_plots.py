import base64
import re
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb

from helpers import plots
from helpers.plots import curves, heatmap, heatmap_html, show, table_html
from helpers.workshop.figures import describe, printed

QUERIES, KEYS = ["I", "saw", "<bos>"], ["a", "saw", ".", "&"]
WEIGHTS = torch.tensor([[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]])


@pytest.fixture(autouse=True)
def no_figure_left():
    yield
    plt.close("all")


@pytest.fixture
def shown(monkeypatch):
    """Return the list of what show displays."""
    bundles = []
    monkeypatch.setattr(plots, "display", lambda bundle, raw: bundles.append(bundle))
    return bundles


def draw(**changes):
    """A figure with one artist of nearly every kind, one of them changed."""
    x, y = [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]
    what = dict(
        title="t",
        xlabel="x",
        ylabel="y",
        line=y,
        label="line",
        colour="#112233",
        style="-",
        text="word",
        at=0.5,
    )
    what |= dict(
        image=[[0.1, 0.2], [0.3, 0.4]], cmap="Blues", vmax=1, bars=y, dots=y, top=y, xy=1.0
    )
    what |= dict(scale="linear", ticks=["a", "b", "c"], segment=2.0, corner=1.0, sup="sup", size=9)
    assert not changes.keys() - what.keys()
    what |= changes
    figure, (left, right) = plt.subplots(1, 2)
    left.set(
        title=what["title"], xlabel=what["xlabel"], ylabel=what["ylabel"], yscale=what["scale"]
    )
    left.plot(x, what["line"], what["style"], color=what["colour"], label=what["label"])
    left.bar(x, what["bars"])
    left.scatter(x, what["dots"], s=what["size"])
    left.fill_between(x, what["top"])
    left.vlines([1.0], 0, what["segment"])
    left.text(what["at"], 0.5, what["text"])
    left.annotate("here", (1.0, what["xy"]), (1.5, 1.5))
    left.add_patch(plt.Polygon([[0, 0], [1, 1], [what["corner"], 0]]))
    left.set_xticks(x, what["ticks"])
    left.legend()
    right.imshow(what["image"], vmin=0, vmax=what["vmax"], cmap=what["cmap"])
    figure.suptitle(what["sup"])
    return figure


@pytest.fixture(scope="module")
def unchanged():
    return describe(draw())


@pytest.mark.parametrize(
    "change",
    [
        dict(title="u"),
        dict(xlabel="z"),
        dict(ylabel="z"),
        dict(line=[1.0, 2.0, 3.1]),
        dict(label="other"),
        dict(colour="#112234"),
        dict(style="--"),
        dict(text="worse"),
        dict(at=0.6),
        dict(image=[[0.1, 0.2], [0.3, 0.5]]),
        dict(image=[[0.1, 0.3], [0.2, 0.4]]),
        dict(cmap="Reds"),
        dict(vmax=2),
        dict(bars=[1.0, 2.0, 2.9]),
        dict(dots=[1.0, 2.0, 2.9]),
        dict(size=16),
        dict(top=[1.0, 2.0, 2.9]),
        dict(xy=1.2),
        dict(scale="log"),
        dict(ticks=["a", "b", "d"]),
        dict(segment=2.1),
        dict(corner=1.1),
        dict(sup="super"),
    ],
    ids=str,
)
def test_describe_notices(change, unchanged):
    assert describe(draw(**change)) != unchanged


def test_describe_ignores_noise(unchanged):
    noisy = draw(
        line=[1.0000004, 2.0, 2.9999996],
        image=[[0.1, 0.2], [0.3, 0.4000001]],
        bars=[1.0, 2.0000001, 3.0],
    )
    assert describe(noisy) == unchanged


@pytest.mark.parametrize("place", [0, 77, 499])
def test_long_arrays_are_shortened_but_every_value_counts(place):
    values = np.sin(np.arange(500) / 50)
    changed = values.copy()
    changed[place] += 0.01
    texts = [
        describe(curves({"a": (np.arange(500), line)})) for line in (values, values + 1e-9, changed)
    ]
    assert texts[0] == texts[1] and "500 values" in texts[0] and len(texts[0]) < 600
    lines = [[line for line in text.splitlines() if "Line2D" in line] for text in texts]
    assert lines[0] != lines[2]
    swapped = values.copy()
    swapped[[10, 20]] = swapped[[20, 10]]  # a plain sum would not see it
    assert describe(curves({"a": (np.arange(500), swapped)})) != texts[0]


def test_halves_print_alike_on_both_sides():
    texts = {
        printed(sign * (0.125 + noise), 2) for noise in (-1e-8, 0.0, 1e-8) for sign in (1, -1)
    }
    assert texts == {"0.13", "-0.13"}
    # by a ten-thousandth of the last digit, no more and no less
    assert printed(0.125 - 9e-7, 2) == "0.13" and printed(0.125 - 1.1e-6, 2) == "0.12"
    assert printed(-0.001, 2) == "0.00" and printed(1234.5, 0) == "1235"
    assert printed(float("nan"), 2) == "nan" and printed(float("-inf"), 2) == "-inf"


def test_numbers_too_small_to_be_seen_are_refused():
    figure = curves({"learning rate": ([0, 1], [1e-4, 2e-4])})
    with pytest.raises(ValueError, match="0.0002, prints as 0 at decimals=2"):
        describe(figure)
    assert "0.0002" in describe(figure, decimals=4)
    figure.axes[0].set_yscale("log")
    assert "y 1.00e-04 2.00e-04" in describe(figure)


@pytest.mark.parametrize(
    "name, draw_it",
    [
        ("QuadMesh", lambda axes: axes.pcolormesh(np.eye(3))),
        ("Table", lambda axes: axes.table([["a"]])),
        ("AxLine", lambda axes: axes.axline((0, 0), slope=1)),
        ("Quiver", lambda axes: axes.quiver([0], [0], [1], [1])),
        ("Barbs", lambda axes: axes.barbs([0], [0], [1], [1])),
        ("Axes", lambda axes: axes.inset_axes([0.5, 0.5, 0.2, 0.2])),
        ("PolarAxes", lambda axes: axes.figure.add_subplot(projection="polar")),
    ],
)
def test_unknown_artists_are_refused(name, draw_it, shown):
    figure, axes = plt.subplots()
    draw_it(axes)
    with pytest.raises(ValueError, match=rf"cannot read {name},"):
        show(figure)
    assert not plt.get_fignums() and not shown


@pytest.mark.parametrize("where", ["title", "ticks", "legend", "suptitle"])
@pytest.mark.filterwarnings("error")
def test_chinese_is_refused(where):
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 1], label="我" if where == "legend" else "me")
    axes.legend()
    axes.set_title("我" if where == "title" else "")
    axes.set_xticks([0, 1], ["我", "是"] if where == "ticks" else ["a", "b"])
    figure.suptitle("。" if where == "suptitle" else "")
    with pytest.raises(ValueError, match="draw it with heatmap_html"):
        describe(figure)


def test_invisible_artists_and_colorbars():
    figure, axes = plt.subplots()
    image = axes.imshow(np.eye(2))
    figure.colorbar(image, label="weight")
    axes.plot([0, 1], [0, 1])[0].set_visible(False)
    text = describe(figure)
    assert "Line2D" not in text and "colorbar 2" in text and "'weight'" in text
    axes.lines[0].set_visible(True)
    assert "Line2D" in describe(figure)


def test_shared_labels_are_told_once():
    figure, axes = plt.subplots(1, 2, sharey=True)
    axes[0].set_yticks([0, 1], ["first", "second"])
    text = describe(figure)
    assert text.count("'first' at 0, 'second' at 1") == 1 and text.count("ticks: none") == 1
    plt.close(figure)


def test_show_displays_picture_and_text_and_closes(shown):
    figure = draw()
    text = describe(figure)
    show(figure)
    assert shown[0]["text/plain"] == text and not plt.get_fignums()
    png = base64.b64decode(shown[0]["image/png"])
    assert png.startswith(b"\x89PNG") and b"Software" not in png
    show(draw())
    assert shown[1] == shown[0]


def test_same_text_and_picture_in_a_new_process(shown):
    code = (
        "from helpers import plots\n"
        "plots.display = lambda bundle, raw: print(bundle)\n"
        "plots.show(plots.heatmap([[0.2, 0.8], [1, 0]], ['a', 'b'], ['c', 'd'], 't'))"
    )
    show(heatmap([[0.2, 0.8], [1, 0]], ["a", "b"], ["c", "d"], "t"))
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout == f"{shown[0]}\n"


@pytest.mark.parametrize("draw_map", [heatmap, heatmap_html])
@pytest.mark.parametrize(
    "weights, queries, keys, message",
    [
        (WEIGHTS.T, QUERIES, KEYS, r"shape \(4, 3\), but there are 3 queries and 4 keys"),
        (WEIGHTS[None, None], QUERIES, KEYS, "take one sentence"),
        (WEIGHTS[0], QUERIES, KEYS, "take one sentence"),
        (WEIGHTS[:0], [], KEYS, "0 queries"),
        (WEIGHTS * 3, QUERIES, KEYS, "from 0 to 3, not from 0 to 1; are they scores?"),
        (WEIGHTS - 0.1, QUERIES, KEYS, "from -0.1 to"),
        (WEIGHTS * float("nan"), QUERIES, KEYS, "from nan"),
    ],
)
def test_wrong_weights_are_refused(draw_map, weights, queries, keys, message):
    with pytest.raises(ValueError, match=message):
        draw_map(weights, queries, keys)


def cells(picture):
    """Return (tag, style, content) of the cells, row by row."""
    rows = re.findall("<tr>(.*?)</tr>", picture._repr_html_())
    return [re.findall(r'<(t[dh])[^>]*? style="([^"]*)">(.*?)</t[dh]>', row) for row in rows]


def contrast(style):
    """Return the contrast of text and background as WCAG 2 defines it."""

    def luminance(colour):
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
        ]
        return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))

    found = [
        luminance(re.search(f"(?:^|;){name}:(#.{{6}})", style)[1])
        for name in ("color", "background")
    ]
    return (max(found) + 0.05) / (min(found) + 0.05)


def test_every_cell_is_readable():
    ramp = np.linspace(0, 1, 101)[None]
    rows = cells(heatmap_html(ramp, ["q"], ["k"] * 101))
    rows += cells(table_html([["a", 1]], ["b", "c"], highlight={(0, 0)}))
    for row in rows:
        for _, style, content in row:
            assert contrast(style) >= 4.0, (content, style)


def test_maps_and_tables_keep_their_numbers_and_escape_their_texts():
    weights = torch.tensor([[0.2, 0.5, 0.3], [1 / 3, 1 / 3, 1 / 3]]).requires_grad_()
    picture = heatmap_html(weights, ["<bos>", "我"], ["a", "&", "b"], "x < y", links={(1, 0)})
    assert [[content for _, _, content in row] for row in cells(picture)[1:]] == [
        ["&lt;bos&gt;", "0.20", "<ins>0.50</ins>", "0.30"],  # the largest is told without colour
        ["我", "<b>0.33</b>", "0.33", "0.33"],
    ]
    assert "<bos>" not in picture.markup and "x &lt; y" in picture.markup
    assert 'lang="zh"' in picture.markup
    assert repr(picture) == "attention map 'x < y': 2 queries x 3 keys, gold links: 1"
    rows = [["<pad>", 3, torch.tensor(0.125)], ["我", 12, np.float32(2)]]
    found = cells(table_html(rows, ["sees", "count", "share"], highlight={(0, 0)}))
    assert [[content for _, _, content in row] for row in found[1:]] == [
        ["<b>&lt;pad&gt;</b>", "3", "0.13"], ["我", "12", "2.00"],
    ]  # fmt: skip


def test_heatmap_takes_one_head_and_the_given_axes():
    figure, axes = plt.subplots(1, 2)
    assert heatmap(WEIGHTS, QUERIES, KEYS, ax=axes[1]) is figure and not axes[0].images
    text = describe(figure)
    assert "    0.10 0.20 0.30 0.40\n    1.00 0.00 0.00 0.00\n" in text
    assert "Normalize 0.00 to 1.00" in describe(heatmap(WEIGHTS / 2, QUERIES, KEYS))
    with pytest.raises(ValueError, match="heatmap draws one head, not 2"):
        heatmap(torch.stack([WEIGHTS, WEIGHTS]), QUERIES, KEYS)


def test_shares_are_refused_when_they_do_not_fit():
    with pytest.raises(ValueError, match=r"rows of \[2, 2\]; give 3 rows of 3 numbers"):
        plots.draw_shares(torch.ones(2, 2), ["i", "saw", "a"])
    with pytest.raises(ValueError, match="same first dimension"):
        curves({"a": ([1, 2], [1])})


@pytest.mark.parametrize("link", [(3, 0), (0, 4), (-1, 0)])
def test_links_outside_are_refused(link):
    with pytest.raises(ValueError, match="lies outside the 3 rows and 4 columns"):
        heatmap_html(WEIGHTS, QUERIES, KEYS, links=[link])


@pytest.mark.parametrize(
    "rows, header, highlight, message",
    [
        ([], [], (), "at least one row"),
        ([["a"], ["b", "c"]], [], (), r"row 1 is \['b', 'c'\]; give a list of 1 cells"),
        (["ab"], ["x", "y"], (), "row 0 is 'ab'"),
        ([["a"]], [], {(0, 1)}, r"highlight \(0, 1\) lies outside the 1 rows"),
    ],
)
def test_wrong_tables_are_refused(rows, header, highlight, message):
    with pytest.raises(ValueError, match=message):
        table_html(rows, header, highlight=highlight)


def test_a_long_line_is_told_by_three_numbers_at_each_end_and_a_checksum():
    figure, axes = plt.subplots()
    axes.plot(range(1000, 1150), range(150))
    text = describe(figure)
    assert "x 1000.00 1001.00 1002.00 ... 1147.00 1148.00 1149.00 (150 values, checksum " in text
    assert "y 0.00 1.00 2.00 ... 147.00 148.00 149.00 (150 values, checksum " in text
    plt.close(figure)


def test_bars_are_told_by_two_corners_and_ticks_by_their_texts():
    figure, axes = plt.subplots()
    axes.bar([0, 1], [2, 3])
    axes.set_xticks([0, 1])
    axes.set_yticks([0, 2], ["zero", "2"])
    _, x, y, first, second = describe(figure, 2).splitlines()
    assert x.endswith("ticks: 0, 1") and y.endswith("ticks: 'zero' at 0, 2")
    assert first.endswith(": x -0.40 0.40; y 0.00 2.00")
    assert second.endswith(": x 0.60 1.40; y 0.00 3.00")
    plt.close(figure)


@pytest.mark.parametrize("low", [1e-5, np.nextafter(1e-5, 0), np.nextafter(1e-5, 1)])
def test_the_first_tick_of_a_logarithmic_axis_does_not_hang_on_a_last_bit(low):
    figure, axes = plt.subplots()
    axes.plot([1, 2], [low, 1e3])
    axes.set(yscale="log", ylim=(low, 1e3))
    assert " at 1e-05, " in describe(figure)
