"""What broke in the page."""

import pytest

from tests.builders import ingest, log, send_logs
from tests.tools.asking import ask


def test_errors_come_oldest_first_and_nothing_less_severe() -> None:
    into = ingest()
    send_logs(
        into, log(message="first"), log(level="warn"), log(level="info"), log(message="second")
    )

    answer = ask(into.store, "get_browser_errors")

    assert [error["message"] for error in answer["errors"]] == ["first", "second"]
    assert answer["summary"] == "2 browser errors, the latest on /cart: second"


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

    assert ask(into.store, "get_browser_errors")["summary"].endswith(said)


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
