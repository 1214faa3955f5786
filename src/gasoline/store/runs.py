"""Tests that are running now, each attempt with rings of its own."""

from collections.abc import Iterator

from msgspec import Struct

from gasoline.records import TestRun
from gasoline.store.buffers import Buffers
from gasoline.store.limits import Limits
from gasoline.store.ring import Ledger


class ActiveTest(Struct, frozen=True):
    """A running attempt and what was captured during it."""

    run: TestRun
    buffers: Buffers


class ActiveTests:
    """The set of running tests: parallel workers start and end theirs independently."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        self._limits = limits
        self._ledger = ledger
        self._active: dict[str, ActiveTest] = {}
        self._attempts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._active)

    def __iter__(self) -> Iterator[ActiveTest]:
        return iter(self._active.values())

    def get(self, test_id: str | None) -> ActiveTest | None:
        return self._active.get(test_id) if test_id is not None else None

    @property
    def only_one(self) -> ActiveTest | None:
        """The test that untagged records belong to: certain only while no other one runs."""
        return next(iter(self._active.values())) if len(self._active) == 1 else None

    def start(self, test_id: str, *, attempt: int, now_ms: float) -> ActiveTest:
        self._remember_attempt(test_id, attempt)
        test = ActiveTest(
            TestRun(test_id=test_id, attempt=attempt, started_ms=now_ms),
            Buffers(self._limits, self._ledger),
        )
        self._active[test_id] = test
        return test

    def end(self, test_id: str) -> ActiveTest | None:
        return self._active.pop(test_id, None)

    def latest_attempt(self, test_id: str) -> int:
        return self._attempts.get(test_id, 0)

    def _remember_attempt(self, test_id: str, number: int) -> None:
        self._attempts.pop(test_id, None)
        self._attempts[test_id] = number
        # Twice the archive: an id may return while its evidence is already gone.
        while len(self._attempts) > 2 * self._limits.archived_tests:
            del self._attempts[next(iter(self._attempts))]
