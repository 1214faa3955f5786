"""The report for a person at a terminal."""

from gasoline.generation.report.text import write_text
from tests.generation.report.stories import attempt, broken_order, error, report


def test_the_cause_is_on_the_first_lines() -> None:
    text = write_text(report(attempt(exchanges=(broken_order(),)), attempt("ok", status="passed")))

    assert text.splitlines()[:5] == [
        "2 tests, 1 failure, 1 cause",
        "",
        "FAILED  shop > checkout",
        "  Primary failure: POST /api/orders/17 → 500",
        '  Root cause likely: the server said "Internal Server Error: null pointer: user.address"',
    ]


def test_flaky_tests_are_listed_apart() -> None:
    text = write_text(
        report(attempt(number=1, logs=(error(),)), attempt(number=2, status="passed"))
    )

    assert "no failures, 1 flaky" in text
    assert (
        "  shop > checkout: attempt 1 failed (TypeError: total is not a function), attempt 2 passed"
    ) in text


def test_escape_sequences_of_a_page_never_reach_the_terminal() -> None:
    text = write_text(report(attempt("t\x1b[2J", logs=(error("\x1b]0;owned\x07 \u202e"),))))

    assert not set(text) & {"\x1b", "\x07", "\u202e"}


def test_notes_of_a_damaged_record_are_said() -> None:
    assert "note: line 3 skipped" in write_text(report(attempt(), notes=("line 3 skipped",)))
