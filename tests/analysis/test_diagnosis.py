"""What a failed test most likely failed of."""

from typing import Any

import pytest

from gasoline.analysis.diagnosis import diagnose, find_nulls
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, TestRun
from gasoline.records.evidence import Evidence
from tests.builders import NOON_MS


def evidence(*, status: str | None = "failed", **fields: Any) -> Evidence:
    return Evidence(
        run=TestRun(test_id="t", attempt=1, started_ms=NOON_MS, status=status), **fields
    )


def exception(message: str, *, after_ms: float = 0) -> LogEntry:
    return LogEntry(level="error", source="exception", message=message, at_ms=NOON_MS + after_ms)


def exchange(**fields: Any) -> NetworkBody:
    known: dict[str, Any] = {
        "url": "http://app/api/products/3",
        "method": "GET",
        "status": 200,
        "at_ms": NOON_MS,
    }
    return NetworkBody(**(known | fields))


def test_a_server_failure_outranks_the_exception_that_it_caused() -> None:
    judged = diagnose(
        evidence(
            logs=(exception("TypeError: x", after_ms=-10),),
            exchanges=(exchange(status=500, response_body='{"error":"db down"}'),),
        )
    )

    assert judged.hints == (
        "Primary failure: GET /api/products/3 → 500",
        'Root cause likely: the server said "db down"',
    )
    assert judged.cause == "GET /api/products/:id → 500"


def test_an_exception_that_read_nothing_is_joined_to_the_null_it_was_given() -> None:
    judged = diagnose(
        evidence(
            logs=(
                exception(
                    "TypeError: Cannot read properties of null (reading 'amount')", after_ms=80
                ),
            ),
            exchanges=(exchange(response_body='{"name":"Mug","price":null}', duration=40),),
        )
    )

    assert judged.root_cause == "GET /api/products/3 had answered 200 with null in price"


def test_a_null_that_arrived_after_the_exception_is_not_its_cause() -> None:
    judged = diagnose(
        evidence(
            logs=(exception("TypeError: Cannot read properties of null (reading 'a')"),),
            exchanges=(exchange(response_body='{"price":null}', duration=40),),
        )
    )

    assert judged.root_cause is None


def test_noise_is_never_the_primary_failure() -> None:
    judged = diagnose(
        evidence(
            logs=(exception("TypeError: real", after_ms=100),),
            exchanges=(exchange(url="http://app/analytics", status=500),),
        )
    )

    assert judged.primary is not None
    assert judged.primary.title == "TypeError: real"
    assert judged.hints[-1] == "1 unrelated: likely noise (analytics endpoint, non-critical)"


def test_a_quiet_browser_shows_the_last_click_and_that_nothing_followed() -> None:
    click = EnhancedAction(type="click", text="Add to cart", at_ms=NOON_MS + 100)

    judged = diagnose(evidence(actions=(click,), exchanges=(exchange(duration=3000),)))

    assert judged.hints == (
        "The browser reported nothing abnormal",
        'The last click was on "Add to cart" and no request followed it',
        "The slowest request took 3000 ms: GET /api/products/3",
    )


@pytest.mark.parametrize(
    ("said", "logs", "status"),
    [
        ("passed", (exception("x"),), "pass"),
        ("failed", (), "fail"),
        ("timedOut", (), "fail"),
        ("interrupted", (), "error"),
        ("skipped", (), "skipped"),
        (None, (exception("x"),), "fail"),
        (None, (), "pass"),
    ],
)
def test_the_runner_s_word_counts_and_without_it_the_browser_s(
    said: str | None, logs: tuple[LogEntry, ...], status: str
) -> None:
    assert diagnose(evidence(status=said, logs=logs)).status == status


@pytest.mark.parametrize(
    ("body", "nulls"),
    [
        ('{"a":{"b":null},"c":1}', ["a.b"]),
        ('{"items":[{"price":null}]}', ["items[].price"]),
        ("null", []),
        ("[]", []),
        ("not json", []),
        (None, []),
    ],
)
def test_null_fields_are_found_by_path(body: str | None, nulls: list[str]) -> None:
    assert find_nulls(exchange(response_body=body)) == nulls
