"""Compare notebooks with their recorded outputs: the one place that says how nbval is called."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from helpers.tools.notebooks import ROOT

# And the kernel: --nbval-current-env, or --nbval-kernel-name=NAME.
NBVAL = ["-p", "helpers.tools.nbval_plugin", "--nbval", "--nbval-cell-timeout=900"]


def nbval(
    notebook: Path, folder: Path, *options: str, **environment: str
) -> tuple[int, dict[int, str]]:
    """Run nbval on a notebook, with a folder for its report and the checkpoints of this run.

    Returns: how many cells were run, and what nbval says of each that failed, under its place
    among the code cells.
    Raises: RuntimeError if nbval did not run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / f"{notebook.stem}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *NBVAL]
    command += options or ["--nbval-current-env"]
    command += ["--rootdir", notebook.parent, "--junitxml", report, notebook]
    environment = os.environ | {"ATTENTION_BUILD": str(folder)} | environment
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    if done.returncode not in (0, 1) or not report.exists():
        output = (done.stdout + done.stderr)[-300:]
        raise RuntimeError(f"nbval did not run on {notebook.name}: {output}")
    total, failed = 0, {}
    for case in ElementTree.parse(report).iter("testcase"):
        total += 1
        for fault in [*case.iter("failure"), *case.iter("error")]:
            failed[int(case.get("name").rsplit(" ", 1)[1])] = fault.get("message") or ""
    return total, failed
