"""See the recorded outputs and the assertions hold on other processors and with other kernels: `make matrix`.

- same bits, here: every notebook against its recorded outputs.
- same bits, elsewhere: the same on processors that qemu-user emulates, some thirty times slower. So only what needs no
  training is run whole; of the rest a run with few steps, on few sentences, is recorded here and compared there.
- fast kernels, with one thread and with two: last digits differ, but no assertion of a notebook may fail.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from helpers.series import read_defaults
from helpers.tests.tamper import ROOT, nbval
from helpers.training import build_folder

PROCESSORS = ["Haswell", "EPYC"]  # an Intel without AVX-512, and an AMD
# What the Makefile sets for the same bits; without them the kernels are the fast ones.
SAME_BITS = ["ATEN_CPU_CAPABILITY", "MKL_CBWR", "ONEDNN_MAX_CPU_ISA", "OMP_NUM_THREADS"]
SENTENCES = {
    "train": 300,
    "valid": 20,
    "test": 20,
    "test_compositional": 12,
    "test_long": 4,
}  # of a cut run
CUTS = {  # the parameters of a cut run, for all that is too long to be emulated whole
    "03_scaled_dot_product_attention": "steps 2 seeds 2 draws 20",
    "04_multi_head_attention": "steps 2",
    "05_masking": "steps 2 batch 16 time 8 d_model 32",
    "06_the_transformer": "steps 2 seeds 2 d_model 24",
    "07_train_a_translator": "steps 4 trial_steps 2 d_model 24 d_ff 24 n_layers 1",
    "08_look_inside": "steps 4 brief_steps 2 recurrent_steps 2 recurrent_width 4 overfit_pairs 64 overfit_epochs 1"
    " convolution_steps 2 convolution_seeds 2 n_sentences 10 d_model 12 d_ff 12 n_layers 1",
    "09_make_it_fast": "longest 256 steps 1 limit 4 written 16 rounds 1 batch_size 2 d_model 12 d_ff 12 n_layers 1",
    "solutions/03_scaled_dot_product_attention": "steps 2 seeds 2",
    "solutions/07_train_a_translator": "steps 2",
    "solutions/09_make_it_fast": "",
}


# Of the fast kernels: few enough to save time, and enough for every assertion.
FEWER = {"seeds": "2", "convolution_seeds": "2", "rounds": "1", "trial_steps": "300"}
# qemu-user 7.2, which Debian 12 has, computes this with errors of 0.5; 10.0 does it right.
PROBE = """
import torch
torch.manual_seed(0)
lstm, x = torch.nn.LSTM(96, 32), torch.randn(5, 2, 96)
torch.testing.assert_close(lstm(x)[0], lstm.double()(x.double())[0].float(), atol=1e-5, rtol=0)
"""


def name_of(notebook: Path) -> str:
    """Return a notebook's path below notebooks/, without its ending."""
    return str(notebook.resolve().relative_to(ROOT / "notebooks").with_suffix(""))


def compare(notebook: Path, build: Path, *options: str, **environment: str) -> str:
    """Run nbval on a notebook and say how many cells are as recorded.

    Raises: RuntimeError naming the cells that are not.
    """
    total, red = nbval(notebook, build, *options, **environment)
    if red or not total:
        raise RuntimeError(f"{len(red)} of {total} cells differ: {red}")
    return f"{total} of {total} cells as recorded"


def execute(
    notebook: Path, output: Path, cwd: Path, parameters: str = "", **environment: str | None
) -> str:
    """Execute a notebook with papermill, without the variables that are None, and say that its assertions hold.

    parameters: names and values, all with spaces between.
    Raises: RuntimeError with the last line of papermill's complaint.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    words = iter(parameters.split())
    options = [word for name in words for word in ("-p", name, next(words))]
    command = [
        sys.executable,
        "-m",
        "papermill",
        "--no-progress-bar",
        "--cwd",
        cwd,
        *options,
        notebook,
        output,
    ]
    environment = {
        name: value for name, value in (os.environ | environment).items() if value is not None
    }
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return "all assertions hold"


def copy_sentences(folder: Path) -> None:
    """Copy data/ with fewer sentences; those with `saw` and `hammer` come first, since notebook 08 looks for them."""
    shutil.copytree(ROOT / "data", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, count in SENTENCES.items():
        lines = (
            (ROOT / "data" / f"{name}.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
        )
        chosen = lines[:: len(lines) // count]
        for word in (" saw ", " hammer "):
            chosen = [line for line in lines if word in line][: count // 4] + chosen
        (folder / f"{name}.tsv").write_text(
            "".join([*dict.fromkeys(chosen)][:count]), encoding="utf-8"
        )


def write_kernels(folder: Path) -> None:
    """Write a kernel for each emulated processor, to be found by JUPYTER_PATH.

    Raises: RuntimeError if the emulator is missing or computes wrongly.
    """
    advice = "install a newer one (Debian 12: apt install -t bookworm-backports qemu-user)"
    if not shutil.which("qemu-x86_64"):
        raise RuntimeError(f"there is no qemu-x86_64, which plays other processors; {advice}")
    for processor in PROCESSORS:
        command = ["qemu-x86_64", "-cpu", processor, sys.executable]
        if subprocess.run([*command, "-c", PROBE], capture_output=True).returncode:
            raise RuntimeError(
                f"this qemu-x86_64 computes an LSTM wrongly on {processor}; {advice}"
            )
        argv = [*command, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel = dict(argv=argv, display_name=processor, language="python")
        path = folder / "kernels" / processor.lower() / "kernel.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(kernel), encoding="utf-8")


def row(*cells: str, job: Callable[[], str]) -> int:
    """Do a job and print a row: what was run, what came out of it, the seconds; returns whether it failed."""
    start, failed = time.monotonic(), False
    try:
        result = job()
    except RuntimeError as error:  # the other rows go on
        result, failed = f"**FAILED**: {' '.join(str(error).split())[:300]}", True
    print(f"| {' | '.join([*cells, result])} | {time.monotonic() - start:.0f} |", flush=True)
    return failed


def here(notebooks: Sequence[Path], folder: Path) -> int:
    """Compare notebooks, one after the other, with their recorded outputs, here; returns how many rows failed."""
    failed = 0
    for notebook in notebooks:  # with one folder for checkpoints, so 08 takes that of 07
        job = partial(compare, notebook, folder / "here")
        failed += row(name_of(notebook), "whole", "this one", "same bits", "1", job=job)
    return failed


def elsewhere(notebook: Path, folder: Path) -> int:
    """Compare a notebook, or a cut run of it, on the emulated processors; returns how many rows failed."""
    name, failed, what = name_of(notebook), 0, "whole"
    if name in CUTS:
        what, cut = "cut", folder / "cut" / "notebooks" / f"{name}.ipynb"
        build = str(folder / "cut" / name)
        job = partial(execute, notebook, cut, cut.parent, CUTS[name], ATTENTION_BUILD=build)
        failed += row(name, what, "this one", "same bits", "1", job=job)
        notebook = cut
    for processor in PROCESSORS:
        options = f"--nbval-kernel-name={processor.lower()}", "--nbval-kernel-startup-timeout=300"
        job = partial(
            compare, notebook, folder / processor / name, *options, JUPYTER_PATH=str(folder)
        )
        failed += row(name, what, processor, "same bits", "1", job=job)
    return failed


def fast(notebooks: Sequence[Path], folder: Path, threads: str) -> int:
    """Execute notebooks one after the other with the fast kernels, in fewer trials; returns how many rows failed."""
    failed, folder = 0, folder / f"fast {threads}"
    environment = dict.fromkeys(SAME_BITS) | {
        "ATTENTION_BUILD": str(folder),
        "ATTENTION_THREADS": threads,
    }
    for notebook in notebooks:
        name = name_of(notebook)
        wanted, defaults = FEWER | {"threads": threads}, read_defaults(notebook)
        parameters = " ".join(f"{key} {value}" for key, value in wanted.items() if key in defaults)
        job = partial(
            execute, notebook, folder / f"{name}.ipynb", notebook.parent, parameters, **environment
        )
        failed += row(name, "whole", "this one", "fast", threads, job=job)
    return failed


def main(names: Sequence[str]) -> int:
    """Run the matrix for notebooks, print the table, and return how many of its rows failed."""
    notebooks, folder = [Path(name).resolve() for name in names], build_folder() / "matrix"
    shutil.rmtree(folder, ignore_errors=True)
    copy_sentences(folder / "cut" / "data")
    try:
        write_kernels(folder)
    except RuntimeError as error:
        sys.exit(f"make matrix: {error}")
    header = "| notebook | what | processor | kernels | threads | result | seconds |"
    print(header, "|---" * 7 + "|", sep="\n", flush=True)
    with ThreadPoolExecutor(2) as pool:  # two at a time, the long ones first
        jobs = [pool.submit(fast, notebooks, folder, threads) for threads in ("1", "2")]
        jobs += [pool.submit(here, notebooks, folder)]
        jobs += [pool.submit(elsewhere, notebook, folder) for notebook in reversed(notebooks)]
    failed = sum(job.result() for job in jobs)
    print(f"\nmake matrix: {f'{failed} rows FAILED, see above' if failed else 'passed'}.")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
