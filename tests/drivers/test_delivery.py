"""Batches from pages reach the server in order, or are counted."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import pytest

from gasoline.drivers.delivery import (
    EVIDENCE_ROUTE,
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
from tests.servers import RunningServer, running_server, wait_until

PATIENCE_S = 10.0


def batch(message: str, level: str = "error", **envelope: str) -> str:
    entries = [{"level": level, "message": message}]
    content = {"sender": uuid4().hex, "batch": 1, **envelope, "entries": entries}
    # As pages write it.
    return "/logs" + json.dumps(content, separators=(",", ":"))


def quiet_batch(message: str) -> str:
    return batch(message, level="warn")


@contextmanager
def listening(*, hangs_up: bool = False) -> Iterator[tuple[int, list[tuple[str, bytes]]]]:
    """A server that only writes down what it is asked, perhaps one request a connection."""
    heard: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            heard.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            if hangs_up:
                self.send_header("Connection", "close")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, heard
        server.shutdown()


def test_what_pages_may_reach_is_what_the_server_takes_from_pages() -> None:
    assert {stream.route for stream in STREAMS} == PAGE_ROUTES
    assert server_streams.EVIDENCE_ROUTE == EVIDENCE_ROUTE


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
    assert [len(line.removeprefix(b"/logs http://app")) for line in lines] == list(sizes)
    assert [post.origin for post in posts] == [
        "http://app" if count == 1 else None for count in requests
    ]


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


def test_what_is_said_soon_after_one_another_goes_in_one_request() -> None:
    with listening() as (port, heard):
        delivery = Delivery(port)
        delivery.take(quiet_batch("a"), page_url="http://one.example/")
        delivery.take(quiet_batch("b"), page_url="http://two.example/")
        delivery.post("/test-boundary", {"test_id": "t", "action": "end"})
        delivery.close(PATIENCE_S)

    [(route, body)] = heard
    assert route == EVIDENCE_ROUTE
    assert [line.partition(b"{")[0] for line in body.split(b"\n")] == [
        b"/logs http://one.example",
        b"/logs http://two.example",
        b"/test-boundary",
    ]


def test_a_server_that_hangs_up_after_each_answer_gets_everything_at_once() -> None:
    with listening(hangs_up=True) as (port, heard):
        delivery = Delivery(port, retry_s=())
        for number in range(3):
            delivery.take(batch(f"message {number}"))
            assert delivery.drain(PATIENCE_S)
        delivery.close()

    assert len(heard) == 3
    assert (delivery.delivered, delivery.lost) == (3, 0)


def test_an_error_does_not_wait_for_company(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.take(quiet_batch("before it"), test_id="urgent")
    delivery.take(batch("it"), test_id="urgent")

    wait_until(
        lambda: said(server, "urgent", "warn", "error") == ["before it", "it"],
        "the error and what led to it",
    )
    delivery.close()


def test_what_finds_no_company_goes_by_itself(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.take(quiet_batch("alone"), test_id="alone")

    wait_until(lambda: said(server, "alone", "warn") == ["alone"], "the batch")
    delivery.close()


def test_of_lines_that_come_too_fast_the_rest_is_sent_again(tmp_path: Path) -> None:
    flood = {"sender": "fast", "batch": 1, "test_id": "fast", "actions": [{"type": "x"}] * 6000}
    again = {**flood, "batch": 2}
    with running_server(tmp_path) as server:
        delivery = Delivery(server.port)
        delivery.post("/test-boundary", {"test_id": "fast", "action": "start", "attempt": 1})
        delivery.take(quiet_batch("kept once"), test_id="fast")
        delivery.take("/enhanced-actions" + json.dumps(flood))
        delivery.take("/enhanced-actions" + json.dumps(again))
        delivery.post("/test-boundary", {"test_id": "fast", "action": "end", "attempt": 1})
        delivery.close(PATIENCE_S)

        assert (delivery.delivered, delivery.lost) == (5, 0)
        assert said(server, "fast", "warn") == ["kept once"]
        [run] = server.request("GET", "/tests").json["tests"]
        assert (run["attempt"], run["active"]) == (1, False)


def test_of_lines_only_those_that_are_refused_are_lost(server: RunningServer) -> None:
    delivery = Delivery(server.port)

    delivery.take(quiet_batch("fine"), test_id="mixed")
    delivery.post("/logs", {"no": "entries"})
    delivery.take(quiet_batch("fine too"), test_id="mixed")
    delivery.close(PATIENCE_S)

    assert (delivery.delivered, delivery.lost) == (2, 1)
    assert said(server, "mixed", "warn") == ["fine", "fine too"]


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
