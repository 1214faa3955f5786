"""A bounded memory of one kind of record: oldest out first, counted when it goes."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from gasoline.records import Record, read_record
from gasoline.records.screenshot import Pixels
from gasoline.store.limits import RingLimit

R = TypeVar("R", bound=Record)

# Measured by the growth of the process, so that a cap on records is a cap on memory: the struct,
# its number, the bytes object's header and the ring's slot take this much,
OVERHEAD_BYTES = 160
# and one part in so many of the content goes to holes between blocks and to copies under way
# (benchmarks/memory.py).
WORKING_SHARE = 5


class Arrival(Struct, frozen=True, gc=False):
    """One record on its way in, and the test it belongs to, if it or its batch names one."""

    kind: type[Record]
    wire: bytes
    label: str = ""
    test_id: str | None = None
    says_its_test: bool = False
    image: Pixels | None = None


class Kept(Struct, frozen=True, gc=False):
    """One record as the store keeps it: wire bytes, read into a struct when somebody asks.

    Bytes, because a decoded record takes several times the memory of its text, and most are evicted
    unread.
    """

    seq: int
    arrived_ms: float
    wire: bytes
    label: str = ""
    test_id: str | None = None
    attempt: int = 0
    # Tagged by the server: the wire does not say it, so whoever writes the record out must.
    tagged: bool = False
    image: Pixels | None = None

    @property
    def size_bytes(self) -> int:
        content_bytes = len(self.wire) + self.image.size_bytes if self.image else len(self.wire)
        return content_bytes + content_bytes // WORKING_SHARE + OVERHEAD_BYTES

    def without_image(self) -> "Kept":
        return msgspec.structs.replace(self, image=None) if self.image else self

    def written(self) -> bytes:
        """As JSON for a client: what the page sent, and the test the server knows it belongs to."""
        if not self.tagged:
            return self.wire
        return b'%s,"test_id":%s}' % (self.wire[:-1], msgspec.json.encode(self.test_id))

    def read(self, kind: type[R]) -> R:
        record = read_record(kind, self.wire)
        said_ms = record.said_ms
        at_ms = self.arrived_ms if said_ms is None else said_ms
        # Fresh from the decoder and not yet shared, so still ours to complete.
        msgspec.structs.force_setattr(record, "seq", self.seq)
        msgspec.structs.force_setattr(record, "at_ms", at_ms)
        msgspec.structs.force_setattr(record, "test_id", self.test_id)
        return record

    @property
    def at_ms(self) -> float:
        """The page's own time, else when it arrived."""
        return self.read(Record).at_ms


_by_number = attrgetter("seq")


class Ledger:
    """The bytes of everything captured, so that one cap can hold across all rings."""

    def __init__(self) -> None:
        self.size_bytes = 0


class Ring(Generic[R]):
    """The newest records of one kind, bounded by count and by bytes."""

    def __init__(self, kind: type[R], limit: RingLimit, ledger: Ledger) -> None:
        self.kind = kind
        self.limit = limit
        self.evicted = 0
        self.size_bytes = 0
        self._ledger = ledger
        self._kept: deque[Kept] = deque()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Kept]:
        return iter(self._kept)

    def __reversed__(self) -> Iterator[Kept]:
        return reversed(self._kept)

    def append(self, kept: Kept) -> None:
        self.extend([kept])

    def extend(self, records: list[Kept]) -> None:
        self._kept.extend(records)
        self._count(sum([kept.size_bytes for kept in records]))
        self._trim()

    def fold_in(self, others: Iterable[Kept]) -> None:
        """Take in records of another ring, in the order in which they were captured."""
        arriving = list(others)
        later: list[Kept] = []
        # Only what was captured meanwhile has to move: a ring may hold a whole run.
        while arriving and self._kept and self._kept[-1].seq > arriving[0].seq:
            later.append(self._kept.pop())
        self._count(-sum([kept.size_bytes for kept in later]))
        self.extend(sorted((*later, *arriving), key=lambda kept: kept.seq))

    def find(self, seq: int) -> Kept | None:
        """The record of a number, if it is still here."""
        place = self._place_of(seq)
        found = self._kept[place] if place < len(self._kept) else None
        return found if found and found.seq == seq else None

    def replace(self, rewritten: Kept) -> bool:
        """Put a record in the place of the one with its number, if that is still here."""
        before = self.find(rewritten.seq)
        if before is None:
            return False
        self._kept[self._place_of(rewritten.seq)] = rewritten
        self._count(rewritten.size_bytes - before.size_bytes)
        self._trim()
        return True

    def evict_oldest(self) -> None:
        self._count(-self._kept.popleft().size_bytes)
        self.evicted += 1

    def remove(self, unwanted: Callable[[Kept], bool]) -> int:
        """Forget some records on request: this is no loss, so it is not counted as one."""
        before = len(self._kept)
        remaining = [kept for kept in self._kept if not unwanted(kept)]
        self.take_all()
        self._kept.extend(remaining)
        self._count(sum(kept.size_bytes for kept in remaining))
        return before - len(remaining)

    def disown(self, test_id: str, first_attempt: int) -> None:
        """Let records of an attempt and of those after it stand for the test as a whole."""
        for index, kept in enumerate(self._kept):
            if kept.attempt >= first_attempt and kept.test_id == test_id:
                self._kept[index] = msgspec.structs.replace(kept, attempt=0)

    def take_all(self) -> list[Kept]:
        """Empty the ring, handing over what was in it."""
        taken = list(self._kept)
        self._kept.clear()
        self._count(-self.size_bytes)
        return taken

    def clear(self) -> int:
        """Start anew: losses before this moment no longer matter to any answer."""
        self.evicted = 0
        return len(self.take_all())

    def _place_of(self, seq: int) -> int:
        return bisect_left(self._kept, seq, key=_by_number)

    def _trim(self) -> None:
        kept, limit = self._kept, self.limit
        too_many = [kept.popleft() for _ in range(len(kept) - limit.count)]
        self._count(-sum([gone.size_bytes for gone in too_many]))
        self.evicted += len(too_many)
        while self.size_bytes > limit.size_bytes and len(kept) > 1:
            self.evict_oldest()

    def _count(self, size_bytes: int) -> None:
        self.size_bytes += size_bytes
        self._ledger.size_bytes += size_bytes
