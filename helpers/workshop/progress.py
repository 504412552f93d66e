"""Where an execution is: which cell of how many, and the minutes left as last measured."""

import sys
import threading
import time
from pathlib import Path
from types import TracebackType

import nbformat
from papermill.engines import NBClientEngine, papermill_engines

WIDE = 72  # columns that the line in place may take
EVERY = {True: 1.0, False: 60.0}  # seconds between two looks: on a terminal, in a file


def measured(*paths: Path) -> dict[str, float]:
    """Read how many seconds each cell took, from the first of some notebooks that papermill ran.

    Returns: seconds by the id of a cell; none where no file tells.
    """
    for path in paths:
        try:
            cells = nbformat.read(path, as_version=4).cells
            found = {each.id: each.metadata.papermill.duration for each in cells}
            return {name: seconds for name, seconds in found.items() if seconds is not None}
        except Exception:  # not there, half a file, none of ours: then nothing is known
            continue
    return {}


def in_minutes(seconds: float, about: str = "about ") -> str:
    """Write a time as minutes, below one as such."""
    minutes = round(seconds / 60)
    told = f"{about}{minutes} minute{'s' * (minutes > 1)}"
    return told if minutes >= 1 else "less than a minute"


class Progress:
    """Tells, while a notebook is executed, at which cell it is and how many minutes are left.

    On a terminal it is a line that is written over in place, elsewhere a line now and then. It is
    the stream for what the notebook prints, too: that is written under the notebook's name.
    """

    def __init__(self, seconds: dict[str, float], every: float | None = None):
        """Take what each cell took when it was last measured; every: seconds between two looks."""
        self.last_time, self.in_place = seconds, sys.stdout.isatty()
        self.every = EVERY[self.in_place] if every is None else every
        self.lock, self.ended = threading.RLock(), threading.Event()
        self.at_start, self.drawn = True, False
        self.left: list[str] = []  # the ids of the cells that have not begun
        self.cell, self.number, self.count = "", 0, 0
        self.began = self.cell_began = time.monotonic()

    def __enter__(self) -> "Progress":
        """Begin to look at the clock."""
        self.began = time.monotonic()
        self.looking = threading.Thread(target=self._look, daemon=True)
        self.looking.start()
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line, and look no more."""
        self.ended.set()
        self.looking.join()
        with self.lock:
            self._clear()
            if not self.at_start:
                sys.stdout.write("\n")
            sys.stdout.flush()

    def start(self, ids: list[str], place: int) -> None:
        """Hear that the cell at a place begins; ids: of all code cells."""
        with self.lock:
            self.cell, self.number, self.count = ids[place], place + 1, len(ids)
            self.left, self.cell_began = ids[place + 1 :], time.monotonic()

    def write(self, text: str) -> None:
        """Write what the notebook prints, each line of it indented."""
        with self.lock:
            self._clear()
            for line in text.splitlines(keepends=True):
                sys.stdout.write("    " + line if self.at_start else line)
                self.at_start = line.endswith(("\n", "\r"))

    def flush(self) -> None:
        """Show at once what was written."""
        sys.stdout.flush()

    def __str__(self) -> str:
        """Say where it is."""
        now, here = time.monotonic(), self.last_time.get(self.cell, 0.0)
        known = sum(self.last_time.get(name, 0.0) for name in self.left)
        left = known + max(0.0, here - (now - self.cell_began))
        about = f"{in_minutes(left)} left as last measured"
        if not self.last_time:
            about = f"{in_minutes(now - self.began, '')} so far"
        return f"cell {self.number} of {self.count}, {about}"

    def _clear(self) -> None:
        if self.drawn:
            sys.stdout.write("\r" + " " * WIDE + "\r")
            self.drawn = False

    def _look(self) -> None:
        while not self.ended.wait(self.every):
            with self.lock:
                if not self.number or not self.at_start:  # a line of the notebook is half written
                    continue
                if self.in_place:
                    self._clear()
                    sys.stdout.write(f"    {self}"[: WIDE - 1])
                    self.drawn = True
                else:
                    sys.stdout.write(f"    [{self}]\n")
                sys.stdout.flush()


class Told(NBClientEngine):
    """Papermill's own engine, which tells a Progress when a cell begins."""

    @classmethod
    def execute_managed_notebook(
        cls, nb_man, kernel_name: str, progress: Progress | None = None, **more
    ) -> None:
        """Execute the notebook of a papermill manager."""
        ids = [cell.id for cell in nb_man.nb.cells if cell.cell_type == "code"]
        begin = nb_man.cell_start

        def cell_start(cell, cell_index=None, **rest):
            if progress and cell.id in ids:
                progress.start(ids, ids.index(cell.id))
            return begin(cell, cell_index, **rest)

        nb_man.cell_start = cell_start
        return super().execute_managed_notebook(nb_man, kernel_name, **more)


papermill_engines.register("told", Told)
