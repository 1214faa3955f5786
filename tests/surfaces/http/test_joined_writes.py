"""Small writes leave together, in order, and never stay behind."""

import asyncio
from typing import cast

import pytest

from gasoline.surfaces.http.joined_writes import LARGE_BYTES, JoinedWrites


class Wire:
    """The transport below: remembers what reached it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False
        self.reading = True

    def write(self, piece: bytes) -> None:
        self.written.append(piece)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        self.reading = False


@pytest.fixture
def wire() -> Wire:
    return Wire()


def joined(wire: Wire) -> JoinedWrites:
    return JoinedWrites(cast("asyncio.Transport", wire), asyncio.get_running_loop())


def test_head_and_body_leave_in_one_write(wire: Wire) -> None:
    async def answer() -> None:
        transport = joined(wire)
        transport.write(b"head ")
        transport.write(b"body")
        assert wire.written == []
        await asyncio.sleep(0)

    asyncio.run(answer())

    assert wire.written == [b"head body"]


def test_what_is_large_leaves_at_once_behind_what_came_before(wire: Wire) -> None:
    body = b"x" * (LARGE_BYTES + 1)

    async def answer() -> None:
        transport = joined(wire)
        transport.write(b"head ")
        transport.write(body)
        assert wire.written == [b"head " + body]
        await asyncio.sleep(0)

    asyncio.run(answer())

    assert wire.written == [b"head " + body]


def test_closing_sends_what_was_written(wire: Wire) -> None:
    async def answer() -> None:
        transport = joined(wire)
        transport.write(b"bye")
        transport.close()

    asyncio.run(answer())

    assert (wire.written, wire.closed) == ([b"bye"], True)


def test_a_connection_that_is_gone_gets_nothing(wire: Wire) -> None:
    async def answer() -> None:
        transport = joined(wire)
        transport.write(b"too late")
        wire.close()
        assert transport.is_closing()
        await asyncio.sleep(0)

    asyncio.run(answer())

    assert wire.written == []


def test_everything_else_reaches_the_transport_after_the_writes_before_it(wire: Wire) -> None:
    async def answer() -> None:
        transport = joined(wire)
        transport.write(b"first")
        transport.pause_reading()
        assert (wire.written, wire.reading) == ([b"first"], False)

    asyncio.run(answer())
