"""The report as data for other programs."""

import json

from gasoline.generation.report.json_report import write_json
from gasoline.records import WebSocketEvent
from tests.builders import NOON_MS
from tests.generation.report.stories import attempt, broken_order, error, report


def test_a_failing_test_lists_its_errors_by_kind() -> None:
    closed = WebSocketEvent(event="close", code=1008, url="ws://app/feed", at_ms=NOON_MS)
    content = json.loads(
        write_json(
            report(
                attempt(logs=(error(),), exchanges=(broken_order(),), websocket_events=(closed,))
            )
        )
    )

    (test,) = content["tests"]
    assert (test["test_id"], test["status"], test["duration"]) == (
        "shop > checkout",
        "fail",
        "1.2s",
    )
    assert [one["message"] for one in test["errors"]] == ["TypeError: total is not a function"]
    assert (
        test["network_failures"][0]["server_said"]
        == "Internal Server Error: null pointer: user.address"
    )
    assert [one["message"] for one in test["ws_errors"]] == ["WebSocket /feed closed with 1008"]
    assert content["summary"] == "1 test, 1 failure, 1 cause"


def test_empty_lists_are_left_out() -> None:
    (test,) = json.loads(write_json(report(attempt(status="passed"))))["tests"]

    assert test == {"test_id": "shop > checkout", "status": "pass", "duration": "1.2s"}


def test_a_test_that_passed_on_retry_is_flaky_and_shows_the_failed_attempt() -> None:
    (test,) = json.loads(
        write_json(
            report(
                attempt(number=1, exchanges=(broken_order(),)), attempt(number=2, status="passed")
            )
        )
    )["tests"]

    assert (test["status"], test["flaky"], test["attempts"]) == ("pass", True, 2)
    assert [(one["attempt"], one["status"]) for one in test["history"]] == [
        (1, "fail"),
        (2, "pass"),
    ]
    assert test["history"][0]["cause"] == "POST /api/orders/:id → 500"
    assert len(test["network_failures"]) == 1


def test_the_severity_filter_applies() -> None:
    warning = error("deprecated", level="warn")

    (test,) = json.loads(write_json(report(attempt(logs=(warning,)), min_severity="error")))[
        "tests"
    ]

    assert "errors" not in test
