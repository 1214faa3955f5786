"""Where browsers deliver what they saw."""

from collections.abc import Callable
from itertools import islice

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gasoline.ingest import STREAMS, Ingest, RefusedBatch, Stream
from gasoline.ingest.boundary import BOUNDARY_ROUTE
from gasoline.ingest.ingest import Receipt
from gasoline.ingest.refusal import TOO_MANY
from gasoline.ingest.streams import (
    BATCHES_ROUTE,
    ENHANCED_ACTIONS,
    EVIDENCE_ROUTE,
    LOGS,
    PERFORMANCE_SNAPSHOTS,
)
from gasoline.records import LogEntry, PerformanceSnapshot, WebSocketEvent
from gasoline.store import Store
from gasoline.surfaces.http.answers import json_answer, refuse
from gasoline.surfaces.http.app import Routes
from gasoline.surfaces.http.asked import named_origin, named_test
from gasoline.surfaces.http.snapshot import write_list

WEBSOCKET_EVENTS_LISTED = 50
USER_AGENT_CHARS = 500
_STREAM_AT = {stream.route.encode(): stream for stream in STREAMS}
_BOUNDARY = BOUNDARY_ROUTE.encode()
_NO_BATCH = "Each line must be a route of batches and a JSON object"
_NO_EVIDENCE = (
    f"Each line must be a route of batches, with a space and an origin or without, or "
    f"{BOUNDARY_ROUTE}, and a JSON object"
)


def ingest_routes(ingest: Ingest) -> Routes:
    """A POST for each stream and two for all, and the older reads and deletes beside them."""
    store = ingest.store
    routes: Routes = {stream.route: {"POST": _taker(ingest, stream)} for stream in STREAMS}
    routes[BATCHES_ROUTE] = {"POST": lambda request, body: _take_batches(ingest, request, body)}
    routes[EVIDENCE_ROUTE] = {"POST": lambda request, body: _take_evidence(ingest, request, body)}
    routes[LOGS.route] |= {
        "GET": lambda _request, _body: _list_logs(store),
        "DELETE": lambda _request, _body: _clear_logs(store),
    }
    routes["/websocket-events"]["GET"] = lambda _request, _body: _list_events(store)
    routes["/performance-snapshot"] = {
        "POST": lambda request, body: _take_single_snapshot(ingest, request, body),
        "GET": lambda request, _body: _show_performance(store, request),
        "DELETE": lambda _request, _body: _clear_performance(store),
    }
    return routes


def _taker(ingest: Ingest, stream: Stream) -> Callable[[Request, bytes], Response]:
    def take(request: Request, body: bytes) -> Response:
        receipt = _take(ingest, stream, body, request)
        return json_answer(_complete(ingest.store, stream, receipt))

    return take


def _take(
    ingest: Ingest, stream: Stream, body: bytes, request: Request, *, origin: str | None = None
) -> Receipt:
    receipt = ingest.take(
        stream,
        body,
        peer=_peer(request),
        test_id=named_test(request),
        origin=origin or named_origin(request),
    )
    # With actions only: they are rare, and what reports are about.
    if stream is ENHANCED_ACTIONS:
        ingest.store.user_agent = request.headers.get("user-agent", "")[:USER_AGENT_CHARS]
    return receipt


def _take_batches(ingest: Ingest, request: Request, body: bytes) -> Response:
    def take(line: bytes) -> Receipt:
        route, content = _read_line(line)
        stream = _STREAM_AT.get(route)
        if stream is None:
            raise RefusedBatch(_NO_BATCH)
        return _take(ingest, stream, content, request)

    return _take_lines(body, take)


def _take_evidence(ingest: Ingest, request: Request, body: bytes) -> Response:
    """The same from a driver, which the guard has told from a page."""

    def take(line: bytes) -> Receipt:
        head, content = _read_line(line)
        route, _, origin = head.partition(b" ")
        if route == _BOUNDARY:
            ingest.mark(content)
            return Receipt(received=0)
        stream = _STREAM_AT.get(route)
        if stream is None:
            raise RefusedBatch(_NO_EVIDENCE)
        return _take(ingest, stream, content, request, origin=origin.decode("latin-1"))

    return _take_lines(body, take)


def _take_lines(body: bytes, take: Callable[[bytes], Receipt]) -> Response:
    """Take what can be taken. Whoever comes too fast goes on where this ended."""
    received = rejected = taken = 0
    refused: RefusedBatch | None = None
    for number, line in enumerate(body.split(b"\n")):
        try:
            receipt = take(line)
        except RefusedBatch as refusal:
            if refusal.status == TOO_MANY:
                refusal.taken = number
                raise
            refused = refused or refusal
        else:
            taken += 1
            received += receipt.received
            rejected += receipt.rejected or 0
    if refused:
        refused.taken = taken
        raise refused
    return json_answer({"received": received, "rejected": rejected})


def _read_line(line: bytes) -> tuple[bytes, bytes]:
    """What stands before the object, and the object; nothing of a line without one."""
    head, opening, rest = line.partition(b"{")
    return (head, opening + rest) if opening else (b"", b"")


def _complete(store: Store, stream: Stream, receipt: Receipt) -> bytes:
    """Add what older clients of a route read from its answer."""
    answer = msgspec.json.encode(receipt)
    if stream is LOGS:
        return b'%s,"entries":%d}' % (answer[:-1], store.count(LogEntry))
    if stream is PERFORMANCE_SNAPSHOTS:
        updated = b"true" if receipt.received else b"false"
        return b'%s,"baseline_updated":%s}' % (answer[:-1], updated)
    return answer


def _take_single_snapshot(ingest: Ingest, request: Request, body: bytes) -> Response:
    peer, test_id = _peer(request), named_test(request)
    receipt = ingest.take_single_snapshot(body, peer=peer, test_id=test_id)
    if receipt.reason:
        return refuse(receipt.reason)
    return json_answer({"received": True, "baseline_updated": True})


def _peer(request: Request) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""


def _list_logs(store: Store) -> Response:
    entries = list(store.oldest(LogEntry))
    return json_answer(b'{"entries":%s,"count":%d}' % (write_list(entries), len(entries)))


def _clear_logs(store: Store) -> Response:
    store.clear_kind(LogEntry)
    return json_answer({"cleared": True})


def _list_events(store: Store) -> Response:
    events = list(islice(store.newest(WebSocketEvent), WEBSOCKET_EVENTS_LISTED))
    return json_answer(b'{"events":%s,"count":%d}' % (write_list(events), len(events)))


def _show_performance(store: Store, request: Request) -> Response:
    url = request.query_params.get("url")
    snapshot = store.baselines.latest(url)
    baseline = store.baselines.baseline(snapshot.url) if snapshot else None
    return json_answer({"snapshot": snapshot, "baseline": baseline})


def _clear_performance(store: Store) -> Response:
    store.clear_kind(PerformanceSnapshot)
    store.baselines.clear()
    return json_answer({"cleared": True})
