"""Between what arrives and those who listen: nothing runs while nobody does."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import takewhile

from gasoline.records import EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, Record
from gasoline.records.console import TELLING_LEVELS
from gasoline.store import Kept, Store
from gasoline.stream.attention import Attention
from gasoline.stream.event import Notification, StreamEvent
from gasoline.stream.subscription import Subscription, Wishes

logger = logging.getLogger(__name__)

# One look for what a burst of batches brought: short beside the batch window, long beside a batch.
LOOK_EVERY_S = 0.02
# Looking takes at most one part in so many of the time, however much arrives.
LOOK_SHARE = 20
# Of each kind: five thousand a second. Beyond that nobody could be told anyway.
MOST_AT_A_LOOK = 100
SEND_PATIENCE_S = 5.0
MOST_LISTENERS = 64

KINDS: tuple[type[Record], ...] = (LogEntry, NetworkBody, EnhancedAction, PerformanceSnapshot)

Send = Callable[[Notification], Awaitable[None]]


class TooManyListenersError(Exception):
    """Every place is taken."""


class Listener:
    """Somebody who is told, and how."""

    def __init__(self, send: Send, can_hear: Callable[[], bool], *, is_setting: bool) -> None:
        self.send = send
        self.can_hear = can_hear
        self.is_setting = is_setting
        self.subscription = Subscription(Wishes())
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Hub:
    """The listeners, and the one look at new records that serves them all."""

    def __init__(self, store: Store, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now_s = clock
        self._listeners: dict[object, Listener] = {}
        self._arrived = asyncio.Event()
        self._attention = Attention()
        self._seen_seq = 0
        self._seen_count: Counter[type[Record]] = Counter()
        self._tasks: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Look and tell, until cancelled."""
        async with asyncio.TaskGroup() as self._tasks:
            while True:
                await self._wait_for_news()
                began_s = time.thread_time()
                self._look()
                took_s = time.thread_time() - began_s
                await asyncio.sleep(max(LOOK_EVERY_S, LOOK_SHARE * took_s))

    def wishes_of(self, key: object) -> Wishes:
        """What a listener has asked for so far."""
        listener = self._listeners.get(key)
        return listener.subscription.wishes if listener else Wishes()

    def listen(
        self,
        key: object,
        wishes: Wishes,
        send: Send,
        *,
        can_hear: Callable[[], bool] = lambda: True,
        is_setting: bool = False,
    ) -> None:
        """Tell somebody from now on, or change what they are told.

        A setting lasts until it is reset; any other listener listens by being connected.
        """
        assert self._tasks, "the hub runs with the server"  # noqa: S101  # a mistake of ours
        listener = self._listeners.get(key)
        if listener is None:
            self._make_room()
            listener = Listener(send, can_hear, is_setting=is_setting)
            self._begin_looking()
            self._listeners[key] = listener
            listener.task = self._tasks.create_task(self._tell(key, listener))
        listener.subscription.wishes = wishes
        listener.send, listener.can_hear = send, can_hear

    def forget(self, key: object) -> None:
        """Tell somebody no longer."""
        listener = self._listeners.pop(key, None)
        if listener and listener.task:
            listener.task.cancel()
        if not self._listeners:
            self._store.on_arrival = None

    def reset(self) -> None:
        """Nobody is told any more who asked for it by a setting."""
        for key in [key for key, listener in self._listeners.items() if listener.is_setting]:
            self.forget(key)

    def wake(self, key: object) -> None:
        """Somebody who could not hear may hear again."""
        if listener := self._listeners.get(key):
            listener.changed.set()

    def _make_room(self) -> None:
        """Clients vanish without a word: whoever is told nothing anyway gives up its place."""
        if len(self._listeners) < MOST_LISTENERS:
            return
        for key, listener in self._listeners.items():
            if not (listener.subscription.wishes.enabled and listener.can_hear()):
                self.forget(key)
                return
        raise TooManyListenersError

    def _begin_looking(self) -> None:
        if self._listeners:
            return
        self._attention = Attention()
        self._attention.remember(
            kept.read(kind)
            for kind in KINDS
            for kept in self._store.oldest(kind)
            if _may_matter(kind, kept)
        )
        self._seen_seq = self._store.last_seq
        self._seen_count = self._store.arrived.copy()
        self._store.on_arrival = self._arrived.set

    async def _wait_for_news(self) -> None:
        deadline = self._attention.next_deadline_ms
        timeout = None if deadline is None else max(0.0, deadline / 1000 - self._now_s())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._arrived.wait()
        self._arrived.clear()

    def _look(self) -> None:
        if not self._listeners:
            return
        records, missed = self._read_news()
        self._seen_seq = self._store.last_seq
        self._seen_count = self._store.arrived.copy()
        now_ms = self._now_s() * 1000
        events = [event for record in records for event in self._notice(record, now_ms)]
        self._offer([*events, *self._attention.overdue(now_ms)], missed)

    def _read_news(self) -> tuple[list[Record], int]:
        """New records that may matter, in order, and how many were or may have been missed."""
        records: list[Record] = []
        missed = 0
        for kind in KINDS:
            new = list(takewhile(lambda kept: kept.seq > self._seen_seq, self._store.newest(kind)))
            telling = [kept for kept in new if _may_matter(kind, kept)]
            missed += self._store.arrived[kind] - self._seen_count[kind] - len(new)
            missed += max(0, len(telling) - MOST_AT_A_LOOK)
            records += [kept.read(kind) for kept in telling[:MOST_AT_A_LOOK]]
        return sorted(records, key=lambda record: record.seq), missed

    def _notice(self, record: Record, now_ms: float) -> Iterator[StreamEvent]:
        usual = (
            self._store.baselines.usual_before(record.url)
            if isinstance(record, PerformanceSnapshot)
            else None
        )
        usual_ms = usual.snapshot.timing.load if usual else None
        return self._attention.notice(record, now_ms=now_ms, usual_load_ms=usual_ms)

    def _offer(self, events: list[StreamEvent], missed: int) -> None:
        now_s = self._now_s()
        set_aside = self._attention.take_set_aside()
        for listener in self._listeners.values():
            listener.subscription.note_unsaid(missed=missed, set_aside=set_aside)
            due_s = listener.subscription.due_s
            for event in events:
                listener.subscription.offer(event, now_s)
            if listener.subscription.due_s != due_s:
                listener.changed.set()

    async def _tell(self, key: object, listener: Listener) -> None:
        while True:
            await self._wait_until_due(listener)
            notification = listener.subscription.take(self._now_s())
            if notification is None:
                continue
            try:
                async with asyncio.timeout(SEND_PATIENCE_S):
                    await listener.send(notification)
            except TimeoutError:
                # Whoever does not read must not make anybody wait.
                listener.subscription.give_back(notification)
                logger.info("A listener took nothing for %.0f s", SEND_PATIENCE_S)
            except Exception as error:  # noqa: BLE001  # each door breaks in its own way, and must end nobody else
                logger.info("A listener is gone: %r", error)
                self.forget(key)

    async def _wait_until_due(self, listener: Listener) -> None:
        due_s = listener.subscription.due_s if listener.can_hear() else None
        timeout = None if due_s is None else max(0.0, due_s - self._now_s())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await listener.changed.wait()
        listener.changed.clear()


def _may_matter(kind: type[Record], kept: Kept) -> bool:
    """Most log entries need not even be read."""
    return kind is not LogEntry or kept.label in TELLING_LEVELS
