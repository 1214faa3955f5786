"""Start with an empty log."""

from msgspec import Struct

from gasoline.records import LogEntry
from gasoline.tools.context import Context
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of


class Params(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class Cleared(Struct, frozen=True):
    """What is gone."""

    summary: str
    cleared: int


@tool(read_only=False)
def clear_browser_logs(context: Context, params: Params) -> Cleared:  # noqa: ARG001  # every tool has Params
    """Forget all captured log entries; network, WebSocket and action records stay."""
    removed = context.store.clear_kind(LogEntry)
    return Cleared(
        f"Browser logs cleared successfully: {count_of(removed, 'entry', 'entries')} removed.",
        removed,
    )
