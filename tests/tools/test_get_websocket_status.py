"""How the page's WebSockets are doing now."""

import pytest

from gasoline.tools.get_websocket_status import format_duration
from tests.builders import NOON_MS, Clock, ingest, message, send_events, store
from tests.tools.asking import ask


def test_an_open_connection_shows_its_rates_last_messages_and_keys() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    send_events(
        into,
        message(event="open", ts=NOON_MS),
        message(
            ts=NOON_MS + 1000, data='{"p":1}', size=7, sampled={"rate": "48/s", "logged": "1/5"}
        ),
    )
    clock.advance(seconds=2)

    (connection,) = ask(into.store, "get_websocket_status")["connections"]

    assert connection == {
        "id": "ws-1",
        "url": "ws://app/feed",
        "state": "open",
        "openedAt": "2026-03-01T12:00:00.000Z",
        "duration": "2.0s",
        "messageRate": {
            "incoming": {"perSecond": 0.2, "total": 1, "bytes": 7},
            "outgoing": {"perSecond": 0.0, "total": 0, "bytes": 0},
        },
        "lastMessage": {
            "incoming": {"at": "2026-03-01T12:00:01.000Z", "age": "1.0s", "preview": '{"p":1}'}
        },
        "schema": {"detectedKeys": ["p"], "messageCount": 1, "consistent": True},
        "sampling": {"active": True, "rate": "1/5", "reason": "48/s messages"},
    }


def test_a_closed_connection_shows_how_it_ended() -> None:
    into = ingest()
    send_events(
        into,
        message(event="open", ts=NOON_MS),
        message(ts=NOON_MS),
        message(event="close", ts=NOON_MS + 500, code=1006, reason="gone"),
    )

    answer = ask(into.store, "get_websocket_status")

    assert answer["closed"] == [
        {
            "id": "ws-1",
            "url": "ws://app/feed",
            "state": "closed",
            "openedAt": "2026-03-01T12:00:00.000Z",
            "closedAt": "2026-03-01T12:00:00.500Z",
            "closeCode": 1006,
            "closeReason": "gone",
            "totalMessages": {"incoming": 1, "outgoing": 0},
        }
    ]
    assert answer["summary"] == "0 open WebSockets, 1 closed of late."


@pytest.mark.parametrize("wanted", [{"url": "two"}, {"connection_id": "b"}, {"tab_id": 2}])
def test_connections_are_filtered(wanted: dict[str, object]) -> None:
    into = ingest()
    send_events(
        into,
        message(event="open", id="a", url="ws://app/one", tabId=1),
        message(event="open", id="b", url="ws://app/two", tabId=2),
    )

    answer = ask(into.store, "get_websocket_status", **wanted)

    assert [connection["id"] for connection in answer["connections"]] == ["b"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0.2s"),
        (17, "17s"),
        (302, "5m02s"),
        (120, "2m"),
        (4500, "1h15m"),
        (3600, "1h"),
        (-5, "0.0s"),
    ],
)
def test_durations_read_as_people_write_them(seconds: float, text: str) -> None:
    assert format_duration(seconds * 1000) == text
