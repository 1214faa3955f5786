"""What every record shares, and how one is read back from the wire."""

import json
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from gasoline.records.time import parse_time_ms


class Record(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Something the browser did. The store gives `seq`, `at_ms` and `test_id`, never the page."""

    seq: int = 0
    at_ms: float = 0.0
    test_id: str | None = msgspec.field(default=None, name="test_id")
    url: str = ""
    tab_id: int | None = None
    # When it happened, by the page's clock, under either name and in any spelling.
    ts: Any = None
    timestamp: Any = None

    @property
    def said_ms(self) -> float | None:
        """When it happened, as far as the page says so in a way that can be read."""
        by_ts = parse_time_ms(self.ts)
        return by_ts if by_ts is not None else parse_time_ms(self.timestamp)


R = TypeVar("R", bound=Record)


def read_record(kind: type[R], wire: bytes) -> R:
    """Read one record; a field of the wrong type falls back to its default, never to an error."""
    try:
        return msgspec.json.decode(wire, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError):
        return _read_field_by_field(kind, wire)


def _read_field_by_field(kind: type[R], wire: bytes) -> R:
    try:
        # json, not msgspec: it also reads numbers beyond the range of a float.
        sent = json.loads(wire)
    except (RecursionError, ValueError):
        # Nested beyond reading, or a number of thousands of digits.
        return kind()
    usable: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.encode_name not in sent:
            continue
        try:
            usable[field.name] = msgspec.convert(sent[field.encode_name], field.type, strict=False)
        except msgspec.ValidationError:
            continue
    return kind(**usable)
