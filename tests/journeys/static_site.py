"""The small pages of this folder, with an API that always agrees."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent / "pages"
ANSWERS: dict[str, Any] = {
    "/api/cities": ["Berlin", "Kiel"],
    "/api/late": ["Continue"],
    "/api/find": ["Mug", "Muffin"],
}


class _Pages(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/favicon.ico":
            self._answer(b"")
        elif path.startswith("/api/"):
            self._answer(json.dumps(ANSWERS.get(path, {"ok": True})).encode())
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(b'{"ok": true}')

    do_PUT = do_DELETE = do_POST  # noqa: N815  # the names are the library's

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def running_pages() -> Iterator[str]:
    handler = partial(_Pages, directory=str(PAGES))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
