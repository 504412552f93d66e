"""Relative links and pictures of a notebook that is saved in another folder."""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

from nbformat import NotebookNode

# [text](target "title"), [text](<target>), <a href="target"> and <img src='target'>
_LINK = re.compile(r"""(\]\(<?|<(?:a|img)\b[^>]*?\b(?:href|src)=["'])([^\s()<>"']+)""")


def targets_of(text: str) -> list[str]:
    """List where the links and pictures of a Markdown text lead."""
    return [target for _, target in _LINK.findall(text)]


def file_of(target: str) -> str:
    """Return the path in a relative target; nothing in an address, an anchor, an attachment."""
    if re.match(r"[a-zA-Z][\w+.-]*:|/", target):
        return ""
    return unquote(re.split("[?#]", target)[0])


def relative(path: Path, folder: Path | str) -> str:
    """Write a path as seen from a folder; whole where none leads there, to another drive."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:  # on Windows
        return str(path)


def moved_target(target: str, old: Path, new: Path) -> str:
    """Rewrite a relative target so that it leads from a new folder where it led from the old."""
    file = file_of(target)
    if not file or not (old / file).exists():  # what looks like a link may be a formula
        return target
    path = Path(relative(old / file, new)).as_posix()
    return quote(path) + re.search(r"[?#].*|$", target)[0]


def move_links(notebook: NotebookNode, old: Path, new: Path) -> None:
    """Make the links and pictures in a notebook's Markdown work after a move to a new folder."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK.sub(
                lambda match: match[1] + moved_target(match[2], old, new), cell.source
            )
