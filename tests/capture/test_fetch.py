"""Requests made with fetch: what is captured of them, and that the page cannot tell."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.capture.capturing import BODIES, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]

# What the page passes, what it sends by that, and what is seen of it.
FORMS = [
    ("'/echo?status=500'", "GET", None, False),
    ("new URL('/echo?status=500', location)", "GET", None, False),
    ("{toString: () => '/echo?status=500'}", "GET", None, False),
    ("'/echo?status=500', undefined", "GET", None, False),
    ("'/echo?status=500', null", "GET", None, False),
    ("'/echo?status=500', {}", "GET", None, False),
    ("'/echo?status=500', {method: 'post', body: 'text'}", "POST", "text", False),
    ("'/echo?status=500', {method: 'PUT', body: new URLSearchParams({a: 1})}", "PUT", "a=1", False),
    ("'/echo?status=500', {method: 'POST', body: new Blob(['x'])}", "POST", "[non-string body]", False),
    ("'/echo?status=500', {method: 'POST', body: new FormData()}", "POST", "[non-string body]", False),
    ("new Request('/echo?status=500')", "GET", None, False),
    ("new Request('/echo?status=500', {method: 'POST', body: 'r'})", "POST", "[non-string body]", False),
    ("new Request('/echo?status=500', {method: 'PUT'}), {method: 'POST', body: 'init'}", "POST", "init", False),
    ("'/echo?status=500', {headers: {Authorization: 'Bearer abcdefghijklmnop'}}", "GET", None, True),
    ("'/echo?status=500', {headers: {AUTHORIZATION: 'x'}}", "GET", None, True),
    ("'/echo?status=500', {headers: [['authorization', 'x']]}", "GET", None, True),
    ("'/echo?status=500', {headers: new Headers({'X-Api-Key': 'x'})}", "GET", None, True),
    ("'/echo?status=500', {headers: new Map([['x-auth-token', 'x']])}", "GET", None, True),
    ("'/echo?status=500', {headers: {Accept: 'text/plain'}}", "GET", None, False),
    # What can be gone through only once is left to the browser.
    ("'/echo?status=500', {headers: new Map([['x-a', 'b']]).entries()}", "GET", None, False),
    ("'/echo?status=500', {headers: (function* () { yield ['x-a', 'b'] })()}", "GET", None, False),
    ("'/echo?status=500', {headers: [new Set(['x-a', 'b']).values()]}", "GET", None, False),
    ("new Request('/echo?status=500', {headers: {Authorization: 'x'}})", "GET", None, True),
    ("new Request('/echo?status=500', {headers: {Authorization: 'x'}}), {headers: {}}", "GET", None, False),
    ("new (document.documentElement.appendChild(document.createElement('iframe')).contentWindow.Request)('/echo?status=500', {headers: {Authorization: 'x'}})", "GET", None, True),
]  # fmt: skip


def test_every_form_of_arguments_is_understood(capture: Capture, site: Site) -> None:
    captured = capture()

    for arguments, *_ in FORMS:
        captured.run(f"fetch({arguments}).then(response => response.text())")

    seen = [
        (body["method"], body["url"], body["status"], body["requestBody"], body["hasAuthHeader"])
        for body in captured.bodies()
    ]
    url = site.url("/echo?status=500")
    assert seen == [(method, url, 500, body, auth) for _, method, body, auth in FORMS]


def test_the_server_gets_the_same_requests(capture: Capture, plain: Page) -> None:
    send = "async () => { const told = []; for (const call of [%s]) told.push(await (await call()).json()); return told }"
    ask = send % ", ".join(f"() => fetch({form[0]})" for form in FORMS)

    def requests(page: Page) -> list[Any]:
        told = page.evaluate(ask)
        for request in told:
            for name in ("referer", "content-type"):
                request["headers"].pop(name, None)
        return [{**request, "body": request["body"][:9]} for request in told]

    assert requests(capture().page) == requests(plain)


CALLS = [
    "fetch()",
    "fetch(undefined)",
    "fetch(null)",
    "fetch(Symbol('no'))",
    "fetch('http://[bad')",
    "fetch('/status/200', 7)",
    "fetch('/status/200', {method: 'BAD METHOD'})",
    "fetch('/status/200', {body: 'with GET'})",
    "fetch('/status/200', {headers: {'bad header': 'x'}})",
    "fetch('/status/200', {headers: [['only one']]})",
    "fetch('/status/200', {signal: 'none'})",
    "fetch('/status/200', {get method() { throw new RangeError('getter') }})",
    "fetch('/status/200', {method: 'POST', get body() { throw new RangeError('getter') }})",
    "fetch({toString() { throw new RangeError('toString') }})",
    "fetch('http://127.0.0.1:1/refused')",
    "fetch('/status/200', {signal: AbortSignal.abort()})",
    "fetch('/status/200', {signal: AbortSignal.abort('my reason')})",
    "Reflect.apply(fetch, null, ['/status/200'])",
    "Reflect.apply(fetch, {}, ['/status/200'])",
    "fetch.call(window, '/status/204')",
    "new fetch('/status/200')",
]


def test_calls_end_as_they_do_without_capture(capture: Capture, plain: Page) -> None:
    outcomes = """async () => { const told = [];
      for (const call of [%s]) {
        let promise;
        try { promise = call() } catch (e) { told.push(['threw', e?.name, e?.message]); continue }
        told.push(await promise.then(
          r => ['answered', promise instanceof Promise, r instanceof Response, r.status],
          e => ['rejected', promise instanceof Promise, e?.name ?? null, e?.message ?? e]));
      }
      return told }""" % ", ".join(f"() => {call}" for call in CALLS)

    assert capture().run(outcomes) == plain.evaluate(outcomes)


RESPONSES = [
    "fetch('/status/200').then(r => r.json())",
    "fetch('/status/500').then(r => r.json())",
    "fetch('/status/500').then(async r => [r.bodyUsed, await r.text(), r.bodyUsed, r.body.locked])",
    "fetch('/status/500').then(async r => { const c = r.clone(); return [await c.text(), await r.text()] })",
    "fetch('/status/500').then(async r => { await r.text(); try { r.clone() } catch (e) { return e.message } })",
    "fetch('/status/500').then(async r => { await r.text(); try { await r.text() } catch (e) { return e.message } })",
    "fetch('/status/500').then(async r => { const reader = r.body.getReader(); const parts = []; for (;;) { const {done, value} = await reader.read(); if (done) return parts.join(); parts.push(value.length) } })",
    "fetch('/status/500').then(async r => { await r.body.cancel(); return r.bodyUsed })",
    "fetch('/status/500').then(r => [r.ok, r.status, r.statusText, r.type, r.redirected, r.url.slice(-10), [...r.headers].map(h => h[0]).join()])",
    "fetch('/sized?bytes=300000').then(async r => (await r.arrayBuffer()).byteLength)",
    "fetch('/sized?bytes=300000&type=image/png').then(async r => (await r.blob()).size)",
    "fetch('/redirect?to=/status/404').then(r => [r.redirected, r.status, r.url.slice(-11)])",
    "fetch('/redirect?to=/status/404', {redirect: 'manual'}).then(r => [r.type, r.status, r.body])",
    "fetch('/redirect?to=/status/404', {redirect: 'error'}).catch(e => e.message)",
    "fetch('/status/204').then(async r => [r.status, r.body, await r.text()])",
    "fetch('/status/500', {method: 'HEAD'}).then(async r => [r.status, await r.text()])",
    "fetch('/status/500', {keepalive: true, method: 'POST', body: 'x'}).then(r => r.status)",
]  # fmt: skip


def test_responses_behave_as_they_do_without_capture(
    capture: Capture, plain: Page, site: Site
) -> None:
    opaque = site.url("/status/500", host="localhost")
    responses = [
        *RESPONSES,
        f"fetch('{opaque}', {{mode: 'no-cors'}}).then(async r => [r.type, r.status, r.body, await r.text()])",
    ]
    script = "async () => { const told = []; for (const call of [%s]) told.push(await call()); return told }"
    behave = script % ", ".join(f"() => {call}" for call in responses)

    assert capture(capture_mode="all").run(behave) == plain.evaluate(behave)


def test_an_aborted_request_is_the_pages_own_choice(capture: Capture, site: Site) -> None:
    captured = capture()

    names = captured.run(
        """async gate => { const stop = new AbortController(); const answer = fetch(`/held/${gate}`, {signal: stop.signal});
          setTimeout(() => stop.abort()); return answer.catch(e => [e.name, e === stop.signal.reason]) }""",
        site.gate(),
    )

    (entry,) = captured.logs()
    assert names == ["AbortError", True]
    assert (entry["level"], captured.bodies()) == ("info", [])


def test_a_request_that_times_out_is_an_error(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run(
        "gate => fetch(`/held/${gate}`, {signal: AbortSignal.timeout(1)}).catch(() => 0)",
        site.gate(),
    )

    (entry,) = captured.logs()
    assert entry["level"] == "error"


def test_a_failed_answer_is_a_record_and_a_log_entry(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run(
        "fetch('/status/500', {method: 'post', body: '{\"id\":3}', headers: {'X-Trace': 'abc'}})"
    )
    captured.run("fetch('/status/404')")

    server_failure, client_failure = captured.logs()
    url = site.url("/status/500")
    # Two bodies are read at the same time: either may end first.
    (body,) = [body for body in captured.bodies() if body["url"] == url]
    duration = body["duration"]
    for record in (server_failure, body):
        assert record.pop("ts") == record.pop("timestamp")
    assert server_failure == {
        "level": "error",
        "type": "network",
        "source": "network",
        "url": url,
        "pageUrl": captured.page.url,
        "message": f"POST {url} → 500",
        "method": "POST",
        "status": 500,
        "statusText": "Internal Server Error",
        "duration": duration,
        "metadata": {"status": 500, "duration": duration},
    }
    assert (client_failure["level"], client_failure["message"]) == (
        "warn",
        f"GET {site.url('/status/404')} → 404",
    )
    assert body.pop("responseHeaders")["content-type"] == "application/json"
    assert body == {
        "url": url,
        "pageUrl": captured.page.url,
        "method": "POST",
        "status": 500,
        "contentType": "application/json",
        "requestBody": '{"id":3}',
        "responseBody": '{"error":"as asked"}',
        "requestHeaders": {"X-Trace": "abc"},
        "hasAuthHeader": False,
        "duration": duration,
    }


def test_a_request_without_answer_is_a_record_and_a_log_entry(capture: Capture) -> None:
    captured = capture()
    url = "http://127.0.0.1:1/refused"

    same = captured.run(f"() => fetch('{url}').catch(e => (window.e = e, e instanceof TypeError))")

    (entry,) = captured.logs()
    (body,) = captured.bodies()
    assert same
    assert (entry["level"], entry["message"]) == (
        "error",
        f"GET {url} → Network Error: Failed to fetch",
    )
    assert entry["metadata"] == {"error": "Failed to fetch", "duration": body["duration"]}
    assert (body["status"], body["error"], body["responseBody"]) == (0, "Failed to fetch", None)


def test_a_body_that_refuses_to_be_read_is_said_to(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """fetch('/echo?status=500', {method: 'POST', body: Object.assign(new URLSearchParams('a=1'), {toString() { throw new Error('no') }})})"""
    )

    (body,) = captured.bodies()
    assert body["requestBody"] == "[unreadable]"


COUNT_LOOKS_AT_THE_BODY = """() => { window.looks = 0; const {toLowerCase} = String.prototype;
    String.prototype.toLowerCase = function () {
      if (this.includes('rosemary')) looks++;
      return toLowerCase.call(this) } }"""


def test_a_request_is_looked_through_while_its_answer_is_on_its_way_and_not_again(
    capture: Capture, site: Site
) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()
    captured.run(COUNT_LOOKS_AT_THE_BODY)

    captured.run(
        "gate => void fetch(`/held/${gate}`, {method: 'POST', body: 'rosemary'})"
        ".then(() => window.answered = looks)",
        gate,
    )
    captured.page.wait_for_function("looks > 0")
    site.gates[gate].set()
    captured.page.wait_for_function("answered > 0")

    (body,) = captured.bodies()
    assert body["requestBody"] == "rosemary"
    assert captured.run("looks - answered") == 0


def test_success_is_recorded_in_mode_all_only(capture: Capture) -> None:
    captured = capture()
    captured.run("fetch('/status/200')")

    assert (captured.bodies(), captured.logs()) == ([], [])


def test_mode_all_records_every_answer_with_its_body(capture: Capture) -> None:
    captured = capture(capture_mode="all")

    captured.run(
        "Promise.all(['/status/200', '/status/204', '/status/404'].map(url => fetch(url)))"
    )

    seen = sorted((body["status"], body["responseBody"]) for body in captured.bodies())
    body = '{"error":"as asked"}'
    assert seen == [(200, body), (204, ""), (404, body)]
    assert [entry["status"] for entry in captured.logs()] == [404]


def test_bodies_are_cut_and_say_so(capture: Capture) -> None:
    captured = capture()
    sizes = [(8192, 16384), (8193, 16385), (100_000, 500_000)]

    for sent, got in sizes:
        captured.run(
            "([sent, got]) => fetch(`/sized?bytes=${got}`, {method: 'POST', body: 'b'.repeat(sent)})",
            [sent, got],
        )

    # Each is told once its beginning was read, so in any order.
    bodies = sorted(captured.bodies(), key=lambda body: int(body["url"].rpartition("=")[2]))
    assert [(body["requestBody"], body["responseBody"]) for body in bodies] == [
        ("b" * 8192, "a" * 16384)
    ] * 3
    assert [body.get("requestTruncated", False) for body in bodies] == [False, True, True]
    assert [body.get("responseTruncated", False) for body in bodies] == [False, True, True]


def test_a_body_is_cut_by_its_bytes_and_between_letters(capture: Capture) -> None:
    captured = capture()

    captured.run("fetch('/status/500', {method: 'POST', body: 'x' + '€'.repeat(3000)})")

    (body,) = captured.bodies()
    assert body["requestBody"] == "x" + "€" * 2730


def test_a_binary_body_is_described(capture: Capture) -> None:
    captured = capture()
    types = ["image/png", "application/octet-stream", "application/pdf", "font/woff2"]

    for content_type in types:
        captured.run(f"fetch('/sized?bytes=5120&type={content_type}')")

    described = [body["responseBody"] for body in captured.bodies()]
    assert described == [f"[Binary: 5120 bytes, {content_type}]" for content_type in types]


def test_secrets_stay_in_the_page(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """fetch('/echo?status=500&access_token=abcdefghijklmnopqrstuvwxyz', {method: 'POST',
          body: '{"password":"hunter2hunter2","pin":1234}', headers: {Authorization: 'Bearer abcdefghijklmnop', 'X-Auth-Token': 'tok'}})"""
    )

    (body,) = captured.bodies()
    assert body["requestHeaders"] == {"Authorization": "[REDACTED]", "X-Auth-Token": "[REDACTED]"}
    said = str(captured.inbox.batches)
    for secret in ("hunter2", "abcdefghijklmnop", "1234", "'tok'"):
        assert secret not in said


def test_a_stream_reaches_the_page_piece_by_piece(capture: Capture, site: Site) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()

    first = captured.run(
        """async gate => { const response = await fetch(`/gated/${gate}`);
          window.reader = response.body.getReader(); return new TextDecoder().decode((await reader.read()).value) }""",
        gate,
    )
    site.gates[gate].set()
    second = captured.run("async () => new TextDecoder().decode((await reader.read()).value)")

    (body,) = captured.wait_for(BODIES)
    assert (first, second, body["responseBody"]) == ("first ", "second", "first second")


def test_a_letter_that_comes_in_two_pieces_is_one_letter(capture: Capture, site: Site) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()

    captured.run(
        """async gate => { const response = await fetch(`/split/${gate}?type=text/plain`);
          window.reader = response.body.getReader(); await reader.read() }""",
        gate,
    )
    site.gates[gate].set()

    (body,) = captured.wait_for(BODIES)
    assert body["responseBody"] == "data: café\n\n"


@pytest.mark.parametrize(
    ("pieces", "bytes_", "seen"),
    [
        ([b"\xf0\x9f", b"\x98\x80!"], 10, {"text": "\U0001f600!"}),
        ([b"ab\xc3", b"\xa9"], 4, {"text": "abé"}),
        ([b"ab\xc3\xa9"], 3, {"text": "ab", "isCut": True}),
        ([b"ab\xc3", b"\xa9"], 3, {"text": "ab", "isCut": True}),
        ([b"ab\xc3"], 3, {"text": "ab\ufffd"}),
    ],
)
def test_no_letter_is_broken_by_pieces_or_by_the_limit(
    lab: Page, pieces: list[bytes], bytes_: int, seen: dict[str, Any]
) -> None:
    read = lab.evaluate(
        """([pieces, bytes]) => { const stream = new ReadableStream({start(body) {
          for (const piece of pieces) body.enqueue(new Uint8Array(piece)); body.close() }});
        return lab.readBeginning(stream, bytes) }""",
        [[list(piece) for piece in pieces], bytes_],
    )

    assert read == seen


def test_an_endless_stream_is_let_go_by_capture(capture: Capture, site: Site) -> None:
    captured = capture()
    gate = site.gate()

    captured.run("gate => fetch(`/endless/${gate}`).then(r => { window.r = r })", gate)
    (body,) = captured.bodies()
    still_open = not site.ended[gate].is_set()
    captured.run("r.body.cancel()")

    assert body["responseBody"].startswith("tick\n")
    assert body["responseTruncated"]
    assert still_open
    assert site.ended[gate].wait(10), "the page let go, and the connection stayed open"


def test_a_failure_is_told_when_it_comes_and_not_when_its_body_was_read(
    capture: Capture, site: Site
) -> None:
    captured = capture()

    captured.run(
        "async gate => { window.r = await fetch(`/endless/${gate}`); history.pushState({}, '', '#later') }",
        site.gate(),
    )

    (entry,) = (entry for entry in captured.logs() if entry["type"] == "network")
    assert entry["status"] == 500
    assert "_actions" not in entry


def test_an_event_stream_is_not_read(capture: Capture, site: Site) -> None:
    captured = capture(capture_mode="all")

    captured.run("gate => fetch(`/events/${gate}`).then(r => { window.r = r })", site.gate())

    (body,) = captured.bodies()
    assert (body["contentType"], body["responseBody"]) == ("text/event-stream", None)


def test_sixty_megabytes_pass_through_and_stay_out_of_memory(capture: Capture) -> None:
    captured = capture()

    total, grown = captured.run(
        """async () => { const used = async () => { for (let i = 0; i < 3; i++) { gc(); await new Promise(resolve => setTimeout(resolve, 10)) }
            return performance.memory.usedJSHeapSize };
          const response = await fetch('/big?mb=60'); const reader = response.body.getReader(); let total = 0;
          const before = await used();
          for (;;) { const {done, value} = await reader.read(); if (done) break; total += value.length }
          return [total, await used() - before] }"""
    )

    (body,) = captured.bodies()
    assert total == 60 * 1024 * 1024
    assert grown < 5_000_000
    assert (len(body["responseBody"]), body["responseTruncated"]) == (16384, True)


def test_an_unhandled_rejection_is_still_announced_with_the_same_error(capture: Capture) -> None:
    captured = capture(
        """<script>window.announced = new Promise(resolve =>
          addEventListener('unhandledrejection', event => resolve(event.reason)))</script>"""
    )

    told = captured.run(
        """async () => { fetch('http://127.0.0.1:1/'); const reason = await announced; return [reason.name, reason.message] }"""
    )

    assert told == ["TypeError", "Failed to fetch"]


def test_the_page_gets_its_answer_before_what_it_queued_after_it(
    capture: Capture, plain: Page
) -> None:
    order = """async () => { const told = []; const answer = fetch('/status/500'); told.push('called');
      queueMicrotask(() => told.push('microtask')); await answer; told.push('answered');
      await Promise.resolve(); told.push('after'); return told }"""

    assert capture().run(order) == plain.evaluate(order)


def test_our_own_requests_are_not_the_pages(capture: Capture, site: Site) -> None:
    captured = capture(port=site.port, capture_mode="all")

    captured.run(
        "Promise.all([fetch('/status/500'), fetch(`http://localhost:${location.port}/status/500`)])"
    )
    captured.run("fetch('http://127.0.0.1:1/?next=' + location.origin + '/').catch(() => 0)")

    assert [body["url"] for body in captured.bodies()] == [
        f"http://127.0.0.1:1/?next=http://127.0.0.1:{site.port}/"
    ]


def test_a_frame_removed_while_it_fetches_takes_nothing_with_it(
    capture: Capture, site: Site
) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()

    captured.run(
        """async gate => { const frame = document.body.appendChild(document.createElement('iframe'));
          frame.src = location.href; await new Promise(resolve => frame.onload = resolve);
          const answer = frame.contentWindow.fetch(`/held/${gate}`); frame.remove();
          answer.then(() => 0, () => 0) }""",
        gate,
    )
    site.gates[gate].set()
    captured.run("console.log('still here')")

    assert captured.messages() == ["still here"]


def test_requests_without_an_answer_are_told_with_how_long_they_waited(
    capture: Capture, site: Site
) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()
    captured.run(
        """gate => { fetch(`/held/${gate}?by=fetch`, {method: 'POST', body: 'b'}).then(() => window.first = true);
          const xhr = new XMLHttpRequest(); xhr.onload = () => window.second = true;
          xhr.open('GET', `/held/${gate}?by=xhr`); xhr.send() }""",
        gate,
    )
    captured.run("fetch('/status/200').then(answer => answer.text())")

    waiting = [body for body in captured.bodies() if body.get("pending")]
    site.gates[gate].set()
    captured.page.wait_for_function("window.first && window.second")
    answered = [body for body in captured.bodies() if not body.get("pending")]

    assert [
        (body["method"], body["url"].partition("by=")[2], body["status"]) for body in waiting
    ] == [
        ("POST", "fetch", 0),
        ("GET", "xhr", 0),
    ]
    assert all(body["duration"] > 0 for body in waiting)
    # Those that were answered later say when they began, by which the two are known for one.
    assert {body["ts"] for body in waiting} < {body["ts"] for body in answered}


def test_where_only_errors_are_wanted_a_request_just_under_way_is_none(
    capture: Capture, site: Site
) -> None:
    captured = capture()
    gate = site.gate()

    captured.run("gate => void fetch(`/held/${gate}`)", gate)

    assert captured.bodies() == []
    captured.page.wait_for_timeout(1000)  # what is told is how long it waited
    assert [body["pending"] for body in captured.bodies()] == [True]
    site.gates[gate].set()
