"""From sentence pairs to padded batches: tokens, vocabularies, files and length buckets."""

import gzip
import hashlib
import re
import unicodedata
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

PAD, BOS, EOS, UNK = range(4)
SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")

# Scripts without spaces: one character is one token (Han, and kana for Japanese).
_UNSPACED = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Vowel signs and accents belong to the letter before them, though Python does not count them as letters.
_MARKS = "".join(chr(code) for code in range(0x300, 0x1DFF) if unicodedata.category(chr(code)).startswith("M"))
_WORD = rf"(?:[^\W\d_{_UNSPACED}][{_MARKS}]*)+"
_TOKEN = re.compile(rf"[{_UNSPACED}]|(?<=\w)'{_WORD}|{_WORD}|\S")
_NO_SPACE_BEFORE = set("-.,;:!?)]}%\u2026\u3001\u3002\uff0c\uff1f\uff01\uff1a\uff1b\u300d\u300b\u201d")
_NO_SPACE_AFTER = set("-([{\u300c\u300a\u201c\u3001\u3002\uff0c\uff1f\uff01\uff1a\uff1b")


def tokenize(text: str, lowercase: bool = True) -> list[str]:
    """Split a sentence into words, single Han characters, single digits and single punctuation marks.

    An ending after an apostrophe is a token of its own: ``don't`` gives ``don`` and ``'t``.
    """
    text = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    return _TOKEN.findall(text.lower() if lowercase else text)


def detokenize(tokens: list[str]) -> str:
    """Join tokens to a readable sentence: spaces between words, none between Han characters or before a mark."""
    text = ""
    for token in tokens:
        glued = (
            not text
            or token in _NO_SPACE_BEFORE
            or text[-1] in _NO_SPACE_AFTER
            or (token[0] == "'" and len(token) > 1)
            or (token.isdigit() and text[-1].isdigit())
            or re.match(rf"[{_UNSPACED}]", token)
            or re.match(rf"[{_UNSPACED}]", text[-1])
        )
        text += token if glued else " " + token
    return text


class Vocabulary:
    """The tokens a model knows, numbered; the first four numbers are <pad>, <bos>, <eos> and <unk>."""

    def __init__(self, tokens: Iterable[str]):
        """Number the tokens in the order given, after the four special ones.

        Raises: ValueError if a token comes twice.
        """
        self.tokens = [*SPECIALS, *tokens]
        self.ids = {token: number for number, token in enumerate(self.tokens)}
        if len(self.ids) < len(self.tokens):
            twice = next(token for token, count in Counter(self.tokens).items() if count > 1)
            raise ValueError(f"the token {twice!r} stands twice in the vocabulary; give each token once")

    @classmethod
    def from_sentences(cls, sentences: Iterable[list[str]], min_count: int = 1, max_size: int = 10_000) -> "Vocabulary":
        """Take every token that occurs min_count times, the most frequent first, at most max_size of them.

        Raises: ValueError if no token is frequent enough.
        """
        counts = Counter(token for sentence in sentences for token in sentence if token not in SPECIALS)
        # Ties in alphabetical order, so that the numbering does not depend on the order of the file.
        frequent = sorted(
            (token for token in counts if counts[token] >= min_count), key=lambda token: (-counts[token], token)
        )
        if not frequent:
            raise ValueError(f"no token occurs min_count={min_count} times; give more sentences or a smaller min_count")
        return cls(frequent[: max_size - len(SPECIALS)])

    def __len__(self) -> int:
        """Count the tokens, the special ones included."""
        return len(self.tokens)

    def encode(self, tokens: list[str]) -> list[int]:
        """Look up the number of each token; one that is not known becomes <unk>."""
        return [self.ids.get(token, UNK) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Look up the token of each number up to the first <eos>, leaving out <pad> and <bos>."""
        tokens = []
        for number in ids:
            if number == EOS:
                break
            if number not in (PAD, BOS):
                tokens.append(self.tokens[number])
        return tokens


class Pair(NamedTuple):
    """A sentence and its translation; links (i, j) join source token i to target token j where the file has them."""

    source: str
    target: str
    links: tuple[tuple[int, int], ...] = ()
    construction: str = ""

    @property
    def source_tokens(self) -> list[str]:
        """Tokens of the source, in lower case."""
        return tokenize(self.source)

    @property
    def target_tokens(self) -> list[str]:
        """Tokens of the target, in the case of the file."""
        return tokenize(self.target, lowercase=False)


class Compact(Sequence):
    """A sequence that makes its items when they are asked for, since a million small Python objects fill the memory."""

    def __getitem__(self, place):
        """Make the item of a place, or the list of those of a slice."""
        if isinstance(place, slice):
            return [self.item(number) for number in range(*place.indices(len(self)))]
        return self.item(range(len(self))[place])

    def __eq__(self, other: object) -> bool:
        """Tell whether the other, a list perhaps, has the same items."""
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(tuple.__eq__, self, other))


class Pairs(Compact):
    """The sentence pairs of a file, or some of them: the text of the file and the places where their lines start."""

    def __init__(self, text: bytes, starts: Iterable[int]):
        """Take UTF-8 text with a line feed behind each line; starts counts bytes."""
        self.text, self.starts = text, array("q", starts)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.starts)

    def item(self, number: int) -> Pair:
        """Read the line of a pair."""
        start = self.starts[number]
        return _parse(self.text[start : self.text.index(b"\n", start)].decode())

    def where(self, kept: Iterable[bool]) -> "Pairs":
        """Keep those for which kept, in their order, is true."""
        return Pairs(self.text, (start for start, keep in zip(self.starts, kept, strict=True) if keep))


def _parse(line: str) -> Pair | None:
    """Cut a line into columns; None if it has no two."""
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) < 2 or not columns[0] or not columns[1]:
        return None
    if len(columns) > 2 and re.fullmatch(r"\d+-\d+( \d+-\d+)*", columns[2]):
        links = tuple(tuple(map(int, link.split("-"))) for link in columns[2].split(" "))
        return Pair(columns[0], columns[1], links, columns[3] if len(columns) > 3 else "")
    return Pair(columns[0], columns[1])


def read_pairs(path: str | Path) -> Pairs:
    """Read sentence pairs: UTF-8, source and target in the first two tab-separated columns.

    The file may be compressed with gzip, whatever it is called. A third column of links in the form ``0-0 1-2`` and a
    fourth with the construction are used where they are there; anything else in these places is ignored. Blank lines
    are skipped.
    Raises: ValueError naming the file and the line if a line has fewer than two columns, if the text is not UTF-8, if
    there is no pair at all, if a compressed file is damaged; FileNotFoundError if there is no such file.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {str(path)!r}; give a file of sentence pairs, one pair a line")
    text = path.read_bytes()
    if text.startswith(b"\x1f\x8b"):
        try:
            text = gzip.decompress(text)
        except (OSError, EOFError, zlib.error):
            raise ValueError(f"{path.name} is a damaged gzip file; download or compress it again") from None
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text += b"" if text.endswith(b"\n") else b"\n"
    starts, start, number = array("q"), 0, 0
    while start < len(text):
        end, number = text.index(b"\n", start), number + 1
        try:
            line = text[start:end].decode()
        except UnicodeDecodeError:
            raise ValueError(f"{path.name}, line {number}: the text is not UTF-8; save the file as UTF-8") from None
        if line.strip():
            if _parse(line) is None:
                shown = repr(line.strip()[:40])
                raise ValueError(
                    f"{path.name}, line {number}: {shown} is no pair; a line is a source, a tab and a target"
                )
            starts.append(start)
        start = end + 1
    if not starts:
        raise ValueError(f"{path.name} has no sentence pair; each line needs a source, a tab and a target")
    return Pairs(text, starts)


def normalized_source(pair: Pair) -> str:
    """Give the source without case and punctuation: sentences that differ in nothing else count as the same."""
    return " ".join(token for token in pair.source_tokens if token[-1].isalnum()) or pair.source


@dataclass
class Corpus:
    """Sentence pairs in parts that have no source sentence in common."""

    name: str
    train: Sequence[Pair]
    valid: Sequence[Pair]
    tests: dict[str, Sequence[Pair]]
    too_long: int = 0
    repeated: int = 0  # pairs left out since their source is also in a part that comes later

    @property
    def fingerprint(self) -> str:
        """Name the content: the same for the same sentences in the same parts, whatever the file is called."""
        content = hashlib.sha256()
        for name, part in dict(train=self.train, valid=self.valid, **self.tests).items():
            content.update(repr((name, len(part))).encode())
            for pair in part:
                content.update(repr(tuple(pair)).encode())
        return content.hexdigest()[:16]


def load_corpus(
    corpus: str | Path, seed: int = 0, max_tokens: int = 100, valid_file: str | Path = "", test_file: str | Path = ""
) -> Corpus:
    """Read a folder with train.tsv, valid.tsv and test*.tsv, or one file, which is split by source sentence.

    A file gives a twentieth of its sources (at most 1,000) to valid, as many to test, the rest to train; valid_file
    and test_file are taken instead where they are given. No source is in two parts: a pair whose source is also in a
    test stays in the test, one that is in train and valid stays in valid. Pairs left out for this, or since they have
    more than max_tokens tokens on a side, are counted.
    Raises: ValueError if a part would be empty or is missing, or a name is none, and whatever read_pairs raises.
    """
    for name, file in dict(corpus=corpus, valid_file=valid_file, test_file=test_file).items():
        if not isinstance(file, str | Path) or (name == "corpus" and not file):
            raise ValueError(f"{name}={file!r} names no file; give a name in quotation marks, such as 'my_pairs.tsv'")
    path = Path(corpus)
    given = {name: read_pairs(file) for name, file in (("valid", valid_file), ("test", test_file)) if str(file)}
    if path.is_dir():
        tests = [] if "test" in given else sorted(file.stem for file in path.glob("test*.tsv"))
        names = ["train", *(name for name in ("valid", *tests) if name not in given)]
        if not tests and "test" not in given:
            raise ValueError(f"the folder {path.name!r} has no test*.tsv; put train.tsv, valid.tsv and test.tsv there")
        parts = {name: read_pairs(path / f"{name}.tsv") for name in names} | given
    else:
        parts = _split(read_pairs(path), [name for name in ("valid", "test") if name not in given], seed, path.name)
        parts |= given
    test_names = [name for name in parts if name.startswith("test")]
    read = sum(map(len, parts.values()))
    later = {_source_key(pair) for name in test_names for pair in parts[name]}
    for name in ("valid", "train"):
        keys = array("q", map(_source_key, parts[name]))
        parts[name] = parts[name].where(key not in later for key in keys)
        if not parts[name]:
            raise ValueError(f"{path.name}: every source of {name} is also in another part; give other files")
        if name == "valid":
            later.update(keys)
    kept = sum(map(len, parts.values()))
    for name, part in parts.items():
        parts[name] = part.where(max(len(pair.source_tokens), len(pair.target_tokens)) <= max_tokens for pair in part)
        if not parts[name]:
            raise ValueError(f"{path.name}: no pair of {name} has at most {max_tokens} tokens; give shorter sentences")
    too_long = kept - sum(map(len, parts.values()))
    tests = {name: parts[name] for name in test_names}
    return Corpus(path.name, parts["train"], parts["valid"], tests, too_long, read - kept)


def _source_key(pair: Pair) -> int:
    """Give a number that stands for the normalised source: 8 bytes for each sentence of a large corpus."""
    return int.from_bytes(hashlib.blake2b(normalized_source(pair).encode(), digest_size=8).digest(), signed=True)


def _split(pairs: Pairs, names: list[str], seed: int, file: str) -> dict[str, Pairs]:
    """Give a twentieth of the sources (at most 1,000) to each of the named parts, the rest to train."""
    key_of = array("q", map(_source_key, pairs))
    keys = torch.frombuffer(key_of, dtype=torch.long).unique()  # sorted, so the order of the file does not matter
    held_out = min(len(keys) // 20, 1000)
    if names and not held_out:
        raise ValueError(f"{file} has {len(keys)} different source sentences; at least 20 are needed to split it")
    chosen = keys[torch.randperm(len(keys), generator=torch.Generator().manual_seed(seed))[: held_out * len(names)]]
    part_of = {key: names[place // held_out] for place, key in enumerate(chosen.tolist())}
    return {name: pairs.where(part_of.get(key, "train") == name for key in key_of) for name in ("train", *names)}


class Example(NamedTuple):
    """A pair as numbers: the source tokens, and the target tokens without <bos> and <eos>."""

    source: list[int]
    target: list[int]


class Examples(Compact):
    """Pairs as numbers, all in one array: the tokens of the first source, its target, the second source, ..."""

    def __init__(self, largest: int):
        """Start empty; no token will have a number above largest."""
        self.ids, self.ends = array("H" if largest < 2**16 else "i"), array("q", [0])

    def append(self, source: list[int], target: list[int]) -> None:
        """Add an example."""
        for ids in (source, target):
            self.ids.extend(ids)
            self.ends.append(len(self.ids))

    def __len__(self) -> int:
        """Count the examples."""
        return len(self.ends) // 2

    def item(self, number: int) -> Example:
        """Take an example out of the array."""
        start, middle, end = self.ends[2 * number : 2 * number + 3]
        return Example(self.ids[start:middle].tolist(), self.ids[middle:end].tolist())


def encode_pairs(pairs: Iterable[Pair], source_vocabulary: Vocabulary, target_vocabulary: Vocabulary) -> Examples:
    """Turn pairs into examples, in the same order."""
    examples = Examples(max(len(source_vocabulary), len(target_vocabulary)))
    for pair in pairs:
        examples.append(source_vocabulary.encode(pair.source_tokens), target_vocabulary.encode(pair.target_tokens))
    return examples


def pad_ids(rows: list[list[int]], device: torch.device | str = "cpu") -> Tensor:
    """Put rows of different length into one tensor, pads at the end: (len(rows), longest row)."""
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows], dtype=torch.long, device=device)


class Batch(NamedTuple):
    """Padded sentences: source (batch, t_source), target_in and target_out (batch, t_target), shifted by one."""

    source: Tensor
    target_in: Tensor
    target_out: Tensor


def make_batch(examples: list[Example], device: torch.device | str = "cpu") -> Batch:
    """Pad the examples; the decoder reads <bos> + target and must answer target + <eos>."""
    return Batch(
        pad_ids([example.source for example in examples], device),
        pad_ids([[BOS, *example.target] for example in examples], device),
        pad_ids([[*example.target, EOS] for example in examples], device),
    )


def length_buckets(examples: Sequence[Example], batch_size: int, seed: int | None = None) -> list[list[int]]:
    """Group sentences of similar length, so that few pads are needed; every example is in exactly one group.

    batch_size: sentences of mean length in a group; of longer ones there are fewer, of shorter ones more, so that all
    groups are about as much work and a few very long sentences cannot fill the memory.
    seed: shuffles the order of equal lengths and of the groups; None keeps both sorted (for evaluation).
    Returns: lists of indices into examples.
    Raises: ValueError if batch_size is not at least 1.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size={batch_size} is not at least 1")
    generator = torch.Generator().manual_seed(seed or 0)
    count = len(examples)
    order = torch.arange(count) if seed is None else torch.randperm(count, generator=generator)
    sizes = torch.tensor([(len(each.target) + 1) * 2**32 + len(each.source) for each in examples], dtype=torch.long)
    order = order[sizes[order].argsort(stable=True)].tolist()  # by length of the target, then of the source
    cells = batch_size * float((sizes >> 32).sum()) / max(1, count)
    groups: list[list[int]] = []
    for index, length in zip(order, (sizes[order] >> 32).tolist(), strict=True):
        if not groups or (len(groups[-1]) + 1) * length > cells:  # the newest is the longest of its group
            groups.append([])
        groups[-1].append(index)
    if seed is not None:
        groups = [groups[number] for number in torch.randperm(len(groups), generator=generator).tolist()]
    return groups


def batches(examples: Sequence[Example], batch_size: int, seed: int | None = None, device="cpu") -> Iterator[Batch]:
    """Go once through the examples in padded batches of similar length (see length_buckets)."""
    for group in length_buckets(examples, batch_size, seed):
        yield make_batch([examples[index] for index in group], device)
