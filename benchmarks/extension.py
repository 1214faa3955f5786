"""What the extension costs a page's load, and how fast it answers after two idle minutes."""

import argparse
import contextlib
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from browser import BROWSER
from capture import serving_shop
from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, sync_playwright
from servers import Running, gasoline_server
from table import Row, report

EXTENSION = Path(__file__).parents[1] / "src" / "gasoline" / "assets" / "extension"
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run")
DEFAULT_SERVER = "http://localhost:7890"
SESSIONS = 5
TABS = 12
RESTED = 3
LOADS = 4
WARM_UP = 3
IDLE_S = 120.0
BROWSERS = 3
START_TIMEOUT_S = 30.0
POLL_S = 0.1
# What may come when the page has loaded has come by then.
REST_MS = 1000


def measure(*, idle_s: float = IDLE_S) -> list[Row]:
    """A page's load without extension, with an empty one and with ours; answers after a rest."""
    with serving_shop() as url:
        costs = _added_ms(url)
        first_answer_ms = _first_answer_ms(url, idle_s)
    rested = f"first question after {idle_s:g} idle seconds, median of {BROWSERS} browsers"
    return [
        Row(
            what="page load in a new tab, main thread, what an extension with empty scripts adds",
            measured=costs.empty_new_ms,
            unit="ms",
        ),
        Row(
            what="page load in a new tab, main thread, what ours adds to that",
            measured=costs.ours_new_ms,
            unit="ms",
            budget=5,
        ),
        Row(
            what="the second after the load of a new tab, main thread, what ours adds",
            measured=costs.ours_after_ms,
            unit="ms",
        ),
        Row(
            what="page load in a tab in use, main thread, what ours adds to an empty one",
            measured=costs.ours_used_ms,
            unit="ms",
            budget=5,
        ),
        Row(what=rested, measured=first_answer_ms, unit="ms", budget=50),
    ]


class Costs(NamedTuple):
    """What extensions add to the page loads of a tab: to its first, and to those after it."""

    empty_new_ms: float
    ours_new_ms: float
    ours_after_ms: float
    ours_used_ms: float


def _added_ms(url: str) -> Costs:
    """What any extension costs, and what ours adds: the median of several sessions.

    All tabs of a browser are forks of one process and have its luck, with where things lie in
    memory and what is in the way there.
    """
    return Costs(*map(median, zip(*(_session_ms(url) for _ in range(SESSIONS)), strict=True)))


def _session_ms(url: str) -> Costs:
    """The same in three browsers: medians of loads in turn."""
    with (
        gasoline_server() as server,
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        extension = _extension_for(server, Path(folder))
        contexts = [
            _context(playwright, Path(folder) / "plain"),
            _context(playwright, Path(folder) / "idle", _emptied(extension, Path(folder))),
            _context(playwright, Path(folder) / "watched", extension),
        ]
        rounds = [[_loads_ms(context, url) for context in contexts] for _ in range(WARM_UP + TABS)]
        afterwards = [[_after_ms(context, url) for context in contexts] for _ in range(RESTED)]
        for context in contexts:
            context.close()
    plain, empty, ours = zip(*rounds[WARM_UP:], strict=True)
    _, empty_after, ours_after = zip(*afterwards, strict=True)
    return Costs(
        empty_new_ms=_first(empty) - _first(plain),
        ours_new_ms=_first(ours) - _first(empty),
        ours_after_ms=median(ours_after) - median(empty_after),
        ours_used_ms=_later(ours) - _later(empty),
    )


def _first(tabs: Sequence[list[float]]) -> float:
    return median(first for first, *_ in tabs)


def _later(tabs: Sequence[list[float]]) -> float:
    return median(later for _, *loads in tabs for later in loads)


def _context(
    playwright: Playwright, profile: Path, extension: Path | None = None
) -> BrowserContext:
    return playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=BROWSER,
        headless=False,
        args=[*FLAGS, *(_loading(extension) if extension else ["--disable-extensions"])],
    )


def _loads_ms(context: BrowserContext, url: str) -> list[float]:
    """How long a new tab's main thread worked for each load: unlike the time, nobody else's doing.

    The first one is that of a process which has run no script before.
    """
    with _tab(context) as (page, devtools):
        return [_load_ms(page, devtools, url) for _ in range(LOADS)]


def _after_ms(context: BrowserContext, url: str) -> float:
    """How long it worked in the second after its first load."""
    with _tab(context) as (page, devtools):
        until_load_ms = _load_ms(page, devtools, url)
        page.wait_for_timeout(REST_MS)
        return _worked_ms(devtools) - until_load_ms


@contextlib.contextmanager
def _tab(context: BrowserContext) -> Iterator[tuple[Page, CDPSession]]:
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    yield page, devtools
    page.close()


def _load_ms(page: Page, devtools: CDPSession, url: str) -> float:
    page.goto(url, wait_until="load")
    return _worked_ms(devtools)


def _worked_ms(devtools: CDPSession) -> float:
    # It counts from where the page's document began.
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    (seconds,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
    return float(seconds) * 1000


def _first_answer_ms(url: str, idle_s: float) -> float:
    """Several browsers rest at the same time; each is asked once."""
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(gasoline_server()) for _ in range(BROWSERS)]
        for server in servers:
            stack.enter_context(_unattended_browser(server, url))
        for server in servers:
            _await_page(server)
        time.sleep(idle_s)
        return median(_ask_ms(server) for server in servers)


@contextlib.contextmanager
def _unattended_browser(server: Running, url: str) -> Iterator[None]:
    """As a user starts it: a debugger attached to its worker would keep that awake."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        extension = _extension_for(server, Path(folder))
        command = [BROWSER, *FLAGS, f"--user-data-dir={folder}/profile", *_loading(extension), url]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                yield
            finally:
                process.terminate()


def _extension_for(server: Running, folder: Path) -> Path:
    """The extension as it is shipped, but for the port of its server."""
    copied = Path(shutil.copytree(EXTENSION, folder / "extension"))
    worker = copied / "background.js"
    script = worker.read_text(encoding="utf-8")
    worker.write_text(
        script.replace(DEFAULT_SERVER, f"http://127.0.0.1:{server.port}"), encoding="utf-8"
    )
    return copied


def _emptied(extension: Path, folder: Path) -> Path:
    """The same extension in the browser's eyes, with scripts that do nothing."""
    copied = Path(shutil.copytree(extension, folder / "empty"))
    for script in ("page.js", "companion.js", "content.js", "background.js"):
        (copied / script).write_text("", encoding="utf-8")
    return copied


def _loading(extension: Path) -> list[str]:
    return [f"--load-extension={extension}", f"--disable-extensions-except={extension}"]


def _await_page(server: Running) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while "isError" in _ask(server):
        if time.monotonic() > deadline:
            sys.exit("No page answered. Run the browser by hand to see why.")
        time.sleep(POLL_S)


def _ask_ms(server: Running) -> float:
    started = time.perf_counter()
    answer = _ask(server)
    took_ms = (time.perf_counter() - started) * 1000
    assert "isError" not in answer, answer
    return took_ms


def _ask(server: Running) -> dict[str, Any]:
    call = {"name": "query_dom", "arguments": {"selector": "h1"}}
    question = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=START_TIMEOUT_S)
    connection.request("POST", "/mcp", json.dumps(question))
    result: dict[str, Any] = json.loads(connection.getresponse().read())["result"]
    connection.close()
    return result


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=float, default=IDLE_S, help="seconds (default: 120)")
    report(measure(idle_s=parser.parse_args().idle))


if __name__ == "__main__":
    main()
