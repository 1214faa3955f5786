"""Evidence of ended tests, which clearing live buffers does not touch."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from gasoline.records import LogEntry, NetworkBody, Record, TestRun
from gasoline.records.console import CAPTURE_NOTE
from gasoline.store.buffers import Buffers
from gasoline.store.limits import Limits
from gasoline.store.ring import Kept, Ledger

PASSED = frozenset({"passed", "pass", "skipped"})
_NOTE = CAPTURE_NOTE.encode()


class ArchivedTest(Struct, frozen=True):
    """One ended attempt, its evidence in the order of capture, and how much did not fit."""

    run: TestRun
    evidence: tuple[tuple[type[Record], Kept], ...]
    size_bytes: int
    left_out: int

    @property
    def passed(self) -> bool:
        return self.run.status in PASSED


class Archive:
    """The ended attempts, bounded in number and bytes; failing ones are kept longest."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        self._limits = limits
        self._ledger = ledger
        self._tests: dict[tuple[str, int], ArchivedTest] = {}
        self.forgotten = 0
        self.size_bytes = 0

    def __iter__(self) -> Iterator[ArchivedTest]:
        return iter(self._tests.values())

    def latest(self, test_id: str) -> ArchivedTest | None:
        return next(
            (test for test in reversed(self._tests.values()) if test.run.test_id == test_id), None
        )

    def find(self, test_id: str, attempt: int) -> ArchivedTest | None:
        return self._tests.get((test_id, attempt))

    def add(self, run: TestRun, captured: Buffers) -> None:
        self._put(
            _choose_evidence(run, list(captured.everything()), self._limits, captured.evicted)
        )
        self._trim()

    def add_late(self, kind: type[Record], kept: Kept) -> None:
        """A record of a test that already ended: pages flush their last batch after the test."""
        test = self.latest(kept.test_id or "")
        if test is None or test.run.attempt != kept.attempt:
            return
        evidence = [*test.evidence, (kind, kept)]
        self._put(_choose_evidence(test.run, evidence, self._limits, test.left_out))
        self._trim()

    def replace(self, kind: type[Record], rewritten: Kept) -> None:
        """Put a record in the place of the one with its number, where a test's evidence has it."""
        for test in list(self._tests.values()):
            if any(kept.seq == rewritten.seq for _, kept in test.evidence):
                evidence = [
                    (kind, rewritten) if kept.seq == rewritten.seq else (of, kept)
                    for of, kept in test.evidence
                ]
                self._put(_choose_evidence(test.run, evidence, self._limits, test.left_out))
        self._trim()

    def forget_one(self) -> bool:
        """Drop the oldest passing test, or the oldest of all when every one failed."""
        oldest = next((key for key, test in self._tests.items() if test.passed), None)
        key = oldest or next(iter(self._tests), None)
        if key is None:
            return False
        self._forget(key)
        self.forgotten += 1
        return True

    def forget_from(self, test_id: str, first: int) -> bool:
        """Drop an attempt and those after it: whether there were any."""
        found = [key for key in self._tests if key[0] == test_id and key[1] >= first]
        for key in found:
            self._forget(key)
        return bool(found)

    def _forget(self, key: tuple[str, int]) -> None:
        self._count(-self._tests.pop(key).size_bytes)

    def _put(self, test: ArchivedTest) -> None:
        key = (test.run.test_id, test.run.attempt)
        if previous := self._tests.get(key):
            self._count(-previous.size_bytes)
        self._tests[key] = test
        self._count(test.size_bytes)

    def _trim(self) -> None:
        room = self._limits.memory_bytes * self._limits.archive_share
        while len(self._tests) > self._limits.archived_tests or (
            self.size_bytes > room and len(self._tests) > 1
        ):
            self.forget_one()

    def _count(self, size_bytes: int) -> None:
        self.size_bytes += size_bytes
        self._ledger.size_bytes += size_bytes


def read_admissions(logs: Iterable[Kept]) -> tuple[LogEntry, ...]:
    """What drivers said of browsers that they could not see into."""
    return tuple(kept.read(LogEntry) for kept in logs if _NOTE in kept.wire)


def _choose_evidence(
    run: TestRun, captured: list[tuple[type[Record], Kept]], limits: Limits, already_lost: int
) -> ArchivedTest:
    """Errors and failed requests first, then the newest of the rest, within the size of a test."""
    by_worth = sorted(captured, key=lambda item: (not _is_abnormal(*item), -item[1].seq))
    chosen: list[tuple[type[Record], Kept]] = []
    size_bytes = 0
    for kind, captured_one in by_worth:
        room = limits.archived_test_bytes - size_bytes
        kept = captured_one if captured_one.size_bytes <= room else captured_one.without_image()
        if kept.size_bytes <= room:
            chosen.append((kind, kept))
            size_bytes += kept.size_bytes
    chosen.sort(key=lambda item: item[1].seq)
    return ArchivedTest(run, tuple(chosen), size_bytes, already_lost + len(captured) - len(chosen))


def _is_abnormal(kind: type[Record], kept: Kept) -> bool:
    if kind is LogEntry:
        return kept.label in {"error", "warn", "warning"} or _NOTE in kept.wire
    return kind is NetworkBody and kept.label == "failed"
