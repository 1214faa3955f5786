"""An answer's head and body in one write to the socket.

uvicorn writes them one by one, and each write is a system call that wakes the reader: joining them
gives half as many again single-entry requests a second (benchmarks/ingest.py).
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Above this a write is worth its system call, and holding it back would only cost memory.
LARGE_BYTES = 64 * 1024


class JoinedWrites:
    """A transport that gathers small writes until the loop's next turn."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._gathered: list[bytes] = []

    def write(self, piece: bytes) -> None:
        if not self._gathered:
            self._loop.call_soon(self._let_go)
        self._gathered.append(piece)
        if len(piece) > LARGE_BYTES:
            self._let_go()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._let_go()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's own affair, after what was written before."""
        self._let_go()
        return getattr(self._transport, name)

    def _let_go(self) -> None:
        gathered, self._gathered = self._gathered, []
        if gathered and not self._transport.is_closing():
            self._transport.write(b"".join(gathered))


class JoiningProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol over such a transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows it too
        joined = cast("asyncio.Transport", JoinedWrites(transport, self.loop))
        super().connection_made(joined)
