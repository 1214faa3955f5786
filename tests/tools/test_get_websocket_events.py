"""What went over the page's WebSockets."""

from typing import Any

import pytest

from tests.builders import ingest, message, send_events
from tests.tools.asking import ask


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, ["c", "b", "a"]),
        ({"connection_id": "one"}, ["b", "a"]),
        ({"direction": "outgoing"}, ["b"]),
        ({"limit": 1}, ["c"]),
    ],
)
def test_events_come_newest_first_and_are_filtered(
    arguments: dict[str, Any], shown: list[str]
) -> None:
    into = ingest()
    send_events(
        into,
        message(id="one", data="a"),
        message(id="one", data="b", direction="outgoing"),
        message(id="two", data="c"),
    )

    answer = ask(into.store, "get_websocket_events", **arguments)

    assert [event["data"] for event in answer["websocket_events"]] == shown


def test_the_summary_counts_connections_and_errors() -> None:
    into = ingest()
    send_events(into, message(id="one"), message(id="two", event="error"))

    answer = ask(into.store, "get_websocket_events")

    assert answer["summary"] == "2 WebSocket events on 2 connections, 1 error."
