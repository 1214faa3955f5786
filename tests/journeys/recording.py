"""Going a journey in a real browser with the capture inside, and what the server then knows."""

import json
from collections.abc import Callable, Collection
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Dialog, FilePayload, Request

from gasoline.ingest import Ingest, RateLimit
from gasoline.ingest.streams import STREAMS
from gasoline.store import Store
from tests.journeys.journeys import Do, Journey

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "packages" / "gasoline-ci" / "gasoline-ci.min.js"
PATIENCE_MS = 10_000
LOOK_MS = 20
# An answer may send the visitor elsewhere: so often nothing must go on.
QUIET_LOOKS = 8
STREAM_OF = {stream.route: stream for stream in STREAMS}


def record(browser: Browser, journey: Journey, base_url: str, now_ms: Callable[[], float]) -> Store:
    """Go a journey from its start to its end."""
    store = Store(clock=now_ms)
    ingest = Ingest(store, rate_limit=RateLimit(100_000))
    context = browser.new_context()
    visit = Visit(context, shown=_capture(context, ingest))
    visit.follow(journey, base_url)
    visit.leave()
    return store


def _capture(context: BrowserContext, ingest: Ingest) -> Callable[[], Collection[str]]:
    """Put the capture into every page; which pages it has looked at so far."""
    shown: list[str] = []

    def receive(_source: object, message: str) -> None:
        for line in message.split("\n"):
            route, opening, rest = line.partition("{")
            if route == "/dom-snapshots":
                shown.extend(one["url"] for one in json.loads(opening + rest)["snapshots"])
            ingest.take(STREAM_OF[route], (opening + rest).encode())

    context.expose_binding("__gasolineSend", receive)
    context.add_init_script("window.__GASOLINE_CAPTURE_MODE = 'all'")
    context.add_init_script(path=SCRIPT)
    return lambda: shown


class Visit:
    """One visitor: acts when the page has settled, as people do."""

    def __init__(self, context: BrowserContext, *, shown: Callable[[], Collection[str]]) -> None:
        self._context, self._shown = context, shown
        self._asked: set[Request] = set()
        self._answers: list[str] = []
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)
        self._page = context.new_page()
        self._page.on("dialog", self._answer)
        self._popup = self._page

    def follow(self, journey: Journey, base_url: str) -> None:
        """Go a journey from its start to its end."""
        self._page.goto(base_url.rstrip("/") + journey.start)
        self._settle()
        for step in journey.steps:
            self.do(step)

    def do(self, step: Do) -> None:
        selector, value, page = step.selector, step.value, self._page
        deeds: dict[str, Callable[[], object]] = {
            "click": lambda: page.click(selector),
            "double-click": lambda: page.dblclick(selector),
            "rapid clicks": lambda: self._click_rapidly(selector, int(value)),
            "scroll": self._scroll_down,
            "fill": lambda: page.fill(selector, value),
            "type": lambda: page.locator(selector).press_sequentially(value, delay=40),
            "press": lambda: page.press(selector, value),
            "select": lambda: page.select_option(selector, value),
            "select several": lambda: page.select_option(selector, value.split()),
            "select place": lambda: page.select_option(selector, index=int(value)),
            "upload": lambda: page.set_input_files(
                selector, FilePayload(name=value, mimeType="text/plain", buffer=b"hello")
            ),
            "drag": lambda: page.drag_and_drop(selector, value),
            "back": self._go_back,
            "accept": lambda: self._answers.append("accept"),
            "dismiss": lambda: self._answers.append("dismiss"),
            "popup": lambda: self._open_popup(selector),
            "click in popup": lambda: self._popup.click(selector),
        }
        deeds[step.verb]()
        self._settle()

    def _click_rapidly(self, selector: str, times: int) -> None:
        for _ in range(times):
            self._page.click(selector)

    def _scroll_down(self) -> None:
        # A page scrolls by itself right after it did something; people do later.
        self._page.wait_for_timeout(1200)
        with self._page.expect_response(lambda _: True):
            self._page.mouse.wheel(0, 10_000)
        self._page.wait_for_timeout(600)

    def _go_back(self) -> None:
        # People look at a page before they leave it again.
        self._page.wait_for_timeout(1200)
        self._page.go_back()

    def _open_popup(self, selector: str) -> None:
        with self._page.expect_popup() as opened:
            self._page.click(selector)
        self._popup = opened.value
        self._popup.wait_for_load_state()

    def flush(self) -> None:
        """Hand over what the pages and their frames have not yet sent."""
        for page in self._context.pages:
            for frame in page.frames:
                frame.evaluate("window.__gasoline?.flush()")

    def leave(self) -> None:
        self.flush()
        self._context.close()

    def _settle(self) -> None:
        """Until every answer is there and the page has been looked at."""
        page, waited, quiet = self._page, 0, 0
        while quiet < QUIET_LOOKS:
            page.wait_for_load_state()
            quiet = 0 if self._asked or page.url not in self._shown() else quiet + 1
            page.wait_for_timeout(LOOK_MS)
            waited += LOOK_MS
            assert waited < PATIENCE_MS, f"{page.url} does not settle: {self._asked}"

    def _begin(self, request: Request) -> None:
        self._asked.add(request)

    def _end(self, request: Request) -> None:
        self._asked.discard(request)

    def _answer(self, dialog: Dialog) -> None:
        if self._answers.pop(0) == "accept":
            dialog.accept()
        else:
            dialog.dismiss()
