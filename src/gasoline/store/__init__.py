"""Bounded memory of what was captured: the only mutable state."""

from gasoline.store.archive import Archive, ArchivedTest
from gasoline.store.limits import Limits, RingLimit
from gasoline.store.ring import Arrival, Kept, Ring
from gasoline.store.store import Store

__all__ = ["Archive", "ArchivedTest", "Arrival", "Kept", "Limits", "Ring", "RingLimit", "Store"]
