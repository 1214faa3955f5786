"""How much longer a shop's browser tests take under `gasoline run`, with each of three runners."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from browser import BROWSER
from table import Row, report

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from examples.shop.server import running_shop  # noqa: E402  # found only now

# What the shop's owner would test: 19 tests of one to five pages each, here with nothing broken.
JOURNEYS = ROOT / "tests" / "suites" / "projects"
TESTS = 19
TIMES = 3
PAIRS = 5
BUDGET_PERCENT = 5
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

PLAYWRIGHT_CONFIG = """
import {defineConfig} from '@playwright/test';
export default defineConfig({
  workers: 1, reporter: 'line', repeatEach: Number(process.env.TIMES),
  use: {baseURL: process.env.SHOP, launchOptions: {executablePath: process.env.BROWSER}},
});
"""


def prepare_playwright(folder: Path) -> list[str]:
    """A folder with a suite of Playwright Test, and the command that runs it."""
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    (folder / "playwright.config.ts").write_text(PLAYWRIGHT_CONFIG)
    shutil.copy(JOURNEYS / "shop.spec.ts", folder)
    return ["node", "node_modules/playwright/cli.js", "test"]


def prepare_pytest(folder: Path, times: int = TIMES) -> list[str]:
    """A folder with a suite of pytest whose browser Playwright drives, and the command."""
    return _prepare_pytest(folder, "playwright_conftest.py", times)


def prepare_selenium(folder: Path) -> list[str]:
    """The same, driven by Selenium: one browser for all tests."""
    return _prepare_pytest(folder, "selenium_conftest.py", TIMES)


def _prepare_pytest(folder: Path, driver: str, times: int) -> list[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    shutil.copy(JOURNEYS / driver, folder / "conftest.py")
    for number in range(times):
        shutil.copy(JOURNEYS / "shop_journeys.py", folder / f"test_shop_{number:02}.py")
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


RUNNERS: dict[str, Callable[[Path], list[str]]] = {
    "Playwright Test": prepare_playwright,
    "pytest": prepare_pytest,
    "Selenium": prepare_selenium,
}


def measure(*, runners: list[str] | None = None, pairs: int = PAIRS) -> list[Row]:
    """Each runner's suite without and with, in turns."""
    return [row for name in runners or RUNNERS for row in _measure(name, pairs)]


def _measure(name: str, pairs: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as place, running_shop() as shop:
        folder = Path(place)
        command = RUNNERS[name](folder)
        environment = environment_for(shop.url, folder)
        watched = [sys.executable, "-m", "gasoline", "run", "--", *command]
        # The first of each does not count: files and bytecode come from the disk only then.
        for warming_up in (command, watched):
            _seconds(warming_up, folder, environment)
        without = [_seconds(command, folder, environment)]
        watching = []
        for _ in range(pairs):
            watching.append(_seconds(watched, folder, environment))
            without.append(_seconds(command, folder, environment))
    # Each is held against those right before and after it: a machine's speed drifts by the minute.
    longer = [
        100 * (took / mean(around) - 1)
        for took, around in zip(watching, pairwise(without), strict=True)
    ]
    return [
        Row(
            what=f"{TESTS * TIMES} tests of {name}, longer by",
            measured=median(longer),
            unit="%",
            budget=BUDGET_PERCENT,
        ),
        Row(
            what=f"{TESTS * TIMES} tests of {name}, without",
            measured=median(without),
            unit="s",
        ),
    ]


def environment_for(shop_url: str, folder: Path) -> dict[str, str]:
    """What the suites read: where the shop and the browser are, and that nothing is broken."""
    return {
        # Bytecode is kept, as everywhere but where somebody forbids it.
        **{name: value for name, value in os.environ.items() if name != NO_BYTECODE},
        "SHOP": shop_url,
        "SOUND": "1",
        "TIMES": str(TIMES),
        "BROWSER": BROWSER,
        "DRIVER": shutil.which("chromedriver") or "",
        "FLAGS": "--no-sandbox --headless=new",
        "GASOLINE_STATE": str(folder / "state"),
    }


def _seconds(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    finished = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - began
    assert finished.returncode == 0, finished.stdout[-2000:] + finished.stderr[-2000:]
    return took


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runner", choices=RUNNERS, help="only this one")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="to measure (default: 5)")
    given = parser.parse_args()
    runners = [given.runner] if given.runner else None
    report(measure(runners=runners, pairs=given.pairs))


if __name__ == "__main__":
    main()
