"""What happened, cause before consequence: actions, requests, messages, pages, pictures."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import said_by
from gasoline.analysis.recording import Recording
from gasoline.analysis.shape_notation import describe_response_shape
from gasoline.records import (
    DomSnapshot,
    EnhancedAction,
    LogEntry,
    NetworkBody,
    Record,
    Screenshot,
)

MOST_ENTRIES = 200
HEADINGS = 5
TEXT_CHARS = 500

Entry = dict[str, Any]

# The words of a caller, and the kinds they stand for.
KINDS = {
    "actions": "action",
    "network": "network",
    "console": "console",
    "dom": "dom",
    "screenshots": "screenshot",
}
_ACTION_FIELDS = (
    "value",
    "input_type",
    "key",
    "from_url",
    "to_url",
    "selected_value",
    "selected_text",
    "choices",
    "scroll_y",
    "action",
    "method",
    "frame",
)


class Counts(Struct, frozen=True, kw_only=True):
    """How much of each kind a timeline holds."""

    actions: int
    network_requests: int
    console_errors: int
    duration_ms: int


class Timeline(Struct, frozen=True, kw_only=True):
    """The newest entries that fit, and counts of all of them."""

    entries: list[Entry]
    counts: Counts
    left_out: int


def build_timeline(recording: Recording, *, include: Collection[str] = ()) -> Timeline:
    """Merge every kind by time, and describe the newest."""
    kinds = {KINDS[word] for word in include if word in KINDS} or set(KINDS.values())
    records = merge(recording, kinds)
    shown = records[-MOST_ENTRIES:]
    has_tabs = len({record.tab_id for record in records} - {None}) > 1
    return Timeline(
        entries=[_describe(record, with_tab=has_tabs) for record in shown],
        counts=_count(records),
        left_out=len(records) - len(shown),
    )


def merge(recording: Recording, kinds: Collection[str]) -> list[Record]:
    """The records of some kinds in one order; within a millisecond causes come first."""
    # By the millisecond: a browser's clocks do not agree on less.
    together: list[tuple[int, Record]] = [
        *((0, action) for action in recording.actions if "action" in kinds),
        *((1, exchange) for exchange in recording.exchanges if "network" in kinds),
        *((2, entry) for entry in recording.logs if "console" in kinds and is_telling(entry)),
        *((3, snapshot) for snapshot in recording.snapshots if "dom" in kinds),
        *((4, picture) for picture in recording.pictures if "screenshot" in kinds),
    ]
    together.sort(key=lambda ranked: (int(ranked[1].at_ms), ranked[0]))
    return [record for _, record in together]


def is_telling(entry: LogEntry) -> bool:
    """Whether a message belongs into a timeline: what is said all day does not."""
    return entry.is_error or entry.is_warning


def _count(records: list[Record]) -> Counts:
    return Counts(
        actions=sum(isinstance(record, EnhancedAction) for record in records),
        network_requests=sum(isinstance(record, NetworkBody) for record in records),
        console_errors=sum(isinstance(record, LogEntry) and record.is_error for record in records),
        duration_ms=int(records[-1].at_ms) - int(records[0].at_ms) if records else 0,
    )


def _describe(record: Record, *, with_tab: bool) -> Entry:
    described: Entry = {"ts": int(record.at_ms)}
    match record:
        case EnhancedAction():
            described |= _describe_action(record)
        case NetworkBody():
            described |= _describe_exchange(record)
        case LogEntry():
            said = {"level": record.level, "message": said_by(record)[:TEXT_CHARS]}
            described |= {"kind": "console", **said}
        case DomSnapshot():
            described |= _describe_snapshot(record)
        case Screenshot():
            described |= _describe_picture(record)
    return described | ({"tabId": record.tab_id} if with_tab and record.tab_id is not None else {})


def _describe_action(action: EnhancedAction) -> Entry:
    selectors = msgspec.to_builtins(action.selectors)
    selectors.pop("unique", None)
    spelled = {_camel(name): getattr(action, name) for name in _ACTION_FIELDS}
    return {
        "kind": "action",
        "type": action.type,
        **_said({"url": action.url, "selectors": selectors, **spelled}),
    }


def _describe_exchange(exchange: NetworkBody) -> Entry:
    shape = describe_response_shape(exchange)
    return {
        "kind": "network",
        "method": exchange.method,
        **_said(
            {
                "url": exchange.url,
                "status": exchange.status,
                "duration": exchange.duration,
                "contentType": exchange.content_type,
                "error": exchange.error,
                "pending": exchange.pending,
            }
        ),
        **({} if shape is None else {"responseShape": shape}),
    }


def _describe_snapshot(snapshot: DomSnapshot) -> Entry:
    headings = [
        element.get("text")
        for element in snapshot.elements
        if element.get("role") == "heading" and element.get("visible")
    ]
    shown = {"url": snapshot.url, "title": snapshot.title, "headings": headings[:HEADINGS]}
    return {"kind": "dom", **_said(shown)}


def _describe_picture(picture: Screenshot) -> Entry:
    known = {"url": picture.url, "trigger": picture.trigger, "actionId": picture.action_id}
    return {"kind": "screenshot", "id": picture.seq, **_said(known)}


def _said(fields: Entry) -> Entry:
    return {name: value for name, value in fields.items() if value not in (None, "", {}, [], 0)}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
