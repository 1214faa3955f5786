"""How one page load compares with another."""

from typing import Any

import msgspec
import pytest

from gasoline.analysis.load_change import compare_loads
from gasoline.records import PerformanceSnapshot


def load(**fields: Any) -> PerformanceSnapshot:
    return msgspec.convert(fields, PerformanceSnapshot)


def timing(name: str, value: float) -> PerformanceSnapshot:
    return load(timing={name: value})


@pytest.mark.parametrize(
    ("metric", "before", "at_the_limit", "past_it"),
    [
        ("load_time", timing("load", 300), timing("load", 500), timing("load", 501)),
        ("load_time", timing("load", 1000), timing("load", 1500), timing("load", 1501)),
        (
            "fcp",
            timing("firstContentfulPaint", 1000),
            timing("firstContentfulPaint", 1500),
            timing("firstContentfulPaint", 1501),
        ),
        (
            "lcp",
            timing("largestContentfulPaint", 100),
            timing("largestContentfulPaint", 300),
            timing("largestContentfulPaint", 301),
        ),
        (
            "request_count",
            load(network={"requestCount": 10}),
            load(network={"requestCount": 15}),
            load(network={"requestCount": 16}),
        ),
        (
            "transfer_size",
            load(network={"transferSize": 102_400}),
            load(network={"transferSize": 204_800}),
            load(network={"transferSize": 204_801}),
        ),
        (
            "long_tasks",
            load(longTasks={"count": 2}),
            load(longTasks={"count": 4}),
            load(longTasks={"count": 5}),
        ),
        (
            "long_tasks",
            load(longTasks={"count": 0}),
            load(longTasks={}),
            load(longTasks={"count": 1}),
        ),
        (
            "total_blocking_time",
            load(longTasks={"totalBlockingTime": 10}),
            load(longTasks={"totalBlockingTime": 110}),
            load(longTasks={"totalBlockingTime": 111}),
        ),
        (
            "cls",
            load(cumulativeLayoutShift=0.0),
            load(cumulativeLayoutShift=0.05),
            load(cumulativeLayoutShift=0.051),
        ),
    ],
)
def test_a_number_got_worse_only_past_its_limit(
    metric: str,
    before: PerformanceSnapshot,
    at_the_limit: PerformanceSnapshot,
    past_it: PerformanceSnapshot,
) -> None:
    assert not compare_loads(before, at_the_limit)[metric].regression
    assert compare_loads(before, past_it)[metric].regression


def test_changes_are_shares_of_what_was() -> None:
    change = compare_loads(timing("load", 1100), timing("load", 3200))["load_time"]

    assert (change.before, change.after, change.change) == (1100, 3200, "+191%")


def test_numbers_that_one_side_lacks_or_that_are_negative_are_not_compared() -> None:
    changes = compare_loads(timing("load", -5), load(timing={"load": 3, "firstContentfulPaint": 1}))

    assert "load_time" not in changes
    assert "fcp" not in changes


def test_equal_loads_have_no_change() -> None:
    changes = compare_loads(timing("load", 10), timing("load", 10))

    assert changes["load_time"].change == "0%"
    assert not any(change.regression for change in changes.values())
