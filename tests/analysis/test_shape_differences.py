"""Where a document departs from the shape that was learned."""

from typing import Any

import pytest

from gasoline.analysis.shape import merge_shapes, shape_of
from gasoline.analysis.shape_differences import find_differences, find_sample


def departures(learned: list[Any], came: Any) -> list[tuple[str, str, str, str]]:
    expected = merge_shapes(shape_of(value) for value in learned)
    return [
        (found.departure, found.field, found.expected, found.actual)
        for found in find_differences(expected, shape_of(came))
    ]


@pytest.mark.parametrize(
    ("learned", "came", "found"),
    [
        ({"id": 1, "a": {"b": 2}}, {"id": 1, "a": {}}, ("missing", "a.b", "number", "missing")),
        ({"id": 1}, {"id": 1, "x": True}, ("new", "x", "missing", "boolean")),
        ({"id": 1}, {"id": "1"}, ("type", "id", "number", "string")),
        ({"id": 1}, {"id": None}, ("null", "id", "number", "null")),
        ({"a": {"b": 1}}, {"a": None}, ("null", "a", "object", "null")),
        ({"a": {"b": 1}}, {"a": 1}, ("type", "a", "object", "number")),
        ([{"id": 1}], [{"id": "1"}], ("type", "[].id", "number", "string")),
        ({"i": [{"p": {"a": 1}}]}, {"i": [{"p": {}}]}, ("missing", "i[].p.a", "number", "missing")),
        ({"n": [1, 2]}, {"n": [1, "2"]}, ("type", "n[]", "number", "string")),
        ([1], {"a": 1}, ("type", "(the whole body)", "array", "object")),
        (
            {"17": {"n": 1}, "18": {"n": 2}},
            {"19": {}},
            ("missing", ":id.n", "number", "missing"),
        ),
        (
            {"i": [{"id": 1}, {"id": 2}]},
            {"i": [{"id": 1}, {}]},
            ("missing", "i[].id", "number", "missing"),
        ),
    ],
)
def test_each_departure_is_found_where_it_is(
    learned: Any, came: Any, found: tuple[str, str, str, str]
) -> None:
    assert departures([learned], came) == [found]


@pytest.mark.parametrize(
    ("learned", "came"),
    [
        ([{"id": 1, "name": "a"}, {"id": 1}], {"id": 2}),
        ([{"id": 1}, {"id": None}], {"id": None}),
        ([{"id": None}], {"id": 7}),
        ([{"i": []}], {"i": [1]}),
        ([{"i": [1]}], {"i": []}),
        ([{"17": {"n": 1}}], {"99": {"n": 1}}),
        ([{}], {"17": {"n": 1}}),
        ([{"a": {"b": {"c": {"d": 1}}}}], {"a": {"b": {"c": {"d": "x"}}}}),
    ],
)
def test_what_was_seen_before_or_could_not_be_seen_is_no_departure(
    learned: list[Any], came: Any
) -> None:
    assert departures(learned, came) == []


def test_an_object_cut_for_its_size_is_not_said_to_lack_fields() -> None:
    wide = {f"{name}{'x' * number}": [{"a": 1}] for number in range(190) for name in "abc"}
    turned = dict(reversed(wide.items()))

    assert departures([{"rows": wide, "last": 1}], {"rows": turned, "last": 1}) == []


@pytest.mark.parametrize(
    ("document", "path", "kind", "sample"),
    [
        ({"price": "19.99"}, ("price",), "string", "19.99"),
        ({"i": [{"p": 1}, {"p": "2"}]}, ("i", "[]", "p"), "string", "2"),
        ({"17": {"n": True}}, (":id", "n"), "boolean", True),
        ({"price": 1}, ("price",), "string", None),
        (7, (), "number", 7),
    ],
)
def test_a_sample_shows_the_type_at_its_place(
    document: Any, path: tuple[str, ...], kind: str, sample: Any
) -> None:
    assert find_sample(document, path, kind) == sample
