"""Questions about the page that is open now, asked through a bare server."""

import base64
import json
import queue
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from tests.browser_extension.asking import logs
from tests.browser_extension.browsers import ExtensionBrowser, extension_browser
from tests.browser_extension.site import LOOPBACK, Site
from tests.servers import PATIENCE_S, RunningServer, wait_until

HEALTH = {"status": "ok", "name": "gasoline", "version": "9.9.9", "entries": 0, "maxEntries": 1}


class Asker:
    """A server that only knows how to ask."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self._asked = 0
        self._line: ServerConnection | None = None

    def listen(self, line: ServerConnection) -> None:
        # A browser that was told another address hangs up and calls again.
        self._line = line
        try:
            for text in line:
                self.heard.put(json.loads(text))
        except ConnectionClosed:
            pass

    def answer_health(self, line: ServerConnection, request: Request) -> Response | None:
        del line
        if request.path == "/live":
            return None
        headers = Headers({"Content-Type": "application/json", "Connection": "close"})
        return Response(HTTPStatus.OK.value, "OK", headers, json.dumps(HEALTH).encode())

    def wait_for(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.heard.get(timeout=PATIENCE_S)
            if message["type"] == kind:
                return message

    def say(self, **message: Any) -> None:
        assert self._line is not None
        self._line.send(json.dumps(message))

    def ask(self, question: str, tab_id: int | None = None, **params: Any) -> Any:
        self._asked += 1
        asked = f"q-{self._asked}"
        self.say(type="question", id=asked, question=question, params=params, tabId=tab_id)
        answer = self.wait_for("answer")
        assert answer["id"] == asked
        return answer["result"]


@contextmanager
def running_asker() -> Iterator[Asker]:
    asker = Asker()
    with serve(asker.listen, LOOPBACK, 0, process_request=asker.answer_health) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asker.url = f"http://{LOOPBACK}:{server.socket.getsockname()[1]}"
        yield asker
        server.shutdown()


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with running_asker() as running:
        yield running


@pytest.fixture(scope="module")
def asked_chrome(
    driver: Playwright, asker: Asker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExtensionBrowser]:
    with extension_browser(driver, tmp_path_factory.mktemp("profile")) as started:
        started.connect(asker.url)
        yield started


def size_of(data_url: str) -> tuple[int, int]:
    """Width and height of a PNG, from its header."""
    head, _, encoded = data_url.partition(",")
    assert head == "data:image/png;base64"
    width, height = struct.unpack(">II", base64.b64decode(encoded)[16:24])
    return width, height


def test_it_introduces_itself_and_tells_of_tabs(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    hello = asker.wait_for("hello")
    assert asked_chrome.line == "websocket"
    assert hello["client"] == "extension"
    assert hello["debugger"] is False
    assert len(hello["session"]) == 36
    assert hello["version"]

    asked_chrome.open(f"{site.url}/?access_token=abcdefghijklmnopqrstuvwxyz")

    urls: set[str] = set()
    while not any("redacted" in url for url in urls):
        urls |= {tab["url"] for tab in asker.wait_for("tabs")["tabs"]}
    assert not any("abcdefghijklmnop" in url for url in urls)


def test_it_describes_elements(asked_chrome: ExtensionBrowser, asker: Asker, site: Site) -> None:
    asked_chrome.open(f"{site.url}/strict")

    result = asker.ask("dom", selector="button")

    assert (result["matchCount"], result["returnedCount"]) == (1, 1)
    [match] = result["matches"]
    assert (match["tag"], match["text"], match["visible"]) == ("button", "Pay now", True)
    assert match["attributes"] == {"id": "pay", "data-testid": "pay"}
    assert match["boundingBox"].keys() == {"x", "y", "width", "height"}
    assert match["styles"]["display"] == "inline-block"


def test_it_hides_what_is_typed_into_secret_fields(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(site.url)
    page.evaluate("document.querySelector('#pin').setAttribute('value', 'hunter2')")

    [field] = asker.ask("dom", selector="#pin")["matches"]

    assert field["attributes"]["value"] == "[redacted]"


def test_a_bad_selector_is_an_answer(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(site.url)

    result = asker.ask("dom", selector=">>")

    assert result["error"] == "dom_query_failed"
    assert "selector" in result["message"]


def test_it_describes_the_page(asked_chrome: ExtensionBrowser, asker: Asker, site: Site) -> None:
    page = asked_chrome.open(site.url)

    result = asker.ask("page_info")

    viewport = page.viewport_size
    assert viewport is not None
    assert result["url"] == page.url
    assert result["viewport"] == {"width": viewport["width"], "height": viewport["height"]}
    assert result["headings"] == ["Shop"]
    assert result["forms"] == [{"id": "login", "fields": ["mail", "password"]}]
    assert (result["links"], result["images"], result["interactiveElements"]) == (0, 1, 3)


def test_it_audits_under_a_strict_policy(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(f"{site.url}/strict")

    whole = asker.ask("a11y")
    part = asker.ask("a11y", scope="#login", tags=["wcag2a"])

    found = {violation["id"]: violation for violation in whole["violations"]}
    assert found["image-alt"]["impact"] == "critical"
    assert found["image-alt"]["nodes"][0]["selector"] == "#hero"
    assert whole["summary"]["violations"] == len(whole["violations"])
    assert "image-alt" not in {violation["id"] for violation in part["violations"]}
    assert asker.ask("a11y", scope="#nowhere")["error"] == "a11y_audit_failed"


def test_it_photographs_what_is_visible(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(f"{site.url}/red")

    result = asker.ask("screenshot")

    assert result["url"] == page.url
    assert size_of(result["dataUrl"]) == (result["width"], result["height"])
    assert "note" not in result


def test_without_the_debugger_a_full_page_is_the_visible_part_and_says_so(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(f"{site.url}/red")

    result = asker.ask("screenshot", full_page=True)

    assert result["height"] < 3000
    assert "--debugger" in result["note"]


def test_unanswerable_questions_are_answered(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(site.url)

    assert asker.ask("page_info", tab_id=999_999_999)["error"] == "no_page"
    assert asker.ask("weather")["error"] == "unknown_question"


def test_the_server_may_override_what_is_captured(
    asked_chrome: ExtensionBrowser, asker: Asker
) -> None:
    asker.say(type="settings", captureOverrides={"log_level": "all", "network_bodies": "false"})

    overridden = {"log_level": "all", "network_bodies": "false"}
    wait_until(lambda: asked_chrome.stored().get("captureOverrides") == overridden, "the overrides")
    assert "logLevel" not in asked_chrome.stored()


def test_the_debugger_build_photographs_pages_and_elements_as_a_whole(
    driver: Playwright, site: Site, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    with (
        running_asker() as asker,
        extension_browser(driver, profile, "extension-debugger") as chrome,
    ):
        chrome.connect(asker.url)
        assert asker.wait_for("hello")["debugger"] is True
        chrome.open(f"{site.url}/red")

        page = asker.ask("screenshot", full_page=True)
        element = asker.ask("screenshot", selector="#x")

    assert page["height"] >= 3000
    assert element["height"] < 50
    assert "note" not in page


def test_an_error_is_photographed_once_that_is_switched_on(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(screenshotsEnabled=True)
    page = chrome.open(site.url)

    page.evaluate("setTimeout(() => { throw new Error('photograph this'); })")

    wait_until(lambda: logs(server, type="screenshot") != [], "the picture of an error")
    [entry] = logs(server, type="screenshot")
    assert entry["trigger"] == "error"
    assert entry["relatedErrorId"].startswith("err_")
    assert entry["screenshotFile"].endswith(".jpg")
    assert entry["_enrichments"] == ["screenshot"]


def test_a_click_that_changes_the_page_is_photographed_with_its_action(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(screenshotsEnabled=True, screenshotOnError=False, screenshotOnAction=True)
    page = chrome.open(site.url)
    page.evaluate("document.querySelector('#pay').onclick = () => document.body.append('paid')")

    page.click("h1")
    page.click("#pay")

    wait_until(lambda: logs(server, type="screenshot") != [], "the picture of a click")
    [entry] = logs(server, type="screenshot")
    assert entry["trigger"] == "action"
    assert entry["relatedActionId"].startswith("act_")
