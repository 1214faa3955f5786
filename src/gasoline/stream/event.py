"""Something worth interrupting somebody for."""

from typing import Any, Literal, get_args

from msgspec import Struct

Category = Literal["errors", "network_errors", "performance", "user_frustration", "security"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

MESSAGE_CHARS = 300


class StreamEvent(Struct, frozen=True, kw_only=True):
    """One significant event; `context` holds summaries, never payloads."""

    category: Category
    severity: str
    message: str
    timestamp: str
    context: dict[str, Any]

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


class Notification(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is sent: one event, or the worst of several with all of them beside it."""

    category: Category
    severity: str
    message: str
    timestamp: str
    context: dict[str, Any]
    events: list[StreamEvent] = []
    # Held back because they repeat one of the last 30 seconds.
    repeated: int = 0
    # Lost because nobody took them in time.
    dropped: int = 0
    # Pushed out of the buffers before anybody looked.
    missed: int = 0
    # Errors and failures that are known noise.
    set_aside: int = 0


def join(
    events: list[StreamEvent],
    *,
    repeated: int = 0,
    dropped: int = 0,
    missed: int = 0,
    set_aside: int = 0,
) -> Notification:
    """One notification for events that came close together."""
    worst = next((event for event in events if event.is_error), events[0])
    return Notification(
        category=worst.category,
        severity=worst.severity,
        message=worst.message,
        timestamp=worst.timestamp,
        context=worst.context,
        events=events if len(events) > 1 else [],
        repeated=repeated,
        dropped=dropped,
        missed=missed,
        set_aside=set_aside,
    )
