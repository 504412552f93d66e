"""Corpora that do not fit into memory: a file is indexed once, and read by block from then on.

Everything lies in build/streams/, in a folder for each file: the index, the text of a gzip file,
vocabularies, and the sentences as numbers. All of it can be deleted, and is made again.
"""

import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np
import torch
from filelock import FileLock

from helpers.batches import Example, Examples
from helpers.checkpoint import build_folder, write_atomically
from helpers.corpus import longer_side, source_key, source_keys, text_key
from helpers.pairs import Compact, Pair, Pairs, damaged_gzip, is_gzip, read_line
from helpers.text import SPECIALS, Vocabulary
from helpers.workshop.subwords import Pieces, learn_pieces

ABOVE = 64 * 2**20  # bytes of text: a larger file is streamed
NAMED = ".stream."  # in the name of a file that is streamed whatever its size
IN_MEMORY = 20_000  # pairs: fewer of a file, such as those held out, are kept in memory
PAGE, PAGES = 1024, 64  # pairs of a page, which lie together; pages of a block, drawn by lot
CHUNK, TOLD = 2**22, 500_000  # bytes read at once; pairs between two lines of progress
PACKED_AT_MOST = 1032  # times
SUMMED = 2**30  # bytes: of a larger file only the length is compared, which takes no time
INDEX = {"places": "q", "sizes": "i", "keys": "q", "lengths": "H"}
_END = re.compile(rb"\r\n|\r|\n")
_DAMAGED = (OSError, ValueError, KeyError, TypeError, EOFError)


def is_streamed(path: Path) -> bool:
    """Tell whether a file is to be streamed: a large one, or one that is named so."""
    if not path.is_file():
        return False
    size = path.stat().st_size
    if is_gzip(path) and size > 4:
        with open(path, "rb") as file:  # its last four bytes say how long its text is
            file.seek(-4, os.SEEK_END)
            told = int.from_bytes(file.read(), "little")
        # Of a file that is cut off they are anything; gzip makes no text 1,032 times shorter.
        size = max(size, told if told <= PACKED_AT_MOST * size else 0)
    return NAMED in path.name or size > ABOVE


# ---------------------------------------------------------------- folders that are whole


@contextmanager
def whole_folder(folder: Path, what: str) -> Iterator[Path]:
    """Give a folder to write into that takes its place when all is there: nobody sees half of it.

    Raises: OSError in a sentence if there is no room; whatever was there before stays.
    """
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        yield part
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except OSError as error:
        if not error.errno:
            raise
        fault = f"{what} could not be written ({error.strerror})"
        raise OSError(f"{fault}; make room and run again") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def keep(folder: Path, about: dict, arrays: dict[str, array]) -> None:
    """Write arrays into a folder, and about.json with the checksums of all that is there."""
    for name, values in arrays.items():
        with open(folder / name, "wb") as file:
            values.tofile(file)
    sums = {file.name: checksum(file) for file in sorted(folder.iterdir())}
    write_atomically(folder / "about.json", json.dumps(about | dict(sums=sums)))


def checksum(path: Path) -> list[int]:
    """Give the length of a file and, unless it is huge, its CRC-32."""
    found, length = 0, path.stat().st_size
    with open(path, "rb") as file:
        while length <= SUMMED and (chunk := file.read(CHUNK)):
            found = zlib.crc32(chunk, found)
    return [length, found]


def opened(folder: Path) -> dict | None:
    """Read the about.json of a folder; None if the folder is not there.

    Raises: ValueError if it is damaged: something is missing, cut off or changed.
    """
    if not folder.exists():
        return None
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        wrong = [name for name, found in about["sums"].items() if checksum(folder / name) != found]
    except _DAMAGED:
        wrong = ["about.json"]
    if wrong:
        raise ValueError(f"{wrong[0]} is damaged")
    return about


def digest_of(path: Path) -> str:
    """Give a checksum of a file's content."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---------------------------------------------------------------- the index


class Index:
    """Where each pair of a file lies, with the number of its source and its length in tokens."""

    def __init__(self, folder: Path, about: dict, text: Path):
        """Open what make_index wrote; text is the file, or what it was unpacked to."""
        self.folder, self.name, self.digest = folder, about["name"], about["digest"]
        self.text, self.count = text, about["count"]

    def column(self, name: str) -> np.ndarray:
        """Read one column of the index: a number for each pair."""
        return np.fromfile(self.folder / name, dtype=INDEX[name])

    @cached_property
    def places(self) -> np.ndarray:
        """The byte at which each pair's line begins."""
        return self.column("places")

    @cached_property
    def sizes(self) -> np.ndarray:
        """The bytes of each pair's line."""
        return self.column("sizes")

    @cached_property
    def file(self) -> BinaryIO:
        """The text, open."""
        return open(self.text, "rb")  # noqa: SIM115

    def pair(self, line: int) -> Pair:
        """Read a pair; raises ValueError if its file was changed after it was indexed."""
        self.file.seek(int(self.places[line]))
        try:
            pair = read_line(self.file.read(int(self.sizes[line])), self.name)
        except ValueError:
            pair = None
        if pair is None:
            fault = f"{self.name} was changed while it was used"
            raise ValueError(f"{fault}; start again, and it is indexed anew")
        return pair


def open_index(path: Path, log: Callable[[str], None] = print) -> Index:
    """Open the index of a file; make it if there is none, or none that fits, and say so.

    Raises: what make_index raises; the index that was there stays then.
    """
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    folder = build_folder() / "streams" / f"{path.name.split('.')[0]}-{place}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f".{folder.name}.lock")):  # of two at once the second waits
        about, reason = _usable(path, folder)
        if about is None:
            where = f"{folder.parent.parent.name}/streams/{folder.name}"
            log(f"{reason}; it is indexed, once, in {where}")
            about = make_index(path, folder, log)
    text = folder / "text.tsv"
    return Index(folder, about, text if text.exists() else path)


def _usable(path: Path, folder: Path) -> tuple[dict | None, str]:
    """Return what the index of a file says of itself, or None and why it cannot be used."""
    try:
        about = opened(folder)
        if about is None:
            return None, f"{path.name} is read as a stream"
        status = path.stat()
        if [status.st_size, status.st_mtime_ns] == about["status"]:
            return about, ""
        if status.st_size == about["status"][0] and digest_of(path) == about["digest"]:
            about["status"] = [status.st_size, status.st_mtime_ns]  # copied, say
            write_atomically(folder / "about.json", json.dumps(about))
            return about, ""
        sizes = f"{about['status'][0]:,} bytes, now {status.st_size:,}"
        return None, f"the index here is of another {path.name} ({sizes})"
    except _DAMAGED as error:
        return None, f"the index of {path.name} cannot be used ({error})"


def make_index(path: Path, folder: Path, log: Callable[[str], None]) -> dict:
    """Read a file once, unpack it if it is compressed, and write down where its pairs are.

    Raises: ValueError naming the line that is no pair, or for a file that is cut off or damaged.
    """
    status, digest = path.stat(), digest_of(path)
    with whole_folder(folder, f"the index of {path.name}") as part:
        text = _unpack(path, part / "text.tsv") if is_gzip(path) else path
        columns = {name: array(kind) for name, kind in INDEX.items()}
        for number, (place, line) in enumerate(lines_of(text), 1):
            pair = read_line(line, f"{path.name}, line {number}")
            if pair is None:
                continue
            columns["places"].append(place)
            columns["sizes"].append(len(line))
            columns["keys"].append(source_key(pair))
            columns["lengths"].append(min(longer_side(pair), 2**16 - 1))
            if len(columns["places"]) % TOLD == 0:
                log(f"{path.name}: {len(columns['places']):,} pairs indexed")
        if not columns["places"]:
            advice = "each line needs a source, a tab and a target"
            raise ValueError(f"{path.name} has no sentence pair; {advice}")
        about = dict(name=path.name, digest=digest, count=len(columns["places"]))
        about["status"] = [status.st_size, status.st_mtime_ns]
        keep(part, about, columns)
    return about


def _unpack(path: Path, to: Path) -> Path:
    with gzip.open(path) as packed, open(to, "wb") as file:
        while True:
            try:
                chunk = packed.read(CHUNK)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                raise damaged_gzip(path) from None
            if not chunk:
                return to
            file.write(chunk)


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Read the lines of a file, without their ends, each with the byte at which it begins."""
    rest, place = b"", 0
    with open(path, "rb") as file:
        if file.read(3) == b"\xef\xbb\xbf":
            place = 3
        file.seek(place)
        while chunk := file.read(CHUNK):
            text, start = rest + chunk, 0
            for end in _END.finditer(text):
                if end[0] == b"\r" and end.end() == len(text):
                    break  # its line feed may come with the next chunk
                yield place + start, text[start : end.start()]
                start = end.end()
            rest, place = text[start:], place + start
    if rest:
        yield place, rest.removesuffix(b"\r")


# ---------------------------------------------------------------- pairs and examples


class StreamedPairs(Compact):
    """The sentence pairs of an indexed file, or some of them: each is read when it is asked for."""

    def __init__(self, index: Index, chosen: np.ndarray):
        """Take an index, and the pairs of it that are meant, in their order."""
        self.index, self.chosen = index, chosen

    @classmethod
    def of_file(cls, path: Path) -> "StreamedPairs":
        """Open all pairs of a file; raises what open_index raises."""
        index = open_index(path)
        return cls(index, np.arange(index.count))

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.chosen)

    def item(self, number: int) -> Pair:
        """Read a pair."""
        return self.index.pair(self.chosen[number])

    def keys(self) -> array:
        """Give what source_key gives, for each pair."""
        return array("q", self.index.column("keys")[self.chosen].tobytes())

    def lengths(self) -> array:
        """Count the tokens of the longer side, for each pair."""
        return array("H", self.index.column("lengths")[self.chosen].tobytes())

    def where(self, kept: Iterable[bool]) -> "StreamedPairs | Pairs":
        """Keep those for which kept, in their order, is true; a small part in memory."""
        mask = np.fromiter(kept, dtype=bool, count=len(self))
        found = StreamedPairs(self.index, self.chosen[mask])
        if len(found) > min(IN_MEMORY, len(self) / 2):
            return found
        pairs = Pairs([])
        for pair in found:
            pairs.append(pair)
        return pairs

    @cached_property
    def identity(self) -> str:
        """Name the content, and that it is streamed: the order of an epoch is another one."""
        chosen = hashlib.sha256(self.chosen.tobytes()).hexdigest()
        return f"streamed {self.index.digest} {chosen} {PAGE} {PAGES}"

    def vocabularies(self, size: int, subwords: int) -> tuple[Vocabulary, Vocabulary]:
        """Learn both vocabularies, or read those that were learned before (see recipe)."""
        named = hashlib.sha256(repr((self.identity, size, subwords)).encode()).hexdigest()[:12]
        folder = self.index.folder / f"vocabularies-{named}"
        with FileLock(self.index.folder.with_name(f".{self.index.folder.name}.lock")):
            about = self._kept(folder)
            if about is None:
                found = self._learn(size, subwords)
                about = dict(sides=[each.text if subwords else each.tokens for each in found])
                with whole_folder(folder, "the vocabularies") as part:
                    keep(part, about, {})
        make = Pieces.from_text if subwords else (lambda names: Vocabulary(names[len(SPECIALS) :]))
        first, second = map(make, about["sides"])
        return first, second

    def _kept(self, folder: Path) -> dict | None:
        """Read what is kept in a folder; None, and a line that says so, if it has to be made."""
        why = "made once"
        try:
            if about := opened(folder):
                return about
        except ValueError as error:
            why = f"{error}; made again"
        print(f"{folder.name.split('-')[0]} of {self.index.name}: {why}", flush=True)
        return None

    def _learn(self, size: int, subwords: int) -> list[Vocabulary]:
        if subwords:
            return learn_pieces(self, subwords)
        counts = Counter(), Counter()
        for pair in self:
            counts[0].update(pair.source_tokens)
            counts[1].update(pair.target_tokens)
        return [Vocabulary.from_counts(each, max_size=size) for each in counts]

    def encoded(self, source: Vocabulary, target: Vocabulary) -> "StreamedExamples":
        """Turn all pairs into numbers on disk, or open those that were made before."""
        content = [getattr(each, "text", each.tokens) for each in (source, target)]
        named = hashlib.sha256(repr((self.identity, content)).encode()).hexdigest()[:12]
        folder = self.index.folder / f"numbers-{named}"
        with FileLock(self.index.folder.with_name(f".{self.index.folder.name}.lock")):
            about = self._kept(folder)
            if about is None:
                about = dict(count=len(self), largest=max(len(source), len(target)))
                with whole_folder(folder, "the sentences as numbers") as part:
                    ends = self._write_numbers(part / "ids", source, target, about["largest"])
                    keep(part, about, dict(ends=ends))
        return StreamedExamples(folder, about["count"], about["largest"])

    def _write_numbers(self, path: Path, source, target, largest: int) -> array:
        """Write the numbers of all pairs, as in Examples; return where each side ends."""
        ends = array("q", [0])
        with open(path, "wb") as file:
            for start in range(0, len(self), PAGE):
                pairs, page = self[start : start + PAGE], Examples(largest)
                first = source.encode_many([pair.source_tokens for pair in pairs])
                second = target.encode_many([pair.target_tokens for pair in pairs])
                for both in zip(first, second, strict=True):
                    page.append(*both)
                page.ids.tofile(file)
                before = ends[-1]
                ends.extend(before + end for end in page.ends[1:])
        return ends


class Sources:
    """The normalised sources of some pairs, of which one can ask whether a sentence is among them.

    8 bytes for each, where a set of strings takes a hundred.
    """

    def __init__(self, *parts: Iterable[Pair]):
        """Collect the sources of parts of a corpus."""
        self.keys = np.unique(np.concatenate([np.array(source_keys(part)) for part in parts]))

    def __contains__(self, source: str) -> bool:
        """Tell whether a source, normalised as in helpers.corpus, is among them."""
        key = text_key(source)
        place = int(np.searchsorted(self.keys, key))
        return place < len(self.keys) and int(self.keys[place]) == key


class StreamedExamples(Compact):
    """Pairs as numbers, on disk: pages of sentences that lie together, and blocks of such pages."""

    def __init__(self, folder: Path, count: int, largest: int):
        """Open what StreamedPairs.encoded wrote."""
        self.count, self.largest, self.at_hand = count, largest, (-1, Examples(largest))
        self.ids, self.ends = open(folder / "ids", "rb"), open(folder / "ends", "rb")  # noqa: SIM115

    def __len__(self) -> int:
        """Count the examples."""
        return self.count

    def item(self, number: int) -> Example:
        """Take an example out of its page."""
        page, place = divmod(number, PAGE)
        if self.at_hand[0] != page:
            self.at_hand = page, self.page(page)
        return self.at_hand[1].item(place)

    def page(self, number: int) -> Examples:
        """Read a page from the disk."""
        start, found = number * PAGE, Examples(self.largest)
        found.ends.pop()
        self.ends.seek(2 * start * found.ends.itemsize)
        found.ends.fromfile(self.ends, 2 * (min(start + PAGE, self.count) - start) + 1)
        first = found.ends[0]
        self.ids.seek(first * found.ids.itemsize)
        found.ids.fromfile(self.ids, found.ends[-1] - first)
        found.ends = array("q", (end - first for end in found.ends))
        return found

    def blocks(self, seed: int | None, epoch: int) -> Iterator[Examples]:
        """Go once through all examples, in blocks of pages drawn by lot; in order without a seed.

        The pages of a block come from anywhere in the file, and are other ones in each epoch.
        """
        for chosen in self._order(seed, epoch):
            block = Examples(self.largest)
            for number in chosen:
                page, before = self.page(number), len(block.ids)
                block.ids.extend(page.ids)
                block.ends.extend(before + end for end in page.ends[1:])
            yield block

    def _order(self, seed: int | None, epoch: int) -> list[list[int]]:
        """Give the numbers of the pages of each block."""
        count = -(-self.count // PAGE)
        generator = torch.Generator().manual_seed((seed or 0) * 100_003 + epoch)
        order = torch.arange(count) if seed is None else torch.randperm(count, generator=generator)
        return [chosen.tolist() for chosen in order.split(PAGES)]

    def epoch_of(self, done: int, batch_size: int, seed: int) -> tuple[int, int]:
        """Say which epoch comes after so many batches, and how many of it are among them."""
        if not done:
            return 0, 0
        self.ends.seek(0)
        ends = np.fromfile(self.ends, dtype="q")
        lengths = (ends[2::2] - ends[1::2]) + 1  # of the targets, with <eos>
        for epoch in itertools.count():
            count = 0
            for chosen in self._order(seed, epoch):
                pages = [lengths[page * PAGE : (page + 1) * PAGE] for page in chosen]
                count += count_groups(np.concatenate(pages), batch_size)
            if done < count:
                return epoch, done
            done -= count


def count_groups(lengths: np.ndarray, batch_size: int) -> int:
    """Count the groups that length_buckets makes of sentences, without making them.

    lengths: of the targets, with <eos>.
    """
    cells = batch_size * int(lengths.sum()) / len(lengths)
    groups = size = 0  # of the newest group
    for length, left in enumerate(np.bincount(lengths).tolist()):
        while left:
            room = int(cells // length) - size
            if not size or room < 1:
                groups, size, room = groups + 1, 0, max(1, int(cells // length))
            taken = min(room, left)
            size, left = size + taken, left - taken
    return groups
