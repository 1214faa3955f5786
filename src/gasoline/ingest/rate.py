"""How much one sender may send: a runaway page must not crowd out the others."""

from collections import OrderedDict

EVENTS_PER_SECOND = 10_000
SENDERS_WATCHED = 1000


class RateLimit:
    """Counts the events of each sender in the current second."""

    def __init__(self, events_per_second: int = EVENTS_PER_SECOND) -> None:
        self.events_per_second = events_per_second
        self._counts: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def admits(self, sender: str, events: int, *, now_ms: float) -> bool:
        """Count these events if they fit; a refused batch does not use up the second."""
        second = int(now_ms // 1000)
        started, counted = self._counts.get(sender, (second, 0))
        if started != second:
            counted = 0
        if counted + events > self.events_per_second:
            return False
        self._counts[sender] = (second, counted + events)
        self._counts.move_to_end(sender)
        while len(self._counts) > SENDERS_WATCHED:
            self._counts.popitem(last=False)
        return True

    def current(self, *, now_ms: float) -> int:
        """Events counted in this second, of all senders together."""
        second = int(now_ms // 1000)
        return sum(counted for started, counted in self._counts.values() if started == second)
