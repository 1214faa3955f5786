"""What an answer lacked that code then read."""

from typing import Any

import pytest

from gasoline.analysis.answer_gaps import find_gap, find_missing
from gasoline.analysis.read_of_nothing import ReadOfNothing

ORDER = {"id": 7, "total": None, "lines": [], "items": [{"price": 3}, {"price": None}]}


@pytest.mark.parametrize(
    ("answer", "read", "gap"),
    [
        (ORDER, ReadOfNothing("null", "order.total", "amount"), "with null in total"),
        (ORDER, ReadOfNothing("null", "total", "amount"), "with null in total"),
        (ORDER, ReadOfNothing("undefined", "order.total.amount", "value"), "with null in total"),
        (ORDER, ReadOfNothing("null", "item.price", "amount"), "with null in items[].price"),
        (ORDER, ReadOfNothing("undefined", "order.lines[0]", "id"), "with an empty list in lines"),
        ([{"a": {"total": None}}], ReadOfNothing("null", "x.total"), "with null in [].a.total"),
        (ORDER, ReadOfNothing("null", "order.customer", "name"), None),
        (ORDER, ReadOfNothing("null", None, "total"), None),
        ("text", ReadOfNothing("null", "total"), None),
        (None, ReadOfNothing("null", "total"), None),
    ],
)
def test_what_was_read_as_nothing_is_named_by_its_path(
    answer: Any, read: ReadOfNothing, gap: str | None
) -> None:
    assert find_gap(answer, read) == gap


@pytest.mark.parametrize(
    ("answer", "read", "missing"),
    [
        (ORDER, ReadOfNothing("undefined", "order.customer", "name"), "without customer"),
        (ORDER, ReadOfNothing("undefined", "customer", "name"), "without customer"),
        (ORDER["items"], ReadOfNothing("undefined", "items.tax", "rate"), "without tax"),
        (ORDER, ReadOfNothing("null", "order.customer", "name"), None),
        (ORDER, ReadOfNothing("undefined", "order.items", "name"), None),
        (ORDER, ReadOfNothing("undefined", None, "name"), None),
        (ORDER, ReadOfNothing("undefined", "this", "name"), None),
        (ORDER, ReadOfNothing("undefined", "order.items[3]", "name"), None),
        ([], ReadOfNothing("undefined", "order.customer", "name"), None),
        (["text"], ReadOfNothing("undefined", "order.customer", "name"), None),
    ],
)
def test_a_field_that_no_object_has_is_missing(
    answer: Any, read: ReadOfNothing, missing: str | None
) -> None:
    assert find_missing(answer, read) == missing
