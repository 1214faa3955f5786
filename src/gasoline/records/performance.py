"""How a page load went: timings, network totals, long tasks, layout shift."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.records.base import Record


class Timing(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Milliseconds since navigation start."""

    dom_content_loaded: float | None = None
    load: float | None = None
    first_contentful_paint: float | None = None
    largest_contentful_paint: float | None = None
    interaction_to_next_paint: float | None = None
    time_to_first_byte: float | None = None
    dom_interactive: float | None = None


class TypeTotal(Struct, frozen=True, omit_defaults=True):
    """Requests of one resource type."""

    count: float = 0
    size: float = 0


class SlowRequest(Struct, frozen=True, omit_defaults=True):
    """One of the slowest requests of a load."""

    url: str = ""
    duration: float = 0
    size: float = 0


class NetworkTotals(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What a load fetched."""

    request_count: float = 0
    transfer_size: float = 0
    decoded_size: float = 0
    by_type: dict[str, TypeTotal] = {}
    slowest_requests: list[SlowRequest] = []


class LongTasks(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Main-thread tasks over 50 ms."""

    count: float = 0
    total_blocking_time: float = 0
    longest: float = 0


class PerformanceSnapshot(Record, frozen=True):
    """One page load, keyed by the path in `url`."""

    timing: Timing = Timing()
    network: NetworkTotals = NetworkTotals()
    long_tasks: LongTasks | None = None
    cumulative_layout_shift: float | None = None

    def without_nonsense(self) -> "PerformanceSnapshot":
        """The same, but numbers that cannot be, like a negative duration, count as not told."""
        mended: PerformanceSnapshot = _mend(self)
        return mended


def _mend(value: Any) -> Any:
    if isinstance(value, Struct):
        named = {name: _mend(getattr(value, name)) for name in value.__struct_fields__}
        usual = _defaults(type(value))
        return type(value)(
            **{name: usual[name] if _is_negative(one) else one for name, one in named.items()}
        )
    if isinstance(value, dict):
        return {key: _mend(one) for key, one in value.items()}
    return [_mend(one) for one in value] if isinstance(value, list) else value


@cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _is_negative(value: Any) -> bool:
    return isinstance(value, int | float) and value < 0
