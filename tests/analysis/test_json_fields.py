"""Every place of a JSON document by its path."""

from gasoline.analysis.json_fields import walk_fields

ORDER = {"id": 7, "items": [{"price": None}, {"price": 2}]}


def test_places_come_from_the_top_down() -> None:
    assert [path for path, _ in walk_fields(ORDER, depth=6)] == [
        "",
        "id",
        "items",
        "items[]",
        "items[].price",
        "items[]",
        "items[].price",
    ]


def test_what_lies_deeper_and_further_elements_are_left_out() -> None:
    found = list(walk_fields(ORDER, depth=2, elements=1))

    assert found[1:] == [("id", 7), ("items", ORDER["items"]), ("items[]", {"price": None})]
