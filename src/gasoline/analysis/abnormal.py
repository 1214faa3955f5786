"""The abnormal events of a session, in order: errors, failed requests, broken connections."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.analysis.endpoint import path_of, path_template
from gasoline.analysis.json_body import UnreadableBodyError, read_json
from gasoline.analysis.message import normalise_message
from gasoline.analysis.noise import noise_reason
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.records.ai_context import AiContext
from gasoline.records.network import FAILURE_STATUS

SERVER_FAILURE = 500
NORMAL_CLOSE = frozenset({1000, 1001, 1005})
SEVERITIES = ("error", "warn", "info")
# A failed request is reported twice, as an exchange and as a log entry, within this time.
SAME_REQUEST_MS = 2000
TELLING_KEYS = (
    *("error", "error_description", "errorMessage", "errors", "message", "msg"),
    *("detail", "details", "reason", "title", "code"),
)
# What frameworks call the refusals of single fields, and how many are quoted.
FIELD_ERRORS = "errors"
FIELDS_QUOTED = 3
TELLING_CHARS = 200


class AbnormalEvent(Struct, frozen=True, kw_only=True):
    """Something that should not have happened, told by who saw it."""

    at_ms: float
    kind: str
    severity: str
    title: str
    signature: str
    stack: tuple[str, ...] = ()
    exchange: NetworkBody | None = None
    noise: str | None = None
    url: str = ""
    context: AiContext = AiContext()

    @property
    def where(self) -> str:
        """` in src/pay.ts:12`, where the source is known."""
        place = self.context.place
        return f" in {place.file}:{place.line}" if place else ""


def find_abnormal_events(
    logs: Iterable[LogEntry],
    exchanges: Sequence[NetworkBody],
    websocket_events: Iterable[WebSocketEvent],
    *,
    min_severity: str = "warn",
) -> list[AbnormalEvent]:
    """Everything abnormal at or above a severity, first things first."""
    failed = [exchange for exchange in exchanges if _has_failed(exchange)]
    found = [
        *(_from_log(entry) for entry in logs if not _repeats_exchange(entry, failed)),
        *(_from_exchange(exchange) for exchange in failed),
        *(_from_websocket(event) for event in websocket_events),
    ]
    allowed = SEVERITIES[: SEVERITIES.index(min_severity) + 1]
    events = [event for event in found if event is not None and event.severity in allowed]
    return sorted(events, key=lambda event: event.at_ms)


def words_of_server(exchange: NetworkBody) -> str | None:
    """What the server itself said about a failure, from the telling fields of its answer."""
    try:
        answer = read_json(exchange.response_body)
    except UnreadableBodyError:
        return _first_line(exchange.response_body or "")
    words = list(dict.fromkeys(_telling_words(answer, depth=3)))
    return ": ".join(word.rstrip(". ") for word in words)[:TELLING_CHARS] or None


def _first_line(body: str) -> str | None:
    """Of plain text; markup, and JSON that was cut off, begin with nothing telling."""
    line = body.strip().partition("\n")[0].strip()
    return None if line.startswith(("<", "{", "[")) else line[:TELLING_CHARS] or None


def _telling_words(answer: Any, *, depth: int) -> Iterable[str]:
    if isinstance(answer, str):
        yield answer
    elif isinstance(answer, list) and depth:
        for item in answer[:FIELDS_QUOTED]:
            yield from _telling_words(item, depth=depth - 1)
    elif isinstance(answer, dict) and depth:
        for key in TELLING_KEYS:
            value = answer.get(key)
            if value is not None and value != "":
                yield from _telling_words(value, depth=depth - 1)
        if isinstance(fields := answer.get(FIELD_ERRORS), dict):
            yield from _refused_fields(fields)


def _refused_fields(fields: dict[str, Any]) -> Iterable[str]:
    """As in `{"email": ["is not an address"]}`."""
    for name, refusals in islice(fields.items(), FIELDS_QUOTED):
        words = [refusals] if isinstance(refusals, str) else refusals
        if isinstance(words, list) and words and isinstance(words[0], str):
            yield f"{name} {words[0]}"


def _has_failed(exchange: NetworkBody) -> bool:
    return exchange.failed or bool(exchange.error)


def _repeats_exchange(entry: LogEntry, failed: list[NetworkBody]) -> bool:
    if not is_network_log(entry):
        return False
    said = entry.message or ""
    return any(
        abs(entry.at_ms - exchange.at_ms) < SAME_REQUEST_MS + (exchange.duration or 0)
        and exchange.method in said
        and (path_of(exchange.url) in said or path_of(exchange.url) in entry.url)
        for exchange in failed
    )


def _from_log(entry: LogEntry) -> AbnormalEvent | None:
    severity = "error" if entry.is_error else "warn" if entry.is_warning else None
    if severity is None:
        return None
    text = said_by(entry)
    return AbnormalEvent(
        at_ms=entry.at_ms,
        kind=_kind_of(entry),
        severity=severity,
        title=text,
        signature=normalise_message(text),
        stack=_calls(entry),
        noise=noise_of(entry),
        url=entry.url,
        context=entry.ai_context,
    )


def _calls(entry: LogEntry) -> tuple[str, ...]:
    """The stack: in the source where that is known, else as the browser wrote it."""
    snippets = entry.ai_context.source_snippets
    if snippets:
        return tuple(f"at {one.file}:{one.line}:{one.column}" for one in snippets)
    return tuple(line.strip() for line in entry.stack.split("\n")[1:] if line.strip())


def said_by(entry: LogEntry) -> str:
    """A log entry in words, whatever client wrote it."""
    if entry.message:
        return entry.message
    if entry.args:
        return " ".join(_text(argument) for argument in entry.args)
    if entry.status is not None:
        return f"{entry.method or 'GET'} {entry.url} → {entry.status} {entry.status_text}".rstrip()
    return _text(entry.error) if entry.error is not None else entry.origin


def is_network_log(entry: LogEntry) -> bool:
    """Whether a log entry is about a request, which may have been captured with its bodies too."""
    return "network" in {entry.type, entry.source}


def noise_of(entry: LogEntry) -> str | None:
    """Why an entry is known noise: by its script, its request or its words.

    Not by the web page it comes from: a page called /metrics has errors like any other.
    """
    of_web_page = not is_network_log(entry) and entry.url.startswith("http")
    address = entry.filename or ("" if of_web_page else entry.url)
    return noise_reason(url=address, message=said_by(entry))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _kind_of(entry: LogEntry) -> str:
    # Scripts name the kind in `source`, the extension in `type`.
    known = {"crash", "exception", "unhandledrejection", "network", "resource", "csp", "console"}
    return next((name for name in (entry.source, entry.type) if name in known), "console")


def _from_exchange(exchange: NetworkBody) -> AbnormalEvent:
    outcome = f"{exchange.status}" if exchange.status else f"0 ({exchange.error or 'no answer'})"
    is_warning = FAILURE_STATUS <= exchange.status < SERVER_FAILURE
    return AbnormalEvent(
        at_ms=exchange.at_ms + (exchange.duration or 0),
        kind="network",
        severity="warn" if is_warning else "error",
        title=f"{exchange.method} {path_of(exchange.url)} → {outcome}",
        signature=f"{exchange.method} {path_template(exchange.url)} → {exchange.status}",
        exchange=exchange,
        noise=noise_reason(url=exchange.url),
        url=exchange.page_url,
    )


def from_hanging(exchange: NetworkBody) -> AbnormalEvent:
    """A request that a test waited for and that was never answered."""
    where = f"{exchange.method} {path_of(exchange.url)}"
    return AbnormalEvent(
        at_ms=exchange.at_ms + (exchange.duration or 0),
        kind="network",
        severity="error",
        title=f"{where} → never answered (waited {exchange.duration or 0:.0f} ms)",
        signature=f"{exchange.method} {path_template(exchange.url)} → never answered",
        exchange=exchange,
        noise=noise_reason(url=exchange.url),
        url=exchange.page_url,
    )


def _from_websocket(event: WebSocketEvent) -> AbnormalEvent | None:
    broken_close = event.event == "close" and event.code not in {None, *NORMAL_CLOSE}
    if event.event != "error" and not broken_close:
        return None
    what = f"closed with {event.code} {event.reason}".rstrip() if broken_close else "failed"
    return AbnormalEvent(
        at_ms=event.at_ms,
        kind="websocket",
        severity="error",
        title=f"WebSocket {path_of(event.url)} {what}",
        signature=f"WebSocket {path_template(event.url)} {event.event} {event.code}",
        noise=noise_reason(url=event.url),
        url=event.url,
    )
