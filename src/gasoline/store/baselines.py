"""What a page's load usually looks like: one running average per URL."""

from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import NetworkTotals, TypeTotal

PLAIN_AVERAGE_SAMPLES = 5
WEIGHT_OF_HISTORY = 0.8
# Browsers know a dozen; a hostile page could name a new one with every load.
MOST_TYPES = 50


class Baseline(Struct, frozen=True, rename="camel"):
    """The usual load of one URL, and how many loads it was learned from."""

    sample_count: int
    snapshot: PerformanceSnapshot


class PageLoads(Struct, frozen=True):
    """The latest load of a URL, as sent and as usable, and what was usual with it and before it.

    `told` counts the loads that told each number: not every load has every one.
    """

    latest: PerformanceSnapshot
    usable: PerformanceSnapshot
    baseline: Baseline
    before: Baseline | None
    told: dict[str, int]


class Baselines:
    """The loads of each URL, least recently loaded forgotten first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pages: OrderedDict[str, PageLoads] = OrderedDict()

    def note(self, snapshot: PerformanceSnapshot) -> None:
        self._pages[snapshot.url] = _learn(self._pages.get(snapshot.url), snapshot)
        self._pages.move_to_end(snapshot.url)
        while len(self._pages) > self._limit:
            self._pages.popitem(last=False)

    def pages(self) -> list[PageLoads]:
        """Every page, latest loaded first."""
        return list(reversed(self._pages.values()))

    def latest(self, url: str | None = None) -> PerformanceSnapshot | None:
        """The newest snapshot of a URL, or of any."""
        if url is None:
            return next((page.latest for page in self.pages()), None)
        return self._pages[url].latest if url in self._pages else None

    def baseline(self, url: str) -> Baseline | None:
        return self._pages[url].baseline if url in self._pages else None

    def usual_before(self, url: str) -> Baseline | None:
        """The baseline that the latest load of a URL found, before it became part of it."""
        return self._pages[url].before if url in self._pages else None

    def clear(self) -> None:
        self._pages.clear()


def _learn(known: PageLoads | None, snapshot: PerformanceSnapshot) -> PageLoads:
    latest = snapshot.without_nonsense()
    before = known.baseline if known else None
    told = dict(known.told) if known else {}
    averaged = {
        part: _average(
            getattr(before.snapshot, part) if before else None, getattr(latest, part), part, told
        )
        for part in ("timing", "network", "long_tasks", "cumulative_layout_shift")
    }
    usual = Baseline(
        before.sample_count + 1 if before else 1, msgspec.structs.replace(latest, **averaged)
    )
    return PageLoads(snapshot, latest, usual, before, told)


def _average(before: Any, now: Any, name: str, told: dict[str, int]) -> Any:
    """Average number by number, each over the loads that told it."""
    if now is None or (isinstance(now, NetworkTotals) and not now.request_count):
        return now if before is None else before
    if isinstance(now, Struct):
        return type(now)(
            **{
                field: _average(
                    getattr(before, field, None), getattr(now, field), f"{name}.{field}", told
                )
                for field in now.__struct_fields__
            }
        )
    weight = _weight_of_history(told.get(name, 0))
    told[name] = told.get(name, 0) + 1
    if isinstance(now, dict):
        types = list({**(before or {}), **now})[:MOST_TYPES]
        return {key: _average_type(before or {}, now, key, weight) for key in types}
    return now if before is None else _weigh(before, now, weight)


def _weight_of_history(samples: int) -> float:
    return samples / (samples + 1) if samples < PLAIN_AVERAGE_SAMPLES else WEIGHT_OF_HISTORY


def _average_type(
    before: dict[str, TypeTotal], now: dict[str, TypeTotal], key: str, weight: float
) -> TypeTotal:
    """A type of which nothing was fetched is a type with no requests."""
    none = TypeTotal()
    was, came = before.get(key, none), now.get(key, none)
    return TypeTotal(_weigh(was.count, came.count, weight), _weigh(was.size, came.size, weight))


def _weigh(before: Any, now: Any, weight: float) -> Any:
    return before * weight + now * (1 - weight) if isinstance(now, int | float) else now
