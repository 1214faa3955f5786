"""How the server is, and the questions an extension polls for."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gasoline import __version__
from tests.builders import action, exchange, log, message
from tests.servers import RunningServer, running_server
from tests.surfaces.http.asking import METHODS, mark, post, post_logs

ISO_MS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path, "--max-entries", "77", "--memory", "3") as running:
        yield running


def connections(server: RunningServer) -> Any:
    return server.request("GET", "/websocket-status").json


def test_the_root_names_the_server_and_its_ways(server: RunningServer) -> None:
    assert server.request("GET", "/").json == {
        "name": "gasoline",
        "version": __version__,
        "health": "/health",
        "logs": "/logs",
    }


def test_health_is_told_flat_and_nested(fresh: RunningServer) -> None:
    health = fresh.request("GET", "/health").json

    blind = health.pop("capture")
    assert blind["state"] == "blind"
    assert health == {
        "status": "ok",
        "name": "gasoline",
        "version": __version__,
        "pid": fresh.pid,
        "entries": 0,
        "maxEntries": 77,
        "logFile": "",
        "logs": {"entries": 0, "maxEntries": 77, "logFile": ""},
        "buffers": {"websocket_events": 0, "network_bodies": 0, "actions": 0, "connections": 0},
        "circuit": {"open": False, "current_rate": 0, "memory_bytes": 0, "reason": ""},
        "memory": {"bytes": 0, "limit": 3 * 1024 * 1024},
        "senders": 0,
        "tests": {"active": 0},
    }


def test_health_counts_what_came(fresh: RunningServer) -> None:
    post_logs(fresh, log(), log(), sender="counted", batch=1)
    post(fresh, "/websocket-events", {"events": [message(event="open")]})
    post(fresh, "/network-bodies", {"bodies": [exchange()]})
    post(fresh, "/enhanced-actions", {"actions": [action()]})
    mark(fresh, "counted", "start")

    health = fresh.request("GET", "/health").json

    assert (health["entries"], health["logs"]["entries"]) == (2, 2)
    assert health["buffers"] == {
        "websocket_events": 1,
        "network_bodies": 1,
        "actions": 1,
        "connections": 1,
    }
    assert (health["senders"], health["tests"]) == (1, {"active": 1})
    assert health["capture"] == {"state": "complete"}
    assert health["memory"]["bytes"] > 0


def test_evicted_records_make_the_view_partial(fresh: RunningServer) -> None:
    post_logs(fresh, *[log()] * 80)

    capture = fresh.request("GET", "/health").json["capture"]

    assert (capture["state"], capture["why"]) == (
        "partial",
        "3 older records pushed out by newer ones.",
    )


def test_health_says_where_the_record_goes_and_whether_it_failed(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")

    with running_server(tmp_path, "--record", "/dev/full") as server:
        before = server.request("GET", "/health").json
        post_logs(server, log())
        after = server.request("GET", "/health").json

    assert (before["logFile"], before.get("record_error")) == ("/dev/full", None)
    assert after["record_error"] == f"[Errno 28] {os.strerror(28)}"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", {"GET"}),
        ("/health", {"GET"}),
        ("/settings", {"GET", "POST"}),
        ("/pending-queries", {"GET"}),
        ("/dom-result", {"POST"}),
        ("/a11y-result", {"POST"}),
        ("/websocket-status", set(METHODS)),
    ],
)
def test_each_route_has_its_methods_and_no_others(
    server: RunningServer, path: str, allowed: set[str]
) -> None:
    answers = {method: server.request(method, path) for method in METHODS}

    assert {method for method, answer in answers.items() if answer.status != 405} == allowed
    refused = {method: answer for method, answer in answers.items() if answer.status == 405}
    assert [
        method
        for method, answer in refused.items()
        if method != "HEAD" and answer.json != {"error": "Method not allowed"}
    ] == []


# Settings


def test_settings_are_shown(server: RunningServer) -> None:
    assert server.request("GET", "/settings").json == {"connected": True, "capture_overrides": {}}


def test_a_heartbeat_is_answered_and_seen_in_health(server: RunningServer) -> None:
    answer = post(
        server, "/settings", {"session_id": "abc", "settings": {"aiWebPilotEnabled": True}}
    )

    seen = server.request("GET", "/health").json["extension"]
    assert answer["status"] == "ok"
    assert ISO_MS.fullmatch(answer["timestamp"])
    assert seen == {"last_seen": answer["timestamp"], "session_id": "abc"}


@pytest.mark.parametrize("session", [None, 7, {}, "x" * 100_000])
def test_a_heartbeat_may_say_anything_about_its_session(
    server: RunningServer, session: Any
) -> None:
    post(server, "/settings", {"session_id": session})

    seen = server.request("GET", "/health").json["extension"]
    assert len(json.dumps(seen)) < 300


# Questions


def test_nobody_asks_anything_of_a_fresh_server(server: RunningServer) -> None:
    assert server.request("GET", "/pending-queries").json == {"queries": []}


@pytest.mark.parametrize("route", ["/dom-result", "/a11y-result"])
@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b'{"id":"q-404","result":{}}', 404, "Nobody waits for this answer any more"),
        (b'{"id":"q-404"}', 404, "Nobody waits for this answer any more"),
        (b'{"result":{}}', 400, "id is required"),
        (b'{"id":7,"result":{}}', 400, "id is required"),
        (b"{", 400, "Invalid JSON"),
        (b"[]", 400, "Invalid JSON"),
        (b"", 400, "Invalid JSON"),
    ],
)
def test_an_answer_nobody_waits_for_is_refused(
    server: RunningServer, route: str, body: bytes, status: int, reason: str
) -> None:
    answer = server.request("POST", route, body)

    assert (answer.status, answer.json) == (status, {"error": reason})


@pytest.mark.parametrize("route", ["/settings", "/dom-result", "/a11y-result"])
def test_a_small_request_is_bounded_as_well(server: RunningServer, route: str) -> None:
    answer = server.request("POST", route, b" " * (5 * 1024 * 1024 + 1))

    assert (answer.status, answer.json) == (413, {"error": "Request body too large"})


# WebSocket connections


def test_a_connection_is_followed_from_open_to_close(server: RunningServer) -> None:
    server.request("POST", "/clear")
    events = [
        message(event="open", id="life"),
        message(id="life", data='{"p":1}', size=7),
        message(id="life", direction="outgoing", data="hi", size=2),
        message(id="unknown", data="ignored"),
    ]
    post(server, "/websocket-events", {"events": events})
    opened = connections(server)
    closing = message(event="close", id="life", code=1006, reason="gone", data=None)
    post(server, "/websocket-events", {"events": [closing]})

    closed = connections(server)

    (live,) = opened["connections"]
    assert (live["id"], live["url"], live["state"]) == ("life", "ws://app/feed", "open")
    assert live["messageRate"]["incoming"]["total"] == 1
    assert live["messageRate"]["outgoing"] == {"perSecond": 0.2, "total": 1, "bytes": 2}
    assert live["lastMessage"]["incoming"]["preview"] == '{"p":1}'
    assert re.fullmatch(r"\d\.\ds", live["duration"])
    (ended,) = closed["closed"]
    assert closed["connections"] == []
    assert (ended["state"], ended["closeCode"], ended["closeReason"]) == ("closed", 1006, "gone")
    assert ended["totalMessages"] == {"incoming": 1, "outgoing": 1}
