"""How good a page's numbers are for people, by the bands Google rates them with."""

from typing import Literal

from msgspec import Struct

from gasoline.records import PerformanceSnapshot

Rating = Literal["good", "needs improvement", "poor"]


class Band(Struct, frozen=True):
    """Up to `good` is good, above `poor` is poor. See https://web.dev/articles/defining-core-web-vitals-thresholds."""

    good: float
    poor: float


BANDS = {
    "lcp": Band(2500, 4000),
    "inp": Band(200, 500),
    "cls": Band(0.1, 0.25),
    "fcp": Band(1800, 3000),
    "ttfb": Band(800, 1800),
}


class Vital(Struct, frozen=True):
    """One number and its rating."""

    value: float
    rating: Rating


def rate(name: str, value: float) -> Rating:
    """The band a value falls into."""
    band = BANDS[name]
    if value <= band.good:
        return "good"
    return "needs improvement" if value <= band.poor else "poor"


def rate_vitals(load: PerformanceSnapshot) -> dict[str, Vital]:
    """The vitals that a load has, the core three first."""
    timing = load.timing
    values = {
        "lcp": timing.largest_contentful_paint,
        "inp": timing.interaction_to_next_paint,
        "cls": load.cumulative_layout_shift,
        "fcp": timing.first_contentful_paint,
        "ttfb": timing.time_to_first_byte,
    }
    return {
        name: Vital(round(value, 3), rate(name, value))
        for name, value in values.items()
        if value is not None
    }
