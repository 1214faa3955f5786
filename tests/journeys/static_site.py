"""The small pages of this folder, with an API that always agrees."""

import json
import threading
from collections.abc import Iterator, Mapping
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
    def __init__(self, *arguments: Any, changes: Mapping[str, str], **options: Any) -> None:
        self._changes = changes
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/favicon.ico":
            self._answer(b"")
        elif path.startswith("/api/"):
            self._answer(json.dumps(ANSWERS.get(path, {"ok": True})).encode())
        elif path.endswith(".html"):
            self._answer(self._read_page(path).encode(), "text/html")
        else:
            super().do_GET()

    def _read_page(self, path: str) -> str:
        page = (PAGES / path.removeprefix("/")).read_text(encoding="utf-8")
        for before, after in self._changes.items():
            page = page.replace(before, after)
        return page

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(b'{"ok": true}')

    do_PUT = do_DELETE = do_POST  # noqa: N815  # the names are the library's

    def _answer(self, body: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def running_pages(changes: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve the pages, with some of their text replaced."""
    handler = partial(_Pages, directory=str(PAGES), changes=changes or {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
