"""What a failed test most likely failed of, from what the browser saw: derived, never invented."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import (
    SERVER_FAILURE,
    AbnormalEvent,
    find_abnormal_events,
    words_of_server,
)
from gasoline.analysis.endpoint import path_of
from gasoline.records import EnhancedAction, NetworkBody
from gasoline.records.evidence import Evidence

FAILED = frozenset({"failed", "fail", "timedout", "timed_out", "timeout", "broken", "unexpected"})
ERRORED = frozenset({"error", "crashed", "interrupted"})
SKIPPED = frozenset({"skipped", "pending", "disabled"})
# How long before an exception an answer may have arrived and still be what the code read.
RECENT_MS = 5000
SLOW_MS = 1000
NULLS_SHOWN = 3
_READ_OF_NOTHING = re.compile(r"properties of (null|undefined)|(null|undefined) is not an object")


class Diagnosis(Struct, frozen=True, kw_only=True):
    """One attempt, judged."""

    evidence: Evidence
    status: str
    events: tuple[AbnormalEvent, ...]
    primary: AbnormalEvent | None
    root_cause: str | None
    hints: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return self.status in {"fail", "error"}

    @property
    def cause(self) -> str:
        """Equal for failures of the same cause, whatever ids and times they carry."""
        return self.primary.signature if self.primary else "nothing abnormal in the browser"


def diagnose(evidence: Evidence, *, min_severity: str = "warn") -> Diagnosis:
    """Judge one attempt from its evidence."""
    events = find_abnormal_events(
        evidence.logs,
        evidence.exchanges,
        evidence.websocket_events,
        min_severity=min_severity,
    )
    primary = choose_primary(events)
    root_cause = _root_cause(primary, evidence.exchanges) if primary else None
    return Diagnosis(
        evidence=evidence,
        status=_judge_status(evidence.run.status, events),
        events=tuple(events),
        primary=primary,
        root_cause=root_cause,
        hints=tuple(_hints(evidence, events, primary, root_cause)),
    )


def choose_primary(events: Sequence[AbnormalEvent]) -> AbnormalEvent | None:
    """The first server failure, else the first exception, else the first of whatever else."""
    telling = [event for event in events if event.noise is None]
    ranks = (
        lambda event: event.exchange is not None and event.exchange.status >= SERVER_FAILURE,
        lambda event: event.kind in {"exception", "unhandledrejection"},
        lambda event: event.severity == "error",
        lambda _event: True,
    )
    for is_wanted in ranks:
        if found := next((event for event in telling if is_wanted(event)), None):
            return found
    return None


def find_nulls(exchange: NetworkBody) -> list[str]:
    """The paths of null fields in a successful JSON answer."""
    try:
        answer: Any = msgspec.json.decode(exchange.response_body or "")
    except (msgspec.MsgspecError, RecursionError):
        return []
    return list(islice(_null_paths(answer, "", depth=4), NULLS_SHOWN))


def _null_paths(value: Any, path: str, *, depth: int) -> Iterator[str]:
    if value is None and path:
        yield path
    elif isinstance(value, dict) and depth:
        for key, item in value.items():
            yield from _null_paths(item, f"{path}.{key}" if path else key, depth=depth - 1)
    elif isinstance(value, list) and depth:
        for item in value[:1]:
            yield from _null_paths(item, f"{path}[]", depth=depth - 1)


def _judge_status(said: str | None, events: Sequence[AbnormalEvent]) -> str:
    word = (said or "").lower()
    if word in FAILED:
        return "fail"
    if word in ERRORED:
        return "error"
    if word in SKIPPED:
        return "skipped"
    if word:
        return "pass"
    return (
        "fail" if any(event.severity == "error" and not event.noise for event in events) else "pass"
    )


def _root_cause(primary: AbnormalEvent, exchanges: Sequence[NetworkBody]) -> str | None:
    if primary.exchange:
        words = words_of_server(primary.exchange)
        return f'the server said "{words}"' if words else primary.exchange.error
    if not _READ_OF_NOTHING.search(primary.title):
        return None
    for exchange in reversed(exchanges):
        answered_ms = exchange.at_ms + (exchange.duration or 0)
        nulls = find_nulls(exchange) if 0 <= primary.at_ms - answered_ms <= RECENT_MS else []
        if nulls:
            return (
                f"{exchange.method} {path_of(exchange.url)} had answered {exchange.status} "
                f"with null in {', '.join(nulls)}"
            )
    return None


def _hints(
    evidence: Evidence,
    events: Sequence[AbnormalEvent],
    primary: AbnormalEvent | None,
    root_cause: str | None,
) -> Iterator[str]:
    if primary:
        yield f"Primary failure: {primary.title}"
        if root_cause:
            yield f"Root cause likely: {root_cause}"
    else:
        yield "The browser reported nothing abnormal"
        yield from _quiet_hints(evidence.actions, evidence.exchanges)
    yield from _unrelated(events)


def _quiet_hints(
    actions: Sequence[EnhancedAction], exchanges: Sequence[NetworkBody]
) -> Iterator[str]:
    clicks = [action for action in actions if action.type in {"click", "submit"}]
    if clicks and not any(exchange.at_ms >= clicks[-1].at_ms for exchange in exchanges):
        what = clicks[-1].text or clicks[-1].target or "an element"
        yield f'The last {clicks[-1].type} was on "{what}" and no request followed it'
    slowest = max(exchanges, key=lambda exchange: exchange.duration or 0, default=None)
    if slowest and (slowest.duration or 0) >= SLOW_MS:
        yield (
            f"The slowest request took {slowest.duration:.0f} ms: "
            f"{slowest.method} {path_of(slowest.url)}"
        )


def _unrelated(events: Iterable[AbnormalEvent]) -> Iterator[str]:
    noise = [event for event in events if event.noise]
    if noise:
        reasons = ", ".join(dict.fromkeys(event.noise for event in noise if event.noise))
        yield f"{len(noise)} unrelated: likely noise ({reasons})"
