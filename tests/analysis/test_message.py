"""What two messages have in common."""

import pytest

from gasoline.analysis.message import normalise_message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Order 4711 failed", "Order 98 failed"),
        ("at 2026-03-01T09:00:00Z gone", "at 2026-03-02T10:11:12.5Z gone"),
        ("x in http://app/a.js:12:9", "x in http://app/a.js:40:2"),
        ("Syntax error at line 42", "Syntax error at line 7"),
        ("user 123e4567-e89b-12d3-a456-426614174000", "user 00000000-e89b-12d3-a456-426614174000"),
    ],
)
def test_ids_times_and_positions_do_not_tell_messages_apart(one: str, other: str) -> None:
    assert normalise_message(one) == normalise_message(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("reading 'id'", "reading 'name'"),
        ("reading 'line10'", "reading 'line20'"),
        ("cart failed", "login failed"),
        ("a\nb", "c\nb"),
    ],
)
def test_what_was_read_and_what_failed_does(one: str, other: str) -> None:
    assert normalise_message(one) != normalise_message(other)


@pytest.mark.parametrize("part", ["a.", "/", "a", "1-", "a.b:", "'a1"])
def test_of_a_message_as_long_as_a_page_may_send_the_beginning_counts(part: str) -> None:
    assert normalise_message(part * 500_000) == normalise_message(part * 1000)
