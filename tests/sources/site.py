"""A page's own server: files at paths, and what it was asked for."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CODE = "export function pay(order) {\n  const total = order.total;\n  return total.amount;\n}\n"
# Line 1, column 40 of the script is line 3, column 16 of the source.
MAPPINGS = "AAAA,uCAEe"


def source_map(**fields: Any) -> str:
    content = {"version": 3, "sources": ["../src/pay.ts"], "sourcesContent": [CODE]}
    return json.dumps(content | {"names": [], "mappings": MAPPINGS} | fields)


class Site:
    """Answers GET only."""

    def __init__(self) -> None:
        self.url = ""
        self.files: dict[str, bytes] = {}
        self.headers: dict[str, dict[str, str]] = {}
        self.moved: dict[str, str] = {}
        self.asked: list[str] = []
        self.hold = threading.Event()
        self.hold.set()

    def serve_app(self) -> str:
        """A script with its map beside it; the script's address."""
        self.files["/assets/app.js"] = b"minified()\n//# sourceMappingURL=app.js.map\n"
        self.files["/assets/app.js.map"] = source_map().encode()
        return f"{self.url}/assets/app.js"

    @property
    def origin(self) -> str:
        return self.url

    def stack(self, path: str = "/assets/app.js", *, line: int = 1, column: int = 40) -> str:
        place = f"{self.url}{path}:{line}:{column}"
        return f"TypeError: Cannot read properties of null (reading 'amount')\n    at pay ({place})"


@contextmanager
def running_site() -> Iterator[Site]:
    """Serve on a free port of loopback."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(f"{self.command} {self.path}")
            site.hold.wait(10)
            path = self.path.partition("?")[0]
            if path in site.moved:
                self._answer(302, {"Location": site.moved[path]}, b"")
            elif path in site.files:
                self._answer(200, site.headers.get(path, {}), site.files[path])
            else:
                self._answer(404, {}, b"")

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body))}.items() | headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        site.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield site
        finally:
            site.hold.set()
            server.shutdown()
            thread.join()
