"""Ways out of the page, against a real server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.capture.capturing import ROOT, Captured, Inbox, configure
from tests.capture.site import Site
from tests.servers import RunningServer, running_server, wait_until

Capture = Callable[..., Captured]
STRICT = {"Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'"}
HERE = "console.log('from ' + location.href + ' ' + name)"


@pytest.mark.parametrize(
    "name",
    [
        "gasoline-ci.min.js",
        "gasoline-ci.driver.js",
        "extension/page.js",
        "extension/companion.js",
        "extension/content.js",
    ],
)
def test_what_every_page_is_given_takes_one_byte_a_letter(name: str) -> None:
    script = ROOT / "src" / "gasoline" / "assets" / name

    assert script.read_bytes().isascii()


class Posting:
    """A page that posts straight to a server."""

    def __init__(self, page: Page, server: RunningServer) -> None:
        self.page = page
        self.server = server

    def logs(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.server.request("GET", "/logs").json["entries"]
        return [entry for entry in entries if entry.get("type") != "gasoline-ci"]

    def wait_for_log(self, message: str) -> None:
        wait_until(
            lambda: any(entry["message"] == message for entry in self.logs()), f"log {message!r}"
        )


@pytest.fixture
def posting(context: BrowserContext, site: Site, server: RunningServer) -> Posting:
    server.request("POST", "/clear")
    configure(context, {"__GASOLINE_PORT": server.port, "__GASOLINE_TEST_ID": "a test"})
    page = context.new_page()
    page.goto(site.page())
    return Posting(page, server)


def test_the_first_entry_says_that_capture_is_there(posting: Posting) -> None:
    posting.page.evaluate("__gasoline.flush()")

    (entry,) = [
        entry
        for entry in posting.server.request("GET", "/logs").json["entries"]
        if entry["type"] == "gasoline-ci"
    ]
    assert (entry["level"], entry["message"], entry["source"], entry["url"]) == (
        "info",
        "[gasoline-ci] Capture initialized",
        "gasoline-ci",
        posting.page.url,
    )
    assert entry["metadata"]["testId"] == "a test"
    assert entry["metadata"]["captureVersion"]
    assert entry["timestamp"]


def test_an_error_is_in_the_snapshot_by_itself(posting: Posting) -> None:
    posting.page.evaluate("console.error('by itself')")

    posting.wait_for_log("by itself")
    snapshot = posting.server.request("GET", "/snapshot").json
    assert "by itself" in [entry["message"] for entry in snapshot["logs"]]


def test_failed_requests_are_counted_and_clearing_starts_over(posting: Posting) -> None:
    posting.page.evaluate("fetch('/status/404')")
    posting.page.evaluate("__gasoline.flush()")
    counted = posting.server.request("GET", "/snapshot").json["stats"]["network_failures"]
    posting.server.request("POST", "/clear")

    assert counted == 1
    assert posting.server.request("GET", "/snapshot").json["stats"]["total_logs"] == 0


def test_everything_of_a_real_run_is_accepted(
    context: BrowserContext, site: Site, server: RunningServer
) -> None:
    configure(context, {"__GASOLINE_PORT": server.port, "__GASOLINE_CAPTURE_MODE": "all"})
    page = context.new_page()
    asked: list[Request] = []

    def collect(request: Request) -> None:
        asked.append(request)

    page.on("request", collect)
    page.goto(site.page(SCENARIO_PAGE))
    play(page, site)
    page.evaluate("__gasoline.flush()")

    ours = [request for request in asked if f":{server.port}/" in request.url]
    # Sent once more, because the browser does not keep answers that nobody reads.
    answers = [
        server.request(
            "POST",
            urlsplit(request.url).path,
            {**(request.post_data_json or {}), "sender": "once more"},
        ).json
        for request in ours
    ]
    assert len(ours) >= 4
    assert {answer["rejected"] for answer in answers} == {0}
    # As JSON each would be preceded by a question whether it may come.
    assert {request.headers["content-type"] for request in ours} == {"text/plain;charset=UTF-8"}


@pytest.mark.parametrize("how", ["goto", "close", "reload"])
def test_what_was_said_last_arrives(posting: Posting, site: Site, how: str) -> None:
    posting.page.evaluate("how => console.log('last before ' + how)", how)
    if how == "goto":
        posting.page.goto(site.page())
    elif how == "reload":
        posting.page.reload()
    else:
        posting.page.close()

    posting.wait_for_log(f"last before {how}")


def test_beacons_that_the_page_replaced_carry_nothing_of_ours(posting: Posting, site: Site) -> None:
    posting.page.evaluate(
        """() => { Navigator.prototype.sendBeacon = () => { sessionStorage.setItem('seen', '1'); return true };
          console.log('past the page') }"""
    )
    posting.page.goto(site.page())

    posting.wait_for_log("past the page")
    assert posting.page.evaluate("sessionStorage.getItem('seen')") is None


def test_without_beacons_requests_outlive_the_page(
    context: BrowserContext, site: Site, server: RunningServer
) -> None:
    context.add_init_script(
        """delete Navigator.prototype.sendBeacon; const native = fetch.bind(window); window.kept = [];
          window.fetch = (url, init) => { kept.push([init.body.length > 60_000, init.keepalive]); return native(url, init) }"""
    )
    configure(context, {"__GASOLINE_PORT": server.port})
    page = context.new_page()
    page.goto(site.page())
    page.evaluate("__gasoline.flush()")

    page.evaluate("() => { console.log(Array(10).fill('x'.repeat(9_000))) }")
    page.evaluate("__gasoline.flush()")

    # The browser takes no more than 64 KiB of those.
    kept = {tuple(is_large_and_kept) for is_large_and_kept in page.evaluate("kept")}
    assert kept == {(False, True), (True, False)}


def test_much_that_was_said_last_arrives_as_far_as_beacons_go(posting: Posting, site: Site) -> None:
    posting.page.evaluate("for (let n = 0; n < 100; n++) console.log('n' + n + 'x'.repeat(200))")
    posting.page.goto(site.page())

    wait_until(lambda: len(posting.logs()) == 100, "one hundred entries")


def test_the_same_batch_twice_is_stored_once(posting: Posting, site: Site) -> None:
    posting.page.evaluate("console.log('once')")
    posting.page.evaluate(
        "() => { __gasoline.flush(); dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('beforeunload')) }"
    )
    posting.page.evaluate("__gasoline.flush()")

    posting.wait_for_log("once")
    assert [entry["message"] for entry in posting.logs()] == ["once"]


@pytest.mark.parametrize(
    ("going", "at_once"),
    [("dispatchEvent(new Event('beforeunload'))", 100), ("__gasoline.flush(1)", 20)],
)
def test_the_last_words_of_a_page_go_at_once_and_a_flood_of_them_does_not(
    context: BrowserContext, site: Site, going: str, at_once: int
) -> None:
    context.add_init_script("window.sent = 0; window.__gasolineSend = () => void sent++")
    configure(context, {})
    page = context.new_page()
    page.goto(site.page())

    # No timer of ours comes due in between.
    sent = page.evaluate(
        f"""async () => {{ await {going}; sent = 0; const after = [];
          for (let n = 0; n < {at_once + 1}; n++) {{ console.error(`word ${{n}}`); after.push(sent); }}
          return after }}"""
    )

    assert sent == [*range(1, at_once + 1), at_once]


def test_a_server_that_is_away_is_not_noticed_and_gets_everything_later(
    context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    with running_server(tmp_path) as first:
        port = first.port
    configure(context, {"__GASOLINE_PORT": port})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(site.page())

    page.evaluate("console.log('while away')")
    page.evaluate("__gasoline.flush()")
    page.evaluate("for (let n = 0; n < 500; n++) console.debug('n' + n)")
    with running_server(tmp_path, "--port", str(port)) as second:
        page.evaluate("__gasoline.flush()")
        messages = [entry["message"] for entry in second.request("GET", "/logs").json["entries"]]

    assert messages[1] == "while away"
    assert len(messages) == 502
    ours = [text for text in said if text != "while away" and not text.startswith("n")]
    assert {text.partition(":")[0] for text in ours} <= {"Failed to load resource"}


SCENARIO_PAGE = "<button id=go data-testid=go>Go</button><input id=mail type=email>"


def play(page: Page, site: Site) -> None:
    """A little of everything."""
    page.evaluate("() => { console.error('failed', {code: 7}); console.log('fine') }")
    page.evaluate("setTimeout(() => { throw new Error('thrown') })")
    page.evaluate("fetch('/status/500', {method: 'POST', body: '{}'}).then(r => r.text())")
    page.evaluate("fetch('/status/200').then(r => r.text())")
    page.evaluate(
        """url => new Promise(resolve => { const socket = new WebSocket(url); socket.onopen = () => socket.send('hi');
        socket.onmessage = () => socket.close(); socket.onclose = resolve })""",
        site.socket_url(),
    )
    page.fill("#mail", "a@example.com")
    page.click("#go")
    page.evaluate("history.pushState({}, '', '/two')")


def shape_of(value: Any) -> Any:
    """A record's fields and their types, without their values."""
    if isinstance(value, dict):
        return {name: shape_of(item) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return [shape_of(item) for item in value]
    return (
        "number"
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else type(value).__name__
    )


def test_both_ways_out_give_records_of_the_same_shape(
    browser: Browser, site: Site, server: RunningServer
) -> None:
    posted: list[tuple[str, Any]] = []
    bound = Inbox()
    contexts = [browser.new_context(), browser.new_context()]
    contexts[1].expose_binding("__gasolineSend", bound.receive)
    for context in contexts:
        configure(context, {"__GASOLINE_PORT": server.port, "__GASOLINE_CAPTURE_MODE": "all"})
        page = context.new_page()
        page.on(
            "request",
            lambda request: (
                posted.append((request.url, request.post_data_json))
                if f":{server.port}/" in request.url
                else None
            ),
        )
        page.goto(site.page(SCENARIO_PAGE))
        play(page, site)
        page.evaluate("__gasoline.flush()")
        context.close()

    def shapes(batches: list[tuple[str, Any]]) -> list[str]:
        return sorted(
            {
                f"{url.rpartition('/')[2]} {shape_of(record)}"
                for url, body in batches
                for name, records in body.items()
                if isinstance(records, list) and "snapshots" not in name
                for record in records
            }
        )

    assert shapes(posted) == shapes([(f"/{batch.route}", batch.body) for batch in bound.batches])
    envelopes = {
        tuple(sorted(set(body) - {"entries", "events", "bodies", "actions", "snapshots"}))
        for _, body in posted
    }
    assert envelopes == {("batch", "dropped", "sender")}


def kinds_of(records: list[dict[str, Any]]) -> dict[str, set[str]]:
    """For each field, the types that it has."""
    kinds: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.items():
            kind = shape_of(value)
            kinds.setdefault(name, set()).add(
                kind if isinstance(kind, str) else type(value).__name__
            )
    return kinds


def test_fields_have_the_types_of_the_wire_samples(capture: Capture, site: Site) -> None:
    captured = capture(SCENARIO_PAGE, capture_mode="all")
    play(captured.page, site)
    captured.page.goto(site.page())
    captured.flush()

    for file in (ROOT / "tests" / "wire_samples").glob("*.json"):
        sample = json.loads(file.read_text())
        sampled = kinds_of(next(iter(sample["body"].values())))
        seen = kinds_of(captured.inbox.records(sample["route"]))
        assert seen or file.stem == "dom_snapshots", f"nothing came to {sample['route']}"
        for name in sampled.keys() & seen.keys() - {"timestamp", "ts"}:
            assert seen[name] <= sampled[name] | {"NoneType"}, f"{sample['route']}: {name}"


@pytest.mark.parametrize("frame", ["sandboxed", "cross-origin", "srcdoc", "blank"])
def test_the_binding_reaches_out_of_every_frame(capture: Capture, site: Site, frame: str) -> None:
    inner = f"<script>{HERE}</script>"
    tags = {
        "sandboxed": f"<iframe name=x sandbox=allow-scripts src='{site.page(inner)}'></iframe>",
        "cross-origin": f"<iframe name=x src='{site.page(inner, host='localhost')}'></iframe>",
        "srcdoc": f'<iframe name=x srcdoc="{inner}"></iframe>',
        "blank": f"<iframe name=x></iframe><script>frames[0].eval({HERE!r})</script>",
    }
    captured = capture(tags[frame])

    child = captured.page.frames[1]
    child.evaluate("window.__gasoline.flush()")

    (message,) = [entry["message"] for entry in captured.inbox.records("/logs")]
    assert message.startswith("from ")


@pytest.mark.parametrize("place", ["csp", "data", "blank"])
def test_the_binding_works_on_every_kind_of_page(capture: Capture, site: Site, place: str) -> None:
    urls = {
        "csp": site.page("", STRICT),
        "data": "data:text/html,<title>x</title>",
        "blank": "about:blank",
    }
    captured = capture(url=urls[place])

    captured.run("console.log('out')")

    assert "out" in captured.messages()


@pytest.mark.parametrize("target", ["about:blank", "page"])
def test_a_popup_is_captured(capture: Capture, site: Site, target: str) -> None:
    captured = capture()
    url = site.page("<button id=go>Go</button>") if target == "page" else target

    with captured.page.expect_popup() as opening:
        captured.run("url => { window.open(url) }", url)
    popup = opening.value
    popup.wait_for_load_state()
    popup.evaluate("console.log('from the popup')")
    if target == "page":
        popup.click("#go")
    popup.evaluate("window.__gasoline.flush()")

    assert [entry["message"] for entry in captured.inbox.records("/logs")] == ["from the popup"]
    assert len(captured.inbox.records("/enhanced-actions")) == (target == "page")


def test_the_network_is_idle_while_the_page_talks_through_the_binding(
    capture: Capture, site: Site
) -> None:
    captured = capture()
    asked: list[str] = []
    captured.page.on("request", lambda request: asked.append(request.url))
    url = site.page("<script>setInterval(() => console.log('again'), 20)</script>")

    captured.page.goto(url, wait_until="networkidle")

    assert [address for address in asked if not address.endswith("favicon.ico")] == [url]


def test_the_binding_gets_what_was_said_before_a_navigation(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run("console.log('before')")
    captured.page.goto(site.page())

    assert captured.messages() == ["before"]


def test_posting_under_a_strict_policy_is_quiet(
    context: BrowserContext, site: Site, server: RunningServer
) -> None:
    configure(context, {"__GASOLINE_PORT": server.port})
    page = context.new_page()
    page.goto(site.page("", STRICT))

    page.evaluate("console.log('unheard')")
    page.evaluate("__gasoline.flush()")

    assert page.evaluate("1 + 1") == 2
