"""Two moments of the session, side by side."""

import json
from typing import Any

import pytest

from gasoline.ingest import Ingest
from gasoline.ingest.streams import PERFORMANCE_SNAPSHOTS
from tests.builders import (
    Clock,
    exchange,
    ingest,
    log,
    message,
    send,
    send_events,
    send_exchanges,
    send_logs,
    store,
)
from tests.tools.asking import ask, call


def diff(into: Ingest, action: str, **arguments: Any) -> dict[str, Any]:
    return ask(into.store, "diff_sessions", action=action, **arguments)


def refuse(into: Ingest, action: str, **arguments: Any) -> str:
    answer = call(into.store, "diff_sessions", action=action, **arguments)
    assert answer.is_error, answer.text
    return answer.text


def compare(into: Ingest, a: str = "a", b: str = "b") -> dict[str, Any]:
    return diff(into, "compare", compare_a=a, compare_b=b)


def load(**fields: Any) -> dict[str, Any]:
    return {"url": "/cart", "timestamp": "2026-03-01T12:00:00Z"} | fields


def test_a_request_that_still_waits_is_no_change() -> None:
    into = ingest()
    send_exchanges(into, exchange())
    diff(into, "capture", name="a")
    send_exchanges(into, exchange(status=0, pending=True))
    diff(into, "capture", name="b")

    assert compare(into)["diff"]["network"] == {
        "new_errors": [],
        "status_changes": [],
        "new_endpoints": [],
        "missing_endpoints": [],
    }


def test_capturing_answers_with_counts() -> None:
    into = ingest()
    send_logs(into, log(message="a"), log(message="a"), log(level="warn"))
    send_exchanges(into, exchange(), exchange(status=500), exchange(url="http://app/api/cart/7"))
    send_events(into, message(event="open"))
    send(
        into,
        PERFORMANCE_SNAPSHOTS,
        load(timing={"load": 1100}, network={"requestCount": 12, "transferSize": 340000}),
    )

    answer = diff(into, "capture", name="before-deploy")

    assert (answer["action"], answer["name"]) == ("captured", "before-deploy")
    assert answer["snapshot"] == {
        "captured_at": "2026-03-01T12:00:00.000Z",
        "console_errors": 2,
        "console_warnings": 1,
        "network_requests": 3,
        "network_errors": 1,
        "websocket_connections": 1,
        "performance": {"load_time": 1100, "request_count": 12, "transfer_size": 340000},
        "unique_endpoints": 2,
        "page_url": "/cart",
        "set_aside": 0,
    }


def test_errors_are_new_resolved_or_unchanged() -> None:
    into = ingest()
    send_logs(into, log(message="gone"), log(message="stays 17"))
    diff(into, "capture", name="a")
    into.store.clear()
    send_logs(into, log(message="stays 18"), *[log(message="came")] * 3)
    diff(into, "capture", name="b")

    answer = compare(into)

    assert (answer["action"], answer["a"], answer["b"]) == ("compared", "a", "b")
    assert answer["diff"]["errors"] == {
        "new": [{"type": "console", "message": "came", "count": 3}],
        "resolved": [{"type": "console", "message": "gone", "count": 1}],
        "unchanged": [{"type": "console", "message": "stays 18", "count": 1}],
    }
    assert answer["summary"] == {
        "text": "b against a: mixed (3 new errors, 1 error resolved; first: came).",
        "verdict": "mixed",
        "new_errors": 3,
        "resolved_errors": 1,
        "performance_regressions": 0,
        "new_network_errors": 0,
    }


def test_endpoints_are_compared_without_query_and_ids() -> None:
    into = ingest()
    send_exchanges(
        into,
        exchange(url="http://app/api/orders/17?page=1", status=200, duration=100),
        exchange(url="http://app/api/slow", duration=100),
        exchange(url="http://app/api/steady", duration=100),
        exchange(url="http://app/api/old"),
    )
    diff(into, "capture", name="a")
    into.store.clear()
    send_exchanges(
        into,
        exchange(url="http://app/api/orders/18?page=2", status=502, duration=100),
        exchange(url="http://app/api/slow", duration=200),
        exchange(url="http://app/api/steady", duration=199),
        exchange(url="http://app/api/flags", method="GET"),
    )

    network = compare(into, b="current")["diff"]["network"]

    assert network == {
        "new_errors": [{"method": "POST", "url": "/api/orders/18", "status": 502}],
        "status_changes": [
            {"method": "POST", "url": "/api/orders/18", "before": 200, "after": 502},
            {
                "method": "POST",
                "url": "/api/slow",
                "before": 200,
                "after": 200,
                "duration_change": "+100ms",
            },
        ],
        "new_endpoints": [{"method": "GET", "url": "/api/flags", "status": 200}],
        "missing_endpoints": [{"method": "POST", "url": "/api/old", "status": 200}],
    }


def test_the_last_call_stands_for_an_endpoint_and_any_failure_makes_it_an_erroring_one() -> None:
    into = ingest()
    send_exchanges(into, exchange(status=200))
    diff(into, "capture", name="a")
    into.store.clear()
    send_exchanges(into, exchange(status=500), exchange(status=200))

    network = compare(into, b="current")["diff"]["network"]

    assert network["new_errors"] == [{"method": "POST", "url": "/api/pay", "status": 500}]
    assert network["status_changes"] == []


def test_a_changed_answer_is_told_by_its_shape() -> None:
    into = ingest()
    send_exchanges(into, exchange(responseBody='{"price": 5, "tags": ["a"]}'))
    diff(into, "capture", name="a")
    into.store.clear()
    send_exchanges(into, exchange(responseBody='{"price": "5", "tags": ["a"]}'))

    answer = compare(into, b="current")

    assert answer["diff"]["network"]["shape_changes"] == [
        {
            "method": "POST",
            "url": "/api/pay",
            "before": {"price": "number", "tags": ["string"]},
            "after": {"price": "string", "tags": ["string"]},
        }
    ]
    assert "response shapes changed" in answer["summary"]["text"]


def test_page_loads_are_compared_by_the_thresholds_of_regressions() -> None:
    into = ingest()
    send(into, PERFORMANCE_SNAPSHOTS, load(timing={"load": 1100}, network={"requestCount": 12}))
    diff(into, "capture", name="a")
    into.store.clear()
    send(into, PERFORMANCE_SNAPSHOTS, load(timing={"load": 3200}, network={"requestCount": 12}))

    answer = compare(into, b="current")

    assert answer["diff"]["performance"]["load_time"] == {
        "before": 1100,
        "after": 3200,
        "change": "+191%",
        "regression": True,
    }
    assert answer["diff"]["performance"]["request_count"]["regression"] is False
    assert (answer["summary"]["verdict"], answer["summary"]["performance_regressions"]) == (
        "regressed",
        1,
    )


def test_connections_that_open_or_close_are_told() -> None:
    into = ingest()
    send_events(into, message(event="open"))
    diff(into, "capture", name="a")
    send_events(into, message(event="close", code=1006))
    send_events(into, message(event="open", id="ws-2", url="ws://app/chat"))

    sockets = compare(into, b="current")["diff"]["websockets"]["connection_changes"]

    assert sockets == [
        {"url": "ws://app/feed", "before": "open", "after": "closed"},
        {"url": "ws://app/chat", "before": "absent", "after": "open"},
    ]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ([log(message="x")], [], "improved"),
        ([], [log(message="x")], "regressed"),
        ([log(message="x")], [log(message="y")], "mixed"),
        ([log(message="x")], [log(message="x")], "unchanged"),
        ([], [], "unchanged"),
    ],
)
def test_verdicts(before: list[Any], after: list[Any], verdict: str) -> None:
    into = ingest()
    send_logs(into, *before, log(level="info"))
    diff(into, "capture", name="a")
    into.store.clear()
    send_logs(into, *after, log(level="info"))

    assert compare(into, b="current")["summary"]["verdict"] == verdict


def test_an_endpoint_that_newly_fails_is_a_regression() -> None:
    into = ingest()
    diff(into, "capture", name="a")
    send_exchanges(into, exchange(status=500))

    answer = compare(into, b="current")

    assert (answer["summary"]["verdict"], answer["summary"]["new_network_errors"]) == (
        "regressed",
        1,
    )


def test_a_snapshot_equals_itself_and_current_may_stand_on_either_side() -> None:
    into = ingest()
    send_logs(into, log())
    diff(into, "capture", name="a")

    assert compare(into, b="a")["summary"]["verdict"] == "unchanged"
    assert compare(into, a="current", b="a")["summary"]["verdict"] == "unchanged"
    assert compare(into, a="current", b="current")["summary"]["verdict"] == "unchanged"


def test_a_state_that_still_holds_the_earlier_one_says_so() -> None:
    into = ingest()
    send_logs(into, log())
    diff(into, "capture", name="a")

    assert "clear_browser_logs" in compare(into, b="current")["note"]
    into.store.clear()
    assert "note" not in compare(into, b="current")


def test_the_filter_limits_what_a_snapshot_holds() -> None:
    into = ingest()
    send_logs(into, log(message="here"), log(message="there", url="http://app/about"))

    assert diff(into, "capture", name="a", url_filter="/about")["snapshot"]["console_errors"] == 1


def test_snapshots_are_listed_and_deleted() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    diff(into, "capture", name="first")
    clock.advance(seconds=1)
    send_logs(into, log())
    diff(into, "capture", name="second")

    listed = diff(into, "list")
    deleted = diff(into, "delete", name="first")

    assert listed["action"] == "listed"
    assert [snapshot["name"] for snapshot in listed["snapshots"]] == ["first", "second"]
    assert listed["snapshots"][1] == {
        "name": "second",
        "captured_at": "2026-03-01T12:00:01.000Z",
        "page_url": "http://app/cart",
        "error_count": 1,
    }
    assert (deleted["action"], deleted["name"]) == ("deleted", "first")
    assert [snapshot["name"] for snapshot in diff(into, "list")["snapshots"]] == ["second"]


def test_capturing_under_a_known_name_replaces() -> None:
    into = ingest()
    diff(into, "capture", name="a")
    send_logs(into, log())
    diff(into, "capture", name="a")

    assert [snapshot["error_count"] for snapshot in diff(into, "list")["snapshots"]] == [1]


def test_the_eleventh_snapshot_takes_the_place_of_the_least_recently_used() -> None:
    into = ingest()
    for number in range(10):
        diff(into, "capture", name=f"s{number}")
    compare(into, a="s0", b="current")

    diff(into, "capture", name="s10")

    names = {snapshot["name"] for snapshot in diff(into, "list")["snapshots"]}
    assert len(names) == 10
    assert "s0" in names
    assert "s1" not in names


def test_a_snapshot_lasts_two_hours() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    diff(into, "capture", name="a")

    clock.advance(seconds=2 * 3600)
    compare(into, b="current")
    clock.advance(seconds=1)

    assert "There is no snapshot a" in refuse(into, "compare", compare_a="a", compare_b="current")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (None, "name is missing"),
        ("", "name is missing"),
        ("  ", "name is missing"),
        ("current", "current is what is live now"),
        ("n" * 51, "The name has 51 characters"),
        ("a\x07b", "invisible characters"),
        ("a\u202eb", "invisible characters"),
        ("a\nb", "invisible characters"),
    ],
)
def test_names_that_cannot_be_used_say_why(name: str | None, said: str) -> None:
    assert said in refuse(ingest(), "capture", name=name)


def test_a_name_of_fifty_characters_and_any_script_is_fine() -> None:
    into = ingest()

    assert diff(into, "capture", name="é" * 50)["name"] == "é" * 50


@pytest.mark.parametrize(
    ("action", "arguments", "said"),
    [
        ("delete", {"name": "x"}, "There is no snapshot x; kept are: none"),
        ("delete", {}, "name is missing"),
        ("compare", {"compare_a": "x"}, "compare needs compare_a and compare_b"),
        ("compare", {"compare_a": "x", "compare_b": "current"}, "There is no snapshot x"),
    ],
)
def test_what_is_missing_is_said(action: str, arguments: dict[str, Any], said: str) -> None:
    assert said in refuse(ingest(), action, **arguments)


def test_snapshots_of_full_buffers_stay_small_and_so_does_their_comparison() -> None:
    into = ingest()
    words = [f"{first}{second}" for first in "abcdefghij" for second in "abcdefghij"]
    body = json.dumps({word: {"value": word, "list": [word]} for word in words})
    for side in ("left", "right"):
        send_logs(into, *[log(message=f"{side} {word} {'x' * 2000}") for word in words])
        send_exchanges(
            into,
            *[
                exchange(url=f"http://app/{side}-{word}/{'p' * 400}", responseBody=body)
                for word in words
            ],
        )
        diff(into, "capture", name=side)

    answer = call(
        into.store, "diff_sessions", action="compare", compare_a="left", compare_b="right"
    )

    assert len(answer.text) / 4 < 4000
    assert json.loads(answer.text)["omitted"] > 0
    for _, state in into.store.snapshots.oldest_first():
        assert len(repr(state)) < 200_000


def test_known_noise_on_either_side_is_counted() -> None:
    into = ingest()
    diff(into, "capture", name="quiet")
    send_logs(into, log(message="[HMR] update failed"))

    answer = diff(into, "compare", compare_a="quiet", compare_b="current")

    assert answer["summary"]["verdict"] == "unchanged"
    assert answer["set_aside"] == {"a": 0, "b": 1}


def test_a_socket_that_came_back_is_as_open_as_before() -> None:
    into = ingest()
    send_events(into, message(event="open"))
    diff(into, "capture", name="a")
    send_events(into, message(event="close"), message(event="open", id="ws-2"))

    assert compare(into, b="current")["diff"]["websockets"]["connection_changes"] == []


def test_the_newest_hundred_requests_are_kept_however_they_were_told() -> None:
    into = ingest()
    failed = {"type": "network", "method": "GET", "status": 500, "message": ""}
    send_logs(into, *[log(url=f"http://app/old/{'a' * n}", **failed) for n in range(1, 21)])
    send_exchanges(into, *[exchange(url=f"http://app/new/{'b' * n}") for n in range(1, 91)])
    send_logs(into, log(url="http://app/latest", **failed))

    snapshot = diff(into, "capture", name="a")["snapshot"]

    assert (snapshot["network_requests"], snapshot["network_errors"]) == (100, 10)
    into.store.clear()
    missing = compare(into, b="current")["diff"]["network"]["missing_endpoints"]
    assert missing[0]["url"] == "/old/" + "a" * 12


def test_a_snapshot_is_compared_with_what_its_filter_lets_through_now() -> None:
    into = ingest()
    send_logs(into, log(message="here"), log(message="there", url="http://app/about"))
    diff(into, "capture", name="a", url_filter="/cart")

    assert compare(into, b="current")["summary"]["verdict"] == "unchanged"


def test_a_filter_given_with_the_comparison_holds_for_both_sides() -> None:
    into = ingest()
    send_logs(into, log(message="here"), log(message="there", url="http://app/about"))
    send_exchanges(into, exchange(url="http://app/api/x", pageUrl="http://app/about"))
    send_exchanges(into, exchange(url="http://app/cart/y"))
    diff(into, "capture", name="a")

    answer = diff(into, "compare", compare_a="a", compare_b="current", url_filter="app/cart")

    assert answer["summary"]["verdict"] == "unchanged"
    assert [error["message"] for error in answer["diff"]["errors"]["unchanged"]] == ["here"]
    assert answer["diff"]["network"]["missing_endpoints"] == []


def test_what_was_cleared_on_purpose_is_not_lost() -> None:
    into = ingest()
    send_logs(into, log())
    diff(into, "capture", name="a")
    into.store.clear()
    send_logs(into, log())

    assert compare(into, b="current")["capture"]["state"] == "complete"


def test_an_expired_snapshot_takes_no_place_however_recently_it_was_used() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    diff(into, "capture", name="old")
    clock.advance(seconds=7000)
    for number in range(9):
        diff(into, "capture", name=f"s{number}")
    compare(into, a="old", b="current")
    clock.advance(seconds=300)

    diff(into, "capture", name="s9")

    names = {snapshot["name"] for snapshot in diff(into, "list")["snapshots"]}
    assert names == {f"s{number}" for number in range(10)}
