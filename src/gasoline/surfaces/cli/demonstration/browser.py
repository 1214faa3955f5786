"""A headless browser of our own: found, started with a debugging port, ended with the block."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "chrome",
    "msedge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)
START_S, STOP_S, POLL_S = 20.0, 5.0, 0.02


class NoBrowserFoundError(Exception):
    """There is no browser here; the message says how to get one."""


def find_browser(environment: Mapping[str, str] = os.environ) -> Path:
    """The browser that GASOLINE_BROWSER names, else the first Chrome or Chromium."""
    if named := environment.get("GASOLINE_BROWSER"):
        return Path(named)
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    found = found or next((place for place in PLACES if Path(place).exists()), None)
    if found is None:
        raise NoBrowserFoundError(
            "No Chrome or Chromium found. Install one (apt install chromium, brew install "
            "--cask google-chrome), or name it in GASOLINE_BROWSER."
        )
    return Path(found)


@contextlib.contextmanager
def running_browser(executable: Path) -> Iterator[str]:
    """Run it headless with a profile of its own; yields the address of its debugging port."""
    with tempfile.TemporaryDirectory(
        prefix="gasoline-demo-", ignore_cleanup_errors=True
    ) as profile:
        flags = [*FLAGS, f"--user-data-dir={profile}"]
        if sys.platform == "linux" and os.getuid() == 0:
            # Chrome refuses its sandbox to root; the demo visits its own pages only.
            flags.append("--no-sandbox")
        process = subprocess.Popen(
            [str(executable), *flags, "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"http://127.0.0.1:{_wait_for_port(Path(profile), process, executable)}"
        finally:
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for_port(profile: Path, process: subprocess.Popen[bytes], executable: Path) -> int:
    deadline = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError, IndexError):
            return int((profile / "DevToolsActivePort").read_text().splitlines()[0])
        time.sleep(POLL_S)
    raise NoBrowserFoundError(f"{executable} did not start. Name another one in GASOLINE_BROWSER.")
