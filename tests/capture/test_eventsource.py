"""Streams of server-sent events."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.capture.capturing import BODIES, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]


def test_a_stream_is_one_record_with_its_first_events(capture: Capture, site: Site) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()

    told = captured.run(
        """gate => new Promise(resolve => { const told = []; window.source = new EventSource(`/events/${gate}`);
          source.onmessage = event => { told.push(event.data); if (told.length === 3) resolve(told) } })""",
        gate,
    )

    (body,) = captured.wait_for(BODIES)
    assert told == ["event 0", "event 1", "event 2"]
    assert (body["method"], body["status"], body["contentType"]) == (
        "GET",
        200,
        "text/event-stream",
    )
    assert body["responseBody"] == "data: event 0\n\ndata: event 1\n\ndata: event 2\n\n"


def test_a_letter_that_comes_in_two_pieces_is_one_letter(capture: Capture, site: Site) -> None:
    captured = capture(capture_mode="all")
    gate = site.gate()

    captured.run(
        """gate => new Promise(resolve => { window.source = new EventSource(`/split/${gate}?type=text/event-stream`);
          source.onopen = resolve })""",
        gate,
    )
    site.gates[gate].set()

    (body,) = captured.wait_for(BODIES)
    assert body["responseBody"] == "data: café\n\n"


def test_a_refused_stream_is_one_failure(capture: Capture, site: Site) -> None:
    captured = capture()

    captured.run(
        """gate => new Promise(resolve => { const source = new EventSource('/status/500');
          source.onerror = () => { source.close(); resolve() } })"""
    )

    assert captured.messages() == [
        f"GET {site.url('/status/500')} → Network Error: event stream refused"
    ]


def test_the_constructor_looks_as_before(capture: Capture, plain: Page, site: Site) -> None:
    look = """() => { class Mine extends EventSource { extra() { return 1 } }
      const source = new EventSource('/status/204'); const mine = new Mine('/status/204'); let called;
      try { EventSource('/x') } catch (e) { called = e.message }
      const told = [EventSource.name, EventSource.length, EventSource.CONNECTING, EventSource.OPEN, EventSource.CLOSED,
        source instanceof EventSource, source.constructor === EventSource, mine instanceof Mine, mine instanceof EventSource,
        mine.extra(), Object.getPrototypeOf(Mine) === EventSource, EventSource.prototype.constructor === EventSource,
        Object.prototype.toString.call(source), called];
      source.close(); mine.close(); return told }"""

    assert capture().run(look) == plain.evaluate(look)
