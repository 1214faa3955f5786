"""How much longer 50 browser tests take under `gasoline run`, with each of two runners."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from table import Row, report

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from examples.shop.server import running_shop  # noqa: E402  # found only now

BROWSER = os.environ.get("GASOLINE_BROWSER", "/usr/bin/chromium")
TESTS = 50
PAIRS = 5
WARM_UP = "2"
BUDGET_PERCENT = 5

# A visit as most tests make one: two pages, a click, a form, an expectation.
PLAYWRIGHT_TESTS = """
import {expect, test} from '@playwright/test';
for (let number = 0; number < Number(process.env.TESTS); number++) {
  test(`visit ${number}`, async ({page}) => {
    await page.goto('/');
    await page.locator('a[href="/products/101"]').first().click();
    await expect(page).toHaveURL(/products/);
    await page.goto('/login');
    await page.locator('input[type=email]').fill('sam@harbourlane.example');
    await page.goto('/cart');
    await expect(page.locator('h1')).toHaveText('Your cart');
  });
}
"""
PLAYWRIGHT_CONFIG = """
import {defineConfig} from '@playwright/test';
export default defineConfig({
  workers: 1, reporter: 'line',
  use: {baseURL: process.env.SHOP, launchOptions: {executablePath: process.env.BROWSER}},
});
"""
PYTEST_TESTS = """
import os, re
import pytest
from playwright.sync_api import expect

@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": os.environ["BROWSER"], "args": ["--no-sandbox"]}

@pytest.fixture(scope="session")
def browser_context_args():
    return {"base_url": os.environ["SHOP"]}

@pytest.mark.parametrize("number", range(int(os.environ["TESTS"])))
def test_visit(page, number):
    page.goto("/")
    page.locator('a[href="/products/101"]').first.click()
    expect(page).to_have_url(re.compile("products"))
    page.goto("/login")
    page.locator("input[type=email]").fill("sam@harbourlane.example")
    page.goto("/cart")
    expect(page.locator("h1")).to_have_text("Your cart")
"""


def prepare_playwright(folder: Path) -> list[str]:
    """A folder with a suite of Playwright Test, and the command that runs it."""
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    (folder / "playwright.config.ts").write_text(PLAYWRIGHT_CONFIG)
    (folder / "visits.spec.ts").write_text(PLAYWRIGHT_TESTS)
    return ["node", "node_modules/playwright/cli.js", "test"]


def prepare_pytest(folder: Path) -> list[str]:
    """A folder with a suite of pytest, and the command that runs it."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_visits.py").write_text(PYTEST_TESTS)
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


RUNNERS: dict[str, Callable[[Path], list[str]]] = {
    "Playwright Test": prepare_playwright,
    "pytest": prepare_pytest,
}


def measure(
    *, runners: list[str] | None = None, tests: int = TESTS, pairs: int = PAIRS
) -> list[Row]:
    """Each runner's suite without and with, in turns."""
    return [row for name in runners or RUNNERS for row in _measure(name, tests, pairs)]


def _measure(name: str, tests: int, pairs: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as place, running_shop() as shop:
        folder = Path(place)
        command = RUNNERS[name](folder)
        environment = {
            **os.environ,
            "SHOP": shop.url,
            "BROWSER": BROWSER,
            "TESTS": str(tests),
            "GASOLINE_STATE": str(folder / "state"),
        }
        watched = [sys.executable, "-m", "gasoline", "run", "--", *command]
        # A little of each before it counts: files and bytecode come from the disk only then.
        for first in (command, watched):
            _seconds(first, folder, {**environment, "TESTS": WARM_UP})
        times = [
            (_seconds(command, folder, environment), _seconds(watched, folder, environment))
            for _ in range(pairs)
        ]
    longer = [100 * (with_it / without - 1) for without, with_it in times]
    return [
        Row(
            what=f"{tests} tests of {name}, longer by",
            measured=median(longer),
            unit="%",
            budget=BUDGET_PERCENT,
        ),
        Row(
            what=f"{tests} tests of {name}, without",
            measured=median(without for without, _ in times),
            unit="s",
        ),
    ]


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
    parser.add_argument("--tests", type=int, default=TESTS, help="in the suite (default: 50)")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="to measure (default: 5)")
    given = parser.parse_args()
    runners = [given.runner] if given.runner else None
    report(measure(runners=runners, tests=given.tests, pairs=given.pairs))


if __name__ == "__main__":
    main()
