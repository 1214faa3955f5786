"""WebSockets: their life, their messages, and that the page cannot tell."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.capture.capturing import SOCKETS, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]

TALK = """async ([url, messages, close = 1000]) => { const socket = new WebSocket(url); socket.binaryType = 'arraybuffer';
  await new Promise(resolve => socket.onopen = resolve);
  for (const message of messages) { const answer = new Promise(resolve => socket.onmessage = resolve); socket.send(message); await answer }
  const closed = new Promise(resolve => socket.onclose = resolve); socket.close(close, 'done'); const {code} = await closed; return code }"""


def test_a_connection_is_told_from_beginning_to_end(capture: Capture, site: Site) -> None:
    captured = capture()
    url = site.socket_url()

    captured.run(TALK, [url, ['{"p":1}']])

    events = captured.wait_for(SOCKETS, 5)
    ids = {event.pop("id") for event in events}
    assert len(ids) == 1
    assert all(event.pop("ts") for event in events)
    told = {"type": "websocket", "url": url}
    message = {**told, "event": "message", "data": '{"p":1}', "size": 7}
    assert events == [
        {**told, "event": "connecting"},
        {**told, "event": "open"},
        {**message, "direction": "outgoing"},
        {**message, "direction": "incoming"},
        {**told, "event": "close", "code": 1000, "reason": "done"},
    ]


def test_a_refused_connection_is_an_error_and_a_close(capture: Capture) -> None:
    captured = capture()

    captured.run(
        "() => new Promise(resolve => { new WebSocket('ws://127.0.0.1:1/').onclose = resolve })"
    )

    events = captured.wait_for(SOCKETS, 3)
    assert [(event["event"], event.get("code")) for event in events] == [
        ("connecting", None),
        ("error", None),
        ("close", 1006),
    ]


DATA = [
    ("new Uint8Array([1, 2, 255])", "arraybuffer", {"data": "[Binary: 3B] 0102ff", "size": 3}),
    ("new Uint8Array([9, 1, 2, 9]).subarray(1, 3)", "arraybuffer", {"data": "[Binary: 2B] 0102", "size": 2}),
    ("new Uint8Array(300).fill(171).buffer", "arraybuffer", {"data": "[Binary: 300B, magic:abababab]", "size": 300}),
    ("new Blob(['abcdefghi'])", "blob", {"data": "[Binary: 9B]", "size": 9}),
    ("'x'.repeat(10241)", "blob", {"data": "x" * 10240, "size": 10241, "truncated": True}),
    ("'{\"password\":\"hunter2hunter2\"}'", "blob", {"data": '{"password":"[redacted:password:***]"}', "size": 29}),
]  # fmt: skip


def test_every_kind_of_data_is_described_both_ways(capture: Capture, site: Site) -> None:
    captured = capture()

    for data, binary_type, _ in DATA:
        captured.run(
            f"""async ([url, type]) => {{ const socket = new WebSocket(url); socket.binaryType = type;
              await new Promise(resolve => socket.onopen = resolve); const answer = new Promise(resolve => socket.onmessage = resolve);
              socket.send({data}); await answer }}""",
            [site.socket_url(), binary_type],
        )

    fields = ("data", "size", "truncated")
    described = [
        {name: event[name] for name in fields if name in event}
        for event in captured.sockets()
        if event["event"] == "message"
    ]
    assert described == [seen for *_, seen in DATA for _ in range(2)]


def test_the_constructor_looks_as_before(capture: Capture, plain: Page, site: Site) -> None:
    look = """url => { class Mine extends WebSocket { constructor(address) { super(address); this.mine = true } extra() { return 1 } }
      const socket = new WebSocket(url); const mine = new Mine(url); const failures = [];
      for (const bad of [() => WebSocket(url), () => new WebSocket(), () => new WebSocket('http://[bad'), () => new WebSocket(url, 'a b'),
        () => socket.send('early'), () => WebSocket.prototype.send.call({}, 'x'), () => new WebSocket(Symbol('s'))])
        try { bad(); failures.push('fine') } catch (e) { failures.push([e.name, e.message, e.constructor === window[e.constructor.name]]) }
      const told = [WebSocket.name, WebSocket.length, WebSocket.CONNECTING, WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED,
        Object.getOwnPropertyNames(WebSocket).sort().join(), socket instanceof WebSocket, socket.constructor === WebSocket,
        mine instanceof Mine, mine instanceof WebSocket, mine.constructor === Mine, mine.mine, mine.extra(), Mine.OPEN,
        Object.getPrototypeOf(Mine) === WebSocket, Reflect.construct(WebSocket, [url], Mine) instanceof Mine,
        WebSocket.prototype.constructor === WebSocket, Object.prototype.toString.call(socket), socket.readyState, socket.binaryType,
        Object.keys(socket), JSON.stringify(Object.getOwnPropertyDescriptor(window, 'WebSocket')),
        JSON.stringify(Object.getOwnPropertyDescriptor(WebSocket.prototype, 'constructor')), WebSocket.toString().includes('[native code]')];
      return [told, failures] }"""

    assert capture().run(look, site.socket_url()) == plain.evaluate(look, site.socket_url())


def test_a_subclass_is_captured(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run(
        """url => new Promise(resolve => { class Mine extends WebSocket {}
          const socket = new Mine(url); socket.onopen = () => socket.send('hello'); socket.onmessage = resolve })""",
        site.socket_url(),
    )

    assert [event["event"] for event in captured.sockets()] == [
        "connecting",
        "open",
        "message",
        "message",
    ]


def test_a_flood_is_thinned_out_and_says_so(capture: Capture, site: Site) -> None:
    captured = capture()

    heard = captured.run(
        """url => new Promise(resolve => { const socket = new WebSocket(url); let heard = 0;
          socket.onopen = () => socket.send('burst 10000');
          socket.onmessage = event => { heard++; if (event.data === 'over') resolve(heard) } })""",
        site.socket_url(),
    )

    messages = [event for event in captured.sockets() if event.get("direction") == "incoming"]
    assert heard == 10_001
    assert [event["data"] for event in messages[:5]] == [f'{{"n":{n}}}' for n in range(5)]
    assert 10 <= len(messages) < 100
    last = messages[-1]["sampled"]
    assert last["window"] == "5s"
    assert last["rate"].endswith("/s")


SAMPLE = """([count, everyMs]) => { let clock = 0; const admit = lab.makeSampler(); const kept = [];
  for (let i = 0; i < count; i++) { clock = i * everyMs; const answer = admit(`{"n":${i}}`, clock); if (answer !== false) kept.push([i, answer]) }
  return kept }"""


@pytest.mark.parametrize(
    ("per_second", "least", "most"), [(5, 50, 50), (30, 80, 130), (100, 40, 80), (10_000, 18, 60)]
)
def test_about_so_many_are_kept_of_a_busy_connection(
    lab: Page, per_second: int, least: int, most: int
) -> None:
    kept = lab.evaluate(SAMPLE, [per_second * 10, 1000 / per_second])

    assert [index for index, _ in kept[:5]] == [0, 1, 2, 3, 4]
    assert least <= len(kept) <= most


def test_a_new_shape_is_always_kept(lab: Page) -> None:
    kept = lab.evaluate(
        """() => { let clock = 0; const admit = lab.makeSampler(); const kept = [];
          for (let i = 0; i < 1000; i++) { clock += 0.1; const shape = i === 500 ? '{"error":1}' : '{"price":1}';
            if (admit(shape, clock) !== false) kept.push(i) } return kept }"""
    )

    assert 500 in kept
    assert len(kept) < 20
