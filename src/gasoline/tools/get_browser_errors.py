"""What broke in the page."""

from typing import Annotated

from msgspec import Meta

from gasoline.analysis.abnormal import said_by
from gasoline.records import LogEntry
from gasoline.records.console import ERROR
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import Limit, Selection, list_records
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, path_of, short


class Params(Selection, frozen=True, kw_only=True):
    """Which errors."""

    limit: Annotated[Limit, Meta(description="Newest n errors")] = 50


class BrowserErrors(Answer, frozen=True, kw_only=True):
    """Errors in the order in which they happened."""

    errors: list[Excerpt]


@tool()
def get_browser_errors(context: Context, params: Params) -> BrowserErrors:
    """Show console errors, uncaught exceptions and failed requests the browser saw."""
    listing = list_records(
        context, LogEntry, params, limit=params.limit, label=lambda label: label == ERROR
    )
    return BrowserErrors(
        summary=_summarise(listing.matched, listing.examined),
        capture=context.health(LogEntry, test_id=params.test_id),
        omitted=listing.omitted,
        next=listing.next,
        errors=listing.shown[::-1],
    )


def _summarise(newest_first: list[LogEntry], examined: int) -> str:
    if not newest_first:
        return f"No browser errors found among {count_of(examined, 'log entry', 'log entries')}."
    newest = newest_first[0]
    where = f" on {path_of(newest.url)}" if newest.url else ""
    return (
        f"{count_of(len(newest_first), 'browser error')}, "
        f"the latest{where}: {short(said_by(newest))}"
    )
