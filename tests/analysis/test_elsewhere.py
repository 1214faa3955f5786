"""What the other tests of a run saw: the measure of what is unusual."""

import pytest

from gasoline.analysis.elsewhere import Reading, is_unusual
from gasoline.analysis.shape import shape_of
from gasoline.records import NetworkBody


def answer(body: str) -> NetworkBody:
    return NetworkBody(url="http://app/api", status=200, response_body=body)


def test_reading_ends_at_its_limit_and_what_was_read_stays_known() -> None:
    reading = Reading(most_bytes=14)

    shapes = [reading.shape(answer(body)) for body in ('{"a":1}', '{"b":1}', '{"c":1}', '{"a":1}')]

    assert shapes == [shape_of({"a": 1}), shape_of({"b": 1}), None, shape_of({"a": 1})]


@pytest.mark.parametrize(
    ("measured", "others", "unusual"),
    [(30.0, [10.0, 10.0, 90.0], True), (29.0, [10.0, 10.0, 90.0], False), (1.0, [], True)],
)
def test_three_times_the_median_is_unusual(
    measured: float, others: list[float], *, unusual: bool
) -> None:
    assert is_unusual(measured, others) is unusual
