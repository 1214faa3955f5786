"""How well the browser could be seen: what an answer is worth."""

from msgspec import Struct

from gasoline.records.console import LogEntry


class CaptureFacts(Struct, frozen=True, kw_only=True):
    """What the server knows about losses on the way from the page to one answer."""

    anything_received: bool
    senders: int = 0
    missing_batches: int = 0
    dropped_by_senders: int = 0
    evicted: int = 0
    rejected: int = 0
    # What drivers said themselves of browsers that they could not see into.
    admitted: tuple[LogEntry, ...] = ()


class CaptureHealth(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`complete`, `partial` (why, how many) or `blind` (why, what to do)."""

    state: str
    why: str | None = None
    next: str | None = None
    unverified: bool = False
