"""Building the apps, once for each version of their sources, and serving them with their API."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

APPS = Path(__file__).parent
ROOT = APPS.parents[1]
CACHE = ROOT / ".cache" / "apps"
VITE = ROOT / "node_modules" / ".bin" / "vite"
CONFIG = APPS / "vite.config.mjs"

Framework = Literal["react", "vue", "svelte"]
Mode = Literal["development", "production"]
FRAMEWORKS: tuple[Framework, ...] = ("react", "vue", "svelte")

# What the code expects, and what it gets by default: no total and no shipping.
WHOLE_ORDER = {
    "id": 7,
    "customer": "Ada",
    "total": {"amount": 42.5, "currency": "EUR"},
    "shipping": {"address": "12 Analytical Row"},
    "items": [{"id": 1, "name": "Lamp"}, {"id": 2, "name": "Chair"}],
}
BROKEN_ORDER = {**WHOLE_ORDER, "total": None, "shipping": None}


class App:
    """A served app; what its API answers can be changed while it runs."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.order: dict[str, Any] = BROKEN_ORDER


@contextmanager
def running_app(framework: Framework, mode: Mode = "production") -> Iterator[App]:
    """Serve a build of the app."""
    with _serving(build_app(framework, mode)) as app:
        yield app


@contextmanager
def running_dev_server(framework: Framework) -> Iterator[App]:
    """Serve the app as Vite does while someone works on it: one module per file."""
    with _serving(APPS / framework) as api:
        process = subprocess.Popen(
            [VITE, "--config", CONFIG, "--port", "0", "--clearScreen", "false"],
            cwd=APPS / framework,
            env=_environment(framework, "development") | {"GASOLINE_APP_API": api.url},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            api.url = _address_said_by(process)
            yield api
        finally:
            process.terminate()
            process.communicate()


def build_app(framework: Framework, mode: Mode) -> Path:
    """The folder of a build that matches the sources."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = CACHE / f"{framework}-{mode}-{_version_of_sources(framework)}"
    with (CACHE / f"{framework}-{mode}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _build(framework, mode, folder)
    return folder


def _build(framework: Framework, mode: Mode, folder: Path) -> None:
    for outdated in CACHE.glob(f"{framework}-{mode}-*"):
        shutil.rmtree(outdated)
    unfinished = CACHE / f"{framework}-{mode}.unfinished"
    built = subprocess.run(
        [VITE, "build", "--config", CONFIG, "--mode", mode, "--outDir", unfinished],
        cwd=APPS / framework,
        env=_environment(framework, mode),
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, f"Vite cannot build {framework}: {built.stdout}{built.stderr}"
    unfinished.rename(folder)


def _environment(framework: Framework, mode: Mode) -> dict[str, str]:
    # One each: a server whose packages another one bundles anew has its pages load again.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    return {
        **os.environ,
        "NODE_ENV": mode,
        "NO_COLOR": "1",
        "GASOLINE_APP_CACHE": str(CACHE / f"vite-{framework}-{worker}"),
    }


def _version_of_sources(framework: Framework) -> str:
    sources = [*sorted((APPS / framework).iterdir()), *sorted(APPS.glob("*.*js"))]
    locked = ROOT / "package-lock.json"
    return sha256(b"\0".join(path.read_bytes() for path in [*sources, locked])).hexdigest()[:12]


def _address_said_by(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found[0]
    raise AssertionError(f"Vite's server did not start: {''.join(said)}")


@contextmanager
def _serving(folder: Path) -> Iterator[App]:
    app = App("")

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/api/"):
                self._answer(json.dumps(app.order).encode())
            else:
                super().do_GET()

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        server.daemon_threads = True
        app.url = f"http://127.0.0.1:{server.server_address[1]}/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield app
        server.shutdown()
