"""The HTTP door: guard, body limit, one table of routes, JSON errors for everything else."""

import logging
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gasoline.ingest import RefusedBatch
from gasoline.ingest.rate import EVENTS_PER_SECOND
from gasoline.surfaces.http.answers import json_answer, refuse
from gasoline.surfaces.http.guard import UNAUTHORIZED, Guard, cors_headers

logger = logging.getLogger(__name__)

BODY_LIMIT = 5 * 1024 * 1024
RETRY_AFTER_S = 1
NO_CONTENT, NOT_FOUND, NOT_ALLOWED, TOO_LARGE, TOO_MANY = 204, 404, 405, 413, 429

Handler = Callable[[Request, bytes], Response | Awaitable[Response]]
Routes = dict[str, dict[str, Handler]]


class App:
    """Checks every request, then hands it to the one function that answers it."""

    def __init__(
        self,
        routes: Routes,
        *,
        guard: Guard,
        mounted: dict[str, ASGIApp] | None = None,
        sockets: dict[str, ASGIApp] | None = None,
        on_request: Callable[[], None] = lambda: None,
    ) -> None:
        self._routes = routes
        self._guard = guard
        self._mounted = mounted or {}
        self._sockets = sockets or {}
        self._on_request = on_request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._answer_http(scope, receive, send)
        else:
            assert scope["type"] == "websocket"  # noqa: S101  # the server runs without lifespan
            await self._answer_websocket(scope, receive, send)

    async def _answer_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        method, path = scope["method"], scope["path"]
        asked = method
        if method == "OPTIONS":
            asked = headers.get(b"access-control-request-method", b"OPTIONS").decode("latin-1")
        refusal = self._guard.refuse(scope, headers, method=asked)
        # A preflight carries no credentials: the request after it is the one to check.
        if refusal and not (method == "OPTIONS" and refusal.status == UNAUTHORIZED):
            answer = refuse(refusal.reason, refusal.status)
            if refusal.status == UNAUTHORIZED:
                answer.raw_headers.extend(cors_headers(headers))
            await answer(scope, receive, send)
            return
        self._on_request()
        if path in self._mounted and method != "OPTIONS":
            await self._mounted[path](scope, receive, send)
            return
        try:
            response = await self._respond(Request(scope, receive), method, path, headers)
        except ClientDisconnect:
            return
        response.raw_headers.extend(cors_headers(headers))
        await response(scope, receive, send)

    async def _respond(
        self, request: Request, method: str, path: str, headers: dict[bytes, bytes]
    ) -> Response:
        if method == "OPTIONS":
            return Response(status_code=NO_CONTENT)
        handlers = self._routes.get(path)
        if handlers is None:
            return refuse("Not found", NOT_FOUND)
        handler = handlers.get(method)
        if handler is None:
            return refuse("Method not allowed", NOT_ALLOWED, {"Allow": ", ".join(handlers)})
        body = await _read_body(request.receive, headers)
        if body is None:
            return refuse("Request body too large", TOO_LARGE)
        try:
            answer = handler(request, body)
            return answer if isinstance(answer, Response) else await answer
        except RefusedBatch as refused:
            return _explain(refused)

    async def _answer_websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        refusal = self._guard.refuse(scope, headers, method="GET")
        socket = self._sockets.get(scope["path"])
        if refusal:
            await refuse(refusal.reason, refusal.status)(scope, receive, send)
        elif socket is None:
            await refuse("Not found", NOT_FOUND)(scope, receive, send)
        else:
            self._on_request()
            await socket(scope, receive, send)


async def _read_body(receive: Receive, headers: dict[bytes, bytes]) -> bytes | None:
    """The whole body, or None as soon as it is known to be too large."""
    # The parser in front of us lets only digits through.
    if int(headers.get(b"content-length", 0)) > BODY_LIMIT:
        return None
    chunks: list[bytes] = []
    size, more = 0, True
    # Not Request.stream: for a single log entry it takes as long as the ingest.
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > BODY_LIMIT:
            return None
        chunks.append(chunk)
        more = message.get("more_body", False)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _explain(refused: RefusedBatch) -> Response:
    taken = {} if refused.taken is None else {"taken": refused.taken}
    if refused.status != TOO_MANY:
        return json_answer({"error": refused.reason, **taken}, refused.status)
    return json_answer(
        {
            "error": "rate_limited",
            "message": f"Over {EVENTS_PER_SECOND} events in one second: wait, then send again.",
            "retry_after_ms": RETRY_AFTER_S * 1000,
            "threshold": EVENTS_PER_SECOND,
            "circuit_open": False,
            **taken,
        },
        TOO_MANY,
        {"Retry-After": str(RETRY_AFTER_S)},
    )
