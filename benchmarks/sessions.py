"""What comparing sessions costs, how soon a listener hears, and what listeners cost everybody."""

import argparse
import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import msgspec
from load import put_load, write_post
from mcp_messages import request
from reading import Http
from samples import full_buffers, log_batch
from servers import Running, gasoline_server
from table import Row, report
from timing import median_ms

from gasoline.stream.subscription import BATCH_WINDOW_S

TIMES = 20
EVENTS = 5
LISTENERS = 10
PAIRS = 3
SECONDS = 3.0
BATCHES = [log_batch(number) for number in range(20)]


def measure(*, times: int = TIMES, seconds: float = SECONDS) -> list[Row]:
    """Comparing on full buffers, one event's way, and throughput with and without listeners."""
    with gasoline_server() as server:
        compare_ms, diff_ms = _measure_comparing(server, times)
    with gasoline_server() as server:
        late_ms = median(_measure_lateness(server, number) for number in range(EVENTS))
    return [
        Row(
            what="verify_fix compare, full buffers, p50", measured=compare_ms, unit="ms", budget=20
        ),
        Row(
            what="diff_sessions compare, full buffers, p50", measured=diff_ms, unit="ms", budget=20
        ),
        Row(
            what="event to listener, beyond the window, p50", measured=late_ms, unit="ms", budget=50
        ),
        Row(
            what=f"ingest with {LISTENERS} listeners, share of without",
            measured=100 * _measure_share(seconds),
            unit="%",
            budget=90,
            budget_is="at least",
        ),
    ]


def _measure_comparing(server: Running, times: int) -> tuple[float, float]:
    client = Http(server.port)
    client.fill(list(full_buffers()))
    session = _ask(client, "verify_fix", action="start")["session_id"]
    _ask(client, "diff_sessions", action="capture", name="before")
    _ask(client, "verify_fix", action="watch", session_id=session)
    client.fill(list(full_buffers()))
    return (
        median_ms(
            lambda: _ask(client, "verify_fix", action="compare", session_id=session), times=times
        ),
        median_ms(
            lambda: _ask(
                client, "diff_sessions", action="compare", compare_a="before", compare_b="current"
            ),
            times=times,
        ),
    )


def _ask(client: Http, tool: str, **arguments: Any) -> dict[str, Any]:
    question = request("tools/call", {"name": tool, "arguments": arguments})
    result = json.loads(client.ask("POST", "/mcp", question)[0])["result"]
    assert not result.get("isError"), result
    answer: dict[str, Any] = json.loads(result["content"][0]["text"])
    return answer


def _measure_lateness(server: Running, number: int) -> float:
    """From the last byte of a batch to the event, less the time that batching takes by design."""
    entry = {"level": "error", "message": f"boom {'x' * number}", "url": "http://app/"}
    body = msgspec.json.encode({"entries": [entry]})
    with _listening(server) as stream:
        started = time.perf_counter()
        Http(server.port).ask("POST", "/logs", body)
        while not (line := stream.readline()).startswith(b"data: "):
            assert line, "the stream ended without the event"
        return (time.perf_counter() - started - BATCH_WINDOW_S) * 1000


def _measure_share(seconds: float) -> float:
    """Alternating pairs of two servers under the same load, one of them with listeners."""
    with gasoline_server() as quiet, gasoline_server() as listened, contextlib.ExitStack() as open_:
        for _ in range(LISTENERS):
            threading.Thread(
                target=_read_all, args=(open_.enter_context(_listening(listened)),), daemon=True
            ).start()
        shares = [_rate(listened, seconds) / _rate(quiet, seconds) for _ in range(PAIRS)]
    return median(shares)


def _rate(server: Running, seconds: float) -> float:
    requests = [write_post(server.port, "/logs", body) for body in BATCHES]
    return put_load(server.port, requests, seconds=seconds).per_second


def _read_all(stream: http.client.HTTPResponse) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        while stream.readline():
            pass


@contextlib.contextmanager
def _listening(server: Running) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/events/stream?throttle_seconds=1")
    line = connection.sock
    stream = connection.getresponse()
    stream.readline()
    try:
        yield stream
    finally:
        # Closing alone would wait for whoever still reads from it.
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        connection.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    report(measure(seconds=parser.parse_args().seconds))
