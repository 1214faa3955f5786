"""What a page said: console calls, exceptions, failed requests and notes, as log entries."""

from typing import Any

from msgspec import field

from gasoline.records.ai_context import AiContext
from gasoline.records.base import Record

ERROR = "error"
WARNING_LEVELS = frozenset({"warn", "warning"})
TELLING_LEVELS = frozenset({ERROR, *WARNING_LEVELS})
# The type of an entry in which a driver admits how badly it sees; `capture` has the state.
CAPTURE_NOTE = "gasoline-capture"


class LogEntry(Record, frozen=True):
    """One line of a page's log; `type` (extension) or `source` (scripts) says who wrote it."""

    level: str = ""
    type: str = ""
    source: str = ""
    message: str = ""
    args: list[Any] = []
    stack: str = ""
    filename: str = ""
    lineno: int | None = None
    colno: int | None = None
    method: str = ""
    status: int | None = None
    status_text: str = ""
    duration: float | None = None
    error: Any = None
    response: Any = None
    metadata: dict[str, Any] = {}
    capture: str = ""
    error_id: str | None = field(default=None, name="_errorId")
    repeats: int | None = field(default=None, name="_aggregatedCount")
    page_url: str = ""
    enrichments: list[str] = field(default=[], name="_enrichments")
    context: dict[str, Any] = field(default={}, name="_context")
    ai_context: AiContext = field(default=AiContext(), name="_aiContext")
    recent_actions: list[dict[str, Any]] = field(default=[], name="_actions")

    @property
    def is_error(self) -> bool:
        return self.level == ERROR

    @property
    def is_warning(self) -> bool:
        return self.level in WARNING_LEVELS

    @property
    def origin(self) -> str:
        """Who wrote it: console, exception, unhandledrejection, network or a client's own name."""
        # The extension puts `file:line` into `source`, scripts the kind: `type` wins over both.
        return self.type or self.source or "console"
