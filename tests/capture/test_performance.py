"""How a page load went, held against the library that defines the vitals."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.capture.capturing import PERFORMANCE, ROOT, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]

LIBRARY = ROOT / "node_modules" / "web-vitals" / "dist" / "web-vitals.iife.js"
BUSY = """<h1 style="font-size:80px">A large heading</h1><div id=ad></div><p>Below the fold</p>
  <button id=slow onclick="const end = performance.now() + 120; while (performance.now() < end);">Slow</button>
  <img src="/sized?bytes=5000&type=image/png&status=200">
  <script>const end = performance.now() + 90; while (performance.now() < end);
  const painted = new PerformanceObserver(() => { painted.disconnect();
    setTimeout(() => { ad.style.height = '200px' }, 50); setTimeout(() => { ad.style.height = '300px' }, 200) });
  painted.observe({type: 'paint', buffered: true})</script>"""


def test_a_snapshot_has_every_number(capture: Capture) -> None:
    captured = capture(BUSY)

    (snapshot,) = captured.wait_for(PERFORMANCE)

    timing = snapshot["timing"]
    assert snapshot["url"] == captured.run("location.pathname")
    assert snapshot["timestamp"] == snapshot["ts"]
    assert (
        0
        < timing["timeToFirstByte"]
        < timing["domInteractive"]
        <= timing["domContentLoaded"]
        <= timing["load"]
    )
    assert 0 < timing["firstContentfulPaint"] <= timing["largestContentfulPaint"]
    assert timing["interactionToNextPaint"] is None
    assert snapshot["cumulativeLayoutShift"] > 0
    assert snapshot["longTasks"]["count"] >= 1
    assert snapshot["longTasks"]["longest"] >= 90
    assert (
        40
        <= snapshot["longTasks"]["totalBlockingTime"]
        <= snapshot["longTasks"]["longest"] * snapshot["longTasks"]["count"]
    )
    network = snapshot["network"]
    assert network["requestCount"] >= 2  # a browser may ask for an icon too
    assert network["byType"]["img"]["count"] == 1
    # How much of it arrived is the browser's choice: it is no picture, and loading one is given up.
    assert network["byType"]["img"]["size"] > 0
    assert network["decodedSize"] > 0
    assert any(slow["url"].endswith("status=200") for slow in network["slowestRequests"])


def test_a_page_left_early_still_tells(capture: Capture, site: Site) -> None:
    captured = capture("<h1>Short visit</h1>")
    left = captured.run("location.pathname")

    captured.page.goto(site.page())

    assert captured.wait_for(PERFORMANCE)[0]["url"] == left


@pytest.mark.parametrize(
    ("clicked", "known"),
    [(None, "true"), ("h1", "theirs.INP !== null"), ("#slow", "theirs.INP > 100")],
)
def test_the_vitals_are_those_of_the_library(
    context: BrowserContext, lab_script: Path, site: Site, clicked: str | None, known: str
) -> None:
    context.add_init_script(path=lab_script)
    context.add_init_script(
        LIBRARY.read_text()
        + """; window.theirs = {LCP: null, CLS: null, INP: null};
        for (const watch of [webVitals.onLCP, webVitals.onCLS, webVitals.onINP])
          watch(({name, value}) => { theirs[name] = value }, {reportAllChanges: true})"""
    )
    page = context.new_page()
    page.goto(site.page(BUSY))
    page.wait_for_function("theirs.CLS > 0 && theirs.LCP > 0 && ad.style.height === '300px'")

    if clicked:
        page.click(clicked)
    page.wait_for_function(known)

    page.wait_for_function(
        """() => { const {lcp, cls, inp} = lab.readVitals();
          return lcp === theirs.LCP && cls === theirs.CLS && inp === theirs.INP }""",
        timeout=5000,
    )


def test_a_frame_has_no_snapshot_of_its_own(capture: Capture, site: Site) -> None:
    captured = capture(f"<iframe src='{site.page('<h1>inner</h1>')}'></iframe>")

    captured.page.goto(site.page())

    assert len(captured.wait_for(PERFORMANCE)) == 1
