"""Two spellings of every field: snake_case is accepted, camelCase is kept."""

from functools import cache
from typing import Any, get_args

import msgspec
import re2

# A key that could be the snake_case spelling of a field. Inside JSON text the quotes are escaped
# and do not match, so bodies that merely talk about such keys are not rewritten.
_SNAKE_KEY = re2.compile(rb'"[a-z]+_[a-z_]+"\s*:')


def may_hold_snake_case(batch: bytes) -> bool:
    """Whether any key of an undecoded batch could need `to_camel_case`."""
    return _SNAKE_KEY.search(batch) is not None


def to_camel_case(kind: type[msgspec.Struct], sent: dict[str, Any]) -> dict[str, Any]:
    """Rename the known fields of a record, and of the structs within it; leave the rest alone."""
    spelling = _spelling(kind)
    return {
        spelling.get(key, (key, None))[0]: _rename_within(spelling.get(key, (key, None))[1], value)
        for key, value in sent.items()
        # Sent in both spellings: the canonical one wins.
        if not (key in spelling and spelling[key][0] != key and spelling[key][0] in sent)
    }


def _rename_within(kind: type[msgspec.Struct] | None, value: Any) -> Any:
    return to_camel_case(kind, value) if kind and isinstance(value, dict) else value


@cache
def _spelling(
    kind: type[msgspec.Struct],
) -> dict[str, tuple[str, type[msgspec.Struct] | None]]:
    """For each accepted key: the canonical key, and the struct its value holds, if any."""
    spelling: dict[str, tuple[str, type[msgspec.Struct] | None]] = {}
    for field in msgspec.structs.fields(kind):
        inner = _struct_in(field.type)
        spelling[field.name] = (field.encode_name, inner)
        spelling[field.encode_name] = (field.encode_name, inner)
    return spelling


def _struct_in(annotation: Any) -> type[msgspec.Struct] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, msgspec.Struct):
            return candidate
    return None
