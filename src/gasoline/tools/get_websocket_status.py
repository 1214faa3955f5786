"""How the page's WebSockets are doing now."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from gasoline.records import WebSocketEvent
from gasoline.records.time import format_time
from gasoline.store.connections import DIRECTIONS, Connection, Connections, Direction
from gasoline.tools.context import Answer, Context
from gasoline.tools.listing import MaxTokens, fit
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

MINUTE_S, HOUR_S = 60, 3600
DECIMAL_BELOW_S = 10


class Rate(Struct, frozen=True, rename="camel"):
    """Messages in one direction."""

    per_second: float
    total: int
    bytes: int


class LastMessage(Struct, frozen=True):
    """The newest message of one direction."""

    at: str
    age: str
    preview: str


class Schema(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What incoming JSON messages look like."""

    detected_keys: list[str]
    message_count: int
    consistent: bool
    variants: list[str] | None = None


class SamplingState(Struct, frozen=True, omit_defaults=True):
    """Whether only a part of the messages is written down."""

    active: bool
    rate: str | None = None
    reason: str | None = None


class OpenConnection(Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    """A connection that has not closed."""

    id: str
    url: str
    state: str
    opened_at: str
    duration: str
    message_rate: dict[str, Rate]
    last_message: dict[str, LastMessage]
    schema: Schema | None = None
    sampling: SamplingState


class ClosedConnection(Struct, frozen=True, rename="camel", kw_only=True):
    """A connection that has ended, and how."""

    id: str
    url: str
    state: str
    opened_at: str
    closed_at: str
    close_code: int | None
    close_reason: str
    total_messages: dict[str, int]


class ConnectionStatus(Struct, frozen=True):
    """Open connections and the last closed ones."""

    connections: list[OpenConnection]
    closed: list[ClosedConnection]


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which connections."""

    url: Annotated[str | None, Meta(description="Only if the URL contains this")] = None
    connection_id: str | None = None
    tab_id: int | None = None
    max_tokens: MaxTokens = 4000


class WebSocketStatus(Answer, frozen=True, kw_only=True):
    """Open connections and the last closed ones."""

    connections: list[OpenConnection]
    closed: list[ClosedConnection]


@tool()
def get_websocket_status(context: Context, params: Params) -> WebSocketStatus:
    """Show each WebSocket's state, message rates, last messages, message keys and close codes."""
    status = describe_connections(
        context.store.connections,
        now_ms=context.store.now_ms(),
        wanted=lambda connection: (
            (params.url is None or params.url in connection.url)
            and (params.connection_id is None or params.connection_id == connection.id)
            and (params.tab_id is None or params.tab_id == connection.tab_id)
        ),
    )
    described: list[OpenConnection | ClosedConnection] = [*status.connections, *status.closed[::-1]]
    shown = fit(described, max_tokens=params.max_tokens)
    omitted = len(described) - len(shown)
    return WebSocketStatus(
        summary=(
            f"{count_of(len(status.connections), 'open WebSocket')}, "
            f"{len(status.closed)} closed of late."
        ),
        capture=context.health(WebSocketEvent),
        omitted=omitted,
        next="Filter by url or connection_id, or raise max_tokens." if omitted else None,
        connections=[one for one in shown if isinstance(one, OpenConnection)],
        closed=[one for one in shown if isinstance(one, ClosedConnection)][::-1],
    )


def describe_connections(
    connections: Connections,
    *,
    now_ms: float,
    wanted: Callable[[Connection], bool] = lambda _connection: True,
) -> ConnectionStatus:
    """The state of every wanted connection, in the words of the protocol."""
    return ConnectionStatus(
        [_describe_open(c, now_ms) for c in connections.open.values() if wanted(c)],
        [_describe_closed(connection) for connection in connections.closed if wanted(connection)],
    )


def format_duration(duration_ms: float) -> str:
    """`0.2s`, `17s`, `5m02s`, `2m`, `1h15m`."""
    seconds = max(0.0, duration_ms / 1000)
    if seconds < DECIMAL_BELOW_S:
        return f"{seconds:.1f}s"
    whole = int(seconds)
    if whole < MINUTE_S:
        return f"{whole}s"
    if whole < HOUR_S:
        minutes, rest = divmod(whole, MINUTE_S)
        return f"{minutes}m{rest:02d}s" if rest else f"{minutes}m"
    hours, rest = divmod(whole, HOUR_S)
    return f"{hours}h{rest // MINUTE_S}m" if rest >= MINUTE_S else f"{hours}h"


def _describe_open(connection: Connection, now_ms: float) -> OpenConnection:
    return OpenConnection(
        id=connection.id,
        url=connection.url,
        state=connection.state,
        opened_at=format_time(connection.opened_ms),
        duration=format_duration(now_ms - connection.opened_ms),
        message_rate={
            direction: _describe_rate(connection, direction, now_ms) for direction in DIRECTIONS
        },
        last_message={
            direction: LastMessage(
                format_time(traffic.last_at_ms),
                format_duration(now_ms - traffic.last_at_ms),
                traffic.last_preview,
            )
            for direction, traffic in connection.traffic.items()
            if traffic.last_at_ms is not None
        },
        schema=_describe_schema(connection),
        sampling=SamplingState(
            bool(connection.sampling_rate),
            connection.sampling_rate or None,
            connection.sampling_reason or None,
        ),
    )


def _describe_rate(connection: Connection, direction: Direction, now_ms: float) -> Rate:
    traffic = connection.traffic[direction]
    return Rate(round(traffic.per_second(now_ms), 1), traffic.total, traffic.size_bytes)


def _describe_schema(connection: Connection) -> Schema | None:
    schema = connection.schema
    if not schema.messages:
        return None
    consistent = len(schema.variants) == 1
    variants = None if consistent else [", ".join(variant) for variant in schema.variants]
    return Schema(schema.keys, schema.messages, consistent, variants)


def _describe_closed(connection: Connection) -> ClosedConnection:
    return ClosedConnection(
        id=connection.id,
        url=connection.url,
        state=connection.state,
        opened_at=format_time(connection.opened_ms),
        closed_at=format_time(connection.closed_ms or connection.opened_ms),
        close_code=connection.close_code,
        close_reason=connection.close_reason,
        total_messages={
            direction: traffic.total for direction, traffic in connection.traffic.items()
        },
    )
