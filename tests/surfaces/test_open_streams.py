"""The streams on which HTTP sessions hear what they did not ask for."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gasoline.surfaces.mcp.open_streams import OpenStreams

GET: Scope = {"type": "http", "method": "GET", "headers": [(b"mcp-session-id", b"one")]}


async def nothing() -> Message:
    raise AssertionError("nobody asks for the body")


async def taken(_message: Message) -> None:
    pass


def answering(status: int, until: asyncio.Event) -> ASGIApp:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await until.wait()

    return app


def test_a_second_stream_that_is_refused_does_not_close_the_first() -> None:
    async def run() -> list[bool]:
        opened, end = asyncio.Event(), asyncio.Event()
        streams = OpenStreams(on_open=lambda _session: opened.set())
        first = asyncio.ensure_future(streams.around(answering(200, end))(GET, nothing, taken))
        await opened.wait()
        refused_at_once = asyncio.Event()
        refused_at_once.set()
        await streams.around(answering(409, refused_at_once))(GET, nothing, taken)
        during = "one" in streams
        end.set()
        await first
        return [during, "one" in streams]

    assert asyncio.run(run()) == [True, False]


def test_a_stream_that_nobody_reads_is_ended() -> None:
    async def run() -> bool:
        streams = OpenStreams(patience_s=0.01)

        async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"x", "more_body": True})

        async def deaf(message: Message) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()

        await streams.around(app)(GET, nothing, deaf)
        return "one" in streams

    assert asyncio.run(run()) is False
