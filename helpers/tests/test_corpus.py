"""The corpus: made again byte for byte, parts apart, alignments sound, held-out pairs held out."""

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from helpers.pairs import read_pairs
from helpers.text import tokenize as slow_tokenize

tokenize = cache(slow_tokenize)  # the tests look at each sentence many times

DATA = Path(__file__).resolve().parents[2] / "data"
SPLITS = ("train", "valid", "test", "test_compositional", "test_long")
# a word, and for each reading a Chinese word that shows it
TWO_READINGS = {
    "saw": ("看见", "锯子"),
    "watch": ("看", "手表"),
    "fish": ("条鱼", "钓鱼"),
    "light": ("轻", "灯"),
    "orange": ("橙子", "橙色"),
    "drink": ("喝", "饮料"),
    "play": ("弹", "踢", "打", "拉"),
    "wearing": ("穿", "戴"),
    "open": ("打开", "开着"),
    "can": ("会", "罐头"),
    "cold": ("感冒", "冷"),
    "right": ("对的", "右边"),
    "left": ("离开", "左边"),
    "cook": ("厨师", "做饭"),
    "clean": ("干净", "打扫"),
    "hard": ("努力", "难"),
    "like": ("喜欢", "像"),
    "water": ("水", "浇"),
}
# not taken from the lexicon: a second opinion
MEASURE_WORDS = {
    "saw": "把", "watch": "块", "umbrella": "把", "horse": "匹", "letter": "封", "car": "辆",
    "book": "本", "ticket": "张", "hat": "顶", "flower": "朵", "tree": "棵", "dog": "只",
    "teacher": "位", "apple": "个",
}  # fmt: skip
DETERMINERS = {"a", "an", "the", "this", "that", "many"}
OWNERS = {"'s", "my", "your", "his", "her", "our", "their"}


def read(name):
    text = (DATA / f"{name}.tsv").read_bytes().decode("utf-8")
    assert text.endswith("\n") and "\r" not in text
    return [line.split("\t") for line in text.splitlines()]


def normalised(english):
    tokens = list(tokenize(english))
    while tokens and tokens[-1] in ".?!":
        tokens.pop()
    return tuple(tokens)


def adjectives_of(forms):
    return set().union(*(values for (part, _), values in forms.items() if part == "adjective"))


def aligned(row):
    """Give the tokens of a row's source and, for each, the Chinese that it is linked to."""
    source, target = tokenize(row[0]), tokenize(row[1])
    chinese = [""] * len(source)
    for link in row[2].split():
        i, j = map(int, link.split("-"))
        chinese[i] += target[j]
    return source, chinese


@pytest.fixture(scope="module")
def files():
    return {name: read(name) for name in SPLITS}


@pytest.fixture(scope="module")
def lexicon():
    sys.path.insert(0, str(DATA))
    try:
        import lexicon

        yield lexicon
    finally:
        sys.path.remove(str(DATA))


@pytest.fixture(scope="module")
def forms(lexicon):
    """Map each lemma, with its part of speech, to its written forms."""
    table = {("noun", noun.english): {noun.english, noun.plural} for noun in lexicon.read_nouns()}
    for verb in lexicon.read_verbs():
        table["verb", verb.base] = {verb.base, verb.third, verb.past, verb.participle, verb.ing}
    for word in lexicon.read_adjectives():
        table["adjective", word.english] = {word.english, word.compared}
    return {key: {form for form in values if form != "-"} for key, values in table.items()}


def names_and_numbers(lexicon):
    names = {gloss.split(":")[0].lower() for gloss in lexicon.NAMES + lexicon.CITIES}
    return names | {*lexicon.NUMBER_WORDS, *lexicon.TENS}


def test_same_bytes_again(tmp_path):
    subprocess.run(
        [sys.executable, DATA / "make_corpus.py", "--out", tmp_path],
        check=True,
        capture_output=True,
    )
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(made) == sorted(path.name for path in DATA.glob("*.tsv"))
    for name, content in made.items():
        same = (
            content == (DATA / name).read_bytes()
        )  # not in the assert: pytest takes long to compare megabytes
        assert same, f"data/{name} is not what data/make_corpus.py writes"


def test_sizes(files):
    assert 20_000 <= len(files["train"]) <= 40_000
    assert [len(files[name]) for name in SPLITS[1:4]] == [1000, 1000, 1000]
    assert 200 <= len(files["test_long"]) <= 500


def test_word_forms(files, lexicon):
    words = Counter(
        token for row in files["train"] for token in tokenize(row[0]) if token.isalpha()
    )
    words = {word: count for word, count in words.items() if word not in names_and_numbers(lexicon)}
    assert len(words) >= 400
    assert min(words.values()) >= 10


@pytest.mark.parametrize("name", SPLITS)
def test_constructions(files, name):
    shares = Counter(row[3] for row in files[name])
    assert len(shares) >= 20
    assert all(0.02 <= count / len(files[name]) <= 0.10 for count in shares.values())


def test_no_sentence_twice(files):
    sources = Counter(normalised(row[0]) for rows in files.values() for row in rows)
    assert max(sources.values()) == 1
    assert not {normalised(row[0]) for row in read("probes")} & sources.keys()


def test_one_translation(files):
    translations = {}
    for row in [*read("probes"), *(row for rows in files.values() for row in rows)]:
        chinese = row[1].rstrip("。？")
        assert translations.setdefault(normalised(row[0]), chinese) == chinese


def test_final_marks(files):
    for rows in files.values():
        for english, chinese, *_ in rows:
            assert {".": "。", "?": "？"}.get(english[-1], "") == (
                chinese[-1] if chinese[-1] in "。？" else ""
            )
        assert 0.6 < sum(row[0][-1] in ".?" for row in rows) / len(rows) < 0.8


def test_probes_can_be_learned(files):
    """Each word of a probe and each character of its translation is in train 20 times or more."""
    english = Counter(token for row in files["train"] for token in tokenize(row[0]))
    chinese = Counter(token for row in files["train"] for token in tokenize(row[1]))
    for row in read("probes"):
        assert all(english[token] >= 20 for token in tokenize(row[0])), row[0]
        assert all(chinese[token] >= 20 for token in tokenize(row[1])), row[1]


def test_held_out_pairs(files, forms):
    """The words of a held-out pair never stand together in train or valid, in whatever form."""
    parts = {
        "adjective": "adjective",
        "verb": "verb",
        "noun": "noun",
        "object": "noun",
        "subject": "noun",
    }
    pairs = []
    for kind, first, second in read("heldout"):
        first_part, second_part = kind.split("-")
        pairs.append((forms[parts[first_part], first], forms[parts[second_part], second]))
    sentences = {name: [set(tokenize(row[0])) for row in rows] for name, rows in files.items()}
    holding = {}  # for each word form, the numbers of the training sentences that hold it
    for number, words in enumerate(sentences["train"] + sentences["valid"] + sentences["test"]):
        for word in words:
            holding.setdefault(word, set()).add(number)
    tested = 0
    for first, second in pairs:
        in_first, in_second = (
            set().union(*(holding.get(form, set()) for form in side)) for side in (first, second)
        )
        assert not in_first & in_second, (first, second)
        assert len(in_first) >= 20 and len(in_second) >= 20, (first, second)
        tested += any(first & words and second & words for words in sentences["test_compositional"])
    assert tested >= 200
    for words in sentences["test_compositional"]:
        assert any(first & words and second & words for first, second in pairs), words


@pytest.mark.parametrize("name", [*SPLITS, "probes"])
def test_alignment(name, forms):
    """Every link is inside both sentences; each noun, verb, adjective of the lexicon is linked."""
    content = set().union(*forms.values()) - {"can", "like"}
    for english, chinese, alignment, _ in read(name):
        source, target = tokenize(english), tokenize(chinese)
        links = [tuple(map(int, link.split("-"))) for link in alignment.split()]
        assert len(set(links)) == len(links)
        assert all(0 <= i < len(source) and 0 <= j < len(target) for i, j in links)
        linked = {i for i, _ in links}
        assert all(i in linked for i, word in enumerate(source) if word in content), (
            english,
            alignment,
        )
        assert source[-1] not in ".?" or (len(source) - 1, len(target) - 1) in links


def test_alignment_of_known_words(files, lexicon):
    """A noun is linked to its own Chinese word, also where a 的 before it is left out."""
    chosen = ("umbrella", "guitar", "knife", "horse", "mother", "son")
    nouns = {noun.english: noun.chinese for noun in lexicon.read_nouns() if noun.english in chosen}
    for english, chinese, alignment, _ in files["train"][:8000]:
        source, target = tokenize(english), tokenize(chinese)
        links = [tuple(map(int, link.split("-"))) for link in alignment.split()]
        for i, word in enumerate(source):
            if word in nouns and source.count(word) == 1:
                assert "".join(target[j] for k, j in links if k == i) == nouns[word], (
                    english,
                    chinese,
                )


def test_measure_words(files, lexicon, forms):
    """A measure word goes with the noun behind it, and is linked to what counts or shows it."""
    adjectives = adjectives_of(forms)
    numbers = {*lexicon.NUMBER_WORDS, *lexicon.TENS}
    measure_of = {form: word for word in MEASURE_WORDS for form in forms["noun", word]}
    seen = Counter()
    for row in files["train"]:
        source, chinese = aligned(row)
        for place, form in enumerate(source):
            if form in measure_of:
                first = place - 1
                while first > 0 and source[first] in adjectives:
                    first -= 1
                plural_the = source[first] == "the" and chinese[first] == "那些"
                if source[first] in DETERMINERS | numbers and chinese[first] and not plural_the:
                    seen[measure_of[form]] += 1
                    assert chinese[first][-1] == MEASURE_WORDS[measure_of[form]], row
    assert len(seen) == len(MEASURE_WORDS) and min(seen.values()) >= 100


def test_two_is_liang_but_for_longer_numbers(files):
    for rows in files.values():
        for row in rows:
            assert not re.search("(?<!十)二(?!十)|十两|两十", row[1]), row


def test_saw_is_read_by_its_place(files, forms):
    """I saw: 看见; a saw: 锯子."""
    adjectives = adjectives_of(forms)
    seen = Counter()
    for rows in files.values():
        for row in rows:
            source, chinese = aligned(row)
            for before, word, reading in zip(source, source[1:], chinese[1:], strict=False):
                if word == "saw":
                    seen[reading] += 1
                    tool = before in DETERMINERS | OWNERS | adjectives
                    assert reading == ("锯子" if tool else "看见"), row
    assert min(seen.values()) >= 100


def test_english_agrees(files, lexicon):
    """An before a vowel; he and she with an -s, unless the sentence asks or another verb has it."""
    bases = {verb.base for verb in lexicon.read_verbs()} - {
        verb.past for verb in lexicon.read_verbs()
    }
    thirds = {verb.third for verb in lexicon.read_verbs()}
    for rows in files.values():
        for english, *_ in rows:
            tokens = tokenize(english)
            for word, following in zip(tokens, tokens[1:], strict=False):
                assert word not in ("a", "an") or (word == "an") == (following[0] in "aeiou"), (
                    english
                )
            assert tokens[0] not in ("he", "she") or tokens[1] not in bases, english
            assert tokens[0] not in ("i", "we", "you", "they") or tokens[1] not in thirds, english


def test_chinese_word_order(files):
    """A time stands before the verb, so never at the end; a relative clause before its noun."""
    late = re.compile("(昨天|明天|今天|上周|下周|昨晚|早上|晚上)[，。？]?$")
    for rows in files.values():
        for row in rows:
            assert not late.search(row[1]), row
            assert not row[3].startswith("relative") or re.search("的那.", row[1]), row


def test_negation(files):
    """没 for what did not happen, 不 for what does not."""
    expected, seen = {"didn": "没", "doesn": "不", "don": "不", "won": "不会"}, Counter()
    for rows in files.values():
        for row in rows:
            source, chinese = aligned(row)
            for word, translation in zip(source, chinese, strict=True):
                if word in expected:
                    seen[word] += 1
                    assert translation.startswith(expected[word]), row
    assert len(seen) == 4 and min(seen.values()) >= 100


def test_a_second_translation_stops_the_making(lexicon):
    from make_corpus import Splitter

    splitter = SimpleNamespace(translations={})
    for chinese in ("我看见了", "我看见了"):
        Splitter.check_translation(splitter, ("i", "saw"), SimpleNamespace(chinese=tuple(chinese)))
    with pytest.raises(ValueError, match="two translations of 'i saw': 我看见了 and 我看了"):
        Splitter.check_translation(splitter, ("i", "saw"), SimpleNamespace(chinese=tuple("我看了")))


def test_long_sentences_are_longer(files):
    for column in (0, 1):
        longest = max(len(tokenize(row[column])) for row in files["train"])
        assert longest == (15, 22)[column]
        assert all(len(tokenize(row[column])) > longest for row in files["test_long"])


@pytest.mark.parametrize("word", TWO_READINGS)
def test_both_readings(files, word):
    chinese = [row[1] for row in files["train"] if word in tokenize(row[0])]
    for reading in TWO_READINGS[word]:
        assert sum(reading in text for text in chinese) >= 20, (word, reading)


@pytest.mark.parametrize(
    "name", ["train", "valid", "test", "test_compositional", "test_long", "probes"]
)
def test_the_datasheet_says_what_is_in_the_files(name):
    pairs = read_pairs(DATA / f"{name}.tsv")
    cells = [f"`{name}.tsv`", f"{len(pairs):,}"]
    for lengths in (
        [len(pair.source_tokens) for pair in pairs],
        [len(pair.target_tokens) for pair in pairs],
    ):
        cells.append(f"{sum(lengths) / len(lengths):.1f} ({min(lengths)}-{max(lengths)})")
    assert f"| {' | '.join(cells)} |" in (DATA / "README.md").read_text(encoding="utf-8")
