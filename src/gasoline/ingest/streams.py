"""What arrives where: for each route its kind of record and the name of its list."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
    WebSocketEvent,
)
from gasoline.records.network import FAILURE_STATUS

_ABSENT = Raw()


class Head(Struct, frozen=True):
    """The few fields of an entry that decide where it goes. Everything else stays text."""

    type: Any = None
    level: Any = None
    event: Any = None
    status: Any = None
    test_id: Any = None
    camel_test_id: Any = msgspec.field(default=None, name="testId")
    metadata: Raw = _ABSENT
    message: Raw = _ABSENT
    args: Raw = _ABSENT
    url: Raw = _ABSENT
    id: Raw = _ABSENT
    timing: Raw = _ABSENT
    elements: Raw = _ABSENT
    ts: Raw = _ABSENT
    timestamp: Raw = _ABSENT
    snake_tab_id: Raw | UnsetType = msgspec.field(default=UNSET, name="tab_id")


class Stream(Struct, frozen=True, kw_only=True):
    """One route that takes records."""

    route: str
    kind: type[Record]
    list_name: str
    # Which records an entry must have something of, else it tells nobody anything.
    is_usable: Callable[[Head], bool]
    needs: str
    # What readers filter by without decoding: a level, a state, an event.
    label: Callable[[Head], str]
    rate_limited: bool = True


def _label_log(head: Head) -> str:
    return head.level if isinstance(head.level, str) else ""


def _label_exchange(head: Head) -> str:
    failed = isinstance(head.status, int | float) and head.status >= FAILURE_STATUS
    return "failed" if failed else ""


def _label_event(head: Head) -> str:
    return head.event if isinstance(head.event, str) else ""


def _no_label(_head: Head) -> str:
    return ""


LOGS = Stream(
    route="/logs",
    kind=LogEntry,
    list_name="entries",
    is_usable=lambda head: bool(
        head.level is not None or head.message or head.args or head.type is not None
    ),
    needs="level, message, args or type",
    label=_label_log,
    rate_limited=False,
)
WEBSOCKET_EVENTS = Stream(
    route="/websocket-events",
    kind=WebSocketEvent,
    list_name="events",
    is_usable=lambda head: bool(head.event is not None or head.id),
    needs="event or id",
    label=_label_event,
)
NETWORK_BODIES = Stream(
    route="/network-bodies",
    kind=NetworkBody,
    list_name="bodies",
    is_usable=lambda head: bool(head.url),
    needs="url",
    label=_label_exchange,
)
ENHANCED_ACTIONS = Stream(
    route="/enhanced-actions",
    kind=EnhancedAction,
    list_name="actions",
    is_usable=lambda head: head.type is not None,
    needs="type",
    label=_no_label,
)
PERFORMANCE_SNAPSHOTS = Stream(
    route="/performance-snapshots",
    kind=PerformanceSnapshot,
    list_name="snapshots",
    is_usable=lambda head: bool(head.url or head.timing),
    needs="url or timing",
    label=_no_label,
)
DOM_SNAPSHOTS = Stream(
    route="/dom-snapshots",
    kind=DomSnapshot,
    list_name="snapshots",
    is_usable=lambda head: bool(head.url or head.elements),
    needs="url or elements",
    label=_no_label,
)

STREAMS = (
    LOGS,
    WEBSOCKET_EVENTS,
    NETWORK_BODIES,
    ENHANCED_ACTIONS,
    PERFORMANCE_SNAPSHOTS,
    DOM_SNAPSHOTS,
)

# Where several batches go at once, of any stream: a line for each, its route and right behind it
# its body. A driver has them together; a request for each would take it and the server longer.
BATCHES_ROUTE = "/batches"
# The same for who is no page: of several pages, each line with its page's origin, and with where
# tests start and end.
EVIDENCE_ROUTE = "/evidence"
