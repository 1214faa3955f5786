"""A server without `/live` is polled for its questions."""

import http.server
import json
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from tests.browser_extension.browsers import extension_browser
from tests.browser_extension.site import LOOPBACK, Site
from tests.servers import PATIENCE_S

ANSWERS: dict[str, Any] = {
    "/health": {"status": "ok", "name": "gasoline", "version": "0.0.1"},
    "/settings": {"connected": True, "capture_overrides": {"log_level": "warn"}},
    "/pending-queries": {
        "queries": [
            {"id": "q-1", "type": "dom", "params": {"selector": "h1"}},
            {"id": "q-2", "type": "a11y", "params": {"scope": "h1"}},
        ]
    },
}


class Polled(http.server.BaseHTTPRequestHandler):
    """The routes of an older server, and what was posted to them."""

    posted: queue.Queue[tuple[str, Any]] = queue.Queue()

    def do_GET(self) -> None:
        self._answer(ANSWERS.get(self.path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.posted.put((self.path, json.loads(body)))
        self._answer({})

    def _answer(self, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def older_server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer((LOOPBACK, 0), Polled) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{LOOPBACK}:{server.server_port}"
        server.shutdown()


def test_questions_that_wait_are_answered_and_overrides_are_read(
    driver: Playwright, site: Site, older_server: str, tmp_path: Path
) -> None:
    with extension_browser(driver, tmp_path / "profile") as chrome:
        chrome.open(site.url)
        chrome.connect(older_server)

        answers: dict[str, Any] = {}
        while {"/dom-result", "/a11y-result", "/settings"} - answers.keys():
            route, content = Polled.posted.get(timeout=PATIENCE_S)
            answers.setdefault(route, content)

        assert chrome.line == "polling"
        assert chrome.stored()["captureOverrides"] == {"log_level": "warn"}
    assert answers["/dom-result"]["id"] == "q-1"
    assert answers["/dom-result"]["result"]["matches"][0]["text"] == "Shop"
    assert answers["/a11y-result"]["result"]["summary"].keys() >= {"violations", "passes"}
    assert len(answers["/settings"]["session_id"]) == 36
