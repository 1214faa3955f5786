"""Requests that were never answered: when they are what a test failed of, and when not."""

from typing import Any

import pytest

from gasoline.analysis.diagnosis import Diagnosis, diagnose_all
from gasoline.analysis.unanswered import HANGING_MS, has_waited, last_words
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, TestRun
from gasoline.records.evidence import Evidence
from tests.builders import NOON_MS

TIMEOUT = "TimeoutError: Locator.wait_for: Timeout 5000ms exceeded."
NAMED = "Primary failure: POST /api/orders → never answered (waited 5000 ms)"
TOLD_LAST = "POST /api/orders was still without an answer at the end, after 5000 ms"
QUIET = "The browser reported nothing abnormal"


def call(**fields: Any) -> NetworkBody:
    known: dict[str, Any] = {"method": "POST", "url": "http://app/api/orders", "at_ms": NOON_MS}
    return NetworkBody(**(known | fields))


def pending(**fields: Any) -> NetworkBody:
    return call(**({"pending": True, "duration": 5000.0} | fields))


def attempt(
    *exchanges: NetworkBody,
    test_id: str = "t",
    status: str = "failed",
    message: str | None = TIMEOUT,
    **fields: Any,
) -> Evidence:
    run = TestRun(test_id=test_id, attempt=1, started_ms=NOON_MS, status=status, message=message)
    return Evidence(run=run, exchanges=exchanges, **fields)


def judge(one: Evidence, *others: Evidence) -> Diagnosis:
    return diagnose_all([one, *others])[0]


def test_a_test_that_waited_in_vain_failed_of_the_request_without_an_answer() -> None:
    judged = judge(attempt(call(status=200, duration=5.0, method="GET"), pending()))

    assert judged.hints == (NAMED,)
    assert judged.cause == "POST /api/orders → never answered"


def test_many_tests_that_wait_for_the_same_have_one_cause() -> None:
    waiting = [attempt(pending(), test_id=f"t{n}") for n in range(3)]

    assert {one.cause for one in diagnose_all(waiting)} == {"POST /api/orders → never answered"}


def test_it_outranks_what_pages_merely_complain_of() -> None:
    complaint = LogEntry(level="error", source="console", message="deprecated", at_ms=NOON_MS)

    assert judge(attempt(pending(), logs=(complaint,))).hints[0] == NAMED


def test_it_gives_way_to_what_failed_openly() -> None:
    thrown = LogEntry(level="error", source="exception", message="boom", at_ms=NOON_MS)

    assert judge(attempt(pending(), logs=(thrown,))).hints[0] == "Primary failure: boom"


def test_a_test_that_failed_of_a_comparison_did_not_wait() -> None:
    judged = judge(attempt(pending(), message="AssertionError: assert 1 == 2"))

    assert judged.hints == (QUIET, TOLD_LAST)


def test_a_test_that_passed_has_no_such_failure() -> None:
    assert judge(attempt(pending(), status="passed", message=None)).events == ()


@pytest.mark.parametrize("waited_ms", [HANGING_MS - 1, HANGING_MS])
def test_a_request_just_under_way_is_told_and_not_blamed(waited_ms: float) -> None:
    judged = judge(attempt(pending(duration=waited_ms)))

    assert (judged.primary is not None) == (waited_ms >= HANGING_MS)


@pytest.mark.parametrize(
    "path", ["/poll", "/api/long-poll?since=3", "/events", "/v1/stream/7", "/hub/negotiate"]
)
def test_what_waits_on_purpose_is_not_blamed(path: str) -> None:
    assert judge(attempt(pending(url=f"http://app{path}"))).hints == (QUIET,)


def test_what_tests_that_pass_leave_unanswered_too_is_not_blamed() -> None:
    sound = attempt(pending(), test_id="sound", status="passed", message=None)

    assert judge(attempt(pending()), sound).hints == (QUIET,)


def test_a_request_of_a_page_that_was_left_is_not_blamed() -> None:
    later = call(method="GET", url="http://app/next", status=200, at_ms=NOON_MS + 6000, duration=1)

    assert judge(attempt(pending(), later)).hints == (QUIET,)
    clicked = EnhancedAction(type="input", at_ms=NOON_MS + 6000)
    assert judge(attempt(pending(), actions=(clicked,))).hints == (QUIET,)


def test_each_request_is_told_once_and_by_its_last_words() -> None:
    first, later = pending(duration=10.0), pending(duration=20.0)
    other = pending(url="http://app/api/cart")
    answer = call(status=200, duration=30.0)

    assert last_words([first, other, later]) == (other, later)
    assert last_words([first, later, answer]) == (answer,)
    assert last_words([answer]) == (answer,)


@pytest.mark.parametrize(
    ("message", "waited"),
    [
        (TIMEOUT, True),
        ("AssertionError: Locator expected to be visible", True),
        ("Error: expect(locator).toBeVisible() failed", True),
        ("selenium.common.exceptions.NoSuchElementException: Message: no such element", True),
        ("Failed: Timeout (>5.0s) from pytest-timeout.", True),
        ("exit code 1", True),
        (None, True),
        ("AssertionError: assert 'a' == 'b'", False),
        ("ValueError: nothing", False),
    ],
)
def test_what_tests_say_when_something_did_not_come(
    message: str | None,
    waited: bool,  # noqa: FBT001  # pytest names it
) -> None:
    assert has_waited(attempt(message=message).run) is waited


def test_a_test_that_ran_out_of_time_has_waited() -> None:
    assert has_waited(attempt(status="timedOut", message="ValueError").run)
