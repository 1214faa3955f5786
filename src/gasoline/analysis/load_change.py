"""How one page load compares with another: each number, and whether it got worse enough to say."""

from collections.abc import Callable

from msgspec import Struct

from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import NetworkTotals

KIB = 1024
SMALLEST = 0.0005
NOT_TOLD = NetworkTotals()


class Metric(Struct, frozen=True):
    """A number of a load, and by how much it must grow, in total and as a share, to be worse."""

    name: str
    read: Callable[[PerformanceSnapshot], float | None]
    by: float
    share: float = 0.0
    from_zero: bool = False


class MetricChange(Struct, frozen=True, kw_only=True):
    """A number before and after."""

    before: float
    after: float
    change: str
    regression: bool


METRICS = (
    Metric("load_time", lambda load: load.timing.load, by=200, share=0.5),
    Metric("fcp", lambda load: load.timing.first_contentful_paint, by=200, share=0.5),
    Metric("lcp", lambda load: load.timing.largest_contentful_paint, by=200, share=0.5),
    # A load of no requests at all is one whose requests were not told.
    Metric("request_count", lambda load: load.network.request_count or None, by=5, share=0.5),
    Metric(
        "transfer_size",
        lambda load: load.network.transfer_size if load.network != NOT_TOLD else None,
        by=100 * KIB,
        share=1.0,
    ),
    Metric(
        "long_tasks",
        lambda load: load.long_tasks.count if load.long_tasks else None,
        by=0,
        share=1.0,
        from_zero=True,
    ),
    Metric(
        "total_blocking_time",
        lambda load: load.long_tasks.total_blocking_time if load.long_tasks else None,
        by=100,
    ),
    Metric("cls", lambda load: load.cumulative_layout_shift, by=0.05),
)


def compare_loads(
    before: PerformanceSnapshot, after: PerformanceSnapshot
) -> dict[str, MetricChange]:
    """Every number that both loads have; those that make no sense are left out."""
    changes = {}
    for metric in METRICS:
        was, now = metric.read(before), metric.read(after)
        if was is None or now is None or was < 0 or now < 0:
            continue
        changes[metric.name] = MetricChange(
            before=round(was, 3),
            after=round(now, 3),
            change=_percent(was, now),
            regression=_is_worse(metric, was, now),
        )
    return changes


def _is_worse(metric: Metric, was: float, now: float) -> bool:
    grown = now - was
    if was == 0 and metric.from_zero:
        return now > 0
    return grown > metric.by and grown > metric.share * was


def _percent(was: float, now: float) -> str:
    if was == now:
        return "0%"
    # A share of next to nothing is a number of six digits that says nothing.
    return f"{(now - was) / was:+.0%}" if was >= SMALLEST else "new"
