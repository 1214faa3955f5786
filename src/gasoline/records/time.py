"""When something happened: every spelling of time that clients have ever sent."""

import math
from datetime import UTC, datetime
from typing import Any

# Dates outside these years are a broken clock, not a time; ISO formatting would fail on them.
EARLIEST_MS = 0.0
LATEST_MS = 253_402_300_799_999.0


def parse_time_ms(value: Any) -> float | None:
    """Milliseconds since the epoch from ISO text or a number of milliseconds, else None."""
    if isinstance(value, str):
        return _parse_iso(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) and EARLIEST_MS <= number <= LATEST_MS else None
    return None


def format_time(at_ms: float) -> str:
    """UTC in RFC 3339 with milliseconds, as browsers write it."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def format_time_precisely(at_ms: float) -> str:
    """UTC in RFC 3339 with microseconds, for the server's own clock."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _parse_iso(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        at_ms = moment.timestamp() * 1000
    except (ValueError, OverflowError):
        return None
    return at_ms if EARLIEST_MS <= at_ms <= LATEST_MS else None
