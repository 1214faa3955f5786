"""The GitHub actions: valid, and their steps run in a shell as a runner runs them."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.servers import free_port, request

ROOT = Path(__file__).parent.parent
BASH = shutil.which("bash") or "bash"
ACTIONS = [ROOT / "action.yml", ROOT / "report" / "action.yml"]


class Runner:
    """What a runner gives to the steps of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {
            name: folder / name
            for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        }
        for path in self.files.values():
            path.touch()

    @property
    def environment(self) -> dict[str, str]:
        """What earlier steps left for the later ones."""
        return dict(re.findall(r"(\w+)=(.*)", self.said("GITHUB_ENV")))

    def run(
        self, action: Path, step: str, *, path: Path | None = None, **inputs: str
    ) -> subprocess.CompletedProcess[str]:
        """Run one step with the action's inputs, as `bash -e` as a runner does."""
        content = YAML(typ="safe").load(action)
        chosen = {
            name: declared["default"] for name, declared in content["inputs"].items()
        } | inputs
        (found,) = [one for one in content["runs"]["steps"] if one["name"] == step]
        environment = {
            name: _fill(value, chosen) for name, value in found.get("env", {}).items()
        } | {name: str(path) for name, path in self.files.items()}
        return subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
            cwd=self.folder,
            env={
                **os.environ,
                **self.environment,
                **environment,
                "RUNNER_TEMP": str(self.folder),
                "GITHUB_ACTION_PATH": str(ROOT),
                "GASOLINE_STATE": str(self.folder / "state"),
                "PATH": f"{path or Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def said(self, file: str) -> str:
        return self.files[file].read_text()


def _fill(template: str, inputs: dict[str, Any]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: str(inputs[match[1]]), template)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action.relative_to(ROOT)))
def test_an_action_is_valid_by_github_s_schema(action: Path) -> None:
    checked = subprocess.run(
        [
            shutil.which("check-jsonschema", path=str(Path(sys.executable).parent)) or "",
            *("--builtin-schema", "vendor.github-actions", str(action)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout


# Makes the environment it is asked for, whose own Python notes what it is to install.
PYTHON = """#!/bin/sh
mkdir -p "$3/bin"
cat >"$3/bin/python" <<'END'
#!/bin/sh
echo "$@" >installed
cd "$(dirname "$0")" && touch pip gasoline gasoline-report
END
chmod +x "$3/bin/python"
"""


def test_installing_leaves_the_runner_s_own_python_alone(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    (tmp_path / "python3").write_text(PYTHON)
    (tmp_path / "python3").chmod(stat.S_IRWXU)

    installed = runner.run(ROOT / "action.yml", "Install Gasoline", path=tmp_path)

    assert installed.returncode == 0, installed.stderr
    assert (tmp_path / "installed").read_text() == f"-m pip install --quiet {ROOT}\n"
    (on_path,) = runner.said("GITHUB_PATH").splitlines()
    assert {path.name for path in Path(on_path).iterdir()} == {"gasoline", "gasoline-report"}


def test_a_job_starts_the_server_and_a_failure_gets_its_report(tmp_path: Path) -> None:
    runner, port = Runner(tmp_path), free_port()

    started = runner.run(ROOT / "action.yml", "Start the Gasoline server", port=str(port))
    assert started.returncode == 0, started.stdout + started.stderr
    pid = int(re.findall(r"GASOLINE_PID=(\d+)", runner.said("GITHUB_ENV"))[0])
    try:
        for action, outcome in (("start", {}), ("end", {"status": "failed"})):
            request(port, "POST", "/test-boundary", {"test_id": "t", "action": action, **outcome})
            entry = {"level": "error", "message": "::error::cart <b>failed</b>"}
            request(port, "POST", "/logs", {"entries": [entry], "test_id": "t"})
        reported = runner.run(ROOT / "report/action.yml", "Write the report")
    finally:
        os.kill(pid, signal.SIGTERM)

    assert reported.returncode == 0, reported.stdout + reported.stderr
    assert "## Test Failure: t" in (tmp_path / "gasoline-report.md").read_text()
    assert "### Gasoline: 1 test, 1 failure, 1 cause" in runner.said("GITHUB_STEP_SUMMARY")
    assert "<b>" not in runner.said("GITHUB_STEP_SUMMARY")
    # What pages said stands between the lines that switch workflow commands off and on.
    lines = reported.stdout.splitlines()
    assert lines[0].startswith("::stop-commands::gasoline-")
    assert lines[-1] == f"::{lines[0].removeprefix('::stop-commands::')}::"


def test_a_server_that_cannot_start_fails_the_step_with_its_reason(tmp_path: Path) -> None:
    runner = Runner(tmp_path)

    failed = runner.run(ROOT / "action.yml", "Start the Gasoline server", port="99999")

    assert failed.returncode == 1
    assert "::error title=Gasoline::The server did not answer on port 99999" in failed.stdout
    assert "99999 is not in the range" in failed.stdout


def test_a_server_that_died_is_reported_from_its_record(tmp_path: Path) -> None:
    runner, port = Runner(tmp_path), free_port()
    record = tmp_path / "gasoline" / "record.jsonl"
    record.parent.mkdir()
    record.write_text(
        '{"at":1,"route":"/logs","entries":[{"level":"error","message":"last words"}]}\n'
    )

    reported = runner.run(ROOT / "report/action.yml", "Write the report", port=str(port))

    assert reported.returncode == 0, reported.stderr
    assert "::warning title=Gasoline::The server is gone" in reported.stdout
    assert "last words" in (tmp_path / "gasoline-report.md").read_text()
