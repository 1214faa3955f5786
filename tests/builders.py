"""Valid records, batches and stores: a test names only the fields it is about."""

import itertools
from typing import Any

import msgspec

from gasoline.ingest import Ingest, RateLimit, Receipt
from gasoline.ingest.streams import (
    DOM_SNAPSHOTS,
    ENHANCED_ACTIONS,
    LOGS,
    NETWORK_BODIES,
    WEBSOCKET_EVENTS,
    Stream,
)
from gasoline.records import LogEntry, Record
from gasoline.store import Kept, Limits, Store

NOON_MS = 1_772_366_400_000.0  # 2026-03-01T12:00:00Z

_seq = itertools.count(1)


class Clock:
    """Time that stands still until a test moves it."""

    def __init__(self, now_ms: float = NOON_MS) -> None:
        self.now_ms = now_ms

    def __call__(self) -> float:
        return self.now_ms

    def advance(self, *, seconds: float) -> None:
        self.now_ms += seconds * 1000


def store(limits: Limits | None = None, clock: Clock | None = None) -> Store:
    return Store(limits, clock=clock or Clock())


def ingest(into: Store | None = None, *, events_per_second: int = 10_000) -> Ingest:
    return Ingest(into or store(), rate_limit=RateLimit(events_per_second))


def kept(
    *, wire: dict[str, Any] | None = None, seq: int | None = None, padding: int = 0, **fields: Any
) -> Kept:
    content = {"level": "error", "message": "boom", **(wire or {})}
    if padding:
        content["padding"] = "x" * padding
    return Kept(
        seq=seq or next(_seq), arrived_ms=NOON_MS, wire=msgspec.json.encode(content), **fields
    )


def log(**fields: Any) -> dict[str, Any]:
    return {
        "level": "error",
        "type": "console",
        "message": "boom",
        "url": "http://app/cart",
    } | fields


def exchange(**fields: Any) -> dict[str, Any]:
    return {"url": "http://app/api/pay", "method": "POST", "status": 200, "duration": 5} | fields


def message(**fields: Any) -> dict[str, Any]:
    sent = {"event": "message", "id": "ws-1", "url": "ws://app/feed", "direction": "incoming"}
    return sent | {"data": "{}", "size": 2} | fields


def action(**fields: Any) -> dict[str, Any]:
    return {"type": "click", "timestamp": NOON_MS, "url": "http://app/cart"} | fields


def send(into: Ingest, stream: Stream, *entries: Any, **envelope: Any) -> Receipt:
    """Deliver entries as a client would: as the bytes of a request."""
    return into.take(stream, msgspec.json.encode({stream.list_name: list(entries), **envelope}))


def send_logs(into: Ingest, *entries: Any, **envelope: Any) -> Receipt:
    return send(into, LOGS, *entries, **envelope)


def send_exchanges(into: Ingest, *entries: Any, **envelope: Any) -> Receipt:
    return send(into, NETWORK_BODIES, *entries, **envelope)


def send_events(into: Ingest, *entries: Any, **envelope: Any) -> Receipt:
    return send(into, WEBSOCKET_EVENTS, *entries, **envelope)


def send_actions(into: Ingest, *entries: Any, **envelope: Any) -> Receipt:
    return send(into, ENHANCED_ACTIONS, *entries, **envelope)


def messages_in(
    of: Store, kind: type[Record] = LogEntry, *, test_id: str | None = None
) -> list[Any]:
    """What the store shows, oldest first, by each record's message or URL."""
    found = [msgspec.json.decode(record.written()) for record in of.oldest(kind, test_id=test_id)]
    return [record.get("message", record.get("url")) for record in found]


def send_snapshots(into: Ingest, *entries: Any, **envelope: Any) -> Receipt:
    return send(into, DOM_SNAPSHOTS, *entries, **envelope)


def snapshot(**fields: Any) -> dict[str, Any]:
    return {
        "timestamp": NOON_MS,
        "url": "http://app/cart",
        "title": "Cart",
        "elements": [],
    } | fields
