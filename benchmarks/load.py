"""The load generator: keep-alive connections that each have one request under way at all times."""

import asyncio
import multiprocessing
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from typing import cast

import uvloop
from msgspec import Struct

WARM_UP_S = 0.5
CONNECTIONS = 8

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Load(Struct, frozen=True):
    """What came of a load after its warm-up."""

    answered: int
    refused: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.answered / self.seconds


def write_post(port: int, route: str, body: bytes, headers: Sequence[str] = ()) -> bytes:
    """The bytes of one request, made beforehand: the generator must never be the slower side."""
    lines = [
        f"POST {route} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def put_load(port: int, requests: Sequence[bytes], *, seconds: float) -> Load:
    """Send the requests over and over from a process of its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as generator:
        return generator.submit(_run, port, requests, seconds).result()


def _run(port: int, requests: Sequence[bytes], seconds: float) -> Load:
    return uvloop.run(_send_all(port, requests, seconds))


async def _send_all(port: int, requests: Sequence[bytes], seconds: float) -> Load:
    loop = asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(lambda: _Connection(requests), "127.0.0.1", port))[1]
        for _ in range(CONNECTIONS)
    ]
    await asyncio.sleep(WARM_UP_S)
    started = loop.time()
    answered = sum(connection.answered for connection in connections)
    refused = sum(connection.refused for connection in connections)
    await asyncio.sleep(seconds)
    load = Load(
        sum(connection.answered for connection in connections) - answered,
        sum(connection.refused for connection in connections) - refused,
        loop.time() - started,
    )
    for connection in connections:
        connection.stop()
    return load


class _Connection(asyncio.Protocol):
    def __init__(self, requests: Sequence[bytes]) -> None:
        self.answered = 0
        self.refused = 0
        self._requests = cycle(requests)
        self._answer = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not isinstance: uvloop's transports only look like asyncio's.
        self._transport = cast("asyncio.WriteTransport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._answer += data
        if not _is_whole(self._answer):
            return
        if self._answer.startswith(b"HTTP/1.1 200"):
            self.answered += 1
        else:
            self.refused += 1
        self._answer = b""
        self._send()

    def stop(self) -> None:
        assert self._transport is not None
        self._transport.abort()

    def _send(self) -> None:
        assert self._transport is not None
        self._transport.write(next(self._requests))


def _is_whole(answer: bytes) -> bool:
    head_bytes = answer.find(b"\r\n\r\n")
    length = _LENGTH.search(answer)
    return (
        head_bytes >= 0
        and length is not None
        and len(answer) >= head_bytes + 4 + int(length.group(1))
    )
