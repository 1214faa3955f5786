"""`gasoline audit`: from a server or from record files, in every format, with an exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.generation.security.test_sarif import VALIDATOR
from tests.servers import RunningServer, running_server

KEY = "Zx8kQ0pLm3Vt9Rw2Yb5Nc7Hd"
LEAK = {"method": "GET", "url": f"https://shop.io/api?api_key={KEY}", "status": 200}
PLAIN = {"method": "GET", "url": "http://shop.io/b", "status": 200}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("audit")) as running:
        running.request("POST", "/network-bodies", {"bodies": [LEAK, PLAIN]})
        yield running


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a server wrote while it ran."""
    folder = tmp_path_factory.mktemp("record")
    with running_server(folder, "--record", str(folder / "record.jsonl")) as running:
        running.request("POST", "/network-bodies", {"bodies": [LEAK]})
    return folder / "record.jsonl"


def audit(server: RunningServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gasoline", "audit", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "GASOLINE_STATE": str(server.state_folder)},
        timeout=60,
        check=False,
    )


def of_server(server: RunningServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return audit(server, "--port", str(server.port), *arguments)


def test_people_read_text(server: RunningServer) -> None:
    done = of_server(server)

    assert done.returncode == 0
    assert done.stdout.startswith("Security audit: 1 critical, 1 warning in 2 requests")
    assert "api_key=Zx8kQ0...7Hd" in done.stdout


def test_programs_read_json(server: RunningServer) -> None:
    answer = json.loads(of_server(server, "--format", "json").stdout)

    assert answer["summary"]["critical"] == 1
    assert [finding["severity"] for finding in answer["findings"]] == ["critical", "warning"]


def test_code_hosts_read_sarif(server: RunningServer, tmp_path: Path) -> None:
    file = tmp_path / "audit.sarif"

    done = of_server(server, "--format", "sarif", "--output", str(file))

    log = json.loads(file.read_text(encoding="utf-8"))
    VALIDATOR.validate(log)
    assert done.returncode == 0
    assert [result["level"] for result in log["runs"][0]["results"]] == ["error", "warning"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--fail-on", "critical"), 1),
        (("--fail-on", "warning"), 1),
        (("--fail-on", "critical", "--check", "transport"), 0),
        (("--fail-on", "warning", "--check", "transport"), 1),
        (("--fail-on", "critical", "--url", "/b"), 0),
        ((), 0),
    ],
)
def test_the_exit_code_says_whether_it_was_that_bad(
    server: RunningServer, arguments: tuple[str, ...], code: int
) -> None:
    assert of_server(server, *arguments).returncode == code


def test_no_output_and_no_file_holds_the_secret(server: RunningServer, record: Path) -> None:
    outputs = [of_server(server, "--format", form).stdout for form in ("text", "json", "sarif")]
    outputs.append(record.read_text(encoding="utf-8"))

    assert all(output and KEY not in output for output in outputs)


def test_finished_runs_are_read_from_their_record(server: RunningServer, record: Path) -> None:
    one = audit(server, "--from", str(record), "--format", "json")
    both = audit(server, "--from", str(record), "--from", str(record), "--format", "json")

    assert json.loads(one.stdout)["summary"]["critical"] == 1
    assert json.loads(both.stdout)["summary"]["scanned"]["network_requests"] == 2


def test_a_server_that_is_not_there_is_named_with_what_to_do(server: RunningServer) -> None:
    done = audit(server, "--port", "1")

    assert done.returncode == 1
    assert "Is the server running on port 1? A finished run can be read with --from" in done.stderr


def test_an_unknown_format_is_wrong_usage(server: RunningServer) -> None:
    assert of_server(server, "--format", "xml").returncode == 2
