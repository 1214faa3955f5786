"""Requests that anyone on the way can read or change."""

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlsplit

from gasoline.analysis.endpoint import path_template
from gasoline.analysis.security.finding import Finding, Occurrence
from gasoline.analysis.security.traffic import (
    Traffic,
    endpoint_of,
    origin_of,
    shown_url,
)
from gasoline.records import NetworkBody, WebSocketEvent

_CWE = "CWE-319"
_SCRIPTS = frozenset(
    {
        "application/javascript",
        "text/javascript",
        "application/x-javascript",
        "application/ecmascript",
    }
)
_RESOURCES = {"image": "image", "font": "font", "audio": "media", "video": "media"}


def find_insecure_transport(traffic: Traffic) -> Iterator[Occurrence]:
    """Plain HTTP and WebSocket connections beyond this machine, and mixed content."""
    for exchange in traffic.exchanges:
        if not is_insecure(exchange.url, "http"):
            continue
        yield _occurrence(exchange, _plain(exchange), "http")
        if exchange.page_url.lower().startswith("https://"):
            yield _occurrence(exchange, _mixed(exchange), "mixed")
    for event in traffic.websocket_events:
        if is_insecure(event.url, "ws"):
            yield Occurrence(
                key=("ws", f"{origin_of(event.url)}{path_template(event.url)}"),
                seq=event.seq,
                url=event.url,
                severity="warning",
                write=partial(_plain_websocket, event),
            )


def is_insecure(url: str, scheme: str) -> bool:
    """Tell whether a URL is unencrypted and leaves this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    is_local = host in {"localhost", "::1"} or host.endswith(".localhost") or host[:4] == "127."
    return parts.scheme == scheme and bool(host) and not is_local


def resource_type(content_type: str) -> str:
    """What a page loads, from what the server calls it."""
    media = content_type.partition(";")[0].strip().lower()
    if media in _SCRIPTS:
        return "script"
    if media == "text/css":
        return "style"
    return _RESOURCES.get(media.partition("/")[0], "fetch")


def _occurrence(exchange: NetworkBody, finding: Finding, what: str) -> Occurrence:
    return Occurrence(
        key=(what, endpoint_of(exchange)),
        seq=exchange.seq,
        url=exchange.url,
        severity=finding.severity,
        write=lambda: finding,
    )


def _plain(exchange: NetworkBody) -> Finding:
    url = shown_url(exchange.url)
    return Finding(
        severity="warning",
        category="transport",
        title="API call over unencrypted HTTP",
        description=f"{exchange.method} {url} can be read and changed on its way.",
        evidence={"method": exchange.method, "url": url, "status": exchange.status},
        recommendation="Use https:// for every call, and redirect http:// on the server.",
        cwe=_CWE,
    )


def _mixed(exchange: NetworkBody) -> Finding:
    kind = resource_type(exchange.content_type)
    page, url = shown_url(exchange.page_url), shown_url(exchange.url)
    return Finding(
        severity="critical" if kind == "script" else "warning",
        category="transport",
        title="Mixed content: HTTPS page loading HTTP resource",
        description=f"Page at {page} loads a {kind} from {url}.",
        evidence={"page_url": page, "resource_url": url, "resource_type": kind},
        recommendation=(
            "Use HTTPS for all resources. Mixed content can be intercepted by network attackers."
        ),
        cwe=_CWE,
    )


def _plain_websocket(event: WebSocketEvent) -> Finding:
    url = shown_url(event.url)
    return Finding(
        severity="warning",
        category="transport",
        title="WebSocket connection over unencrypted ws://",
        description=f"Messages of {url} can be read and changed on their way.",
        evidence={"url": url},
        recommendation="Use wss:// for WebSocket connections.",
        cwe=_CWE,
    )
