"""What JSON looks like, whatever its values."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.analysis.shape import (
    MOST_ELEMENTS,
    MOST_FIELDS,
    MOST_PLACES,
    MOST_VALUES,
    NAME_CHARS,
    Shape,
    merge_shapes,
    shape_of,
    subtract_shape,
)
from gasoline.analysis.shape_differences import find_differences

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=20,
)


def merged(*values: Any) -> Shape:
    return merge_shapes(shape_of(value) for value in values)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("19.99", "string"),
        (19, "number"),
        (19.99, "number"),
        (True, "boolean"),
        (None, "null"),
        ([], "array"),
        ({}, "object"),
        ("[redacted:api-key:number]", "number"),
        ("[redacted:api-key:boolean]", "boolean"),
        ("[redacted:api-key:sk_liv...abc]", "string"),
    ],
)
def test_a_value_has_the_type_json_gives_it(value: Any, kind: str) -> None:
    assert shape_of(value) == Shape({kind: 1})


def test_a_field_absent_from_one_of_two_objects_is_optional() -> None:
    shape = merged({"id": 1, "name": "Ann"}, {"id": 2})

    assert shape.required == ["id"]
    assert shape.fields.keys() == {"id", "name"}


def test_two_types_at_one_place_are_a_union() -> None:
    assert merged({"id": 1}, {"id": "a"}).fields["id"].kinds == {"number": 1, "string": 1}


def test_all_elements_of_a_list_count() -> None:
    elements = shape_of([{"id": 1}, {"id": 2, "sale": True}]).elements

    assert elements is not None
    assert elements.required == ["id"]


def test_objects_keyed_by_ids_are_maps() -> None:
    person = Shape({"object": 2}, {"name": Shape({"string": 2})})

    assert shape_of({"17": {"name": "Ann"}, "18": {"name": "Bob"}}) == Shape(
        {"object": 1}, values=person
    )


def test_many_keys_that_come_and_go_with_values_alike_are_a_map() -> None:
    days = [{f"{day}day": 1.5 for day in week} for week in ("abcdef", "ghijkl")]

    assert merged(*days).values == Shape({"number": 12})


def test_keys_that_every_object_has_are_fields_however_many() -> None:
    row = {f"{letter}column": 1 for letter in "abcdefghijklmnop"}

    assert merged(row, row).values is None


def test_as_many_keys_as_an_object_may_have_are_fields_and_one_more_makes_a_map() -> None:
    names = [f"name_{number}" for number in range(MOST_FIELDS + 1)]

    assert len(shape_of(dict.fromkeys(names[:-1], 1)).fields) == MOST_FIELDS
    assert shape_of(dict.fromkeys(names, 1)).values == Shape({"number": MOST_FIELDS + 1})


def test_ten_thousand_keys_are_bounded_and_known_to_be_cut() -> None:
    shape = shape_of({f"name-{number}": number for number in range(10_000)})

    assert shape.is_partial
    assert shape.values == Shape({"number": MOST_PLACES})


def test_every_element_up_to_the_limit_is_looked_at_and_an_even_part_of_more() -> None:
    at_the_limit = shape_of([*[1] * (MOST_ELEMENTS - 1), "last"]).elements
    past_it = shape_of([1, "skipped"] * MOST_ELEMENTS).elements

    assert at_the_limit == Shape({"number": MOST_ELEMENTS - 1, "string": 1})
    assert past_it == Shape({"number": MOST_ELEMENTS})


def test_a_document_of_lists_in_lists_is_looked_at_only_so_far() -> None:
    deepest: Any = [1] * MOST_ELEMENTS
    document = [[deepest] * MOST_ELEMENTS] * MOST_ELEMENTS

    shape = shape_of({"rows": document, "last": 1})

    innermost = shape.fields["rows"]
    while innermost.elements:
        innermost = innermost.elements
    assert innermost.seen < MOST_VALUES
    assert shape.is_partial


def test_a_name_is_kept_up_to_its_limit() -> None:
    names = ["x" * NAME_CHARS, "y" * (NAME_CHARS + 1), "y" * (NAME_CHARS + 2)]

    assert list(shape_of(dict.fromkeys(names, 1)).fields) == ["x" * NAME_CHARS, "y" * NAME_CHARS]


def test_the_fourth_nested_level_is_not_looked_at() -> None:
    shape = shape_of({"a": {"b": {"c": {"d": 1}}}})

    inner = shape.fields["a"].fields["b"].fields["c"]
    assert inner.fields == {"d": Shape({"...": 1})}


def test_lists_of_objects_are_no_level_of_their_own() -> None:
    shape = shape_of({"items": [{"price": {"amount": 1}}]})

    elements = shape.fields["items"].elements
    assert elements is not None
    assert elements.fields["price"].fields["amount"].kinds == {"number": 1}


def test_a_document_nested_beyond_recursion_is_looked_at_from_the_top() -> None:
    deep: Any = 1
    for _ in range(sys.getrecursionlimit() * 2):
        deep = [deep]

    assert shape_of(deep).kinds == {"array": 1}


@given(json_values)
def test_a_shape_merged_with_itself_only_counts_more(value: Any) -> None:
    shape = shape_of(value)

    assert merge_shapes([shape, shape]).kinds == {kind: 2 * n for kind, n in shape.kinds.items()}


@given(json_values, json_values)
def test_the_order_of_merging_does_not_matter(one: Any, other: Any) -> None:
    assert merged(one, other) == merged(other, one)


@given(json_values, json_values)
def test_what_was_merged_can_be_taken_out_again(one: Any, other: Any) -> None:
    left = subtract_shape(merged(one, other), shape_of(other))

    assert left.kinds == shape_of(one).kinds
    assert list(find_differences(left, shape_of(one))) == []


def test_a_place_that_only_the_part_had_goes_with_it() -> None:
    one, other = {"id": 1, "tags": []}, {"id": "x", "tags": ["a"], "note": None}

    assert subtract_shape(merged(one, other), shape_of(other)) == shape_of(one)


def test_a_level_deeper_is_looked_at_where_asked() -> None:
    nested = {"a": {"b": {"c": {"d": 1}}}}

    assert shape_of(nested).fields["a"].fields["b"].fields["c"].fields["d"].is_partial
    deeper = shape_of(nested, deepest_level=4)
    assert deeper.fields["a"].fields["b"].fields["c"].fields["d"].kinds == {"number": 1}
