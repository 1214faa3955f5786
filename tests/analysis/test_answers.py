"""Answers of one endpoint, compared."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.analysis.answers import find_deviations, learn_usual
from gasoline.analysis.shape import shape_of
from gasoline.records import NetworkBody

USUAL = {"id": 1, "price": {"amount": 2.5}, "days": 3, "tags": ["a"]}


def answered(content: Any, **fields: Any) -> NetworkBody:
    known: dict[str, Any] = {"url": "http://app/api/products/7", "status": 200}
    return NetworkBody(response_body=json.dumps(content), **(known | fields))


def deviations(content: Any, *others: Any) -> list[str]:
    usual = learn_usual(shape_of(other) for other in others)
    return [found.what for found in find_deviations(answered(content), shape_of(content), usual)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (USUAL, []),
        (USUAL | {"id": 99, "tags": []}, []),
        (
            {key: USUAL[key] for key in USUAL if key != "days"},
            ["GET /api/products/7 answered without days, which all 2 other answers had"],
        ),
        (
            USUAL | {"price": None},
            ["GET /api/products/7 answered null in price, where all 2 other answers had an object"],
        ),
        (
            USUAL | {"price": {"amount": "2.5"}},
            [
                (
                    "GET /api/products/7 answered text in price.amount, "
                    "where all 2 other answers had a number"
                )
            ],
        ),
        (
            USUAL | {"email": "x"},
            ["GET /api/products/7 answered with email, which all 2 other answers did not have"],
        ),
    ],
)
def test_what_is_unlike_the_others_is_said(content: Any, said: list[str]) -> None:
    assert deviations(content, USUAL, USUAL) == said


def test_a_field_that_others_have_only_sometimes_is_not_missed() -> None:
    assert deviations({"id": 1}, {"id": 1, "note": "x"}, {"id": 2}) == []


def test_one_other_answer_does_not_make_a_field_new() -> None:
    assert deviations({"id": 1, "note": "x"}, {"id": 1}) == []


def test_nothing_to_compare_with_says_nothing() -> None:
    assert deviations(USUAL) == []


def test_many_fields_are_named_in_part() -> None:
    (said,) = deviations({"a": 1}, dict.fromkeys("abcdefg", 1))

    assert "without b, c, d, e and 2 more, which the one other answer had" in said


def test_an_address_may_have_braces() -> None:
    asked = answered({}, url="http://app/api/{id}")

    (found,) = find_deviations(asked, shape_of({}), learn_usual([shape_of({"id": 1})]))

    assert found.what == "GET /api/{id} answered without id, which the one other answer had"


def test_entries_of_a_map_by_id_are_alike() -> None:
    assert deviations({"17": {"n": 1}}, {"18": {"n": 1}}, {"19": {"n": 1}}) == []


def test_an_answer_is_compared_with_what_is_left_without_it() -> None:
    shapes = [shape_of(answer) for answer in (USUAL, USUAL, {"id": None})]
    usual = learn_usual(shapes)

    found = list(find_deviations(answered(USUAL), shapes[0], usual.without([shapes[2]])))

    assert usual.without([shapes[2]]) == learn_usual(shapes[:2])
    assert found == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
)


@given(JSON, st.lists(JSON, min_size=1, max_size=3))
def test_any_answer_can_be_compared_and_is_like_itself(content: Any, others: list[Any]) -> None:
    deviations(content, *others)

    assert deviations(content, content) == []
