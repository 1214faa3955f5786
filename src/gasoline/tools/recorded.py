"""The recording that generating tools work on, read from the store."""

from collections.abc import Callable
from typing import Annotated, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct

from gasoline.analysis.capture_health import judge_capture
from gasoline.analysis.recording import Recording, by_time, cut
from gasoline.analysis.unanswered import last_words
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
from gasoline.records.console import ERROR, WARNING_LEVELS
from gasoline.records.health import CaptureHealth
from gasoline.records.time import parse_time_ms
from gasoline.tools.context import Answer, Context

R = TypeVar("R", bound=Record)

TELLING_LEVELS = WARNING_LEVELS | {ERROR}

LastActions = Annotated[int | None, Meta(description="Only the last n actions and what followed")]
BaseUrl = Annotated[str | None, Meta(description="Replaces the origin of every page")]


Inline = Annotated[bool, Meta(description="Whole file in the answer, however long")]


class Scope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which part of what was recorded."""

    last_n_actions: LastActions = None
    url: Annotated[str | None, Meta(description="Only if the URL contains this")] = None
    tab_id: int | None = None
    test_id: str | None = None


def read_recording(context: Context, *, test_id: str | None = None) -> Recording:
    """Everything a session is made of; of what pages said, what warns or fails."""
    return Recording(
        actions=by_time([_dated(action) for action in _all(context, EnhancedAction, test_id)]),
        exchanges=by_time(last_words(_all(context, NetworkBody, test_id))),
        logs=by_time(
            [
                kept.read(LogEntry)
                for kept in context.store.oldest(LogEntry, test_id=test_id)
                if kept.label in TELLING_LEVELS
            ]
        ),
        snapshots=by_time(_all(context, DomSnapshot, test_id)),
        pictures=by_time(_all(context, Screenshot, test_id)),
    )


class Strain(Struct, frozen=True):
    """What a session put on the browser."""

    loads: list[PerformanceSnapshot]
    socket_events: list[WebSocketEvent]


def read_strain(context: Context, *, test_id: str | None = None) -> Strain:
    return Strain(
        _all(context, PerformanceSnapshot, test_id), _all(context, WebSocketEvent, test_id)
    )


def cut_to_scope(recording: Recording, scope: Scope, *, url: str | None = None) -> Recording:
    """The part that was asked about; a URL that a tool takes by another name counts first."""
    return cut(
        recording,
        url=url or scope.url,
        tab_id=scope.tab_id,
        last_n_actions=scope.last_n_actions,
    )


def judge_recording(context: Context, *, test_id: str | None = None) -> CaptureHealth:
    """How well everything was seen that a session is made of."""
    kinds = (EnhancedAction, NetworkBody, LogEntry)
    facts = [context.store.capture_facts(kind, test_id=test_id) for kind in kinds]
    evicted = sum(fact.evicted for fact in facts)
    return judge_capture(msgspec.structs.replace(facts[0], evicted=evicted))


def thumbnails_of(context: Context, *, test_id: str | None = None) -> dict[int, bytes]:
    """The small pictures that are still kept, by their number."""
    return {
        kept.seq: kept.image.thumbnail
        for kept in context.store.oldest(Screenshot, test_id=test_id)
        if kept.image
    }


def missing_requests(context: Context, *, test_id: str | None = None) -> int:
    """How many requests gave way to newer ones."""
    return context.store.capture_facts(NetworkBody, test_id=test_id).evicted


def _all(context: Context, kind: type[R], test_id: str | None) -> list[R]:
    return [kept.read(kind) for kept in context.store.oldest(kind, test_id=test_id)]


def _dated(action: EnhancedAction) -> EnhancedAction:
    """By its number of milliseconds: where its two times disagree, that one counts."""
    at_ms = parse_time_ms(action.timestamp)
    if at_ms is None or at_ms == action.at_ms:
        return action
    return msgspec.structs.replace(action, at_ms=at_ms)


class Written(Protocol):
    """Whatever holds a script."""

    @property
    def script(self) -> str: ...


W = TypeVar("W", bound=Written)


def write_within(
    most_bytes: int, recording: Recording, write: Callable[[Recording], W]
) -> tuple[Recording, W]:
    """The script of as many of the last actions as the limit allows, never a part of a script."""
    written = write(recording)
    while len(written.script.encode()) > most_bytes and len(recording.actions) > 1:
        recording = cut(recording, last_n_actions=len(recording.actions) // 2)
        written = write(recording)
    return recording, written


def describe_cut(recording: Recording, part: Recording) -> tuple[str, ...]:
    """What whoever reads a script of only a part must know."""
    left_out = len(recording.actions) - len(part.actions)
    return (f"The first {left_out} actions are left out: too long",) if left_out else ()


def nothing_recorded(capture: CaptureHealth, recording: Recording) -> Answer:
    """The answer where there is nothing to generate from."""
    seen = (
        "No user actions captured, so there is nothing to repeat."
        if not recording.exchanges
        else f"No user actions captured, only {len(recording.exchanges)} requests."
    )
    return Answer(
        summary=seen, capture=capture, next="Click through the page once, then ask again."
    )
