"""Did the change help? The same scenario, before and after."""

from typing import Any

import msgspec
import pytest

from gasoline.ingest import Ingest
from gasoline.ingest.streams import PERFORMANCE_SNAPSHOTS
from gasoline.store import Limits, RingLimit
from tests.builders import (
    Clock,
    action,
    exchange,
    ingest,
    log,
    send,
    send_actions,
    send_exchanges,
    send_logs,
    store,
)
from tests.tools.asking import ask, call

CRASH = log(message="Cannot read properties of undefined (reading 'user') at line 42")
REFUSED = exchange(url="http://app/api/login?next=/", status=500, pageUrl="http://app/cart")
WELCOME = exchange(url="http://app/api/login", status=200, pageUrl="http://app/cart")


def visit(into: Ingest) -> None:
    """The page was used, and nothing went wrong."""
    send_actions(into, action())


def verify(into: Ingest, action_name: str, **arguments: Any) -> dict[str, Any]:
    return ask(into.store, "verify_fix", action=action_name, **arguments)


def start(into: Ingest, **arguments: Any) -> str:
    session_id: str = verify(into, "start", **arguments)["session_id"]
    verify(into, "watch", session_id=session_id)
    return session_id


def compare(into: Ingest, session_id: str) -> dict[str, Any]:
    result: dict[str, Any] = verify(into, "compare", session_id=session_id)["result"]
    return result


def test_start_takes_a_baseline_and_counts_repeats() -> None:
    into = ingest()
    send_logs(into, CRASH, CRASH, log(message="Failed to load"), log(level="warn"))
    send_exchanges(into, REFUSED, WELCOME)

    answer = verify(into, "start", label="fix-login")

    assert answer["session_id"].startswith("verify-")
    assert answer["status"] == "baseline_captured"
    assert answer["baseline"] == {
        "captured_at": "2026-03-01T12:00:00.000Z",
        "console_errors": 3,
        "network_errors": 1,
        "error_details": [
            {"type": "console", "message": CRASH["message"], "count": 2},
            {"type": "console", "message": "Failed to load", "count": 1},
            {"type": "network", "method": "POST", "url": "/api/login", "status": 500},
        ],
    }


def test_a_whole_verification_ends_in_fixed() -> None:
    into = ingest()
    send_logs(into, CRASH, CRASH)
    send_exchanges(into, REFUSED)
    session_id = verify(into, "start", label="fix-login")["session_id"]

    watching = verify(into, "watch", session_id=session_id)
    visit(into)
    send_exchanges(into, WELCOME)
    answer = verify(into, "compare", session_id=session_id)

    assert watching["status"] == "watching"
    assert watching["message"] == "Monitoring started. Ask the user to reproduce the scenario."
    assert (answer["status"], answer["label"]) == ("compared", "fix-login")
    assert answer["summary"] == (
        f"Fixed: {CRASH['message']} (x2) and 1 more no longer, and nothing new."
    )
    assert answer["result"] == {
        "verdict": "fixed",
        "before": {"console_errors": 2, "network_errors": 1, "total_issues": 3},
        "after": {"console_errors": 0, "network_errors": 0, "total_issues": 0},
        "changes": [
            {
                "type": "resolved",
                "category": "console",
                "before": f"{CRASH['message']} (x2)",
                "after": "(not seen)",
            },
            {
                "type": "resolved",
                "category": "network",
                "before": "POST /api/login → 500",
                "after": "POST /api/login → 200",
            },
        ],
    }


def test_the_same_error_at_another_line_is_the_same_error() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    send_logs(into, log(message="Cannot read properties of undefined (reading 'user') at line 45"))
    result = compare(into, session_id)

    assert result["verdict"] == "unchanged"
    assert [change["type"] for change in result["changes"]] == ["unchanged"]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ([log(message="a"), log(message="b")], [log(message="a")], "improved"),
        ([log(message="a"), log(message="a")], [log(message="a")], "improved"),
        ([log(message="a")], [log(message="a")], "unchanged"),
        ([log(message="a")], [log(message="c")], "different_issue"),
        ([log(message="a")], [log(message="c"), log(message="d")], "regressed"),
        ([log(message="a")], [log(message="a"), log(message="a")], "regressed"),
        (
            [log(message="a"), log(message="b")],
            [log(message="a"), log(message="c")],
            "different_issue",
        ),
        ([], [log(message="a")], "regressed"),
        ([], [], "no_issues_detected"),
    ],
)
def test_verdicts(before: list[dict[str, Any]], after: list[dict[str, Any]], verdict: str) -> None:
    into = ingest()
    send_logs(into, *before)
    session_id = start(into)

    visit(into)
    send_logs(into, *after)

    assert compare(into, session_id)["verdict"] == verdict


def test_an_endpoint_is_the_same_whatever_id_it_is_asked_for() -> None:
    into = ingest()
    send_exchanges(into, exchange(url="http://app/api/orders/17?full=1", status=500))
    session_id = start(into)

    send_exchanges(into, exchange(url="http://app/api/orders/18", status=404))
    result = compare(into, session_id)

    assert result["changes"] == [
        {
            "type": "changed",
            "category": "network",
            "before": "POST /api/orders/17 → 500",
            "after": "POST /api/orders/18 → 404",
        }
    ]


def test_one_failure_after_outweighs_a_success() -> None:
    into = ingest()
    send_exchanges(into, REFUSED)
    session_id = start(into)

    send_exchanges(into, REFUSED, WELCOME)

    assert compare(into, session_id)["verdict"] == "unchanged"


def test_an_endpoint_that_fails_for_the_first_time_is_a_new_issue() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    send_exchanges(into, REFUSED)
    result = compare(into, session_id)

    assert result["verdict"] == "different_issue"
    assert result["new_issues"] == [
        {
            "type": "new",
            "category": "network",
            "before": "(none)",
            "after": "POST /api/login → 500",
        }
    ]


def test_a_request_logged_without_its_bodies_counts_once() -> None:
    into = ingest()
    failed = log(type="network", method="POST", url="http://app/api/login", status=500, message="")
    send_logs(into, failed)
    assert verify(into, "start")["baseline"]["network_errors"] == 1

    send_exchanges(into, REFUSED)
    assert verify(into, "start")["baseline"]["network_errors"] == 1


def test_nothing_since_watch_is_not_a_fix() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "not_exercised"
    assert answer["result"]["not_observed"] == [CRASH["message"]]
    assert "nothing was seen since watch" in answer["summary"]


def test_another_page_is_not_the_scenario() -> None:
    into = ingest()
    send_logs(into, CRASH)
    send_exchanges(into, REFUSED)
    session_id = start(into)

    send_actions(into, action(url="http://app/about"))
    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "not_exercised"
    assert answer["result"]["not_observed"] == [CRASH["message"], "POST /api/login → 500"]


def test_what_a_page_sends_while_it_is_left_is_no_use_of_it() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    send(into, PERFORMANCE_SNAPSHOTS, load(900))
    send_actions(into, action(url="http://app/about"))

    assert compare(into, session_id)["verdict"] == "not_exercised"


def test_what_was_only_partly_exercised_is_improved_not_fixed() -> None:
    into = ingest()
    send_logs(into, CRASH)
    send_exchanges(into, REFUSED)
    session_id = start(into)

    visit(into)
    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "improved"
    assert answer["result"]["not_observed"] == ["POST /api/login → 500"]
    assert "not exercised: POST /api/login → 500" in answer["summary"]


def test_known_noise_is_set_aside_and_counted() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    visit(into)
    send_exchanges(into, exchange(url="https://www.google-analytics.com/g/collect", status=503))
    result = compare(into, session_id)

    assert (result["verdict"], result["set_aside"]) == ("fixed", 1)


def test_the_filter_holds_for_both_sides() -> None:
    into = ingest()
    send_logs(into, log(message="elsewhere", url="http://app/about"), CRASH)
    session_id = start(into, url_filter="/cart")

    visit(into)
    send_logs(into, log(message="elsewhere too", url="http://app/about"))
    result = compare(into, session_id)

    assert (result["verdict"], result["before"]["total_issues"]) == ("fixed", 1)


def test_a_filter_that_matches_nothing_is_said_on_both_sides() -> None:
    into = ingest()
    send_logs(into, CRASH)
    begun = verify(into, "start", url_filter="/nowhere")
    verify(into, "watch", session_id=begun["session_id"])
    send_logs(into, CRASH)

    answer = verify(into, "compare", session_id=begun["session_id"])

    assert "nothing captured so far matches /nowhere" in begun["summary"]
    assert answer["result"]["verdict"] == "not_exercised"
    assert "nothing that matches /nowhere was seen since watch" in answer["summary"]


def test_noise_in_a_baseline_is_counted() -> None:
    into = ingest()
    send_logs(into, CRASH, log(message="[HMR] update failed"))

    baseline = verify(into, "start")["baseline"]

    assert (baseline["console_errors"], baseline["set_aside"]) == (1, 1)


def test_a_request_that_fails_otherwise_says_how() -> None:
    into = ingest()
    send_exchanges(into, exchange(url="http://app/api/users/12", status=500))
    session_id = start(into)
    send_exchanges(into, exchange(url="http://app/api/users/77", status=404))

    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "unchanged"
    assert answer["summary"] == "Unchanged: still POST /api/users/77 → 404 (was 500)."


def test_watching_again_forgets_what_came_since() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)
    send_logs(into, CRASH)
    assert compare(into, session_id)["verdict"] == "unchanged"

    verify(into, "watch", session_id=session_id)
    visit(into)

    assert compare(into, session_id)["verdict"] == "fixed"


def load(milliseconds: float) -> dict[str, Any]:
    return {"url": "/cart", "timing": {"load": milliseconds}}


def test_load_times_of_the_same_page_are_compared() -> None:
    into = ingest()
    send(into, PERFORMANCE_SNAPSHOTS, load(3200))
    session_id = start(into)
    assert "performance_diff" not in compare(into, session_id)

    send(into, PERFORMANCE_SNAPSHOTS, load(1100), {"url": "/about", "timing": {"load": 9}})
    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["performance_diff"] == {
        "load_time_before": "3200ms",
        "load_time_after": "1100ms",
        "change": "-66%",
    }
    assert answer["summary"].endswith("loads in 1100ms, before in 3200ms (-66%).")


def test_clearing_between_start_and_compare_is_said_and_does_not_pretend_a_fix() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)
    send_logs(into, CRASH)
    into.store.clear()

    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "not_exercised"
    assert answer["capture"]["state"] == "partial"
    assert "1 record since watch is gone" in answer["summary"]


def test_eviction_since_watch_is_partial_with_the_count() -> None:
    into = ingest(store(Limits(logs=RingLimit(5, 10_000))))
    send_logs(into, *[log(message=f"before {letter}") for letter in "abcde"])
    session_id = start(into)
    send_logs(into, *[log(message=f"after {letter}") for letter in "abcde"])
    complete = verify(into, "compare", session_id=session_id)
    send_logs(into, log(message="after f"), log(message="after g"))

    partial = verify(into, "compare", session_id=session_id)

    assert complete["capture"]["state"] == "complete"
    assert partial["capture"]["state"] == "partial"
    assert "2 older records" in partial["capture"]["why"]
    assert "2 records since watch are gone" in partial["summary"]
    assert "gone" not in complete["summary"]


def test_status_tells_where_a_session_stands() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    send_logs(into, CRASH)
    session_id = start(into, label="mine", url_filter="/cart")

    status = verify(into, "status", session_id=session_id)

    assert status["status"] == "watching"
    assert (status["label"], status["url_filter"]) == ("mine", "/cart")
    assert status["created_at"] == status["watch_started_at"] == "2026-03-01T12:00:00.000Z"
    assert status["page_url"] == "http://app/cart"


def test_cancelling_discards_the_session() -> None:
    into = ingest()
    session_id = start(into)

    assert verify(into, "cancel", session_id=session_id)["status"] == "cancelled"
    answer = call(into.store, "verify_fix", action="status", session_id=session_id)

    assert answer.is_error
    assert answer.text.startswith(f"There is no session {session_id}")


@pytest.mark.parametrize("step", ["watch", "compare", "status", "cancel"])
def test_every_step_but_the_first_needs_the_session(step: str) -> None:
    missing = call(store(), "verify_fix", action=step)
    unknown = call(store(), "verify_fix", action=step, session_id="verify-0")

    assert missing.is_error
    assert missing.text.startswith("session_id is missing")
    assert unknown.is_error
    assert "Start a new one" in unknown.text


def test_compare_before_watch_says_what_to_do_first() -> None:
    into = ingest()
    session_id = verify(into, "start")["session_id"]

    answer = call(into.store, "verify_fix", action="compare", session_id=session_id)

    assert answer.is_error
    assert "Call watch" in answer.text


def test_a_fourth_session_needs_a_place() -> None:
    into = ingest()
    first, *_ = [start(into) for _ in range(3)]

    refused = call(into.store, "verify_fix", action="start")
    verify(into, "compare", session_id=first)
    fourth = verify(into, "start")

    assert refused.is_error
    assert "Compare or cancel one" in refused.text
    assert fourth["status"] == "baseline_captured"
    assert call(into.store, "verify_fix", action="status", session_id=first).is_error


def test_a_session_lasts_thirty_minutes_and_compares_as_often_as_wanted() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    session_id = start(into)

    clock.advance(seconds=30 * 60)
    verify(into, "compare", session_id=session_id)
    verify(into, "compare", session_id=session_id)
    clock.advance(seconds=1)

    assert call(into.store, "verify_fix", action="compare", session_id=session_id).is_error


def test_a_clock_that_moves_back_ends_no_session() -> None:
    clock = Clock()
    into = ingest(store(clock=clock))
    send_logs(into, CRASH)
    session_id = start(into)

    clock.advance(seconds=-3600)
    visit(into)

    assert compare(into, session_id)["verdict"] == "fixed"


def test_the_baseline_is_the_last_fifty_errors() -> None:
    into = ingest()
    letters = [f"{first}{second}" for first in "abcdefgh" for second in "abcdefgh"][:51]
    send_logs(into, *[log(message=f"error {letter}") for letter in letters])

    baseline = verify(into, "start")["baseline"]

    assert baseline["console_errors"] == 50
    assert baseline["error_details"][0]["message"] == "error ab"


def test_an_answer_about_full_buffers_stays_small_and_says_what_it_leaves_out() -> None:
    into = ingest()
    words = [f"{first}{second}" for first in "abcdefgh" for second in "abcdefgh"]
    send_logs(into, *[log(message=f"{word} {'x' * 1000}") for word in words])
    begun = call(into.store, "verify_fix", action="start")
    session_id = start(into)
    send_logs(into, *[log(message=f"new {word} {'x' * 1000}") for word in words])

    compared = call(into.store, "verify_fix", action="compare", session_id=session_id)

    for answer in (begun, compared):
        assert len(answer.text) / 4 < 4000
        assert '"omitted":' in answer.text


def test_an_error_is_not_resolved_because_many_others_came_after_it() -> None:
    into = ingest()
    send_logs(into, *[log(message="noisy")] * 60, CRASH)
    session_id = start(into)

    send_logs(into, CRASH, *[log(message="noisy")] * 60)
    result = compare(into, session_id)

    assert result["verdict"] == "unchanged"
    assert "resolved" not in {change["type"] for change in result["changes"]}
    assert "new_issues" not in result


def test_what_failed_more_often_than_a_baseline_holds_is_unchanged_when_it_does_so_again() -> None:
    into = ingest()
    send_exchanges(into, *[REFUSED] * 60)
    session_id = start(into)

    send_exchanges(into, *[REFUSED] * 60)

    assert compare(into, session_id)["verdict"] == "unchanged"


def test_a_failure_that_only_the_log_tells_outweighs_a_success() -> None:
    into = ingest()
    send_exchanges(into, REFUSED)
    session_id = start(into)

    failed = log(type="network", method="POST", url="http://app/api/login", status=500, message="")
    send_logs(into, failed)
    send_exchanges(into, WELCOME)

    assert compare(into, session_id)["verdict"] == "unchanged"


def test_errors_of_a_page_called_analytics_are_errors() -> None:
    into = ingest()
    send_logs(into, log(url="http://app/analytics"))

    assert verify(into, "start")["baseline"]["console_errors"] == 1


def test_a_request_that_the_page_gave_up_itself_is_no_failure() -> None:
    into = ingest()
    given_up = {"type": "network", "level": "info", "method": "GET", "error": "AbortError"}
    send_logs(into, log(url="http://app/api/search", **given_up))

    assert verify(into, "start")["baseline"]["network_errors"] == 0


def test_what_is_new_is_said_even_where_the_scenario_was_not_repeated() -> None:
    into = ingest()
    send_logs(into, CRASH)
    session_id = start(into)

    send_logs(into, log(message="Broken elsewhere", url="http://app/about"))
    answer = verify(into, "compare", session_id=session_id)

    assert answer["result"]["verdict"] == "not_exercised"
    assert "New meanwhile: Broken elsewhere." in answer["summary"]


def test_a_baseline_stays_small_whatever_pages_send() -> None:
    into = ingest()
    words = [f"{first}{second}" for first in "abcdefgh" for second in "abcdefgh"]
    long = "x" * 2000
    send_logs(
        into, *[log(message=f"{word} {long}", url=f"http://app/{word}{long}") for word in words]
    )
    send_exchanges(into, *[exchange(url=f"http://app/{word}/{long}", status=500) for word in words])
    slow = [{"url": f"http://app/{long}", "duration": 1, "size": 1}] * 20
    loads = [{"url": f"/{word}{long}", "network": {"slowestRequests": slow}} for word in words]
    send(into, PERFORMANCE_SNAPSHOTS, *loads)

    session_id = start(into)

    kept = into.store.verifications.get(session_id).baseline
    assert len(msgspec.json.encode(kept)) < 120_000
