"""Install the list of environment.yml into the Python that runs this, from any folder."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def packages() -> list[str]:
    """Return the lines of the list for pip, which is the last section, without their comments."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    lines = re.split(r"^ *- pip: *$", text, flags=re.MULTILINE)[1].splitlines()
    return [match[1] for line in lines if (match := re.match(r" *- (.*?)\s*(?:#|$)", line))]


if __name__ == "__main__":
    words = [word for line in packages() for word in line.split()]
    sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", *words], cwd=ROOT))
