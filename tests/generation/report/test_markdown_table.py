"""A table for a job summary page."""

from gasoline.generation.report.markdown_table import write_table
from tests.generation.report.stories import attempt, broken_order, error, report


def test_each_cause_is_a_row_with_its_tests() -> None:
    failures = [attempt(f"t{number}", exchanges=(broken_order(number),)) for number in range(5)]

    lines = write_table(report(*failures)).splitlines()

    assert lines[0] == "### Gasoline: 5 tests, 5 failures, 1 cause"
    assert lines[-1] == (
        "| POST /api/orders/:id → 500 "
        '| the server said "Internal Server Error: null pointer: user.address" '
        "| t0<br>t1<br>t2<br>and 2 more |"
    )


def test_page_text_cannot_break_out_of_its_cell() -> None:
    table = write_table(report(attempt("a|b", logs=(error("<img src=x> [link](evil) `code` |"),))))

    assert table.splitlines()[-1].count("|") == 4
    assert not any(sign in table for sign in ("<img", "[link]", "`code`"))
