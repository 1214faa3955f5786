"""What a failed test most likely failed of."""

from typing import Any

import pytest

from gasoline.analysis.diagnosis import diagnose
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
        "The slowest request took 3000 ms: GET /api/products/3",
        'The last click was on "Add to cart" and no answered request followed it',
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


def test_quiet_failures_have_one_cause_only_if_their_tests_say_the_same() -> None:
    def quiet(message: str | None) -> str:
        run = TestRun(test_id="t", attempt=1, started_ms=0.0, status="failed", message=message)
        return diagnose(Evidence(run=run)).cause

    assert quiet("Timeout 5000 ms\n waiting for 'a'") == quiet("Timeout 3000 ms waiting for 'a'")
    assert quiet("no 'a'") != quiet("no 'b'")
    assert quiet(None) == "nothing abnormal in the browser"


def test_where_all_is_noise_the_noise_is_named() -> None:
    judged = diagnose(evidence(logs=(exception("Unchecked runtime.lastError: port closed"),)))

    assert judged.hints == (
        (
            "The browser reported nothing but likely noise (browser extension), "
            "such as: Unchecked runtime.lastError: port closed"
        ),
    )
    assert judged.cause == "Unchecked runtime.lastError: port closed"


def test_a_script_that_is_missing_matters_more_than_a_picture() -> None:
    logs = [
        LogEntry(level="error", source="resource", message=f"Failed to load <{tag}>: /{tag}")
        for tag in ("img", "script")
    ]

    judged = diagnose(evidence(logs=tuple(logs)))

    assert judged.primary is not None
    assert judged.primary.title == "Failed to load <script>: /script"


def test_beside_a_mere_complaint_stands_what_else_was_remarkable() -> None:
    complaint = LogEntry(level="warn", source="console", message="deprecated", at_ms=NOON_MS)
    click = EnhancedAction(type="click", text="Buy", at_ms=NOON_MS)

    judged = diagnose(evidence(logs=(complaint,), actions=(click,)))

    assert judged.hints == (
        "Primary failure: deprecated",
        'The last click was on "Buy" and no answered request followed it',
    )


@pytest.mark.parametrize(
    "message",
    ["Received: ['Unchecked runtime.lastError: port closed']", "['Unchecked r...rt closed'] == []"],
    ids=["whole", "cut by the runner"],
)
def test_noise_that_the_test_itself_complains_of_is_its_failure(message: str) -> None:
    said = "Unchecked runtime.lastError: port closed"
    run = TestRun(test_id="t", attempt=1, started_ms=0.0, status="failed", message=message)
    logs = (exception("[HMR] update"), exception(said))

    judged = diagnose(Evidence(run=run, logs=logs))

    assert judged.hints == (
        f"Primary failure: {said} [likely noise: browser extension]",
        "1 unrelated: likely noise (hot reloading)",
    )


def test_tests_that_found_different_numbers_have_different_causes() -> None:
    messages = ("Expected: 200 Received: 500", "Expected: 1999 Received: 2999")
    judged = [
        diagnose(
            Evidence(run=TestRun(test_id=m, attempt=1, started_ms=0, status="failed", message=m))
        )
        for m in messages
    ]

    assert tuple(one.cause for one in judged) == messages
