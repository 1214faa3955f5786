"""What the capture costs the page: unwrapped and wrapped in the same run, in a real Chromium."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from browser import BROWSER
from playwright.sync_api import Browser, Page, sync_playwright
from servers import gasoline_server
from table import Row, report

SCRIPTS = Path(__file__).parent.parent / "packages" / "gasoline-ci"
BUNDLE = SCRIPTS / "gasoline-ci.min.js"
OF_DRIVERS = SCRIPTS / "gasoline-ci.driver.js"
FLAGS = ["--no-sandbox", "--js-flags=--expose-gc", "--enable-precise-memory-info"]
BUNDLE_BYTES = 45 * 1024
REACT = Path(__file__).parent.parent / "node_modules"
REACT_SCRIPTS = ("react18/umd/react", "react-dom18/umd/react-dom")
ROUNDS = 7
PAGES = 40
PAIRS_OF_PAGES = 5

# The lower quartile: whatever else this machine does only ever adds.
QUARTILE = "window.quartile = times => times.sort((one, other) => one - other)[times.length >> 2]"
# The native call stubbed, and a way out that costs nothing: what is left is the wrapper.
QUIET = "console.log = () => {}; window.__gasolineSend = () => {}"
CALLS = """async call => { const write = {
    string: () => console.log('Rendered ProductList with 24 items', 1),
    object: () => console.log('user', thing, 1)}[call];
  const thing = {id: 7, name: 'Ann', mail: 'a@example.com', age: 42, admin: false, tags: ['a', 'b'], at: 1.5, none: null, city: 'Oslo', zip: '0150'};
  const times = [];
  for (let round = 0; round < 60; round++) {
    const at = performance.now(); for (let n = 0; n < 200; n++) write(); times.push((performance.now() - at) / 200 * 1000);
    await new Promise(resolve => setTimeout(resolve)) }
  return quartile(times.slice(20)) }"""
FETCHES = """async () => { const times = [];
  for (let n = 0; n < 60; n++) { const at = performance.now(); await fetch('/small'); times.push(performance.now() - at);
    await new Promise(resolve => setTimeout(resolve, 10)) }
  return quartile(times.slice(20)) }"""
FLUSHES = """async () => { const times = [];
  for (let n = 0; n < 30; n++) {
    for (let i = 0; i < 49; i++) console.log('Rendered ProductList with 24 items', {n, i});
    const at = performance.now(); const flushed = __gasoline.flush(); for (let turn = 0; turn < 20; turn++) await null;
    times.push(performance.now() - at); await flushed }
  return quartile(times) }"""
MEMORY = """async () => { const used = async () => { for (let n = 0; n < 4; n++) { gc(); await new Promise(resolve => setTimeout(resolve, 20)) }
    return performance.memory.usedJSHeapSize };
  const before = await used();
  for (let n = 0; n < 10000; n++) { console.log('Rendered ProductList with 24 items', {n, page: '/products'}); if (n % 500 === 0) await new Promise(resolve => setTimeout(resolve)) }
  return (await used() - before) / 1e6 }"""
SELECTORS = """() => { const button = document.querySelector('li:last-child button'); const times = [];
  for (let n = 0; n < 100; n++) { const at = performance.now(); __gasoline.getSelectors(button); times.push(performance.now() - at) }
  return quartile(times) }"""
SNAPSHOT = """() => { const times = [];
  for (let n = 0; n < 50; n++) { const at = performance.now(); __gasoline.getDomSnapshot(); times.push(performance.now() - at) }
  return quartile(times) }"""
# A tree of a few thousand components, and a store; each error is another, so that each costs.
APP = """() => { const h = React.createElement; const Leaf = ({n}) => h('button', {id: 'b' + n}, n);
  const Row = ({n}) => h('li', null, h(Leaf, {n}), h(Leaf, {n: -n - 1})); const Layer = ({depth}) => depth ? h('div', null, h(Layer, {depth: depth - 1})) : h('ul', null, Array.from({length: 1000}, (_, n) => h(Row, {n, key: n})));
  window.store = {dispatch() {}, getState: () => ({orders: Object.fromEntries(Array.from({length: 1000}, (_, n) => [n, {n}])), status: {loading: false}})};
  ReactDOM.flushSync(() => ReactDOM.createRoot(document.body.appendChild(document.createElement('div'))).render(h(Layer, {depth: 20}))) }"""
ENRICHMENTS = """async () => { const times = [], idle = []; __gasoline.setStateSnapshot(true);
  for (let n = 0; n < 40; n++) { document.getElementById('b999').click();
    let at = performance.now(); await __gasoline.enrichError({level: 'error', message: 'orders failed ' + n}); times.push(performance.now() - at);
    at = performance.now(); await new Promise(resolve => setTimeout(resolve)); idle.push(performance.now() - at) }
  return quartile(times) - quartile(idle) }"""
REPEATS = """async () => { const button = document.getElementById('b999'); button.onclick = () => console.error('again and again');
  for (let n = 0; n < 10; n++) button.click(); await __gasoline.flush();
  return sent.join('').split('"componentAncestry"').length - 1 }"""
SHOP = (
    "<h1>Shop</h1><ul>"
    # As many as are looked through for whether a button is the only one of its name.
    + "<li><p>Shoes</p><button class='row-button'>Buy</button></li>" * 60
    + "</ul>"
)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = b'{"ok":true}' if self.path == "/small" else f"<!doctype html>{SHOP}".encode()
        self.send_response(200)
        self.send_header(
            "Content-Type", "application/json" if self.path == "/small" else "text/html"
        )
        self.send_header("Content-Length", str(len(body)))
        # An isolated page has a clock of 5 us instead of 100.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class has it so
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that closes takes its connections with it: no error."""


@contextmanager
def serving_shop() -> Iterator[str]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@contextmanager
def _page(browser: Browser, url: str, *scripts: str, captured: bool = True) -> Iterator[Page]:
    context = browser.new_context()
    for script in (QUARTILE, *scripts):
        context.add_init_script(script)
    if captured:
        context.add_init_script(path=BUNDLE)
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


def measure() -> list[Row]:
    """Every budget of the capture."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=BROWSER, args=FLAGS) as browser,
        gasoline_server() as server,
        serving_shop() as url,
    ):
        port = f"window.__GASOLINE_PORT = {server.port}; window.__GASOLINE_CAPTURE_MODE = 'all'; console.log = () => {{}}"
        bundle_ms, of_drivers_ms = _evaluations_ms(browser, url, (BUNDLE, OF_DRIVERS))
        return [
            Row(what="console.log of a string", measured=_added(browser, url, CALLS, "string"), unit="us", budget=2),
            Row(what="console.log of an object of ten keys", measured=_added(browser, url, CALLS, "object"), unit="us", budget=5),
            Row(what="fetch, delay to the page", measured=_usually_added(browser, url, FETCHES), unit="ms", budget=0.5),
            Row(what="fetch, delay to the page, every body captured", measured=_usually_added(browser, url, FETCHES, port), unit="ms", budget=0.5),
            Row(what="first evaluation of the bundle", measured=bundle_ms, unit="ms", budget=5),
            Row(what="first evaluation of what drivers put in, share of that", measured=100 * of_drivers_ms / bundle_ms, unit="%"),
            Row(what="flush of 49 entries, main thread", measured=_on_page(browser, url, FLUSHES, port), unit="ms", budget=1),
            Row(what="10,000 events that no server takes, heap", measured=_on_page(browser, url, MEMORY, "console.log = () => {}; window.__GASOLINE_PORT = 1"), unit="MB", budget=5),
            Row(what="six selectors of one button among 60", measured=_on_page(browser, url, SELECTORS, QUIET), unit="ms", budget=1),
            Row(what="DOM snapshot", measured=_on_page(browser, url, SNAPSHOT, QUIET), unit="ms", budget=2),
            Row(what="all that is added to an error, main thread", measured=_in_app(browser, url, ENRICHMENTS, QUIET), unit="ms", budget=5),
            Row(what="ten identical errors, times that is done", measured=_in_app(browser, url, REPEATS, "window.sent = []; console.error = () => {}; window.__gasolineSend = text => { sent.push(text.replaceAll('\\\\', '')) }"), unit="", budget=2),
            Row(what="bundle, minified", measured=BUNDLE.stat().st_size, unit="bytes", budget=BUNDLE_BYTES),
        ]  # fmt: skip


def _quartile(times: list[float]) -> float:
    return sorted(times)[len(times) // 4]


def _added(
    browser: Browser, url: str, script: str, argument: object, setting: str = QUIET
) -> float:
    """What capture adds: the difference of a wrapped and an unwrapped page, asked in turn."""
    without, wrapped = [], []
    with (
        _page(browser, url, setting, captured=False) as plain,
        _page(browser, url, setting) as captured,
    ):
        for _ in range(ROUNDS):
            without.append(plain.evaluate(script, argument))
            wrapped.append(captured.evaluate(script, argument))
    return _quartile(wrapped) - _quartile(without)


def _usually_added(browser: Browser, url: str, script: str, setting: str = QUIET) -> float:
    """The median of several pairs of pages: two that are alike differ by almost as much."""
    return median(_added(browser, url, script, None, setting) for _ in range(PAIRS_OF_PAGES))


def _on_page(browser: Browser, url: str, script: str, setting: str) -> float:
    with _page(browser, url, setting) as page:
        measured: float = page.evaluate(script)
        return measured


def _in_app(browser: Browser, url: str, script: str, setting: str) -> float:
    with _page(browser, url, setting) as page:
        for name in REACT_SCRIPTS:
            page.add_script_tag(path=REACT / f"{name}.production.min.js")
        page.evaluate(APP)
        measured: float = page.evaluate(script)
        return measured


def _evaluations_ms(browser: Browser, url: str, scripts: tuple[Path, ...]) -> list[float]:
    """In processes that have never seen them: once for each page, so that only the best of them is undisturbed."""
    times: dict[Path, list[float]] = {script: [] for script in scripts}
    for _ in range(PAGES):
        for script in scripts:
            context = browser.new_context()
            context.add_init_script(f"{QUIET}; window.before = performance.now()")
            context.add_init_script(path=script)
            context.add_init_script("window.took = performance.now() - window.before")
            page = context.new_page()
            page.goto(url)
            times[script].append(page.evaluate("took"))
            context.close()
    return [min(taken) for taken in times.values()]


def main() -> None:
    """Measure, print, judge."""
    report(measure())


if __name__ == "__main__":
    main()
