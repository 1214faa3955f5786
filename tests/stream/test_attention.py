"""What in a session is significant."""

import pickle
from typing import Any

import msgspec
import pytest

from gasoline.records import EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, Record
from gasoline.stream.attention import Attention
from gasoline.stream.event import StreamEvent
from tests.builders import NOON_MS, action, exchange, log


def entry(**fields: Any) -> LogEntry:
    return msgspec.convert(log(**fields), LogEntry)


def request(**fields: Any) -> NetworkBody:
    return msgspec.convert(exchange(**fields), NetworkBody)


def act(at_s: float = 0, **fields: Any) -> EnhancedAction:
    done = msgspec.convert(action(**fields), EnhancedAction)
    return msgspec.structs.replace(done, at_ms=NOON_MS + at_s * 1000)


def notice(attention: Attention, *records: Record, at_s: float = 0) -> list[StreamEvent]:
    now_ms = NOON_MS + at_s * 1000
    return [event for record in records for event in attention.notice(record, now_ms=now_ms)]


def said(events: list[StreamEvent]) -> list[tuple[str, str, str]]:
    return [(event.category, event.severity, event.message) for event in events]


def test_an_error_is_news_once() -> None:
    attention = Attention()

    events = notice(attention, entry(message="boom 17"), entry(message="boom 18"))

    assert said(events) == [("errors", "error", "New error: boom 17")]
    assert events[0].context == {"url": "http://app/cart", "source": "http://app/cart"}


def test_what_was_there_before_is_no_news() -> None:
    attention = Attention()
    attention.remember([entry(message="boom"), request(status=200)])

    events = notice(attention, entry(message="boom"), request(status=401))

    assert said(events) == [
        ("network_errors", "warning", "Auth/access issue: POST /api/pay → 401 (was 200)")
    ]


@pytest.mark.parametrize(
    "rejection",
    [
        {"type": "exception", "message": "Unhandled Promise Rejection: no money"},
        {"source": "unhandledrejection", "type": "", "message": "no money"},
    ],
)
def test_an_unhandled_rejection_has_words_of_its_own(rejection: dict[str, Any]) -> None:
    assert said(notice(Attention(), entry(**rejection))) == [
        ("errors", "error", "Unhandled rejection: no money")
    ]


def test_warnings_and_noise_are_not_significant() -> None:
    assert not notice(
        Attention(),
        entry(level="warn"),
        entry(message="[vite] hot update failed"),
        request(url="https://www.google-analytics.com/collect", status=503),
    )


def test_a_server_error_comes_with_a_short_preview_and_the_last_good_status() -> None:
    attention = Attention()

    events = notice(attention, request(status=200), request(status=500, responseBody="x" * 101))

    assert said(events) == [("network_errors", "error", "Server error: POST /api/pay → 500")]
    assert events[0].context == {
        "method": "POST",
        "url": "http://app/api/pay",
        "status": 500,
        "response_preview": "x" * 100,
        "previous_status": 200,
    }


def test_a_failed_request_without_bodies_is_told_in_the_same_words() -> None:
    failed = entry(type="network", method="POST", url="http://app/api/pay", status=500, message="")

    assert said(notice(Attention(), failed)) == [
        ("network_errors", "error", "Server error: POST /api/pay → 500")
    ]


def test_a_refusal_matters_only_where_the_endpoint_worked_before() -> None:
    attention = Attention()

    never_worked = notice(attention, request(status=404))
    works = notice(attention, request(status=204))
    refused = notice(attention, request(status=403))

    assert (never_worked, works) == ([], [])
    assert said(refused) == [
        ("network_errors", "warning", "Auth/access issue: POST /api/pay → 403 (was 204)")
    ]


def test_two_hundred_endpoints_are_remembered() -> None:
    attention = Attention()
    words = [f"{first}{second}" for first in "abcdefghijklmno" for second in "abcdefghijklmno"]
    for word in words[:201]:
        notice(attention, request(url=f"http://app/{word}"))

    forgotten = notice(attention, request(url=f"http://app/{words[0]}", status=403))
    remembered = notice(attention, request(url=f"http://app/{words[1]}", status=403))

    assert (len(forgotten), len(remembered)) == (0, 1)


def load(**fields: Any) -> PerformanceSnapshot:
    return msgspec.convert({"url": "/cart"} | fields, PerformanceSnapshot)


def test_a_load_that_takes_more_than_twice_the_usual_is_a_regression() -> None:
    attention = Attention()

    at_the_limit, past_it, first = (
        list(attention.notice(snapshot, now_ms=NOON_MS, usual_load_ms=usual))
        for snapshot, usual in [
            (load(timing={"load": 2000}), 1000.0),
            (load(timing={"load": 2001}), 1000.0),
            (load(timing={"load": 9000}), None),
        ]
    )

    assert (at_the_limit, first) == ([], [])
    assert said(past_it) == [
        (
            "performance",
            "warning",
            "Performance regression: /cart loaded in 2001ms (baseline: 1000ms)",
        )
    ]


def test_a_task_over_half_a_second_blocks_the_page() -> None:
    at_the_limit = notice(Attention(), load(longTasks={"longest": 500}))
    past_it = notice(Attention(), load(longTasks={"longest": 501}))

    assert at_the_limit == []
    assert said(past_it) == [("performance", "warning", "Main thread blocked for 501ms")]


def click(at_s: float, **fields: Any) -> EnhancedAction:
    return act(at_s, selectors={"testId": "pay"}, **fields)


def test_three_clicks_within_five_seconds_are_frustration() -> None:
    attention = Attention()

    calm = notice(attention, click(0), click(2), click(5))
    events = notice(attention, click(6.9))

    assert calm == []
    assert said(events) == [
        ("user_frustration", "warning", "Repeated clicks on pay — handler may be broken")
    ]
    assert events[0].context == {"url": "http://app/cart", "selector": "pay", "clicks": 3}


def test_clicks_on_different_elements_are_not_counted_together() -> None:
    others = [act(selectors={"id": name}) for name in ("a", "b", "c")]

    assert not notice(Attention(), *others)


def submit() -> EnhancedAction:
    return act(type="submit", action="/session")


def test_a_form_without_an_answer_is_told_after_five_seconds() -> None:
    attention = Attention()
    notice(attention, submit())

    early = list(attention.overdue(NOON_MS + 4999))
    late = list(attention.overdue(NOON_MS + 5000))

    assert early == []
    assert said(late) == [
        ("user_frustration", "warning", "Form submit to /session — no response after 5s")
    ]
    assert attention.next_deadline_ms is None


@pytest.mark.parametrize(
    "answer",
    [request(), act(type="navigate", toUrl="/home"), load()],
    ids=["a response", "another page", "a page load"],
)
def test_a_form_that_was_answered_is_forgotten(answer: Record) -> None:
    attention = Attention()

    notice(attention, submit(), answer)

    assert list(attention.overdue(NOON_MS + 9000)) == []


def test_an_answer_that_is_told_before_the_submit_it_answers_counts() -> None:
    attention = Attention()
    answer = msgspec.structs.replace(request(), at_ms=NOON_MS + 1)

    notice(attention, answer, submit())

    assert list(attention.overdue(NOON_MS + 9000)) == []


def test_an_answer_from_before_the_submit_is_none() -> None:
    attention = Attention()
    earlier = msgspec.structs.replace(request(), at_ms=NOON_MS - 1)

    notice(attention, earlier, submit())

    assert list(attention.overdue(NOON_MS + 9000))


@pytest.mark.parametrize("told_by", [{"type": "dead-click"}, {"type": "", "source": "dead-click"}])
def test_a_click_that_changed_nothing_is_frustration(told_by: dict[str, str]) -> None:
    dead = entry(level="warn", message="Nothing followed a click on Pay", **told_by)

    assert said(notice(Attention(), dead)) == [
        ("user_frustration", "warning", "Nothing followed a click on Pay")
    ]


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"url": "http://app/x?key=[redacted:api-key:AKIAIO...PLE]"}, ["api-key"]),
        ({"url": "http://app/x?password=[redacted:password:***]"}, ["password"]),
        (
            {"requestBody": '{"k": "[redacted:aws-access-key-id:AKIAIO...PLE]"}'},
            ["aws-access-key-id"],
        ),
        ({"requestBody": '{"password": "[redacted:password:***]"}'}, []),
        ({"requestBody": '{"token": "[redacted:token:abcdef...xyz]"}'}, []),
        ({"requestBody": '{"cvc": "[redacted:card-security-code:***]"}'}, []),
        ({"url": "http://app/x?key=[redacted:api-key:sample]"}, []),
        ({"url": "http://app/x?sig=[redacted:signature:abcdef...xyz]"}, []),
        ({"responseBody": '{"token": "[redacted:jwt:eyJhbG...abc]"}'}, []),
    ],
)
def test_a_secret_sent_where_it_does_not_belong_is_told(
    fields: dict[str, Any], kinds: list[str]
) -> None:
    events = notice(Attention(), request(**fields))

    assert [event.context["kinds"] for event in events] == ([kinds] if kinds else [])
    assert all(event.message.startswith("Possible credential exposure in POST") for event in events)


def test_a_failed_request_in_the_log_answers_a_form_too() -> None:
    attention = Attention()

    notice(attention, submit(), entry(type="network", method="POST", url="/session", status=400))

    assert list(attention.overdue(NOON_MS + 9000)) == []


def test_clicks_before_a_clock_was_set_back_do_not_count() -> None:
    assert not notice(Attention(), click(3600), click(3601), click(0))


def test_an_event_stays_small_whatever_a_page_sends() -> None:
    long = "x" * 1_000_000
    attention = Attention()

    events = notice(
        attention,
        entry(message=f"boom {long}", url=f"http://app/{long}", filename=f"http://app/{long}.js"),
        request(url=f"http://app/{long}", status=500, pageUrl=long, responseBody=long),
        request(
            url=f"http://app/{long}", requestBody='"[redacted:aws-access-key-id:AKIAIO...PLE]"'
        ),
        *[act(selectors={"id": long}, url=f"http://app/{long}") for _ in range(3)],
        load(url=f"http://app/{long}", longTasks={"longest": 501}),
    )

    assert len(events) == 5
    assert max(len(msgspec.json.encode(one)) for one in events) < 1500


def test_what_is_remembered_stays_small_whatever_a_page_sends() -> None:
    attention = Attention()
    for letter in "abcdefghij":
        notice(
            attention,
            entry(message=letter * 100_000),
            request(url=f"http://app/{letter * 100_000}"),
            act(type="submit", action=f"/{letter * 100_000}", url=letter * 100_000),
        )

    assert len(pickle.dumps(attention)) < 50_000


def test_noise_is_counted() -> None:
    attention = Attention()

    notice(
        attention,
        entry(message="[vite] hot update failed"),
        entry(level="warn", type="dead-click", message="[vite] overlay", url="http://app/"),
        entry(level="warn", message="[vite] a warning nobody would be told of"),
        request(url="https://www.google-analytics.com/collect", status=503),
        request(url="https://www.google-analytics.com/collect", status=204),
    )

    assert attention.take_set_aside() == 3
    assert attention.take_set_aside() == 0


def test_errors_of_a_page_called_metrics_are_errors() -> None:
    assert notice(Attention(), entry(url="http://app/metrics"))
