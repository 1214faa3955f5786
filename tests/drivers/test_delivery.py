"""Batches from pages reach the server in order, or are counted."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from gasoline.drivers.delivery import (
    BATCHES_ROUTE,
    PAGE_ROUTES,
    POST_BYTES,
    Delivery,
    FullQueueError,
    Post,
    joined,
)
from gasoline.ingest import STREAMS
from gasoline.ingest import streams as server_streams
from tests.drivers.browsers import said, snapshot_of
from tests.servers import RunningServer, running_server

PATIENCE_S = 10.0


def batch(message: str, **envelope: str) -> str:
    entries = [{"level": "error", "message": message}]
    content = {"sender": uuid4().hex, "batch": 1, **envelope, "entries": entries}
    return "/logs" + json.dumps(content)


def test_what_pages_may_reach_is_what_the_server_takes_from_pages() -> None:
    assert {stream.route for stream in STREAMS} == PAGE_ROUTES
    assert server_streams.BATCHES_ROUTE == BATCHES_ROUTE


def test_batches_arrive_in_order_under_the_name_of_the_test(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    for number in range(20):
        delivery.take(batch(f"message {number}"), test_id="in order")

    assert delivery.drain(PATIENCE_S)
    assert said(server, "in order") == [f"message {number}" for number in range(20)]
    assert (delivery.delivered, delivery.lost) == (20, 0)
    delivery.close()


def test_the_name_that_a_page_says_itself_wins(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.take(batch("mine", test_id="the page's"), test_id="the runner's")
    delivery.close()

    assert said(server, "the page's") == ["mine"]
    assert said(server, "the runner's") == []


def test_one_call_may_bring_several_batches(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.take("\n".join([batch("one"), batch("two")]), test_id="at once")

    assert delivery.drain(PATIENCE_S)
    assert said(server, "at once") == ["one", "two"]
    assert delivery.delivered == 2
    delivery.close()


def test_batches_that_came_together_leave_together_up_to_a_size(tmp_path: Path) -> None:
    half = "x" * (POST_BYTES // 2)
    with running_server(tmp_path) as server:
        delivery = Delivery(server.port)
        delivery.take("\n".join(batch(f"{name}{half}") for name in "abc"), test_id="large")

        assert delivery.drain(PATIENCE_S)
        delivery.close()

        assert [text[0] for text in said(server, "large")] == ["a", "b", "c"]
        assert (delivery.delivered, delivery.lost) == (3, 0)


@pytest.mark.parametrize(
    ("sizes", "requests"),
    [((50, 50), [2]), ((50, 51), [1, 1]), ((101,), [1]), ((101, 1, 99, 1), [1, 2, 1]), ((), [])],
)
def test_a_request_holds_as_many_batches_as_fit(
    sizes: tuple[int, ...], requests: list[int]
) -> None:
    batches = [Post("/logs", b"x" * size, "http://app") for size in sizes]

    posts = list(joined(batches, post_bytes=100))

    assert [post.batches for post in posts] == requests
    lines = [line for post in posts for line in (post.body.split(b"\n"))]
    assert [len(line.removeprefix(b"/logs")) for line in lines] == list(sizes)
    assert {post.origin for post in posts} <= {"http://app"}


@pytest.mark.parametrize("name", ['quotes " and \\', "new\nline", "\N{FIRE} caf\xe9", "x" * 2000])
def test_a_test_may_be_called_anything(server: RunningServer, name: str) -> None:
    delivery = Delivery(server.port)

    delivery.take(batch("named"), test_id=name)
    delivery.close()

    assert said(server, name) == ["named"]


@pytest.mark.parametrize(
    "message",
    [
        '/clear{"x":1}',
        '/test-boundary{"test_id":"x","action":"start"}',
        "/logs[]",
        "/logs{}",
        '/logs{"entries":[]}\n/clear{"x":1}',
        "[]",
        "not JSON",
    ],
)
def test_a_page_cannot_make_us_send_anything_but_batches(
    server: RunningServer, message: str
) -> None:
    delivery = Delivery(server.port)

    with pytest.raises((ValueError, TypeError, KeyError)):
        delivery.take(message, test_id="x")

    assert delivery.drain(PATIENCE_S)
    assert delivery.delivered == 0


def test_boundaries_and_batches_keep_their_order(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.post("/test-boundary", {"test_id": "bounded", "action": "start"})
    delivery.take(batch("within"), test_id="bounded")
    delivery.post("/test-boundary", {"test_id": "bounded", "action": "end", "status": "failed"})
    delivery.close()

    assert [entry["message"] for entry in snapshot_of(server, "bounded")["logs"]] == ["within"]
    ended = [t for t in server.request("GET", "/tests").json["tests"] if t["test_id"] == "bounded"]
    assert [(test["status"], test["attempt"]) for test in ended] == [("failed", 1)]


def test_whoever_waits_after_the_end_is_answered_at_once(server: RunningServer) -> None:
    delivery = Delivery(server.port)
    delivery.post("/test-boundary", {"test_id": "t", "action": "start"})
    delivery.close()
    assert delivery.drain(timeout_s=0.1)


def test_a_dead_server_costs_one_wait_and_everything_lost_is_counted(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        delivery = Delivery(server.port, retry_s=(0.01,))
        delivery.take(batch("before"))
        assert delivery.drain(PATIENCE_S)
        server.kill()

        delivery.take(batch("after"))
        delivered = delivery.drain(PATIENCE_S)

    assert not delivered
    assert delivery.is_down
    assert not delivery.drain(PATIENCE_S)  # at once: nobody waits for a dead server
    delivery.take(batch("later"))
    delivery.close()
    assert (delivery.delivered, delivery.lost) == (1, 2)


def test_a_server_that_comes_back_gets_what_follows(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        port = server.port
    delivery = Delivery(port, retry_s=(0.01,))
    delivery.take(batch("lost"), test_id="back")
    assert not delivery.drain(PATIENCE_S)

    with running_server(tmp_path, "--port", str(port)) as server:
        delivery.take(batch("kept"), test_id="back")
        delivery.close()

        assert said(server, "back") == ["kept"]


def test_a_full_queue_refuses_and_so_the_page_keeps_its_batch() -> None:
    delivery = Delivery(1, queued_bytes=0)

    with pytest.raises(FullQueueError):
        delivery.take(batch("too much"))

    assert delivery.lost == 0


def test_a_batch_that_the_server_refuses_is_lost_and_said(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    delivery = Delivery(server.port)

    delivery.post("/logs", {"no": "entries"})
    delivery.close()

    assert (delivery.delivered, delivery.lost) == (0, 1)
    assert "refused a batch for /logs (400)" in caplog.text
