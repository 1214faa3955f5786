"""What the page logged."""

import pytest

from tests.builders import ingest, log, send_logs
from tests.tools.asking import ask


@pytest.mark.parametrize(
    ("min_level", "shown"),
    [("all", ["e", "w", "w2", "i"]), ("warn", ["e", "w", "w2"]), ("error", ["e"])],
)
def test_a_minimum_level_leaves_out_what_is_less_severe(min_level: str, shown: list[str]) -> None:
    into = ingest()
    levels = {"e": "error", "w": "warn", "w2": "warning", "i": "info"}
    send_logs(into, *[log(message=text, level=level) for text, level in levels.items()])

    answer = ask(into.store, "get_browser_logs", min_level=min_level)

    assert [entry["message"] for entry in answer["logs"]] == shown


def test_the_summary_counts_errors_and_warnings() -> None:
    into = ingest()
    send_logs(into, log(), log(level="warning"), log(level="info"))

    assert ask(into.store, "get_browser_logs")["summary"] == "3 log entries: 1 error, 1 warning."


def test_entries_can_be_searched_by_what_they_say() -> None:
    into = ingest()
    send_logs(into, log(message="cart total"), log(message="", args=["cart", 1]), log(message="no"))

    assert len(ask(into.store, "get_browser_logs", contains="cart")["logs"]) == 2


def test_entries_are_shown_with_every_field_that_was_sent() -> None:
    into = ingest()
    send_logs(into, log(_context={"flow": 2}))

    assert ask(into.store, "get_browser_logs")["logs"] == [{"seq": 1, **log(_context={"flow": 2})}]
