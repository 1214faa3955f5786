"""How long `gasoline report` takes for 200 failing tests, from a server and from its record."""

import argparse
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import msgspec
from reading import Http
from samples import action, log_entry, network_body
from servers import Running, gasoline_server
from table import Row, report
from timing import median_ms

TESTS = 200
LOGS, REQUESTS, ACTIONS = 25, 12, 5
# Bodies as most servers answer: the samples' own are as large as any that are kept.
BODY_CHARS = 600
TIMES = 5
BUDGET_MS = 1000


def measure(*, tests: int = TESTS, times: int = TIMES) -> list[Row]:
    """The whole command, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        with gasoline_server("--record", str(record)) as server:
            _fail(server, tests)
            asked = ["--port", str(server.port)]
            from_server_ms = {
                kind: median_ms(partial(_report, server, kind, *asked), times=times)
                for kind in ("text", "ai-context")
            }
            from_record_ms = median_ms(
                lambda: _report(server, "text", "--from", str(record)), times=times
            )
    return [
        *(
            _row(f"report of {tests} failing tests, {kind}, p50", measured)
            for kind, measured in from_server_ms.items()
        ),
        _row(f"the same from a record file of {tests} tests, p50", from_record_ms),
    ]


def _fail(server: Running, tests: int) -> None:
    """Every test logs, asks, clicks and fails."""
    client = Http(server.port)
    for number in range(tests):
        test_id = f"shop > checkout > case {number}"
        boundary = {"test_id": test_id, "attempt": 1}
        _post(client, "/test-boundary", {**boundary, "action": "start"})
        for route, name, entries in (
            ("/logs", "entries", [log_entry(index) for index in range(LOGS)]),
            ("/network-bodies", "bodies", [_exchange(index) for index in range(REQUESTS)]),
            ("/enhanced-actions", "actions", [action(index) for index in range(ACTIONS)]),
        ):
            _post(client, route, {"test_id": test_id, name: entries})
        _post(client, "/test-boundary", {**boundary, "action": "end", "status": "failed"})


def _exchange(number: int) -> dict[str, object]:
    body = network_body(number)["responseBody"][:BODY_CHARS]
    return {**network_body(number), "requestBody": None, "responseBody": body}


def _post(client: Http, path: str, content: dict[str, object]) -> None:
    client.ask("POST", path, msgspec.json.encode(content))


def _report(server: Running, kind: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "gasoline", "report", "--format", kind, *arguments]
    finished = subprocess.run(command, env=server.environment, capture_output=True, check=True)
    assert b"Primary failure" in finished.stdout, finished.stdout[:500]


def _row(what: str, measured: float) -> Row:
    return Row(what=what, measured=measured, unit="ms", budget=BUDGET_MS)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=TESTS, help="that failed (default: 200)")
    parser.add_argument("--times", type=int, default=TIMES, help="per format (default: 5)")
    given = parser.parse_args()
    report(measure(tests=given.tests, times=given.times))


if __name__ == "__main__":
    main()
