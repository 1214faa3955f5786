"""What the page logged."""

from typing import Annotated, Literal

from msgspec import Meta

from gasoline.analysis.abnormal import said_by
from gasoline.records import LogEntry
from gasoline.records.console import ERROR, WARNING_LEVELS
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import Limit, Selection, list_records
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

_LEVELS = {
    "error": {ERROR},
    "warn": {ERROR, *WARNING_LEVELS},
}


class Params(Selection, frozen=True, kw_only=True):
    """Which log entries."""

    limit: Annotated[Limit, Meta(description="Newest n entries")] = 100
    min_level: Annotated[
        Literal["error", "warn", "all"], Meta(description="Leave out what is less severe")
    ] = "all"
    contains: Annotated[str | None, Meta(description="Only if the message contains this")] = None


class BrowserLogs(Answer, frozen=True, kw_only=True):
    """Entries in the order in which they were logged."""

    logs: list[Excerpt]


@tool()
def get_browser_logs(context: Context, params: Params) -> BrowserLogs:
    """Show what pages logged: every console level, exceptions and network errors."""
    levels = _LEVELS.get(params.min_level)
    listing = list_records(
        context,
        LogEntry,
        params,
        limit=params.limit,
        label=lambda label: levels is None or label in levels,
        matches=lambda entry: params.contains is None or params.contains in said_by(entry),
    )
    return BrowserLogs(
        summary=_summarise(listing.matched, listing.examined),
        capture=context.health(LogEntry, test_id=params.test_id),
        omitted=listing.omitted,
        next=listing.next,
        logs=listing.shown[::-1],
    )


def _summarise(entries: list[LogEntry], examined: int) -> str:
    if not entries:
        return f"No browser logs found among {count_of(examined, 'entry', 'entries')}."
    errors = sum(entry.is_error for entry in entries)
    warnings = sum(entry.is_warning for entry in entries)
    return (
        f"{count_of(len(entries), 'log entry', 'log entries')}: "
        f"{count_of(errors, 'error')}, {count_of(warnings, 'warning')}."
    )
