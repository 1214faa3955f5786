"""Being told, instead of asking."""

from typing import Annotated

from msgspec import Meta, Struct

from gasoline.analysis.capture_health import judge_capture
from gasoline.stream.event import Category
from gasoline.stream.hub import TooManyListenersError
from gasoline.stream.subscription import Wishes, effective_wishes
from gasoline.tools.context import Answer, Context
from gasoline.tools.registry import ToolError, tool

SSE = "GET /events/stream serves the same events to anything that reads server-sent events."


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change; what is left out stays as it is."""

    enabled: bool | None = None
    events: Annotated[list[Category] | None, Meta(description="Default: all")] = None
    throttle_seconds: Annotated[
        float | None, Meta(description="Shortest time between notifications, 1 to 60; default 5")
    ] = None
    url_filter: Annotated[str | None, Meta(description="Only if the URL contains this")] = None


class Streaming(Answer, frozen=True, kw_only=True):
    """What is in effect for this client."""

    enabled: bool
    events: tuple[Category, ...]
    throttle_seconds: float
    url_filter: str | None = None
    delivery: str | None = None


@tool(read_only=False)
def configure_streaming(context: Context, params: Params) -> Streaming:
    """Have significant browser events pushed as notifications, without asking; off by default."""
    client, hub = context.client, context.hub
    before = hub.wishes_of(client.key) if hub and client else Wishes()
    wishes = effective_wishes(
        before,
        enabled=params.enabled,
        events=params.events,
        throttle_seconds=params.throttle_seconds,
        url_filter=params.url_filter,
    )
    if client and hub and client.send:
        try:
            hub.listen(client.key, wishes, client.send, can_hear=client.can_hear, is_setting=True)
        except TooManyListenersError as error:
            raise ToolError(
                f"Too many clients listen already. End one of them, or use another way: {SSE}"
            ) from error
    elif wishes.enabled:
        instead = client.instead if client else "Connect with an MCP session."
        raise ToolError(f"Nothing can be pushed to this connection. {instead} {SSE}")
    return Streaming(
        summary=_say(wishes),
        capture=judge_capture(context.store.capture_facts()),
        enabled=wishes.enabled,
        events=wishes.events,
        throttle_seconds=wishes.throttle_seconds,
        url_filter=wishes.url_filter,
        delivery=_delivery(context, wishes),
    )


def _say(wishes: Wishes) -> str:
    if not wishes.enabled:
        return "Streaming is off: nothing is pushed."
    return (
        f"Streaming is on: {', '.join(wishes.events)}, at most one notification every "
        f"{wishes.throttle_seconds:g} s, as notifications/gasoline/event."
    )


def _delivery(context: Context, wishes: Wishes) -> str | None:
    if not wishes.enabled or not context.client or context.client.can_hear():
        return None
    return f"Held back until this client opens its stream. {context.client.instead}"
