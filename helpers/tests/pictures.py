"""A plugin for nbval that compares the pictures of a cell as well, block by block: pytest -p helpers.tests.pictures.

nbval leaves pictures out. What a figure draws is compared as its text (helpers.plots.show); this is the second look,
at what the text does not tell: clipped labels, an empty canvas, one thing drawn over another.
"""

import base64
import io
from collections.abc import Iterable

import numpy as np
from nbval.plugin import IPyNbCell
from PIL import Image

BLOCK = 8  # pixels
# Of 255 levels, between what 1e-3 of noise in the data changes (8) and what another title changes (30).
TOLERANCE = 15


def pictures_of(outputs: Iterable[dict]) -> list[str]:
    """Return the PNG pictures of a cell's outputs as base64 text."""
    return [
        output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})
    ]


def image_of(picture: str) -> Image.Image:
    """Open a picture that is base64 text."""
    return Image.open(io.BytesIO(base64.b64decode(picture)))


def difference(recorded: str, drawn: str) -> str:
    """Say how two pictures differ, or nothing if no block of one differs from the other's by more than the tolerance.

    recorded, drawn: PNG pictures as base64 text.
    """
    before, now = (
        np.asarray(image_of(picture).convert("RGBA"), dtype=float) for picture in (recorded, drawn)
    )
    if before.shape != now.shape:
        return f"{now.shape[1]} x {now.shape[0]} pixels, recorded were {before.shape[1]} x {before.shape[0]}"
    (height, width), gap = before.shape[:2], now - before
    gap = np.pad(gap, ((0, -height % BLOCK), (0, -width % BLOCK), (0, 0)), mode="edge")
    means = abs(
        gap.reshape(gap.shape[0] // BLOCK, BLOCK, gap.shape[1] // BLOCK, BLOCK, 4).mean(axis=(1, 3))
    ).max(-1)
    if means.max() <= TOLERANCE:
        return ""
    row, column = (BLOCK * place for place in np.unravel_index(means.argmax(), means.shape))
    blocks = f"{(means > TOLERANCE).sum()} of {means.size} blocks differ"
    return f"{blocks}, most at row {row}, column {column}: by {means.max():.0f} of 255 levels"


def differences(recorded: list[dict], drawn: list[dict]) -> list[str]:
    """Say how the pictures of a cell differ from those recorded, a sentence for each."""
    before, now = pictures_of(recorded), pictures_of(drawn)
    if len(before) != len(now):
        return [f"{len(now)} pictures, recorded were {len(before)}"]
    found = (difference(*pair) for pair in zip(before, now, strict=True))
    return [f"picture {number}: {text}" for number, text in enumerate(found, 1) if text]


def pytest_configure() -> None:
    """Let nbval's comparison of a cell look at the pictures, once it found all else equal."""
    compare = IPyNbCell.compare_outputs

    def compare_all(cell, test, ref, skip_compare=None) -> bool:
        if not compare(cell, test, ref, skip_compare):
            return False
        cell.comparison_traceback += differences(ref, test)
        return not cell.comparison_traceback

    IPyNbCell.compare_outputs = compare_all
