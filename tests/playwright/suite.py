"""Folders with a Playwright suite, run as a user would run it."""

import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.servers import RunningServer

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "packages"
HOOK = PACKAGES / "gasoline-ci" / "hook.cjs"
SUITES = Path(__file__).parent / "suites"
GASOLINE = ROOT / ".venv" / "bin" / "gasoline"
BROWSER = os.environ.get("GASOLINE_BROWSER", "/usr/bin/chromium")
NPM = shutil.which("npm") or "npm"
PATIENCE_S = 120.0

PLAIN, FIXTURE = "@playwright/test", "gasoline-playwright"

CONFIG = """
import {defineConfig} from '@playwright/test';
const {SITE, BROWSER, SUITE_OPTIONS, SUITE_USE} = process.env;
export default defineConfig({
  fullyParallel: true,
  reporter: [['json', {outputFile: 'report.json'}], ['line']],
  ...JSON.parse(SUITE_OPTIONS),
  use: {
    baseURL: SITE,
    launchOptions: {executablePath: BROWSER},
    ...JSON.parse(SUITE_USE),
  },
});
"""


class Ran(NamedTuple):
    """How a command ended, and what Playwright's JSON reporter wrote."""

    code: int
    out: str
    report: Any

    def results(self) -> dict[str, list[Any]]:
        """Every test's results, by its title."""
        return {
            spec["title"]: [result for test in spec["tests"] for result in test["results"]]
            for spec in _specs(self.report)
        }

    def attachments(self, title: str) -> dict[str, Any]:
        """What the last result of a test carries, by name."""
        return {one["name"]: one for one in self.results()[title][-1]["attachments"]}


def _specs(suite: Any) -> list[Any]:
    below = [spec for inner in suite.get("suites", []) for spec in _specs(inner)]
    return [*suite.get("specs", []), *below]


def install(folder: Path) -> None:
    """Give a folder what `npm install` would: our packages as they are published."""
    modules = folder / "node_modules"
    (modules / "@playwright").mkdir(parents=True)
    for name in ("@playwright/test", "playwright", "playwright-core"):
        (modules / name).symlink_to(ROOT / "node_modules" / name)
    (modules / ".bin").mkdir()
    (modules / ".bin" / "playwright").symlink_to("../playwright/cli.js")
    for name in ("gasoline-ci", "gasoline-playwright"):
        _unpack(PACKAGES / name, modules / name)


def _unpack(package: Path, target: Path) -> None:
    packed = subprocess.run(
        [NPM, "pack", "--json", "--pack-destination", target.parent, package],
        capture_output=True,
        text=True,
        check=True,
        cwd=target.parent,
    )
    archive = target.parent / json.loads(packed.stdout)[0]["filename"]
    with tarfile.open(archive) as files:
        files.extractall(target.parent, filter="data")
    (target.parent / "package").rename(target)
    archive.unlink()


class Suite:
    """A folder of tests against the site, and the server that their evidence goes to."""

    def __init__(self, folder: Path, site: str) -> None:
        self.folder = folder
        self.site = site
        self.server: RunningServer | None = None
        self._since = ""

    def use(self, server: RunningServer) -> None:
        """Send to this server, which may have seen other suites."""
        server.request("POST", "/clear")
        self.server = server
        self._since = snapshot_of(server)["timestamp"]

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def copy(self, *names: str, runner: str = PLAIN) -> None:
        """Take these files of `suites/`; they import `test` from ./runner."""
        for name in names:
            shutil.copy(SUITES / name, self.folder / name)
        self.write("runner.ts", f"export * from '{runner}';\n")

    def run(
        self,
        *arguments: str,
        hook: bool = False,
        port: int | None = None,
        options: Mapping[str, Any] | None = None,
        use: Mapping[str, Any] | None = None,
        **environment: str,
    ) -> Ran:
        """Run `playwright test`; options go into the configuration, use under its `use`."""
        if not (self.folder / "playwright.config.ts").exists():
            self.write("playwright.config.ts", CONFIG)
        given = {"SUITE_OPTIONS": json.dumps(options or {}), "SUITE_USE": json.dumps(use or {})}
        return self.command(
            *("node", "node_modules/.bin/playwright", "test", *arguments),
            hook=hook,
            port=port,
            **given,
            **environment,
        )

    def command(
        self, *command: str, hook: bool = False, port: int | None = None, **environment: str
    ) -> Ran:
        """Run any command in the suite's folder."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        if port is None:
            assert self.server is not None
            port = self.server.port
        ours = {
            "SITE": self.site,
            "BROWSER": BROWSER,
            "GASOLINE_PORT": str(port),
            "GASOLINE_STATE": str(self.folder / "state"),
            "PATH": f"{GASOLINE.parent}{os.pathsep}{os.environ['PATH']}",
            **({"NODE_OPTIONS": f"--require {HOOK}"} if hook else {}),
        }
        finished = subprocess.run(
            command,
            env={**os.environ, **ours, **environment},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        written = json.loads(report.read_text()) if report.exists() else {}
        return Ran(finished.returncode, finished.stdout, written)

    def attempts(self) -> dict[tuple[str, int], str]:
        """The status of every attempt."""
        return {(run["test_id"], run["attempt"]): run["status"] for run in self.runs()}

    def runs(self) -> list[Any]:
        assert self.server is not None
        runs = self.server.request("GET", "/tests").json["tests"]
        return [run for run in runs if run["started"] >= self._since[:23]]

    def evidence(self, test_id: str, attempt: int | None = None) -> Any:
        """The snapshot of one test."""
        return snapshot_of(self.server, test_id=test_id, attempt=attempt)

    def errors(self, test_id: str, attempt: int | None = None) -> list[str]:
        """What pages said with console.error during a test, in order."""
        return errors_in(self.evidence(test_id, attempt))


def new_suite(folder: Path, installed: Path, site: str) -> Suite:
    """A folder of tests with our packages installed."""
    folder.mkdir(exist_ok=True)
    (folder / "node_modules").symlink_to(installed / "node_modules")
    return Suite(folder, site)


def snapshot_of(server: RunningServer | None, **filters: str | int | None) -> Any:
    """A snapshot with these filters."""
    assert server is not None
    query = urlencode({name: value for name, value in filters.items() if value is not None})
    return server.request("GET", f"/snapshot?{query}").json


def errors_in(snapshot: Any) -> list[str]:
    """What pages said with console.error, in that order: pages do not wait for each other."""
    said = [log for log in snapshot["logs"] if log.get("type") == "console"]
    return [log["message"] for log in sorted(said, key=lambda log: str(log["ts"]))]
