"""The streams on which HTTP sessions hear what they did not ask for."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A client that takes nothing for this long is gone, and its stream must not hold up its answers.
WRITE_PATIENCE_S = 10.0


class OpenStreams:
    """Knows which sessions have a stream open, and ends streams that nobody reads."""

    def __init__(
        self,
        *,
        on_open: Callable[[str], None] = lambda _session: None,
        on_end: Callable[[str], None] = lambda _session: None,
        patience_s: float = WRITE_PATIENCE_S,
    ) -> None:
        self._open: set[str] = set()
        self._on_open = on_open
        self._on_end = on_end
        self._patience_s = patience_s

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._open

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app with its streams watched."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            session_id = dict(scope["headers"]).get(b"mcp-session-id", b"").decode("latin-1")
            if scope["method"] == "GET" and session_id:
                await self._watch(session_id, app, scope, receive, send)
                return
            await app(scope, receive, send)
            if scope["method"] == "DELETE":
                self._on_end(session_id)

        return watched

    async def _watch(
        self, session_id: str, app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        is_open = False

        async def send_in_time(message: Message) -> None:
            nonlocal is_open
            if message["type"] == "http.response.start" and message["status"] == 200:  # noqa: PLR2004  # the protocol's OK
                is_open = True
                self._open.add(session_id)
                self._on_open(session_id)
            async with asyncio.timeout(self._patience_s):
                await send(message)

        try:
            await app(scope, receive, send_in_time)
        except* TimeoutError:
            # Returning without an end makes the server close the connection.
            pass
        finally:
            # A second stream is refused, which ends nothing but itself.
            if is_open:
                self._open.discard(session_id)
