"""Shapes written down."""

import json
from typing import Any

import pytest

from gasoline.analysis.shape import merge_shapes, shape_of
from gasoline.analysis.shape_notation import describe_response_shape, describe_shape, write_shape
from gasoline.records import NetworkBody


def answered(body: str | None, **fields: Any) -> NetworkBody:
    return NetworkBody(**{"content_type": "application/json", **fields}, response_body=body)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("text", "string"),
        (1.5, "number"),
        (False, "boolean"),
        (None, "null"),
        ([], []),
        ([{"id": 1}, "other"], [{"id": "number"}]),
        (
            {"token": "abc", "user": {"id": 1, "name": "Ann"}},
            {"token": "string", "user": {"id": "number", "name": "string"}},
        ),
        ({"a": {"b": {"c": {"d": 1}}}}, {"a": {"b": {"c": {"d": "..."}}}}),
        ([[[[1]]]], [[[["..."]]]]),
    ],
)
def test_a_value_is_described_by_its_types(value: Any, shape: Any) -> None:
    assert describe_shape(value) == shape


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/problem+json; charset=utf-8", "Application/JSON", ""],
)
def test_json_of_any_flavour_has_a_shape(content_type: str) -> None:
    assert describe_response_shape(answered('{"a":1}', content_type=content_type)) == {
        "a": "number"
    }


def test_a_body_that_is_null_has_the_shape_null() -> None:
    assert describe_response_shape(answered("null")) == "null"


@pytest.mark.parametrize(
    "exchange",
    [
        answered(None),
        answered(""),
        answered('{"a":'),
        answered('{"a":1}', response_truncated=True),
        answered("[Binary: 12 bytes, image/png]"),
        answered("<p>", content_type="text/html"),
        answered("[1]", content_type="text/plain"),
        answered("[" * 100_000),
        answered('"\\ud800"'),
    ],
)
def test_what_is_no_whole_json_has_none(exchange: NetworkBody) -> None:
    assert describe_response_shape(exchange) is None


def test_the_last_of_equal_keys_counts_as_it_does_in_a_browser() -> None:
    assert describe_response_shape(answered('{"a":1,"a":"x"}')) == {"a": "string"}


def test_five_hundred_levels_are_described_from_the_top() -> None:
    body = "[" * 500 + "]" * 500

    assert describe_response_shape(answered(body)) == [[[["..."]]]]


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([{"id": 1, "name": "a"}, {"id": 2}], {"id": "number", "name?": "string"}),
        ([{"id": 1}, {"id": None}, {"id": "a"}], {"id": "number|string|null"}),
        ([[], [{"id": 1}]], [{"id": "number"}]),
        ([[]], []),
        ([{"17": {"n": 1}}], {":id": {"n": "number"}}),
        ([{"user": None}, {"user": {"id": 1}}], {"user": {"anyOf": [{"id": "number"}, "null"]}}),
        ([[1], "none"], {"anyOf": [["number"], "string"]}),
        ([[[[[[1]]]]]], [[[["..."]]]]),
    ],
)
def test_a_learned_shape_shows_what_may_be_absent_and_what_differs(
    values: list[Any], written: Any
) -> None:
    shape = merge_shapes(shape_of(json.loads(json.dumps(value))) for value in values)

    assert write_shape(shape) == written
