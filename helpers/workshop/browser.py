"""JupyterLab and Chromium for a look at what a reader sees: started, and always stopped."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode
from nbformat.sign import NotebookNotary

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing but this machine answers: a picture from the network fails here as on a train.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
FLAGS = [ALONE, "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SETTINGS = {
    # no "would you like news?" over the page
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # all cells at once in the page, so that all can be checked and photographed
    "notebook-extension/tracker": {"windowingMode": "none"},
}


class CannotLook(RuntimeError):
    """What look needs is missing or did not start; the message says so in one sentence."""


def chromium() -> str | None:
    """Find Chromium: its path, or "" for the one that playwright has installed, or None."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found:
        return found
    with sync_playwright() as driver:
        return "" if Path(driver.chromium.executable_path).exists() else None


def need() -> str:
    """Return the path of Chromium, "" for playwright's own.

    Raises: CannotLook if playwright or Chromium is missing; the message says how to get it.
    """
    python = Path(sys.executable).name
    if find_spec("playwright") is None:
        how = f"{python} -m pip install playwright, in the environment of the project"
        raise CannotLook(f"The Python package playwright is missing; get it with: {how}.")
    path = chromium()
    if path is None:
        how = f"apt install chromium, or {python} -m playwright install chromium"
        raise CannotLook(f"Chromium is missing; get it with: {how}.")
    return path


@contextmanager
def browser(path: str) -> Iterator:
    """Start a Chromium without a window, and stop it in any case."""
    from playwright.sync_api import Error, sync_playwright

    with quiet_interrupts(), sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=path or None, args=FLAGS, headless=True,
            handle_sigint=False, handle_sigterm=False,
        )  # fmt: skip
        try:
            yield opened
        finally:
            with suppress(Error):  # it is gone already
                opened.close()


@contextmanager
def quiet_interrupts() -> Iterator[None]:
    """Let Ctrl-C stay one: playwright may make an error of its own of it, which this turns back."""
    interrupts = []

    def note(*_) -> None:
        interrupts.append(1)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception:
        if interrupts:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)


class Lab:
    """A JupyterLab server that shows one folder, its address and its token."""

    def __init__(self, folder: Path, home: Path):
        """Keep the folder, and a home for all that Jupyter writes: settings, signatures, logs."""
        self.folder, self.home, self.token = folder, home, secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{free.getsockname()[1]}"

    def link(self, path: str) -> str:
        """Return the address at which a notebook of the folder is opened, alone in its window."""
        return f"{self.address}/doc/tree/{path}?reset&token={self.token}"

    def ask(self, path: str, method: str = "GET"):
        """Ask the server; returns what it answers, read as JSON."""
        url = f"{self.address}/api{path}?token={self.token}"
        request = urllib.request.Request(url, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or "null")

    def stop_kernels(self) -> None:
        """Stop the kernels that JupyterLab has started for the notebooks that were opened."""
        for kernel in self.ask("/kernels"):
            self.ask(f"/kernels/{kernel['id']}", "DELETE")

    def trust(self, notebook: NotebookNode) -> None:
        """Sign a notebook, for this server only, so that the scripts in its outputs run."""
        notary = NotebookNotary(data_dir=str(self.home / "data"))
        notary.sign(notebook)
        notary.store.close()


def _settings(home: Path) -> dict[str, str]:
    """Write the settings below a home, and return the variables that make Jupyter stay in it."""
    for name, content in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), encoding="utf-8")
    (home / "data").mkdir(exist_ok=True)
    places = {
        "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime", "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }  # fmt: skip
    return {name: str(home / place) for name, place in places.items()}


@contextmanager
def lab(folder: Path, home: Path) -> Iterator[Lab]:
    """Start JupyterLab on a free port with settings of its own, and stop it in any case."""
    here = Lab(folder, home)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
        "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={here.address.rpartition(':')[2]}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={here.token}",
        f"--ServerApp.root_dir={folder}",
    ]  # fmt: skip
    environment = os.environ | _settings(home)
    with open(home / "lab.log", "w", encoding="utf-8") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, start_new_session=True,
        )  # fmt: skip
        try:
            _wait(here, server)
            yield here
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait(here: Lab, server: subprocess.Popen) -> None:
    """Wait until the server answers; raises CannotLook if it ends or takes two minutes."""
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            here.ask("/status")
            return
        except OSError:
            time.sleep(0.5)
    lines = (here.home / "lab.log").read_text(encoding="utf-8").strip().splitlines()
    raise CannotLook(f"JupyterLab did not start: {lines[-1] if lines else 'it said nothing'}")
