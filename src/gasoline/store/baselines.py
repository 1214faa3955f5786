"""What a page's load usually looks like: one running average per URL."""

from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.records import PerformanceSnapshot

PLAIN_AVERAGE_SAMPLES = 5
WEIGHT_OF_HISTORY = 0.8


class Baseline(Struct, frozen=True, rename="camel"):
    """The usual load of one URL, and how many loads it was learned from."""

    sample_count: int
    snapshot: PerformanceSnapshot


class Baselines:
    """Baselines and the latest snapshot of each URL, least recently loaded forgotten first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._baselines: OrderedDict[str, Baseline] = OrderedDict()
        self._latest: OrderedDict[str, PerformanceSnapshot] = OrderedDict()

    def note(self, snapshot: PerformanceSnapshot) -> None:
        self._latest[snapshot.url] = snapshot
        self._latest.move_to_end(snapshot.url)
        self._baselines[snapshot.url] = _learn(self._baselines.get(snapshot.url), snapshot)
        self._baselines.move_to_end(snapshot.url)
        for table in (self._latest, self._baselines):
            while len(table) > self._limit:
                table.popitem(last=False)

    def latest(self, url: str | None = None) -> PerformanceSnapshot | None:
        """The newest snapshot of a URL, or of any."""
        if url is None:
            return next(reversed(self._latest.values()), None)
        return self._latest.get(url)

    def baseline(self, url: str) -> Baseline | None:
        return self._baselines.get(url)

    def clear(self) -> None:
        self._latest.clear()
        self._baselines.clear()


def _learn(known: Baseline | None, snapshot: PerformanceSnapshot) -> Baseline:
    if known is None:
        return Baseline(1, snapshot)
    count = known.sample_count
    weight = count / (count + 1) if count < PLAIN_AVERAGE_SAMPLES else WEIGHT_OF_HISTORY
    before, now = msgspec.to_builtins(known.snapshot), msgspec.to_builtins(snapshot)
    merged = {
        **now,
        **{
            part: _blend(before.get(part), now.get(part), weight)
            for part in ("timing", "network", "longTasks", "cumulativeLayoutShift")
            if part in before or part in now
        },
    }
    return Baseline(count + 1, msgspec.convert(merged, PerformanceSnapshot, strict=False))


def _blend(before: Any, now: Any, weight: float) -> Any:
    """Average number by number; what only one side has is taken as it is."""
    if before is None or now is None:
        return now if before is None else before
    if isinstance(now, dict) and isinstance(before, dict):
        return {key: _blend(before.get(key), now.get(key), weight) for key in {**before, **now}}
    if isinstance(now, int | float) and isinstance(before, int | float):
        return before * weight + now * (1 - weight)
    return now
