"""The browser of this machine, and what a server holds of it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.bridges import running_bridge
from tests.servers import RunningServer, wait_until

BROWSER = os.environ.get("GASOLINE_BROWSER") or shutil.which("chromium") or ""
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def running_chromium(profile: Path) -> Iterator[str]:
    """A Chromium with a debugging port; yields its address."""
    command = [BROWSER, *FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    with subprocess.Popen(
        [*command, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        port_file = profile / "DevToolsActivePort"
        wait_until(
            lambda: port_file.exists() and "\n" in port_file.read_text(), "the debugging port"
        )
        try:
            yield f"http://127.0.0.1:{port_file.read_text().splitlines()[0]}"
        finally:
            process.kill()


def snapshot_of(server: RunningServer, test_id: str) -> dict[str, Any]:
    query = urlencode({"test_id": test_id})
    snapshot: dict[str, Any] = server.request("GET", f"/snapshot?{query}").json
    return snapshot


def browser_in_report(server: RunningServer, **about: str) -> str:
    """The browser that a bug report names."""
    with running_bridge(server.port, server.state_folder) as bridge:
        bridge.shake_hands()
        answer = bridge.call("generate_bug_report", inline=True, **about)
    text = answer["result"]["content"][0]["text"]
    (named,) = re.findall(r"^- Browser: (.*)$", text, re.MULTILINE)
    return str(named)


def said(server: RunningServer, test_id: str, *levels: str) -> list[str]:
    """What pages said during a test, less the capture's own greeting."""
    wanted = levels or ("error",)
    logs = snapshot_of(server, test_id)["logs"]
    return [entry["message"] for entry in logs if entry["level"] in wanted]
