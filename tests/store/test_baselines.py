"""What a page's load usually looks like."""

import pytest

from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import LongTasks, Timing
from gasoline.store.baselines import Baselines


def load(load_ms: float | None, *, url: str = "/home") -> PerformanceSnapshot:
    return PerformanceSnapshot(url=url, timing=Timing(load=load_ms))


def learned(*loads: float | None) -> Baselines:
    baselines = Baselines(20)
    for load_ms in loads:
        baselines.note(load(load_ms))
    return baselines


def usual_load(baselines: Baselines, url: str = "/home") -> float | None:
    baseline = baselines.baseline(url)
    assert baseline is not None
    return baseline.snapshot.timing.load


def test_the_first_five_loads_are_averaged_plainly() -> None:
    assert usual_load(learned(100, 200, 300, 400, 500)) == pytest.approx(300)


def test_from_the_sixth_on_history_weighs_four_fifths() -> None:
    assert usual_load(learned(100, 100, 100, 100, 100, 200)) == pytest.approx(120)


def test_a_metric_is_averaged_over_the_loads_that_have_it() -> None:
    assert usual_load(learned(None, 100, None)) == pytest.approx(100)


def test_the_latest_snapshot_is_the_page_s_own_not_the_average() -> None:
    baselines = learned(100, 300)

    latest = baselines.latest("/home")

    assert latest is not None
    assert latest.timing.load == 300


def test_nested_totals_are_averaged_too() -> None:
    baselines = Baselines(20)
    for count in (1, 3):
        baselines.note(
            PerformanceSnapshot(url="/", long_tasks=LongTasks(total_blocking_time=count))
        )

    baseline = baselines.baseline("/")

    assert baseline is not None
    assert baseline.snapshot.long_tasks == LongTasks(total_blocking_time=2)


def test_the_twenty_first_url_replaces_the_least_recently_loaded() -> None:
    baselines = Baselines(20)
    for number in range(20):
        baselines.note(load(1, url=f"/{number}"))
    baselines.note(load(1, url="/0"))

    baselines.note(load(1, url="/20"))

    assert baselines.baseline("/1") is None
    assert baselines.baseline("/0") is not None
