"""What the user did and what came of it, in one order."""

import json
from typing import Any

import pytest

from gasoline.ingest import Ingest
from gasoline.records.time import format_time
from tests.builders import (
    NOON_MS,
    action,
    exchange,
    ingest,
    log,
    send_actions,
    send_exchanges,
    send_logs,
    send_snapshots,
    snapshot,
)
from tests.tools.asking import ask, call

NAME = "get_session_timeline"


def at(seconds: float) -> str:
    return format_time(NOON_MS + seconds * 1000)


def login() -> Ingest:
    """Actions, requests and messages that arrived in any order but the right one."""
    into = ingest()
    send_logs(
        into,
        log(ts=at(2), message="No sidebar", url="http://app/home"),
        log(ts=at(2.5), level="warn", message="Slow", url="http://app/home"),
        log(ts=at(2.6), level="info", message="Fine", url="http://app/home"),
    )
    body = json.dumps({"token": "abc", "user": {"id": 5, "name": "Bob"}})
    send_exchanges(
        into,
        exchange(ts=at(1.5), url="http://app/api/home", method="GET", pageUrl="http://app/home"),
        exchange(
            ts=at(0),
            url="/api/login",
            contentType="application/json",
            responseBody=body,
            pageUrl="http://app/login",
        ),
    )
    send_actions(
        into,
        action(
            timestamp=NOON_MS + 1000,
            type="navigate",
            fromUrl="/login",
            toUrl="/home",
            url="http://app/home",
        ),
        action(timestamp=NOON_MS, url="http://app/login", selectors={"testId": "go"}),
    )
    send_snapshots(
        into,
        snapshot(
            timestamp=NOON_MS + 1700,
            url="http://app/home",
            title="Home",
            elements=[{"role": "heading", "level": 1, "text": "Hello", "visible": True}],
        ),
    )
    return into


def test_everything_comes_in_the_order_of_its_time_with_causes_first() -> None:
    answer = ask(login().store, NAME)

    assert answer["timeline"] == [
        {
            "ts": NOON_MS,
            "kind": "action",
            "type": "click",
            "url": "http://app/login",
            "selectors": {"testId": "go"},
        },
        {
            "ts": NOON_MS,
            "kind": "network",
            "method": "POST",
            "url": "/api/login",
            "status": 200,
            "duration": 5,
            "contentType": "application/json",
            "responseShape": {"token": "string", "user": {"id": "number", "name": "string"}},
        },
        {
            "ts": NOON_MS + 1000,
            "kind": "action",
            "type": "navigate",
            "url": "http://app/home",
            "fromUrl": "/login",
            "toUrl": "/home",
        },
        {
            "ts": NOON_MS + 1500,
            "kind": "network",
            "method": "GET",
            "url": "http://app/api/home",
            "status": 200,
            "duration": 5,
        },
        {
            "ts": NOON_MS + 1700,
            "kind": "dom",
            "url": "http://app/home",
            "title": "Home",
            "headings": ["Hello"],
        },
        {"ts": NOON_MS + 2000, "kind": "console", "level": "error", "message": "No sidebar"},
        {"ts": NOON_MS + 2500, "kind": "console", "level": "warn", "message": "Slow"},
    ]


def test_the_summary_counts_actions_requests_and_errors() -> None:
    assert ask(login().store, NAME)["summary"] == {
        "actions": 2,
        "network_requests": 2,
        "console_errors": 1,
        "duration_ms": 2500,
        "text": "2 actions, 2 requests, 1 console error in 2.5 s.",
    }


def test_an_empty_session_is_an_empty_timeline() -> None:
    answer = ask(ingest().store, NAME)

    assert answer["timeline"] == []
    assert answer["summary"]["actions"] == answer["summary"]["duration_ms"] == 0


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        ({"include": ["actions"]}, ["action", "action"]),
        ({"include": ["network", "console"]}, ["network", "network", "console", "console"]),
        ({"include": ["nonsense", "dom"]}, ["dom"]),
        ({"include": []}, ["action", "network", "action", "network", "dom", "console", "console"]),
        ({"url": "/login"}, ["action", "network"]),
        ({"url": "nowhere"}, []),
        ({"last_n_actions": 1}, ["action", "network", "dom", "console", "console"]),
        ({"last_n_actions": 1, "include": ["network"]}, ["network"]),
        ({"last_n_actions": 9, "include": ["actions"]}, ["action", "action"]),
        ({"last_n_actions": 0, "include": ["actions"]}, ["action", "action"]),
        ({"last_n_actions": -1, "include": ["actions"]}, ["action", "action"]),
        ({"last_n_actions": 1, "url": "/login"}, ["action", "network"]),
    ],
)
def test_filters_choose_what_is_shown(arguments: dict[str, Any], kinds: list[str]) -> None:
    answer = ask(login().store, NAME, **arguments)

    assert [entry["kind"] for entry in answer["timeline"]] == kinds


@pytest.mark.parametrize("time", ["yesterday", "", {}, None, 1e300])
def test_a_time_that_is_none_is_the_time_of_arrival(time: Any) -> None:
    into = ingest()
    send_exchanges(into, exchange(ts=time))

    (entry,) = ask(into.store, NAME)["timeline"]

    assert entry["ts"] == NOON_MS


def test_zones_and_fractions_of_seconds_are_understood() -> None:
    into = ingest()
    send_exchanges(into, exchange(ts="2026-03-01T13:00:00.2505+01:00"))

    (entry,) = ask(into.store, NAME)["timeline"]

    assert entry["ts"] == NOON_MS + 250


@pytest.mark.parametrize(("count", "shown"), [(200, 200), (201, 200)])
def test_two_hundred_entries_are_shown_the_newest(count: int, shown: int) -> None:
    into = ingest()
    send_logs(into, *[log(ts=at(number), message=str(number)) for number in range(count)])

    answer = ask(into.store, NAME, max_tokens=100_000)

    assert len(answer["timeline"]) == shown
    assert answer["timeline"][-1]["message"] == str(count - 1)
    assert answer.get("truncated", False) is (count > shown)
    assert answer.get("omitted", 0) == count - shown


def test_an_answer_stays_under_a_hundred_kilobytes_and_is_still_json() -> None:
    into = ingest()
    send_logs(into, *[log(ts=at(number), message="é" * 499) for number in range(200)])

    answer = call(into.store, NAME, max_tokens=100_000)

    assert len(answer.text.encode()) <= 100_000
    assert json.loads(answer.text)["truncated"]


def test_tabs_are_told_where_there_are_several() -> None:
    into = ingest()
    send_actions(into, action(tabId=1), action(tabId=2, timestamp=NOON_MS + 1))

    both, one = ask(into.store, NAME), ask(into.store, NAME, tab_id=2)

    assert [entry["tabId"] for entry in both["timeline"]] == [1, 2]
    assert [entry["ts"] for entry in one["timeline"]] == [NOON_MS + 1]
