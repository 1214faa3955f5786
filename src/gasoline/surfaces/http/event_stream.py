"""`GET /events/stream`: significant events as server-sent events. Connecting is asking for them."""

import asyncio
from collections.abc import Mapping
from itertools import count

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from gasoline.generation.untrusted import strip_within
from gasoline.stream.event import Notification
from gasoline.stream.hub import Hub, TooManyListenersError
from gasoline.stream.subscription import (
    UnknownCategoryError,
    Wishes,
    effective_wishes,
    read_categories,
)
from gasoline.surfaces.http.answers import refuse

HEARTBEAT_S = 15.0
WRITE_PATIENCE_S = 10.0
NOT_ALLOWED, TOO_MANY, OK = 405, 429, 200
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


class WrongQueryError(ValueError):
    """An option that means nothing; the message says what would."""


def event_stream(hub: Hub) -> ASGIApp:
    """The app that streams to one listener per request."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method != "GET":
            answer = refuse("Method not allowed", NOT_ALLOWED, {"Allow": "GET"})
            await answer(scope, receive, send)
            return
        try:
            wishes = read_wishes(request.query_params)
            stream = _Stream(send)
            hub.listen(stream, wishes, stream.tell)
        except WrongQueryError as error:
            await refuse(str(error))(scope, receive, send)
            return
        except TooManyListenersError:
            reason = "Too many listeners: end one of them, then connect again"
            await refuse(reason, TOO_MANY)(scope, receive, send)
            return
        try:
            await stream.run(receive)
        finally:
            hub.forget(stream)

    return app


def read_wishes(query: Mapping[str, str]) -> Wishes:
    """The options of a request, or WrongQueryError."""
    try:
        events = read_categories(word for word in query.get("events", "").split(",") if word)
    except UnknownCategoryError as error:
        raise WrongQueryError(str(error)) from error
    try:
        throttle = float(query["throttle_seconds"]) if "throttle_seconds" in query else None
    except ValueError as error:
        raise WrongQueryError("throttle_seconds: a number of seconds is needed, 1 to 60") from error
    return effective_wishes(
        Wishes(enabled=True),
        events=events,
        throttle_seconds=throttle,
        url_filter=query.get("url_filter"),
    )


class _Stream:
    """One response: events as they come, a comment now and then, until the client leaves."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._numbers = count(1)
        self._writing = asyncio.Lock()

    async def run(self, receive: Receive) -> None:
        await self._send({"type": "http.response.start", "status": OK, "headers": HEADERS})
        await self._write(b": connected\n\n")
        try:
            async with asyncio.TaskGroup() as tasks:
                beating = tasks.create_task(self._beat())
                while (await receive())["type"] != "http.disconnect":
                    pass
                beating.cancel()
        except* TimeoutError:
            # Nobody reads. Returning without an end makes the server close the connection.
            pass

    async def tell(self, notification: Notification) -> None:
        data = msgspec.json.encode(strip_within(msgspec.to_builtins(notification)))
        await self._write(b"event: gasoline\nid: %d\ndata: %s\n\n" % (next(self._numbers), data))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            async with asyncio.timeout(WRITE_PATIENCE_S):
                await self._write(b": still here\n\n")

    async def _write(self, chunk: bytes) -> None:
        async with self._writing:
            await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
