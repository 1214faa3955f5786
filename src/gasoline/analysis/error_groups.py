"""Errors of a session, repeats counted once, and the one to look at first."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from gasoline.analysis.abnormal import SERVER_FAILURE, AbnormalEvent, find_abnormal_events
from gasoline.analysis.stack import innermost_frame_of
from gasoline.records import LogEntry

# Errors that follow each other within this time tell of one failure.
EPISODE_MS = 5000


class ErrorGroup(Struct, frozen=True):
    """An error and its repeats; the newest speaks for all."""

    entry: LogEntry
    event: AbnormalEvent
    count: int
    # When it happened first, and as which record.
    first: tuple[float, int]

    @property
    def noise(self) -> str | None:
        return self.event.noise


def group_errors(entries: Iterable[LogEntry]) -> list[ErrorGroup]:
    """One group for each message and place, in the order in which they last happened."""
    groups: dict[tuple[str, ...], ErrorGroup] = {}
    for entry in entries:
        for event in find_abnormal_events([entry], [], [], min_severity="error"):
            key = (event.kind, event.signature, *_place(entry))
            known = groups.pop(key, None)
            groups[key] = ErrorGroup(
                entry,
                event,
                (entry.repeats or 1) + (known.count if known else 0),
                known.first if known else (entry.at_ms, entry.seq),
            )
    return list(groups.values())


def order_by_cause(groups: Sequence[ErrorGroup]) -> list[ErrorGroup]:
    """The likely cause of the latest failure, then the rest as it happened, noise at the end."""
    telling = sorted((one for one in groups if not one.noise), key=lambda one: one.first)
    noise = [one for one in groups if one.noise]
    if not telling:
        return noise
    cause = min(_latest_episode(telling), key=lambda one: (_rank(one), one.first))
    return [cause, *(one for one in telling if one is not cause), *noise]


def _latest_episode(telling: Sequence[ErrorGroup]) -> list[ErrorGroup]:
    """The errors up to the newest with no pause between them."""
    by_time = sorted(telling, key=lambda one: one.entry.at_ms, reverse=True)
    episode = by_time[:1]
    for group in by_time[1:]:
        if episode[-1].first[0] - group.entry.at_ms > EPISODE_MS:
            break
        episode.append(group)
    return episode


def _rank(group: ErrorGroup) -> int:
    """A server's failure leads to exceptions, and exceptions to complaints of the page."""
    if (group.entry.status or 0) >= SERVER_FAILURE:
        return 0
    return 1 if group.event.kind in {"exception", "unhandledrejection"} else 2


def _place(entry: LogEntry) -> tuple[str, ...]:
    if snippet := entry.ai_context.place:
        return (snippet.file, str(snippet.line))
    frame = innermost_frame_of(entry)
    return (frame.url, str(frame.line)) if frame else ()
