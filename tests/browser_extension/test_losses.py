"""What gets lost on the way, and that capture health says so."""

import http.server
import json
import queue
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser_extension.asking import messages, wait_for_message
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import LOOPBACK, Site
from tests.servers import PATIENCE_S, RunningServer, free_port, running_server, wait_until

# A batch as a page's content script hands it to the worker, from a page that goes.
HAND_OVER = """async ({route, list, number, entry, last}) => {
    const body = JSON.stringify({sender: 'page-lost', batch: number, dropped: 0, [list]: [entry]});
    return (await chrome.runtime.sendMessage({type: 'batch', route, body, last})).taken;
}"""


def capture_of(server: RunningServer) -> dict[str, Any]:
    capture: dict[str, Any] = server.request("GET", "/health").json["capture"]
    return capture


def test_events_before_the_settings_that_find_no_room_are_counted(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/flood")

    wait_until(lambda: capture_of(server)["state"] == "partial", "the loss")
    dropped = re.search(r"(\d+) events dropped in the page", capture_of(server)["why"])
    assert dropped is not None
    assert int(dropped[1]) >= 5


def test_last_words_outlive_the_worker_that_keeps_them(
    own_chrome: ExtensionBrowser, site: Site, tmp_path: Path
) -> None:
    port = free_port()
    own_chrome.configure(serverUrl=f"http://{LOOPBACK}:{port}")
    page = own_chrome.open(site.url)
    page.evaluate("console.error('the last words')")
    page.close()
    waiting = "async () => ((await chrome.storage.session.get('waiting')).waiting ?? []).length"
    wait_until(lambda: own_chrome.ask(waiting) > 0, "the worker to keep them")

    own_chrome.stop_worker()

    with running_server(tmp_path / "server", "--port", str(port)) as server:
        own_chrome.open(site.url)
        wait_for_message(server, "the last words")
        assert capture_of(server) == {"state": "complete"}


@pytest.mark.parametrize(
    ("batches", "capture"),
    [(8, {"state": "complete"}), (9, "1 batch sent by a page never arrived.")],
)
def test_what_gave_way_while_the_server_was_away_is_missed(
    own_chrome: ExtensionBrowser, tmp_path: Path, batches: int, capture: Any
) -> None:
    port = free_port()
    own_chrome.configure(serverUrl=f"http://{LOOPBACK}:{port}")
    options = own_chrome.open(f"{own_chrome.address}/options.html")
    for number in range(1, batches + 1):
        # Four megabytes wait, and no more.
        entry = {"level": "log", "type": "console", "message": f"{number} ".ljust(499_500, ".")}
        batch = {"route": "/logs", "list": "entries", "number": number, "entry": entry}
        assert options.evaluate(HAND_OVER, {**batch, "last": True}) is False

    with running_server(tmp_path / "server", "--port", str(port)) as server:
        last = f"{batches} "
        wait_until(lambda: any(said.startswith(last) for said in messages(server)), "the last")
        told = capture_of(server)

    assert told == capture or told["why"] == capture


class Stuck(http.server.BaseHTTPRequestHandler):
    """A server that takes everything and answers nothing."""

    taken: queue.Queue[tuple[str, bytes]] = queue.Queue()
    ended = threading.Event()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.taken.put((self.path, body))
        self.ended.wait(PATIENCE_S)

    def do_GET(self) -> None:
        self.ended.wait(PATIENCE_S)

    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def stuck_server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer((LOOPBACK, 0), Stuck) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{LOOPBACK}:{server.server_port}"
        Stuck.ended.set()
        server.shutdown()


def test_from_50_megabytes_on_requests_are_told_without_their_bodies(
    own_chrome: ExtensionBrowser,
) -> None:
    with stuck_server() as url:
        own_chrome.configure(serverUrl=url)
        options = own_chrome.open(f"{own_chrome.address}/options.html")
        options.evaluate(
            """() => {
                for (let number = 1; number <= 5; number++) {
                    const entries = [{level: 'log', message: 'x'.repeat(11 * 2 ** 20)}];
                    const body = JSON.stringify({sender: 'page-full', batch: number, entries});
                    void chrome.runtime.sendMessage({type: 'batch', route: '/logs', body});
                }
            }"""
        )
        for _ in range(5):
            Stuck.taken.get(timeout=PATIENCE_S)
        body = {"url": "/a", "requestBody": "asked", "responseBody": "answered"}
        batch = {"route": "/network-bodies", "list": "bodies", "number": 6, "entry": body}
        options.evaluate(f"batch => void ({HAND_OVER})(batch)", batch)

        route, sent = "", b""
        while route != "/network-bodies":
            route, sent = Stuck.taken.get(timeout=PATIENCE_S)

    [told] = json.loads(sent)["bodies"]
    assert (told["url"], told["requestBody"], told["responseBody"]) == ("/a", None, None)
    assert told["responseTruncated"] is True
