"""What the user did."""

from typing import Annotated

from msgspec import Meta

from gasoline.records import EnhancedAction
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import Limit, Selection, list_records
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, path_of


class Params(Selection, frozen=True, kw_only=True):
    """Which actions."""

    last_n: Annotated[Limit | None, Meta(description="Newest n actions")] = None


class EnhancedActions(Answer, frozen=True, kw_only=True):
    """Actions in the order in which they happened."""

    enhanced_actions: list[Excerpt]


@tool()
def get_enhanced_actions(context: Context, params: Params) -> EnhancedActions:
    """Show the user's clicks, input, keys and navigation, with selectors to find each element."""
    limit = params.last_n or context.store.limits.enhanced_actions.count
    listing = list_records(context, EnhancedAction, params, limit=limit)
    return EnhancedActions(
        summary=_summarise(listing.matched, listing.examined),
        capture=context.health(EnhancedAction, test_id=params.test_id),
        omitted=listing.omitted,
        next=listing.next,
        enhanced_actions=listing.shown[::-1],
    )


def _summarise(newest_first: list[EnhancedAction], examined: int) -> str:
    if not newest_first:
        return f"No enhanced actions captured that match, of {examined}."
    latest = newest_first[0]
    return (
        f"{count_of(len(newest_first), 'user action')}, "
        f"the latest: {latest.type} on {path_of(latest.url)}."
    )
