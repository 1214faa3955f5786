"""Who sends, and what never arrived: the ground that capture health stands on."""

from collections import OrderedDict
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from gasoline.store.limits import Limits


class Sender(Struct, kw_only=True):
    """One page load. It numbers its batches from 1 and says how many events it dropped."""

    test_id: str | None = None
    highest: int = 0
    missing: set[int] = msgspec.field(default_factory=set)
    # Missing when somebody cleared: no longer a loss, but welcome when it comes after all.
    excused: set[int] = msgspec.field(default_factory=set)
    # Gaps too many to remember one by one. Up to `uncertain` a batch is taken for a new one.
    forgotten: int = 0
    uncertain: int = 0
    dropped_in_all: int = 0
    dropped_before_clear: int = 0
    last_seen_ms: float = 0.0

    @property
    def missing_batches(self) -> int:
        return len(self.missing) + self.forgotten

    @property
    def dropped(self) -> int:
        return self.dropped_in_all - self.dropped_before_clear

    def has_seen(self, batch: int) -> bool:
        """Whether this batch already arrived: one whose answer got lost is sent again."""
        awaited = batch > self.highest or batch in self.missing or batch in self.excused
        return not awaited and batch > self.uncertain

    def note(self, batch: int, *, memory: int) -> None:
        """Take a batch number; remember at most `memory` of the gaps before it."""
        if batch <= self.highest:
            self.missing.discard(batch)
            self.excused.discard(batch)
            return
        gap = range(self.highest + 1, batch)
        room = max(0, memory - len(self.missing) - len(self.excused))
        remembered = gap[max(0, len(gap) - room) :]
        if len(remembered) < len(gap):
            self.forgotten += len(gap) - len(remembered)
            self.uncertain = gap[len(gap) - len(remembered) - 1]
        self.missing.update(remembered)
        self.highest = batch

    def forget_losses(self) -> None:
        self.excused |= self.missing
        self.missing = set()
        self.forgotten = 0
        self.dropped_before_clear = self.dropped_in_all


class Senders:
    """The senders of late, least recently heard forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._senders: OrderedDict[str, Sender] = OrderedDict()

    def __len__(self) -> int:
        return len(self._senders)

    def __iter__(self) -> Iterator[Sender]:
        return iter(self._senders.values())

    def has_seen(self, sender_id: str, batch: int) -> bool:
        sender = self._senders.get(sender_id)
        return sender is not None and sender.has_seen(batch)

    def note_batch(
        self,
        sender_id: str,
        *,
        batch: int | None,
        dropped: int = 0,
        test_id: str | None = None,
        now_ms: float,
    ) -> None:
        sender = self._senders.setdefault(sender_id, Sender())
        self._senders.move_to_end(sender_id)
        sender.last_seen_ms = now_ms
        sender.test_id = test_id or sender.test_id
        sender.dropped_in_all = max(sender.dropped_in_all, dropped)
        if batch is not None:
            sender.note(batch, memory=self._limits.missing_batches_per_sender)
        while len(self._senders) > self._limits.senders:
            self._senders.popitem(last=False)

    def forget_losses(self, test_id: str | None = None) -> None:
        """After clearing, what was lost before concerns nobody. The numbers go on."""
        for sender in self:
            if test_id is None or sender.test_id == test_id:
                sender.forget_losses()
