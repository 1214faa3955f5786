"""What made a page load heavier than the loads before it: which types, requests and scripts."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from msgspec import Struct

from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import TypeTotal

KIB = 1024
MEANINGFUL_BYTES = 10 * KIB
MEANINGFUL_MS = 100
SLOWER_BY = 1.5
MOST_NAMED = 5

# The words of the browser for who asked, in the words of the report for what was asked for.
_TYPES = {
    "script": "script",
    "style": "style",
    "css": "style",
    "link": "style",
    "image": "image",
    "img": "image",
    "input": "image",
    "font": "font",
    "fetch": "fetch",
    "xmlhttprequest": "fetch",
    "beacon": "fetch",
}


class Growth(Struct, frozen=True, omit_defaults=True):
    """One thing that grew: a type of resource, a request, or the work of scripts."""

    what: str
    before: str
    after: str


def total_by_type(load: PerformanceSnapshot) -> dict[str, TypeTotal]:
    """Requests and bytes of scripts, styles, images, fonts, fetches and the rest, largest first."""
    totals: dict[str, TypeTotal] = {}
    for sent_as, total in load.network.by_type.items():
        name = _TYPES.get(sent_as.lower(), "other")
        known = totals.get(name, TypeTotal())
        totals[name] = TypeTotal(known.count + total.count, known.size + total.size)
    return dict(sorted(totals.items(), key=lambda named: -named[1].size))


def find_growth(before: PerformanceSnapshot, after: PerformanceSnapshot) -> list[Growth]:
    """What grew between two loads of a page, heaviest first."""
    return [
        *_grown_types(before, after),
        *_slower_requests(before, after),
        *_longer_tasks(before, after),
    ][:MOST_NAMED]


def _grown_types(before: PerformanceSnapshot, after: PerformanceSnapshot) -> list[Growth]:
    was, now = total_by_type(before), total_by_type(after)
    grown = [
        (total.size - was.get(name, TypeTotal()).size, name)
        for name, total in now.items()
        if _is_heavier(was.get(name, TypeTotal()), total)
    ]
    return [
        Growth(f"{name} resources", describe_total(was.get(name)), describe_total(now[name]))
        for _, name in sorted(grown, reverse=True)
    ]


def _is_heavier(was: TypeTotal, now: TypeTotal) -> bool:
    return now.size - was.size > MEANINGFUL_BYTES or now.count - was.count >= 1


def _slower_requests(before: PerformanceSnapshot, after: PerformanceSnapshot) -> Iterator[Growth]:
    usual_ms = {_address(slow.url): slow.duration for slow in before.network.slowest_requests}
    for slow in sorted(after.network.slowest_requests, key=lambda one: -one.duration):
        was_ms = usual_ms.get(_address(slow.url))
        if slow.duration >= MEANINGFUL_MS and slow.duration > SLOWER_BY * (was_ms or 0):
            usual = "not among the slowest" if was_ms is None else describe_ms(was_ms)
            yield Growth(slow.url, usual, describe_ms(slow.duration))


def _longer_tasks(before: PerformanceSnapshot, after: PerformanceSnapshot) -> Iterator[Growth]:
    was, now = before.long_tasks, after.long_tasks
    if not now or now.longest <= SLOWER_BY * (was.longest if was else 0):
        return
    yield Growth(
        "scripts on the main thread",
        f"longest task {describe_ms(was.longest)}" if was and was.longest else "no long task",
        f"longest task {describe_ms(now.longest)}",
    )


def _address(url: str) -> str:
    """Where a request went, whatever cache-busting query it carried."""
    try:
        return urlsplit(url)._replace(query="", fragment="").geturl()
    except ValueError:
        return url


def describe_total(total: TypeTotal | None) -> str:
    """`3 requests, 24 KB`."""
    if total is None or not total.count:
        return "none"
    requests = "1 request" if round(total.count) == 1 else f"{total.count:.0f} requests"
    return f"{requests}, {describe_bytes(total.size)}"


def describe_bytes(size_bytes: float) -> str:
    """`512 B`, `24 KB`, `1.3 MB`."""
    if size_bytes < KIB:
        return f"{size_bytes:.0f} B"
    kilobytes = size_bytes / KIB
    return f"{kilobytes:.0f} KB" if kilobytes < KIB else f"{kilobytes / KIB:.1f} MB"


def describe_ms(duration_ms: float) -> str:
    """`85 ms`, `2.4 s`."""
    return f"{duration_ms:.0f} ms" if duration_ms < 1000 else f"{duration_ms / 1000:.1f} s"  # noqa: PLR2004  # a second
