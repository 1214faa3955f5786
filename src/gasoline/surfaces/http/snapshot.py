"""Everything captured, in one answer: what a test's teardown takes with it."""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Struct

from gasoline.analysis.capture_health import judge_capture
from gasoline.records import (
    EnhancedAction,
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
    WebSocketEvent,
)
from gasoline.records.console import ERROR, WARNING_LEVELS
from gasoline.records.health import CaptureHealth
from gasoline.records.time import format_time_precisely
from gasoline.store import Kept, Store
from gasoline.store.archive import read_admissions

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")


class SnapshotStats(Struct, frozen=True):
    """The counts a test asserts on."""

    total_logs: int
    error_count: int
    warning_count: int
    network_failures: int
    ws_connections: int


def parse_since(text: str) -> float | None:
    """An RFC 3339 time; a plus sign that the query decoded into a space is put back."""
    text = re.sub(r" (?=\d\d:\d\d$)", "+", text)
    if not _RFC_3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).timestamp() * 1000
    except ValueError:
        return None


def write_snapshot(
    store: Store,
    *,
    since_ms: float | None = None,
    test_id: str | None = None,
    attempt: int | None = None,
) -> bytes:
    """The snapshot as JSON. Records are already JSON: they are copied, not decoded."""
    evidence = list(store.evidence(test_id, attempt)) if test_id is not None else []

    def select(kind: type[Record]) -> list[Kept]:
        if test_id is None:
            kept: Iterable[Kept] = store.oldest(kind)
        else:
            kept = (record for of, record in evidence if of is kind)
        return [record for record in kept if since_ms is None or record.at_ms > since_ms]

    logs, events, bodies = select(LogEntry), select(WebSocketEvent), select(NetworkBody)
    parts = [b'"timestamp":' + msgspec.json.encode(format_time_precisely(store.now_ms()))]
    if test_id is not None:
        parts.append(b'"test_id":' + msgspec.json.encode(test_id))
    parts += [
        b'"logs":' + write_list(logs),
        b'"websocket_events":' + write_list(events),
        b'"network_bodies":' + write_list(bodies),
    ]
    if actions := select(EnhancedAction):
        parts.append(b'"enhanced_actions":' + write_list(actions))
    if snapshots := select(PerformanceSnapshot):
        parts.append(b'"performance":' + write_list(snapshots))
    health = _judge(store, test_id, evidence)
    parts.append(b'"capture":' + msgspec.json.encode(health))
    parts.append(b'"stats":' + msgspec.json.encode(_count(logs, events, bodies)))
    return b"{%s}" % b",".join(parts)


def _judge(
    store: Store, test_id: str | None, evidence: list[tuple[type[Record], Kept]]
) -> CaptureHealth:
    """How well could be seen, whatever part of it was asked for."""
    logs = store.oldest(LogEntry) if test_id is None else (kept for _, kept in evidence)
    facts = store.capture_facts(test_id=test_id)
    return judge_capture(msgspec.structs.replace(facts, admitted=read_admissions(logs)))


def write_list(records: Iterable[Kept]) -> bytes:
    """A JSON array of records as clients see them."""
    return b"[%s]" % b",".join([kept.written() for kept in records])


def _count(logs: list[Kept], events: list[Kept], bodies: list[Kept]) -> SnapshotStats:
    return SnapshotStats(
        total_logs=len(logs),
        error_count=sum(kept.label == ERROR for kept in logs),
        warning_count=sum(kept.label in WARNING_LEVELS for kept in logs),
        network_failures=sum(kept.label == "failed" for kept in bodies),
        ws_connections=len({_connection_of(kept) for kept in events}),
    )


def _connection_of(kept: Kept) -> str:
    event = kept.read(WebSocketEvent)
    return event.id or event.url
