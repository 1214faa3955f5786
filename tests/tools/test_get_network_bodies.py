"""What the page asked its servers, and what they answered."""

from typing import Any

import pytest

from tests.builders import exchange, ingest, send_exchanges
from tests.tools.asking import ask

EXCHANGES = [
    exchange(url="/a", method="GET", status=200),
    exchange(url="/b", method="post", status=404),
    exchange(url="/c", method="POST", status=500, pageUrl="http://app/cart"),
]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, ["/c", "/b", "/a"]),
        ({"method": "POST"}, ["/c", "/b"]),
        ({"status_min": 400}, ["/c", "/b"]),
        ({"status_min": 400, "status_max": 499}, ["/b"]),
        ({"url": "/cart"}, ["/c"]),
        ({"limit": 1}, ["/c"]),
    ],
)
def test_exchanges_come_newest_first_and_are_filtered(
    arguments: dict[str, Any], shown: list[str]
) -> None:
    into = ingest()
    send_exchanges(into, *EXCHANGES)

    answer = ask(into.store, "get_network_bodies", **arguments)

    assert [body["url"] for body in answer["network_bodies"]] == shown


def test_an_answer_stands_for_what_was_told_while_it_was_awaited() -> None:
    into = ingest()
    asked_at = {"ts": "2026-03-04T10:00:00.000Z", "status": 0, "pending": True}
    send_exchanges(into, exchange(url="/slow", **asked_at), exchange(url="/open", **asked_at))
    send_exchanges(into, exchange(url="/slow", **{**asked_at, "status": 200, "pending": False}))

    answer = ask(into.store, "get_network_bodies")

    shown = [(body["url"], body.get("pending", False)) for body in answer["network_bodies"]]
    assert shown == [("/slow", False), ("/open", True)]


def test_the_summary_names_the_latest_failure() -> None:
    into = ingest()
    send_exchanges(into, *EXCHANGES)

    answer = ask(into.store, "get_network_bodies")

    assert answer["summary"] == "3 exchanges, 2 failed, the latest: POST /c → 500."
