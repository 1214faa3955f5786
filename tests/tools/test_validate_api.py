"""Whether the answers of an API still look as they did."""

import json
from typing import Any

import pytest

from gasoline.ingest import Ingest
from gasoline.store import Limits, Store
from gasoline.store.limits import MIB, RingLimit
from tests.builders import exchange, ingest, send_exchanges, store
from tests.tools.asking import ask, call


def answered(body: Any, **fields: Any) -> dict[str, Any]:
    text = body if isinstance(body, str) else json.dumps(body)
    return (
        exchange(
            method="GET",
            contentType="application/json",
            responseBody=text,
            ts="2026-03-01T12:00:00Z",
        )
        | fields
    )


def price(amount: Any, **fields: Any) -> dict[str, Any]:
    return answered({"id": 1, "price": amount}, url="http://app/api/products/7", **fields)


def browser(*exchanges: dict[str, Any], into: Store | None = None) -> Ingest:
    receiver = ingest(into)
    send_exchanges(receiver, *exchanges)
    return receiver


def test_a_request_that_still_waits_is_no_answer() -> None:
    waiting = price(5, status=0, pending=True, responseBody=None)
    answer = ask(browser(*[price(5)] * 3, waiting).store, "validate_api", action="report")

    assert [endpoint["call_count"] for endpoint in answer["endpoints"]] == [3]


def test_a_changed_type_is_named_with_its_endpoint() -> None:
    answer = ask(browser(*[price(5)] * 3, price("5")).store, "validate_api", action="analyze")

    assert answer == {
        "summary": (
            "1 violation at 1 of 1 endpoint in 4 requests. Worst: GET /api/products/:id: "
            "Field 'price' changed type from 'number' to 'string' in the latest response."
        ),
        "capture": {"state": "complete", "unverified": True},
        "action": "analyzed",
        "violations": [
            {
                "type": "type_change",
                "endpoint": "GET /api/products/:id",
                "severity": "warning",
                "description": (
                    "Field 'price' changed type from 'number' to 'string' in the latest response"
                ),
                "occurrences": {
                    "expected_count": 3,
                    "violation_count": 1,
                    "first_seen": "2026-03-01T12:00:00.000Z",
                    "last_violation": "2026-03-01T12:00:00.000Z",
                },
                "field": "price",
                "expected_type": "number",
                "actual_type": "string",
                "sample_value": "5",
            }
        ],
        "tracked_endpoints": 1,
        "total_requests_analyzed": 4,
        "clean_endpoints": 0,
    }


def test_a_body_is_learned_once_however_often_one_asks() -> None:
    of = browser(*[price(5)] * 2, price("5")).store

    first = ask(of, "validate_api", action="analyze")

    assert ask(of, "validate_api", action="analyze") == first


def test_what_was_learned_outlives_the_bodies() -> None:
    into = store(Limits(network_bodies=RingLimit(2, MIB)))
    receiver = ingest(into)
    for amount in (5, 6, 7, "8"):
        send_exchanges(receiver, price(amount))
        answer = ask(into, "validate_api", action="analyze")

    assert answer["total_requests_analyzed"] == 4
    assert [violation["type"] for violation in answer["violations"]] == ["type_change"]


def test_bodies_of_tests_that_run_and_have_ended_are_each_learned_once() -> None:
    receiver = ingest()
    receiver.store.start_test("a")
    send_exchanges(receiver, price(5))
    ask(receiver.store, "validate_api", action="report")
    receiver.store.end_test("a")
    send_exchanges(receiver, price(6))

    answer = ask(receiver.store, "validate_api", action="report")

    assert answer["endpoints"][0]["call_count"] == 2


def test_the_report_shows_shapes_and_consistency() -> None:
    of = browser(*[price(5)] * 3, price(5, status=401), price(5, status=500)).store

    answer = ask(of, "validate_api", action="report")

    assert answer["endpoints"] == [
        {
            "endpoint": "GET /api/products/:id",
            "method": "GET",
            "origin": "http://app",
            "call_count": 5,
            "status_codes": {"200": 3, "401": 1, "500": 1},
            "established_shape": {"id": "number", "price": "number"},
            "established": True,
            "consistency": "60%",
            "last_called": "2026-03-01T12:00:00.000Z",
        }
    ]


def test_clearing_starts_anew_with_new_requests() -> None:
    receiver = browser(*[price(5)] * 3)

    cleared = ask(receiver.store, "validate_api", action="clear")
    send_exchanges(receiver, price("5"))

    assert (cleared["action"], cleared["endpoints_cleared"]) == ("cleared", 1)
    analyzed = ask(receiver.store, "validate_api", action="analyze")
    assert (analyzed["violations"], analyzed["total_requests_analyzed"]) == ([], 1)


@pytest.mark.parametrize(
    ("chosen", "endpoints"),
    [
        ({}, {"GET /api/a", "GET /api/b"}),
        ({"url_filter": "/api/a"}, {"GET /api/a"}),
        ({"url_filter": "http://app"}, {"GET /api/a", "GET /api/b"}),
        ({"ignore_endpoints": ["api/a", "health"]}, {"GET /api/b"}),
        ({"url_filter": "elsewhere"}, set()),
    ],
)
def test_the_caller_chooses_endpoints(chosen: dict[str, Any], endpoints: set[str]) -> None:
    of = browser(*(answered({}, url=f"http://app/api/{name}?x=1") for name in "ab")).store

    answer = ask(of, "validate_api", action="report", **chosen)

    assert {one["endpoint"] for one in answer["endpoints"]} == endpoints


def test_thirty_endpoints_are_tracked_and_the_next_pushes_out_the_first() -> None:
    words = [f"{first}{second}x" for first in "ghijk" for second in "lmnopq"]
    of = browser(*(answered({}, url=f"/{word}") for word in (*words, "last"))).store

    report = ask(of, "validate_api", action="report", max_tokens=20_000)

    tracked = {one["endpoint"] for one in report["endpoints"]}
    assert tracked == {f"GET /{word}" for word in (*words[1:], "last")}


def test_an_answer_never_exceeds_fifty_kilobytes() -> None:
    row = {f"field{'x' * number}": "y" for number in range(150)}
    words = [f"{first}{second}x" for first in "ghijk" for second in "lmnopq"]
    of = browser(*(answered(row, url=f"/{word}") for word in words)).store

    text = call(of, "validate_api", action="report", max_tokens=100_000).text

    assert len(text.encode()) <= 50 * 1024
    assert json.loads(text)["omitted"] > 0


def test_without_traffic_the_answer_says_what_to_do() -> None:
    answer = ask(store(), "validate_api", action="analyze")

    assert answer["summary"] == "No requests captured yet. Use the page, then ask again."


def test_openapi_comes_as_a_file() -> None:
    answer = ask(browser(*[price(5)] * 3).store, "validate_api", action="openapi")

    document = json.loads(answer["file"]["content"])
    assert document["openapi"] == "3.1.0"
    assert list(document["paths"]) == ["/api/products/{products_id}"]
