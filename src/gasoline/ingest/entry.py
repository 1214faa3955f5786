"""One entry of a batch: redacted, spelled our way, timed, and known by its test."""

import sys
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from gasoline.ingest.streams import ENHANCED_ACTIONS, LOGS, PERFORMANCE_SNAPSHOTS, Head, Stream
from gasoline.records.names import may_hold_snake_case, to_camel_case
from gasoline.records.time import format_time
from gasoline.redaction import may_contain_secret, redact_record
from gasoline.store import Arrival

# A log queue is also how gasoline-ci.js of the specification sends actions and vitals.
_SMUGGLED = {
    "GASOLINE_ENHANCED_ACTION": ENHANCED_ACTIONS,
    "GASOLINE_WEB_VITALS": PERFORMANCE_SNAPSHOTS,
}
_ACTION_TYPES = frozenset({"click", "input", "keypress", "navigate", "select", "scroll", "submit"})
NOT_LOGS = _ACTION_TYPES | _SMUGGLED.keys()
# What a log queue carries about errors that it has already delivered.
CONTEXT_TYPE = "gasoline-enrichment"
SOURCE_TYPE = "gasoline-source"

_head_decoder = msgspec.json.Decoder(Head)
_decode = msgspec.json.decode


class Setting(Struct, frozen=True, kw_only=True):
    """What holds for all entries of a batch; `test_id` is the test that the batch itself names."""

    stream: Stream
    dirty: bool
    arrived_ms: float
    test_id: str | None
    entry_bytes: int
    test_id_chars: int


class Unusable(Exception):  # noqa: N818  # a verdict about one entry, not a failure of ours
    """An entry that breaks a rule; its neighbours are kept."""


def read_entry(wire: bytes, setting: Setting) -> Arrival:
    """Turn one object of a batch into what the store keeps, or say why it cannot be."""
    try:
        return _read_entry(wire, setting)
    except (msgspec.DecodeError, RecursionError) as error:
        # A number beyond the range of a float, or arrays nested beyond reading.
        raise Unusable(f"an entry cannot be read: {error}") from error


def _read_entry(wire: bytes, setting: Setting) -> Arrival:
    if len(wire) > setting.entry_bytes:
        raise Unusable(f"an entry of {len(wire)} bytes is over the limit of {setting.entry_bytes}")
    stream = setting.stream
    head = _head_decoder.decode(wire)
    if stream is LOGS and isinstance(head.type, str) and head.type in NOT_LOGS:
        stream, wire, head = _unwrap(wire, head)
    if not stream.is_usable(head):
        raise Unusable(f"an entry needs {stream.needs}")
    dirty = setting.dirty and may_contain_secret(wire)
    if dirty or head.snake_tab_id is not UNSET or _is_spelled_otherwise(stream, wire):
        wire = _encode(_clean(stream, _decode(wire), dirty=dirty))
    if stream is not LOGS and not head.ts and not head.timestamp:
        wire = b'{"ts":"%s",%s' % (format_time(setting.arrived_ms).encode(), wire[1:])
    own_id = _own_test_id(head, setting.test_id_chars)
    says_its_test = own_id is not None and own_id == head.test_id
    # Interned: thousands of records share a handful of labels.
    label = sys.intern(stream.label(head))
    return Arrival(stream.kind, wire, label, own_id or setting.test_id, says_its_test)


def _is_spelled_otherwise(stream: Stream, wire: bytes) -> bool:
    # A log entry keeps the spelling it came in.
    return stream is not LOGS and may_hold_snake_case(wire)


def _encode(content: dict[str, Any]) -> bytes:
    # Copied, because msgspec leaves up to half of the length unused behind what it encodes.
    return bytes(memoryview(msgspec.json.encode(content)))


def _clean(stream: Stream, sent: dict[str, Any], *, dirty: bool) -> dict[str, Any]:
    if stream is LOGS:
        if "tab_id" in sent:
            sent.setdefault("tabId", sent.pop("tab_id"))
    else:
        sent = to_camel_case(stream.kind, sent)
    return redact_record(sent) if dirty else sent


def _unwrap(wire: bytes, head: Head) -> tuple[Stream, bytes, Head]:
    """Tell actions and vitals that came through the log queue from log entries."""
    stream = _SMUGGLED.get(head.type)
    if stream is None:
        return (ENHANCED_ACTIONS if head.level is None else LOGS), wire, head
    sent = _decode(wire)
    content = sent.get("payload")
    if not isinstance(content, dict):
        content = {key: value for key, value in sent.items() if key not in {"type", "level"}}
        if stream is ENHANCED_ACTIONS:
            content["type"] = sent.get("actionType") or sent.get("action") or "unknown"
    wire = _encode(content)
    return stream, wire, _head_decoder.decode(wire)


def _own_test_id(head: Head, test_id_chars: int) -> str | None:
    if head.test_id is None and head.camel_test_id is None and not head.metadata:
        return None
    candidates: list[Any] = [head.test_id, head.camel_test_id]
    if head.metadata:
        metadata = _decode(head.metadata)
        if isinstance(metadata, dict):
            candidates += [metadata.get("testId"), metadata.get("test_id")]
    for candidate in candidates:
        if isinstance(candidate, str) and 0 < len(candidate) <= test_id_chars:
            return candidate
    return None
