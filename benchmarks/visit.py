"""What each step of a visit takes longer under capture: with and without in turns, in one browser.

Two runs of a suite differ by more than a change to the capture brings, and so do two browsers;
two visits to one browser hardly do. `suite.py` says whether capture is cheap enough, this says
where it is not.
"""

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, stdev

from browser import BROWSER
from playwright import sync_api
from playwright.sync_api import Browser, sync_playwright
from servers import gasoline_server
from table import Row, report

from gasoline.drivers import playwright_sync
from gasoline.drivers.delivery import Delivery
from gasoline.drivers.observation import Observation
from gasoline.surfaces.cli.run import environment_for

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from examples.shop.server import running_shop  # noqa: E402  # found only now

BROWSERS = 3
PAIRS = 20
WARM_UP = 2
PATIENCE_S = 10.0
# The visits at either end of so many are left out: something else had the processor.
TRIMMED = 8
WHOLE = "the whole visit"
FLAGS = ["--no-sandbox"]

Steps = dict[str, float]


def measure(
    *, browsers: int = BROWSERS, pairs: int = PAIRS, playwrights_way: bool = False
) -> list[Row]:
    """How much longer each step takes, and how sure that is of the whole."""
    playwright_sync.patch(sync_api)
    with gasoline_server() as server, running_shop() as shop:
        if not playwrights_way:
            # Of what `gasoline run` sets, this is for the process that Playwright starts.
            os.environ["NODE_OPTIONS"] = environment_for(server.port, {})["NODE_OPTIONS"]
        delivery = Delivery(server.port)
        observation = Observation(delivery)
        together = [
            pair
            for _ in range(browsers)
            for pair in _visit_in_turns(f"{shop.url}/products/101", observation, pairs)
        ]
        assert delivery.drain(PATIENCE_S)
        assert delivery.lost == 0
        assert observation.batches >= browsers * pairs
    without = [bare for bare, _ in together]
    longer = {
        name: [watched[name] - bare[name] for bare, watched in together] for name in without[0]
    }
    usual_ms = _middle([steps[WHOLE] for steps in without])
    shares = [100 * one / mean(usual_ms) for one in _middle(longer[WHOLE])]
    return [
        *(
            Row(what=f"{name}, longer by", measured=mean(_middle(times)), unit="ms")
            for name, times in longer.items()
            if name != WHOLE
        ),
        Row(what=f"{WHOLE}, without", measured=mean(usual_ms), unit="ms"),
        Row(what=f"{WHOLE}, longer by", measured=mean(shares), unit="%"),
        Row(
            what="standard error of that", measured=stdev(shares) / math.sqrt(len(shares)), unit="%"
        ),
    ]


def _middle(times: list[float]) -> list[float]:
    cut = len(times) // TRIMMED
    return sorted(times)[cut : len(times) - cut]


def _visit_in_turns(
    address: str, observation: Observation, pairs: int
) -> Iterator[tuple[Steps, Steps]]:
    order = random.Random(pairs)  # noqa: S311  # the same in every run
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        for number in range(-WARM_UP, pairs):
            visits: list[Callable[[], Steps]] = [
                lambda: _visit(browser, address, None),
                lambda: _visit(browser, address, observation),
            ]
            turns = [0, 1]
            order.shuffle(turns)
            taken = {turn: visits[turn]() for turn in turns}
            if number >= 0:
                yield taken[0], taken[1]
        browser.close()


def _visit(browser: Browser, address: str, observation: Observation | None) -> Steps:
    """Open a page, look at it, go on to another one and leave."""
    steps: Steps = {}
    with _timed(steps, WHOLE):
        with _timed(steps, "a new context"):
            context = browser.new_context()
            if observation:
                playwright_sync.attach(context, observation)
        with _timed(steps, "a new page"):
            page = context.new_page()
        for time_of in ("the first", "the second"):
            with _timed(steps, f"{time_of} load"):
                page.goto(address)
            with _timed(steps, f"{time_of} price"):
                page.get_by_test_id("price").wait_for()
        with _timed(steps, "closing"):
            context.close()
    return steps


@contextmanager
def _timed(steps: Steps, name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    steps[name] = 1000 * (time.perf_counter() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browsers", type=int, default=BROWSERS, help="one after the other")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of visits to each browser")
    parser.add_argument(
        "--playwrights-way", action="store_true", help="without the hook of `gasoline run`"
    )
    given = parser.parse_args()
    report(
        measure(browsers=given.browsers, pairs=given.pairs, playwrights_way=given.playwrights_way)
    )


if __name__ == "__main__":
    main()
