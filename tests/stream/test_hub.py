"""Between what arrives and those who listen."""

import asyncio
import itertools
import string
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from gasoline.ingest import Ingest
from gasoline.stream.event import Notification
from gasoline.stream.hub import MOST_AT_A_LOOK, MOST_LISTENERS, Hub
from gasoline.stream.subscription import Wishes
from tests.builders import ingest, log, send_logs

ON = Wishes(enabled=True)
PATIENCE_S = 5.0


class Ear:
    """A listener, and what it has heard."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Notification] = asyncio.Queue()

    async def hear(self, notification: Notification) -> None:
        await self.heard.put(notification)

    async def next(self) -> Notification:
        return await asyncio.wait_for(self.heard.get(), PATIENCE_S)

    async def next_message(self) -> str:
        return (await self.next()).message


@asynccontextmanager
async def running_hub(into: Ingest) -> AsyncIterator[Hub]:
    """A hub for which every window is over as soon as it has begun."""
    hub = Hub(into.store, clock=itertools.count(0.0, 100.0).__next__)
    running = asyncio.ensure_future(hub.run())
    await asyncio.sleep(0)
    try:
        yield hub
    finally:
        running.cancel()


async def vanish(_notification: Notification) -> None:
    raise anyio.ClosedResourceError


async def ignore(_notification: Notification) -> None:
    pass


def test_a_connection_that_breaks_while_it_is_told_ends_nothing_but_itself() -> None:
    async def run() -> list[str]:
        into, ear = ingest(), Ear()
        async with running_hub(into) as hub:
            hub.listen("broken", ON, vanish)
            hub.listen("whole", ON, ear.hear)
            send_logs(into, log(message="first"))
            heard = [await ear.next_message()]
            send_logs(into, log(message="second"))
            heard.append(await ear.next_message())
            assert hub.wishes_of("broken") == Wishes()
            return heard

    assert asyncio.run(run()) == ["New error: first", "New error: second"]


def test_an_error_is_told_however_much_is_said_after_it() -> None:
    async def run() -> tuple[str, int]:
        into, ear = ingest(), Ear()
        async with running_hub(into) as hub:
            hub.listen("ear", ON, ear.hear)
            send_logs(into, log(message="first"), *[log(level="info")] * (3 * MOST_AT_A_LOOK))
            heard = await ear.next()
            return heard.message, heard.missed

    assert asyncio.run(run()) == ("New error: first", 0)


def test_each_of_many_errors_at_once_is_told_or_counted() -> None:
    words = [first + second for first in string.ascii_lowercase for second in "abcdefgh"]

    async def run() -> Notification:
        into, ear = ingest(), Ear()
        async with running_hub(into) as hub:
            hub.listen("ear", ON, ear.hear)
            send_logs(into, *[log(message=word) for word in words])
            return await ear.next()

    heard = asyncio.run(run())
    assert heard.missed == len(words) - MOST_AT_A_LOOK
    assert len(heard.events) + heard.dropped + heard.missed == len(words)


def test_those_who_cannot_hear_or_do_not_want_to_make_room() -> None:
    async def run() -> list[Wishes]:
        into = ingest()
        async with running_hub(into) as hub:
            for number in range(MOST_LISTENERS - 2):
                hub.listen(number, ON, ignore)
            hub.listen("off", Wishes(throttle_seconds=7), ignore)
            hub.listen("gone", ON, ignore, can_hear=lambda: False)
            hub.listen("new", ON, ignore)
            hub.listen("newer", ON, ignore)
            return [hub.wishes_of(key) for key in ("off", "gone", 0, "new", "newer")]

    assert asyncio.run(run()) == [Wishes(), Wishes(), ON, ON, ON]


def test_a_reset_switches_off_what_was_configured_and_no_open_stream() -> None:
    async def run() -> list[Wishes]:
        async with running_hub(ingest()) as hub:
            hub.listen("configured", ON, ignore, is_setting=True)
            hub.listen("stream", ON, ignore)
            hub.reset()
            return [hub.wishes_of(key) for key in ("configured", "stream")]

    assert asyncio.run(run()) == [Wishes(), ON]
