"""Errors of a session, and the one to look at first."""

from typing import Any

from gasoline.analysis.error_groups import EPISODE_MS, group_errors, order_by_cause
from gasoline.records import LogEntry
from tests.builders import NOON_MS


def error(message: str, *, at_ms: float = 0, kind: str = "exception", **fields: Any) -> LogEntry:
    return LogEntry(level="error", type=kind, message=message, at_ms=NOON_MS + at_ms, **fields)


def at(line: int) -> str:
    return f"Error\n    at f (http://app/a.js:{line}:1)"


def shown(*entries: LogEntry) -> list[tuple[str, int]]:
    groups = order_by_cause(group_errors(entries))
    return [(group.entry.message, group.count) for group in groups]


def test_repeats_are_one_error_whatever_ids_they_carry() -> None:
    entries = [error(f"Cannot load order {number}", seq=number) for number in (17, 18, 19)]

    (group,) = group_errors(entries)

    assert (group.entry.seq, group.count) == (19, 3)


def test_repeats_that_the_page_counted_itself_count() -> None:
    assert shown(error("x", repeats=5), error("x")) == [("x", 6)]


def test_the_same_words_from_two_places_are_two_errors() -> None:
    assert len(group_errors([error("x", stack=at(1)), error("x", stack=at(2))])) == 2


def test_what_is_no_error_is_left_out() -> None:
    assert group_errors([LogEntry(level="warn", message="x")]) == []


def test_a_server_failure_comes_before_the_exception_that_followed_it() -> None:
    exception = error("total is undefined", at_ms=10)
    complaint = error("could not load", at_ms=0, kind="console")
    refused = error("POST /api/pay", at_ms=20, kind="network", status=500)

    assert [message for message, _ in shown(complaint, exception, refused)] == [
        "POST /api/pay",
        "could not load",
        "total is undefined",
    ]


def test_noise_comes_last_and_is_never_the_cause() -> None:
    noise = error(
        "Failed to load <link>: http://app/favicon.ico", filename="http://app/favicon.ico"
    )

    assert [message for message, _ in shown(noise, error("real", at_ms=5))] == [
        "real",
        noise.message,
    ]
    assert shown(noise) == [(noise.message, 1)]


def test_the_cause_is_looked_for_in_the_latest_failure_not_in_an_old_one() -> None:
    old = error("old", at_ms=0)
    cause = error("cause", at_ms=EPISODE_MS + 1)
    after = error("after", at_ms=EPISODE_MS + 1000)

    assert [message for message, _ in shown(old, cause, after)] == ["cause", "old", "after"]


def test_errors_without_a_pause_between_them_are_one_failure() -> None:
    entries = [error("first", at_ms=0), error("next", at_ms=EPISODE_MS)]

    assert shown(*entries)[0] == ("first", 1)
