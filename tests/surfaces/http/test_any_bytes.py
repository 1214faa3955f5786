"""Any bytes at all on any route: an answer below 500, a reason in a refusal, a living server."""

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.servers import LOOPBACK, PATIENCE_S, Answer, RunningServer
from tests.surfaces.http.asking import METHODS, known_paths, own_host

# What the HTTP parser says before any route is asked.
NOT_HTTP = b"Invalid HTTP request received."

FIELDS = st.sampled_from(
    [
        *("entries", "events", "bodies", "actions", "snapshots"),
        *("sender", "batch", "dropped", "test_id", "testId", "action", "attempt", "status"),
        *("level", "message", "type", "url", "ts", "timestamp", "timing", "metadata", "payload"),
        *("event", "id", "data", "size", "code", "sampled", "selectors", "network", "longTasks"),
        *("dataUrl", "data_url", "result", "preserve_config", "session_id", "duration_ms"),
        *("jsonrpc", "method", "params", "name", "arguments", "tab_id", "password", "headers"),
    ]
)
WORDS = st.sampled_from(
    ["start", "end", "open", "close", "message", "error", "2026-03-01T12:00:00Z", "tools/call"]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | WORDS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.dictionaries(FIELDS | st.text(), inner),
    max_leaves=20,
)
OBJECTS = st.dictionaries(FIELDS, VALUES)
LISTS = st.sampled_from(["entries", "events", "bodies", "actions", "snapshots"])
BATCHES = st.builds(
    lambda name, entries, more: more | {name: entries}, LISTS, st.lists(OBJECTS), OBJECTS
)
NUMBERS = st.sampled_from([b"1e999", b"-0", b"9" * 5000, b"0.1e-400", b"01", b"NaN"])


def encode(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


JSON_BODIES = (BATCHES | OBJECTS | VALUES).map(encode)
DAMAGED = st.builds(
    lambda body, at, other: body[: at % (len(body) + 1)] + other + body[at % (len(body) + 1) :],
    JSON_BODIES,
    st.integers(0, 1000),
    st.binary(max_size=4) | NUMBERS,
)
ROUTES = st.sampled_from([b"/logs", b"/network-bodies", b"/dom-snapshots", b"/clear", b""])
LINES = st.lists(st.builds(lambda route, body: route + body, ROUTES, JSON_BODIES | DAMAGED)).map(
    b"\n".join
)
BODIES = st.binary() | JSON_BODIES | DAMAGED | LINES
PATHS = st.sampled_from(known_paths()) | st.text(max_size=20).map(
    lambda text: "/" + "".join(c for c in text if "!" <= c <= "~" and c not in "?#")
)
QUERIES = st.dictionaries(
    st.sampled_from(["since", "test_id", "attempt", "url", "token", "x"]),
    st.binary(max_size=20).map(lambda raw: "".join(f"%{byte:02x}" for byte in raw))
    | st.sampled_from(["2026-03-01T12:00:00Z", "1", "-1", "%ff", "%00", "&&", "=;"]),
    max_size=3,
)
HEADER_VALUES = st.binary(max_size=40).map(
    lambda raw: bytes(byte for byte in raw if byte >= 0x20 and byte != 0x7F)
)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            *(b"Origin", b"Sec-Fetch-Site", b"Content-Type", b"X-Gasoline-Test-Id", b"X-Other"),
            *(b"Access-Control-Request-Method", b"Authorization", b"Accept", b"Mcp-Session-Id"),
            *(b"X-Gasoline-Key", b"Content-Encoding", b"Upgrade", b"Cookie", b"Range"),
        ]
    ),
    HEADER_VALUES,
    max_size=4,
)


@pytest.fixture(scope="module", autouse=True)
def _nothing_failed_within(server: RunningServer) -> Iterator[None]:
    """The server said nothing of a failure of its own, whatever it was sent."""
    yield
    assert [line for line in server.said if "Traceback" in line or "Exception" in line] == []


def exchange(server: RunningServer, request: bytes) -> bytes:
    """Send bytes, say no more, and take whatever comes back until the server closes."""
    with socket.create_connection((LOOPBACK, server.port), timeout=PATIENCE_S) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


def ask_bytes(
    server: RunningServer,
    method: str,
    target: str,
    headers: dict[bytes, bytes],
    body: bytes,
) -> Answer:
    """One well-formed request of odd content."""
    name, value = own_host(server)
    lines = [f"{method} {target} HTTP/1.1".encode(), f"{name}: {value}".encode()]
    lines += [name + b": " + value for name, value in headers.items()]
    lines += [b"Connection: close", b"Content-Length: %d" % len(body), b"", body]
    with socket.create_connection((LOOPBACK, server.port), timeout=PATIENCE_S) as connection:
        connection.sendall(b"\r\n".join(lines))
        response = http.client.HTTPResponse(connection, method=method)
        response.begin()
        streams = response.headers.get_content_type() == "text/event-stream"
        return Answer(response.status, {}, b"" if streams else response.read())


def is_reasoned(method: str, answer: Answer) -> bool:
    """Whether a refusal says why, where it may say anything at all."""
    if answer.status < 400 or method == "HEAD" or answer.body == NOT_HTTP:
        return answer.status < 500
    return answer.status < 500 and "error" in json.loads(answer.body)


def is_alive(server: RunningServer) -> bool:
    return server.process.poll() is None and server.request("GET", "/health").status == 200


@settings(max_examples=150, deadline=None)
@given(method=st.sampled_from(METHODS), path=PATHS, query=QUERIES, headers=HEADERS, body=BODIES)
def test_any_request_gets_an_answer_below_500_and_a_refusal_its_reason(
    server: RunningServer,
    *,
    method: str,
    path: str,
    query: dict[str, str],
    headers: dict[bytes, bytes],
    body: bytes,
) -> None:
    asked = "&".join(f"{name}={value}" for name, value in query.items())

    answer = ask_bytes(server, method, f"{path}?{asked}", headers, body)

    assert is_reasoned(method, answer), answer


@settings(max_examples=150, deadline=None)
@given(path=st.sampled_from(known_paths()), body=DAMAGED | BATCHES.map(encode) | LINES)
def test_any_body_that_is_almost_right_is_taken_or_refused(
    server: RunningServer, path: str, body: bytes
) -> None:
    answer = ask_bytes(server, "POST", path, {}, body)

    assert is_reasoned("POST", answer), answer


@settings(max_examples=150, deadline=None)
@given(garbage=st.binary() | BODIES)
def test_bytes_that_are_no_http_at_all_are_refused_or_ignored(
    server: RunningServer, garbage: bytes
) -> None:
    said = exchange(server, garbage + b"\r\n\r\n")

    assert said == b"" or said.startswith((b"HTTP/1.1 4", b"HTTP/1.1 2"))


@pytest.mark.parametrize(
    "request_line",
    [
        b"OPTIONS * HTTP/1.1",
        b"CONNECT evil.example:443 HTTP/1.1",
        b"GET http://evil.example/snapshot HTTP/1.1",
        b"GET /\xff\xfe HTTP/1.1",
        b"GET /snapshot?\xff HTTP/1.1",
        b"GET /%ff%00%0d%0a HTTP/1.1",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1",
        b"GET /snapshot HTTP/0.9",
        b"GET /snapshot HTTP/1.0",
        b"PRI * HTTP/2.0",
        b"BREW /logs HTTP/1.1",
        b"get /snapshot HTTP/1.1",
    ],
)
def test_a_strange_request_line_breaks_nothing(server: RunningServer, request_line: bytes) -> None:
    name, value = own_host(server)

    said = exchange(
        server, request_line + f"\r\n{name}: {value}\r\nConnection: close\r\n\r\n".encode()
    )

    assert said.startswith((b"HTTP/1.1 2", b"HTTP/1.1 4"))
    assert is_alive(server)


@pytest.mark.parametrize(
    "length", [b"-1", b"+1", b"0x10", b"9" * 30, b"9" * 5000, b"1, 1", b"\xb2", b"", b"ten"]
)
def test_a_length_that_is_no_length_breaks_nothing(server: RunningServer, length: bytes) -> None:
    name, value = own_host(server)
    head = f"POST /logs HTTP/1.1\r\n{name}: {value}\r\nContent-Length: ".encode()

    said = exchange(server, head + length + b"\r\nConnection: close\r\n\r\n{}")

    assert said.startswith(b"HTTP/1.1 4")
    assert is_alive(server)


@pytest.mark.parametrize("stop_after", [0, 1, 30, 75, 110])
def test_a_request_that_breaks_off_breaks_nothing(server: RunningServer, stop_after: int) -> None:
    name, value = own_host(server)
    whole = f"POST /logs HTTP/1.1\r\n{name}: {value}\r\nContent-Length: 5000\r\n\r\n".encode()

    said = exchange(server, (whole + b'{"entries":[' + b" " * 50)[:stop_after])

    assert said == b""
    assert is_alive(server)


@pytest.mark.parametrize(
    "headers", [{b"X-Many-%d" % n: b"x" for n in range(5000)}, {b"X": b"x" * 10**6}]
)
def test_many_or_long_headers_break_nothing(
    server: RunningServer, headers: dict[bytes, bytes]
) -> None:
    assert ask_bytes(server, "GET", "/health", headers, b"").status in {200, 400, 431}
    assert is_alive(server)
