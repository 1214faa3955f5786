"""How fast pages load, and whether they got slower."""

from typing import Any

import pytest

from gasoline.ingest import Ingest
from gasoline.ingest.streams import PERFORMANCE_SNAPSHOTS
from gasoline.store import Store
from tests.builders import ingest, send, store
from tests.tools.asking import ask


def load(load_ms: float | None = 500, *, url: str = "/home", **fields: Any) -> dict[str, Any]:
    network = {
        "requestCount": 14,
        "transferSize": 210_000,
        "decodedSize": 640_000,
        "byType": {"script": {"count": 6, "size": 150_000}},
        "slowestRequests": [{"url": "http://app/app.js", "duration": 120.4, "size": 90_210}],
    }
    return {
        "url": url,
        "timestamp": "2026-03-01T12:00:00Z",
        "timing": {"load": load_ms, "largestContentfulPaint": 260},
        "network": network,
        "longTasks": {"count": 1, "totalBlockingTime": 34, "longest": 84},
        "cumulativeLayoutShift": 0.01,
    } | fields


def browser(*loads: dict[str, Any]) -> Store:
    receiver: Ingest = ingest()
    send(receiver, PERFORMANCE_SNAPSHOTS, *loads)
    return receiver.store


def test_a_slower_load_is_a_regression_with_its_cause() -> None:
    heavy = {
        "requestCount": 15,
        "transferSize": 2_500_000,
        "decodedSize": 2_900_000,
        "byType": {"script": {"count": 6, "size": 150_000}, "img": {"count": 1, "size": 2e6}},
        "slowestRequests": [{"url": "http://app/hero.png", "duration": 1900, "size": 2e6}],
    }

    answer = ask(browser(load(), load(2500, network=heavy)), "check_performance")

    assert answer["summary"] == (
        "The last load of /home took 2.5 s, worse than usual in 1 load before: load time +400%, "
        "bytes transferred +1090%. What grew most: image resources, 1 request, 1.9 MB."
    )
    assert answer["regressions"] == {
        "load_time": {"before": 500, "after": 2500, "change": "+400%", "regression": True},
        "transfer_size": {
            "before": 210_000,
            "after": 2_500_000,
            "change": "+1090%",
            "regression": True,
        },
    }
    assert answer["grew"] == [
        {"what": "image resources", "before": "none", "after": "1 request, 1.9 MB"},
        {"what": "http://app/hero.png", "before": "not among the slowest", "after": "1.9 s"},
    ]


def test_the_report_is_readable() -> None:
    answer = ask(browser(load(), load(900)), "check_performance")

    assert (
        answer["report"]
        == """\
Load of /home at 2026-03-01T12:00:00.000Z, compared with 1 before

Timing
  Largest contentful paint  260 ms  good
  Load                      900 ms  (usually 500 ms, +80%)  ⚠ REGRESSION

Stability and main thread
  Cumulative layout shift   0.010  good
  Long tasks                1
  Total blocking time       34 ms
  Longest task              84 ms

Network
  Requests                  14
  Transferred               205 KB
  Unpacked                  625 KB
    script  6 requests, 146 KB
  Slowest requests
     120 ms    88 KB  http://app/app.js"""
    )


def test_the_latest_load_does_not_excuse_itself_in_the_average() -> None:
    # Averaged with itself, 1100 would be 37 % over 800 and pass.
    answer = ask(browser(load(500), load(1100)), "check_performance")

    assert list(answer["regressions"]) == ["load_time"]


def test_the_first_load_is_reported_without_comparison() -> None:
    answer = ask(browser(load(timing={"largestContentfulPaint": 5000})), "check_performance")

    assert answer["summary"] == (
        "The last load of /home; it is the first seen, so there is nothing to compare it with. "
        "Poor: LCP."
    )
    assert answer["regressions"] == {}
    assert answer["vitals"]["lcp"] == {"value": 5000, "rating": "poor"}


def test_a_load_like_the_others_is_no_worse() -> None:
    answer = ask(browser(load(), load(), load()), "check_performance")

    assert answer["summary"] == (
        "The last load of /home took 500 ms, no worse than usual in 2 loads before."
    )


@pytest.mark.parametrize("url", ["/cart", "car", "http://app/cart?x=1"])
def test_a_page_is_chosen_by_path_part_of_it_or_address(url: str) -> None:
    of = browser(load(url="/cart"), load(url="/home"))

    answer = ask(of, "check_performance", url=url)

    assert answer["url"] == "/cart"
    assert answer["other_pages"] == [{"url": "/home", "load_ms": 500}]


def test_other_pages_that_got_slower_are_named() -> None:
    answer = ask(browser(load(), load(2000), load(url="/cart")), "check_performance")

    assert answer["other_pages"] == [{"url": "/home", "load_ms": 2000, "regressed": ["load_time"]}]


def test_without_a_load_the_answer_says_what_to_do() -> None:
    assert ask(store(), "check_performance")["summary"].startswith("No page load captured yet.")
    assert ask(browser(load()), "check_performance", url="/none")["summary"] == (
        "No load of /none captured. Loaded lately: /home."
    )


@pytest.mark.parametrize(
    "odd",
    [
        {"url": "/home", "timing": {"load": -5, "largestContentfulPaint": -1}},
        {"url": "/home", "timing": {}},
        {"url": "/home"},
        {"url": "/home", "timing": {"load": "fast"}, "network": "none", "longTasks": 7},
        {"url": "/home", "network": {"requestCount": -3, "byType": {"script": {"count": -1}}}},
        {"url": "/home", "timing": None, "network": None, "longTasks": None},
        load(network={"slowestRequests": [{"url": "http://[", "duration": -1}, {}]}),
        load(1e308),
    ],
)
def test_odd_snapshots_neither_break_the_answer_nor_the_next_comparison(
    odd: dict[str, Any],
) -> None:
    of = browser(load(), odd, load())

    answer = ask(of, "check_performance")

    assert answer["regressions"] == {}
    assert ask(browser(odd), "check_performance")["report"]


def test_a_page_full_of_pages_stays_within_the_budget() -> None:
    of = browser(*(load(url=f"/{'x' * 200}{number}") for number in range(25)))

    answer = ask(of, "check_performance")

    assert len(answer["other_pages"]) == 19
