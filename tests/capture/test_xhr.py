"""Requests made with XMLHttpRequest."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.capture.capturing import BODIES, Captured, configure
from tests.capture.site import Site

Capture = Callable[..., Captured]

ASK = """([url, type, method = 'GET', body = null]) => new Promise(resolve => {
  const xhr = new XMLHttpRequest(); xhr.open(method, url); xhr.responseType = type ?? '';
  xhr.setRequestHeader('X-Trace', 'abc'); xhr.onloadend = () => resolve(xhr.status); xhr.send(body) })"""


def test_a_failed_answer_is_recorded_like_one_of_fetch(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run(ASK, ["/status/500", "", "post", '{"id":3}'])
    captured.run(
        "fetch('/status/500', {method: 'post', body: '{\"id\":3}', headers: {'X-Trace': 'abc'}})"
    )

    by_xhr, by_fetch = captured.bodies()
    for body in (by_xhr, by_fetch):
        for name in ("ts", "timestamp", "duration", "responseHeaders"):
            del body[name]
    assert by_xhr == by_fetch
    assert [entry["message"] for entry in captured.logs()] == [
        f"POST {site.url('/status/500')} → 500"
    ] * 2


ANSWERS = [
    ("", "/status/500", '{"error":"as asked"}'),
    ("text", "/status/500", '{"error":"as asked"}'),
    ("json", "/status/500", '{"error":"as asked"}'),
    ("json", "/status/500?body=not+json", None),
    ("json", '/status/500?body={"a":[1,{"b":null}],"c":{},"d":[]}', '{"a":[1,{"b":null}],"c":{},"d":[]}'),
    ("arraybuffer", "/status/500?body=abc&type=application/x-thing", "[Binary: 3 bytes, application/x-thing]"),
    ("blob", "/status/500?body=abc&type=image/png", "[Binary: 3 bytes, image/png]"),
    ("document", "/status/500?body=<p>x</p>&type=text/html", None),
    ("", "/sized?bytes=5120&type=image/png", "[Binary: 5120 bytes, image/png]"),
]  # fmt: skip


def test_every_response_type_is_read_without_disturbing_it(capture: Capture) -> None:
    captured = capture()

    for response_type, url, _ in ANSWERS:
        captured.run(ASK, [url, response_type])

    assert [body["responseBody"] for body in captured.bodies()] == [seen for *_, seen in ANSWERS]


@pytest.mark.parametrize("response_type", ["", "json"])
def test_a_long_answer_is_cut(capture: Capture, response_type: str) -> None:
    captured = capture()

    captured.run(ASK, [f'/status/500?body=["{"x" * 30_000}",{"1," * 5000}1]', response_type])

    (body,) = captured.bodies()
    assert body["responseBody"] == ('["' + "x" * 30_000)[:16384]
    assert body["responseTruncated"]


ENDS = """async gate => { const told = [];
  const follow = (set) => new Promise(resolve => { const xhr = new XMLHttpRequest(); const events = [];
    for (const type of ['readystatechange', 'loadstart', 'load', 'error', 'timeout', 'abort', 'loadend'])
      xhr.addEventListener(type, () => { events.push(type + xhr.readyState); if (type === 'loadend') resolve([xhr.status, events]) });
    set(xhr) });
  told.push(await follow(xhr => { xhr.open('GET', '/status/200'); xhr.send() }));
  told.push(await follow(xhr => { xhr.open('GET', 'http://127.0.0.1:1/'); xhr.send() }));
  told.push(await follow(xhr => { xhr.open('GET', '/held/' + gate); xhr.timeout = 1; xhr.send() }));
  told.push(await follow(xhr => { xhr.open('GET', '/held/' + gate); xhr.send(); xhr.abort() }));
  const sync = new XMLHttpRequest(); sync.open('GET', '/status/404', false); sync.send(); told.push(sync.responseText);
  const refused = new XMLHttpRequest(); refused.open('GET', 'http://127.0.0.1:1/', false);
  try { refused.send() } catch (e) { told.push([e.name, e.message]) }
  const unopened = new XMLHttpRequest(); try { unopened.send() } catch (e) { told.push([e.name, e.message]) }
  try { unopened.open('BAD METHOD', '/') } catch (e) { told.push([e.name, e.message]) }
  try { new XMLHttpRequest().open() } catch (e) { told.push([e.name, e.message]) }
  try { XMLHttpRequest.prototype.open.call({}, 'GET', '/') } catch (e) { told.push([e.name, e.message]) }
  return told }"""


def test_requests_end_as_they_do_without_capture(capture: Capture, plain: Page, site: Site) -> None:
    captured = capture()

    assert captured.run(ENDS, site.gate()) == plain.evaluate(ENDS, site.gate())
    assert [
        (entry["level"], entry["message"].partition(" → ")[2]) for entry in captured.logs()
    ] == [
        ("error", "Network Error: error"),
        ("error", "Network Error: timeout"),
        ("info", "Network Error: abort"),
        ("warn", "404"),
        (
            "error",
            (
                "Network Error: Failed to execute 'send' on 'XMLHttpRequest': "
                "Failed to load 'http://127.0.0.1:1/'."
            ),
        ),
    ]


def test_one_object_used_again_and_again_is_one_record_each_time(
    capture: Capture, site: Site
) -> None:
    captured = capture()

    captured.run(
        """() => new Promise(resolve => { const xhr = new XMLHttpRequest(); let left = 3;
          xhr.onload = () => { if (--left === 0) return resolve(); xhr.open('GET', '/status/50' + left); xhr.send() };
          xhr.open('GET', '/status/503'); xhr.send() })"""
    )

    assert [body["status"] for body in captured.bodies()] == [503, 502, 501]


def test_an_auth_header_is_noted_and_hidden(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """() => new Promise(resolve => { const xhr = new XMLHttpRequest(); xhr.open('GET', '/status/500');
          xhr.setRequestHeader('AUTHORIZATION', 'Bearer abcdefghijklmnop'); xhr.onloadend = resolve; xhr.send() })"""
    )

    (body,) = captured.bodies()
    assert (body["hasAuthHeader"], body["requestHeaders"]) == (
        True,
        {"AUTHORIZATION": "[REDACTED]"},
    )


def test_a_subclass_is_captured_too(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """() => new Promise(resolve => { class Mine extends XMLHttpRequest { send(body) { super.send(body) } }
          const xhr = new Mine(); xhr.open('GET', '/status/500'); xhr.onloadend = resolve; xhr.send() })"""
    )

    assert [body["status"] for body in captured.bodies()] == [500]


def test_success_leaves_no_record_by_default_and_one_in_mode_all(
    capture: Capture, site: Site
) -> None:
    captured = capture(capture_mode="all")

    captured.run(ASK, ["/status/200", ""])

    (body,) = captured.bodies()
    assert (body["status"], captured.logs()) == (200, [])


def test_a_page_that_is_hidden_tells_at_once_what_was_just_answered(
    context: BrowserContext, site: Site
) -> None:
    context.add_init_script(
        "window.sent = []; window.__gasolineSend = text => void sent.push(text)"
    )
    configure(context, {"__GASOLINE_CAPTURE_MODE": "all"})
    page = context.new_page()
    page.goto(site.page())

    # No timer of ours comes due in between: a hidden page may be frozen before it would.
    sent = page.evaluate(
        """async () => { const xhr = new XMLHttpRequest(); xhr.open('GET', '/echo', false); xhr.send();
          Object.defineProperty(document, 'hidden', {value: true});
          document.dispatchEvent(new Event('visibilitychange', {bubbles: true}));
          for (let turn = 0; turn < 20; turn++) await null;
          return sent.join('\\n') }"""
    )

    assert f"{BODIES}{{" in sent
