"""Everything the server remembers, behind one door."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, TypeVar

import msgspec

from gasoline.records import LogEntry, PerformanceSnapshot, Record, TestRun, WebSocketEvent
from gasoline.records.console import ERROR
from gasoline.records.health import CaptureFacts
from gasoline.records.screenshot import Pixels
from gasoline.store.archive import Archive, ArchivedTest, read_admissions
from gasoline.store.baselines import Baselines
from gasoline.store.buffers import RING_NAMES, Buffers
from gasoline.store.connections import Connections
from gasoline.store.learned import Learned
from gasoline.store.limits import Limits
from gasoline.store.ring import Arrival, Kept, Ledger, Ring
from gasoline.store.runs import ActiveTests
from gasoline.store.senders import Senders
from gasoline.store.sessions import Snapshots, Verifications

R = TypeVar("R", bound=Record)

_where_to = attrgetter("kind", "test_id")


class Store:
    """All that is remembered. Nothing awaits between reading and writing it."""

    def __init__(self, limits: Limits | None = None, *, clock: Callable[[], float]) -> None:
        self.limits = limits or Limits()
        self.now_ms = clock
        self._ledger = Ledger()
        self._general = Buffers(self.limits, self._ledger)
        self.active_tests = ActiveTests(self.limits, self._ledger)
        self.archive = Archive(self.limits, self._ledger)
        self.connections = Connections(self.limits)
        self.baselines = Baselines(self.limits.baselines)
        # What analysis makes of them, which the store itself cannot read.
        self.contracts = Learned[Any, Any](self.limits.contracts)
        self.senders = Senders(self.limits)
        # What a session is summed up to is for analysis to say: here it is only kept.
        self.verifications: Verifications[Any] = Verifications(clock)
        self.snapshots: Snapshots[Any] = Snapshots(clock)
        self.arrived: Counter[type[Record]] = Counter()
        # Called after records were taken in, while somebody wants to know.
        self.on_arrival: Callable[[], None] | None = None
        self.rejected = 0
        self.heard_from_browser = False
        # What the browser that acted last calls itself, for reports.
        self.user_agent = ""
        self._last_seq = 0

    @property
    def last_seq(self) -> int:
        return self._last_seq

    @property
    def size_bytes(self) -> int:
        return self._ledger.size_bytes

    # Writing

    def keep(
        self,
        kind: type[Record],
        wire: bytes,
        *,
        arrived_ms: float,
        label: str = "",
        test_id: str | None = None,
        says_its_test: bool = False,
        image: Pixels | None = None,
    ) -> Kept:
        """Take in one record, into the rings of its test if that runs."""
        arrival = Arrival(kind, wire, label, test_id, says_its_test, image)
        return self._keep_alike(kind, test_id, [arrival], arrived_ms)[0]

    def keep_all(self, arrivals: Iterable[Arrival], *, arrived_ms: float) -> None:
        """Take in the records of a batch: what they share is looked up once."""
        for (kind, test_id), alike in groupby(arrivals, key=_where_to):
            self._keep_alike(kind, test_id, alike, arrived_ms)

    def _keep_alike(
        self,
        kind: type[Record],
        test_id: str | None,
        arrivals: Iterable[Arrival],
        arrived_ms: float,
    ) -> list[Kept]:
        """Take in records of one kind that belong to the same test, or to none."""
        test = self.active_tests.get(test_id) if test_id else self.active_tests.only_one
        owner = test.run.test_id if test else test_id
        attempt = test.run.attempt if test else self._attempt_of(owner)
        records = [
            # Positional: naming eight fields would double the time it takes to make one.
            Kept(
                seq,
                arrived_ms,
                arrival.wire,
                arrival.label,
                owner,
                attempt,
                owner is not None and not arrival.says_its_test,
                arrival.image,
            )
            for seq, arrival in enumerate(arrivals, start=self._last_seq + 1)
        ]
        self._last_seq += len(records)
        self.arrived[kind] += len(records)
        (test.buffers if test else self._general).ring(kind).extend(records)
        if test is None and owner is not None:
            for kept in records:
                self.archive.add_late(kind, kept)
        if kind is WebSocketEvent:
            for kept in records:
                self.connections.note(kept.read(WebSocketEvent))
        elif kind is PerformanceSnapshot:
            for kept in records:
                self.baselines.note(kept.read(PerformanceSnapshot))
        self._make_room()
        if self.on_arrival:
            self.on_arrival()
        return records

    def rewrite(self, kept: Kept, wire: bytes) -> None:
        """Let a log entry say more than when it came, wherever it is by now."""
        rewritten = msgspec.structs.replace(kept, wire=wire)
        any(ring.replace(rewritten) for ring in self._rings(LogEntry))
        if rewritten.test_id is not None:
            self.archive.replace(LogEntry, rewritten)
        self._make_room()

    # Reading

    def find_log(self, seq: int) -> Kept | None:
        """The live log entry of a number."""
        found = (ring.find(seq) for ring in self._rings(LogEntry))
        return next((kept for kept in found if kept), None)

    def find_error(self, error_id: str) -> Kept | None:
        """The newest error of an id, among live entries and then in the archive."""
        spelled = msgspec.json.encode(error_id)
        archived = (
            kept for test in self.archive for kind, kept in test.evidence if kind is LogEntry
        )
        for kept in chain(self.newest(LogEntry), archived):
            if kept.label == ERROR and spelled in kept.wire:
                entry = kept.read(LogEntry)
                if entry.error_id == error_id:
                    return kept
        return None

    def oldest(self, kind: type[Record], *, test_id: str | None = None) -> Iterator[Kept]:
        """Live records of a kind in the order of capture."""
        if test_id is not None:
            yield from (kept for of, kept in self.evidence(test_id) if of is kind)
            return
        if not self.active_tests:
            yield from self._general.ring(kind)
            return
        yield from heapq.merge(*self._rings(kind), key=lambda kept: kept.seq)

    def newest(self, kind: type[Record], *, test_id: str | None = None) -> Iterator[Kept]:
        """Live records of a kind, latest first."""
        if test_id is not None:
            yield from reversed(list(self.oldest(kind, test_id=test_id)))
            return
        if not self.active_tests:
            yield from reversed(self._general.ring(kind))
            return
        rings = [reversed(ring) for ring in self._rings(kind)]
        yield from heapq.merge(*rings, key=lambda kept: -kept.seq)

    def evidence(
        self, test_id: str, attempt: int | None = None
    ) -> Iterator[tuple[type[Record], Kept]]:
        """What belongs to one test: its live records, and its archive once it has ended."""
        active = self.active_tests.get(test_id)
        if active and attempt in {None, active.run.attempt}:
            return active.buffers.everything()
        archived = self._archived(test_id, attempt)
        if archived and not archived.left_out:
            return iter(archived.evidence)
        number = archived.run.attempt if archived else attempt
        found = {
            kept.seq: (kind, kept)
            for kind, kept in chain(
                self._general.everything(), archived.evidence if archived else ()
            )
            if kept.test_id == test_id and (number is None or kept.attempt == number)
        }
        return (found[seq] for seq in sorted(found))

    def everything(self) -> Iterator[tuple[type[Record], Kept]]:
        """Every live record, kind by kind."""
        return ((kind, kept) for kind in RING_NAMES for kept in self.oldest(kind))

    def count(self, kind: type[Record]) -> int:
        return sum([len(ring) for ring in self._rings(kind)])

    def capture_facts(
        self, kind: type[Record] | None = None, *, test_id: str | None = None
    ) -> CaptureFacts:
        """What was lost on the way to an answer about one kind of record, or about all."""
        senders = [s for s in self.senders if test_id is None or s.test_id == test_id]
        return CaptureFacts(
            anything_received=self.heard_from_browser,
            senders=len(senders),
            missing_batches=sum(sender.missing_batches for sender in senders),
            dropped_by_senders=sum(sender.dropped for sender in senders),
            evicted=self._evicted([kind] if kind else RING_NAMES, test_id),
            rejected=self.rejected,
            admitted=read_admissions(self.oldest(LogEntry, test_id=test_id)),
        )

    # Tests

    def start_test(self, test_id: str, *, attempt: int | None = None) -> TestRun:
        """Open an attempt; a running one of the same id is closed first, as interrupted.

        A number that was there before begins a new run of the test: what had this number or a
        higher one was of the run before it.
        """
        if self.active_tests.get(test_id):
            self.end_test(test_id, status="interrupted")
        number = attempt or self.active_tests.latest_attempt(test_id) + 1
        self._forget_attempts(test_id, number)
        while len(self.active_tests) >= self.limits.active_tests:
            # Runners crash without a word: what they left running must not pile up.
            self.end_test(next(iter(self.active_tests)).run.test_id, status="interrupted")
        return self.active_tests.start(test_id, attempt=number, now_ms=self.now_ms()).run

    def end_test(
        self,
        test_id: str,
        *,
        attempt: int | None = None,
        status: str | None = None,
        duration_ms: float | None = None,
        message: str | None = None,
    ) -> TestRun | None:
        """Close an attempt and archive its evidence. Ending what does not run changes nothing."""
        test = self.active_tests.get(test_id)
        if test is None or attempt not in {None, test.run.attempt}:
            # The late word of an earlier attempt must not end its successor.
            return None
        self.active_tests.end(test_id)
        ended_ms = self.now_ms()
        run = msgspec.structs.replace(
            test.run,
            ended_ms=ended_ms,
            status=status,
            duration_ms=duration_ms if duration_ms is not None else ended_ms - test.run.started_ms,
            message=message,
        )
        self.archive.add(run, test.buffers)
        self._general.fold_in(test.buffers)
        self._make_room()
        return run

    def test_runs(self) -> list[TestRun]:
        """Every attempt known, ended ones first, in the order in which they ended or started."""
        return [test.run for test in self.archive] + [test.run for test in self.active_tests]

    # Clearing

    def clear(self, *, test_id: str | None = None) -> dict[str, int]:
        """Forget live records, of one test or all. Tests go on, their archive stays."""
        removed = {name: self._clear_ring(kind, test_id) for kind, name in RING_NAMES.items()}
        self.connections.clear(test_id)
        self.senders.forget_losses(test_id)
        if test_id is None:
            self.baselines.clear()
            self.rejected = 0
        return removed

    def clear_kind(self, kind: type[Record]) -> int:
        return self._clear_ring(kind, None)

    def _clear_ring(self, kind: type[Record], test_id: str | None) -> int:
        if test_id is None:
            return sum(ring.clear() for ring in self._rings(kind))
        active = self.active_tests.get(test_id)
        in_test = active.buffers.ring(kind).clear() if active else 0
        in_general = self._general.ring(kind).remove(lambda kept: kept.test_id == test_id)
        return in_test + in_general

    # Within

    def _scopes(self) -> list[Buffers]:
        return [self._general, *(test.buffers for test in self.active_tests)]

    def _rings(self, kind: type[Record]) -> list[Ring[Record]]:
        return [buffers.ring(kind) for buffers in self._scopes()]

    def _attempt_of(self, test_id: str | None) -> int:
        return self.active_tests.latest_attempt(test_id) if test_id else 0

    def _forget_attempts(self, test_id: str, first: int) -> None:
        """Live answers still show what they captured; the attempt that replaces them does not."""
        known = self.archive.forget_from(test_id, first)
        if known or first <= self.active_tests.latest_attempt(test_id):
            for ring in self._general:
                ring.disown(test_id, first)

    def _archived(self, test_id: str, attempt: int | None) -> ArchivedTest | None:
        if attempt is None:
            return self.archive.latest(test_id)
        return self.archive.find(test_id, attempt)

    def _evicted(self, kinds: Iterable[type[Record]], test_id: str | None) -> int:
        if test_id is None:
            return sum(ring.evicted for kind in kinds for ring in self._rings(kind))
        if active := self.active_tests.get(test_id):
            return sum(active.buffers.ring(kind).evicted for kind in kinds)
        archived = self.archive.latest(test_id)
        return archived.left_out if archived else 0

    def _make_room(self) -> None:
        """Whoever holds most gives up its oldest, so that a noisy test pays for itself."""
        while self._ledger.size_bytes > self.limits.memory_bytes:
            largest = max(self._scopes(), key=lambda buffers: buffers.size_bytes)
            if largest.size_bytes == 0:
                if not self.archive.forget_one():
                    return
                continue
            largest.evict_one()
