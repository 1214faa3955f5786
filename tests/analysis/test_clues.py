"""What is remarkable where nothing failed openly."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.analysis.clues import HEAVY_BYTES, LONG_TASK_MS, SLOW_MS, find_clues
from gasoline.analysis.elsewhere import Elsewhere
from gasoline.records import (
    EnhancedAction,
    NetworkBody,
    PerformanceSnapshot,
    TestRun,
    WebSocketEvent,
)
from gasoline.records.evidence import Evidence
from gasoline.records.performance import LongTasks, NetworkTotals, SlowRequest
from gasoline.records.websocket import Sampling
from tests.builders import NOON_MS


def attempt(
    test_id: str = "t", *, status: str = "failed", message: str | None = None, **fields: Any
) -> Evidence:
    run = TestRun(test_id=test_id, attempt=1, started_ms=NOON_MS, status=status, message=message)
    return Evidence(run=run, **fields)


def call(body: str = "{}", path: str = "/api/cart", **fields: Any) -> NetworkBody:
    known: dict[str, Any] = {"status": 200, "at_ms": NOON_MS, "duration": 10.0}
    return NetworkBody(url=f"http://app{path}", response_body=body, **(known | fields))


def load(*, task_ms: float = 0, size: float = 0, shift: float = 0) -> PerformanceSnapshot:
    hero = SlowRequest(url="http://app/hero.bmp", size=size / 2)
    return PerformanceSnapshot(
        url="/",
        long_tasks=LongTasks(count=1, longest=task_ms),
        network=NetworkTotals(transfer_size=size, slowest_requests=[hero]),
        cumulative_layout_shift=shift,
    )


def clues(one: Evidence, *others: Evidence) -> list[str]:
    return [clue.text for clue in find_clues(one, Elsewhere([one, *others]))]


def test_an_ordinary_session_has_none() -> None:
    assert clues(attempt(exchanges=(call(),), loads=(load(),))) == []


def test_an_answer_is_measured_by_those_of_tests_that_passed() -> None:
    without_price = call('{"id":1}')
    failed = [attempt(f"f{n}", exchanges=(without_price,)) for n in range(3)]
    passed = attempt("p", status="passed", exchanges=(call('{"id":1,"price":2}'),))

    assert clues(failed[0], *failed[1:], passed) == [
        "GET /api/cart answered without price, which the one other answer had"
    ]
    assert clues(failed[0], *failed[1:]) == []


@pytest.mark.parametrize(
    ("body", "fields", "said"),
    [
        ("<html>", {"content_type": "text/html"}, "answered a web page where data was asked for"),
        (")]}',\n{}", {"content_type": "application/json; charset=utf-8"}, None),
        ("{}\n{}", {"content_type": "application/x-ndjson"}, None),
        ("<p>part</p>", {"content_type": "text/html", "path": "/fragments/cart"}, None),
        ('{"id":', {"content_type": "application/json"}, "called its answer JSON, which it is not"),
        ('{"id":', {"content_type": "application/json", "response_truncated": True}, None),
        ("", {"content_type": "application/json", "status": 204}, None),
        ("<h1>Gone</h1>", {"content_type": "text/html", "status": 502}, None),
        ("plain", {"content_type": "text/plain"}, None),
    ],
)  # fmt: skip
def test_an_answer_that_no_code_can_read_as_json_is_named(
    body: str, fields: dict[str, Any], said: str | None
) -> None:
    found = clues(attempt(exchanges=(call(body, **fields),)))

    assert found == ([f"GET /api/cart {said}"] if said else [])


def test_a_secret_in_an_address_is_named_without_its_value() -> None:
    asked = call(path="/api/me?page=1&api_key=[redacted:api-key:***]")

    assert clues(attempt(exchanges=(asked,))) == [
        "GET /api/me carried a secret in its address: api_key"
    ]


@pytest.mark.parametrize(("rate", "count"), [("50.0/s", 1), ("49.9/s", 0), ("often", 0)])
def test_a_connection_is_busy_from_fifty_messages_a_second(rate: str, count: int) -> None:
    event = WebSocketEvent(url="ws://app/feed", event="message", sampled=Sampling(rate=rate))

    assert len(clues(attempt(websocket_events=(event,)))) == count


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        ({"task_ms": LONG_TASK_MS}, "One task kept the main thread of / busy for 200 ms"),
        ({"task_ms": LONG_TASK_MS - 1}, None),
        ({"size": HEAVY_BYTES}, "/ loaded 3.0 MB, such as /hero.bmp of 1.5 MB"),
        ({"size": HEAVY_BYTES - 1}, None),
        ({"shift": 0.25}, "The layout of / shifted by 0.25 (poor from 0.25)"),
        ({"shift": 0.24}, None),
    ],
)
def test_a_page_load_is_remarkable_from_a_limit_on(
    measured: dict[str, Any], said: str | None
) -> None:
    assert clues(attempt(loads=(load(**measured),))) == ([said] if said else [])


def test_what_is_slow_everywhere_explains_no_single_failure() -> None:
    slow: dict[str, Any] = {"exchanges": (call(duration=2000.0),), "loads": (load(task_ms=300),)}
    others = [attempt(f"o{n}", **slow) for n in range(3)]

    assert clues(attempt(**slow), *others) == []
    assert len(clues(attempt(**slow))) == 2


@pytest.mark.parametrize(("took_ms", "count"), [(SLOW_MS, 1), (SLOW_MS - 1, 0)])
def test_a_request_is_slow_from_a_second_on(took_ms: float, count: int) -> None:
    assert len(clues(attempt(exchanges=(call(duration=took_ms),)))) == count


def test_a_click_that_a_request_followed_is_nothing_remarkable() -> None:
    click = EnhancedAction(type="click", text="Buy", at_ms=NOON_MS)

    assert clues(attempt(actions=(click,), exchanges=(call(at_ms=NOON_MS + 5),))) == []
    assert clues(attempt(actions=(click,))) == [
        'The last click was on "Buy" and no answered request followed it'
    ]


@pytest.mark.parametrize(
    "message",
    [
        'Error: expect(locator).toHaveText(expected) failed\n\nReceived: "€18.50"',
        "Locator expected to have text '€55.50'\nActual value: €18.50\nCall log:",
        "AssertionError: assert '€18.50' == '€55.50'",
    ],
)
def test_a_number_that_a_test_found_is_traced_to_the_answer_it_came_from(message: str) -> None:
    cart = call('{"lines":[{"price":18.5,"quantity":3}]}')

    (said,) = clues(attempt(message=message, exchanges=(cart,)))

    assert said.endswith("; GET /api/cart had answered 18.5 in lines[].price")


def test_a_value_that_is_missing_in_the_page_is_set_beside_the_answer_it_was_made_of() -> None:
    product = call('{"id":1,"stock":24}', path="/api/products/1")
    message = 'Received string: "24 in stock, ships in undefined days"'

    (said,) = clues(attempt(message=message, exchanges=(product, call('{"data":1}'))))

    assert said.endswith(
        'ships in undefined days": a value is missing there; '
        "GET /api/products/1 had answered only id, stock"
    )


def test_an_undefined_that_is_the_whole_finding_is_not_called_the_page_s_text() -> None:
    assert clues(attempt(message="Received: undefined", exchanges=(call(),))) == []


@pytest.mark.parametrize(
    ("seen", "count"), [({"has_auth_header": False}, 1), ({"has_auth_header": True}, 0), ({}, 0)]
)
def test_addresses_given_to_anybody_are_personal_data(seen: dict[str, Any], count: int) -> None:
    listed = call('["a@x.example","b@x.example"]', **seen)

    assert len(clues(attempt(exchanges=(listed,)))) == count


ADDRESSES = st.text() | st.sampled_from(
    [
        "http://[bad/?token=[redacted:token:***]",
        "http://u:[redacted:url-password:***]@app/?a=[redacted:token:***]",
    ]
)
BODIES = st.text() | st.sampled_from(["[" * 900 + "1" + "]" * 900, '{"a":1e999}', "9" * 400])


@given(st.text() | st.just("Received: 1 undefined 9999"), st.lists(st.tuples(ADDRESSES, BODIES)))
def test_whatever_a_page_asked_and_a_test_said_can_be_looked_at(
    message: str, calls: list[tuple[str, str]]
) -> None:
    exchanges = tuple(
        NetworkBody(url=url, status=200, response_body=body, has_auth_header=False)
        for url, body in calls
    )

    clues(attempt(message=message, exchanges=exchanges), attempt("other", exchanges=exchanges))
