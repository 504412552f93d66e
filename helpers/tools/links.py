"""Relative links and pictures of a notebook that is saved in another folder."""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

from nbformat import NotebookNode

# Code comes first, so that what looks like a link in it is skipped.
_LINK = re.compile(
    r"""
    (?P<code> ^[ \t>]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)
            | (?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`) )
  | (?P<before> \]\(\s*<                                             # [text](<a target>)
            | \]\(\s*                                                # [text](target "title")
            | ^[ ]{0,3}\[[^\]\n]+\]:[ \t]*<?                         # [label]: target
            | <(?:a|img|source|video|audio)\b[^>]*?\b(?:href|src)\s*=\s*["'] )
    (?P<target> (?<=<)[^<>\n]+ | (?<=["'])[^"'\n]+ | (?:[^\s()<>"']|\([^\s()]*\))+ )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


def targets_of(text: str) -> list[str]:
    """List where the links and pictures of a Markdown text lead, but for those in code."""
    return [match["target"] for match in _LINK.finditer(text) if not match["code"]]


def file_of(target: str) -> str:
    """Return the path in a relative target; nothing in an address, an anchor, an attachment."""
    if re.match(r"[a-zA-Z][\w+.-]*:|/", target):
        return ""
    return unquote(re.split("[?#]", target)[0])


def moved(target: str, old: Path, new: Path) -> str:
    """Rewrite a relative target so that it leads from a new folder where it led from the old."""
    file = file_of(target)
    if not file or not (old / file).exists():  # what looks like a link may be a formula
        return target
    try:
        path = Path(os.path.relpath(old / file, new)).as_posix()
    except ValueError:  # on Windows no relative path leads to another drive
        return target
    rest = re.search(r"[?#].*|$", target)[0]
    return quote(path) + "/" * file.endswith("/") + rest


def move_links(notebook: NotebookNode, old: Path, new: Path) -> None:
    """Make the links and pictures in a notebook's Markdown work after a move to a new folder."""

    def replace(match: re.Match) -> str:
        return match[0] if match["code"] else match["before"] + moved(match["target"], old, new)

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK.sub(replace, cell.source)
