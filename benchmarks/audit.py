"""How long an audit of full buffers takes, clean and with a secret in every record."""

import argparse
from typing import Any

import msgspec
from samples import full_buffers, log_entry, network_body, websocket_event
from table import Row, report
from timing import median_ms

from gasoline.analysis.security.audit import audit
from gasoline.analysis.security.traffic import Traffic
from gasoline.ingest import Ingest
from gasoline.ingest.streams import LOGS, NETWORK_BODIES, STREAMS, WEBSOCKET_EVENTS, Stream
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.store import Store

TIMES = 20
_LEAK = "npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def clean_store() -> Store:
    """Buffers as they are after a long visit of a well-made shop."""
    streams = {stream.route: stream for stream in STREAMS}
    return _filled((streams[route], body) for route, body in full_buffers())


def leaky_store() -> Store:
    """The same, but everything leaks, each time somewhere else."""
    bodies: list[tuple[Stream, list[dict[str, Any]]]] = [
        (LOGS, [log_entry(n) | {"message": f"{n} {_LEAK}"} for n in range(1000)]),
        (WEBSOCKET_EVENTS, [websocket_event(n) | {"data": f"{n} {_LEAK}"} for n in range(500)]),
        (NETWORK_BODIES, [_leaky_body(number) for number in range(100)]),
    ]
    return _filled(
        (stream, msgspec.json.encode({stream.list_name: entries})) for stream, entries in bodies
    )


def _leaky_body(number: int) -> dict[str, Any]:
    body = network_body(number)
    people = [{"email": f"ann{n}@mailpost.no", "phone": "+1 202 555 0143"} for n in range(50)]
    answer = msgspec.json.encode({"key": _LEAK, "people": people}).decode()
    return body | {
        "url": f"http://shop.example.com/page-{number}x?api_key=hl9f2c7d41b86e5a03c9d7",
        "responseBody": answer,
        "hasAuthHeader": False,
    }


def _filled(batches: Any) -> Store:
    store = Store(clock=lambda: 0.0)
    ingest = Ingest(store)
    for stream, body in batches:
        ingest.take(stream, body, peer=str(body[:40]))
    return store


def _audit(store: Store) -> int:
    """As the tool does: decode what is kept, then look."""
    traffic = Traffic(
        tuple(kept.read(NetworkBody) for kept in store.oldest(NetworkBody)),
        tuple(kept.read(LogEntry) for kept in store.oldest(LogEntry)),
        tuple(kept.read(WebSocketEvent) for kept in store.oldest(WebSocketEvent)),
    )
    return len(audit(traffic, severity_min="info").findings)


def measure(*, times: int = TIMES) -> list[Row]:
    """One audit of each."""
    clean, leaky = clean_store(), leaky_store()
    assert _audit(leaky)
    return [
        _row(
            "security_audit, every buffer full, p50", median_ms(lambda: _audit(clean), times=times)
        ),
        _row(
            "the same with a secret in each record", median_ms(lambda: _audit(leaky), times=times)
        ),
    ]


def _row(what: str, measured: float) -> Row:
    return Row(what=what, measured=measured, unit="ms", budget=100)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="per audit (default: 20)")
    report(measure(times=parser.parse_args().times))


if __name__ == "__main__":
    main()
