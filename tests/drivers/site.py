"""A small site that misbehaves in all the ways a browser can tell of."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 10.0
STRICT = "default-src 'none'; script-src 'self'"
FRAME = '<!doctype html><iframe src="http://localhost:{port}/framed"></iframe>'
FRAMED = "<!doctype html><title>framed</title><script>console.error('in the frame')</script>"


class Site:
    """Where it is, under two names: for a browser they are two sites."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.other_url = f"http://localhost:{port}"


class _Server(http.server.ThreadingHTTPServer):
    """Holds one page back until another one says so."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Pages)
        self.released = threading.Event()


class _Pages(http.server.BaseHTTPRequestHandler):
    server: _Server
    # Head and body leave together: a busy machine may take long between two writes.
    wbufsize = 1 << 16

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/api/pay":
            self._answer(500, '{"error": "the database is down"}', kind="application/json")
        elif path == "/strict":
            self._answer(200, "<!doctype html><title>strict</title>", policy=STRICT)
        elif path == "/frames":
            self._answer(200, FRAME.format(port=self.connection.getsockname()[1]))
        elif path == "/framed":
            self._answer(200, FRAMED)
        elif path == "/no-content":
            self._answer(204, "")
        elif path == "/release":
            self.server.released.set()
            self._answer(200, "")
        else:
            if path == "/held":
                self.server.released.wait(PATIENCE_S)
                self.server.released.clear()
            self._answer(200, f"<!doctype html><title>{path}</title><h1>{path}</h1>")

    def _answer(
        self, status: int, text: str, *, kind: str = "text/html", policy: str | None = None
    ) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if policy:
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def running_site() -> Iterator[Site]:
    with _Server() as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield Site(server.server_port)
        server.shutdown()
        serving.join()
