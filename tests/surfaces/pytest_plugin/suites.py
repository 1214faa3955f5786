"""Small suites of users, run as users run them: in a folder and a process of their own."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.drivers.browsers import BROWSER, DRIVER, FLAGS
from tests.servers import RunningServer, environment_of

PATIENCE_S = 120
SECTION = re.compile(r"^-+ Browser \(Gasoline\) -+\n((?:(?![-=_]{5}).*\n)*)", re.MULTILINE)

CONFTEST = """
import os
import pytest

@pytest.fixture(scope="session")
def site():
    return os.environ["SITE"]

@pytest.fixture(scope="session")
def launch_options():
    return {"executable_path": os.environ["BROWSER"], "args": os.environ["FLAGS"].split()}

@pytest.fixture(scope="session")
def browser_type_launch_args(launch_options):
    return launch_options
"""
CONFIGURATION = """[pytest]
asyncio_default_fixture_loop_scope = function
"""


class Finished(NamedTuple):
    """How a run of pytest ended."""

    code: int
    out: str

    @property
    def sections(self) -> list[str]:
        """What failing tests showed of the browser."""
        return SECTION.findall(self.out)


def run_suite(folder: Path, text: str, *arguments: str, site: str = "", **more: str) -> Finished:
    """Write `test_suite.py` into a folder and run pytest there."""
    (folder / "pytest.ini").write_text(CONFIGURATION)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_suite.py").write_text(text)
    environment = {
        **environment_of(folder / "state"),
        "SITE": site,
        "BROWSER": BROWSER,
        "DRIVER": DRIVER or "",
        "FLAGS": " ".join(FLAGS),
        **more,
    }
    for name in ("GASOLINE_RUN", "GASOLINE_PORT", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        if name not in more:
            environment.pop(name, None)
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return Finished(finished.returncode, finished.stdout + finished.stderr)


def statuses(server: RunningServer) -> dict[str, list[str]]:
    """How each attempt at each test ended, as the server has it."""
    found: dict[str, list[str]] = {}
    for test in server.request("GET", "/tests").json["tests"]:
        found.setdefault(test["test_id"], []).append(test["status"])
    return found
