"""Going a journey in a real browser with the capture inside, and what the server then knows."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Request

from gasoline.ingest import Ingest, RateLimit
from gasoline.ingest.streams import STREAMS
from gasoline.store import Store
from tests.journeys.journeys import Do, Journey

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "packages" / "gasoline-ci" / "gasoline-ci.min.js"
PATIENCE_MS = 10_000
LOOK_MS = 20
STREAM_OF = {stream.route: stream for stream in STREAMS}


def record(browser: Browser, journey: Journey, base_url: str, now_ms: Any) -> Store:
    """Go a journey from its start to its end."""
    store = Store(clock=now_ms)
    ingest = Ingest(store, rate_limit=RateLimit(100_000))
    context = browser.new_context()
    visit = Visit(context, ingest)
    visit.go(base_url.rstrip("/") + journey.start)
    for step in journey.steps:
        visit.do(step)
    visit.leave()
    return store


class Visit:
    """One visitor: acts when the page has settled, as people do."""

    def __init__(self, context: BrowserContext, ingest: Ingest) -> None:
        self._context, self._ingest = context, ingest
        self._asked: set[Request] = set()
        self._shown: list[str] = []
        self._answers: list[str] = []
        self._popup: Page | None = None
        context.expose_binding("__gasolineSend", self._receive)
        context.add_init_script("window.__GASOLINE_CAPTURE_MODE = 'all'")
        context.add_init_script(path=SCRIPT)
        # Functions of our own: Playwright does not accept those that Python is built of.
        context.on("request", lambda request: self._asked.add(request))
        context.on("requestfinished", lambda request: self._asked.discard(request))
        context.on("requestfailed", lambda request: self._asked.discard(request))
        self._page = context.new_page()
        self._page.on("dialog", self._answer)

    def go(self, url: str) -> None:
        self._page.goto(url)
        self._settle()

    def do(self, step: Do) -> None:
        page = self._page
        match step.verb:
            case "click":
                page.click(step.selector)
            case "fill":
                page.fill(step.selector, step.value)
            case "type":
                page.locator(step.selector).press_sequentially(step.value, delay=40)
            case "press":
                page.press(step.selector, step.value)
            case "select":
                page.select_option(step.selector, step.value)
            case "upload":
                file = {"name": step.value, "mimeType": "text/plain", "buffer": b"hello"}
                page.set_input_files(step.selector, [file])  # type: ignore[list-item]  # a TypedDict to be
            case "drag":
                page.drag_and_drop(step.selector, step.value)
            case "back":
                # People look at a page before they leave it again.
                page.wait_for_timeout(1200)
                page.go_back()
            case "accept" | "dismiss":
                self._answers.append(step.verb)
            case "popup":
                with page.expect_popup() as opened:
                    page.click(step.selector)
                self._popup = opened.value
                self._popup.wait_for_load_state()
            case "click in popup":
                assert self._popup
                self._popup.click(step.selector)
        self._settle()

    def leave(self) -> None:
        for page in self._context.pages:
            page.evaluate("window.__gasoline.flush()")
        self._context.close()

    def _settle(self) -> None:
        """Until every answer is there and the page has been looked at."""
        page, waited = self._page, 0
        page.wait_for_load_state()
        while self._asked or page.url not in self._shown:
            page.wait_for_timeout(LOOK_MS)
            waited += LOOK_MS
            assert waited < PATIENCE_MS, f"{page.url} does not settle: {self._asked}"

    def _answer(self, dialog: Dialog) -> None:
        if self._answers.pop(0) == "accept":
            dialog.accept()
        else:
            dialog.dismiss()

    def _receive(self, _source: object, message: str) -> None:
        sent = json.loads(message)
        if sent["route"] == "/dom-snapshots":
            self._shown += [one["url"] for one in json.loads(sent["body"])["snapshots"]]
        self._ingest.take(STREAM_OF[sent["route"]], sent["body"].encode())
