"""How long readers wait while every buffer is full."""

import argparse
import contextlib
import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator

from mcp_messages import ASK_FOR_ERRORS, HELLO, INITIALIZED, PROTOCOL_VERSION
from samples import full_buffers
from servers import Running, gasoline_server
from table import Row, report
from timing import median_ms

from gasoline.surfaces.daemon.place import find_place

TIMES = 100
TIMES_WITH_REFILL = 20
REFILL_PAUSE_S = 0.1

FILLING = list(full_buffers())
LOGS_ONLY = [(route, body) for route, body in FILLING if route == "/logs"]

Call = Callable[[], object]


class Http:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[bytes, str | None]:
        """The answer's body and the MCP session it opened, if it did."""
        self._connection.request(method, path, body, headers or {})
        response = self._connection.getresponse()
        answer = response.read()
        assert response.status in {200, 202}, answer
        return answer, response.getheader("mcp-session-id")

    def fill(self, batches: list[tuple[str, bytes]]) -> None:
        # A sender may not send more than 10,000 events a second.
        time.sleep(REFILL_PAUSE_S)
        for route, body in batches:
            self.ask("POST", route, body)


def measure(*, times: int = TIMES) -> list[Row]:
    """Reads and clearing over HTTP, one tool over both ways to reach it."""
    with gasoline_server() as server:
        http_client = Http(server.port)
        http_client.fill(LOGS_ONLY)
        answer, _ = http_client.ask("GET", "/snapshot")
        assert json.loads(answer)["stats"]["total_logs"] == 1000  # noqa: PLR2004  # its default limit
        snapshot_ms = median_ms(lambda: http_client.ask("GET", "/snapshot"), times=times)
        http_client.fill(FILLING)
        all_ms = median_ms(lambda: http_client.ask("GET", "/snapshot"), times=times)
        with _socket_session(server) as call:
            socket_ms = median_ms(call, times=times)
        http_ms = median_ms(_http_session(http_client), times=times)
        clear_ms = median_ms(
            lambda: http_client.ask("POST", "/clear"),
            times=min(times, TIMES_WITH_REFILL),
            before=lambda: http_client.fill(FILLING),
        )
    return [
        _row("GET /snapshot, 1000 log entries, p50", snapshot_ms, 10),
        _row("GET /snapshot, every buffer full, p50", all_ms),
        _row("POST /clear, every buffer full, p50", clear_ms, 2),
        _row("tool call over the private socket, p50", socket_ms, 3),
        _row("tool call over HTTP, p50", http_ms, 3),
    ]


@contextlib.contextmanager
def _socket_session(server: Running) -> Iterator[Call]:
    """A tool call as a bridge makes it."""
    place = find_place(server.port, server.environment)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(place.socket))
        lines = connection.makefile("rb")

        def ask(message: bytes) -> bytes:
            connection.sendall(message + b"\n")
            return lines.readline()

        ask(HELLO)
        connection.sendall(INITIALIZED + b"\n")
        _check(ask(ASK_FOR_ERRORS))
        yield lambda: ask(ASK_FOR_ERRORS)


def _http_session(http_client: Http) -> Call:
    """A tool call as a client of the HTTP transport makes it."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": PROTOCOL_VERSION,
    }
    _, session = http_client.ask("POST", "/mcp", HELLO, headers)
    assert session is not None
    headers["Mcp-Session-Id"] = session
    http_client.ask("POST", "/mcp", INITIALIZED, headers)
    _check(http_client.ask("POST", "/mcp", ASK_FOR_ERRORS, headers)[0])
    return lambda: http_client.ask("POST", "/mcp", ASK_FOR_ERRORS, headers)


def _check(answer: bytes) -> None:
    assert b"200 browser errors" in answer, answer[:500]


def _row(what: str, measured: float, budget: float | None = None) -> Row:
    return Row(what=what, measured=measured, unit="ms", budget=budget)


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="per question (default: 100)")
    report(measure(times=parser.parse_args().times))


if __name__ == "__main__":
    main()
