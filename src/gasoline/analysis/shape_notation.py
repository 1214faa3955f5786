"""Shapes written down: `{"id": "number", "tags": ["string"], "name?": "string|null"}`."""

from typing import Any

from gasoline.analysis.json_body import UnreadableBodyError, read_answer
from gasoline.analysis.shape import BEYOND, DEEPEST_LEVEL, Shape, kind_of
from gasoline.records import NetworkBody

ANY_KEY = ":id"


def describe_shape(value: Any, *, level: int = 0) -> Any:
    """The shape of one decoded value: type names, objects by key, a list by its first element."""
    if level > DEEPEST_LEVEL:
        return BEYOND
    if isinstance(value, dict):
        return {key: describe_shape(inner, level=level + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [describe_shape(element, level=level + 1) for element in value[:1]]
    return kind_of(value)


def describe_response_shape(exchange: NetworkBody) -> Any | None:
    """The shape of a JSON answer; None when the answer is no readable JSON."""
    try:
        return describe_shape(read_answer(exchange))
    except UnreadableBodyError:
        return None


def write_shape(shape: Shape) -> Any:
    """A learned shape: a field that may be absent ends in `?`, several types are joined by `|`."""
    plain = [kind for kind in shape.kinds if kind not in {"object", "array", BEYOND}]
    written: list[Any] = []
    if "object" in shape.kinds:
        written.append(_write_object(shape))
    if "array" in shape.kinds:
        written.append([write_shape(shape.elements)] if shape.elements else [])
    if plain:
        written.append("|".join(sorted(plain, key=_null_last)))
    if not written:
        return BEYOND
    return written[0] if len(written) == 1 else {"anyOf": written}


def _null_last(kind: str) -> tuple[bool, str]:
    return kind == "null", kind


def _write_object(shape: Shape) -> dict[str, Any]:
    if shape.values:
        return {ANY_KEY: write_shape(shape.values)}
    required = set(shape.required)
    return {
        name if name in required else f"{name}?": write_shape(field)
        for name, field in shape.fields.items()
    }
