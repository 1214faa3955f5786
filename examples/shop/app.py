"""The shop as one application: its API, its files, its feed, and the switches of its faults."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from examples.shop.acts import Change, Delay, acts_of
from examples.shop.calls import BAD_REQUEST, CALLS, Asked, RefusedError
from examples.shop.feed import serve_feed
from examples.shop.files import file_routes
from examples.shop.switches import UnknownFaultError
from examples.shop.visits import Shop, Visit

FORBIDDEN = 403
# Loopback, and names that no public server can have: a foreign site cannot pretend to be us.
HOSTS = ["127.0.0.1", "localhost", "*.localhost", "*.test", "*.example"]
HEADERS = {
    "Cache-Control": "no-cache",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
}


class Switching(Struct, frozen=True, forbid_unknown_fields=True):
    """What `POST /__faults` takes."""

    on: list[str] = []
    off: list[str] = []


def build_app(shop: Shop) -> Starlette:
    """Put one shop on the air."""

    async def feed(socket: WebSocket) -> None:
        await serve_feed(shop, socket)

    async def list_faults(_request: Request) -> Response:
        return answer(shop.switches.states())

    async def switch_faults(request: Request) -> Response:
        asked = msgspec.json.decode(await request.body(), type=Switching)
        shop.switch(on=asked.on, off=asked.off)
        return answer(shop.switches.states())

    async def reset(_request: Request) -> Response:
        shop.reset()
        return answer(shop.switches.states())

    return Starlette(
        routes=[
            *(_call_route(shop, call, handler) for call, handler in CALLS.items()),
            *file_routes(shop),
            Route("/__faults", list_faults),
            Route("/__faults", switch_faults, methods=["POST"]),
            Route("/__reset", reset, methods=["POST"]),
            WebSocketRoute("/feed", feed),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False),
            Middleware(OwnPagesOnly),
        ],
        exception_handlers={
            RefusedError: refuse,
            msgspec.DecodeError: refuse,
            UnknownFaultError: refuse,
        },
    )


def answer(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refuse(_request: Request, error: Exception) -> Response:
    """Say what was wrong with a request."""
    if isinstance(error, RefusedError):
        return answer({"error": str(error), "code": error.code}, error.status)
    return answer({"error": str(error), "code": "BAD_REQUEST"}, BAD_REQUEST)


def _call_route(
    shop: Shop, call: str, handler: Callable[[Asked], Any] | Callable[[Asked], Awaitable[Any]]
) -> Route:
    method, path = call.split(" ")

    async def respond(request: Request) -> Response:
        visit = Visit(shop, request)
        faults = visit.faults
        for delay in acts_of(Delay, faults):
            if delay.call == call:
                await asyncio.sleep(delay.seconds)
        if failure := shop.failure(call, faults):
            return visit.remember(answer(failure.answer, failure.status))
        content = handler(await _read(visit, request))
        if inspect.isawaitable(content):
            content = await content
        for change in acts_of(Change, faults):
            if change.call == call:
                content = change.make(msgspec.to_builtins(content))
        return visit.remember(answer(content))

    return Route(path, respond, methods=[method])


async def _read(visit: Visit, request: Request) -> Asked:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return Asked(
        visit.session,
        request.path_params,
        request.query_params,
        await request.body(),
        token if scheme == "Bearer" else None,
    )


class OwnPagesOnly:
    """Refuses what a page of another site asks for, and sends the usual headers with the rest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] == "http" and _is_foreign(Headers(scope=scope)):
            error = {"error": "Only the shop's own pages may ask", "code": "FOREIGN_ORIGIN"}
            await answer(error, FORBIDDEN)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)


def _is_foreign(headers: Headers) -> bool:
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")
