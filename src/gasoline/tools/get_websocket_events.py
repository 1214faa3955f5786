"""What went over the page's WebSockets."""

from typing import Annotated, Literal

from msgspec import Meta

from gasoline.records import WebSocketEvent
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import Limit, Selection, list_records
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of


class Params(Selection, frozen=True, kw_only=True):
    """Which events."""

    connection_id: str | None = None
    direction: Literal["incoming", "outgoing"] | None = None
    limit: Annotated[Limit, Meta(description="Newest n events")] = 50


class WebSocketEvents(Answer, frozen=True, kw_only=True):
    """Events, newest first."""

    websocket_events: list[Excerpt]


@tool()
def get_websocket_events(context: Context, params: Params) -> WebSocketEvents:
    """Show WebSocket messages and the opening, errors and closing around them, newest first."""
    listing = list_records(
        context,
        WebSocketEvent,
        params,
        limit=params.limit,
        matches=lambda event: (
            (params.connection_id is None or event.id == params.connection_id)
            and (params.direction is None or event.direction == params.direction)
        ),
    )
    return WebSocketEvents(
        summary=_summarise(listing.matched, listing.examined),
        capture=context.health(WebSocketEvent, test_id=params.test_id),
        omitted=listing.omitted,
        next=listing.next,
        websocket_events=listing.shown,
    )


def _summarise(events: list[WebSocketEvent], examined: int) -> str:
    if not events:
        return f"No WebSocket events captured that match, of {examined}."
    connections = len({event.id for event in events})
    errors = sum(event.event == "error" for event in events)
    return (
        f"{count_of(len(events), 'WebSocket event')} on {count_of(connections, 'connection')}, "
        f"{count_of(errors, 'error')}."
    )
