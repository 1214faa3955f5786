"""Notifications nobody asked for: who can get them, and by which way."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import mcp_types as types
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ConfigDict

from gasoline.generation.untrusted import strip_within
from gasoline.stream.client import Client
from gasoline.stream.event import Notification
from gasoline.stream.hub import Hub, TooManyListenersError
from gasoline.stream.subscription import (
    UnknownCategoryError,
    Wishes,
    effective_wishes,
    read_categories,
)
from gasoline.surfaces.mcp.open_streams import OpenStreams

LISTEN = "gasoline/events/listen"
EXPERIMENTAL: dict[str, dict[str, Any]] = {"gasoline/events": {}}

_OPEN_A_STREAM = "Events of this session come on its GET stream of /mcp: open that and keep it."
_LISTEN_INSTEAD = f"Send the request {LISTEN}: its response is the stream."


class Event(BaseModel):
    """Our notification, as the SDK writes it."""

    method: Literal["notifications/gasoline/event"] = "notifications/gasoline/event"
    params: dict[str, Any]


class Listening(BaseModel):
    """The first thing on a stream: from here on nothing is missed."""

    method: Literal["notifications/gasoline/listening"] = "notifications/gasoline/listening"
    params: dict[str, Any]


class ListenParams(types.RequestParams):
    """What a listening request may choose."""

    # Spelled as the tool and the query spell them.
    model_config = ConfigDict(extra="allow", alias_generator=None)

    events: list[str] | None = None
    throttle_seconds: float | None = None
    url_filter: str | None = None


def client_of(request: ServerRequestContext[Any, Any], open_streams: OpenStreams) -> Client:
    """The connection that a request came by."""
    if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        # Its connection ends with the answer.
        return Client(key=None, instead=_LISTEN_INSTEAD)

    async def send(notification: Notification) -> None:
        await request.session.send_notification(_event(notification))  # type: ignore[arg-type]  # our own method is none of the protocol's

    headers = getattr(request.request, "headers", None)
    if headers is None:
        return Client(key=id(request.lifespan_context), send=send)
    session_id = headers.get("mcp-session-id", "")
    return Client(
        key=session_id,
        send=send,
        can_hear=lambda: session_id in open_streams,
        instead=_OPEN_A_STREAM,
    )


@asynccontextmanager
async def connection(hub: Hub | None) -> AsyncIterator[object]:
    """A name for one connection, forgotten with it."""
    name = object()
    try:
        yield name
    finally:
        if hub:
            hub.forget(id(name))


def add_listening(server: Server[Any], hub: Hub) -> None:
    """Serve the request whose response is the stream, for clients without a lasting connection."""

    async def listen(request: ServerRequestContext[Any, Any], params: ListenParams) -> BaseModel:
        async def write(message: BaseModel) -> None:
            await request.session.send_notification(
                message,  # type: ignore[arg-type]  # our own methods are none of the protocol's
                related_request_id=request.request_id,
            )

        async def send(notification: Notification) -> None:
            await write(_event(notification))

        key = object()
        try:
            wishes = _read_wishes(params)
            hub.listen(key, wishes, send)
        except UnknownCategoryError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except TooManyListenersError as error:
            reason = "Too many listeners: end one of them, then ask again"
            raise MCPError(types.INVALID_REQUEST, reason) from error
        try:
            await write(Listening(params=msgspec.to_builtins(wishes)))
            await anyio.sleep_forever()
        finally:
            hub.forget(key)
        return types.EmptyResult()

    server.add_request_handler(LISTEN, ListenParams, listen)


def _read_wishes(params: ListenParams) -> Wishes:
    return effective_wishes(
        Wishes(enabled=True),
        events=None if params.events is None else read_categories(params.events),
        throttle_seconds=params.throttle_seconds,
        url_filter=params.url_filter,
    )


def _event(notification: Notification) -> Event:
    return Event(params=strip_within(msgspec.to_builtins(notification)))
