"""One listener's wishes, and what is due to it when: filter, dedup, batch window, throttle, cap."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence

from msgspec import Struct

from gasoline.stream.event import CATEGORIES, Category, Notification, StreamEvent, join

DEFAULT_THROTTLE_S = 5.0
THROTTLE_RANGE_S = (1.0, 60.0)
BATCH_WINDOW_S = 2.0
DEDUP_WINDOW_S = 30.0
MOST_REMEMBERED = 200
MINUTE_S = 60.0
MOST_PER_MINUTE = 12
MOST_PENDING = 50


class Wishes(Struct, frozen=True, kw_only=True):
    """What a listener wants to hear."""

    enabled: bool = False
    events: tuple[Category, ...] = CATEGORIES
    throttle_seconds: float = DEFAULT_THROTTLE_S
    url_filter: str | None = None

    def wants(self, event: StreamEvent) -> bool:
        if not self.enabled or event.category not in self.events:
            return False
        if self.url_filter is None:
            return True
        # An event that names no address matches no filter.
        return any(
            self.url_filter in str(event.context.get(name) or "") for name in ("url", "page_url")
        )


class UnknownCategoryError(ValueError):
    """A word that names no category; the message says which there are."""


def read_categories(words: Iterable[str]) -> list[Category]:
    """The categories that words name, or UnknownCategoryError."""
    named: dict[str, Category] = {name: name for name in CATEGORIES}
    try:
        return [named[word] for word in words]
    except KeyError as error:
        raise UnknownCategoryError(
            f"events: {error.args[0]} is none of {', '.join(CATEGORIES)}"
        ) from error


def effective_wishes(
    before: Wishes,
    *,
    enabled: bool | None = None,
    events: Sequence[Category] | None = None,
    throttle_seconds: float | None = None,
    url_filter: str | None = None,
) -> Wishes:
    """What holds after a change: what is not named stays, an empty list means everything."""
    lowest, highest = THROTTLE_RANGE_S
    wanted = before.throttle_seconds if throttle_seconds is None else throttle_seconds
    return Wishes(
        enabled=before.enabled if enabled is None else enabled,
        events=before.events if events is None else tuple(dict.fromkeys(events)) or CATEGORIES,
        throttle_seconds=min(highest, max(lowest, wanted)),
        url_filter=before.url_filter if url_filter is None else url_filter or None,
    )


class Subscription:
    """Takes events in, gives notifications out. Times are seconds of a clock that never jumps."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._pending: deque[StreamEvent] = deque()
        self._window_ends_s = 0.0
        self._sent_s: deque[float] = deque(maxlen=MOST_PER_MINUTE)
        self._heard: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._repeated = 0
        self._dropped = 0
        self._missed = 0
        self._set_aside = 0

    @property
    def wishes(self) -> Wishes:
        return self._wishes

    @wishes.setter
    def wishes(self, wishes: Wishes) -> None:
        """From now on this is wanted, and nothing that was taken in for other wishes."""
        self._wishes = wishes
        self._pending = deque(event for event in self._pending if wishes.wants(event))
        if not wishes.enabled:
            self._heard.clear()
            self._repeated = self._dropped = self._missed = self._set_aside = 0

    def offer(self, event: StreamEvent, now_s: float) -> None:
        """Take an event in if it is wanted and new."""
        if not self.wishes.wants(event):
            return
        if self._is_repeated(event, now_s):
            self._repeated += 1
            return
        if not self._pending:
            self._window_ends_s = now_s + BATCH_WINDOW_S
        self._pending.append(event)
        if len(self._pending) > MOST_PENDING:
            self._pending.popleft()
            self._dropped += 1

    def note_unsaid(self, *, missed: int = 0, set_aside: int = 0) -> None:
        """Records went by unseen or as noise: counted in the next notification."""
        if self.wishes.enabled:
            self._missed += missed
            self._set_aside += set_aside

    def give_back(self, notification: Notification) -> None:
        """Nobody took it: what it held counts as lost."""
        self._dropped += max(1, len(notification.events)) + notification.dropped
        self._repeated += notification.repeated
        self._missed += notification.missed
        self._set_aside += notification.set_aside

    @property
    def due_s(self) -> float | None:
        """When the next notification may go out; None while there is none."""
        if not self._pending:
            return None
        after_last = self._sent_s[-1] + self.wishes.throttle_seconds if self._sent_s else 0.0
        is_full = len(self._sent_s) == MOST_PER_MINUTE
        within_cap = self._sent_s[0] + MINUTE_S if is_full else 0.0
        return max(self._window_ends_s, after_last, within_cap)

    def take(self, now_s: float) -> Notification | None:
        """The notification that is due now."""
        if self.due_s is None or now_s < self.due_s:
            return None
        notification = join(
            list(self._pending),
            repeated=self._repeated,
            dropped=self._dropped,
            missed=self._missed,
            set_aside=self._set_aside,
        )
        self._pending.clear()
        self._repeated = self._dropped = self._missed = self._set_aside = 0
        self._sent_s.append(now_s)
        return notification

    def _is_repeated(self, event: StreamEvent, now_s: float) -> bool:
        while self._heard and next(iter(self._heard.values())) <= now_s - DEDUP_WINDOW_S:
            self._heard.popitem(last=False)
        key = event.category, event.message
        if key in self._heard:
            return True
        self._heard[key] = now_s
        if len(self._heard) > MOST_REMEMBERED:
            self._heard.popitem(last=False)
        return False
