"""The session as the store has it now, summed up for before-and-after tools."""

from itertools import takewhile

import msgspec

from gasoline.analysis.capture_health import judge_capture
from gasoline.analysis.session_state import SeenConnection, SessionState, sum_up
from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
)
from gasoline.records.console import TELLING_LEVELS
from gasoline.records.health import CaptureHealth
from gasoline.store import Kept, Store
from gasoline.store.connections import DIRECTIONS, Connection
from gasoline.store.sessions import Watch

# What tells of errors, and what tells that a page was used. A feed ticks by itself.
KINDS: tuple[type[Record], ...] = (
    LogEntry,
    NetworkBody,
    EnhancedAction,
    DomSnapshot,
    PerformanceSnapshot,
)
# Of all other log entries so many are enough to know which pages spoke.
MOST_QUIET_ENTRIES = 50


def current_state(
    store: Store,
    *,
    url_filter: str | None,
    after_seq: int = 0,
    shapes: bool = False,
    earlier: bool = False,
) -> SessionState:
    """Everything captured after a sequence number, in brief."""
    records = [record for kind in KINDS for record in _records_after(store, kind, after_seq)]
    now_ms = store.now_ms()
    # The last of an address stands for it: one that was opened again is open.
    connections = [*store.connections.closed, *store.connections.open.values()]
    return sum_up(
        sorted(records, key=lambda record: record.seq),
        [_brief(connection, now_ms) for connection in connections],
        captured_ms=now_ms,
        url_filter=url_filter,
        shapes=shapes,
        earlier=earlier,
    )


def health_since(store: Store, watch: Watch | None) -> CaptureHealth:
    """How well the window of a watch was seen: what of it is gone counts as lost."""
    facts = store.capture_facts()
    if watch is not None:
        facts = msgspec.structs.replace(facts, evicted=gone_since(store, watch))
    return judge_capture(facts)


def gone_since(store: Store, watch: Watch) -> int:
    """How many records of the window of a watch were pushed out or cleared since."""
    return sum(
        store.arrived[kind]
        - watch.arrived.get(kind, 0)
        - len(_kept_after(store, kind, watch.after_seq))
        for kind in KINDS
    )


def _records_after(store: Store, kind: type[Record], after_seq: int) -> list[Record]:
    found = _kept_after(store, kind, after_seq)
    if kind is LogEntry:
        quiet = [kept for kept in found if kept.label not in TELLING_LEVELS]
        found = [kept for kept in found if kept.label in TELLING_LEVELS]
        found += quiet[:MOST_QUIET_ENTRIES]
    return [kept.read(kind) for kept in found]


def _kept_after(store: Store, kind: type[Record], after_seq: int) -> list[Kept]:
    return list(takewhile(lambda kept: kept.seq > after_seq, store.newest(kind)))


def _brief(connection: Connection, now_ms: float) -> SeenConnection:
    rate = sum(connection.traffic[direction].per_second(now_ms) for direction in DIRECTIONS)
    return SeenConnection(url=connection.url, state=connection.state, message_rate=round(rate, 1))
