"""What made a page load heavier."""

from typing import Any

import pytest

from gasoline.analysis.load_growth import (
    Growth,
    describe_bytes,
    describe_ms,
    find_growth,
    total_by_type,
)
from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import LongTasks, NetworkTotals, SlowRequest, TypeTotal


def load(*, longest: float | None = None, **network: Any) -> PerformanceSnapshot:
    tasks = None if longest is None else LongTasks(count=1, longest=longest)
    return PerformanceSnapshot(network=NetworkTotals(**network), long_tasks=tasks)


def slow(url: str, duration: float) -> list[SlowRequest]:
    return [SlowRequest(url, duration, 10)]


def test_what_the_browser_calls_initiators_is_told_as_types() -> None:
    kinds = ["script", "link", "css", "img", "xmlhttprequest", "fetch", "font", "video", "Script"]

    totals = total_by_type(load(by_type={kind: TypeTotal(1, 10) for kind in kinds}))

    assert {name: total.count for name, total in totals.items()} == {
        "script": 2,
        "style": 2,
        "fetch": 2,
        "image": 1,
        "font": 1,
        "other": 1,
    }


def test_the_type_that_grew_most_comes_first() -> None:
    before = load(by_type={"script": TypeTotal(3, 50_000), "img": TypeTotal(2, 10_000)})
    after = load(by_type={"script": TypeTotal(4, 90_000), "img": TypeTotal(2, 3_000_000)})

    assert find_growth(before, after) == [
        Growth("image resources", "2 requests, 10 KB", "2 requests, 2.9 MB"),
        Growth("script resources", "3 requests, 49 KB", "4 requests, 88 KB"),
    ]


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        (slow("/a.js?v=1", 100), slow("/a.js?v=2", 151), [Growth("/a.js?v=2", "100 ms", "151 ms")]),
        (slow("/a.js", 100), slow("/a.js", 150), []),
        (slow("/a.js", 10), slow("/a.js", 99), []),
        ([], slow("/b.js", 100), [Growth("/b.js", "not among the slowest", "100 ms")]),
        (slow("http://[", 1), slow("http://[", 2000), [Growth("http://[", "1 ms", "2.0 s")]),
    ],
)
def test_a_request_that_is_half_as_slow_again_is_named(
    was: list[SlowRequest], now: list[SlowRequest], found: list[Growth]
) -> None:
    assert find_growth(load(slowest_requests=was), load(slowest_requests=now)) == found


def test_a_longer_task_is_the_work_of_scripts() -> None:
    assert find_growth(load(longest=0), load(longest=420)) == [
        Growth("scripts on the main thread", "no long task", "longest task 420 ms")
    ]
    assert find_growth(load(longest=300), load(longest=420)) == []
    assert find_growth(load(longest=300), load()) == []


@pytest.mark.parametrize(
    ("size_bytes", "words"), [(0, "0 B"), (1023, "1023 B"), (1024, "1 KB"), (1048576, "1.0 MB")]
)
def test_sizes_are_told_in_their_own_unit(size_bytes: float, words: str) -> None:
    assert describe_bytes(size_bytes) == words


def test_a_second_is_told_in_seconds() -> None:
    assert (describe_ms(999), describe_ms(1000)) == ("999 ms", "1.0 s")
