"""A thousand browser tests over ten workers: no crash, nothing lost, little memory."""

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from browser import BROWSER
from servers import Running, gasoline_server
from table import Row, report

TESTS = 1000
WORKERS = 10
SAMPLE_S = 0.25
MIB = 1024 * 1024
BUDGET_MB = 100

# Each says something of its own and asks for something that is not there; every tenth fails.
SUITE = """
import os
import pytest
from playwright.sync_api import sync_playwright

PAGE = "<!doctype html><title>soak</title><h1>soak</h1>"

@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["BROWSER"], args=["--no-sandbox"]
        )
        yield browser
        browser.close()

def new_context(browser):
    context = browser.new_context()
    context.route("**/page", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    context.route("**/missing", lambda route: route.fulfill(status=500, body='{"error":"gone"}'))
    return context

# Shared by ten tests: a context costs the browser a process, and it is not the browser we soak.
@pytest.fixture(scope="session")
def new_page(browser):
    opened = []

    def open_page():
        is_due = len(opened) % 10 == 0
        if is_due and opened:
            opened[-1].context.close()
        context = new_context(browser) if is_due else opened[-1].context
        opened.append(context.new_page())
        return opened[-1]

    return open_page

@pytest.mark.parametrize("number", range(int(os.environ["TESTS"])))
def test_soak(new_page, number):
    page = new_page()
    page.goto("http://soak.test/page")
    for n in range(3):
        page.evaluate("console.error(%r)" % f"{number} says {n}")
    page.evaluate("fetch('/missing').then(answer => answer.text())")
    page.close()
    assert number % 10
"""


def measure(*, tests: int = TESTS, workers: int = WORKERS) -> list[Row]:
    """What arrived of what was shown, how much of it, and the server's memory meanwhile."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        record = folder / "record.jsonl"
        with gasoline_server("--record", str(record)) as server:
            with _highest_memory(server) as peak:
                crashed = _run_suite(folder, server, tests, workers)
            assert psutil.pid_exists(server.pid), "the server crashed"
            intact = _count_intact(server, record)
    return [
        Row(
            what=f"{tests} tests over {workers} workers, evidence whole",
            measured=100 * intact / tests,
            unit="%",
            budget=100,
            budget_is="at least",
        ),
        Row(what="workers that crashed", measured=crashed, unit="", budget=1),
        Row(
            what="the server's highest resident",
            measured=peak[0] / MIB,
            unit="MB",
            budget=BUDGET_MB,
        ),
    ]


def _run_suite(folder: Path, server: Running, tests: int, workers: int) -> int:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_suite.py").write_text(SUITE)
    finished = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:playwright",
            ),
            *("--tb=no", "-n", str(workers), "--gasoline", "--gasoline-port", str(server.port)),
        ],
        cwd=folder,
        env={**server.environment, "TESTS": str(tests), "BROWSER": BROWSER},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = tests // 10 + bool(tests % 10)
    assert f"{failed} failed, {tests - failed} passed" in finished.stdout, finished.stdout[-3000:]
    return finished.stdout.count("crashed while running")


def _count_intact(server: Running, record: Path) -> int:
    """How many tests have exactly what their page showed."""
    command = [sys.executable, "-m", "gasoline", "report", "--format", "json"]
    finished = subprocess.run(
        [*command, "--from", str(record)], env=server.environment, capture_output=True, check=True
    )
    tests = json.loads(finished.stdout)["tests"]
    return sum(_is_intact(test) for test in tests)


def _is_intact(test: dict[str, Any]) -> bool:
    number = test["test_id"].partition("[")[2].rstrip("]")
    said = [error["message"] for error in test.get("errors", []) if error["source"] == "console"]
    failures = [failure["status"] for failure in test.get("network_failures", [])]
    return said == [f"{number} says {n}" for n in range(3)] and failures == [500]


@contextlib.contextmanager
def _highest_memory(server: Running) -> Iterator[list[int]]:
    """Watch the server while the block runs."""
    process, peak, done = psutil.Process(server.pid), [0], threading.Event()

    def watch() -> None:
        while not done.wait(SAMPLE_S):
            peak[0] = max(peak[0], process.memory_info().rss)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=TESTS, help="in all (default: 1000)")
    parser.add_argument("--workers", type=int, default=WORKERS, help="at a time (default: 10)")
    given = parser.parse_args()
    began = time.monotonic()
    rows = measure(tests=given.tests, workers=given.workers)
    rows.append(Row(what="the whole soak", measured=time.monotonic() - began, unit="s"))
    report(rows)


if __name__ == "__main__":
    main()
