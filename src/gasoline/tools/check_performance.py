"""How fast pages load, and whether they got slower."""

from typing import Annotated

from msgspec import Meta, Struct

from gasoline.analysis.endpoint import path_of
from gasoline.analysis.load_change import MetricChange, compare_loads
from gasoline.analysis.load_growth import Growth, describe_ms, find_growth
from gasoline.analysis.web_vitals import Vital, rate_vitals
from gasoline.generation.performance_report import write_performance_report
from gasoline.records import PerformanceSnapshot
from gasoline.store.baselines import PageLoads
from gasoline.tools.context import Answer, Context
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, short

NAMES = {
    "load_time": "load time",
    "fcp": "first contentful paint",
    "lcp": "largest contentful paint",
    "request_count": "requests",
    "transfer_size": "bytes transferred",
    "long_tasks": "long tasks",
    "total_blocking_time": "blocking time",
    "cls": "layout shift",
}


class Params(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page."""

    url: Annotated[str | None, Meta(description="Page path or part of it; default the last")] = None


class OtherPage(Struct, frozen=True, omit_defaults=True):
    """Another page that was loaded, in one line."""

    url: str
    load_ms: int | None = None
    regressed: tuple[str, ...] = ()


class Performance(Answer, frozen=True, kw_only=True):
    """One load, rated, and compared with the loads of that page before it."""

    url: str | None = None
    regressions: dict[str, MetricChange] | None = None
    grew: tuple[Growth, ...] = ()
    vitals: dict[str, Vital] | None = None
    report: str = ""
    other_pages: tuple[OtherPage, ...] = ()


@tool()
def check_performance(context: Context, params: Params) -> Performance:
    """Show how a page loaded: vitals, long tasks, slowest requests, and what regressed."""
    pages = context.store.baselines.pages()
    chosen = next((page for page in pages if _is_asked_for(page, params.url)), None)
    health = context.health(PerformanceSnapshot)
    if chosen is None:
        return Performance(summary=_hint(pages, params.url), capture=health)
    load, changes = chosen.usable, _changes(chosen)
    regressions = {name: change for name, change in changes.items() if change.regression}
    grew = find_growth(chosen.before.snapshot, load) if chosen.before and regressions else []
    return Performance(
        summary=_summarise(load, chosen, regressions, grew),
        capture=health,
        url=load.url,
        regressions=regressions,
        grew=tuple(grew),
        vitals=rate_vitals(load),
        report=write_performance_report(
            load,
            loads_before=chosen.before.sample_count if chosen.before else 0,
            changes=changes,
            growth=grew,
        ),
        other_pages=tuple(_describe_other(page) for page in pages if page is not chosen),
    )


def _is_asked_for(page: PageLoads, url: str | None) -> bool:
    return url is None or url in page.latest.url or path_of(url) == page.latest.url


def _changes(page: PageLoads) -> dict[str, MetricChange]:
    """Against the loads before: a slow load must not excuse itself by being part of the average."""
    if page.before is None:
        return {}
    return compare_loads(page.before.snapshot, page.usable)


def _summarise(
    load: PerformanceSnapshot,
    page: PageLoads,
    regressions: dict[str, MetricChange],
    grew: list[Growth],
) -> str:
    took = f" took {describe_ms(load.timing.load)}" if load.timing.load is not None else ""
    where = f"The last load of {short(load.url, 80) or 'the page'}{took}"
    if page.before is None:
        poor = [name.upper() for name, vital in rate_vitals(load).items() if vital.rating == "poor"]
        rated = f" Poor: {', '.join(poor)}." if poor else ""
        return f"{where}; it is the first seen, so there is nothing to compare it with.{rated}"
    compared = f"than usual in {count_of(page.before.sample_count, 'load')} before"
    if not regressions:
        return f"{where}, no worse {compared}."
    worse = ", ".join(f"{NAMES[name]} {change.change}" for name, change in regressions.items())
    cause = f" What grew most: {short(grew[0].what, 80)}, {grew[0].after}." if grew else ""
    return f"{where}, worse {compared}: {worse}.{cause}"


def _describe_other(page: PageLoads) -> OtherPage:
    load_ms = page.usable.timing.load
    return OtherPage(
        short(page.latest.url, 80),
        None if load_ms is None else round(load_ms),
        tuple(name for name, change in _changes(page).items() if change.regression),
    )


def _hint(pages: list[PageLoads], url: str | None) -> str:
    if not pages:
        return (
            "No page load captured yet. Load a page and wait two seconds: "
            "its numbers are sent when it has settled."
        )
    seen = ", ".join(short(page.latest.url, 80) for page in pages[:5])
    return f"No load of {short(url or '', 80)} captured. Loaded lately: {seen}."
