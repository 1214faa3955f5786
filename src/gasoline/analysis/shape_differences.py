"""Where a document departs from the shape that was learned."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from gasoline.analysis.shape import BEYOND, Shape, kind_of, merge_shapes
from gasoline.analysis.shape_notation import ANY_KEY

ELEMENT = "[]"
WHOLE = "(the whole body)"

Departure = Literal["missing", "new", "type", "null"]
Path = tuple[str, ...]


class Difference(Struct, frozen=True):
    """One place that is not as it was, and the types there before and now."""

    departure: Departure
    path: Path
    expected: str
    actual: str

    @property
    def field(self) -> str:
        """The place as one writes it: `items[].price.amount`."""
        return ".".join(self.path).replace(f".{ELEMENT}", ELEMENT) or WHOLE

    @property
    def in_list(self) -> bool:
        return ELEMENT in self.path


def find_differences(expected: Shape, actual: Shape, path: Path = ()) -> Iterator[Difference]:
    """Every departure of what came from what was learned, from the top down."""
    if expected.kinds.keys() <= {"null", BEYOND}:
        # Nothing is known of this place yet.
        return
    for kind in sorted(actual.kinds.keys() - expected.kinds.keys() - {BEYOND}):
        departure: Departure = "null" if kind == "null" else "type"
        yield Difference(departure, path, name_types(expected), kind)
    if "object" in expected.kinds and "object" in actual.kinds:
        yield from _compare_objects(expected, actual, path)
    if expected.elements and actual.elements:
        yield from find_differences(expected.elements, actual.elements, (*path, ELEMENT))


def _compare_objects(expected: Shape, actual: Shape, path: Path) -> Iterator[Difference]:
    if expected.values:
        values = actual.values or (actual.fields and merge_shapes(actual.fields.values()))
        if values:
            yield from find_differences(expected.values, values, (*path, ANY_KEY))
        return
    if not actual.is_partial:
        yield from _find_missing(expected, actual, path)
    for name, field in actual.fields.items():
        known = expected.fields.get(name)
        if known:
            yield from find_differences(known, field, (*path, name))
        elif not expected.is_partial:
            yield Difference("new", (*path, name), "missing", name_types(field))


def _find_missing(expected: Shape, actual: Shape, path: Path) -> Iterator[Difference]:
    objects = actual.kinds["object"]
    for name in expected.required:
        field = actual.fields.get(name)
        if field is None or field.seen < objects:
            yield Difference("missing", (*path, name), name_types(expected.fields[name]), "missing")


def name_types(shape: Shape) -> str:
    """The types of a place in one word: `number|null`."""
    kinds = shape.kinds.keys() - {BEYOND}
    return "|".join(sorted(kinds, key=lambda kind: (kind == "null", kind))) or BEYOND


def find_sample(document: Any, path: Path, kind: str) -> Any:
    """A value of a type at a place, None when there is none; lists and maps are searched."""
    if not path:
        return document if kind_of(document) == kind else None
    inner: list[Any] = []
    if path[0] == ELEMENT and isinstance(document, list):
        inner = document
    elif isinstance(document, dict) and path[0] in document:
        inner = [document[path[0]]]
    elif path[0] == ANY_KEY and isinstance(document, dict):
        inner = list(document.values())
    samples = (find_sample(value, path[1:], kind) for value in inner)
    return next((sample for sample in samples if sample is not None), None)
