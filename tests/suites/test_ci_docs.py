"""Every snippet of docs/ci.md, done as it says, in a project whose suite fails."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest
from ruamel.yaml import YAML

from examples.shop.server import RunningShop
from tests.drivers.browsers import BROWSER, FLAGS, running_chromium
from tests.servers import free_port
from tests.suites.running import PLAYWRIGHT_CONFIG
from tests.test_actions import BASH, ROOT, Runner

SNIPPET = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPETS = SNIPPET.findall((ROOT / "docs" / "ci.md").read_text())
COMMANDS = [line for kind, text in SNIPPETS if kind == "bash" for line in text.splitlines()]
FILES = {
    text.splitlines()[0].lstrip("#/ "): text for kind, text in SNIPPETS if kind in {"yaml", "ts"}
}
WORKFLOWS = [name for name in FILES if name.startswith(".github/")]
RUN, RUN_PYTEST, RUN_SCRIPT, MERGE, PLUGIN, ATTACH = COMMANDS
BINARIES = Path(sys.executable).parent
CAUSE = "Cannot read properties of null (reading 'amount')"
PATIENCE_S = 120

# Two tests, so that each of two shards has one.
FAILING = """
import {expect, test} from '@playwright/test';
for (const product of [101, 102])
  test(`product ${product} shows its price`, async ({page}) => {
    await page.goto(`/products/${product}?fault=null-field`);
    await expect(page.getByTestId('price')).toBeVisible({timeout: 1000});
  });
"""
FAILING_PYTEST = """
import os
def test_price(page):
    page.goto(os.environ["SHOP"] + "/products/101?fault=null-field")
    page.get_by_test_id("price").wait_for(timeout=1000)
"""
SCRIPT = """
import os
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    options = {"executable_path": os.environ["BROWSER"], "args": os.environ["FLAGS"].split()}
    page = playwright.chromium.launch(**options).new_page()
    page.goto(os.environ["SHOP"] + "/products/101?fault=null-field")
    page.wait_for_function("window.thrown", timeout=1000)
"""
PYTEST_BROWSER = """
import os, pytest
@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": os.environ["BROWSER"], "args": os.environ["FLAGS"].split()}
"""
# What these would fetch from elsewhere is already here.
STUB = "#!/bin/sh\nexit 0\n"
STUB_NPX = '#!/bin/sh\n[ "$2" = install ] && exit 0\nexec "{npx}" "$@"\n'


class Shell(NamedTuple):
    """A checkout on a runner, and what is on its PATH."""

    folder: Path
    environment: dict[str, str]

    def run(self, command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a runner does."""
        return subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
            cwd=self.folder,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )


@pytest.fixture
def shell(tmp_path: Path, shop: RunningShop, packages: Path) -> Shell:
    folder, stubs = tmp_path / "checkout", tmp_path / "stubs"
    (folder / "tests" / "e2e").mkdir(parents=True)
    stubs.mkdir()
    (folder / "node_modules").symlink_to(packages / "node_modules")
    for name, text in {
        "package.json": "{}",
        "playwright.config.ts": PLAYWRIGHT_CONFIG,
        "tests/price.spec.ts": FAILING,
        "tests/e2e/test_price.py": FAILING_PYTEST,
        "tests/e2e/conftest.py": PYTEST_BROWSER,
        "checkout.py": SCRIPT,
    }.items():
        (folder / name).write_text(text)
    for name in ("apt-get", "pipx", "npm", "npx"):
        stub = STUB_NPX.format(npx=shutil.which("npx")) if name == "npx" else STUB
        (stubs / name).write_text(stub)
        (stubs / name).chmod(stat.S_IRWXU)
    ours = {
        "PATH": os.pathsep.join([str(stubs), str(BINARIES), os.environ["PATH"]]),
        "SHOP": shop.url,
        "BROWSER": BROWSER,
        "FLAGS": " ".join(FLAGS),
        "GASOLINE_STATE": str(tmp_path / "state"),
    }
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    return Shell(folder, kept | ours)


@pytest.mark.parametrize("command", [RUN_PYTEST, RUN_SCRIPT])
def test_a_suite_behind_gasoline_run_leaves_all_reports(shell: Shell, command: str) -> None:
    ran = shell.run(command)

    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert_all_is_reported(shell, ran.stdout)


def assert_all_is_reported(shell: Shell, out: str) -> None:
    assert f"Primary failure: {CAUSE}" in out
    documented = re.findall(r"^\| `(.+?)` \|", (ROOT / "docs" / "ci.md").read_text(), re.MULTILINE)
    assert {path.name for path in (shell.folder / "gasoline-out").iterdir()} == set(documented)


def test_the_plugin_and_its_fixture_do_as_shown(shell: Shell, shop: RunningShop) -> None:
    (snippet,) = [text for kind, text in SNIPPETS if kind == "python"]
    suite = snippet.replace("http://localhost:3000", shop.url)
    (shell.folder / "tests" / "e2e" / "test_quiet.py").write_text(suite)

    ran = shell.run(PLUGIN)

    assert "1 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "Browser (Gasoline)" in ran.stdout


def test_the_fixture_for_playwright_does_as_shown(shell: Shell) -> None:
    (shell.folder / "tests" / "start.spec.ts").write_text(FILES["start.spec.ts"])

    ran = shell.run(f"{RUN} start")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed" in ran.stdout


def test_attach_captures_until_the_browser_goes(shell: Shell, tmp_path: Path) -> None:
    port = free_port()
    with running_chromium(tmp_path / "profile") as address:
        command = f"{ATTACH.replace('http://127.0.0.1:9222', address)} --port {port}"
        attaching = subprocess.Popen(
            [BASH, "-c", f"exec {command}"],
            env=shell.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert attaching.stdout is not None
        next(line for line in attaching.stdout if line.startswith("Watching"))
    said, _ = attaching.communicate(timeout=PATIENCE_S)

    assert shell.run(f"gasoline stop --port {port}").returncode == 0
    assert attaching.returncode == 0
    assert said.startswith("The browser has gone.\n")


@pytest.mark.parametrize("name", [*WORKFLOWS, ".gitlab-ci.yml"])
def test_a_pipeline_is_valid_by_its_schema(name: str, tmp_path: Path) -> None:
    schema = "vendor.gitlab-ci" if "gitlab" in name else "vendor.github-workflows"
    (tmp_path / "pipeline.yml").write_text(FILES[name])

    checked = subprocess.run(
        [BINARIES / "check-jsonschema", "--builtin-schema", schema, tmp_path / "pipeline.yml"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout


class Job:
    """The steps of a job, one after the other, as a runner takes them."""

    def __init__(self, shell: Shell, runner: Runner, **values: str) -> None:
        self.shell = shell
        self.runner = runner
        self.values = values
        self.port = str(free_port())
        self.failed = False

    def run(self, steps: list[Any]) -> None:
        for step in steps:
            wanted = step.get("if", "success()")
            if wanted == "always()" or (wanted == "failure()") == self.failed:
                self._step(step)

    def _step(self, step: Any) -> None:
        action, _, _ = step.get("uses", "").partition("@")
        if action == "OWNER/gasoline":
            self._ours(ROOT / "action.yml", "Start the Gasoline server")
        elif action == "OWNER/gasoline/report":
            self._ours(ROOT / "report" / "action.yml", "Write the report")
        elif action == "actions/upload-artifact":
            assert (self.shell.folder / self._fill(step["with"]["path"])).exists()
        elif "run" in step:
            files = {name: str(path) for name, path in self.runner.files.items()}
            ran = self.shell.run(self._fill(step["run"]), **files, **self.runner.environment)
            self.failed = self.failed or ran.returncode != 0
            assert ran.returncode == 0 or CAUSE in ran.stdout, ran.stdout + ran.stderr

    def _ours(self, action: Path, step: str) -> None:
        ran = self.runner.run(action, step, port=self.port)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def _fill(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda match: self.values[match[1]], text)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_ends_with_the_cause_in_its_summary(shell: Shell, name: str) -> None:
    jobs = YAML(typ="safe").load(FILES[name])["jobs"]
    runner = Runner(shell.folder)

    for shard in jobs["e2e"].get("strategy", {}).get("matrix", {}).get("shard", [""]):
        job = Job(shell, runner, **{"matrix.shard": str(shard)})
        job.run(jobs["e2e"]["steps"])
        assert job.failed
    if "report" in jobs:
        Job(shell, runner).run(jobs["report"]["steps"])
        assert shell.run(MERGE).stdout.startswith("# 2 tests, 2 failures, 1 cause\n")
    for pid in re.findall(r"GASOLINE_PID=(\d+)", runner.said("GITHUB_ENV")):
        os.kill(int(pid), signal.SIGTERM)

    summary = runner.said("GITHUB_STEP_SUMMARY")
    assert "### Gasoline: 2 tests, 2 failures, 1 cause" in summary
    assert "answered 200 with null in price" in summary


def test_a_pipeline_of_gitlab_leaves_its_artifacts(shell: Shell) -> None:
    job = YAML(typ="safe").load(FILES[".gitlab-ci.yml"])["e2e"]

    ran = shell.run("\n".join(job["script"]))

    assert RUN in job["script"]
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert_all_is_reported(shell, ran.stdout)
    junit = ET.parse(shell.folder / job["artifacts"]["reports"]["junit"])  # noqa: S314  # our own
    assert len(list(junit.getroot().iter("failure"))) == 2
