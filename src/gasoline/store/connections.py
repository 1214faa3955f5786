"""WebSocket connections as they are now: states, rates, last messages, what messages look like."""

from collections import OrderedDict, deque
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gasoline.records import WebSocketEvent
from gasoline.store.limits import Limits

RATE_WINDOW_S = 5
PREVIEW_CHARS = 200
SCHEMA_KEYS = 20
SCHEMA_VARIANTS = 5

Direction = Literal["incoming", "outgoing"]
DIRECTIONS: tuple[Direction, Direction] = ("incoming", "outgoing")


class Traffic:
    """Messages in one direction of one connection."""

    def __init__(self) -> None:
        self.total = 0
        self.size_bytes = 0
        self.last_at_ms: float | None = None
        self.last_preview = ""
        # (second, messages in it): enough for a rate without remembering every message.
        self._per_second: deque[tuple[int, int]] = deque(maxlen=RATE_WINDOW_S + 1)

    def note(self, event: WebSocketEvent) -> None:
        # A busy connection is sampled in the page: what was skipped still happened.
        messages = 1 + (max(0, event.sampled.skipped) if event.sampled else 0)
        self.total += messages
        self.size_bytes += max(0, event.size)
        self.last_at_ms = event.at_ms
        self.last_preview = (event.data or "")[:PREVIEW_CHARS]
        second = int(event.at_ms // 1000)
        if self._per_second and self._per_second[-1][0] == second:
            self._per_second[-1] = (second, self._per_second[-1][1] + messages)
        else:
            self._per_second.append((second, messages))

    def per_second(self, now_ms: float) -> float:
        since = now_ms / 1000 - RATE_WINDOW_S
        return sum(count for second, count in self._per_second if second >= since) / RATE_WINDOW_S


class MessageSchema:
    """Which keys JSON messages have, and whether they all have the same."""

    def __init__(self) -> None:
        self.messages = 0
        self.variants: dict[tuple[str, ...], int] = {}

    def note(self, data: str | None) -> None:
        keys = _top_level_keys(data)
        if keys is None:
            return
        self.messages += 1
        if keys in self.variants or len(self.variants) < SCHEMA_VARIANTS:
            self.variants[keys] = self.variants.get(keys, 0) + 1

    @property
    def keys(self) -> list[str]:
        return sorted({key for variant in self.variants for key in variant})[:SCHEMA_KEYS]


class Connection(Struct, kw_only=True):
    """One WebSocket from its first event to its close."""

    id: str
    url: str
    state: str
    opened_ms: float
    tab_id: int | None = None
    test_id: str | None = None
    closed_ms: float | None = None
    close_code: int | None = None
    close_reason: str = ""
    sampling_rate: str = ""
    sampling_reason: str = ""
    traffic: dict[Direction, Traffic]
    schema: MessageSchema


class Connections:
    """The open connections and the last few closed ones."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.open: OrderedDict[str, Connection] = OrderedDict()
        self.closed: deque[Connection] = deque(maxlen=limits.closed_connections)

    def note(self, event: WebSocketEvent) -> None:
        """Follow one event. Messages of connections never seen to open are not tracked."""
        if event.event in {"connecting", "open"}:
            self._open(event)
        elif connection := self.open.get(event.id):
            if event.event == "message":
                _note_message(connection, event)
            elif event.event == "error":
                connection.state = "error"
            elif event.event == "close":
                self._close(connection, event)

    def clear(self, test_id: str | None = None) -> None:
        if test_id is None:
            self.open.clear()
            self.closed.clear()
            return
        self.open = OrderedDict(
            (key, connection)
            for key, connection in self.open.items()
            if connection.test_id != test_id
        )
        kept = [connection for connection in self.closed if connection.test_id != test_id]
        self.closed.clear()
        self.closed.extend(kept)

    def _open(self, event: WebSocketEvent) -> None:
        known = self.open.get(event.id)
        if known is not None:
            known.state = event.event
            known.opened_ms = event.at_ms
            return
        self.open[event.id] = Connection(
            id=event.id,
            url=event.url,
            state=event.event,
            opened_ms=event.at_ms,
            tab_id=event.tab_id,
            test_id=event.test_id,
            traffic={direction: Traffic() for direction in DIRECTIONS},
            schema=MessageSchema(),
        )
        while len(self.open) > self._limits.open_connections:
            self.open.popitem(last=False)

    def _close(self, connection: Connection, event: WebSocketEvent) -> None:
        del self.open[connection.id]
        connection.state = "closed"
        connection.closed_ms = event.at_ms
        connection.close_code = event.code
        connection.close_reason = event.reason
        self.closed.append(connection)


def _note_message(connection: Connection, event: WebSocketEvent) -> None:
    direction: Direction = "outgoing" if event.direction == "outgoing" else "incoming"
    connection.traffic[direction].note(event)
    if direction == "incoming" and not event.truncated:
        connection.schema.note(event.data)
    connection.sampling_rate = event.sampled.logged if event.sampled else ""
    connection.sampling_reason = f"{event.sampled.rate} messages" if event.sampled else ""


def _top_level_keys(data: str | None) -> tuple[str, ...] | None:
    if not data or not data.startswith("{"):
        return None
    try:
        message: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return None
    return tuple(sorted(message)[:SCHEMA_KEYS])
