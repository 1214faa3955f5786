"""What JSON looks like: types, optional fields, unions, lists, maps keyed by ids; never a value."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from msgspec import Struct

from gasoline.analysis.identifier import is_identifier
from gasoline.redaction.marks import parse_mark

DEEPEST_LEVEL = 3
# Beyond these nobody compares field by field, and a hostile body must not fill the memory.
MOST_FIELDS = 200
MOST_ELEMENTS = 50
MOST_PLACES = 500
MOST_VALUES = 10_000
NAME_CHARS = 100
# So many keys, none of them in every object, all with values alike: the keys are data.
KEYS_OF_A_MAP = 10

BEYOND = "..."

_PLAIN_KINDS = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_KINDS = {**_PLAIN_KINDS, dict: "object", list: "array"}


class Shape(Struct, frozen=True, omit_defaults=True):
    """The types seen at one place of a document, each with how often.

    `fields` are those of objects, `values` stands for them all where the keys are ids; `elements`
    are those of lists. The type `...` is what lies deeper, or was too much, to be looked at.
    """

    kinds: dict[str, int]
    fields: dict[str, "Shape"] = {}
    values: "Shape | None" = None
    elements: "Shape | None" = None

    @property
    def seen(self) -> int:
        return sum(self.kinds.values())

    @property
    def is_partial(self) -> bool:
        return BEYOND in self.kinds

    @property
    def required(self) -> list[str]:
        """The fields that every object had."""
        objects = self.kinds.get("object", 0)
        return [name for name, field in self.fields.items() if field.seen >= objects]


def shape_of(value: Any, *, deepest_level: int = DEEPEST_LEVEL) -> Shape:
    """The shape of a decoded JSON value."""
    tally = _Tally()
    tally.count(value, 0, _Room(deepest_level))
    return tally.shape()


def kind_of(value: Any) -> str:
    """The JSON type of a decoded value."""
    kind = _KINDS[type(value)]
    if kind == "string" and value.startswith("[redacted:"):
        # A number or boolean that was a secret is still one to whoever reads the document.
        mark = parse_mark(value)
        return mark.masked if mark and mark.masked in {"number", "boolean"} else kind
    return kind


def merge_shapes(shapes: Iterable[Shape]) -> Shape:
    """One shape that all the given ones fit."""
    every = list(shapes)
    if len(every) == 1:
        return every[0]
    kinds: dict[str, int] = {}
    for shape in every:
        for kind, count in shape.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
    fields = _merge_fields(every)
    values = [shape.values for shape in every if shape.values]
    elements = [shape.elements for shape in every if shape.elements]
    return _settle(
        kinds,
        fields,
        merge_shapes([*values, *fields.values()]) if values else None,
        merge_shapes(elements) if elements else None,
    )


def _merge_fields(shapes: list[Shape]) -> dict[str, Shape]:
    together: dict[str, list[Shape]] = {}
    for shape in shapes:
        for name, field in shape.fields.items():
            together.setdefault(name, []).append(field)
    return {name: merge_shapes(fields) for name, fields in together.items()}


def subtract_shape(merged: Shape, part: Shape) -> Shape:
    """What is left of a merged shape without one that was merged into it."""
    kinds = {kind: count - part.kinds.get(kind, 0) for kind, count in merged.kinds.items()}
    fields = {
        name: _subtract(field, part.fields.get(name)) for name, field in merged.fields.items()
    }
    # Where only the whole is known for a map, the part still has its keys by name.
    values = part.values or (merge_shapes(part.fields.values()) if part.fields else None)
    return Shape(
        {kind: count for kind, count in kinds.items() if count > 0},
        {name: field for name, field in fields.items() if field},
        _subtract(merged.values, values),
        _subtract(merged.elements, part.elements),
    )


def _subtract(merged: Shape | None, part: Shape | None) -> Shape | None:
    rest = subtract_shape(merged, part) if merged and part else merged
    return rest if rest and rest.kinds else None


def _settle(
    kinds: dict[str, int],
    fields: dict[str, Shape],
    values: Shape | None,
    elements: Shape | None,
) -> Shape:
    """Take an object for a map where its keys are ids rather than names."""
    if values is None and _are_ids(fields, kinds.get("object", 0)):
        values = merge_shapes(fields.values())
    return Shape(kinds, {} if values else fields, values, elements)


def _are_ids(fields: dict[str, Shape], objects: int) -> bool:
    if not fields:
        return False
    if len(fields) > MOST_FIELDS or all(is_identifier(name) for name in fields):
        return True
    return (
        len(fields) >= KEYS_OF_A_MAP
        and all(field.seen < objects for field in fields.values())
        and _are_alike(list(fields.values()))
    )


def _are_alike(shapes: list[Shape]) -> bool:
    first = shapes[0]
    return all(
        shape.kinds.keys() == first.kinds.keys() and shape.fields.keys() == first.fields.keys()
        for shape in shapes
    )


class _Room:
    """How deep to look, how many new places may still open, how many values still count."""

    __slots__ = ("deepest_level", "places", "values")

    def __init__(self, deepest_level: int) -> None:
        self.deepest_level = deepest_level
        self.places = MOST_PLACES
        self.values = MOST_VALUES


class _Tally:
    """A shape in the making: counting in place is what makes a long list cheap."""

    __slots__ = ("elements", "fields", "kinds")

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}
        self.fields: dict[str, _Tally] = {}
        self.elements: _Tally | None = None

    def count(self, value: Any, level: int, room: _Room) -> None:
        room.values -= 1
        kind = _PLAIN_KINDS.get(type(value))
        if level > room.deepest_level:
            kind = BEYOND
        elif kind is None or (kind == "string" and value[:1] == "["):
            kind = kind_of(value)
        kinds = self.kinds
        kinds[kind] = kinds.get(kind, 0) + 1
        if kind == "object":
            self._count_fields(value, level + 1, room)
        elif kind == "array" and value:
            self._count_elements(value, level, room)

    def _count_elements(self, value: list[Any], level: int, room: _Room) -> None:
        if self.elements is None:
            self.elements = _Tally()
            room.places -= 1
        # Spread over the whole list: what is odd often comes last.
        step = -(-len(value) // MOST_ELEMENTS)
        for element in islice(value, 0, None, step):
            if room.values <= 0:
                return
            # A list of objects is one level, as it is to whoever writes `items[].price`.
            self.elements.count(element, level + isinstance(element, list), room)

    def _count_fields(self, value: dict[str, Any], level: int, room: _Room) -> None:
        for name, inner in value.items():
            field = self.fields.get(name) or self._open_field(name, room)
            if field is None or room.values <= 0:
                self.kinds[BEYOND] = self.kinds.get(BEYOND, 0) + 1
                return
            field.count(inner, level, room)

    def _open_field(self, name: str, room: _Room) -> "_Tally | None":
        name = name[:NAME_CHARS]
        if name not in self.fields:
            if room.places <= 0:
                return None
            room.places -= 1
            self.fields[name] = _Tally()
        return self.fields[name]

    def shape(self) -> Shape:
        return _settle(
            self.kinds,
            {name: field.shape() for name, field in self.fields.items()},
            None,
            self.elements.shape() if self.elements else None,
        )
