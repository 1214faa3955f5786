"""Running generated tests as their user would: many in one process of the runner."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from tests.drivers.browsers import BROWSER

ROOT = Path(__file__).parents[2]
PATIENCE_S = 1500
TEST_TIMEOUT_MS = 60_000
# What was never captured, whoever runs a test provides.
SECRETS = {
    "GASOLINE_PASSWORD": "lighthouse",
    "GASOLINE_CARD_NUMBER": "4242 4242 4242 4242",
    "GASOLINE_EXPIRY": "12/29",
    "GASOLINE_SECURITY_CODE": "123",
}

PLAYWRIGHT_CONFIG = """
import {{ defineConfig }} from '@playwright/test';
export default defineConfig({{
  testDir: '.',
  timeout: {timeout},
  workers: 2,
  fullyParallel: true,
  repeatEach: {times},
  updateSnapshots: {pictures},
  reporter: [['json', {{ outputFile: 'report.json' }}]],
  expect: {{ timeout: 5000 }},
  use: {{ launchOptions: {{ executablePath: {browser}, args: ['--no-sandbox'] }} }},
}});
"""
PYTEST_CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {{"executable_path": {browser}, "args": ["--no-sandbox"]}}

@pytest.fixture(autouse=True)
def patience(page):
    page.set_default_timeout({timeout})

def pytest_generate_tests(metafunc):
    metafunc.fixturenames.append("time_of_many")
    metafunc.parametrize("time_of_many", range({times}))
"""


class Outcome(NamedTuple):
    """How often a test ran and passed, and what it said when it did not."""

    runs: int
    passed: int
    said: str

    @property
    def always_passed(self) -> bool:
        return self.runs > 0 and self.passed == self.runs


def run_playwright(
    folder: Path,
    scripts: Mapping[str, str],
    *,
    times: int = 1,
    timeout_ms: int = TEST_TIMEOUT_MS,
    takes_pictures: bool = False,
) -> dict[str, Outcome]:
    """Run files of Playwright Test; the outcome of each by its name."""
    settings = {
        "timeout": timeout_ms,
        "times": times,
        "browser": json.dumps(BROWSER),
        "pictures": "'all'" if takes_pictures else "'none'",
    }
    (folder / "playwright.config.ts").write_text(PLAYWRIGHT_CONFIG.format(**settings))
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(ROOT / "node_modules")
    for name, script in scripts.items():
        (folder / f"{name}.spec.ts").write_text(script, encoding="utf-8")
    said = _run(folder, "node", str(ROOT / "node_modules/.bin/playwright"), "test")
    report = folder / "report.json"
    assert report.exists(), said
    outcomes: dict[str, Outcome] = {}
    for suite in json.loads(report.read_text())["suites"]:
        results = [
            result for spec in _specs(suite) for t in spec["tests"] for result in t["results"]
        ]
        outcomes[suite["file"].removesuffix(".spec.ts")] = Outcome(
            len(results),
            sum(result["status"] == "passed" for result in results),
            "\n".join(e.get("message", "") for result in results for e in result["errors"])[:3000],
        )
    return outcomes


def run_pytest(
    folder: Path,
    scripts: Mapping[str, str],
    *,
    times: int = 1,
    timeout_ms: int = TEST_TIMEOUT_MS,
) -> dict[str, Outcome]:
    """Run files of pytest; the outcome of each by its name."""
    settings = {"timeout": timeout_ms, "times": times, "browser": repr(BROWSER)}
    (folder / "conftest.py").write_text(PYTEST_CONFTEST.format(**settings))
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, script in scripts.items():
        (folder / f"test_{name}.py").write_text(script, encoding="utf-8")
    report = folder / "report.xml"
    said = _run(
        folder,
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:gasoline", "-p", "no:cacheprovider"),
        *("-n", "2", f"--junitxml={report}", "--tb=short"),
    )
    assert report.exists(), said
    return _read_junit(report.read_text(encoding="utf-8"), scripts)


def _read_junit(text: str, names: Mapping[str, str]) -> dict[str, Outcome]:
    cases: dict[str, list[Any]] = {name: [] for name in names}
    for case in ET.fromstring(text).iter("testcase"):  # noqa: S314  # our own runner wrote it
        module = (case.get("classname") or "").rpartition(".")[2] or (case.get("name") or "")
        cases.setdefault(module.removeprefix("test_"), []).append(case)
    return {
        name: Outcome(
            len(found),
            sum(len(case) == 0 or case[0].tag.startswith("system") for case in found),
            "\n".join((part.text or "") for case in found for part in case)[:3000],
        )
        for name, found in cases.items()
    }


def _specs(suite: Any) -> list[Any]:
    return [
        *suite.get("specs", []),
        *(s for inner in suite.get("suites", []) for s in _specs(inner)),
    ]


def _run(folder: Path, *command: str) -> str:
    finished = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **SECRETS, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return finished.stdout + finished.stderr
