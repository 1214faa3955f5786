"""HTTP as the drivers speak it: with our server, and with whatever else may listen on its port."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.drivers.http_post import LONGEST_BODY, LONGEST_LINE, MOST_HEADERS, Answer, Connection
from tests.servers import RunningServer

TIMEOUT_S = 5.0


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[Connection, bytearray]]:
    """A connection to somebody who hears one request, says these bytes and hangs up."""
    heard = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            peer, _ = listening.accept()
            with peer:
                while not heard.endswith(b"end"):
                    heard.extend(peer.recv(65536))
                peer.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        connection = Connection("127.0.0.1", listening.getsockname()[1], timeout_s=TIMEOUT_S)
        try:
            yield connection, heard
        finally:
            connection.close()
            thread.join(TIMEOUT_S)


def ask(answer: bytes) -> Answer:
    with answering(answer) as (connection, _heard):
        return connection.post("/logs", {}, b"end")


def test_our_server_answers_one_request_after_the_other(server: RunningServer) -> None:
    connection = Connection("127.0.0.1", server.port, timeout_s=TIMEOUT_S)
    headers = {"Content-Type": "application/json"}
    refused = connection.post("/logs", headers, b"no JSON")
    taken = connection.post("/logs", headers, b'{"entries":[{"level":"warn","message":"x"}]}')
    connection.close()
    assert refused.status == 400
    assert b"error" in refused.body
    assert taken.status == 200


def test_a_request_says_what_it_is() -> None:
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as (connection, heard):
        connection.post("/logs", {"Origin": "http://app", "X-Two": "a\r\nX-Three: b"}, b"\xffend")
    head, _, body = bytes(heard).partition(b"\r\n\r\n")
    assert body == b"\xffend"
    lines = head.split(b"\r\n")
    assert lines[0] == b"POST /logs HTTP/1.1"
    assert lines[1].startswith(b"Host: 127.0.0.1:")
    assert lines[2:] == [b"Content-Length: 4", b"Origin: http://app", b"X-Two: a X-Three: b"]


def test_an_answer_is_read_whatever_its_names_look_like() -> None:
    answer = ask(b"HTTP/1.0 429 Slow down\nretry-AFTER:  1 \ncontent-length:2\n\nhi and more")
    assert answer == Answer(429, {b"retry-after": b"1", b"content-length": b"2"}, b"hi")


def headers_of(count: int) -> bytes:
    others = b"".join(b"x-%d: 1\r\n" % number for number in range(count - 1))
    return b"HTTP/1.1 200 OK\r\n" + others + b"Content-Length: 0\r\n\r\n"


def test_as_many_headers_as_anybody_needs_are_read() -> None:
    assert len(ask(headers_of(MOST_HEADERS)).headers) == MOST_HEADERS


def line_of(length: int) -> bytes:
    """An answer whose longest line has so many bytes, its end among them."""
    line = b"x: ".ljust(length - 2, b"x") + b"\r\n"
    return b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + line + b"\r\n"


def test_a_long_line_is_read() -> None:
    assert len(ask(line_of(LONGEST_LINE)).headers[b"x"]) == LONGEST_LINE - len(b"x: \r\n")


def body_of(length: int) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length + b"x" * length


def test_a_long_answer_is_read() -> None:
    assert len(ask(body_of(LONGEST_BODY)).body) == LONGEST_BODY


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 soon\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\nof any length",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour",
        # Nobody reads more of it than this.
        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (LONGEST_BODY + 1),
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        headers_of(MOST_HEADERS + 1),
        line_of(LONGEST_LINE + 1),
    ],
)
def test_whoever_answers_otherwise_is_no_server_of_ours(answer: bytes) -> None:
    with pytest.raises(HTTPException):
        ask(answer)


@given(st.binary(max_size=300), st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n"]))
def test_nothing_but_no_answer_comes_of_any_bytes(rest: bytes, start: bytes) -> None:
    try:
        answer = ask(start + rest)
    except (HTTPException, OSError):
        return
    assert 0 <= answer.status <= 999
    assert len(answer.body) == int(answer.headers[b"content-length"])
