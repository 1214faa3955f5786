"""Every spelling of time that clients have ever sent."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.records.time import format_time, format_time_precisely, parse_time_ms

NOON_MS = 1_772_366_400_000.0


@pytest.mark.parametrize(
    "spelling",
    [
        "2026-03-01T12:00:00Z",
        "2026-03-01T12:00:00.000Z",
        "2026-03-01T12:00:00.000000000Z",
        "2026-03-01T14:00:00+02:00",
        "2026-03-01T12:00:00",
        1_772_366_400_000,
        1_772_366_400_000.0,
    ],
)
def test_iso_text_and_milliseconds_mean_the_same_moment(spelling: Any) -> None:
    assert parse_time_ms(spelling) == NOON_MS


@pytest.mark.parametrize(
    "nonsense",
    ["", "yesterday", None, True, [], {}, math.nan, math.inf, -1, 10**400, "9999-99-99T00:00:00Z"],
)
def test_what_is_no_time_is_none(nonsense: Any) -> None:
    assert parse_time_ms(nonsense) is None


def test_times_are_written_as_browsers_write_them() -> None:
    assert format_time(NOON_MS + 7) == "2026-03-01T12:00:00.007Z"
    assert format_time_precisely(NOON_MS + 0.25) == "2026-03-01T12:00:00.000250Z"


@given(st.integers(min_value=0, max_value=4_000_000_000_000))
def test_a_written_time_reads_back_as_itself(at_ms: int) -> None:
    assert parse_time_ms(format_time(at_ms)) == pytest.approx(at_ms, abs=1)


@given(st.text() | st.floats() | st.integers() | st.none() | st.binary())
def test_any_value_is_read_without_an_error(value: Any) -> None:
    at_ms = parse_time_ms(value)

    assert at_ms is None or format_time(at_ms)
