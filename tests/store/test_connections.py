"""WebSocket connections are followed from open to close."""

from typing import Any

from gasoline.records import WebSocketEvent
from gasoline.records.websocket import Sampling
from gasoline.store import Limits
from gasoline.store.connections import Connection, Connections
from tests.builders import NOON_MS


def event(kind: str, *, at_s: float = 0, **fields: Any) -> WebSocketEvent:
    known: dict[str, Any] = {"id": "ws-1", "url": "ws://app/feed", "at_ms": NOON_MS + at_s * 1000}
    return WebSocketEvent(event=kind, **(known | fields))


def follow(*events: WebSocketEvent, limits: Limits | None = None) -> Connections:
    connections = Connections(limits or Limits())
    for happened in events:
        connections.note(happened)
    return connections


def only(connections: Connections) -> Connection:
    (connection,) = connections.open.values()
    return connection


def test_a_connection_is_known_from_connecting_and_opens() -> None:
    connecting = follow(event("connecting"))
    opened = follow(event("connecting"), event("open", at_s=1))

    assert only(connecting).state == "connecting"
    assert (only(opened).state, only(opened).opened_ms) == ("open", NOON_MS + 1000)


def test_an_error_shows_in_the_state_until_the_close() -> None:
    failing = follow(event("open"), event("error"))
    assert only(failing).state == "error"

    failing.note(event("close", at_s=2, code=1006, reason="gone"))
    (closed,) = failing.closed
    assert (closed.state, closed.close_code, closed.close_reason) == ("closed", 1006, "gone")
    assert not failing.open


def test_messages_of_a_connection_never_seen_to_open_are_not_tracked() -> None:
    assert not follow(event("message"), event("close"), event("error")).open


def test_messages_are_counted_by_direction_with_their_bytes() -> None:
    connection = only(
        follow(
            event("open"),
            event("message", direction="incoming", size=7, data="a"),
            event("message", direction="incoming", size=3, data="b" * 500),
            event("message", direction="outgoing", size=1),
        )
    )

    incoming, outgoing = connection.traffic["incoming"], connection.traffic["outgoing"]
    assert (incoming.total, incoming.size_bytes, len(incoming.last_preview)) == (2, 10, 200)
    assert (outgoing.total, outgoing.size_bytes) == (1, 1)


def test_the_rate_is_of_the_last_five_seconds() -> None:
    messages = [event("message", at_s=second, direction="incoming") for second in range(10)]
    traffic = only(follow(event("open"), *messages)).traffic["incoming"]

    assert traffic.per_second(NOON_MS + 9_000) == 6 / 5
    assert traffic.per_second(NOON_MS + 60_000) == 0


def test_messages_that_sampling_skipped_count_too() -> None:
    sampled = Sampling(rate="100.0/s", logged="1/20", window="5s", skipped=19)
    message = event("message", direction="incoming", size=3, sampled=sampled)
    traffic = only(follow(event("open"), message)).traffic["incoming"]

    assert (traffic.total, traffic.per_second(NOON_MS)) == (20, 4.0)


def test_json_messages_show_their_keys_and_whether_they_agree() -> None:
    same = only(follow(event("open"), *[event("message", data='{"b":1,"a":2}')] * 3)).schema
    mixed = only(
        follow(event("open"), event("message", data='{"a":1}'), event("message", data='{"b":1}'))
    ).schema
    text = only(follow(event("open"), event("message", data="{broken"))).schema

    assert (same.keys, same.messages, len(same.variants)) == (["a", "b"], 3, 1)
    assert (mixed.keys, len(mixed.variants)) == (["a", "b"], 2)
    assert text.messages == 0


def test_the_oldest_connection_gives_way_past_the_limit() -> None:
    limits = Limits(open_connections=2, closed_connections=1)
    connections = follow(*[event("open", id=name) for name in "abc"], limits=limits)
    assert list(connections.open) == ["b", "c"]

    connections.note(event("close", id="b"))
    connections.note(event("close", id="c"))
    assert [closed.id for closed in connections.closed] == ["c"]


def test_clearing_one_test_leaves_the_connections_of_others() -> None:
    connections = follow(
        event("open", id="a", test_id="one"),
        event("open", id="b", test_id="two"),
        event("open", id="c", test_id="one"),
        event("close", id="c", test_id="one"),
    )

    connections.clear("one")

    assert (list(connections.open), list(connections.closed)) == (["b"], [])
