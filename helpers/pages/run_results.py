"""What notebook 07 leaves behind, and the decoding of a sentence as an explorer."""

from collections.abc import Mapping
from pathlib import Path

from helpers.display.explorers import play
from helpers.display.glossary import words_in
from helpers.display.heatmaps import Picture
from helpers.display.web_page import EXAMPLES, require_words, write_page
from helpers.studies.translator_figures import likeliest
from helpers.text import HAN
from helpers.trainer import History
from helpers.translator import Translator

SHOWN = 15  # steps of a decoding: one that never ends would be too long for a page


def at_top_level(scores: Mapping, readings: Mapping | None, history: History) -> dict[str, float]:
    """Name the figures of a run that others look for first: exact match, readings, seconds."""
    named = ("test", "test_compositional")
    found = {f"exact_match.{n}": scores[n]["greedy"]["exact_match"] for n in named if n in scores}
    if readings and "far" in readings:
        found["readings.test_pairs"] = readings["far"]
    seconds = round(history.cpu_seconds, 1)
    return found | dict(seconds=seconds, training_cpu_seconds=seconds)


def leave_page_of(folder: Path, corpus: str | Path) -> Path | None:
    """Write explorer.html beside the checkpoint of a folder, with the words of its corpus.

    Of subwords, or by older code, there is no page, which is said.
    """
    try:
        translator = Translator.from_checkpoint(folder / "checkpoint.pt")
        require_words(translator)
    except ValueError as error:
        print(f"no page of this translator: {error}")
        return None
    chinese = any(map(HAN.search, translator.target_vocabulary.tokens))
    known = words_in(Path(corpus), chinese)
    known["examples"] = [*EXAMPLES, *known.get("examples", [])]
    path, name = folder / "explorer.html", Path(corpus).name
    return write_page(folder / "checkpoint.pt", path, name, **known)


def play_decoding(
    translator: Translator, sentence: str, english: dict[str, str], start: int
) -> Picture:
    """Play how a sentence is written greedily, from this step on (see play)."""
    text = translator.translate([sentence], max_tokens=SHOWN)[0]
    words, _, weights = translator.cross_attention(sentence, text)
    steps, looks = likeliest(translator, sentence, text), weights[-1].mean(dim=0)
    return play(words, steps, looks, "Greedy decoding", english, start)
