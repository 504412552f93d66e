"""Corpora that do not fit: the same sentences as in memory, prepared once, each once an epoch."""

import gzip
import itertools
import subprocess
import sys
import tracemalloc

import pytest
import torch

from helpers.batches import batches, endless_batches
from helpers.corpus import load_corpus
from helpers.pairs import Pairs, normalized_source, read_pairs
from helpers.recipe import Recipe
from helpers.text import EOS, PAD
from helpers.workshop import large_corpus, ranks
from helpers.workshop.large_corpus import LargeExamples, LargePairs, Sources
from helpers.workshop.notebooks import ROOT

SMALL = dict(d_model=8, n_heads=2, n_layers=1, d_ff=12, batch_size=8)


@pytest.fixture(autouse=True)
def small_pages(tmp_path, monkeypatch):
    """Make a small corpus one of many pages and blocks, and build beside it."""
    monkeypatch.setenv("ATTENTION_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(large_corpus, "PAGE", 8)
    monkeypatch.setattr(large_corpus, "PAGES", 5)


def lines_of(count):
    """Write pairs of many lengths, some with links, some sources twice, with blank lines."""
    for number in range(count):
        words, here = " ".join(["very"] * (number % 7)), number // 2 * 2 if number % 9 else number
        links = "\t0-0 1-1\tkind" if number % 3 == 0 else "\tCC-BY"
        yield f"Word{here} is {words} big.\t第{number}个{'很' * (number % 7)}大。{links}"
        if number % 50 == 7:
            yield "  "


def write(path, count=300, end="\r\n"):
    """Write so many pairs into a file, packed where its name says so."""
    text = ("\ufeff" + end.join([*lines_of(count), "so " * 200 + "\t长"]) + end).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def sentences(work):
    """List the sentences of batches, without their pads, sorted."""
    both = [(batch.source.tolist(), batch.target_out.tolist()) for batch in work]
    rows = [row for sides in both for row in zip(*sides, strict=True)]
    return sorted([[i for i in side if i not in (PAD, EOS)] for side in row] for row in rows)


def same(one, other):
    return all(torch.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


@pytest.fixture
def both(tmp_path):
    """Give the recipe of a corpus in memory, and that of the same one as a large file."""
    files = write(tmp_path / "pairs.tsv"), write(tmp_path / "pairs.stream.tsv")
    return [Recipe(corpus=file, steps=4, vocabulary_size=60, **SMALL).prepare() for file in files]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["a.stream.tsv", "a.stream.tsv.gz"])
def test_it_holds_the_same_pairs_in_the_same_parts(tmp_path, name, end):
    ours, theirs = (load_corpus(write(tmp_path / file, end=end), 3) for file in (name, "m.tsv"))
    assert isinstance(ours.train, LargePairs) and not isinstance(theirs.train, LargePairs)
    assert ours.train == theirs.train and len(ours.train) == 270
    assert ours.valid == theirs.valid and ours.tests == theirs.tests
    assert type(ours.valid) is Pairs  # those few are in memory
    assert (ours.too_long, ours.repeated) == (theirs.too_long, theirs.repeated) == (1, 0)
    again = load_corpus(tmp_path / name, 3)
    assert again == ours and again.fingerprint == ours.fingerprint != theirs.fingerprint
    for pairs in (ours, theirs):
        known = Sources(pairs.train, pairs.valid)
        assert all(normalized_source(pair) in known for pair in [*pairs.train, *pairs.valid])
        assert not any(normalized_source(pair) in known for pair in pairs.tests["test"])


def test_a_file_is_large_by_its_size_unpacked_or_by_its_name(tmp_path, monkeypatch):
    plain, packed = write(tmp_path / "train.tsv"), write(tmp_path / "pairs.tsv.gz")
    for above, expected in ((0, False), (-1, True)):
        monkeypatch.setattr(large_corpus, "ABOVE", plain.stat().st_size + above)
        assert [*map(large_corpus.is_large, (plain, packed))] == [expected] * 2
    for name, count in (("valid", 20), ("test", 4)):
        write(tmp_path / f"{name}.tsv", count)
    corpus = load_corpus(tmp_path)  # of a folder the training part may be large
    assert isinstance(corpus.train, LargePairs) and type(corpus.valid) is Pairs
    assert corpus.repeated > 0 and not large_corpus.is_large(tmp_path / "a.stream.tsv")


@pytest.mark.parametrize("options", [dict(vocabulary_size=60), dict(subwords=120)])
def test_words_and_numbers_are_those_of_memory_and_prepared_once(tmp_path, monkeypatch, options):
    paths = write(tmp_path / "pairs.tsv"), write(tmp_path / "pairs.stream.tsv")
    theirs, ours = (Recipe(corpus=path, **options).prepare() for path in paths)
    monkeypatch.setattr(large_corpus, "write_pairs", None)
    monkeypatch.setattr(LargePairs, "_learn", None)
    monkeypatch.setattr(LargePairs, "_write_numbers", None)
    for recipe in (ours, Recipe(corpus=paths[1], **options).prepare()):  # the second finds all
        for one, other in zip(recipe.vocabularies, theirs.vocabularies, strict=True):
            assert one.tokens == other.tokens
        assert isinstance(recipe.train_examples, LargeExamples)
        assert recipe.train_examples == theirs.train_examples
        assert recipe.train_examples[100:109] == theirs.train_examples[100:109]
    with pytest.raises(TypeError):  # others are learned anew
        Recipe(corpus=paths[1], subwords=121).prepare()


def test_an_epoch_holds_every_sentence_once_in_an_order_of_its_own(both, monkeypatch):
    memory, large = (recipe.train_examples for recipe in both)
    epochs = [[*batches(large, 8, seed, epoch)] for seed, epoch in ((0, 0), (0, 1), (1, 0))]
    expected = sentences(batches(memory, 8, 0))
    for epoch in (*epochs, batches(large, 8)):
        assert sentences(epoch) == expected
    for one, other in itertools.combinations(epochs, 2):
        assert not all(map(same, one, other))
    blocks, others = ([sorted(map(tuple, each)) for each in large.blocks(0, n)] for n in (0, 1))
    assert len(blocks) == 7 and max(map(len, blocks)) == 40 and sum(map(len, blocks)) == 270
    assert not any(block in others for block in blocks)  # pages meet others in each epoch
    monkeypatch.setattr(ranks, "world", lambda: 2)
    shares = []
    for rank in (0, 1):  # each takes its rows of the same batches
        monkeypatch.setattr(ranks, "rank", lambda rank=rank: rank)
        shares += sentences(map(ranks.share, batches(large, 8, 0)))
    assert sorted(shares) == expected


def test_a_training_goes_on_anywhere_and_opens_its_translator(both):
    large = both[1].train_examples
    epochs = [[*batches(large, 8, 3, epoch)] for epoch in range(3)]
    flat, one = sum(epochs, []), len(epochs[0])
    for first in (1, 2, 7, one, one + 1, one + 9, len(flat) - 3):
        work = endless_batches(large, 8, 3, first)
        assert all(same(next(work), batch) for batch in flat[first - 1 : first + 3])
    history = both[1].train(log=str)
    assert both[1].train(reuse=True, log=str) == history and history.rows[-1]["step"] == 4
    assert both[1].translator().translate(["word1 is big"])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [*lines[:99], b"only one\r\n", *lines[100:]], "line 100: 'only one' is no"),
        (lambda lines: [*lines[:9], b"a\t\xff\r\n", *lines[10:]], "line 10: the text is not UTF-8"),
        (lambda lines: [gzip.compress(b"".join(lines))[:-30]], "is a damaged gzip file; download"),
        (lambda lines: [b"\x1f\x8bnothing"], "is a damaged gzip file; download"),
        (lambda lines: [b"\n \r\n"], " has no sentence pair"),
        (lambda lines: [], " has no sentence pair"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_told_in_a_sentence_and_nothing_is_lost(tmp_path, damage, message):
    path = write(tmp_path / "a.stream.tsv")
    good, expected = path.read_bytes(), [*large_corpus.read(path)]
    path.write_bytes(b"".join(damage(good.splitlines(keepends=True))))
    for read in (large_corpus.read, read_pairs):
        with pytest.raises(ValueError, match=f"^a.stream.tsv.*{message}"):
            read(path)
    names = [file.name[0] for file in (tmp_path / "build/streams").iterdir()]
    assert sorted(names) == [".", "a"]  # the lock, and what was there
    path.write_bytes(good)
    assert large_corpus.read(path) == expected


def test_what_is_of_another_file_or_cut_off_is_prepared_anew(both, capsys):
    path, expected = both[1].corpus, [*both[1].train_examples]
    (folder,) = large_corpus.build_folder().glob("streams/pairs-*")
    files = [file for file in folder.rglob("*") if file.is_file() and file.stat().st_size]
    assert len(files) == 5 + 1 + 3
    for file in files:
        file.write_bytes(file.read_bytes()[:-1])
        capsys.readouterr()
        again = Recipe(corpus=path, vocabulary_size=60).prepare()
        assert f"; {file.name} there is damaged" in capsys.readouterr().out
        assert again.train_examples == expected
    path.write_bytes(path.read_bytes().replace(b"big", b"Big"))  # of the same length
    assert large_corpus.read(path)[0].source == "Word0 is  Big."
    assert "what is there is of another file" in capsys.readouterr().out


def test_two_processes_prepare_it_once_and_one_that_is_killed_leaves_no_half(tmp_path):
    path = write(tmp_path / "a.stream.tsv")
    code = "import os, sys; from helpers.workshop import large_corpus as large; {}"
    code += "print(len(large.read(sys.argv[1])))"
    killed = "large.source_key = lambda pair: '299' in pair.target and os._exit(9) or 1;"

    def start(text):
        command = [sys.executable, "-c", code.format(text), str(path)]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    process = start(killed)
    process.communicate()
    folders = [file for file in (tmp_path / "build/streams").iterdir() if file.is_dir()]
    assert process.returncode == 9 and [folder.suffix for folder in folders] == [".part"]
    said = [process.communicate()[0].splitlines() for process in [start(""), start("")]]
    assert sorted(map(len, said)) == [1, 2] and {lines[-1] for lines in said} == {"301"}
    assert large_corpus.read(path) == read_pairs(path)


def test_a_full_disk_is_told_in_a_sentence(tmp_path, monkeypatch):
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(large_corpus, "write_pairs", lambda *_: (_ for _ in ()).throw(full))
    with pytest.raises(OSError, match="^a.stream.tsv could not be written .No space.*; make room"):
        large_corpus.read(write(tmp_path / "a.stream.tsv"))
    assert not [file for file in (tmp_path / "build/streams").iterdir() if file.is_dir()]


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
