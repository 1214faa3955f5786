"""Runs to report: a test names only what it is about."""

from typing import Any

from gasoline.analysis.diagnosis import diagnose
from gasoline.generation.report.summary import Summary, summarise
from gasoline.records import LogEntry, NetworkBody, TestRun
from gasoline.records.evidence import Evidence
from tests.builders import NOON_MS


def attempt(
    test_id: str = "shop > checkout",
    *,
    number: int = 1,
    status: str | None = "failed",
    message: str | None = None,
    **fields: Any,
) -> Evidence:
    run = TestRun(
        test_id=test_id,
        attempt=number,
        started_ms=NOON_MS,
        status=status,
        duration_ms=1234.0,
        message=message,
    )
    return Evidence(run=run, **fields)


def broken_order(number: int = 17) -> NetworkBody:
    return NetworkBody(
        at_ms=NOON_MS + 120,
        url=f"http://app/api/orders/{number}",
        method="POST",
        status=500,
        duration=234,
        request_body='{"items":[{"id":1,"qty":2}]}',
        response_body='{"error":"Internal Server Error","details":"null pointer: user.address"}',
    )


def visit(path: str, *, at_ms: float = 0) -> NetworkBody:
    return NetworkBody(at_ms=NOON_MS + at_ms, url=f"http://app{path}", status=200, duration=42)


def error(message: str = "TypeError: total is not a function", **fields: Any) -> LogEntry:
    known: dict[str, Any] = {
        "level": "error",
        "source": "exception",
        "message": message,
        "stack": "TypeError\n    at pay (http://app/a.js:12:9)\n    at submit (http://app/a.js:3:1)",
        "at_ms": NOON_MS + 400,
    }
    return LogEntry(**(known | fields))


def report(*evidence: Evidence, min_severity: str = "warn", notes: tuple[str, ...] = ()) -> Summary:
    return summarise([diagnose(one, min_severity=min_severity) for one in evidence], notes)
