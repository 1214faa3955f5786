"""Snapshots, clean slates and tests, as a test runner asks for them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from gasoline.surfaces.http.ci_routes import ci_routes
from gasoline.surfaces.settings import Settings
from tests.builders import action, exchange, ingest, log, message
from tests.servers import RunningServer, running_server
from tests.surfaces.http.asking import ask_own, mark, messages, post, post_logs, snapshot

NOON = "2026-03-01T12:00:00"
NO_STATS = {
    "total_logs": 0,
    "error_count": 0,
    "warning_count": 0,
    "network_failures": 0,
    "ws_connections": 0,
}


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path) as running:
        yield running


@pytest.fixture
def cleared(server: RunningServer) -> RunningServer:
    """The shared server with no live records and no running test."""
    for test in listed_tests(server):
        if test["active"]:
            mark(server, test["test_id"], "end")
    server.request("POST", "/clear")
    return server


def listed_tests(server: RunningServer) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = server.request("GET", "/tests").json["tests"]
    return listed


def attempts_of(server: RunningServer, test_id: str) -> list[tuple[int, str]]:
    return [
        (test["attempt"], test["status"])
        for test in listed_tests(server)
        if test["test_id"] == test_id
    ]


def post_one_of_each(server: RunningServer, **fields: Any) -> None:
    post_logs(server, log(**fields))
    post(server, "/websocket-events", {"events": [message(event="open", **fields)]})
    post(server, "/network-bodies", {"bodies": [exchange(**fields)]})
    post(server, "/enhanced-actions", {"actions": [action(**fields)]})
    post(
        server, "/performance-snapshots", {"snapshots": [{"url": "/home", "timing": {}, **fields}]}
    )


def sizes(seen: dict[str, Any]) -> dict[str, int]:
    return {name: len(value) for name, value in seen.items() if isinstance(value, list)}


def is_now(text: str) -> bool:
    return abs(datetime.fromisoformat(text) - datetime.now(UTC)) < timedelta(seconds=30)


# GET /snapshot


def test_a_fresh_server_has_empty_lists_and_zero_counts(fresh: RunningServer) -> None:
    seen = snapshot(fresh)

    assert is_now(seen.pop("timestamp"))
    assert seen.pop("capture")["state"] == "blind"
    assert seen == {"logs": [], "websocket_events": [], "network_bodies": [], "stats": NO_STATS}


def test_the_timestamp_is_utc_and_finer_than_a_second(server: RunningServer) -> None:
    stamp = snapshot(server)["timestamp"]

    assert stamp.endswith("Z")
    assert len(stamp.partition(".")[2]) >= 4


def test_every_kind_comes_back_in_one_answer(cleared: RunningServer) -> None:
    post_one_of_each(cleared)

    assert sizes(snapshot(cleared)) == {
        "logs": 1,
        "websocket_events": 1,
        "network_bodies": 1,
        "enhanced_actions": 1,
        "performance": 1,
    }


def test_a_snapshot_has_everything_oldest_first(cleared: RunningServer) -> None:
    post_logs(cleared, *(log(message=str(n)) for n in range(300)))
    post(cleared, "/websocket-events", {"events": [message(size=n) for n in range(120)]})
    post(cleared, "/network-bodies", {"bodies": [exchange(duration=n) for n in range(90)]})

    seen = snapshot(cleared)

    assert [entry["message"] for entry in seen["logs"]] == [str(n) for n in range(300)]
    assert [event["size"] for event in seen["websocket_events"]] == list(range(120))
    assert [body["duration"] for body in seen["network_bodies"]] == list(range(90))


def test_the_counts_are_those_a_test_asserts_on(cleared: RunningServer) -> None:
    levels = ["error", "error", "warn", "warning", "info", "fatal", "ERROR"]
    post_logs(cleared, *(log(level=level) for level in levels))
    statuses = [200, 399, 400, 404.0, 500, "500", None]
    post(cleared, "/network-bodies", {"bodies": [exchange(status=s) for s in statuses]})
    ids = [{"id": "a"}, {"id": "a"}, {"id": "b"}, {"id": "", "url": "ws://one"}]
    post(cleared, "/websocket-events", {"events": [message(**known) for known in ids]})

    assert snapshot(cleared)["stats"] == {
        "total_logs": 7,
        "error_count": 2,
        "warning_count": 2,
        "network_failures": 3,
        "ws_connections": 3,
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/snapshot", "/tests"])
def test_a_snapshot_is_read_only(server: RunningServer, method: str, path: str) -> None:
    answer = server.request(method, path)

    assert (answer.status, answer.json) == (405, {"error": "Method not allowed"})
    assert answer.headers["allow"] == "GET"


# since


@pytest.mark.parametrize(
    "since",
    [
        f"{NOON}Z",
        f"{NOON}z",
        "2026-03-01t12:00:00Z",
        f"{NOON}.000000000Z",
        "2026-03-01T14:00:00%2B02:00",
        "2026-03-01T14:00:00+02:00",
        "2026-03-01T14:00:00.0%2B02:00",
        "2026-03-01T07:30:00-04:30",
    ],
)
def test_since_keeps_what_came_strictly_after(cleared: RunningServer, since: str) -> None:
    moments: list[dict[str, Any]] = [
        {"ts": "2026-03-01T11:59:59.999Z"},
        {"ts": f"{NOON}Z"},
        {"timestamp": 1_772_366_400_000},
        {"timestamp": f"{NOON}.001Z"},
        {"ts": 1_772_366_400_002},
        {"ts": "2026-03-01T13:00:00.003+01:00"},
        {"ts": "not a time", "timestamp": f"{NOON}.004Z"},
        {"ts": "not a time"},
        {},
    ]
    post_logs(cleared, *(log(message=str(n), **moment) for n, moment in enumerate(moments)))

    assert messages(cleared, since=since) == ["3", "4", "5", "6", "7", "8"]


def test_since_is_finer_than_a_millisecond(cleared: RunningServer) -> None:
    post_logs(cleared, log(message="a", ts=f"{NOON}.123456Z"), log(message="b", ts=f"{NOON}.1236Z"))

    assert messages(cleared, since=f"{NOON}.123456000Z") == ["b"]
    assert messages(cleared, since=f"{NOON}.123455999Z") == ["a", "b"]


def test_since_holds_for_every_kind_and_its_counts(cleared: RunningServer) -> None:
    post_one_of_each(cleared, ts=f"{NOON}Z", timestamp=f"{NOON}Z", status=500)
    before = snapshot(cleared, since="2026-03-01T11:59:59Z")

    after = snapshot(cleared, since=f"{NOON}Z")

    assert set(sizes(before).values()) == {1}
    assert sizes(after) == {"logs": 0, "websocket_events": 0, "network_bodies": 0}
    assert after["stats"] == NO_STATS


def test_a_body_without_a_time_counts_from_its_arrival(cleared: RunningServer) -> None:
    post(cleared, "/network-bodies", {"bodies": [exchange()]})

    early, late = (
        snapshot(cleared, since=f"{NOON}Z"),
        snapshot(cleared, since="2999-01-01T00:00:00Z"),
    )

    assert len(early["network_bodies"]) == 1
    assert is_now(early["network_bodies"][0]["ts"])
    assert late["network_bodies"] == []


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59%2B08:00", ""])
def test_a_time_before_all_times_keeps_everything(cleared: RunningServer, since: str) -> None:
    post_logs(cleared, log(message="kept", ts=0))

    assert messages(cleared, since=since) == ["kept"]


@pytest.mark.parametrize(
    "since",
    [
        "yesterday",
        "2026-03-01",
        "2026-03-01T12:00:00",
        "2026-03-01T12:00:00 Z",
        "2026-13-01T12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-03-01T25:00:00Z",
        "2026-03-01T12:00:60Z",
        "2026-03-01T12:00:00+99:99",
        "2026-03-01 12:00:00Z",
        "1772366400000",
        "2026-03-01T12:00:00.Z",
        "%D9%A2%D9%A0%D9%A2%D9%A6-03-01T12:00:00Z",
        "%FF",
        "0000-01-01T00:00:00Z",
    ],
)
def test_a_since_that_is_no_time_is_refused(server: RunningServer, since: str) -> None:
    answer = ask_own(server, "GET", f"/snapshot?since={since.replace(' ', '%20')}")

    assert (answer.status, answer.json) == (400, {"error": "Invalid since timestamp"})


# test_id


def test_records_between_boundaries_carry_the_test_and_others_do_not(
    cleared: RunningServer,
) -> None:
    post_logs(cleared, log(message="before"))
    mark(cleared, "tagging", "start")
    post_logs(cleared, log(message="during"))
    mark(cleared, "tagging", "end")
    post_logs(cleared, log(message="after"))

    tags = [(entry["message"], entry.get("test_id")) for entry in snapshot(cleared)["logs"]]

    assert tags == [("before", None), ("during", "tagging"), ("after", None)]


def test_the_answer_names_the_test_only_when_asked_for_one(server: RunningServer) -> None:
    assert "test_id" not in snapshot(server)
    assert snapshot(server, test_id="some%20test")["test_id"] == "some test"


def test_a_test_s_snapshot_has_its_records_of_every_kind(cleared: RunningServer) -> None:
    mark(cleared, "kinds", "start")
    post_one_of_each(cleared)
    mark(cleared, "other", "start")
    post_one_of_each(cleared, test_id="other")
    active = snapshot(cleared, test_id="kinds")
    mark(cleared, "kinds", "end")

    ended = snapshot(cleared, test_id="kinds")

    assert set(sizes(active).values()) == {1}
    assert len(sizes(active)) == 5
    del active["timestamp"], ended["timestamp"]
    assert ended == active


def test_since_and_test_id_combine(cleared: RunningServer) -> None:
    early, late = log(message="early", ts=f"{NOON}Z"), log(message="late", ts=f"{NOON}.5Z")
    post_logs(cleared, early, late, test_id="both")
    post_logs(cleared, late, test_id="another")

    assert messages(cleared, test_id="both", since=f"{NOON}Z") == ["late"]


def test_records_without_a_test_belong_to_none_while_two_run(cleared: RunningServer) -> None:
    mark(cleared, "left", "start")
    mark(cleared, "right", "start")
    post_logs(cleared, log(message="whose"))
    post_logs(cleared, log(message="mine"), test_id="left")
    mark(cleared, "right", "end")
    post_logs(cleared, log(message="alone again"))

    assert messages(cleared) == ["whose", "mine", "alone again"]
    assert messages(cleared, test_id="left") == ["mine", "alone again"]
    assert messages(cleared, test_id="right") == []


def test_a_record_that_names_a_test_nobody_started_belongs_to_it(cleared: RunningServer) -> None:
    post_logs(cleared, log(message="named", test_id="never started"))

    assert messages(cleared, test_id="never%20started") == ["named"]


def test_a_batch_that_comes_after_the_end_still_reaches_its_test(cleared: RunningServer) -> None:
    mark(cleared, "flushed late", "start")
    mark(cleared, "flushed late", "end")

    post_logs(cleared, log(message="late"), test_id="flushed late")
    cleared.request("POST", "/clear")

    assert messages(cleared, test_id="flushed%20late") == ["late"]


def test_each_attempt_has_its_own_records(cleared: RunningServer) -> None:
    for number in (1, 2):
        mark(cleared, "retried", "start")
        post_logs(cleared, log(message=f"attempt {number}"))
        mark(cleared, "retried", "end", status="failed")

    assert messages(cleared, test_id="retried") == ["attempt 2"]
    assert messages(cleared, test_id="retried", attempt=1) == ["attempt 1"]
    assert messages(cleared, test_id="retried", attempt=2) == ["attempt 2"]
    assert messages(cleared, test_id="retried", attempt=3) == []


@pytest.mark.parametrize("attempt", ["one", "-1", "1.5", "%D9%A1", "9" * 5000, "1e3"])
def test_an_attempt_that_is_no_number_is_refused(server: RunningServer, attempt: str) -> None:
    answer = server.request("GET", f"/snapshot?test_id=a&attempt={attempt}")

    assert (answer.status, answer.json) == (400, {"error": "attempt must be a whole number"})


# /clear


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_clearing_resets_everything_captured(cleared: RunningServer, method: str) -> None:
    post_one_of_each(cleared)
    post_logs(cleared, log(), log())

    answer = cleared.request(method, "/clear")

    assert answer.json == {
        "cleared": True,
        "entries_removed": 3,
        "removed": {
            "logs": 3,
            "websocket_events": 1,
            "network_bodies": 1,
            "enhanced_actions": 1,
            "performance_snapshots": 1,
            "dom_snapshots": 0,
            "screenshots": 0,
        },
    }
    assert sizes(snapshot(cleared)) == {"logs": 0, "websocket_events": 0, "network_bodies": 0}
    status = cleared.request("GET", "/websocket-status").json
    assert status == {"connections": [], "closed": []}
    performance = cleared.request("GET", "/performance-snapshot").json
    assert performance == {"snapshot": None, "baseline": None}


def test_clearing_twice_removes_nothing_more(cleared: RunningServer) -> None:
    assert cleared.request("POST", "/clear").json["entries_removed"] == 0


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH"])
def test_clearing_by_another_method_is_refused(cleared: RunningServer, method: str) -> None:
    post_logs(cleared, log(message="still here"))

    answer = cleared.request(method, "/clear")

    assert (answer.status, answer.json) == (405, {"error": "Method not allowed"})
    assert messages(cleared) == ["still here"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b"\xff", b'{"test_id":7}', b"[" * 100_000, b'{"test_id":""}'],
)
def test_a_body_that_says_nothing_readable_still_clears(
    cleared: RunningServer, body: bytes
) -> None:
    post_logs(cleared, log())

    answer = cleared.request("POST", "/clear", body)

    assert (answer.status, answer.json["entries_removed"]) == (200, 1)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/clear?test_id=gone", None),
        ("/clear", {"test_id": "gone"}),
        ("/clear", {"testId": "gone"}),
        ("/clear", {"test_id": "gone", "preserve_config": "maybe"}),
        ("/clear?test_id=gone", {"test_id": "stays"}),
    ],
)
def test_clearing_one_test_leaves_the_others(
    cleared: RunningServer, path: str, body: dict[str, Any] | None
) -> None:
    mark(cleared, "gone", "start")
    mark(cleared, "stays", "start")
    post_logs(cleared, log(message="a", test_id="gone"), log(message="b", test_id="stays"))
    post_logs(cleared, log(message="c"))

    answer = cleared.request("POST", path, body)

    assert answer.json["entries_removed"] == 1
    assert messages(cleared) == ["b", "c"]
    assert messages(cleared, test_id="gone") == []


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (b"", True),
        (b"{", True),
        (b'{"preserve_config":true}', True),
        (b'{"preserve_config":"no"}', True),
        (b'{"preserve_config":false}', False),
    ],
)
def test_only_an_explicit_no_resets_the_settings(body: bytes, kept: bool) -> None:  # noqa: FBT001  # pytest names it
    settings = Settings()
    settings.capture_overrides["log_level"] = "all"
    clear = ci_routes(ingest(), settings)["/clear"]["POST"]

    answer = clear(Request({"type": "http", "query_string": b"", "headers": []}), body)

    assert isinstance(answer, Response)
    assert answer.status_code == 200
    assert (settings.capture_overrides == {"log_level": "all"}) is kept


def test_a_reset_reaches_whatever_else_was_configured() -> None:
    done: list[str] = []
    settings = Settings(also_reset=[lambda: done.append("streaming")])
    clear = ci_routes(ingest(), settings)["/clear"]["POST"]

    clear(
        Request({"type": "http", "query_string": b"", "headers": []}), b'{"preserve_config":false}'
    )

    assert done == ["streaming"]


def test_clearing_ends_no_test(cleared: RunningServer) -> None:
    mark(cleared, "goes on", "start")
    cleared.request("POST", "/clear")

    post_logs(cleared, log(message="after"))

    assert messages(cleared, test_id="goes%20on") == ["after"]


@pytest.mark.parametrize("path", ["/clear", "/clear?test_id=archived"])
def test_evidence_of_an_ended_test_survives_clearing(cleared: RunningServer, path: str) -> None:
    mark(cleared, "archived", "start")
    post_logs(cleared, log(message="evidence"))
    post(cleared, "/network-bodies", {"bodies": [exchange(status=500)]})
    mark(cleared, "archived", "end", status="failed")

    cleared.request("POST", path)

    seen = snapshot(cleared, test_id="archived")
    assert messages(cleared) == []
    assert [entry["message"] for entry in seen["logs"]] == ["evidence"]
    assert seen["stats"]["network_failures"] == 1


def test_an_attempt_that_was_cleared_while_it_ran_archives_only_the_rest(
    cleared: RunningServer,
) -> None:
    mark(cleared, "cleared midway", "start")
    post_logs(cleared, log(message="first half"))
    cleared.request("POST", "/clear?test_id=cleared%20midway")
    post_logs(cleared, log(message="second half"))
    mark(cleared, "cleared midway", "end")

    assert messages(cleared, test_id="cleared%20midway") == ["second half"]


# /test-boundary and /tests


def test_a_boundary_answers_what_and_when(server: RunningServer) -> None:
    for action_name in ("start", "end"):
        answer = mark(server, "boundary", action_name)

        assert is_now(answer.pop("timestamp"))
        assert answer == {"test_id": "boundary", "action": action_name, "attempt": 1}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"[]", "Invalid JSON"),
        (b"[" * 100_000, "Invalid JSON"),
        (b"\xff", "Invalid JSON"),
        (b"{}", "test_id is required"),
        (b'{"action":"start"}', "test_id is required"),
        (b'{"test_id":"","action":"start"}', "test_id is required"),
        (b'{"test_id":7,"action":"start"}', "test_id is required"),
        (b'{"test_id":"a"}', "action must be 'start' or 'end'"),
        (b'{"test_id":"a","action":"pause"}', "action must be 'start' or 'end'"),
        (b'{"test_id":"a","action":["start"]}', "action must be 'start' or 'end'"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_boundary_that_is_none_is_refused(
    server: RunningServer, body: bytes, reason: str
) -> None:
    answer = server.request("POST", "/test-boundary", body)

    assert (answer.status, answer.json) == (400, {"error": reason})


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_boundary_is_posted(server: RunningServer, method: str) -> None:
    answer = server.request(method, "/test-boundary", {"test_id": "a", "action": "start"})

    assert (answer.status, answer.json) == (405, {"error": "Method not allowed"})


def test_ids_of_4096_characters_are_fine_and_longer_ones_are_not(cleared: RunningServer) -> None:
    longest = "é" * 4096

    taken = cleared.request("POST", "/test-boundary", {"test_id": longest, "action": "start"})
    refused = cleared.request(
        "POST", "/test-boundary", {"test_id": longest + "x", "action": "start"}
    )
    post_logs(cleared, log())

    assert taken.status == 200
    assert (refused.status, refused.json) == (
        400,
        {"error": "test_id is longer than 4096 characters"},
    )
    assert [entry["test_id"] for entry in snapshot(cleared)["logs"]] == [longest]


def test_ending_ends_only_its_own_test(cleared: RunningServer) -> None:
    mark(cleared, "running", "start")

    answer = mark(cleared, "never begun", "end")

    assert "attempt" not in answer
    assert answer["ignored"] == "no test of this test_id is running; its start was not marked"
    assert [test["test_id"] for test in listed_tests(cleared) if test["active"]] == ["running"]


def test_starting_again_opens_a_new_attempt(cleared: RunningServer) -> None:
    attempts = [mark(cleared, "again", "start")["attempt"] for _ in range(2)]
    attempts.append(mark(cleared, "again", "start", attempt=7)["attempt"])
    mark(cleared, "again", "end", status="passed")

    assert attempts == [1, 2, 7]
    assert attempts_of(cleared, "again") == [(1, "interrupted"), (2, "interrupted"), (7, "passed")]


def test_the_end_of_another_attempt_is_ignored_and_the_answer_says_so(
    cleared: RunningServer,
) -> None:
    mark(cleared, "outrun", "start", attempt=1)
    mark(cleared, "outrun", "start", attempt=2)

    late = mark(cleared, "outrun", "end", attempt=1, status="failed")
    in_time = mark(cleared, "outrun", "end", attempt=2, status="passed")

    assert "attempt" not in late
    assert late["ignored"] == (
        "attempt 1 is not running, attempt 2 is; only the end of that one ends it"
    )
    assert (in_time["attempt"], "ignored" in in_time) == (2, False)
    assert attempts_of(cleared, "outrun") == [(1, "interrupted"), (2, "passed")]


@pytest.mark.parametrize("has_ended", [True, False])
def test_the_same_attempt_started_again_replaces_what_it_was(
    cleared: RunningServer,
    has_ended: bool,  # noqa: FBT001  # pytest names it
) -> None:
    test_id = f"anew {has_ended}"
    mark(cleared, test_id, "start", attempt=1)
    post_logs(cleared, log(message="first run"))
    if has_ended:
        mark(cleared, test_id, "end", attempt=1, status="failed")

    mark(cleared, test_id, "start", attempt=1)
    post_logs(cleared, log(message="second run"))
    mark(cleared, test_id, "end", attempt=1, status="passed")

    assert attempts_of(cleared, test_id) == [(1, "passed")]
    assert messages(cleared, test_id=test_id.replace(" ", "%20")) == ["second run"]
    assert messages(cleared) == ["first run", "second run"]


def test_tests_that_nobody_ended_do_not_pile_up(fresh: RunningServer) -> None:
    for number in range(202):
        mark(fresh, f"abandoned {number}", "start")

    listed = fresh.request("GET", "/tests").json

    assert listed["active"] == 200
    ended = [(test["test_id"], test["status"]) for test in listed["tests"] if not test["active"]]
    assert ended == [("abandoned 0", "interrupted"), ("abandoned 1", "interrupted")]


def test_a_list_of_tests_says_how_each_went(fresh: RunningServer) -> None:
    mark(fresh, "slow", "start")
    mark(fresh, "slow", "end", status="failed", duration_ms=1234.56, message="Expected 1, got 2")
    mark(fresh, "runs", "start")
    mark(fresh, "unsaid", "start")
    mark(fresh, "unsaid", "end")

    listed = fresh.request("GET", "/tests").json

    shown = [
        {name: value for name, value in test.items() if name not in {"started", "ended"}}
        for test in listed["tests"]
    ]
    measured = shown[1].pop("duration_ms")
    assert 0 <= measured < 20_000
    assert shown == [
        {
            "test_id": "slow",
            "attempt": 1,
            "status": "failed",
            "active": False,
            "duration_ms": 1234.6,
            "message": "Expected 1, got 2",
        },
        {"test_id": "unsaid", "attempt": 1, "status": "unknown", "active": False},
        {"test_id": "runs", "attempt": 1, "status": "running", "active": True},
    ]
    assert (listed["count"], listed["active"], listed["forgotten"]) == (3, 1, 0)
    assert all(is_now(test["started"]) for test in listed["tests"])
