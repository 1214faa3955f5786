"""Untrusted bytes to a batch of entries, each still text but known to be a JSON object."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from gasoline.ingest.json_text import NOT_JSON, mend_half_pairs, read_object
from gasoline.ingest.refusal import RefusedBatch
from gasoline.ingest.streams import Stream

NAME_CHARS = 200
LARGEST_NUMBER = 2**53


class Batch(Struct, frozen=True, kw_only=True):
    """What one request carried. Numbers are None for senders that do not number."""

    entries: list[bytes]
    sender: str | None = None
    number: int | None = None
    dropped: int = 0
    test_id: str | None = None


def read_batch(stream: Stream, body: bytes) -> Batch:
    """Take the request apart, or refuse all of it."""
    try:
        envelope = _decode(stream, body)
    except NOT_JSON:
        envelope = _decode_leniently(stream, body)
    if envelope.entries is None:
        raise RefusedBatch(f"Missing {stream.list_name} array")
    entries = [bytes(entry) for entry in envelope.entries]
    if {entry[:1] for entry in entries} - {b"{"}:
        raise RefusedBatch(f"Invalid JSON: every element of {stream.list_name} must be an object")
    return Batch(
        entries=entries,
        sender=_name(envelope.sender),
        number=_number(envelope.batch, least=1),
        dropped=_number(envelope.dropped, least=0) or 0,
        test_id=envelope.test_id if isinstance(envelope.test_id, str) else None,
    )


def read_single_snapshot(body: bytes) -> Batch:
    """The older route takes one snapshot, not a list of them."""
    return Batch(entries=[msgspec.json.encode(read_object(body))])


class _Envelope(Struct, frozen=True):
    sender: Any = None
    batch: Any = None
    dropped: Any = None
    test_id: Any = None
    entries: list[Raw] | None = None


@cache
def _decoder(list_name: str) -> msgspec.json.Decoder[_Envelope]:
    envelope = msgspec.defstruct(
        "Envelope",
        [("entries", list[Raw] | None, msgspec.field(default=None, name=list_name))],
        bases=(_Envelope,),
        frozen=True,
    )
    return msgspec.json.Decoder(envelope)


def _decode(stream: Stream, body: bytes) -> _Envelope:
    if not body.isascii():
        # Entries are stored undecoded, so this is the only look anyone takes at their encoding.
        body.decode("utf-8")
    return _decoder(stream.list_name).decode(body)


def _decode_leniently(stream: Stream, body: bytes) -> _Envelope:
    try:
        return _decode(stream, mend_half_pairs(body))
    except msgspec.ValidationError as error:
        raise RefusedBatch(f"Invalid JSON: {error}") from error
    except NOT_JSON as error:
        raise RefusedBatch("Invalid JSON") from error


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= NAME_CHARS else None


def _number(value: Any, *, least: int) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and least <= value <= LARGEST_NUMBER else None
