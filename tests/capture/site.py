"""A small site on loopback: pages that tests write, and answers of every awkward kind."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from tests.servers import LOOPBACK

# A name of this site that does not say that it is on this machine.
FAR_HOST = "far.test"
JSON_TYPE = "application/json"
MEGABYTE = 1024 * 1024


class Page(NamedTuple):
    """What a path answers."""

    html: str
    headers: Mapping[str, str]


class Site:
    """Where the pages of the tests live. A gate holds an answer back until the test opens it."""

    def __init__(self, port: int, socket_port: int) -> None:
        self.port = port
        self.socket_port = socket_port
        self.pages: dict[str, Page] = {}
        self.gates: dict[str, threading.Event] = {}
        self.ended: dict[str, threading.Event] = {}
        self._numbers = count(1)

    def url(self, path: str, host: str = LOOPBACK) -> str:
        return f"http://{host}:{self.port}{path}"

    def socket_url(self, path: str = "/echo") -> str:
        return f"ws://{LOOPBACK}:{self.socket_port}{path}"

    def page(
        self, html: str = "", headers: Mapping[str, str] | None = None, host: str = LOOPBACK
    ) -> str:
        """Serve a page under an address of its own."""
        path = f"/page/{next(self._numbers)}"
        self.pages[path] = Page(f"<!doctype html><title>test</title>{html}", headers or {})
        return self.url(path, host)

    def gate(self) -> str:
        """The name of a new gate, closed."""
        name = f"gate-{next(self._numbers)}"
        self.gates[name] = threading.Event()
        self.ended[name] = threading.Event()
        return name


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def do_OPTIONS(self) -> None:
        self._send(204)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it
        pass

    def _answer(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        self.received = self.rfile.read(size)
        address = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if page := self.site.pages.get(address.path):
            self._send(200, page.html.encode(), {"Content-Type": "text/html", **page.headers})
            return
        route = ROUTES.get(address.path.split("/")[1], _missing)
        try:
            route(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _send(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self._allow_everyone()
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _allow_everyone(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")

    def begin_stream(self, content_type: str, status: int = 200) -> None:
        self.send_response(status)
        self._allow_everyone()
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def write(self, chunk: bytes) -> None:
        self.wfile.write(chunk)
        self.wfile.flush()


def _missing(handler: _Handler) -> None:
    handler._send(404, b"missing", {"Content-Type": "text/plain"})


def _status(handler: _Handler) -> None:
    """/status/500: that status, with a small JSON body, or the one asked for."""
    status = int(urlsplit(handler.path).path.split("/")[2])
    body = handler.query.get("body", '{"error":"as asked"}').encode()
    headers = {"Content-Type": handler.query.get("type", JSON_TYPE)}
    handler._send(status, b"" if status == 204 else body, headers)


def _echo(handler: _Handler) -> None:
    """What arrived: method, headers and body."""
    seen = {
        "method": handler.command,
        "headers": {name.lower(): value for name, value in handler.headers.items()},
        "body": handler.received.decode("latin-1"),
    }
    handler._send(
        int(handler.query.get("status", 200)),
        json.dumps(seen).encode(),
        {"Content-Type": JSON_TYPE},
    )


def _sized(handler: _Handler) -> None:
    """/sized?bytes=20000: so many letters."""
    size = int(handler.query["bytes"])
    content_type = handler.query.get("type", "text/plain")
    status = int(handler.query.get("status", 500))
    handler._send(status, b"a" * size, {"Content-Type": content_type})


def _big(handler: _Handler) -> None:
    """/big?mb=60: text in pieces of a megabyte."""
    size = int(handler.query["mb"])
    handler.send_response(int(handler.query.get("status", 500)))
    handler._allow_everyone()
    handler.send_header("Content-Type", "text/plain")
    handler.send_header("Content-Length", str(size * MEGABYTE))
    handler.end_headers()
    for _ in range(size):
        handler.write(b"x" * MEGABYTE)


def _gated(handler: _Handler) -> None:
    """/gated/<gate>: a first piece at once, the second when the gate opens."""
    name = urlsplit(handler.path).path.split("/")[2]
    handler.begin_stream(
        handler.query.get("type", "text/plain"), int(handler.query.get("status", 200))
    )
    handler.write(b"first ")
    handler.site.gates[name].wait(20)
    handler.write(b"second")


def _held(handler: _Handler) -> None:
    """/held/<gate>: nothing until the gate opens."""
    handler.site.gates[urlsplit(handler.path).path.split("/")[2]].wait(20)
    handler._send(int(handler.query.get("status", 200)), b"at last", {"Content-Type": "text/plain"})


def _endless(handler: _Handler) -> None:
    """/endless/<gate>: a line every few milliseconds until the reader is gone; then the gate's end is set."""
    name = urlsplit(handler.path).path.split("/")[2]
    gate = handler.site.gates[name]
    handler.begin_stream("text/plain", int(handler.query.get("status", 500)))
    try:
        while not gate.wait(0.01):
            handler.write(b"tick\n")
    finally:
        handler.site.ended[name].set()


def _events(handler: _Handler) -> None:
    """Server-sent events: three, then open until the gate opens."""
    handler.begin_stream("text/event-stream", int(handler.query.get("status", 200)))
    for number in range(3):
        handler.write(f"data: event {number}\n\n".encode())
    handler.site.gates[urlsplit(handler.path).path.split("/")[2]].wait(20)


def _split(handler: _Handler) -> None:
    """/split/<gate>?type=...: a letter of two bytes, the second of which waits for the gate."""
    handler.begin_stream(handler.query["type"])
    handler.write(b"data: caf\xc3")
    handler.site.gates[urlsplit(handler.path).path.split("/")[2]].wait(20)
    handler.write(b"\xa9\n\n")


def _redirect(handler: _Handler) -> None:
    handler._send(302, b"", {"Location": handler.query["to"]})


ROUTES: dict[str, Callable[[_Handler], None]] = {
    "status": _status,
    "echo": _echo,
    "sized": _sized,
    "big": _big,
    "gated": _gated,
    "held": _held,
    "endless": _endless,
    "events": _events,
    "split": _split,
    "redirect": _redirect,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that closes a page closes its connections: no error."""


def _talk(connection: ServerConnection) -> None:
    """Echo what comes; `burst N` answers with N messages, `binary N` with N bytes, `bye` closes."""
    try:
        for message in connection:
            if isinstance(message, bytes):
                connection.send(message)
                continue
            word, _, number = message.partition(" ")
            if word == "burst":
                for index in range(int(number)):
                    connection.send(f'{{"n":{index}}}')
                connection.send("over")
            elif word == "binary":
                connection.send(
                    bytes(range(256)) * (int(number) // 256) + bytes(range(int(number) % 256))
                )
            elif word == "bye":
                connection.close(4001, "as asked")
            else:
                connection.send(message)
    except ConnectionClosed:
        pass


@contextmanager
def running_site() -> Iterator[Site]:
    """Serve until the tests are over."""

    class Handler(_Handler):
        """Its own class: two sites at once must not share what they know."""

    with _Server((LOOPBACK, 0), Handler) as server, serve(_talk, LOOPBACK, 0) as sockets:
        site = Site(server.server_address[1], sockets.socket.getsockname()[1])
        Handler.site = site
        threads = [
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True),
            threading.Thread(target=sockets.serve_forever, daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            yield site
        finally:
            for gate in site.gates.values():
                gate.set()
            server.shutdown()
            sockets.shutdown()
            for thread in threads:
                thread.join()
