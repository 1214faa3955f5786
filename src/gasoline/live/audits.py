"""Accessibility audits of late: they take seconds, so an equal question gets the same answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")

FRESH_S = 30.0
KEPT_AUDITS = 10


class _Audit(Struct, Generic[T], frozen=True):
    answer: T
    at_s: float


class Audits(Generic[T]):
    """Answers kept for half a minute, at most ten; those who ask meanwhile share one run."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[Hashable, _Audit[T]] = {}
        self._running: dict[Hashable, asyncio.Future[T]] = {}

    async def get(
        self, key: Hashable, run: Callable[[], Awaitable[T]], *, refresh: bool = False
    ) -> T:
        """The answer for a key: a fresh one that is kept, one on its way, or that of a new run."""
        while True:
            kept = self._kept.get(key)
            if kept and not refresh and self._clock() - kept.at_s < FRESH_S:
                return kept.answer
            running = self._running.get(key)
            if running is None:
                return await self._run(key, run)
            await asyncio.wait([running])
            # Its asker may have given up; then it is our turn.
            if not running.cancelled():
                return running.result()

    async def _run(self, key: Hashable, run: Callable[[], Awaitable[T]]) -> T:
        running: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._running[key] = running
        try:
            answer = await run()
        except asyncio.CancelledError:
            running.cancel()
            raise
        except Exception as error:
            running.set_exception(error)
            # Seen, even if nobody else waits for it.
            running.exception()
            raise
        finally:
            del self._running[key]
        running.set_result(answer)
        self._keep(key, answer)
        return answer

    def _keep(self, key: Hashable, answer: T) -> None:
        self._kept.pop(key, None)
        self._kept[key] = _Audit(answer, self._clock())
        while len(self._kept) > KEPT_AUDITS:
            del self._kept[next(iter(self._kept))]
