"""What a page's load usually looks like."""

import pytest

from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import LongTasks, NetworkTotals, Timing, TypeTotal
from gasoline.store.baselines import MOST_TYPES, Baselines


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


def test_zero_is_a_number_and_averaged_as_one() -> None:
    baselines = Baselines(20)
    for count in (0, 4):
        baselines.note(PerformanceSnapshot(url="/", long_tasks=LongTasks(count=count)))

    baseline = baselines.baseline("/")

    assert baseline is not None
    assert baseline.snapshot.long_tasks == LongTasks(count=2)


def test_a_type_that_was_not_fetched_counts_as_none_of_it() -> None:
    baselines = Baselines(20)
    for by_type in ({"img": TypeTotal(2, 100)}, {"script": TypeTotal(2, 10)}):
        network = NetworkTotals(request_count=2, by_type=by_type)
        baselines.note(PerformanceSnapshot(url="/", network=network))

    baseline = baselines.baseline("/")

    assert baseline is not None
    assert baseline.snapshot.network.by_type == {"img": TypeTotal(1, 50), "script": TypeTotal(1, 5)}


def test_each_number_is_averaged_over_the_loads_that_told_it() -> None:
    assert usual_load(learned(100, None, None, None, 300)) == pytest.approx(200)


def test_a_load_that_tells_nothing_of_its_network_leaves_what_is_usual() -> None:
    baselines = Baselines(20)
    baselines.note(PerformanceSnapshot(url="/", network=NetworkTotals(request_count=8)))
    baselines.note(PerformanceSnapshot(url="/"))

    baseline = baselines.baseline("/")

    assert baseline is not None
    assert baseline.snapshot.network.request_count == 8


def test_negative_times_are_no_part_of_the_average() -> None:
    assert usual_load(learned(100, -1000, 300)) == pytest.approx(200)


def test_what_was_usual_before_the_latest_load_is_known() -> None:
    (page,) = learned(100, 100, 400).pages()

    assert page.before is not None
    assert (page.before.sample_count, page.before.snapshot.timing.load) == (2, 100)


def test_fifty_types_of_requests_are_told_apart_and_no_more() -> None:
    baselines = Baselines(20)
    for number in range(MOST_TYPES + 1):
        by_type = {f"kind-{number}": TypeTotal(1, 1)}
        network = NetworkTotals(request_count=1, by_type=by_type)
        baselines.note(PerformanceSnapshot(url="/", network=network))

    baseline = baselines.baseline("/")

    assert baseline is not None
    assert len(baseline.snapshot.network.by_type) == MOST_TYPES
