"""See outputs and assertions hold on other processors and with other kernels: `make matrix`.

- same bits, here: every notebook against its recorded outputs.
- same bits, elsewhere: the same on processors that qemu-user emulates, some thirty times slower. So
  only what needs no training is run whole; of the rest a run with few steps, on few sentences, is
  recorded here and compared there.
- fast kernels, with one thread and with two: last digits differ, but no assertion may fail.
- another architecture, aarch64, emulated: 01 to 06 whole, compared as helpers.workshop.tolerance
  says; 07 and 08 with few steps, by their assertions alone. That needs an ARM Python beside the
  build, which `sh helpers/workshop/set_up_aarch64.sh` unpacks; without it the row says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from helpers.checkpoint import SAME_BITS, build_folder
from helpers.workshop import notebooks
from helpers.workshop.comparison import nbval
from helpers.workshop.execute import execute_apart
from helpers.workshop.notebooks import ROOT, WrongCall, name_of
from helpers.workshop.parameters import assign, read_defaults

PROCESSORS = ["Haswell", "EPYC"]  # an Intel without AVX-512, and an AMD
ARM = ROOT / "build" / "aarch64"  # what set_up_aarch64.sh unpacks: root/ and site/
ARM_WHOLE, ARM_CUT = ("01_", "02_", "03_", "04_", "05_", "06_"), ("07_", "08_")
# How many sentences of each file a cut run has.
SENTENCES = dict(train=300, valid=20, test=20, test_compositional=12, test_long=4)
SENTENCES |= dict(test_joined=4, test_pairs=4, test_real=4)
CUTS = {  # the parameters of a cut run, for all that is too long to be emulated whole
    "03_scaled_dot_product_attention": "steps 2 seeds 2",
    "04_multi_head_attention": "steps 2",
    "05_masking": "steps 2 starts 2 batch 16 time 8 d_model 32",
    "06_the_transformer": "steps 2 seeds 2 d_model 24",
    "07_train_a_translator": "steps 4 d_model 24 d_ff 24 n_layers 1",
    "08_look_inside": "steps 4 n_sentences 50 draws 2 d_model 12 d_ff 12",
    "09_make_it_fast": "longest 256 steps 1 limit 4 written 16 rounds 1 batch_size 2"
    " d_model 12 d_ff 12 n_layers 1",
    "labs/04a_heads_as_filters": "steps 2 seeds 2",
    "labs/08b_which_heads_are_needed": "steps 2 n_sentences 50",
    "solutions/08_look_inside": "steps 2 n_sentences 50",
    "solutions/08b_which_heads_are_needed": "steps 2 n_sentences 50",
    "labs/06a_what_breaks_without_it": "steps 2",
    "solutions/03_scaled_dot_product_attention": "steps 2 seeds 2 draws 20",
    "solutions/07_train_a_translator": "steps 2",
    "solutions/09_make_it_fast": "",
}
# Of the fast kernels: few enough to save time, and enough for every assertion.
FEWER = {"seeds": "2", "convolution_seeds": "2", "rounds": "1"}
# qemu-user 7.2, which Debian 12 has, computes this with errors of 0.5; 10.0 does it right.
PROBE = """
import torch
torch.manual_seed(0)
lstm, x = torch.nn.LSTM(96, 32), torch.randn(5, 2, 96)
torch.testing.assert_close(lstm(x)[0], lstm.double()(x.double())[0].float(), atol=1e-5, rtol=0)
"""


def compare(notebook: Path, build: Path, *options: str, **environment: str) -> str:
    """Run nbval on a notebook and say how many cells are as recorded.

    Raises: RuntimeError naming the cells that are not.
    """
    total, red = nbval(notebook, build, *options, **environment)
    if red or not total:
        raise RuntimeError(f"{len(red)} of {total} cells differ: {red}")
    return f"{total} of {total} cells as recorded"


def try_out(notebook: Path, output: Path, parameters: str = "", **environment: str | None) -> str:
    """Execute a notebook, without the variables that are None, and say that its assertions hold.

    parameters: names and values, all with spaces between.
    Raises: NotebookFailed with the cell and its error.
    """
    words = iter(parameters.split())
    typed = [[name, next(words)] for name in words]
    (values,) = assign([notebook], typed)
    execute_apart(notebook, output, values, environment)
    return "all assertions hold"


def copy_sentences(folder: Path) -> None:
    """Copy data/ with fewer sentences; first those with words that 07 and 08 look for."""
    shutil.copytree(ROOT / "data", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, count in SENTENCES.items():
        text = (ROOT / "data" / f"{name}.tsv").read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        chosen = lines[:: len(lines) // count]
        for word in (" saw ", " hammer ", " brother "):
            chosen = [line for line in lines if word in line][: count // 4] + chosen
        text = "".join([*dict.fromkeys(chosen)][:count])
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")


def write_kernels(folder: Path) -> None:
    """Write a kernel for each emulated processor, to be found by JUPYTER_PATH.

    Raises: OSError if the emulator is missing or computes wrongly.
    """
    advice = "install a newer one (Debian 12: apt install -t bookworm-backports qemu-user)"
    if not shutil.which("qemu-x86_64"):
        raise OSError(f"there is no qemu-x86_64, which plays other processors; {advice}")
    for processor in PROCESSORS:
        command = ["qemu-x86_64", "-cpu", processor, sys.executable]
        if subprocess.run([*command, "-c", PROBE], capture_output=True).returncode:
            what = f"this qemu-x86_64 computes an LSTM wrongly on {processor}"
            raise OSError(f"{what}; {advice}")
        argv = [*command, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel = dict(argv=argv, display_name=processor, language="python")
        path = folder / "kernels" / processor.lower() / "kernel.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(kernel), encoding="utf-8")


def write_arm_kernel(folder: Path) -> bool:
    """Write a kernel for an emulated ARM processor beside those of write_kernels.

    Returns: whether there is an ARM Python to run.
    Raises: OSError if the emulator is missing or computes wrongly.
    """
    pythons = sorted((ARM / "root" / "usr" / "bin").glob("python3.[0-9][0-9]"))
    if not pythons:
        return False
    command = ["qemu-aarch64", "-cpu", "neoverse-n1", "-L", str(ARM / "root"), str(pythons[0])]
    # The switches of SAME_BITS mean nothing there, and torch would say so into a cell.
    places = {"PYTHONPATH": f"{ARM / 'site'}:{ROOT}", "ATEN_CPU_CAPABILITY": "default"}
    advice = "install a newer one (Debian 12: apt install -t bookworm-backports qemu-user)"
    if not shutil.which(command[0]):
        raise OSError(f"there is no qemu-aarch64, which plays an ARM processor; {advice}")
    environment = os.environ | places
    if subprocess.run([*command, "-c", PROBE], capture_output=True, env=environment).returncode:
        raise OSError(f"this qemu-aarch64 computes an LSTM wrongly, or not at all; {advice}")
    argv = [*command, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel = dict(argv=argv, display_name="aarch64", language="python", env=places)
    path = folder / "kernels" / "aarch64" / "kernel.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(kernel), encoding="utf-8")
    return True


def on_arm(notebook: Path, whole: Path, folder: Path) -> int:
    """Compare a notebook, or of a cut run the assertions, on the ARM processor; counts failed rows.

    notebook: the cut run where there is one; whole: as it is in notebooks/.
    """
    name = name_of(whole)
    if not name.startswith(ARM_WHOLE + ARM_CUT):
        return 0
    cut = name.startswith(ARM_CUT)
    kernels = "assertions" if cut else "tolerant"
    options = ["--nbval-kernel-name=aarch64", "--nbval-kernel-startup-timeout=300"]
    options += ["--nbval-cell-timeout=7200", f"--outputs={kernels}"]
    place, build = notebook if cut else whole, folder / "aarch64" / name

    def job() -> str:
        said = compare(place, build, *options, JUPYTER_PATH=str(folder))
        return said.replace("as recorded", "run, all assertions hold") if cut else said

    return row(name, "cut" if cut else "whole", "aarch64", kernels, "1", job=job)


def row(*cells: str, job: Callable[[], str]) -> int:
    """Do a job and print a row: what was run, what came out of it, the seconds.

    Returns: whether it failed.
    """
    start, failed = time.monotonic(), False
    try:
        result = job()
    except (RuntimeError, WrongCall) as error:  # the other rows go on
        reason = getattr(error, "reason", "") or str(error)
        result, failed = f"**FAILED**: {' '.join(reason.split())[:300]}", True
    print(f"| {' | '.join([*cells, result])} | {time.monotonic() - start:.0f} |", flush=True)
    return failed


def here(chosen: list[Path], folder: Path) -> int:
    """Compare notebooks, one after the other, with their recorded outputs, here.

    Returns: how many rows failed.
    """
    failed = 0
    for notebook in chosen:  # with one folder for checkpoints, so 08 takes that of 07
        job = partial(compare, notebook, folder / "here")
        failed += row(name_of(notebook), "whole", "this one", "same bits", "1", job=job)
    return failed


def elsewhere(notebook: Path, folder: Path) -> int:
    """Compare a notebook, or a cut run of it, on the emulated processors; counts failed rows."""
    name, failed, what, whole = name_of(notebook), 0, "whole", notebook
    if name in CUTS:
        what, cut = "cut", folder / "cut" / "notebooks" / f"{name}.ipynb"
        cut.parent.mkdir(parents=True, exist_ok=True)
        source = shutil.copy(notebook, cut.with_suffix(".whole.ipynb"))  # beside the few sentences
        build = str(folder / "cut" / name)
        job = partial(try_out, source, cut, CUTS[name], ATTENTION_BUILD=build)
        failed += row(name, what, "this one", "same bits", "1", job=job)
        notebook = cut
    for processor in PROCESSORS:
        options = f"--nbval-kernel-name={processor.lower()}", "--nbval-kernel-startup-timeout=300"
        build = folder / processor / name
        job = partial(compare, notebook, build, *options, JUPYTER_PATH=str(folder))
        failed += row(name, what, processor, "same bits", "1", job=job)
    if (folder / "kernels" / "aarch64").exists():
        failed += on_arm(notebook, whole, folder)
    return failed


def fast(chosen: list[Path], folder: Path, threads: str) -> int:
    """Execute notebooks one after the other with the fast kernels, in fewer trials.

    Returns: how many rows failed.
    """
    failed, folder = 0, folder / f"fast {threads}"
    environment = dict.fromkeys([*SAME_BITS, "OMP_NUM_THREADS"])
    environment |= {"ATTENTION_BUILD": str(folder), "ATTENTION_THREADS": threads}
    for notebook in chosen:
        name, defaults = name_of(notebook), read_defaults(notebook)
        wanted = FEWER | {"threads": threads}
        parameters = " ".join(f"{key} {value}" for key, value in wanted.items() if key in defaults)
        job = partial(try_out, notebook, folder / f"{name}.ipynb", parameters, **environment)
        failed += row(name, "whole", "this one", "fast", threads, job=job)
    return failed


def main(arguments: list[str]) -> int:
    """Run the matrix for notebooks and print the table; returns 1 if a row failed."""
    parser = argparse.ArgumentParser(prog="matrix", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="07, 07a, labs (default: all there are)")
    chosen = notebooks.choose(parser.parse_args(arguments).notebooks, with_solutions=True)
    folder = build_folder() / "matrix"
    shutil.rmtree(folder, ignore_errors=True)
    copy_sentences(folder / "cut" / "data")
    write_kernels(folder)
    missing = "" if write_arm_kernel(folder) else (
        " aarch64 was not run: sh helpers/workshop/set_up_aarch64.sh unpacks a Python for it."
    )  # fmt: skip
    header = "| notebook | what | processor | kernels | threads | result | seconds |"
    print(header, "|---" * 7 + "|", sep="\n", flush=True)
    with ThreadPoolExecutor(2) as pool:  # two at a time, the long ones first
        jobs = [pool.submit(fast, chosen, folder, threads) for threads in ("1", "2")]
        jobs += [pool.submit(here, chosen, folder)]
        jobs += [pool.submit(elsewhere, notebook, folder) for notebook in reversed(chosen)]
    failed = sum(job.result() for job in jobs)
    print(f"\nmatrix: {f'{failed} rows FAILED, see above' if failed else 'passed'}.{missing}")
    return int(failed > 0)
