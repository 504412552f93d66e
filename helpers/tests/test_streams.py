"""Corpora that do not fit: the same sentences as in memory, indexed once, each once an epoch."""

import gzip
import itertools
import os
import tracemalloc

import numpy as np
import pytest
import torch

from helpers.batches import Batch, batches, endless_batches, length_buckets
from helpers.corpus import load_corpus, normalized_source
from helpers.pairs import Pairs, read_pairs
from helpers.recipe import Recipe
from helpers.text import EOS, PAD
from helpers.workshop import stream_costs, streams
from helpers.workshop.streams import Sources, StreamedExamples, StreamedPairs

SMALL = dict(d_model=8, n_heads=2, n_layers=1, d_ff=12, batch_size=8)


@pytest.fixture(autouse=True)
def small_pages(tmp_path, monkeypatch):
    """Make a small corpus one of many pages and blocks, and build beside it."""
    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(streams, "PAGE", 8)
    monkeypatch.setattr(streams, "PAGES", 5)


def lines_of(count):
    """Write pairs of many lengths, some with links, some sources twice, with blank lines."""
    for number in range(count):
        words, here = " ".join(["very"] * (number % 7)), number // 2 * 2 if number % 9 else number
        links = "\t0-0 1-1\tkind" if number % 3 == 0 else "\tCC-BY"
        yield f"Word{here} is {words} big.\t第{number}个{'很' * (number % 7)}大。{links}"
        if number % 50 == 7:
            yield "  "


def write(path, count=300, end="\r\n", mark="\ufeff"):
    """Write so many pairs into a file, packed where its name says so."""
    text = mark + end.join([*lines_of(count), "so " * 200 + "\t长"]) + end
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def both(tmp_path):
    """Give a corpus in memory, and the same one as a stream."""
    return write(tmp_path / "pairs.tsv"), write(tmp_path / "pairs.stream.tsv")


@pytest.fixture
def only_once(monkeypatch):
    """Give a function after whose call nothing may be indexed any more."""

    def forbid():
        monkeypatch.setattr(streams, "make_index", None)

    return forbid


def sentences(work):
    """List the sentences of batches, without their pads, sorted."""
    rows = [
        (tuple(source), tuple(target))
        for batch in work
        for source, target in zip(batch.source.tolist(), batch.target_out.tolist(), strict=True)
    ]
    strip = [[tuple(i for i in side if i not in (PAD, EOS)) for side in row] for row in rows]
    return sorted(map(tuple, strip))


def same(one: Batch, other: Batch) -> bool:
    return all(torch.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


# ---------------------------------------------------------------- the same corpus


@pytest.mark.parametrize(
    ("name", "end", "chunk"),
    [
        ("a.stream.tsv", "\n", 2**22),
        ("b.stream.tsv.gz", "\r\n", 2**22),
        ("c.stream.tsv", "\r\n", 7),  # ends of lines fall between two chunks
        ("d.stream.tsv", "\r", 64),
    ],
)
def test_a_stream_holds_the_same_pairs_in_the_same_parts(tmp_path, monkeypatch, name, end, chunk):
    monkeypatch.setattr(streams, "CHUNK", chunk)
    ours, theirs = (load_corpus(write(tmp_path / file, end=end), 3) for file in (name, "m.tsv"))
    assert isinstance(ours.train, StreamedPairs) and isinstance(theirs.train, Pairs)
    assert ours.train == theirs.train and len(ours.train) == 270
    assert ours.valid == theirs.valid and ours.tests == theirs.tests
    assert isinstance(ours.valid, Pairs)  # those few are in memory
    assert (ours.too_long, ours.repeated) == (theirs.too_long, theirs.repeated) == (1, 0)
    again, other = load_corpus(tmp_path / name, 3), load_corpus(tmp_path / name, 4)
    assert again == ours and again.fingerprint == ours.fingerprint != theirs.fingerprint
    assert other.fingerprint != ours.fingerprint
    if not name.endswith(".gz"):  # blank lines count, too: messages name a line by its number
        content, lines = (tmp_path / name).read_bytes(), [*streams.lines_of(tmp_path / name)]
        assert [line.decode() for _, line in lines] == content.decode()[1:].split(end)[:-1]
        assert all(content[place : place + len(line)] == line for place, line in lines)


def test_a_folder_may_hold_a_large_training_part(tmp_path, monkeypatch):
    for name, count in (("train", 300), ("valid", 20), ("test", 4)):
        write(tmp_path / f"{name}.tsv", count)
    memory = load_corpus(tmp_path)
    monkeypatch.setattr(streams, "ABOVE", (tmp_path / "train.tsv").stat().st_size - 1)
    stream = load_corpus(tmp_path)
    assert isinstance(stream.train, StreamedPairs) and isinstance(stream.valid, Pairs)
    assert stream.train == memory.train and stream.valid == memory.valid
    assert stream.repeated == memory.repeated > 0


def test_a_file_is_a_stream_by_its_size_unpacked_or_by_its_name(tmp_path, monkeypatch):
    plain, packed = write(tmp_path / "pairs.tsv"), write(tmp_path / "pairs.tsv.gz")
    size = plain.stat().st_size
    assert not streams.is_streamed(plain) and not streams.is_streamed(tmp_path / "a.stream.tsv")
    for above, expected in ((size, False), (size - 1, True)):
        monkeypatch.setattr(streams, "ABOVE", above)
        assert [*map(streams.is_streamed, (plain, packed))] == [expected] * 2
    assert packed.stat().st_size < size / 2 and streams.is_streamed(packed)


def test_words_and_numbers_are_those_of_the_corpus_in_memory(both, only_once):
    for options in (dict(vocabulary_size=60), dict(subwords=120)):
        theirs, ours = (Recipe(corpus=path, **options).prepare() for path in both)
        assert [each.tokens for each in ours.vocabularies] == [
            each.tokens for each in theirs.vocabularies
        ]
        assert isinstance(ours.train_examples, StreamedExamples)
        assert ours.train_examples == theirs.train_examples
        assert ours.train_examples[100:109] == theirs.train_examples[100:109]
    only_once()
    StreamedPairs._learn = (learn := StreamedPairs._learn) and None
    try:  # what was learned is read, and other words are learned anew
        assert Recipe(corpus=both[1], subwords=120).prepare().train_examples == ours.train_examples
        with pytest.raises(TypeError):
            Recipe(corpus=both[1], subwords=121).prepare()
    finally:
        StreamedPairs._learn = learn


def test_one_asks_whether_a_sentence_is_among_the_sources(both):
    for path in both:
        pairs = load_corpus(path)
        known = Sources(pairs.train, pairs.valid)
        assert all(normalized_source(pair) in known for pair in [*pairs.train, *pairs.valid])
        assert not any(normalized_source(pair) in known for pair in pairs.tests["test"])


# ---------------------------------------------------------------- an epoch


def test_an_epoch_holds_every_sentence_once_in_an_order_of_its_own(both):
    memory, stream = (Recipe(corpus=path).prepare().train_examples for path in both)
    epochs = [[*batches(stream, 8, seed, epoch)] for seed, epoch in ((0, 0), (0, 1), (1, 0))]
    expected = sentences(batches(memory, 8, 0))
    for epoch in (*epochs, batches(stream, 8)):
        assert sentences(epoch) == expected
    for one, other in itertools.combinations(epochs, 2):
        assert not all(map(same, one, other))
    blocks = [sentences([*batches(each, 8)]) for each in stream.blocks(0, 0)]
    assert len(blocks) == 7 and max(map(len, blocks)) == 40 and sum(map(len, blocks)) == 270
    others = [sentences([*batches(each, 8)]) for each in stream.blocks(0, 1)]
    assert not any(block in others for block in blocks)  # pages meet others in each epoch


def test_a_training_can_go_on_anywhere(both):
    stream = Recipe(corpus=both[1]).prepare().train_examples
    epochs = [[*batches(stream, 8, 3, epoch)] for epoch in range(3)]
    flat, one = sum(epochs, []), len(epochs[0])
    for batch_size in (1, 8, 30):
        for block in stream.blocks(0, 0):
            lengths = np.array([len(each.target) + 1 for each in block])
            groups = length_buckets(block, batch_size)
            assert streams.count_groups(lengths, batch_size) == len(groups)
    for first in (1, 2, 7, one, one + 1, one + 9, len(flat) - 3):
        work = endless_batches(stream, 8, 3, first)
        assert all(same(next(work), batch) for batch in flat[first - 1 : first + 3])


def test_a_recipe_trains_on_a_stream_and_opens_its_translator(both):
    recipe = Recipe(corpus=both[1], steps=4, subwords=120, **SMALL)
    history = recipe.train(log=str)
    assert recipe.train(reuse=True, log=str) == history and history.rows[-1]["step"] == 4
    assert recipe.translator().translate(["word1 is big"])


# ---------------------------------------------------------------- indexed once


def test_a_later_start_reads_the_index(tmp_path, capsys, only_once):
    plain, packed = write(tmp_path / "a.stream.tsv"), write(tmp_path / "b.stream.tsv.gz")
    expected = [*read_pairs(plain)], [*read_pairs(packed)]
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2 and said[0].startswith(
        "a.stream.tsv is read as a stream; it is indexed, once, in build/streams/a-"
    )
    only_once()
    os.utime(plain, (5, 5))  # copied, say: the content decides
    packed_text = next((tmp_path / "build/streams").glob("b-*/text.tsv"))
    assert packed_text.stat().st_size > packed.stat().st_size
    assert (read_pairs(plain), read_pairs(packed)) == expected
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [*lines[:99], b"only one\r\n", *lines[100:]], "line 100: 'only one' is no"),
        (lambda lines: [*lines[:9], b"a\t\xff\r\n", *lines[10:]], "line 10: the text is not UTF-8"),
        (lambda lines: [*lines[:150], lines[150][:4]], "line 151: 'Word' is no pair"),
        (lambda lines: [gzip.compress(b"".join(lines))[:-30]], "is a damaged gzip file; download"),
        (lambda lines: [b"\x1f\x8bnothing"], "is a damaged gzip file; download"),
        (lambda lines: [b"\n \r\n"], " has no sentence pair"),
    ],
    ids=["line", "letter", "cut off", "cut off, packed", "damaged", "empty"],
)
def test_a_damaged_file_is_told_in_a_sentence_and_nothing_is_lost(
    tmp_path, only_once, damage, message
):
    path = write(tmp_path / "a.stream.tsv", mark="")
    good, expected = path.read_bytes(), [*read_pairs(path)]
    before = {file.name for file in (tmp_path / "build/streams").iterdir()}
    path.write_bytes(b"".join(damage(good.splitlines(keepends=True))))
    with pytest.raises(ValueError, match=f"^a.stream.tsv.*{message}") as error:
        read_pairs(path)
    assert "\n" not in str(error.value)
    assert {file.name for file in (tmp_path / "build/streams").iterdir()} == before
    path.write_bytes(good)
    only_once()
    assert read_pairs(path) == expected


def test_an_index_of_another_file_is_told_and_made_anew(tmp_path, capsys):
    path = write(tmp_path / "a.stream.tsv")
    read_pairs(path)
    write(path, 90)
    capsys.readouterr()
    assert len(read_pairs(path)) == 91
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith("the index here is of another a.stream.tsv (20,")
    assert f" bytes, now {path.stat().st_size:,}); it is indexed, once, in build" in said
    before, size = read_pairs(path).identity, path.stat().st_size
    path.write_bytes(path.read_bytes().replace(b"big", b"Big"))  # of the same length
    pairs = read_pairs(path)
    assert path.stat().st_size == size and pairs[0].source == "Word0 is  Big."
    assert pairs.identity != before and "is of another" in capsys.readouterr().out


def test_a_damaged_index_is_told_and_made_anew(tmp_path, capsys):
    path = write(tmp_path / "a.stream.tsv.gz")
    recipe = Recipe(corpus=path, vocabulary_size=60).prepare()
    expected, vocabularies = [*recipe.train_examples], recipe.vocabularies
    (folder,) = (tmp_path / "build/streams").glob("a-*")
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    assert len(files) == 4 + 2 + 1 + 3
    for file in files:
        for content in (file.read_bytes()[:-1], b"", b"x" + file.read_bytes()[1:]):
            file.write_bytes(content)
            capsys.readouterr()
            again = Recipe(corpus=path, vocabulary_size=60).prepare()
            assert capsys.readouterr().out.count("is damaged") == 1, file
            assert again.train_examples == expected
            assert [each.tokens for each in again.vocabularies] == [
                each.tokens for each in vocabularies
            ]
    files[0].unlink()
    assert Recipe(corpus=path, vocabulary_size=60).prepare().train_examples == expected


def test_a_file_that_changes_while_it_is_used(tmp_path):
    path = write(tmp_path / "a.stream.tsv")
    pairs = read_pairs(path)
    path.write_bytes(b"short")
    with pytest.raises(ValueError, match="^a.stream.tsv was changed while it was used; start"):
        pairs[200]


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    path = write(tmp_path / "a.stream.tsv")
    monkeypatch.setattr(
        streams, "keep", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    fault = "^the index of a.stream.tsv could not be written .No space left on device.; make room"
    with pytest.raises(OSError, match=fault):
        read_pairs(path)
    assert [file.suffix for file in (tmp_path / "build/streams").iterdir()] == [".lock"]


# ---------------------------------------------------------------- what it costs


def test_memory_hardly_grows_with_the_file(tmp_path):
    def most(count):
        path = write(tmp_path / f"{count}.stream.tsv", count)
        tracemalloc.start()
        examples = Recipe(corpus=path, vocabulary_size=50).prepare().train_examples
        steps = sum(1 for _ in batches(examples, 64, seed=0))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found, steps

    (little, few), (much, many) = most(400), most(2400)
    assert (much - little) / 2000 < 150 and many > 5 * few  # bytes a pair; 240 in memory


def test_the_measurement_measures(tmp_path, monkeypatch):
    lines = [*stream_costs.pairs_of(40_000)]
    assert len({*lines}) == 40_000 and all(line.count("\t") == 1 for line in lines)
    paths = [stream_costs.corpus_of(count, tmp_path, count == 90) for count in (60, 90)]
    assert [len(read_pairs(path)) for path in paths] == [60, 90]
    monkeypatch.setattr(stream_costs, "ROUND", 1)
    found = stream_costs.start(paths[1], dict(subwords=200) | SMALL)
    assert found["pairs"] == 82 and found["peak_mib"] > 50 and found["seconds"] > found["cpu"] / 2
    ratio = stream_costs.step_ratio(*paths, SMALL, 2)
    assert ratio["ratio"] == ratio["large_ms"] / ratio["small_ms"] > 0


def test_a_small_gzip_that_is_cut_off_is_no_stream(tmp_path):
    """Its last bytes, which should say how long the text is, are some bytes of the middle."""
    lines = "".join(f"{number} apples\t{number} 个苹果\n" for number in range(400))
    packed = gzip.compress(lines.encode())
    for length in range(1, 200):
        file = tmp_path / "cut.tsv"
        file.write_bytes(packed[:-length])
        assert not streams.is_streamed(file)
