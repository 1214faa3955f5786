"""`gasoline report`: from a server or from record files, in every format."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.servers import RunningServer, running_server
from tests.sources.site import running_site, source_map

# As a driver admits that it cannot see a browser.
NOT_SEEN = {
    "level": "info",
    "type": "gasoline-capture",
    "message": "[gasoline] Capture is blind: no way in",
    "capture": "blind",
    "metadata": {"next": "Use another browser."},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("report")
    with running_server(folder, "--record", str(folder / "record.jsonl")) as running:
        for test_id, status, level in (
            ("checkout", "failed", "error"),
            ("browse", "passed", "warn"),
        ):
            running.request("POST", "/test-boundary", {"test_id": test_id, "action": "start"})
            entry = {"level": level, "message": f"in {test_id}", "source": "exception"}
            running.request("POST", "/logs", {"entries": [entry]})
            end = {"test_id": test_id, "action": "end", "status": status}
            running.request("POST", "/test-boundary", end)
        for test_id, status in (("in firefox", "failed"), ("in lynx", "passed")):
            running.request("POST", "/test-boundary", {"test_id": test_id, "action": "start"})
            running.request("POST", "/logs", {"test_id": test_id, "entries": [NOT_SEEN]})
            end = {"test_id": test_id, "action": "end", "status": status}
            running.request("POST", "/test-boundary", end)
        running.request("POST", "/clear")
        yield running


def report(server: RunningServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gasoline", "report", *arguments],
        env={**os.environ, "GASOLINE_STATE": str(server.state_folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def of_server(server: RunningServer, *arguments: str) -> str:
    ran = report(server, "--port", str(server.port), *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_evidence_of_ended_tests_is_reported_after_a_clear(server: RunningServer) -> None:
    assert of_server(server).splitlines()[:4] == [
        "4 tests, 2 failures, 2 causes",
        "",
        "FAILED  checkout",
        "  Primary failure: in checkout",
    ]


@pytest.mark.parametrize("report_format", ["text", "json", "ai-context", "junit", "summary"])
def test_every_format_names_the_failure(server: RunningServer, report_format: str) -> None:
    assert "checkout" in of_server(server, "--format", report_format)


def test_a_record_file_gives_the_same_report_as_its_server(server: RunningServer) -> None:
    record = server.state_folder.parent / "record.jsonl"

    from_file = report(server, "--from", str(record), "--format", "json")

    expected = json.loads(of_server(server, "--format", "json"))
    assert [
        {key: test[key] for key in ("test_id", "status")}
        for test in json.loads(from_file.stdout)["tests"]
    ] == [{key: test[key] for key in ("test_id", "status")} for test in expected["tests"]]


def test_one_test_can_be_asked_for(server: RunningServer) -> None:
    (test,) = json.loads(of_server(server, "--format", "json", "--test-id", "browse"))["tests"]

    assert (test["test_id"], test["status"]) == ("browse", "pass")


@pytest.mark.parametrize(("severity", "errors"), [("warn", 1), ("error", 0)])
def test_severity_filters(server: RunningServer, severity: str, errors: int) -> None:
    asked = ("--format", "json", "--test-id", "browse", "--severity", severity)

    (test,) = json.loads(of_server(server, *asked))["tests"]

    assert len(test.get("errors", [])) == errors


@pytest.mark.parametrize("source", ["server", "record"])
def test_since_leaves_out_tests_that_had_ended_by_then(server: RunningServer, source: str) -> None:
    record = server.state_folder.parent / "record.jsonl"
    asked = ("--port", str(server.port)) if source == "server" else ("--from", str(record))

    def tests_since(time: str) -> int:
        ran = report(server, *asked, "--format", "json", "--since", time)
        return len(json.loads(ran.stdout)["tests"])

    assert (tests_since("2000-01-01T00:00:00Z"), tests_since("2099-01-01T00:00:00Z")) == (4, 0)


def test_a_test_that_the_record_does_not_have_is_not_the_whole_session(
    server: RunningServer,
) -> None:
    record = server.state_folder.parent / "record.jsonl"

    ran = report(server, "--from", str(record), "--test-id", "never", "--format", "json")

    (test,) = json.loads(ran.stdout)["tests"]
    assert (test["test_id"], test["status"], "errors" in test) == ("never", "pass", False)


def test_the_report_can_be_written_to_a_file(server: RunningServer, tmp_path: Path) -> None:
    of_server(server, "--format", "junit", "--output", str(tmp_path / "out.xml"))

    assert ET.parse(tmp_path / "out.xml").getroot().tag == "testsuites"  # noqa: S314  # our own output


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--format", "yaml"), 2, "unknown format: yaml"),
        (("--port", "1"), 1, "failed to fetch snapshot: "),
        (("--from", "/no/such/file"), 2, "does not exist"),
        (("--severity", "fatal"), 2, "fatal"),
        (("--since", "yesterday"), 2, "not a time; write it as 2026-03-01T12:00:00Z"),
    ],
)
def test_wrong_use_is_explained(
    server: RunningServer, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ran = report(server, *arguments)

    assert ran.returncode == code
    assert said in ran.stderr


def test_shards_may_be_named_as_a_shell_expands_them(server: RunningServer, tmp_path: Path) -> None:
    for shard in ("one", "two"):
        boundary = f'{{"at":1,"route":"/test-boundary","test_id":"{shard}","action":'
        (tmp_path / f"{shard}.jsonl").write_text(f'{boundary}"start"}}\n{boundary}"end"}}\n')
    shards = sorted(str(path) for path in tmp_path.glob("*.jsonl"))

    merged = report(server, "--format", "json", "--from", *shards)
    refused = report(server, *shards)

    assert [test["test_id"] for test in json.loads(merged.stdout)["tests"]] == ["one", "two"]
    assert (refused.returncode, "Write --from before it." in refused.stderr) == (2, True)


def test_the_other_name_of_the_command_works(server: RunningServer) -> None:
    ran = subprocess.run(
        [str(Path(sys.executable).parent / "gasoline-report"), "--format", "yaml"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, "unknown format: yaml" in ran.stderr) == (2, True)


@pytest.mark.parametrize("report_format", ["text", "ai-context", "junit"])
@pytest.mark.parametrize("source", ["server", "record"])
def test_a_browser_that_could_not_be_seen_is_no_quiet_browser(
    server: RunningServer, report_format: str, source: str
) -> None:
    record = server.state_folder.parent / "record.jsonl"
    where = ["--port", str(server.port)] if source == "server" else ["--from", str(record)]

    told = report(server, *where, "--format", report_format, "--test-id", "in firefox").stdout

    assert "Capture was blind: no way in" in told
    assert "To see more: Use another browser." in told
    assert "nothing abnormal" not in told


def test_each_test_has_its_own_capture_health(server: RunningServer) -> None:
    told = json.loads(of_server(server, "--format", "json"))

    blind = {"state": "blind", "why": "no way in", "next": "Use another browser."}
    assert {test["test_id"]: test["capture"] for test in told["tests"]} == {
        "checkout": {"state": "complete", "unverified": True},
        "browse": {"state": "complete", "unverified": True},
        "in firefox": {**blind, "unverified": True},
        "in lynx": {**blind, "unverified": True},
    }


@pytest.mark.parametrize("source", ["record", "server"])
def test_a_build_folder_gives_the_source_of_a_finished_run(tmp_path: Path, source: str) -> None:
    record, build = tmp_path / "record.jsonl", tmp_path / "dist"
    build.mkdir()
    (build / "app.js.map").write_text(source_map(), encoding="utf-8")
    entry = {
        "level": "error",
        "type": "exception",
        "message": "TypeError: Cannot read properties of null (reading 'amount')",
        "stack": "TypeError\n    at pay (https://shop.example/app.js:1:40)",
        "_errorId": "e1",
    }
    with running_server(tmp_path, "--record", str(record)) as running:
        running.request("POST", "/logs", {"entries": [entry]})
        origin = ["--from", str(record)] if source == "record" else ["--port", str(running.port)]
        found = report(running, "--source-maps", str(build), *origin)
        without = report(running, *origin)

    assert "in src/pay.ts:3" in found.stdout
    assert "TypeError in src/pay.ts:3 — `total` is null when reading `amount`." in found.stdout
    assert "src/pay.ts" not in without.stdout


def test_a_report_waits_for_the_source_of_the_last_error(tmp_path: Path) -> None:
    with running_site() as site, running_server(tmp_path) as running:
        site.serve_app()
        entry = {
            "level": "error",
            "type": "exception",
            "message": "boom",
            "stack": site.stack(),
            "_errorId": "e1",
        }
        running.request("POST", "/logs", {"entries": [entry]}, {"Origin": site.url})

        assert "src/pay.ts:3" in report(running, "--port", str(running.port)).stdout
