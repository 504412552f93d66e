import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import pytest
import torch

from helpers.attention import scaled_dot_product_attention, watching
from helpers.decoding import NEVER, greedy
from helpers.explorers import attend, bet, damage, gloss, heads, mix, play, twins
from helpers.gloss import pinyin, readings
from helpers.masks import causal_keep
from helpers.pairs import read_pairs
from helpers.plane import COMPASS, W_K, W_Q, W_V, WORDS
from helpers.text import BOS, EOS, tokenize
from helpers.transformer import evaluating
from helpers.workshop import browser, tables
from helpers.workshop.drawing import ROLES
from helpers.workshop.figures import printed
from helpers.workshop.markup import KEY_RED, QUERY_BLUE, VALUE_GREEN
from helpers.workshop.notebooks import ROOT

SOURCE = "my brother is older than me .".split()
TARGET = ["我", "哥", "哥", "比", "我", "大", "。", "<eos>"]
OLDER, YOUNGER, OTHER = "我哥哥比我大。", "我弟弟比我小。", "我兄弟比我大。"
BROKEN = [
    ("A child wrote a story.", "孩子写了一个故事。", "孩子写了一个故事"),
    ("Go home", "回家", "回家。"),
    ("I saw a saw", "我看见了一把锯子", "我看见了一个锯子"),
    ("I saw it.", "我看见了。", "我看见了"),
]


class Static(HTMLParser):
    """Read an output: its tables as captions and rows of cells, its data, its scripts."""

    def __init__(self, picture):
        super().__init__()
        self.captions, self.tables, self.bold, self.text, self.tags = [], [], set(), "", []
        self.scripts, self.within, self.attributes, self.small = [], [], [], False
        self.feed(picture.markup)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.within += [tag] if tag != "br" else []
        self.attributes += attributes
        if tag == "table":
            self.tables.append([])
            self.captions.append("")
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        assert self.within.pop() == tag

    def handle_data(self, text):
        if self.within and self.within[-1] == "script":
            self.scripts[-1] += text
        elif self.within and self.within[-1] == "style":
            return
        elif {"td", "th"} & {*self.within} and self.within[-1] != "small":
            self.tables[-1][-1][-1] += text
            if "b" in self.within:
                table, row = len(self.tables) - 1, len(self.tables[-1]) - 1
                self.bold.add((table, row, len(self.tables[-1][-1]) - 1))
        elif "caption" in self.within:
            self.captions[-1] += text
        if self.within and self.within[-1] not in ("script", "style"):
            self.text += text + " "

    @property
    def data(self):
        return json.loads(self.scripts[0])


def grid_of(table):
    return [row[1:] for row in table[1:]]


def shown(token):
    return "(end)" if token == "<eos>" else token


def as_printed(matrix, keep=None):
    rows = [[printed(value, 2) for value in row] for row in matrix.tolist()]
    if keep is None:
        return rows
    kept = zip(rows, keep.tolist(), strict=True)
    return [[text if on else "" for text, on in zip(*each, strict=True)] for each in kept]


def random_weights(*shape):
    return (2 * torch.randn(*shape, generator=torch.Generator().manual_seed(0))).softmax(-1)


def some_twins(**changes):
    torch.manual_seed(0)
    first, second = SOURCE, [*SOURCE[:3], "younger", *SOURCE[4:]]
    states = torch.randn(3, 7, 6), torch.randn(3, 7, 6)
    states[1][0, :3] = states[0][0, :3]
    patched = [[OLDER] * 3 + [YOUNGER] + [OLDER] * 3, [OLDER, OTHER] + [OLDER] * 5]
    patched.append([OLDER, YOUNGER] + [OLDER] * 5)
    back = [[YOUNGER] * 7] * 3
    what = dict(sentences=(first, second), states=states, translations=(OLDER, YOUNGER))
    return what | dict(patched=(patched, back)) | changes


def some_play(**changes):
    steps = [[(token, 0.75), ("他", 0.125), ("<b>", 0.0625)] for token in TARGET]
    beam = [[(0, "我", -0.25), (0, "他", -2.0)], [(0, "哥", -0.5), (1, "哥", -2.25)]]
    beam += [[(0, token, -1.0), (0, "<eos>", -1.5)] for token in TARGET[2:]]
    weights = random_weights(len(TARGET), len(SOURCE))
    return dict(source=SOURCE, steps=steps, attention=weights, beam=beam) | changes


def some_damage(**changes):
    lost = {"encoder": torch.rand(2, 3), "cross-attention": torch.tensor([[44.8, 0.3, 1.0]] * 2)}
    broken = {("cross-attention", 1, 1): BROKEN, ("encoder", 2, 3): BROKEN[2:3]}
    return dict(lost=lost, broken=broken) | changes


def one_of_each():
    torch.manual_seed(0)
    return dict(
        mix=mix("i saw a saw", weights=[0.1, 0.1, 0.7, 0.1], twin="a saw i saw"),
        attend=attend("i saw a saw", keep=causal_keep(4)),
        heads=heads(random_weights(2, 4, len(TARGET), len(SOURCE)), TARGET, SOURCE),
        twins=twins(**some_twins()),
        play=play(**some_play()),
        damage=damage(**some_damage()),
    )


def digest(pictures):
    text = "".join(picture.markup for picture in pictures.values())
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def outputs():
    return one_of_each()


# --- the static part is complete and has the numbers ---


def test_mix_shows_each_weight_and_the_sum():
    page = Static(mix("i saw a saw", weights=[1, 1, 7, 1], twin="a saw i saw", goal=(0.5, 1.5)))
    first, twin = page.tables
    assert [row[2] for row in first[1:]] == ["0.10", "0.10", "0.70", "0.10", "1"]
    parts = "(0.2, 0) (0.1, 0.1) (0, 1.4) (0.1, 0.1) (0.4, 1.6)"
    assert " ".join(row[3] for row in first[1:]) == parts
    assert twin[-1][-1] == "(1.6, 0.4)"
    assert page.captions[0] == "i saw a saw: (0.4, 1.6), 锯子 (jù zi): saw, the tool"
    assert page.captions[1].endswith("看见 (kàn jiàn): saw, caught sight of")
    assert page.bold == {(0, 3, 2), (1, 3, 2)} and "Goal: (0.5, 1.5)" in page.text
    assert "on the fence" in Static(mix("saw", weights=[1])).captions[0]
    assert [row[0] for row in first[1:]] == ["i", "saw¹", "a", "saw²", "sum"]


def test_sums_of_rounded_weights_and_vectors_of_zeros_are_told_as_they_are():
    (table,) = Static(mix("i a saw", weights=[1, 1, 1])).tables
    assert [row[2] for row in table[1:]] == ["0.33"] * 3 + ["1 (rounded numbers: 0.99)"]
    page = Static(mix("o", dict(o=(0.01, -0.01)), weights=[1]))
    assert page.captions == ["o: (0.01, -0.01), nothing yet"]
    page = Static(attend("saw i", keep=[[False, False], [True, True]]))
    assert page.tables[0][1][5:] == ["(0, 0)", "nothing yet"]


def test_mix_turns_scores_into_weights():
    (table,) = Static(mix("i saw a saw", scores=[2, 3, 4, 3])).tables
    weights = torch.tensor([2.0, 3, 4, 3]).softmax(0)
    assert [[row[3]] for row in table[1:-1]] == as_printed(weights[:, None])
    assert table[-1][-1] == "(0.54, 1.46)"  # the storyboard's


def test_mix_asks_with_a_query():
    keys = dict(i=(1, 0), a=(0, 1), saw=(2, 2))
    page = Static(mix("i saw a", query=(0, 2), temperature=2**0.5, keys=keys))
    v, k = torch.tensor([[2.0, 0], [1, 1], [0, 2]]), torch.tensor([[1.0, 0], [2, 2], [0, 1]])
    output, weights = scaled_dot_product_attention(torch.tensor([[0.0, 2]]), k, v)
    assert [row[3] for row in page.tables[0][1:-1]] == [
        "(0, 2) · (1, 0) = 0·1 + 2·0", "(0, 2) · (2, 2) = 0·2 + 2·2", "(0, 2) · (0, 1) = 0·0 + 2·1"
    ]  # fmt: skip
    assert [row[4] for row in page.tables[0][1:-1]] == ["0.00", "4.00", "2.00"]
    assert [[row[5] for row in page.tables[0][1:-1]]] == as_printed(weights)
    assert tables.arithmetic([-1, 0.5], [2, 1]) == "(-1, 0.5) · (2, 1) = (-1)·2 + 0.5·1"
    assert page.tables[0][-1][-1] == tables.short(output[0])
    assert page.data["given"] == [0, 2] and page.data["keys"]["saw"] == [2, 2]
    page = Static(mix("i saw a", query=(0, 2), sides=None))  # where no word is to be read
    assert page.captions == ["i saw a: (0.15, 1.85)"] and page.data["sides"] == []
    assert "锯子" not in page.text


@pytest.mark.parametrize(
    ("sentence", "positions", "masked", "first", "last"),
    [
        ("i saw a saw", False, False, "(0.54, 1.46)", "(0.54, 1.46)"),
        ("i saw a saw", False, True, "(1.27, 0.73)", "(0.54, 1.46)"),
        ("i saw a saw", True, True, "(1.95, 0.05)", "(0.01, 1.99)"),
        ("a saw i saw", False, True, "(0.27, 1.73)", "(0.54, 1.46)"),
        ("a saw i saw", True, True, "(0.01, 1.99)", "(1.91, 0.09)"),
    ],
)
def test_attend_tells_the_readings_of_the_story(sentence, positions, masked, first, last):
    keep = causal_keep(4) if masked else None
    page = Static(attend(sentence, use_positions=positions, keep=keep))
    assert [page.tables[0][row][5] for row in (2, 4)] == [first, last]
    assert page.tables[0][1][6] == page.tables[0][3][6] == ""  # only saw has two readings
    points = [[*map(float, text[1:-1].split(","))] for text in (first, last)]
    nouns, fence = [y > x for x, y in points], [abs(y - x) < 0.05 for x, y in points]
    assert ["锯子" in page.tables[0][row][6] for row in (2, 4)] == nouns and not any(fence)


@pytest.mark.parametrize("scaled", [True, False])
def test_attend_has_the_numbers_of_our_attention(scaled):
    keep = torch.tensor([[1, 0, 1], [1, 1, 1], [0, 0, 0]]).bool()
    page = Static(attend("saw i a", keep=keep, scaled=scaled))
    x = torch.tensor([[1.0, 1, 0, 0], [2, 0, 0, 0], [0, 2, 0, 0]]) + torch.tensor(COMPASS[:3])
    q, k, v = (x @ torch.tensor(matrix).float() for matrix in (W_Q, W_K, W_V))
    output, weights = scaled_dot_product_attention(q if scaled else 2 * q, k, v, keep)
    vectors, scores_shown, weights_shown = page.tables
    for column, matrix in ((1, x), (2, q), (3, k), (4, v), (5, output)):
        assert [row[column] for row in vectors[1:]] == [tables.short(row) for row in matrix]
    assert grid_of(scores_shown) == as_printed(q @ k.T / (2 if scaled else 1), keep)
    assert grid_of(weights_shown) == as_printed(weights, keep)
    assert page.captions[1] == f"scores: q · k{' divided by 2, the root of 4 (d_k)' * scaled}"
    assert page.data["keep"] == keep.tolist()
    assert page.data["w_q"] == torch.tensor(W_Q).tolist()


def test_heads_shows_every_weight_of_a_model(small_model):
    source, target = torch.tensor([[5, 6, 7, 8, 9]]), torch.tensor([[1, 4, 5, 6]])
    with torch.inference_mode(), watching(small_model.decoder_layers) as seen:
        small_model(source, target)
    weights = torch.cat([seen[f"{layer}.cross_attention"][0] for layer in range(2)])
    queries, keys = ["我", "看", "见", "了"], ["i", "saw", "a", "saw", "."]
    page = Static(heads(weights, queries, keys, asks="writes"))
    assert page.data["asks"] == "writes" and page.tables[1][0][0] == "writes ↓ looks at →"
    assert Static(heads(weights, queries, keys, opens=2)).data["opens"] == 2
    page = Static(heads(weights, queries, keys))
    assert page.data["opens"] == 0 and page.data["head"] == [0, 0]
    assert Static(heads(weights, queries, keys, head=(1, 0))).data["head"] == [1, 0]
    most, *maps = page.tables
    assert page.captions[1:] == [f"layer {i}, head {j}" for i in (1, 2) for j in (1, 2)]
    for number, (table, shown) in enumerate(zip(maps, weights.flatten(0, 1), strict=True)):
        names = ["i", "saw¹", "a", "saw²", "."]
        assert table[0] == ["asks ↓ looks at →", *names]
        assert [row[0] for row in table[1:]] == queries
        assert grid_of(table) == as_printed(shown)
        for row, each in enumerate(shown.tolist(), 1):
            top = each.index(max(each))
            assert most[row][number + 1] == f"{names[top]} {printed(each[top], 2)}"
            assert (number + 1, row, top + 1) in page.bold
    data = torch.tensor(page.data["weights"])
    assert (data - weights).abs().max() < 0.0051 and data.shape == weights.shape
    assert page.data["queries"][1] == ["看", "kàn"] and "kàn" in page.text


def test_heads_leaves_masked_places_blank():
    keep, tokens = causal_keep(3), ["我", "看", "见"]
    scores = torch.zeros(1, 1, 3, 3).masked_fill(~keep, -torch.inf)
    page = Static(heads(scores.softmax(-1), tokens, tokens, keep))
    assert grid_of(page.tables[1]) == as_printed(scores.softmax(-1)[0, 0], keep)
    assert page.data["keep"] == keep.tolist()


def test_twins_shows_gaps_and_what_patches_turn():
    what = some_twins()
    page, (first, second) = Static(twins(**what)), what["states"]
    gap = 2 * (first - second).norm(dim=-1) / (first.norm(dim=-1) + second.norm(dim=-1))
    both, gaps, into, back = page.tables
    assert both[1:] == [[" ".join(SOURCE), OLDER], [both[2][0], YOUNGER]]
    assert grid_of(gaps) == as_printed(gap) and grid_of(gaps)[0][0] == "0.00"
    assert [row[0] for row in gaps] == ["", "words", "layer 1", "layer 2"]
    assert grid_of(into)[0] == ["the same"] * 3 + ["the twin's"] + ["the same"] * 3
    assert grid_of(into)[1][1] == OTHER
    assert {cell for row in grid_of(back) for cell in row} == {"the same"}
    assert page.data["patched"][0][1][1] == OTHER
    assert page.data["texts"][OTHER] == tables.tagged([*OTHER])
    assert len(Static(twins(**some_twins(patched=()))).tables) == 2
    named = Static(twins(**what, gives="row of names"))
    titles = named.tables[0][0], both[0]
    assert titles == (["sentence", "row of names"], ["sentence", "translation"])
    assert (named.data["gives"], page.data["gives"]) == ("row of names", "translation")


def test_play_shows_every_step_and_the_beam():
    what = some_play()
    page = Static(play(**what))
    steps, looks, tree = page.tables
    assert [row[1] for row in steps[1:]] == [*TARGET[:-1], "(end)"]
    assert steps[1][2:] == ["我 0.75", "他 0.13", "<b> 0.06", "1 + 7"] and steps[8][5] == "8 + 7"
    assert [row[0] for row in looks[1:]] == ["我¹", "哥¹", "哥²", "比", "我²", "大", "。", "(end)"]
    assert "<eos>" not in page.text
    assert grid_of(looks) == as_printed(what["attention"])
    assert tree[2][1:] == ["哥 -0.50 after 1", "哥 -2.25 after 2"]
    assert page.data["beam"][1][1] == [1, ["哥", "gē"], -2.25]
    assert page.data["steps"][0][1] == [["他", "tā"], 0.13]
    assert len(Static(play(**some_play(beam=()))).tables) == 2
    assert not {"start", "bare"} & {*page.data} and tables.MEANINGS["cache"] in page.text
    later = Static(play(**some_play(), start=3, inside=False))
    assert later.data["start"] == 3 and later.data["bare"]
    assert tables.MEANINGS["cache"] not in later.text
    assert Static(play(**some_play(), start=99)).data["start"] == len(TARGET)


def test_a_cell_plays_what_a_model_does(small_model):
    names = ["<pad>", "<bos>", "<eos>", "<unk>", *"我看见了一把锯子他她你们好不的是在有大小"]
    names += ["x"] * (29 - len(names))
    source, words, steps = torch.tensor([[5, 6, 7, 8]]), "i saw a saw".split(), []
    written = [*greedy(small_model, source, max_tokens=6)[0], EOS][:6]
    target_in = torch.tensor([[BOS, *written[:-1]]])
    with evaluating(small_model), watching(small_model.decoder_layers) as seen:
        logits = small_model(source, target_in)[0]
        logits[:, NEVER] = -torch.inf
    for row in logits.softmax(-1):
        chances, ids = row.topk(3)
        steps.append([(names[i], chance) for i, chance in zip(ids, chances.tolist(), strict=True)])
    looks = seen["1.cross_attention"][0][0].mean(0)
    page = Static(play(words, steps, looks))
    assert [row[1] for row in page.tables[0][1:]] == [shown(names[number]) for number in written]
    assert grid_of(page.tables[1]) == as_printed(looks)


def test_damage_shows_points_counts_and_sentences():
    what = some_damage()
    page = Static(damage(**what))
    lost = [*map(as_printed, what["lost"].values())]
    assert [grid_of(table) for table in page.tables[:2]] == lost
    cases = page.tables[2][1:]
    told = "cross-attention, layer 1, head 1: 4 broken, the first 3 shown; should have come where "
    told += "it first went wrong: punctuation mark 2, (end) 1, word 1"
    assert cases[0][0] == told
    assert [row[3] for row in cases] == [
        "孩子写了一个故事(end)", "回家。", "我看见了一个锯子", "我看见了一个锯子"
    ]  # fmt: skip
    assert [(2, row, 3) in page.bold for row in (1, 2, 3, 4)] == [True] * 4
    assert page.data["cases"][0][3:5] == [4, [["punctuation mark", 2], ["(end)", 1], ["word", 1]]]
    assert page.data["cases"][0][5][2][0] == "I saw a saw" and len(page.data["cases"][0][5]) == 3
    assert page.data["cases"][0][5][2][3] == 5
    assert cases[3][0].startswith("encoder, layer 2, head 3: 1 broken; should")
    one = Static(damage(**some_damage(kind_of=lambda token: token, shown=1)))
    assert "把 1" in one.tables[2][1][0] and len(one.tables[2]) == 3


ENGLISH = {"我": "I", "哥哥": "older <brother>", "弟": "younger brother"}
ENGLISH |= {"比": "compared", "个": "a"}


def test_english_words_stand_below_chinese_tokens_where_they_are_given():
    for explorer, what in ((twins, some_twins()), (play, some_play()), (damage, some_damage())):
        without, page = Static(explorer(**what)), Static(explorer(**what, english=ENGLISH))
        assert page.tables == without.tables  # it is small, below what was there
        assert "compared" not in without.text and without.data != page.data
    page = Static(twins(**some_twins(), english=ENGLISH))
    assert "I · older <brother> · compared · I" in page.text
    assert "I · younger brother · younger brother · compared · I" in page.text
    assert page.data["texts"][OLDER][:4] == [
        ["我", "wǒ", "I"], ["哥", "gē", "older <brother>"], ["哥", "ge"], ["比", "bǐ", "compared"]
    ]  # fmt: skip
    page = Static(play(**some_play(), english=ENGLISH))
    assert page.text.count("compared ") == 4  # written, likeliest, in the map, in the beam
    assert page.data["written"][3] == page.data["steps"][3][0][0] == ["比", "bǐ", "compared"]
    assert page.data["beam"][1][0][1] == ["哥", "gē", "older <brother>"]
    page = Static(damage(**some_damage(), english=ENGLISH))
    assert page.data["cases"][0][5][2][2][5] == ["个", "gè", "a"]
    assert tables.in_english(["a"], None) == tables.in_english(["a"], {"b": "c"}) == [""]


def test_a_token_is_read_as_in_its_sentence_in_every_explorer():
    """哥 is gē, and ge as the second of 哥哥; 行 is háng after 银."""
    page = Static(play(**some_play()))
    assert [told[1] for told in page.data["written"][1:3]] == ["gē", "ge"]
    assert [best[0][0][1] for best in page.data["steps"][1:3]] == ["gē", "ge"]
    assert [kept[0][1][1] for kept in page.data["beam"][1:3]] == ["gē", "ge"]
    beam = [[(0, "银", -1.0), (0, "自", -1.0)], [(1, "行", -1.0), (0, "行", -1.0)]]
    beam += [[(0, "车", -1.0)]]
    read = [[told[1] for _, told, _ in kept] for kept in tables.tagged_beam(beam)]
    assert read == [["yín", "zì"], ["xíng", "háng"], ["chē"]]
    steps = [[("睡", 0.5)], [("觉", 0.5), ("着", 0.25)]]
    assert tables.tagged_steps(steps)[1][0] == [["觉", "jiào"], 0.5]
    page = Static(heads(random_weights(1, 1, 8, 8), TARGET, TARGET))
    assert page.data["keys"][1:3] == [["哥", "gē"], ["哥", "ge"]]


def test_words_that_come_twice_are_told_apart():
    assert tables.numbered(["i", "saw", ".", "saw", "", "."]) == ["i", "saw¹", ".", "saw²", "", "."]
    assert tables.numbered(["我", "<eos>", *["我"] * 9])[-2:] == ["我⁹", "我¹⁰"]
    assert tables.plain(["<bos>", "saw", "<eos>"]) == ["(start)", "saw", "(end)"]
    page = Static(attend("a saw saw"))
    assert page.tables[1][0][1:] == [row[0] for row in page.tables[1][1:]] == ["a", "saw¹", "saw²"]


def test_every_output_says_what_its_words_mean(outputs):
    for kind, picture in outputs.items():
        page = Static(picture)
        assert "What do the words mean?" in page.text and page.tags.count("dt") >= 4, kind
        assert page.tags.count("dt") == page.tags.count("dd")
    query = mix("i saw", query=(0, 2)).markup
    for word in ("query", "key", "value", "score", "softmax", "temperature", "weight", "fence"):
        assert f"<dt><b>{word}</b></dt><dd>{tables.MEANINGS[word]}</dd>" in query
    assert "<b>query</b>" not in mix("i saw", weights=[1, 2]).markup  # no word before its time


# --- what every output holds ---


def test_an_output_is_small_the_same_each_time_and_needs_nothing_else(outputs):
    code = "import sys; sys.path[:0] = ['helpers/tests']; import test_explorers as tests;"
    code += "print(tests.digest(tests.one_of_each()))"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", code]
    again = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert again.stdout.strip() == digest(outputs), again.stderr
    for kind, picture in outputs.items():
        page, size = Static(picture), len(picture.markup.encode())
        assert size < tables.WHOLE_LIMIT
        assert repr(picture).startswith(f"{kind} '") and "\n" not in repr(picture)
        assert page.tags.count("script") == 2 and not {"img", "link", "iframe"} & {*page.tags}
        names = {name for name, _ in page.attributes}
        assert names <= {"class", "style", "type", "lang"}  # no id: viewers rename or drop them
        links = re.findall(r"https?://[^\s\"']*", picture.markup)
        assert {*links} <= {"http://www.w3.org/2000/svg"}
        others = {*outputs} - {kind}
        assert not any(f"EXPLORERS.{other} =" in picture.markup for other in others)
        assert "NAME_OF_THE_ROOT" not in picture.markup
        name = re.search(r'class="xp xp-\w+ (xp-\w+)"', picture.markup)[1]
        assert page.scripts[1].count(name) == 1


def test_what_a_viewer_without_styles_and_scripts_keeps_is_the_whole_static_part(outputs):
    for picture in outputs.values():
        stripped = re.sub(r"<(style|script)\b.*?</\1>", "", picture.markup, flags=re.DOTALL)
        stripped = re.sub(r' (style|class|id|lang)="[^"]*"', "", stripped)
        bare = Static(type(picture)(stripped, ""))
        whole = Static(picture)
        assert (bare.tables, bare.captions, bare.text) == (whole.tables, whole.captions, whole.text)
        assert bare.bold == whole.bold != set()
        assert not {"button", "input", "svg", "canvas"} & {*bare.tags}


def test_colours_of_queries_keys_and_values_are_theirs_alone(outputs):
    assert dict(q=QUERY_BLUE, k=KEY_RED, v=VALUE_GREEN) == ROLES  # as in the diagrams
    style = (ROOT / "helpers" / "explorers.css").read_text(encoding="utf-8")
    for name, colour in dict(q=QUERY_BLUE, k=KEY_RED, v=VALUE_GREEN).items():
        assert f"--{name}:{colour}" in style and style.count(colour) == 1
    for picture in outputs.values():
        shade = re.compile(rf"background:{tables.AMBER}[0-9a-f]{{2}}")
        styles = re.findall(r'<t[dh] style="([^"]*)"', picture.markup)
        assert styles and all(map(shade.fullmatch, styles))


def test_odd_tokens_stay_text():
    odd = ["<b>", "a&b", '"', "'", "</script>", "<!--", "锯", "$x$"]
    page = Static(heads(random_weights(1, 1, 8, 8), odd, odd))
    assert page.tables[1][0][1:] == odd == [row[0] for row in page.tables[1][1:]]
    assert page.tags.count("script") == 2 and page.data["keys"] == [*odd[:6], ["锯", "jù"], "$x$"]
    words = {"<i>": (1, 0), "&": (0, 1)}
    page = Static(attend("<i> &", words, sides=(("<u>", "<s>"), ("&", "&amp;"))))
    assert page.tables[1][0][1:] == ["<i>", "&"] and page.tables[0][1][0] == "<i>"
    page = Static(mix("<i> &", words, weights=[1, 3], sides=(("<u>", "<s>"), ("&", "&amp;"))))
    assert page.captions == ["<i> &: (0.25, 0.75), &amp;"] and page.tables[0][1][0] == "<i>"
    case = [("<p>", "我<", "我>")]
    page = Static(damage({"<em>": torch.ones(1, 1)}, {("<em>", 1, 1): case}))
    assert page.tables[1][1][1:] == ["<p>", "我<", "我>"]
    assert page.captions[0] == "<em>: points lost"
    tokens = ["<b>"] * 7
    what = some_twins(sentences=(tokens, tokens), translations=("<1>", "<2>"))
    what["patched"] = [[["<3>"] * 7] * 3]
    page = Static(twins(**what))
    assert page.tables[2][1][1] == "< 3 >" and page.tables[0][1] == [" ".join(tokens), "< 1 >"]
    assert "<1>" in page.captions[2] and page.tables[1][0] == ["", *tokens]
    page = Static(heads(random_weights(1, 1, 1, 1), ["锯"], ["x"], english={"锯": "<saw>"}))
    assert "<saw>" in page.text and page.data["queries"] == [["锯", "jù", "<saw>"]]


def test_sizes_of_a_translator_fit_and_larger_ones_say_so():
    keys, queries = [f"word{number}" for number in range(14)], list("我看见了一把很旧的锯子吗？啊")
    picture = heads(random_weights(2, 4, 14, 14) ** 3, queries, keys)
    assert len(picture.markup.encode()) < 120_000
    many = Static(heads(random_weights(6, 8, 14, 14), queries, keys))
    assert "9408 weights are too many to print; give fewer layers" in many.text
    assert len(many.tables) == 1 and torch.tensor(many.data["weights"]).shape == (6, 8, 14, 14)
    with pytest.raises(ValueError, match="output of heads would have .* bytes, not 200000; take"):
        heads(random_weights(6, 8, 28, 28), 2 * queries, 2 * keys)
    heads_of = [("cross-attention", layer, head) for layer in (1, 2) for head in (1, 2, 3, 4)]
    picture = damage({"cross-attention": torch.rand(2, 4)}, {each: BROKEN for each in heads_of})
    assert len(picture.markup.encode()) < 60_000
    with pytest.raises(ValueError, match="tables of damage would have .* bytes, not 60000; take"):
        damage({"a": torch.rand(2, 4)}, {("a", 1, 1): 100 * BROKEN}, shown=400)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: mix("i saw"), "mix got nothing; give weights or scores or a query"),
        (lambda: mix("i", weights=[1], scores=[1]), "mix got weights and scores; give"),
        (lambda: mix("i saw", weights=[1]), "weights has 1 numbers; give 2"),
        (lambda: mix("i saw", query=[1, 2, 3]), "query has 3 numbers; give 2"),
        (lambda: mix("i saw", weights=[0, 0]), r"weights=\[0.0, 0.0\] are no shares; give"),
        (lambda: mix("i saw", weights=[2, -1]), "are no shares"),
        (lambda: mix("i", scores=[1], temperature=0), "temperature=0 is not above 0; 1 changes"),
        (lambda: mix("i dog", scores=[1, 2]), "'dog' has no vector; take of i, a, saw, or add it"),
        (lambda: mix("i", scores=[1], twin="i saw"), "twin 'i saw' is no twin; give 1 words"),
        (lambda: mix("", scores=[]), "the sentence '' has no word; give at least one"),
        (lambda: attend(" "), "the sentence ' ' has no word"),
        (lambda: attend("i", keep=torch.ones(2, 2)), r"keep has shape \(2, 2\); give \(1, 1\)"),
        (lambda: attend("i", w_q=W_Q[:2]), "give w_q, w_k, w_v as many rows as a position"),
        (lambda: attend("i", {"i": range(5)}), "have shapes"),
        (lambda: heads(random_weights(2, 3), "ab", "abc"), r"shape \(2, 3\); give \(n_layers"),
        (lambda: heads(random_weights(1, 1, 2, 3), "ab", "ab"), "2 queries and 2 keys"),
        (lambda: heads(9 * random_weights(1, 1, 2, 2), "ab", "ab"), "are they scores"),
        (lambda: heads(random_weights(1, 1, 2, 2), "ab", "ab", causal_keep(3)),
         r"keep is \(3, 3\); give \(2, 2\)"),
        (lambda: heads(random_weights(1, 1, 2, 2), "ab", "ab", opens=2), "opens=2; give a row"),
        (lambda: heads(random_weights(1, 1, 2, 2), "ab", "ab", head=(0, 1)), "give a layer and a"),
        (lambda: twins(**some_twins(sentences=("ab", "abc"))), r"\[2, 3\] tokens.* of one length"),
        (lambda: twins(**some_twins(patched=[[["x"] * 7] * 2])), "give 3 rows of 7 translations"),
        (lambda: play(**some_play(source=["a"])), r"shape \(8, 7\); give \(8, 1\), a row for"),
        (lambda: play(**some_play(beam=[[(1, "我", 0.0)]])), "step 1 of the beam has parents"),
        (lambda: damage({"a": torch.ones(2)}, {}), r"lost\['a'\] has shape \(2,\); give"),
        (lambda: damage(**some_damage(broken={("x", 1, 1): BROKEN})), "'x', layer 1, head 1; lost"),
        (lambda: damage(**some_damage(broken={("encoder", 3, 1): []})), "layer 3, head 1"),
        (lambda: damage(**some_damage(broken={("encoder", 0, 1): []})), "layer 0, head 1"),
        (lambda: damage(**some_damage(broken={("encoder", 1, 1): [("a", "b", "b")]})), "only bro"),
        (lambda: bet("Which?", ["a", "b"], "c"), "mine='c' is no option; take one of 'a', 'b'"),
        (lambda: gloss("I saw"), "holds no Chinese character"),
        (lambda: gloss("我", "I", [(0, 1)]), r"link \(0, 1\) lies outside the 1 English and 1 "),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_said_in_one_sentence(call, fault):
    with pytest.raises(ValueError, match=fault) as raised:
        call()
    assert "\n" not in str(raised.value)


# --- the script computes what PyTorch computes ---

needs_node = pytest.mark.skipif(
    not shutil.which("node") and not os.environ.get("CI"),
    reason="Node.js is not installed, so the explorers' script is not run",
)


def in_node(calls):
    """Call functions of the explorers' script: a list of their results."""
    code = "const x = require('./helpers/explorers.js'), read = require('fs').readFileSync(0);"
    code += "const done = JSON.parse(read).map(([name, ...rest]) => x[name](...rest));"
    code += "console.log(JSON.stringify(done))"
    command, text = ["node", "-e", code], json.dumps(calls)
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@needs_node
def test_the_script_computes_as_pytorch_does():
    generator = torch.Generator().manual_seed(0)
    q, k, v = (3 * torch.randn(5, size, generator=generator).double() for size in (4, 4, 3))
    keep, scores = causal_keep(5), 20 * torch.randn(6, generator=generator).double()
    keep[2] = False
    calls = [["softmax", scores.tolist(), 0.5], ["softmax", (100 * scores).tolist()]]
    calls += [["attention", q.tolist(), k.tolist(), v.tolist(), keep.tolist()]]
    calls += [["attention", q.tolist(), k.tolist(), v.tolist(), None, False]]
    calls += [["mixture", scores[:5].tolist(), v.tolist()]]
    calls += [["product", q.tolist(), k.T.tolist()]]
    colder, colder_yet, masked, plain, mixed, multiplied = in_node(calls)
    output, weights = scaled_dot_product_attention(q, k, v, keep)
    expected = [((scores / 0.5).softmax(0), colder), ((100 * scores).softmax(0), colder_yet)]
    expected += [(output, masked["output"]), (weights, masked["weights"])]
    expected += [(q @ k.T / 2, masked["scores"]), (q @ k.T, plain["scores"])]
    expected += [((q @ k.T).softmax(-1), plain["weights"]), (scores[:5] @ v, mixed)]
    expected += [(q @ k.T, multiplied)]
    for ours, theirs in expected:
        theirs = torch.tensor(theirs, dtype=torch.double)
        torch.testing.assert_close(theirs, ours, atol=1e-6, rtol=0)
    assert masked["output"][2] == [0, 0, 0]


@needs_node
def test_the_script_moves_weights_and_reads_trees():
    beam = [[[0, "a", -0.1], [0, "b", -1.0]], [[0, "c", -0.5], [1, "c", -1.1], [0, "<eos>", -1.5]]]
    beam += [[[1, "<eos>", -1.2], [0, "<eos>", -2.4]]]
    calls = [["moveWeight", [0.1, 0.2, 0.7], 2, 0.4], ["moveWeight", [0, 1], 1, 0.5]]
    calls += [["moveWeight", [1, 0, 0], 0, 0], ["moveWeight", [1], 0, 0.2], ["bestFinished", beam]]
    calls += [["ancestors", beam, 2, 0], ["follow", beam, ["a", "c", "<eos>"]]]
    calls += [["follow", beam, ["a", "x"]], ["bestFinished", beam[:1]]]
    one, two, three, alone, best, path, greedy, lost, none = in_node(calls)
    assert one == pytest.approx([0.2, 0.4, 0.4]) and two == [0.5, 0.5] and alone == [1]
    assert three == [0, 0.5, 0.5]
    assert (best["step"], best["place"]) == (2, 0) and best["mean"] == pytest.approx(-0.4)
    assert path == [1, 1, 0] and greedy == [0, 0, 1] and lost == [0] and none is None


@needs_node
def test_the_script_names_tokens_as_the_tables_do():
    sentences = ["i saw a saw .  .".split(" "), ["我", "<eos>", *["我"] * 9], TARGET]
    calls = [["named", sentence] for sentence in sentences]
    calls += [["named", tables.tagged(TARGET, ENGLISH)]]
    assert in_node(calls) == [tables.numbered(each) for each in [*sentences, TARGET]]


@needs_node
def test_each_script_is_one_that_node_can_read(outputs, tmp_path):
    for kind, picture in outputs.items():
        (tmp_path / f"{kind}.js").write_text(Static(picture).scripts[1], encoding="utf-8")
        subprocess.run(["node", "--check", tmp_path / f"{kind}.js"], check=True)
        # Without a page it only defines things.
        subprocess.run(["node", tmp_path / f"{kind}.js"], check=True)


# --- under the hand, where there is a browser ---


@pytest.fixture(scope="module")
def opened():
    try:
        path = browser.need()
    except browser.CannotLook as error:
        pytest.skip(str(error))
    with browser.browser(path) as chromium:
        yield chromium


@pytest.fixture
def show(opened):
    """Open an explorer: a function that presses, one that reads what is seen, and the page."""
    page = opened.new_page(viewport={"width": 700, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(error.message))

    def opening(picture):
        page.set_content(f"<!doctype html><meta charset=utf-8>{picture.markup}")
        return page

    yield opening
    page.close()
    assert errors == []


def seen(page):
    return " ".join(page.locator(".xp-live").inner_text().split())


def pressed(page, scope):
    return page.locator(f"{scope} [aria-pressed=true]").all_inner_texts()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_a_query_shows_its_arithmetic_and_says_when_nothing_is_to_be_seen(show):
    page = show(mix("i saw a saw", query=(0, 2), temperature=2))
    assert "(0, 2) · (1, 1) = 0·1 + 2·1 = 2, ÷ 2 = 1" in seen(page)
    assert "softmax, a: e^2 / (e^0 + e^1 + e^2 + e^1) = 7.39 / 13.83 = 0.53" in seen(page)
    assert "saw²" in seen(page) and "fits all keys alike" not in seen(page)
    press(page, "Ask: a verb is near")
    assert "(2, 0) · (1, 1) = 2·1 + 0·1 = 2" in seen(page) and "saw, caught sight of" in seen(page)
    press(page, "Start again")
    assert "(0, 2) · (1, 1)" in seen(page)
    page = show(mix("i saw a", query=(2, 0), sides=None))
    assert "→ (1.85, 0.15)" in seen(page) and page.locator(".side-name").count() == 0
    assert "caught sight of" not in seen(page)
    page = show(mix("i saw a saw", query=(1, 1)))
    assert "This query fits all keys alike" in seen(page)
    for channel in (0, 1):  # to the upper right corner, where the label was cut off
        page.locator("input[type=range]").nth(channel).press("End")
    cut = """() => { const box = document.querySelector("svg.plane").getBoundingClientRect();
      return [...document.querySelectorAll("svg.plane .label")].filter((e) => {
        const {left, right, top, bottom} = e.getBoundingClientRect();
        return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
      }).map((e) => e.textContent); }"""
    assert "(3, 3)" in seen(page) and page.evaluate(cut) == []
    assert "together 1 (rounded: 0.99)" in seen(show(mix("i a saw", weights=[1, 1, 1])))


def test_attend_shows_which_mask_is_on_and_begins_again(show):
    page = show(attend("i saw a saw", keep=causal_keep(4)))
    assert pressed(page, ".choice") == ["only the past"] and "÷ 2 = -2" in seen(page)
    by_hand = page.get_by_role("button", name="painted by hand")
    assert by_hand.is_disabled()
    page.get_by_role("button", name="i to saw¹: masked").click()
    assert pressed(page, ".choice") == ["painted by hand"]
    assert "i takes" not in seen(page) and "Score of i for saw¹" in seen(page)
    press(page, "none")
    assert pressed(page, ".choice") == ["none"] and page.locator("td .masked").count() == 0
    by_hand.click()
    assert pressed(page, ".choice") == ["painted by hand"]
    assert page.locator("td .masked").count() == 5
    page.get_by_label("positions").uncheck()
    press(page, "add the word i")
    press(page, "Start again")
    assert pressed(page, ".choice") == ["only the past"] and page.locator(".chip").count() == 4
    assert page.get_by_label("positions").is_checked()
    assert "nothing yet" in seen(show(attend("saw i", keep=[[False, False], [True, True]])))


def test_a_patch_of_twins_is_told_and_can_be_taken_back(show):
    page = show(twins(**some_twins(), english=ENGLISH))
    assert "Nothing is patched now." in seen(page)
    cell = page.get_by_role("button", name="words, older: gap").first
    cell.press("Enter")
    assert "Patched now: older at “words” has the vector of the twin's younger." in seen(page)
    assert len(pressed(page, "td")) == 1
    press(page, "Take the patch back")
    assert "Nothing is patched now." in seen(page) and pressed(page, "td") == []
    cell.press("Enter")
    cell.press("Enter")  # the same cell again
    assert "Nothing is patched now." in seen(page)
    assert page.locator(".english", has_text="older <brother>").count() == 1


def test_heads_play_and_damage_use_the_words_of_a_reader(show):
    page = show(heads(random_weights(1, 2, 8, 8), TARGET, TARGET))
    assert "looks at →" in page.locator(".map svg").first.inner_html()
    page.locator(".token.q").nth(2).focus()
    assert "哥²" in page.locator(".say").inner_text() and "<eos>" not in seen(page)
    page = show(play(**some_play(), english=ENGLISH))
    for _ in range(2):
        press(page, "one step on")
    assert page.locator(".token.now rt").inner_text() == "ge"
    page.locator("input[type=range]").press("End")
    assert page.locator(".node", has_text="older <brother>").count() == 1
    assert "(end)" in page.locator("svg").inner_html() and "<eos>" not in seen(page)
    press(page, "Start again")
    assert "step 1 of 8" in seen(page)
    assert "Cache" in seen(page)
    page = show(play(**some_play(), start=3, inside=False))
    assert "step 3 of 8" in seen(page) and "Mask" not in seen(page) and "Cache" not in seen(page)
    page = show(damage(**some_damage(), english=ENGLISH))
    assert "4 broken, the first 3 shown" in seen(page) and "punctuation mark 2" in seen(page)
    page.get_by_text("What do the words mean?").click()
    assert tables.MEANINGS["points lost"] in seen(page)


# --- gloss and bets ---


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("一只", "yī zhī"),  # the tone of a dictionary
        ("那只猫", "nà zhī māo"), ("只有", "zhǐ yǒu"), ("学生只有", "xué shēng zhǐ yǒu"),
        ("还没", "hái méi"), ("还给", "huán gěi"), ("医生还是去了", "yī shēng hái shì qù le"),
        ("银行", "yín háng"), ("自行车", "zì xíng chē"),
        ("弹琴", "tán qín"), ("他不会弹。", "tā bù huì tán "), ("很重", "hěn zhòng"),
        ("睡觉", "shuì jiào"), ("觉得", "jué de"), ("睡着了", "shuì zháo le"),
        ("了", "le"), ("聪明了", "cōng míng le"), ("长得", "zhǎng de"), ("很长", "hěn cháng"),
        ("露西的哥哥", "lù xī de gē ge"), ("弟弟", "dì di"), ("彼得", "bǐ dé"),
        ("教室", "jiào shì"), ("教中文", "jiāo zhōng wén"), ("音乐", "yīn yuè"),
        ("快乐", "kuài lè"),
        ("种花", "zhòng huā"), ("这种药", "zhè zhǒng yào"), ("照片", "zhào piàn"),
        ("便宜", "pián yi"), ("为什么", "wèi shén me"), ("两岁", "liǎng suì"),
    ],
)  # fmt: skip
def test_characters_of_several_readings_are_read_as_in_their_sentence(text, reading):
    assert " ".join(pinyin(list(text))) == reading


def test_the_corpus_is_read_alike_throughout():
    readings = {}
    for pair in read_pairs(ROOT / "data" / "test.tsv"):
        for token, said in zip(pair.target_tokens, pinyin(pair.target_tokens), strict=True):
            assert bool(said) == bool(re.fullmatch("[\u4e00-\u9fff]", token)), token
            readings.setdefault(token, set()).add(said)
    several = {token for token, said in readings.items() if len(said) > 1}
    assert several <= set("哥姐弟妹爸妈太只得觉长教种还行为着乐和头结")


def test_tokens_keep_their_number_and_other_scripts_have_no_reading():
    assert pinyin(["<bos>", "我", "看见", "Tom", "。"]) == ["", "wǒ", "kàn jiàn", "", ""]
    assert pinyin([]) == []


def test_a_page_learns_how_its_words_are_read_from_its_sentences():
    """行 is xíng for most, and háng in 银行; what is no Chinese has no reading."""
    sentences = [tokenize(text) for text in ("行人行不行？", "银行", "在 Berlin 的银行。")]
    said = readings(sentences)
    assert said["行"] == "xíng" and said["银行"] == "yín háng" and said["的"] == "de"
    assert not {"Berlin", "berlin", "？", "。", "行。"} & {*said}
    assert readings([]) == {}
    # 为 before 我 is read by what stands before it: 以为我 more often, 因为我 as well.
    said = readings(tokenize(text) for text in ("因为我累", "因为他", "因为她", *["以为我累"] * 2))
    assert said["以为"] == "yǐ wéi" and "为我" not in said


def test_gloss_puts_english_below_what_it_is_linked_to():
    pair = read_pairs(ROOT / "data" / "probes.tsv")[0]
    assert pair.source == "I saw a saw"
    picture = gloss(pair.target, pair.source, pair.links, title="A <probe>")
    page = Static(picture)
    assert page.tables[0] == [
        ["pinyin", "wǒ", "kàn jiàn", "le", "yī bǎ", "jù zi"],
        ["Chinese", "我", "看见", "了", "一把", "锯子"],
        ["English", "I", "saw", "", "a", "saw"],
    ]
    assert "A <probe>" in page.text and repr(picture) == f"gloss: {pair.target}"
    tokens = tokenize("那只敏捷的棕色狐狸从那只懒狗身上跳过去了吗？")
    lines = Static(gloss(tokens)).tables
    assert [len(line) for line in lines] == [2, 2] and len(lines[0][0]) == 13
    assert "".join("".join(line[1][1:]) for line in lines) == "".join(tokens)


def test_a_bet_is_kept_and_answered(capsys):
    none = bet("Which word?", options=["saw", "a"])
    assert repr(none) == "Which word? (saw, a) write your guess after mine="
    none.answer("saw")
    bet("Which word?", ["saw", "a"], mine="saw").answer("saw")
    bet("How many of 979?", mine=400).answer(0)
    assert repr(bet("How many?", mine=0)) == "How many? your bet: 0"
    assert capsys.readouterr().out.splitlines() == [
        "Which word? saw; no bet",
        "Which word? saw; you bet saw: right",
        "How many of 979? 0; you bet 400: not this time",
    ]


def test_words_of_the_story():
    assert WORDS == {"i": (2, 0), "a": (0, 2), "saw": (1, 1)}
