"""The diagrams of the model and its parts: the map, the norms, the masks, heads, the bottleneck."""

import numpy as np

from helpers.diagrams import example
from helpers.display.svg import HEADS, INK, LINE, LOOK, MUTED, PAPER, SOFT, THICK, Drawing, vector

TRUNK = dict(colour="#a7afbd", width=5)

# What the map lights for each notebook, by the names of the parts below.
ATTENTIONS = "encoder_self decoder_self cross"
NOTEBOOKS = {
    1: ("averaging the past", "mix"),
    2: ("the matrix trick", "mask softmax mix"),
    3: ("scaled dot-product attention", "q k v scores mask softmax mix"),
    4: ("multi-head attention", "heads"),
    5: ("masking", "mask written"),
    6: ("the Transformer", "embed positions norm feed_forward output probabilities"),
    7: ("train a translator", "read written output probabilities next"),
    8: ("look inside", ATTENTIONS),
    9: ("make it fast", "k v scores mask softmax mix"),
}
SAID = {
    "encoder_self": "self-attention of the encoder",
    "decoder_self": "masked self-attention of the decoder",
    "cross": "cross-attention",
    "mix": "average of the values",
    "heads": "all heads and W_o",
    "read": "the sentence to read",
    "written": "the words written so far",
    "next": "the next word",
    "output": "output layer",
    "probabilities": "softmax of the output",
    "norm": "norms",
    "embed": "embeddings",
}
BLOCKS = {  # what stands in a block, and below it at the side of the encoder and of the trunk
    "encoder_self": ("self-attention", "", "{q} {k} {v}"),
    "decoder_self": ("self-attention", "masked", "{q} {k} {v}"),
    "cross": ("cross-attention", "{k} {v}", "{q}"),
    "feed_forward": ("feed-forward", "word by word", ""),
}
STACKS = {  # from below
    "encoder": (210, "sentence to read", "read", ["encoder_self", "feed_forward"]),
    "decoder": (452, "written so far", "written", ["decoder_self", "cross", "feed_forward"]),
}
LENS = {  # from below
    "scores": "scores {q}·{k} / √d",
    "mask": "mask",
    "softmax": "softmax",
    "mix": "average of the {v}",
    "heads": "all heads, then W_o",
}


def names(parts: str) -> list[str]:
    """Say in words what the map lights."""
    return [SAID.get(part, part.replace("_", "-")) for part in parts.split()]


def model_map(drawing: Drawing, notebook: int) -> None:
    """Draw the whole model, and light what a notebook is about."""
    name, lit = NOTEBOOKS[notebook]
    lit = set(lit.split())
    drawing.label((20, 28), f"{notebook:02d} {name}", 16, "start", bold=True)
    drawing.box((20, 45, 24, 15), lit=True, radius=3)
    drawing.label((52, 52), "this notebook", anchor="start", colour=MUTED)
    drawing.arrow((210, 140), (210, 104), (244, 104), (244, 200), (260, 200), **TRUNK)
    for stack in STACKS:
        _stack(drawing, stack, lit)
    drawing.box((406, 42, 92, 20), "output", lit="output" in lit)
    drawing.box((406, 15, 92, 20), "softmax", lit="probabilities" in lit)
    drawing.arrow((498, 25), (520, 25))
    drawing.box((522, 14, 84, 22), "next word", stroke="none", lit="next" in lit)
    _lens(drawing, lit)


def _stack(drawing: Drawing, name: str, lit: set) -> None:
    """Draw one trunk from its words to its last norm, with its blocks beside it."""
    trunk, words, part, blocks = STACKS[name]
    end = 244 - 48 * len(blocks)
    frame = (trunk - 200, end, 214, 262 - end)
    drawing.box(frame, fill="none", dashed=True, radius=10)
    drawing.label((trunk - 192, end + 11), f"{name}, N times", 12, "start", MUTED)
    drawing.arrow((trunk, 324), (trunk, end - 20 if name == "encoder" else 30), **TRUNK,
                  headless=True)
    for place, block in enumerate(blocks):
        _block(drawing, trunk, 218 - 48 * place, block, lit)
    drawing.box((trunk - 118, 265, 80, 22), "positions", lit="positions" in lit)
    drawing.arrow((trunk - 38, 276), (trunk - 9, 276))
    drawing.plus((trunk, 276))
    drawing.box((trunk - 42, 296, 84, 22), "embedding", lit="embed" in lit)
    drawing.box((trunk - 25, end - 28, 50, 20), "norm", lit="norm" in lit)
    drawing.box((trunk - 61, 326, 122, 22), words, stroke="none", lit=part in lit)


def _block(drawing: Drawing, trunk: float, top: float, name: str, lit: set) -> None:
    """Draw a block beside the trunk: it reads through a norm and adds what it found."""
    left, (text, far, near) = trunk - 192, BLOCKS[name]
    drawing.arrow((trunk, top + 30), (trunk - 18, top + 30), headless=True)
    drawing.box((trunk - 62, top + 20, 44, 19), "norm", lit="norm" in lit)
    drawing.arrow((trunk - 62, top + 30), (trunk - 72, top + 30))
    drawing.arrow((trunk - 72, top + 9), (trunk - 9, top + 9))
    drawing.plus((trunk, top + 9))
    fill = PAPER if name == "feed_forward" else SOFT
    drawing.box((left, top, 120, 40), fill=fill, lit=name in lit)
    drawing.label((left + 60, top + 12), text)
    if far:
        drawing.label((left + 8, top + 29), far, anchor="start", colour=MUTED)
    if near:
        drawing.label((left + 112, top + 29), near, anchor="end")


def _lens(drawing: Drawing, lit: set) -> None:
    """Draw what every attention does, as sheets behind one another: one for each head."""
    drawing.label((602, 62), "inside each attention", bold=True)
    for shift in (10, 5, 0):
        frame = (518 + shift, 128 - shift, 156, 218)
        drawing.box(frame, fill=SOFT, stroke=LINE, thickness=1, radius=10)
    for (part, text), down in zip(LENS.items(), (276, 236, 196, 156, 86), strict=True):
        wide = 40 if part == "heads" else 0
        drawing.box((524, down, 112 + wide, 22), text, lit=part in lit)
    for down in (276, 236, 196):
        drawing.arrow((575, down), (575, down - 17))
    drawing.arrow((575, 156), (575, 110))
    for left in (548, 600):
        drawing.arrow((left, 312), (left, 299))
    drawing.arrow((652, 312), (652, 167), (638, 167))
    for role, left in (("q", 548), ("k", 600), ("v", 652)):
        drawing.chip((left, 325), role, lit=role in lit)


def three_attentions(drawing: Drawing) -> None:
    """Draw the masks of the three attentions, and where queries, keys and values come from."""
    drawing.heading("Three attentions, three masks", "row: who asks ({q}) · column: who is asked "
                    "({k}, {v}) · a row of the decoder belongs to the word it writes")
    source, written, seen = ["I", "saw", "a", "saw", "pad"], list("我看见了"), ["bos", *"我看见"]
    real = np.array([[word != "pad" for word in source]])
    kinds = [
        ("encoder: self", source, source, "source", "source", np.repeat(real, 5, 0)),
        ("decoder: masked self", written, seen, "target", "target", np.tri(4, dtype=bool)),
        ("decoder: cross", written, source, "target", "source", np.repeat(real, 4, 0)),
    ]
    for place, (name, rows, columns, asking, asked, keep) in enumerate(kinds):
        left = 60 + 226 * place
        drawing.label((left - 34, 88), name, 14, "start", bold=True)
        drawing.matrix((left, 136), np.zeros(keep.shape), (30, 26), decimals=None, keep=keep,
                       rows=rows, columns=columns, fill=LOOK)
        drawing.label((left, 290), f"{{q}} from the {asking}", anchor="start")
        drawing.label((left, 310), f"{{k}} and {{v}} from the {asked}", anchor="start")
    drawing.box((60, 334, 22, 16), fill=LOOK, thickness=1, radius=0)
    drawing.label((90, 342), "may look", anchor="start", colour=MUTED)
    drawing.hatched((172, 334, 22, 16))
    drawing.label((202, 342), "masked", anchor="start", colour=MUTED)
    gloss = "bos begins a sentence · 我 I · 看见 saw · 了 done"
    drawing.label((672, 342), gloss, anchor="end", colour=MUTED)


def decoder_step(drawing: Drawing) -> None:
    """Draw how one place of the decoder asks what is written, then the source, then thinks."""
    drawing.heading("i saw a saw: 我看见 is written. What comes next?",
                    "the way of the last token through a decoder layer (its norms are left out)")
    trunk, places = 260, (50, 120, 190)
    drawing.arrow((trunk, 300), (trunk, 92), **TRUNK)
    drawing.box((trunk - 62, 66, 124, 26), "了 or 的?", lit=True, size=14)
    drawing.arrow((trunk, 138), (202, 138))
    drawing.box((84, 112, 116, 34), "feed-forward", fill=SOFT)
    drawing.arrow((200, 120), (trunk - 9, 120))
    drawing.arrow((45, 196), (45, 216), (trunk - 9, 216))
    for place, word in zip((45, 100, 155, 210), example.WORDS, strict=True):
        if place > 45:
            drawing.arrow((place, 196), (place, 216), headless=True)
        drawing.box((place - 24, 170, 48, 26), word, fill=SOFT)
    drawing.arrow((50, 300), (50, 268), (trunk - 9, 268))
    for place in places[1:]:
        drawing.arrow((place, 300), (place, 268), headless=True)
    for place, token in zip((*places, trunk), ("bos", *"我看见"), strict=True):
        drawing.box((place - 24, 300, 48, 28), token, size=14)
    drawing.box((306, 300, 48, 28), "?", dashed=True, size=14)
    for place, gloss in ((50, "begin"), (120, "I"), (225, "saw"), (330, "not yet")):
        drawing.label((place, 342), gloss, colour=MUTED)
    asks = {"3  feed-forward": "what follows from both?", "2  cross-attention": "what does the "
            "source say?", "1  masked self-attention": "what have I written so far?"}
    for down, (name, question) in zip((120, 216, 268), asks.items(), strict=True):
        drawing.plus((trunk, down))
        drawing.label((290, down - 8), name, 14, "start", bold=True)
        drawing.label((306, down + 12), question, 14, "start", MUTED)
    drawing.label((340, 79), "了 done: i saw a saw", 12, "start", MUTED)
    drawing.label((500, 79), "的 that: a saw i saw", 12, "start", MUTED)


def pre_and_post_norm(drawing: Drawing) -> None:
    """Draw the two places for a norm: in the branch, or in the trunk."""
    drawing.heading("Where does the norm stand?")
    for trunk, pre in ((250, True), (590, False)):
        left = trunk - 226
        name, formula = ("pre-norm: ours", "x + f(norm(x))") if pre else (
            "post-norm: 2017", "norm(x + f(x))")
        drawing.label((left, 62), name, 14, "start", bold=True)
        drawing.label((left, 84), formula, 14, "start")
        drawing.arrow((trunk, 330), (trunk, 48), **TRUNK)
        for text, bottom in (("attention", 316), ("feed-forward", 204)):
            _norm_block(drawing, trunk, bottom, text, pre)
        if pre:
            drawing.box((trunk - 30, 70, 60, 22), "norm", lit=True)
        drawing.label((trunk + 16, 322), "x", 14, "start", bold=True)
        note = "in the branch, one at the end" if pre else "in the trunk, after each sum"
        drawing.label((left, 106), note, 12, "start", MUTED)


def _norm_block(drawing: Drawing, trunk: float, bottom: float, text: str, pre: bool) -> None:
    """Draw a block beside the trunk, with its norm in the branch (pre) or in the trunk."""
    drawing.arrow((trunk, bottom - 16), (trunk - 106, bottom - 16))
    drawing.arrow((trunk - 106, bottom - 52), (trunk - 9, bottom - 52))
    drawing.box((trunk - 226, bottom - 68, 120, 68), text, fill=SOFT)
    place = (trunk - 82, bottom - 27) if pre else (trunk - 30, bottom - 96)
    drawing.plus((trunk, bottom - 52))
    drawing.box((*place, 60, 22), "norm", lit=True)


TARGET = {"我": "I", "看见了": "saw", "一把": "a", "锯子": "saw"}  # each with its gloss


def _translation(drawing: Drawing, left: float, lit: str) -> np.ndarray:
    """Draw the source below and the translation above, one word lit; return where they stand."""
    places = left + 40 + 80 * np.arange(4)
    for place, word, (chinese, gloss) in zip(places, example.WORDS, TARGET.items(), strict=True):
        drawing.label((place, 62), gloss, colour=MUTED)
        drawing.box((place - 32, 78, 64, 30), chinese, lit=chinese == lit, size=14)
        drawing.box((place - 30, 208, 60, 28), word, fill=SOFT)
    return places


def _asks(drawing: Drawing, places: np.ndarray, asking: str, weights, faint=True) -> None:
    """Draw what one word of the translation takes of each source word.

    faint: draw what the others would take as thin lines, too.
    """
    for place, chinese in zip(places, TARGET, strict=True):
        lit = chinese == asking
        for source, weight in zip(places, weights, strict=True) if lit or faint else ():
            width, colour = (1 + 6 * weight, INK) if lit else (1, LINE)
            width += (3 * weight - 0.5) * (not faint)
            drawing.arrow((source, 206), (place, 110), colour=colour, width=width,
                          headless=not lit)


def bottleneck(drawing: Drawing) -> None:
    """Draw one vector for a whole sentence beside attention to all of its words."""
    for left, title in ((20, "All through one vector"), (362, "Attention: every word is asked")):
        drawing.label((left, 28), title, 16, "start", bold=True)
    places = _translation(drawing, 20, "")
    for place in places:
        drawing.arrow((180, 146), (place, 110))
    drawing.arrow((places[-1], 208), (places[-1], 163), (238, 163))
    drawing.box((124, 146, 112, 34), "one vector", lit=True)
    drawing.label((20, 278), "a long sentence must fit into it, too", anchor="start", colour=MUTED)
    asks = _translation(drawing, 362, "锯子")
    _asks(drawing, asks, "锯子", (0.06, 0.1, 0.2, 0.64))  # a sketch, not a model's
    for place in [*places[:-1], *asks[:-1]]:
        drawing.arrow((place + 30, 222), (place + 49, 222))
        drawing.arrow((place + 32, 93), (place + 47, 93))
    drawing.label((362, 278), "thick arrow: 锯子 (jù zi, the tool) takes much",
                  anchor="start", colour=MUTED)


def cross_attention(drawing: Drawing) -> None:
    """Draw what the slots of the verb and of the noun take of the source, side by side."""
    step = example.cross()
    titles = {"看见了": "看见 kàn jiàn: who says a verb?", "锯子": "锯子 jù zi: who says a noun?"}
    for row, (left, asking) in enumerate(zip((20, 362), titles, strict=True)):
        drawing.label((left, 28), titles[asking], 16, "start", bold=True)
        places = _translation(drawing, left, asking)
        _asks(drawing, places, asking, step.weights[row], faint=False)
        for place, share, context in zip(places, step.weights[row], step.v, strict=True):
            drawing.chip((place - 15, 254), "k", width=26)
            drawing.chip((place + 15, 254), "v", width=26)
            drawing.label((place, 280), vector(context, 2))
            drawing.label((place, 304), f"{share:.2f}", bold=True)
        says = ["{k:k} and {v:v}: the context of the word, in brackets",
                f"{{q:query {vector(example.SLOTS[row], 0)}}}; each arrow as wide as its share"]
        for line, down in zip(says, (332, 352), strict=True):
            drawing.label((left, down), line, anchor="start", colour=MUTED)


def heads_in_parallel(drawing: Drawing) -> None:
    """Draw multi-head attention as blocks: the same x into every head, then concat and W_o."""
    drawing.heading("Multi-head attention, to be drawn from memory",
                    "every head reads all of x, and has {q}, {k}, {v} and a map of its own")
    middle, contexts = 182, []
    drawing.matrix((24, middle - 27), example.PEOPLE, (13, 18), decimals=None)
    drawing.label((50, middle - 40), "x", 14, bold=True)
    heads = zip((128, 246), HEADS, example.meet(), strict=True)
    for place, (top, colour, head) in enumerate(heads):
        for row, role in enumerate("qkv"):
            down = top + 32 * (row - 1)
            drawing.arrow((77, middle), (92, middle), (92, down), (112, down))
            drawing.chip((130, down), role)
        for down in (top - 32, top):
            drawing.arrow((146, down), (192, down))
        drawing.matrix((196, top - 43), head.weights, (18, 18), decimals=None, shaded=True)
        drawing.arrow((250, top - 16), (292, top - 16))
        drawing.matrix((296, top - 43), head.context, (18, 18), decimals=None, fill=colour)
        drawing.arrow((146, top + 32), (314, top + 32), (314, top + 14))
        drawing.label((223, top - 55), "map", bold=True)
        drawing.label((314, top - 55), f"head {place + 1}", bold=True)
        drawing.arrow((332, top - 16), (364, top - 16), (364, middle), (396, middle))
        contexts.append(head.context)
    _halves(drawing, (400, middle - 27), contexts, (18, 18), None)
    drawing.label((436, middle - 40), "concat", bold=True)
    drawing.arrow((472, middle), (500, middle))
    drawing.box((504, middle - 22, 56, 44), "W_o", size=16)
    drawing.arrow((560, middle), (588, middle))
    output = np.hstack(contexts) @ example.WRITES
    drawing.matrix((592, middle - 27), output, (18, 18), decimals=None)
    drawing.label((628, middle - 40), "output", bold=True)
    drawing.label((628, middle + 44), "as wide as x", colour=MUTED)
    drawing.label((436, middle + 44), "side by side", colour=MUTED)


def two_heads(drawing: Drawing) -> None:
    """Draw two heads through concat and W_o with all numbers, and the same as a sum over heads."""
    drawing.heading("Concat and W_o, and the same as a sum over heads",
                    "Tom saw Emma; each head has its colour, and the row of saw a frame")
    cell, contexts = (30, 22), [head.context for head in example.meet()]
    for place, (top, head) in enumerate(zip((102, 208), example.meet(), strict=True)):
        drawing.matrix((62, top), head.weights, cell, decimals=1, shaded=True, rows=example.MEETING,
                       title=f"map of head {place + 1}", sides="  ")
        drawing.arrow((152, top + 33), (178, top + 33))
        _number(drawing, (182, top), head.context, cell, HEADS[place], f"head {place + 1}")
        drawing.arrow((242, top + 33), (264, top + 33), (264, 188), (286, 188))
    _halves(drawing, (290, 155), contexts, cell, 1)
    _row_of_saw(drawing, (290, 155), 4, cell)
    drawing.label((350, 143), "concat", bold=True)
    drawing.label((425, 188), "×", 16)
    for place, colour in enumerate(HEADS):
        drawing.matrix((440, 144 + 44 * place), example.WRITES[2 * place : 2 * place + 2], (24, 22),
                       fill=colour)
    drawing.label((488, 132), "W_o", bold=True)
    drawing.label((547, 188), "=", 16)
    output = np.hstack(contexts) @ example.WRITES
    _number(drawing, (560, 155), output, cell, PAPER, "output")
    drawing.label((20, 310), "The same, head by head: each context times its own two rows of W_o, "
                  "then the sum", anchor="start", bold=True)
    for place, (context, colour, rows) in enumerate(zip(contexts, HEADS, ("upper", "lower"),
                                                        strict=True)):
        part = context @ example.WRITES[2 * place : 2 * place + 2]
        _number(drawing, (62 + 214 * place, 346), part, cell, colour,
                f"head {place + 1} · {rows} rows of W_o")
    drawing.label((229, 379), "+", 16)
    drawing.label((440, 379), "=", 16)
    _number(drawing, (486, 346), output, cell, PAPER, "output")
    drawing.label((20, 440), "channels of the output: Tom did it, Emma did it, Tom is in it, Emma "
                  "is in it", anchor="start", colour=MUTED)


def _number(drawing: Drawing, corner, values, cell, colour: str, title: str) -> None:
    """Draw a matrix of three words in a colour, with the row of saw framed."""
    drawing.matrix(corner, values, cell, decimals=1, fill=colour, title=title)
    _row_of_saw(drawing, corner, values.shape[1], cell)


def _row_of_saw(drawing: Drawing, corner, columns: int, cell) -> None:
    """Put a frame round the second row of a matrix."""
    frame = (corner[0], corner[1] + cell[1], columns * cell[0], cell[1])
    drawing.box(frame, fill="none", stroke=INK, thickness=THICK, radius=2)


def _halves(drawing: Drawing, corner, contexts, cell, decimals) -> None:
    """Draw the contexts of the heads side by side, each in its colour."""
    for place, (context, colour) in enumerate(zip(contexts, HEADS, strict=True)):
        left = corner[0] + 2 * place * cell[0]
        drawing.matrix((left, corner[1]), context, cell, decimals=decimals, fill=colour)
