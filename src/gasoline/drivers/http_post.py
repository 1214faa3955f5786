"""HTTP as far as our own server speaks it: the standard library's takes a test longer to listen."""

import socket
from http.client import HTTPException
from typing import NamedTuple

LENGTH = b"content-length"
MOST_HEADERS = 100
LONGEST_LINE = 8192
LONGEST_BODY = 1024 * 1024


class Answer(NamedTuple):
    """What the server says to a request."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def is_last(self) -> bool:
        """Whether the server hangs up after it."""
        return self.headers.get(b"connection", b"").lower() == b"close"


class Connection:
    """One connection, for one request after the other."""

    def __init__(self, host: str, port: int, *, timeout_s: float) -> None:
        self._host = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._socket = socket.create_connection((host, port), timeout_s)
        # Each request leaves as a whole: nothing to wait for.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")

    def post(self, route: str, headers: dict[str, str], body: bytes) -> Answer:
        """Raises OSError or HTTPException when there is no answer, or none that we understand."""
        lines = [f"POST {route} HTTP/1.1", f"Host: {self._host}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {' '.join(value.split())}" for name, value in headers.items()]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body)
        return self._read_answer()

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def _read_answer(self) -> Answer:
        version, _, rest = self._read_line().partition(b" ")
        status = rest[:3]
        if not version.startswith(b"HTTP/1.") or not status.isdigit():
            raise HTTPException("no answer of HTTP")
        headers: dict[bytes, bytes] = {}
        while line := self._read_line():
            name, _, value = line.partition(b":")
            headers[name.strip().lower()] = value.strip()
            if len(headers) > MOST_HEADERS:
                raise HTTPException("an answer with too many headers")
        length = headers.get(LENGTH, b"")
        is_short = length.isdigit() and len(length) <= len(str(LONGEST_BODY))
        if not is_short or int(length) > LONGEST_BODY:
            raise HTTPException("an answer of unknown length, or longer than any of ours")
        body = self._answers.read(int(length))
        if len(body) < int(length):
            raise HTTPException("an answer without its end")
        return Answer(int(status), headers, body)

    def _read_line(self) -> bytes:
        line = self._answers.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise HTTPException("an answer that breaks off")
        return line.rstrip(b"\r\n")
