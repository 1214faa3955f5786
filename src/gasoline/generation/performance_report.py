"""How a page load went, as a person reads it: each number, its rating, and what got worse."""

from collections.abc import Callable, Iterator, Mapping

from gasoline.analysis.load_change import MetricChange
from gasoline.analysis.load_growth import (
    Growth,
    describe_bytes,
    describe_ms,
    describe_total,
    total_by_type,
)
from gasoline.analysis.web_vitals import BANDS, rate
from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import NetworkTotals
from gasoline.records.time import format_time

SLOWEST_SHOWN = 3
URL_CHARS = 80
NOT_TOLD = "  not told"
REGRESSION = "⚠ REGRESSION"

Read = Callable[[PerformanceSnapshot], float | None]

LINES: tuple[tuple[str, str, Read], ...] = (
    ("Time to first byte", "ttfb", lambda load: load.timing.time_to_first_byte),
    ("First contentful paint", "fcp", lambda load: load.timing.first_contentful_paint),
    ("Largest contentful paint", "lcp", lambda load: load.timing.largest_contentful_paint),
    ("Interaction to next paint", "inp", lambda load: load.timing.interaction_to_next_paint),
    ("DOM content loaded", "", lambda load: load.timing.dom_content_loaded),
    ("Load", "load_time", lambda load: load.timing.load),
)


def write_performance_report(
    load: PerformanceSnapshot,
    *,
    loads_before: int,
    changes: Mapping[str, MetricChange],
    growth: list[Growth],
) -> str:
    """The report of one load, compared with those before it if there were any."""
    return "\n".join(
        [
            f"Load of {load.url or '(unknown page)'} at {format_time(load.at_ms)}, "
            + (f"compared with {loads_before} before" if loads_before else "the first seen"),
            "",
            "Timing",
            *_write_timing(load, changes),
            "",
            "Stability and main thread",
            *_write_stability(load, changes),
            "",
            "Network",
            *_write_network(load, changes),
            *(["", "What grew", *_write_growth(growth)] if growth else []),
        ]
    )


def _write_timing(load: PerformanceSnapshot, changes: Mapping[str, MetricChange]) -> Iterator[str]:
    for label, name, read in LINES:
        value = read(load)
        if value is not None:
            rating = f"  {rate(name, value)}" if name in BANDS else ""
            yield _line(label, f"{describe_ms(value)}{rating}", changes.get(name), describe_ms)
    if all(read(load) is None for _, _, read in LINES):
        yield NOT_TOLD


def _write_stability(
    load: PerformanceSnapshot, changes: Mapping[str, MetricChange]
) -> Iterator[str]:
    shift, tasks = load.cumulative_layout_shift, load.long_tasks
    if shift is not None:
        shown = f"{_decimals(shift)}  {rate('cls', shift)}"
        yield _line("Cumulative layout shift", shown, changes.get("cls"), _decimals)
    if tasks is None:
        yield NOT_TOLD
        return
    yield _line("Long tasks", _whole(tasks.count), changes.get("long_tasks"), _whole)
    blocking = describe_ms(tasks.total_blocking_time)
    yield _line("Total blocking time", blocking, changes.get("total_blocking_time"), describe_ms)
    if tasks.count:
        yield _line("Longest task", describe_ms(tasks.longest))


def _write_network(load: PerformanceSnapshot, changes: Mapping[str, MetricChange]) -> Iterator[str]:
    network = load.network
    if network == NetworkTotals():
        yield NOT_TOLD
        return
    yield _line("Requests", _whole(network.request_count), changes.get("request_count"), _whole)
    transferred = describe_bytes(network.transfer_size)
    yield _line("Transferred", transferred, changes.get("transfer_size"), describe_bytes)
    yield _line("Unpacked", describe_bytes(network.decoded_size))
    for name, total in total_by_type(load).items():
        yield f"    {name:<8}{describe_total(total)}"
    slowest = sorted(network.slowest_requests, key=lambda one: -one.duration)[:SLOWEST_SHOWN]
    if slowest:
        yield "  Slowest requests"
    for slow in slowest:
        size = describe_bytes(slow.size)
        yield f"    {describe_ms(slow.duration):>7}  {size:>7}  {slow.url[:URL_CHARS]}"


def _write_growth(growth: list[Growth]) -> Iterator[str]:
    for one in growth:
        yield f"  {one.what[:URL_CHARS]}: {one.before} -> {one.after}"


def _whole(value: float) -> str:
    return f"{value:.0f}"


def _decimals(value: float) -> str:
    return f"{value:.3f}"


def _line(
    label: str,
    shown: str,
    change: MetricChange | None = None,
    describe: Callable[[float], str] = _whole,
) -> str:
    line = f"  {label:<26}{shown}"
    if change is None or change.before == change.after:
        return line
    compared = f"{line}  (usually {describe(change.before)}, {change.change})"
    return f"{compared}  {REGRESSION}" if change.regression else compared
