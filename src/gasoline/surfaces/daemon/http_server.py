"""uvicorn as we run it: it lets everything around it be put away."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
import uvicorn.server
from starlette.types import ASGIApp

from gasoline.surfaces.http.joined_writes import JoiningProtocol
from gasoline.surfaces.http.live_socket import MESSAGE_LIMIT

LAST_ANSWERS_S = 2
# Answers say what time it is, to the second.
DATE_S = 1


class HttpServer(uvicorn.Server):
    """Ends on a signal like any uvicorn, but lets everything around it be put away."""

    def __init__(self, app: ASGIApp, *, on_end: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            http=JoiningProtocol,
            ws="websockets-sansio",
            ws_max_size=MESSAGE_LIMIT,
            # Loopback is faster than any compression, and a small frame stays small.
            ws_per_message_deflate=False,
            # Nobody stands between us and the browser: who asks is whom the socket names.
            proxy_headers=False,
            server_header=False,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=LAST_ANSWERS_S,
        )
        super().__init__(config)
        self._on_end = on_end
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn's own raises the signal again at the end, which would kill us on the spot.
        earlier = {
            number: signal.signal(number, self.handle_exit)
            for number in uvicorn.server.HANDLED_SIGNALS
        }
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        _expect_cut_streams()
        super().handle_exit(sig, frame)
        self._wake()

    def stop(self) -> None:
        """End soon, as on a signal."""
        _expect_cut_streams()
        self.should_exit = True
        self._wake()

    async def main_loop(self) -> None:
        # uvicorn's own looks ten times a second whether it is to end, which tests would notice.
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DATE_S):
                    await self._ending.wait()

    def _wake(self) -> None:
        if self._loop:
            # A signal may come at any time, also while the loop sleeps.
            self._loop.call_soon_threadsafe(self._ending.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # First, so that nobody who looks for a server finds one that is about to go.
        self._on_end()
        await super().shutdown(sockets)


def _expect_cut_streams() -> None:
    """Streams are cut from now on, some before the server itself acts: nothing to warn of."""
    uvicorn.server.logger.setLevel(logging.CRITICAL)
