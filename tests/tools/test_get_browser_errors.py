"""What broke in the page."""

from typing import Any

import pytest

from tests.builders import (
    NOON_MS,
    action,
    exchange,
    ingest,
    log,
    send_actions,
    send_exchanges,
    send_logs,
)
from tests.tools.asking import ask, call


def test_errors_come_oldest_first_and_nothing_less_severe() -> None:
    into = ingest()
    send_logs(
        into, log(message="first"), log(level="warn"), log(level="info"), log(message="second")
    )

    answer = ask(into.store, "get_browser_errors")

    assert [error["message"] for error in answer["errors"]] == ["first", "second"]
    assert answer["summary"] == "2 browser errors of 2 kinds; first the one on /cart: first."


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (log(message="", args=["total", {"a": 1}]), 'total {"a":1}'),
        (
            {"level": "error", "type": "network", "method": "POST", "url": "/api", "status": 500},
            "POST /api → 500",
        ),
        ({"level": "error", "error": "Failed to fetch", "url": ""}, "Failed to fetch"),
        ({"level": "error", "type": "exception"}, "exception"),
    ],
)
def test_the_summary_finds_words_for_entries_without_a_message(
    entry: dict[str, object], said: str
) -> None:
    into = ingest()
    send_logs(into, entry)

    assert ask(into.store, "get_browser_errors")["summary"].endswith(f": {said}.")


def test_what_a_driver_admits_counts_in_every_answer() -> None:
    into = ingest()
    note = {"type": "gasoline-capture", "level": "info", "capture": "blind"}
    said = "[gasoline] Capture is blind: the browser context runs no JavaScript"
    send_logs(into, {**note, "message": said, "metadata": {"next": "Let it."}})

    answer = ask(into.store, "get_browser_errors")

    assert answer["capture"]["state"] == "blind"
    assert answer["capture"]["why"] == "the browser context runs no JavaScript"
    assert answer["capture"]["next"] == "Let it."


def test_no_errors_says_how_many_entries_were_looked_at() -> None:
    into = ingest()
    send_logs(into, log(level="info"), log(level="warn"))

    answer = ask(into.store, "get_browser_errors")

    assert answer["summary"] == "No browser errors found among 2 log entries."
    assert answer["errors"] == []


def test_the_limit_keeps_the_newest_and_says_how_many_are_left_out() -> None:
    into = ingest()
    send_logs(into, *[log(message=str(number)) for number in range(5)])

    answer = ask(into.store, "get_browser_errors", limit=2)

    assert [error["message"] for error in answer["errors"]] == ["3", "4"]
    assert answer["omitted"] == 3


AT_NOON = "2026-03-01T12:00:00.000Z"
CONTEXT: dict[str, Any] = {
    "summary": "TypeError in src/pay.ts:12 — `order.total` is null when reading `amount`.",
    "sourceSnippets": [
        {
            "file": "src/pay.ts",
            "line": 12,
            "column": 24,
            "snippet": [
                {"line": 11, "text": "  export function pay(order) {"},
                {"line": 12, "text": "    return order.total.amount;", "isError": True},
                {"line": 13, "text": "  }"},
            ],
        },
        {"file": "src/cart.ts", "line": 7, "column": 1, "snippet": [{"line": 7, "text": "pay(o)"}]},
    ],
    "componentAncestry": {
        "framework": "react",
        "components": [{"name": "App"}, {"name": "Cart", "propKeys": ["order"]}],
    },
    "stateSnapshot": {
        "source": "redux",
        "keys": {"auth": {"type": "object"}},
        "relevantSlice": {"auth.loading": False, "auth.user": None},
    },
}
STACK = "TypeError: x\n    at pay (http://app/app.js:1:40)\n    at c (http://app/app.js:1:90)"


def read_null(**fields: Any) -> dict[str, Any]:
    message = "Uncaught TypeError: Cannot read properties of null (reading 'amount')"
    return log(type="exception", message=message, stack=STACK, ts=AT_NOON, _errorId="e1") | fields


def test_an_error_is_shown_with_everything_that_explains_it() -> None:
    into = ingest()
    send_exchanges(
        into,
        exchange(
            url="http://app/api/orders/7",
            method="GET",
            ts="2026-03-01T11:59:59.500Z",
            responseBody='{"id":7,"total":null}',
        ),
        exchange(
            url="http://app/api/stock",
            method="GET",
            status=503,
            ts="2026-03-01T11:59:59.700Z",
            responseBody='{"error":"busy"}',
        ),
        exchange(url="http://app/api/old", status=500, ts="2026-03-01T11:59:00.000Z"),
    )
    send_actions(
        into,
        action(type="input", timestamp=NOON_MS - 3000, value="7", selectors={"text": "Order"}),
        action(timestamp=NOON_MS - 400, selectors={"text": "Pay"}),
        action(timestamp=NOON_MS + 400, selectors={"text": "Later"}),
    )
    send_logs(into, read_null(_aiContext=CONTEXT))

    answer = ask(into.store, "get_browser_errors")

    because = "GET /api/orders/7 had answered 200 with null in total"
    explained = f"{CONTEXT['summary']} Likely because {because}."
    assert answer["errors"] == [
        {
            "seq": into.store.last_seq,
            "ts": AT_NOON,
            "level": "error",
            "type": "exception",
            "message": read_null()["message"],
            "url": "http://app/cart",
            "_errorId": "e1",
            "explained": explained,
            "at": "src/pay.ts:12:24",
            "code": (
                "  11 | export function pay(order) {\n> 12 |   return order.total.amount;\n  13 | }"
            ),
            "called_by": ["src/cart.ts:7"],
            "components": "App > Cart",
            "state": {"auth.loading": False, "auth.user": None},
            "actions": ["input 'Order' with '7', 3.0 s before", "click 'Pay', 400 ms before"],
            "requests": [because, 'GET /api/stock → 503, 295 ms before: "busy"'],
        }
    ]
    assert answer["summary"] == f"1 browser error on /cart: {explained}"


def test_raw_shows_entries_as_they_were_captured() -> None:
    into = ingest()
    sent = read_null(_aiContext=CONTEXT, _enrichments=["aiContext"], _actions=[{"type": "click"}])
    send_logs(into, sent, log(message="second"))

    answer = ask(into.store, "get_browser_errors", raw=True)

    assert answer["errors"] == [{"seq": 1, **sent}, {"seq": 2, **log(message="second")}]


def test_repeats_are_counted_and_noise_is_marked() -> None:
    into = ingest()
    favicon = log(
        type="resource", message="Failed to load <link>", filename="http://app/favicon.ico"
    )
    send_logs(into, favicon, *[log(message=f"order {number} failed") for number in range(10, 15)])

    answer = ask(into.store, "get_browser_errors")

    assert [
        (error["message"], error.get("times"), error.get("noise")) for error in answer["errors"]
    ] == [
        ("order 14 failed", 5, None),
        ("Failed to load <link>", None, "missing favicon"),
    ]
    assert answer["summary"] == (
        "6 browser errors of 2 kinds; first the one on /cart: order 14 failed."
    )


def test_one_error_with_everything_at_its_longest_takes_under_800_tokens() -> None:
    into = ingest()
    text = 'é"\\' * 500
    snippet = [{"line": n, "text": text[:200], "isError": n == 1005} for n in range(1000, 1011)]
    place = {"file": "src/" + "deep/" * 40 + "a.ts", "line": 1005, "column": 3, "snippet": snippet}
    context = {
        "summary": text,
        "sourceSnippets": [place] * 3,
        "componentAncestry": {"components": [{"name": "LongComponentName" * 2}] * 10},
        "stateSnapshot": {"relevantSlice": {f"key.{n}": text[:200] for n in range(10)}},
    }
    for number in range(5):
        url = f"http://app/api/{'long/' * 50}{number}"
        send_exchanges(
            into, exchange(url=url, status=500, ts=AT_NOON, responseBody=text, duration=0)
        )
        send_actions(into, action(timestamp=NOON_MS, selectors={"text": text}, value=text[:90]))
    send_logs(into, read_null(message=text, url="http://app/" + "p" * 3000, _aiContext=context))

    answer = call(into.store, "get_browser_errors")

    assert len(answer.text.encode()) / 4 < 800
    assert ">" in ask(into.store, "get_browser_errors")["errors"][0]["code"]


def test_an_error_without_a_source_says_why_and_where_the_browser_saw_it() -> None:
    into = ingest()
    note = "No source for http://app/app.js: it names no source map."
    send_logs(into, read_null(_aiContext={"summary": "s", "sourceNote": note}))

    (error,) = ask(into.store, "get_browser_errors")["errors"]

    assert (error["at"], error["called_by"], error["source"]) == (
        "/app.js:1:40",
        ["/app.js:1"],
        note,
    )


def test_an_error_that_the_browser_hides_comes_with_the_remedy() -> None:
    into = ingest()
    send_logs(into, log(type="exception", message="Script error."))

    answer = ask(into.store, "get_browser_errors")

    assert 'crossorigin="anonymous"' in answer["errors"][0]["explained"]
    assert "another origin" in answer["summary"]


@pytest.mark.parametrize(
    "thrown",
    [
        {"message": "Uncaught boom"},
        {"message": "Uncaught null", "args": [None]},
        {"message": "Uncaught [object Object]", "args": [{"code": 7}]},
        {"message": "", "stack": "", "error": {"name": "Foreign"}},
        {"message": 7, "stack": ["not", "text"], "lineno": "x"},
        {"_aiContext": "text"},
        {"_aiContext": {"sourceSnippets": [{"file": 3}]}},
        {"_aiContext": {"stateSnapshot": [], "summary": None}},
        {"_actions": "text"},
    ],
)
def test_whatever_was_thrown_has_an_answer(thrown: dict[str, Any]) -> None:
    into = ingest()
    send_logs(into, log(type="exception") | thrown)

    answer = ask(into.store, "get_browser_errors")

    assert len(answer["errors"]) == 1
    assert answer["errors"][0]["message"]


def test_requests_and_actions_of_another_tab_are_not_held_against_this_one() -> None:
    into = ingest()
    send_exchanges(into, exchange(status=500, ts=AT_NOON, duration=0, tabId=2))
    send_actions(into, action(timestamp=NOON_MS, tabId=2))
    send_logs(into, read_null(tabId=1))

    (error,) = ask(into.store, "get_browser_errors")["errors"]

    assert not {"requests", "actions"} & error.keys()
