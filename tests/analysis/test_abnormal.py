"""The abnormal events of a session."""

from typing import Any

import pytest

from gasoline.analysis.abnormal import find_abnormal_events, said_by, words_of_server
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from tests.builders import NOON_MS


def entry(**fields: Any) -> LogEntry:
    known: dict[str, Any] = {"level": "error", "message": "boom", "at_ms": NOON_MS}
    return LogEntry(**(known | fields))


def exchange(**fields: Any) -> NetworkBody:
    known: dict[str, Any] = {
        "url": "http://app/api/orders",
        "method": "POST",
        "status": 500,
        "at_ms": NOON_MS,
    }
    return NetworkBody(**(known | fields))


def titles(*records: Any, min_severity: str = "warn") -> list[str]:
    found = find_abnormal_events(
        [one for one in records if isinstance(one, LogEntry)],
        [one for one in records if isinstance(one, NetworkBody)],
        [one for one in records if isinstance(one, WebSocketEvent)],
        min_severity=min_severity,
    )
    return [f"{event.severity} [{event.kind}] {event.title}" for event in found]


def test_events_come_in_the_order_in_which_they_happened() -> None:
    assert titles(
        entry(message="later", at_ms=NOON_MS + 500),
        exchange(duration=100),
        WebSocketEvent(event="error", url="ws://app/feed", at_ms=NOON_MS + 50),
    ) == [
        "error [websocket] WebSocket /feed failed",
        "error [network] POST /api/orders → 500",
        "error [console] later",
    ]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (entry(source="exception", message="TypeError: x"), ["error [exception] TypeError: x"]),
        (entry(type="exception", source="http://a.js:1"), ["error [exception] boom"]),
        (entry(source="unhandledrejection"), ["error [unhandledrejection] boom"]),
        (entry(level="warning"), ["warn [console] boom"]),
        (entry(level="info"), []),
        (exchange(status=404), ["warn [network] POST /api/orders → 404"]),
        (
            exchange(status=0, error="Failed to fetch"),
            ["error [network] POST /api/orders → 0 (Failed to fetch)"],
        ),
        (exchange(status=200), []),
        (
            WebSocketEvent(event="close", code=1006, url="ws://a/f"),
            ["error [websocket] WebSocket /f closed with 1006"],
        ),
        (WebSocketEvent(event="close", code=1000, url="ws://a/f"), []),
    ],
)
def test_each_kind_is_named_and_judged(record: Any, said: list[str]) -> None:
    assert titles(record) == said


def test_a_failed_request_reported_as_exchange_and_as_log_entry_is_one_event() -> None:
    log = entry(source="network", message="POST http://app/api/orders → 500", at_ms=NOON_MS + 80)

    assert titles(log, exchange(duration=70)) == ["error [network] POST /api/orders → 500"]


def test_a_network_log_entry_without_its_exchange_stays() -> None:
    log = entry(source="network", message="GET http://app/other → 500")

    assert len(titles(log, exchange())) == 2


def test_less_severe_events_are_left_out_on_request() -> None:
    assert titles(entry(level="warn"), entry(), min_severity="error") == ["error [console] boom"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            '{"error":"db down","details":"null pointer: user.address"}',
            "db down: null pointer: user.address",
        ),
        ('{"error":{"message":"no stock","code":7}}', "no stock"),
        ('{"error":"Not saved.","code":"DUPLICATE"}', "Not saved: DUPLICATE"),
        ('{"errors":[]}', None),
        (
            '{"errors":[{"message":"no such field"},{"message":"no such type"}]}',
            "no such field: no such type",
        ),
        ('{"errors":{"email":["is taken"],"age":"is missing"}}', "email is taken: age is missing"),
        ('{"errors":{"a":{},"b":[1],"c":[],"d":"is hidden"}}', None),
        ('{"detail":[{"loc":["body","email"],"msg":"field required"}]}', "field required"),
        (
            '{"error":"invalid_grant","error_description":"Code expired"}',
            "invalid_grant: Code expired",
        ),
        ('{"message":""}', None),
        ('"plain"', "plain"),
        ("<html>", None),
        ('{"error":"cut o', None),
        ("pq: no such table\n  at main.go:7", "pq: no such table"),
        ("", None),
    ],
)
def test_the_server_is_quoted_from_its_telling_fields(body: str, words: str | None) -> None:
    assert words_of_server(exchange(response_body=body)) == words


def test_noise_is_marked_not_hidden() -> None:
    (event,) = find_abnormal_events([], [exchange(url="http://app/analytics/collect")], [])

    assert event.noise == "analytics endpoint, non-critical"


def test_an_entry_without_a_message_is_told_from_what_it_has() -> None:
    assert said_by(LogEntry(args=["a", {"b": 1}])) == 'a {"b":1}'
