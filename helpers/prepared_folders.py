"""Folders of prepared files: built once and whole, opened from then on, made again if damaged."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from filelock import FileLock

from helpers.checkpoint import build_folder, write_atomically


def digest_of(path: Path) -> str:
    """Give a checksum of a file's content."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def short_digest(*facts) -> str:
    """Give a checksum of facts that is short enough for the name of a folder."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:12]


def prepare_folder(folder: Path, key: str, what: str, build: Callable[[Path], dict | None]) -> dict:
    """Open what was built into a folder from the same content and settings, or build it now.

    key: a checksum of these. build: writes files into the folder that it is given, and may return
    facts about them. The folder takes its place when all is there: nobody sees half of it, and of
    two processes the second waits.
    Returns: the facts.
    Raises: OSError in a sentence if there is no room, or what build raises; what was there stays.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(folder.name + ".part")
    with FileLock(folder.with_name(f".{folder.name}.lock")):
        facts, fault = _facts_of(folder, key)
        if facts:
            return facts
        where = folder.relative_to(build_folder().parent).as_posix()
        print(f"{what}: prepared, once, in {where}{fault}", flush=True)
        shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
        try:
            part.mkdir()
            facts = (build(part) or {}) | dict(key=key)
            facts["sizes"] = {file.name: file.stat().st_size for file in part.iterdir()}
            write_atomically(part / "facts.json", json.dumps(facts))
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)
        except OSError as error:
            if not error.errno:
                raise
            fault = f"{what} could not be written ({error.strerror})"
            raise OSError(f"{fault}; make room and run again") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return facts


def _facts_of(folder: Path, key: str) -> tuple[dict, str]:
    """Read what a folder says of itself; or nothing, and why it cannot be used."""
    if not folder.exists():
        return {}, ""
    wrong = ["facts.json"]
    try:
        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        files = {file.name: file.stat().st_size for file in folder.iterdir()}
        wrong = [name for name, size in facts["sizes"].items() if files.get(name) != size]
        if not wrong and facts["key"] == key:
            return facts, ""
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {}, f"; {wrong[0]} there is damaged" if wrong else "; what is there is of another file"


def numbers_in(path: Path, kind: str) -> np.ndarray:
    """Open a file of numbers of one kind (a typecode), of which only what is used is read."""
    return np.asarray(np.memmap(path, dtype=kind, mode="r"))
