"""A page in a real browser: what it can deliver, and what it cannot ask."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.drivers.browsers import BROWSER, FLAGS
from tests.servers import RunningServer, wait_until
from tests.surfaces.http.asking import messages, post_logs, snapshot

FETCH = """async ({url, method, body, type}) => {
    const headers = type ? {'Content-Type': type} : {};
    try {
        const answer = await fetch(url, {method, body, headers});
        return {status: answer.status, body: await answer.json()};
    } catch (error) {
        return {error: error.name};
    }
}"""
BEACON = """({url, body, type}) =>
    navigator.sendBeacon(url, type ? new Blob([body], {type}) : body)"""


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a word on stderr."""

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of some application, on a port of its own."""
    assert BROWSER, "no Chromium: set GASOLINE_BROWSER, or run scripts/test, which finds one"
    folder: Path = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text("<!doctype html><title>app</title>")
    files = functools.partial(QuietFiles, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
            opened = browser.new_context().new_page()
            opened.goto(f"http://127.0.0.1:{site.server_port}/")
            yield opened
            browser.close()
        site.shutdown()


@pytest.fixture
def visitor(page: Page) -> Page:
    """Another tab of the same application, for a test that leads it away."""
    tab = page.context.new_page()
    tab.goto(page.url)
    return tab


def fetch(page: Page, url: str, method: str = "GET", **more: str) -> Any:
    return page.evaluate(FETCH, {"url": url, "method": method, **more})


def batch(test_id: str) -> str:
    return f'{{"entries":[{{"level":"error","message":"from the page"}}],"test_id":"{test_id}"}}'


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json"])
def test_a_page_delivers_by_fetch_and_reads_the_answer(
    server: RunningServer, page: Page, content_type: str
) -> None:
    test_id = f"fetch-{content_type}"

    answer = fetch(page, f"{server.url}/logs", "POST", body=batch(test_id), type=content_type)

    assert answer["status"] == 200
    assert (answer["body"]["received"], answer["body"]["rejected"]) == (1, 0)
    assert messages(server, test_id=test_id) == ["from the page"]


def test_a_page_may_call_the_server_localhost(server: RunningServer, page: Page) -> None:
    url = f"http://localhost:{server.port}/logs"

    answer = fetch(page, url, "POST", body=batch("by-name"), type="application/json")

    assert answer["status"] == 200


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json"])
def test_a_page_delivers_by_beacon(server: RunningServer, page: Page, content_type: str) -> None:
    test_id = f"beacon-{content_type}"

    queued = page.evaluate(
        BEACON, {"url": f"{server.url}/logs", "body": batch(test_id), "type": content_type}
    )

    assert queued
    wait_until(lambda: messages(server, test_id=test_id) != [], "the beacon")
    assert messages(server, test_id=test_id) == ["from the page"]


def test_a_beacon_sent_while_the_page_goes_away_arrives(
    server: RunningServer, visitor: Page
) -> None:
    visitor.evaluate(
        "([url, body]) => addEventListener('pagehide', () => navigator.sendBeacon(url, body))",
        [f"{server.url}/logs", batch("leaving")],
    )

    visitor.goto("about:blank")

    wait_until(lambda: messages(server, test_id="leaving") != [], "the last beacon")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/snapshot"),
        ("GET", "/logs"),
        ("GET", "/health"),
        ("GET", "/tests"),
        ("DELETE", "/logs"),
        ("DELETE", "/clear"),
        ("POST", "/clear"),
        ("POST", "/test-boundary"),
        ("POST", "/settings"),
        ("POST", "/screenshots"),
        ("POST", "/dom-result"),
        ("POST", "/mcp"),
    ],
)
def test_a_page_can_neither_read_nor_change_anything_else(
    server: RunningServer, page: Page, method: str, path: str
) -> None:
    post_logs(server, {"message": "secret of another page"}, test_id="untouched")
    before = snapshot(server)
    body = {} if method == "GET" else {"body": '{"test_id":"t","action":"start"}'}

    plain = fetch(page, f"{server.url}{path}", method, **body)
    preflighted = fetch(page, f"{server.url}{path}", method, **body, type="application/json")

    assert [plain, preflighted] == [{"error": "TypeError"}] * 2
    after = snapshot(server)
    del before["timestamp"], after["timestamp"]
    assert after == before


def test_a_page_cannot_lead_the_browser_to_a_snapshot(server: RunningServer, visitor: Page) -> None:
    with visitor.expect_navigation() as waiting:
        visitor.evaluate("url => { location = url; }", f"{server.url}/snapshot")

    assert waiting.value.status == 403


def test_a_page_cannot_clear_by_submitting_a_form(server: RunningServer, visitor: Page) -> None:
    post_logs(server, {"message": "still here"}, test_id="form")

    with visitor.expect_navigation() as waiting:
        visitor.evaluate(
            """url => {
                const form = document.createElement('form');
                form.method = 'POST';
                form.action = url;
                document.body.append(form);
                form.submit();
            }""",
            f"{server.url}/clear",
        )

    assert waiting.value.status == 403
    assert messages(server, test_id="form") == ["still here"]


def test_a_page_opens_no_websocket(server: RunningServer, page: Page) -> None:
    opening = """url => new Promise(done => {
        const socket = new WebSocket(url);
        socket.onopen = () => done('open');
        socket.onclose = () => done('refused');
    })"""

    paths = ("/live", "/mcp", "/logs")
    said = [page.evaluate(opening, f"ws://127.0.0.1:{server.port}{path}") for path in paths]

    assert said == ["refused"] * 3


def test_a_page_reads_why_its_batch_was_refused(server: RunningServer, page: Page) -> None:
    answer = fetch(page, f"{server.url}/logs", "POST", body="{}", type="text/plain")

    assert answer == {"status": 400, "body": {"error": "Missing entries array"}}
