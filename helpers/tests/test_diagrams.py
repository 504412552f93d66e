import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.ft2font import FT2Font

from helpers.attention import scaled_dot_product_attention
from helpers.masks import causal_keep
from helpers.text import CJK
from helpers.workshop import diagrams, story
from helpers.workshop.drawing import LIT, ROLES, Drawing
from helpers.workshop.notebooks import ROOT, every

NAMES = list(diagrams.DIAGRAMS)
ALLOWED = {"svg", "title", "desc", "rect", "circle", "path", "text", "tspan"}
SAFETY = 1.04  # how much wider than DejaVu Sans, itself a wide font, another font may be


def local(node):
    return node.tag.rpartition("}")[2]


@cache
def elements(name):
    """Give the elements of a diagram in the order in which they are painted, with their names."""
    root = ElementTree.fromstring(diagrams.draw(name).encode())
    return root, [(local(node), node) for node in root]


def numbers_of(node, *keys):
    return [float(node.get(key)) for key in keys]


@cache
def font(bold):
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FT2Font(str(Path(matplotlib.get_data_path(), "fonts/ttf", name)))


def width_of(text, size, bold):
    """Measure a text with the font's own advances; a Chinese character is as wide as it is high."""
    face = font(bold)
    face.set_size(size, 72)
    plain = CJK.sub("", text)
    missing = [sign for sign in plain if not face.get_char_index(ord(sign))]
    assert not missing, f"the font lacks {missing}"
    advances = sum(face.load_char(ord(sign)).linearHoriAdvance / 65536 for sign in plain)
    return advances + size * (len(text) - len(plain))


def runs(node):
    """Give the text of an element and of its runs, each with its size, colour and weight."""
    size, fill, weight = (node.get(key) for key in ("font-size", "fill", "font-weight"))
    found = [(node.text or "", float(size), fill, weight == "bold")]
    for run in node:
        bold = run.get("font-weight", weight) == "bold"
        own = float(run.get("font-size", size)), run.get("fill", fill)
        found += [(run.text, *own, bold), (run.tail or "", float(size), fill, weight == "bold")]
    return [run for run in found if run[0]]


def frame_of(node):
    """Measure where a text stands: left, top, right, bottom."""
    left, base, size = numbers_of(node, "x", "y", "font-size")
    width = SAFETY * sum(width_of(text, points, bold) for text, points, _, bold in runs(node))
    left -= {"middle": width / 2, "end": width}.get(node.get("text-anchor"), 0)
    return left, base - 0.76 * size, left + width, base + 0.24 * size


def rectangle(node):
    left, top, width, height = numbers_of(node, "x", "y", "width", "height")
    return left, top, left + width, top + height


def holds(outer, inner, margin=0.0):
    return all(
        outer[side] + margin <= inner[side] and inner[side + 2] + margin <= outer[side + 2]
        for side in (0, 1)
    )


def said(node):
    return "".join(node.itertext())


def points_of(commands):
    """Give points along a path of M, L, H, V, Q, C and Z, close to one another, by its strokes."""
    strokes, here = [], None
    for letter, rest in re.findall("([MLHVQCZ])([^MLHVQCZ]*)", commands):
        values = [float(value) for value in rest.split()]
        if letter == "M":
            here = np.array(values)
            strokes.append([here])
            continue
        if letter == "Z":
            corners = [strokes[-1][0]]
        elif letter in "HV":
            corners = [np.array([values[0], here[1]] if letter == "H" else [here[0], values[0]])]
        else:
            corners = list(np.reshape(values, (-1, 2)))
        between, share = [here, *corners], np.linspace(0, 1, 200)[1:, None]
        while len(between) > 1:  # de Casteljau's rule, for lines and curves alike
            pairs = zip(between, between[1:], strict=False)
            between = [start + share * (end - start) for start, end in pairs]
        strokes[-1].extend(between[0])
        here = corners[-1]
    return np.array([point for stroke in strokes for point in stroke])


@pytest.mark.parametrize("name", NAMES)
def test_a_diagram_is_as_committed_and_the_same_each_time(name):
    committed = (diagrams.FOLDER / f"{name}.svg").read_bytes()
    assert committed == diagrams.draw(name).encode() == diagrams.draw(name).encode()


def test_each_file_is_a_diagram():
    assert {path.name for path in diagrams.FOLDER.iterdir()} == {f"{name}.svg" for name in NAMES}
    texts = [path.read_text(encoding="utf-8") for path in every()]
    for name in set(NAMES) - {"map"}:
        assert any(f"/{name}.svg" in text for text in texts), f"no notebook shows {name}"


@pytest.mark.parametrize("name", NAMES)
def test_a_viewer_drops_nothing_of_it(name):
    text = diagrams.draw(name)
    root, parts = elements(name)
    assert {local(node) for node in root.iter()} <= ALLOWED
    assert not re.search(r"href|url\(|style|class=|transform|data:|on\w+=", text)
    assert re.findall("https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert [kind for kind, _ in parts[:3]] == ["title", "desc", "rect"]
    assert all(said(node).strip() for _, node in parts[:2])
    width, height = numbers_of(root, "width", "height")
    assert width <= 700 and root.get("viewBox") == f"0 0 {width:g} {height:g}"
    panel = rectangle(parts[2][1])
    assert panel == (0.5, 0.5, width - 0.5, height - 0.5) and float(parts[2][1].get("rx")) >= 8
    sizes = [size for kind, node in parts if kind == "text" for _, size, _, _ in runs(node)]
    assert min(sizes) >= 11 and set(sizes) <= {11, 12, 14, 16}


@pytest.mark.parametrize("name", NAMES)
def test_it_has_an_alternative_text(name):
    line = diagrams.markdown(name)
    alt, path = re.fullmatch(r"!\[([^\[\]\n]{60,900})\]\((\S+)\)", line).groups()
    assert (ROOT / "notebooks" / path).exists()
    root, _ = elements(name)
    assert said(root[1]) == alt and said(root[0]) != alt
    assert diagrams.markdown(name, "../pictures").endswith(f"(../pictures/{name}.svg)")


@pytest.mark.parametrize("name", NAMES)
def test_no_text_leaves_its_box(name):
    _, parts = elements(name)
    boxes = [rectangle(node) for kind, node in parts if kind == "rect"]
    panel = boxes[0]
    for text in (node for kind, node in parts if kind == "text"):
        frame = frame_of(text)
        middle = (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2
        around = [box for box in boxes if holds(box, middle * 2)]
        smallest = min(around, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
        assert holds(smallest, frame, 1.0), f"{said(text)!r} {frame} leaves {smallest}"
        assert holds(panel, frame, 10), f"{said(text)!r} stands at the edge"
        for box in boxes:  # no frame of a box runs through a text
            apart = box[0] >= frame[2] or frame[0] >= box[2]
            apart |= box[1] >= frame[3] or frame[1] >= box[3]
            assert apart or holds(box, frame), f"{said(text)!r} crosses {box}"


@pytest.mark.parametrize("name", NAMES)
def test_no_text_meets_another_text_or_a_line(name):
    _, parts = elements(name)
    frames = [(said(node), frame_of(node)) for kind, node in parts if kind == "text"]
    for (one, first), (other, second) in combinations(frames, 2):
        apart = first[2] <= second[0] or second[2] <= first[0]
        apart |= first[3] <= second[1] or second[3] <= first[1]
        assert apart, f"{one!r} and {other!r} overlap"
    for place, (kind, node) in enumerate(parts):
        if kind != "path":
            continue
        points = points_of(node.get("d"))
        later = [rectangle(after) for kind, after in parts[place:] if kind == "rect"
                 and after.get("fill") != "none"]
        for text, (left, top, right, bottom) in frames:
            inside = (points > (left, top + 2)) & (points < (right, bottom - 1))
            hidden = any(holds(box, (left, top, right, bottom)) for box in later)
            assert hidden or not inside.all(axis=1).any(), f"a line goes through {text!r}"


@pytest.mark.parametrize("name", NAMES)
def test_the_colour_of_a_role_comes_with_words(name):
    """What is drawn in a colour of q, k, v needs a text in that colour: never colour alone."""
    root, parts = elements(name)
    texts = {run[2] for kind, node in parts if kind == "text" for run in runs(node)}
    drawn = {node.get(key) for node in root.iter() for key in ("fill", "stroke")}
    assert set(ROLES.values()) & drawn <= texts


def lit_in(name):
    _, parts = elements(name)
    return sum(node.get("fill") == LIT for kind, node in parts if kind == "rect")


def test_each_map_is_lit_elsewhere():
    assert lit_in("map") == 0
    maps = [diagrams.draw(f"map_{notebook:02d}") for notebook in range(1, 10)]
    bodies = {text.split("this notebook", 1)[1] for text in maps}
    assert len(bodies) == 9
    for notebook, (title, parts) in diagrams.model.NOTEBOOKS.items():
        name = re.sub("[ -]", "_", f"{notebook:02d} {title.lower()}")
        assert [path.stem for path in ROOT.glob(f"notebooks/{name[:2]}_*.ipynb")] in ([name], [])
        assert lit_in(f"map_{notebook:02d}") > len(parts.split())  # the parts and the legend


def test_the_numbers_are_those_of_the_story():
    cases = {
        (False, False): [(0.54, 1.46), (0.54, 1.46)],
        (True, False): [(1.27, 0.73), (0.54, 1.46)],
        (True, True): [(1.95, 0.05), (0.01, 1.99)],
    }
    for (mask, compass), expected in cases.items():
        assert np.allclose(story.attend(mask, compass).context[[1, 3]], expected, atol=0.005)
    shares = [[0.15, 0.63, 0.18, 0.04], [0.18, 0.04, 0.15, 0.62]]  # each slot finds its saw
    assert np.allclose(story.cross().weights, shares, atol=0.005)
    contexts = [[0.88, 1.12], [1.91, 0.09], [1, 1], [0.01, 1.99]]  # read without a mask
    assert np.allclose(story.cross().k, contexts, atol=0.0051)


def test_the_two_heads_of_the_poster_find_who_and_whom():
    x, w_o = torch.tensor(story.PEOPLE).double(), torch.tensor(story.WRITES).double()
    contexts = []
    for w_q, head in zip((story.BEFORE, story.OTHER), story.meet(), strict=True):
        q, k, v = (x @ torch.tensor(each).double() for each in (
            w_q, story.COMPASS_ONLY, story.PEOPLE_ONLY))
        context, weights = scaled_dot_product_attention(q, k, v)
        assert np.allclose(context, head.context) and np.allclose(weights, head.weights)
        contexts.append(context)
    output = torch.cat(contexts, dim=1) @ w_o
    assert contexts[0][1].round().tolist() == [1, 0] and contexts[1][1].round().tolist() == [0, 1]
    assert output[1].round().tolist() == [1, 0, 1, 1] and torch.linalg.det(w_o) == 1
    assert "(1, 0, 1, 1)" in diagrams.markdown("two_heads")


def test_a_head_has_one_colour_in_both_diagrams():
    for colour in diagrams.model.HEADS:
        assert colour not in ROLES.values()
        for name in ("heads_in_parallel", "two_heads"):
            cells = [node for kind, node in elements(name)[1] if node.get("fill") == colour]
            assert len(cells) >= 12


def test_the_numbers_are_those_of_the_library():
    step = story.attend()
    q, k, v = (torch.tensor(part, dtype=torch.float64) for part in (step.q, step.k, step.v))
    context, weights = scaled_dot_product_attention(q, k, v, causal_keep(4))
    assert np.allclose(context, step.context) and np.allclose(weights, step.weights)


def test_what_the_tests_would_notice():
    drawing = Drawing("title", "alt", 60)
    drawing.box((10, 10, 40, 20), "much too long")
    (text,) = (line for line in drawing.lines if line.startswith("<text"))
    frame = frame_of(ElementTree.fromstring(text))
    assert not holds((10, 10, 50, 30), frame) and frame[2] - frame[0] > 80
    assert points_of("M 0 0 L 10 0 H 2")[[0, 199, 398]].tolist() == [[0, 0], [10, 0], [2, 0]]
    with pytest.raises(SystemExit):
        diagrams.main(["no_such_diagram"])
