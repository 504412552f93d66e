"""What a corpus costs by its size: python -m helpers.workshop.stream_costs 30000 300000 3000000.

Writes corpora of so many pairs into a folder (the sentences of data/, each said by somebody of a
made-up name on some day), and measures with each, in processes of their own: the first start, a
later one, the peak of memory, a training step beside one with the smallest corpus, in turns.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import torch

from helpers.batches import endless_batches
from helpers.recipe import DATA, Recipe
from helpers.training import TrainingSettings, make_optimizer, translator_steps
from helpers.workshop.notebooks import ROOT

# Syllables of made-up names, and the character that each is written with.
SYLLABLES = dict(
    zip(
        "ba bei bo da di fei fu ga ge ha jia ka ke la lei li lu luo ma mei mi mo na nei ni nuo pa "
        "pei sa se sha su ta te tu wa wei wu xi ya".split(),
        "巴贝博达迪菲弗加格哈贾卡克拉雷利卢洛马梅米莫纳内尼诺帕佩萨瑟莎苏塔特图瓦韦伍西亚",
        strict=True,
    )
)
ROUND = 100  # steps; the corpora take turns


def pairs_of(count: int) -> Iterator[str]:
    """Write so many different lines: the same ones each time."""
    rows = [line.split("\t")[:2] for line in (DATA / "train.tsv").read_text("utf-8").splitlines()]
    draw, names = random.Random(0), [*SYLLABLES.items()]
    for number in range(count):
        english, chinese = rows[number % len(rows)]
        name = draw.choices(names, k=draw.choice((2, 3)))
        spoken, written = ("".join(side) for side in zip(*name, strict=True))
        day = draw.randrange(1, 10_000)
        says = f"On day {day} {spoken.capitalize()} said: {english}"
        yield f"{says}\t第{day}天{written}说：{chinese}\n"


def corpus_of(count: int, folder: Path, packed: bool) -> Path:
    """Write a corpus, unless it is there."""
    path = folder / f"{count}.tsv{'.gz' * packed}"
    if not path.exists():
        part = path.with_name(f"part-{path.name}")
        opened = gzip.open(part, "wb", 3) if packed else open(part, "wb")  # noqa: SIM115
        with opened as file:
            for line in pairs_of(count):
                file.write(line.encode())
        part.replace(path)
    return path


def clocks() -> tuple[float, float]:
    """Read the clock and the seconds of CPU."""
    return time.perf_counter(), time.process_time()


def start(path: Path, options: dict) -> dict[str, float]:
    """Do what a start does, up to the 200th step; give seconds, seconds of CPU and MiB."""
    import resource  # which Windows lacks

    before = clocks()
    recipe = Recipe(corpus=path, **options).prepare()
    seconds, cpu = (after - first for after, first in zip(clocks(), before, strict=True))
    settings, model = TrainingSettings(steps=200, batch_size=32), recipe.new_model()
    work = endless_batches(recipe.train_examples, 32, seed=0)
    for _ in translator_steps(model, work, settings):
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak /= 2**20 if sys.platform == "darwin" else 2**10
    sizes = [*map(len, recipe.vocabularies)]
    return dict(
        pairs=len(recipe.pairs.train), seconds=seconds, cpu=cpu, peak_mib=peak, vocabularies=sizes
    )


def step_ratio(small: Path, large: Path, options: dict, rounds: int) -> dict[str, float]:
    """Train on two corpora in turns; give the milliseconds of CPU of a step, and their ratio."""
    jobs, settings = [], TrainingSettings(steps=10**9, batch_size=32)
    for path in (small, large):
        recipe = Recipe(corpus=path, **options).prepare()
        model, work = recipe.new_model(), endless_batches(recipe.train_examples, 32, seed=0)
        steps = translator_steps(model, work, settings, make_optimizer(model, settings))
        jobs.append(steps)
    spent = [0.0, 0.0]
    for turn in range(rounds + 1):
        for place, steps in enumerate(jobs):
            before = clocks()[1]
            for _ in islice(steps, ROUND):
                pass
            if turn:  # the first is to warm up; of the blocks of a stream several are read
                spent[place] += clocks()[1] - before
    each = [1000 * seconds / (rounds * ROUND) for seconds in spent]
    return dict(small_ms=each[0], large_ms=each[1], ratio=each[1] / each[0])


def in_a_process(build: Path, *arguments) -> dict:
    """Measure in a process of its own, so that its memory is its own, too."""
    command = [sys.executable, "-m", "helpers.workshop.stream_costs", "--inner"]
    given = dict(ATTENTION_BUILD=str(build), OMP_NUM_THREADS="1", PYTHONPATH=str(ROOT))
    command += [json.dumps(arguments, default=str)]
    done = subprocess.run(command, env=os.environ | given, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def inner(text: str) -> None:
    """Do what in_a_process asks for, and print what was found."""
    torch.set_num_threads(1)
    what, *arguments = json.loads(text)
    print(json.dumps(dict(start=start, step_ratio=step_ratio)[what](*arguments)))


def main(arguments: list[str]) -> int:
    """Write the corpora, measure each, print a line for each measurement as it is made."""
    parser = argparse.ArgumentParser(prog="stream_costs", description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[30_000, 300_000, 3_000_000])
    parser.add_argument("--folder", type=Path, help="for corpora and index: a new, empty one")
    parser.add_argument("--subwords", type=int, default=8000)
    parser.add_argument("--gzip", action="store_true", help="write them compressed")
    parser.add_argument("--rounds", type=int, default=25, help=f"of {ROUND} steps each, in turns")
    parser.add_argument("--inner", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.inner:
        inner(given.inner)
        return 0
    if given.folder is None:
        parser.error("give a folder for the corpora, such as --folder streams_costs")
    given.folder.mkdir(parents=True, exist_ok=True)
    options, build = dict(subwords=given.subwords), given.folder / "build"
    paths = [corpus_of(count, given.folder, given.gzip) for count in given.counts]
    for path in paths:
        for name in ("first start", "later start"):
            print(path.name, name, in_a_process(build, "start", path, options), flush=True)
    for path in paths[1:] if given.rounds else []:
        found = in_a_process(build, "step_ratio", paths[0], path, options, given.rounds)
        print(path.name, f"a step, beside {paths[0].name}", found, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
