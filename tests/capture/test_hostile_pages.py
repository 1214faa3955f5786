"""Pages that replace what capture stands on: it neither breaks nor breaks them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.capture.capturing import ACTIONS, LOGS, SCRIPT, Captured, Inbox, RawCaptured, configure
from tests.capture.site import Site

Capture = Callable[..., Captured]

# A little of what pages do, and what comes of it.
USE = """async () => { const told = [];
  console.log('said', {a: [1, {b: 2}]}, new Map([[1, 2]])); console.error('failed');
  const response = await fetch('/status/500', {method: 'POST', body: '{"a":1}', headers: [['x-a', 'b']]}); told.push(response.status, await response.text());
  try { await fetch('http://127.0.0.1:1/') } catch (e) { told.push(e.message) }
  const xhr = new XMLHttpRequest(); xhr.open('GET', '/status/404', false); xhr.send(); told.push(xhr.status);
  history.pushState({}, '', '/pushed'); told.push(location.pathname); return told }"""
EXPECTED = [500, '{"error":"as asked"}', "Failed to fetch", 404, "/pushed"]


def check_captured(captured: Captured) -> None:
    """Everything that USE does was seen."""
    assert [entry["message"].split(" ")[0] for entry in captured.logs()] == [
        "said",
        "failed",
        "POST",
        "GET",
        "GET",
    ]
    assert captured.logs()[0]["args"] == ["said", {"a": [1, {"b": 2}]}, {"[Map]": {"1": 2}}]
    assert [body["status"] for body in captured.bodies()] == [500, 0, 404]
    assert captured.bodies()[0]["requestBody"] == '{"a":1}'
    assert [action["type"] for action in captured.actions()] == ["navigate"]


HARMLESS = {
    "nothing": "",
    "fake timers": """window.setTimeout = window.setInterval = window.clearTimeout = () => 0; window.queueMicrotask = () => 0;
      window.requestAnimationFrame = () => 0; window.Date = class { static now() { return 0 } toISOString() { throw new Error('fake') } };
      performance.now = () => 0""",
    "replaced JSON": "window.JSON = {stringify: () => 'broken', parse: () => { throw new Error('broken') }}",
    "replaced JSON methods": "JSON.stringify = () => { throw new Error('broken') }",
    "replaced Promise": "window.Promise = class { constructor() { throw new Error('fake') } static resolve() { throw new Error('fake') } }",
    "patched then": "for (const name of ['then', 'catch', 'finally']) { const native = Promise.prototype[name]; window.native = native; Promise.prototype[name] = function () { throw new Error('patched') } }",
    "zone-like promise": """const NativePromise = window.Promise; const nativeThen = NativePromise.prototype.then;
      window.Promise = class ZonePromise extends NativePromise { static get [Symbol.species]() { return NativePromise } };
      NativePromise.prototype.then = function (a, b) { return nativeThen.call(this, a, b) }""",
    "zone-like listeners": """const {addEventListener} = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function () { throw new Error('zone') }""",
    "prototype.js toJSON": """Array.prototype.toJSON = function () { return '[array]' }; Object.prototype.toJSON = function () { return '{object}' };
      String.prototype.toJSON = function () { return 'string' }; Map.prototype.toJSON = () => 'map'""",
    "polluted Object.prototype": """for (const name of ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'apply', 'construct', 'has', 'ownKeys',
      'once', 'passive', 'capture', 'testId', 'nav', 'limit', 'method2', 'then2']) Object.prototype[name] = function polluted() { throw new Error(name) }""",
    "array iteration helpers": """Array.prototype.extra = function () {}; Array.prototype.last = 7""",
    "frozen natives": "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Function.prototype)",
    "replaced Reflect and Proxy": "window.Reflect = {}; window.Proxy = undefined",
    "replaced URL and CSS": "window.CSS = {escape: x => x}",
    "replaced randomUUID": "Object.defineProperty(crypto, 'randomUUID', {value: undefined})",
}  # fmt: skip


@pytest.fixture
def raw(context: BrowserContext, site: Site) -> Callable[[str], RawCaptured]:
    """Open a page that is captured and driven over the bare protocol."""

    def open_page(html: str = "") -> RawCaptured:
        configure(context, {})
        page = context.new_page()
        captured = RawCaptured(page, Inbox())
        page.goto(site.page(html))
        return captured

    return open_page


@pytest.mark.parametrize("change", HARMLESS)
def test_capture_goes_on_whatever_the_page_replaces(
    raw: Callable[[str], RawCaptured], change: str
) -> None:
    captured = raw(f"<script>{HARMLESS[change]}</script>")

    assert captured.run(USE) == EXPECTED
    check_captured(captured)


BROKEN = {
    "Array methods": "for (const name of ['map', 'push', 'filter', 'forEach', 'join', 'slice', 'find', 'some', 'splice']) Array.prototype[name] = function () { throw new Error(name) }",
    "Map and Set": "for (const kind of [Map, Set, WeakMap]) for (const name of ['get', 'set', 'has', 'add', 'delete']) if (kind.prototype[name]) kind.prototype[name] = () => { throw new Error(name) }",
    "String methods": "for (const name of ['slice', 'replace', 'includes', 'split', 'toUpperCase']) String.prototype[name] = () => { throw new Error(name) }",
    "Object functions": "for (const name of ['keys', 'entries', 'fromEntries', 'getPrototypeOf']) Object[name] = () => { throw new Error(name) }",
}  # fmt: skip


@pytest.mark.parametrize("change", BROKEN)
def test_a_page_that_breaks_the_language_only_loses_events(
    raw: Callable[..., RawCaptured], change: str
) -> None:
    captured = raw()

    told = captured.run(
        f"""async () => {{ const saved = [Array, Map, Set, WeakMap, String].map(kind => [kind.prototype, Object.getOwnPropertyDescriptors(kind.prototype)]);
          const functions = {{...Object.getOwnPropertyDescriptors(Object)}}; const defineProperties = Object.defineProperties; const use = {USE}; const each = [...saved];
          {BROKEN[change]}
          let told; try {{ told = await (async () => {{ console.log('lost?'); const response = await fetch('/status/500'); const xhr = new XMLHttpRequest();
            xhr.open('GET', '/status/404', false); xhr.send(); history.pushState(null, '', '/x'); new WebSocket('ws://127.0.0.1:1/').close();
            return [response.status, await response.text(), xhr.status] }})() }} finally {{
            for (let i = 0; i < 5; i++) defineProperties(each[i][0], each[i][1]); defineProperties(Object, functions) }}
          return told }}"""
    )
    captured.run("() => console.log('afterwards')")

    assert told == [500, '{"error":"as asked"}', 404]
    assert "afterwards" in captured.messages()


def test_an_array_method_that_logs_does_not_call_itself_for_ever(capture: Capture) -> None:
    captured = capture()

    calls = captured.run(
        """() => { const {push, map} = Array.prototype; let calls = 0;
          Array.prototype.push = function (...items) { calls++; console.log('pushed'); return push.apply(this, items) };
          Array.prototype.map = function (...args) { calls++; console.log('mapped'); return map.apply(this, args) };
          console.log('once'); Array.prototype.push = push; Array.prototype.map = map; return calls }"""
    )

    assert calls < 20
    assert captured.messages() == ["once"]


def test_a_frozen_console_is_left_alone(context: BrowserContext, capture: Capture) -> None:
    context.add_init_script("Object.freeze(console)")
    captured = capture()

    captured.run("() => { console.log('unseen'); setTimeout(() => { throw new Error('seen') }) }")

    assert [entry["message"] for entry in captured.wait_for(LOGS)] == ["Uncaught Error: seen"]


def test_a_page_may_wrap_ours_and_unwrap_again(capture: Capture) -> None:
    captured = capture(
        """<script>const ours = fetch, oursToo = console.log; let seen = 0;
        window.fetch = (...args) => { seen++; return ours(...args) }; console.log = (...args) => { seen++; oursToo(...args) };</script>"""
    )

    told = captured.run(
        """async () => { await fetch('/status/500'); console.log('wrapped'); window.fetch = ours; console.log = oursToo;
          await fetch('/status/500'); console.log('unwrapped'); return seen }"""
    )

    assert told == 2
    assert len(captured.bodies()) == 2
    assert [m for m in captured.messages() if "wrapped" in m] == ["wrapped", "unwrapped"]


def test_stopping_while_the_page_has_wrapped_ours_keeps_theirs(capture: Capture) -> None:
    captured = capture()

    assert captured.run(
        """async () => { const ours = window.fetch; const theirs = (...args) => ours(...args); window.fetch = theirs; __gasoline.stop();
          return [window.fetch === theirs, (await fetch('/status/200')).status] }"""
    ) == [True, 200]


def test_a_strict_trusted_types_policy_is_kept(capture: Capture, site: Site) -> None:
    headers = {
        "Content-Security-Policy": "require-trusted-types-for 'script'; trusted-types 'none'"
    }
    captured = capture(url=site.page("<button id=go>Go</button>", headers))

    captured.page.click("#go")
    captured.run(USE)

    assert [action["type"] for action in captured.actions()] == ["click", "navigate"]
    assert [entry for entry in captured.logs() if entry["type"] == "csp"] == []


@pytest.mark.parametrize("way", ["page", "driver"])
def test_a_document_written_anew_is_still_captured(capture: Capture, way: str) -> None:
    captured = capture("<p>old</p>")
    html = "<button id=go>Go</button>"
    if way == "page":
        captured.run("html => { document.open(); document.write(html); document.close() }", html)
    else:
        captured.page.set_content(html)

    captured.page.click("#go")
    captured.run("setTimeout(() => { throw new Error('new') })")

    assert [entry["message"] for entry in captured.wait_for(LOGS)] == ["Uncaught Error: new"]
    assert [action["type"] for action in captured.wait_for(ACTIONS)] == ["click"]


def test_set_content_on_a_blank_page_is_captured(capture: Capture) -> None:
    captured = capture(url="about:blank")

    captured.page.set_content("<button id=go onclick='throw new Error(1)'>Go</button>")
    captured.page.click("#go")

    assert [action["type"] for action in captured.wait_for(ACTIONS)] == ["click"]
    assert [entry["type"] for entry in captured.wait_for(LOGS)] == ["exception"]


def test_what_a_script_puts_into_a_blank_page_is_watched_at_once(capture: Capture) -> None:
    captured = capture(url="about:blank")

    captured.run("() => { document.body.innerHTML = '<button id=go>Go</button>' }")
    captured.page.click("#go")

    assert [action["type"] for action in captured.wait_for(ACTIONS)] == ["click"]


def test_what_a_blank_page_says_leaves_with_it(capture: Capture, site: Site) -> None:
    captured = capture(url="about:blank")

    captured.run("() => console.log('nothing to see')")
    captured.page.goto(site.page("<p>next</p>"))

    assert "nothing to see" in [entry["message"] for entry in captured.wait_for(LOGS)]


def test_a_page_with_stack_traces_of_its_own_making_is_captured(capture: Capture) -> None:
    captured = capture("<script>Error.prepareStackTrace = () => ({not: 'text'})</script>")

    captured.run("() => { console.trace('t'); console.error(new Error('e')) }")

    assert captured.messages() == ["t", "Error: e"]


def test_an_xml_document_is_no_trouble(capture: Capture, site: Site) -> None:
    captured = capture(url=site.page("", {"Content-Type": "image/svg+xml"}))

    captured.run("console.log('from xml')")

    assert captured.messages() == ["from xml"]


GLOBALS = "() => [...Object.keys(window), ...Object.getOwnPropertyNames(window)].filter(name => !/^(__pw|__playwright|__GASOLINE|__gasolineSend)/.test(name)).sort()"


def test_only_one_global_appears_and_it_is_not_enumerable(capture: Capture, plain: Page) -> None:
    captured = capture()

    appeared = set(captured.run(GLOBALS)) - set(plain.evaluate(GLOBALS))
    assert appeared == {"__gasoline"}
    assert captured.run("Object.keys(window).includes('__gasoline')") is False


PATCHED = """() => [window.fetch, window.WebSocket, window.EventSource, WebSocket.prototype.constructor, EventSource.prototype.constructor, WebSocket.prototype.send,
  XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send, XMLHttpRequest.prototype.setRequestHeader, history.pushState, history.replaceState,
  ...['log', 'warn', 'error', 'info', 'debug', 'trace', 'assert'].map(name => console[name])]"""


def test_stop_puts_every_function_back(context: BrowserContext, capture: Capture) -> None:
    context.add_init_script(f"window.before = ({PATCHED})()")
    captured = capture()

    changed, restored = captured.run(
        f"""() => {{ const during = ({PATCHED})(); __gasoline.stop(); const after = ({PATCHED})();
          return [during.filter((f, i) => f !== before[i]).length, after.every((f, i) => f === before[i])] }}"""
    )

    assert (changed, restored) == (18, True)
    captured.run("() => { console.log('after'); document.body.click() }")
    assert captured.messages() == []


def test_a_script_loaded_twice_starts_once(capture: Capture) -> None:
    captured = capture()

    captured.page.add_script_tag(path=SCRIPT)
    captured.run("console.log('once')")

    assert captured.messages() == ["once"]


def test_a_script_put_in_late_works(context: BrowserContext, site: Site) -> None:
    inbox = Inbox()
    context.expose_binding("__gasolineSend", inbox.receive)
    page = context.new_page()
    page.goto(site.page("<h1>Late</h1>"))
    page.add_script_tag(path=SCRIPT)

    captured = Captured(page, inbox)
    page.evaluate("console.log('late')")

    assert captured.messages() == ["late"]
    assert len(captured.wait_for("/dom-snapshots")) == 1
    assert len(captured.wait_for("/performance-snapshots")) == 1
