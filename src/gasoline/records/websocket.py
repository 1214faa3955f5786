"""The life of a WebSocket: connecting, open, messages, errors, close."""

from msgspec import Struct

from gasoline.records.base import Record


class Sampling(Struct, frozen=True):
    """How much of a busy connection was written down, as the capture reported it."""

    rate: str = ""
    logged: str = ""
    window: str = ""
    skipped: int = 0


class WebSocketEvent(Record, frozen=True):
    """One event of one connection."""

    type: str = ""
    event: str = ""
    id: str = ""
    direction: str = ""
    data: str | None = None
    size: int = 0
    code: int | None = None
    reason: str = ""
    truncated: bool = False
    binary_format: str = ""
    sampled: Sampling | None = None
