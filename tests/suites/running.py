"""Suites of users in folders of their own, run behind `gasoline run`, and what it reported."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests.drivers.browsers import BROWSER, DRIVER, FLAGS

PROJECTS = Path(__file__).parent / "projects"
PATIENCE_S = 300
PLAYWRIGHT_TEST = ("node", "node_modules/.bin/playwright", "test")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
PLAYWRIGHT_CONFIG = """
import {defineConfig} from '@playwright/test';
export default defineConfig({
  fullyParallel: true,
  reporter: 'line',
  use: {baseURL: process.env.SHOP, launchOptions: {executablePath: process.env.BROWSER}},
});
"""
# As strict as a user may be: a warning of ours would break the run.
PYTEST_CONFIG = """[pytest]
asyncio_default_fixture_loop_scope = function
filterwarnings =
    error
    ignore:Session-scoped fixtures defined as instance methods
"""
SECTION = re.compile(r"^## Test Failure: (.*?)$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class Reported(NamedTuple):
    """How a run ended, and the reports in its folder."""

    code: int
    out: str
    folder: Path

    @property
    def ai_context(self) -> str:
        return (self.folder / "ai-context.md").read_text()

    @property
    def json(self) -> Any:
        return json.loads((self.folder / "report.json").read_text())

    @property
    def statuses(self) -> dict[str, str]:
        return {test["test_id"]: test["status"] for test in self.json["tests"]}

    def section(self, fault: str) -> str:
        """What the AI context says of the failure of the test for a fault, on one line."""
        sections = SECTION.findall(self.ai_context)
        (found,) = [name + text for name, text in sections if _is_about(name, fault)]
        return " ".join(found.split())

    def test(self, fault: str) -> Any:
        """The test for a fault in the JSON report."""
        (found,) = [test for test in self.json["tests"] if _is_about(test["test_id"], fault)]
        return found


def _is_about(test_id: str, fault: str) -> bool:
    return fault in test_id.replace("_", "-")


class Project:
    """A user's folder with tests."""

    def __init__(self, folder: Path, installed: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "node_modules").symlink_to(installed / "node_modules")
        self.write("playwright.config.ts", PLAYWRIGHT_CONFIG)
        self.write("pytest.ini", PYTEST_CONFIG)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def take(self, **names: str) -> None:
        """Copy files of `projects/`, each under the name that it has for the user."""
        for source, target in names.items():
            (found,) = PROJECTS.glob(f"{source}.*")
            shutil.copy(found, self.folder / target)

    def run(self, *command: str, **environment: str) -> Reported:
        """Run a command behind `gasoline run`."""
        ours = {
            "BROWSER": BROWSER,
            "DRIVER": DRIVER or "",
            "FLAGS": " ".join(FLAGS),
            "GASOLINE_STATE": str(self.folder / "state"),
            **environment,
        }
        finished = subprocess.run(
            [sys.executable, "-m", "gasoline", "run", "--report-dir", "out", "--", *command],
            cwd=self.folder,
            env={**_plain(os.environ), **ours},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        return Reported(finished.returncode, finished.stdout, self.folder / "out")


def _plain(environment: Iterable[str]) -> dict[str, str]:
    """The environment without what our own run of pytest puts there."""
    ours = ("PYTEST_", "GASOLINE_RUN", "GASOLINE_PORT")
    return {name: os.environ[name] for name in environment if not name.startswith(ours)}
