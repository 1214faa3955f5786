"""The live stock: a WebSocket that tells how many of each product are left."""

import asyncio
import contextlib
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from examples.shop.acts import FeedPace, RefusedFeed, acts_of
from examples.shop.seed import SEED
from examples.shop.visits import Shop, Visit

USUAL_PACE = FeedPace(messages=1, every_s=1.5)
POLICY_VIOLATION = 1008


class StockMessage(Struct, frozen=True, tag_field="type", tag="stock"):
    """How many of a product are left."""

    sequence: int
    product: int
    name: str
    stock: int


async def serve_feed(shop: Shop, socket: WebSocket) -> None:
    """Send messages until the visitor leaves, the shop closes or a fault ends it."""
    visit = Visit(shop, socket)
    if any(acts_of(RefusedFeed, visit.faults)):
        await socket.close(POLICY_VIOLATION)
        return
    await socket.accept()
    async with asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(_send_stock(socket, visit))
        async for _subscription in socket.iter_text():
            pass
        sending.cancel()


async def _send_stock(socket: WebSocket, visit: Visit) -> None:
    messages = stock_messages()
    with contextlib.suppress(WebSocketDisconnect):
        while not any(acts_of(RefusedFeed, visit.faults)):
            pace = next(acts_of(FeedPace, visit.faults), USUAL_PACE)
            for _ in range(pace.messages):
                await socket.send_text(msgspec.json.encode(next(messages)).decode())
            await asyncio.sleep(pace.every_s)
        await socket.close(POLICY_VIOLATION, "The feed is closed")


def stock_messages() -> Iterator[StockMessage]:
    """The same messages for every visitor, for ever."""
    sequence = 0
    while True:
        product = SEED.products[sequence * 5 % len(SEED.products)]
        sequence += 1
        yield StockMessage(sequence, product.id, product.name, product.stock - sequence % 4)
