"""Secrets where they should not be: in URLs, bodies, console messages and WebSocket data."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

import msgspec

from gasoline.analysis.endpoint import path_template
from gasoline.analysis.security.finding import Category, Finding, Occurrence, Severity
from gasoline.analysis.security.leaks import Leak, Place, find_leaks
from gasoline.analysis.security.severity import rate
from gasoline.analysis.security.traffic import Traffic, endpoint_of, shown_path, shown_url
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.redaction import NameRule
from gasoline.redaction.marks import show_masked

_IN_URL = "CWE-598"
_IN_LOG = "CWE-532"
_PREVIEW_CHARS = 120
# What an application itself hands out: reported as exposed data, not as a leaked key.
_OF_THE_APPLICATION = frozenset(
    {"password", "token", "jwt", "bearer-token", "session-id", "cookie", "one-time-code", "pin"}
)
_SIGNS_IN = frozenset({"token", "jwt", "bearer-token", "authorization", "session-id"})
_WHY_NOT_IN_URLS = "Query parameters end up in server logs, browser history, referrers and proxies."
_MOVE_OUT_OF_URL = "Send it in the Authorization header or the request body. "


def find_credentials(traffic: Traffic, checks: Collection[Category]) -> Iterator[Occurrence]:
    """Every leak, each under one category: the one that says most, if that was asked for."""
    for exchange in traffic.exchanges:
        yield from _in_exchange(exchange, checks)
    for entry in traffic.logs:
        yield from _in_console(entry, checks)
    if "credentials" in checks:
        for event in traffic.websocket_events:
            yield from _in_websocket(event)


def credentials_sent(exchange: NetworkBody) -> list[str]:
    """The kinds of secrets that a request carries where they do not belong."""
    places: tuple[tuple[str, Place], ...] = (
        (exchange.url, "url"),
        (exchange.request_body or "", "request"),
    )
    found = {
        leak.rule.kind
        for text, place in places
        for leak, severity in _rated(text, place, exchange.url)
        if severity != "info"
    }
    return sorted(found)


def _in_exchange(exchange: NetworkBody, checks: Collection[Category]) -> Iterator[Occurrence]:
    endpoint, url = endpoint_of(exchange), exchange.url
    if "credentials" in checks:
        for leak, severity in _rated(url, "url", url):
            write = partial(_from_url, exchange, leak, severity)
            yield _occurrence(exchange, endpoint, leak, "url", severity=severity, write=write)
        for leak, severity in _rated(exchange.request_body or "", "request", url):
            write = partial(_from_body, exchange, leak, severity, "request", "credentials")
            yield _occurrence(exchange, endpoint, leak, "request", severity=severity, write=write)
    for leak, severity in _rated(exchange.response_body or "", "response", url):
        if category := _choose(checks, exposes_data=leak.rule.kind in _OF_THE_APPLICATION):
            write = partial(_from_body, exchange, leak, severity, "response", category)
            yield _occurrence(exchange, endpoint, leak, "response", severity=severity, write=write)


def _in_console(entry: LogEntry, checks: Collection[Category]) -> Iterator[Occurrence]:
    text = said_in(entry)
    for leak, severity in _rated(text, "console", entry.url):
        if category := _choose(checks, exposes_data=not leak.is_public):
            yield Occurrence(
                key=("console", leak.rule.kind, place_of(entry), entry.level),
                seq=entry.seq,
                url=entry.url,
                severity=severity,
                write=partial(_from_console, entry, text, leak, severity, category),
            )


def _in_websocket(event: WebSocketEvent) -> Iterator[Occurrence]:
    for text, field in ((event.url, "url"), (event.data or "", "data")):
        place: Place = "url" if field == "url" else "websocket"
        for leak, severity in _rated(text, place, event.url):
            yield Occurrence(
                key=("websocket", field, leak.rule.kind, leak.name, path_template(event.url)),
                seq=event.seq,
                url=event.url,
                severity=severity,
                write=partial(_from_websocket, event, leak, severity, field),
            )


def said_in(entry: LogEntry) -> str:
    """Everything that a console call said, arguments included."""
    said = [entry.message, *(_text(argument) for argument in entry.args)]
    if entry.error is not None:
        said.append(_text(entry.error))
    # The message usually repeats the first argument.
    return " ".join(dict.fromkeys(text for text in said if text))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (RecursionError, TypeError, ValueError):
        return ""


def _rated(text: str, place: Place, url: str) -> Iterator[tuple[Leak, Severity]]:
    seen: set[tuple[str, str]] = set()
    for leak in find_leaks(text):
        severity = rate(leak, place, url)
        # One parameter, one finding, however often it is repeated.
        if severity and (leak.rule.kind, leak.name) not in seen:
            seen.add((leak.rule.kind, leak.name))
            yield leak, severity


def _choose(checks: Collection[Category], *, exposes_data: bool) -> Category | None:
    wanted: tuple[Category, ...] = ("credentials", "pii_exposure")
    if exposes_data:
        wanted = ("pii_exposure", "credentials")
    return next((category for category in wanted if category in checks), None)


def _occurrence(
    exchange: NetworkBody,
    endpoint: str,
    leak: Leak,
    place: Place,
    *,
    severity: Severity,
    write: Callable[[], Finding],
) -> Occurrence:
    return Occurrence(
        key=(place, leak.rule.kind, leak.name, endpoint),
        seq=exchange.seq,
        url=exchange.url,
        severity=severity,
        write=write,
    )


def _from_url(exchange: NetworkBody, leak: Leak, severity: Severity) -> Finding:
    field = _part_of_url(exchange.url, leak)
    place = "URL query parameter" if field == "query_param" else f"URL {field}"
    named = f" as query parameter '{leak.name}'" if field == "query_param" else ""
    return Finding(
        severity=severity,
        category="credentials",
        title=f"{leak.rule.title.removesuffix(' in a URL')} exposed in {place}",
        description=(
            f"{exchange.method} request to {shown_path(exchange.url)} includes "
            f"{_a(leak)}{named}. {_WHY_NOT_IN_URLS}"
        ),
        evidence={
            "method": exchange.method,
            "url": shown_url(exchange.url),
            "field": field,
            "param_name": leak.name,
            "redacted_value": leak.shown,
        },
        recommendation=leak.rule.recommendation
        if leak.is_public
        else _MOVE_OUT_OF_URL + leak.rule.recommendation,
        cwe=_IN_URL,
    )


def _part_of_url(url: str, leak: Leak) -> str:
    before = url[: leak.start]
    if "#" in before:
        return "fragment"
    if "?" in before or "&" in before:
        return "query_param"
    return "userinfo" if leak.rule.kind == "url-password" else "path"


def _from_body(
    exchange: NetworkBody, leak: Leak, severity: Severity, place: Place, category: Category
) -> Finding:
    verb = "sends" if place == "request" else "returned"
    named = f" in '{leak.name}'" if leak.name else ""
    path = shown_path(exchange.url)
    return Finding(
        severity=severity,
        category=category,
        title=f"{leak.rule.title} in {place} body",
        description=f"{exchange.method} {path} {verb} {_a(leak)}{named}.",
        evidence={
            "method": exchange.method,
            "url": shown_url(exchange.url),
            "status": exchange.status,
            "field": f"{place}_body",
            "param_name": leak.name,
            "redacted_value": leak.shown,
        },
        recommendation=leak.rule.recommendation,
        cwe=getattr(leak.rule, "cwe", None),
    )


def _from_console(
    entry: LogEntry, text: str, leak: Leak, severity: Severity, category: Category
) -> Finding:
    what = "Auth token" if leak.rule.kind in _SIGNS_IN else leak.rule.title
    return Finding(
        severity=severity,
        category=category,
        title=f"{what} logged to console",
        description=f"console.{entry.level or 'log'}() call includes {_a(leak)}.",
        evidence={
            "type": "console",
            "level": entry.level,
            "pattern": "jwt_token" if leak.rule.kind == "jwt" else leak.rule.kind.replace("-", "_"),
            "redacted_preview": preview(text, leak.start),
            "source": source_of(entry),
        },
        recommendation=(
            f"Remove the console call, or log a shortened form. {leak.rule.recommendation}"
        ),
        cwe=None if leak.is_public else _IN_LOG,
    )


def _from_websocket(event: WebSocketEvent, leak: Leak, severity: Severity, field: str) -> Finding:
    place = "WebSocket URL" if field == "url" else f"{event.direction} WebSocket message".lstrip()
    return Finding(
        severity=severity,
        category="credentials",
        title=f"{leak.rule.title} in {place}",
        description=f"The connection to {shown_path(event.url)} carries {_a(leak)}.",
        evidence={
            "type": "websocket",
            "url": shown_url(event.url),
            "direction": event.direction,
            "field": field,
            "param_name": leak.name,
            "redacted_value": leak.shown,
        },
        recommendation=leak.rule.recommendation,
        cwe=_IN_URL if field == "url" else getattr(leak.rule, "cwe", None),
    )


def preview(text: str, start: int) -> str:
    """The words around a leak, with what is secret in them masked."""
    first = max(0, start - _PREVIEW_CHARS // 2)
    shown = show_masked(text[first : start + _PREVIEW_CHARS])
    return shown[:_PREVIEW_CHARS]


def place_of(entry: LogEntry) -> str:
    """Calls from one place are one finding."""
    return source_of(entry) or path_template(entry.url)


def source_of(entry: LogEntry) -> str:
    """`file:line` of a console call, as far as its capture said."""
    if entry.filename:
        return f"{entry.filename}:{entry.lineno}" if entry.lineno else entry.filename
    return entry.source if ":" in entry.source else ""


def _a(leak: Leak) -> str:
    title = leak.rule.title.removesuffix(" in a URL")
    # The names of providers keep their capital.
    is_name = not isinstance(leak.rule, NameRule) or title[1].isupper()
    words = title if is_name else title[0].lower() + title[1:]
    if leak.is_sample:
        return f"what looks like a sample {words}"
    return f"{'an' if words[0] in 'AEIOaeio' else 'a'} {words}"
