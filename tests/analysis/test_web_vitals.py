"""The bands Google rates vitals with."""

import pytest

from gasoline.analysis.web_vitals import Vital, rate, rate_vitals
from gasoline.records import PerformanceSnapshot
from gasoline.records.performance import Timing


@pytest.mark.parametrize(
    ("name", "good", "poor"),
    [
        ("lcp", 2500, 4000),
        ("inp", 200, 500),
        ("cls", 0.1, 0.25),
        ("fcp", 1800, 3000),
        ("ttfb", 800, 1800),
    ],
)
def test_each_band_includes_its_upper_end(name: str, good: float, poor: float) -> None:
    values = (good, good + 0.01, poor, poor + 0.01)

    assert [rate(name, value) for value in values] == [
        "good",
        "needs improvement",
        "needs improvement",
        "poor",
    ]


def test_only_what_was_measured_is_rated() -> None:
    load = PerformanceSnapshot(timing=Timing(largest_contentful_paint=5000))

    assert rate_vitals(load) == {"lcp": Vital(5000, "poor")}
