"""One scope's rings: everything captured outside tests, or during one attempt at one test."""

from collections.abc import Iterator

from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
    Screenshot,
    WebSocketEvent,
)
from gasoline.store.limits import Limits
from gasoline.store.picture_ring import PictureRing
from gasoline.store.ring import Kept, Ledger, Ring

RING_NAMES: dict[type[Record], str] = {
    LogEntry: "logs",
    WebSocketEvent: "websocket_events",
    NetworkBody: "network_bodies",
    EnhancedAction: "enhanced_actions",
    PerformanceSnapshot: "performance_snapshots",
    DomSnapshot: "dom_snapshots",
    Screenshot: "screenshots",
}


class Buffers:
    """A ring for each kind of record."""

    def __init__(self, limits: Limits, ledger: Ledger) -> None:
        self._rings: dict[type[Record], Ring[Record]] = {
            kind: Ring(kind, getattr(limits, name), ledger) for kind, name in RING_NAMES.items()
        }
        self._rings[Screenshot] = PictureRing(limits, ledger)

    def __iter__(self) -> Iterator[Ring[Record]]:
        return iter(self._rings.values())

    def ring(self, kind: type[Record]) -> Ring[Record]:
        return self._rings[kind]

    @property
    def size_bytes(self) -> int:
        return sum(ring.size_bytes for ring in self)

    @property
    def evicted(self) -> int:
        return sum(ring.evicted for ring in self)

    def evict_one(self) -> None:
        """Give up the oldest record of whatever takes the most room."""
        max(self, key=lambda ring: ring.size_bytes).evict_oldest()

    def fold_in(self, ended: "Buffers") -> None:
        """Take over the records of a test that ended, so that live answers still show them."""
        for ring in ended:
            self.ring(ring.kind).evicted += ring.evicted
            self.ring(ring.kind).fold_in(ring.take_all())

    def everything(self) -> Iterator[tuple[type[Record], Kept]]:
        for ring in self:
            for kept in ring:
                yield ring.kind, kept
