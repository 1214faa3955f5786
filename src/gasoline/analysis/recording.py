"""A recording: what a user did and what the browser saw meanwhile, cut to what is asked about."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec
from msgspec import Struct

from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    Record,
    Screenshot,
)

R = TypeVar("R", bound=Record)


class Recording(Struct, frozen=True, kw_only=True):
    """Every kind of record in the order of its time."""

    actions: tuple[EnhancedAction, ...] = ()
    exchanges: tuple[NetworkBody, ...] = ()
    logs: tuple[LogEntry, ...] = ()
    snapshots: tuple[DomSnapshot, ...] = ()
    pictures: tuple[Screenshot, ...] = ()

    def keep(self, wanted: Callable[[Record], bool]) -> "Recording":
        """The same, of the records that are wanted only."""
        return Recording(
            actions=_keep(self.actions, wanted),
            exchanges=_keep(self.exchanges, wanted),
            logs=_keep(self.logs, wanted),
            snapshots=_keep(self.snapshots, wanted),
            pictures=_keep(self.pictures, wanted),
        )


def cut(
    recording: Recording,
    *,
    url: str | None = None,
    tab_id: int | None = None,
    last_n_actions: int | None = None,
) -> Recording:
    """What has to do with a URL and a tab, from the nth action from the end onwards."""
    if tab_id is not None:
        recording = recording.keep(lambda record: record.tab_id in {tab_id, None})
    if url:
        recording = recording.keep(lambda record: mentions(record, url))
    if last_n_actions is None or not 0 < last_n_actions < len(recording.actions):
        return recording
    actions = recording.actions[-last_n_actions:]
    from_ms = actions[0].at_ms
    later = recording.keep(lambda record: record.at_ms >= from_ms)
    return msgspec.structs.replace(later, actions=actions)


def mentions(record: Record, url: str) -> bool:
    """Whether a record is about a URL: its own, or that of the page it happened on."""
    return url in record.url or url in getattr(record, "page_url", "")


def by_time(records: Iterable[R]) -> tuple[R, ...]:
    """Oldest first; what happened at the same time stays in the order of capture."""
    return tuple(sorted(records, key=lambda record: record.at_ms))


def _keep(records: tuple[R, ...], wanted: Callable[[Record], bool]) -> tuple[R, ...]:
    return tuple(record for record in records if wanted(record))
