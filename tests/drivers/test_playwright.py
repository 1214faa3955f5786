"""Playwright's browsers, with either API: nothing they show is lost, and no test is disturbed."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from gasoline.drivers import playwright_sync
from gasoline.drivers.observation import FIRST_LOOK_S, HAND_OVER, LONGEST_FLUSH_S, Observation
from gasoline.drivers.playwright import observe
from tests.drivers.browsers import (
    BROWSER,
    FLAGS,
    browser_in_report,
    running_chromium,
    said,
    snapshot_of,
)
from tests.drivers.site import Site
from tests.servers import RunningServer

HOOK = Path(playwright_sync.__file__).parents[1] / "assets" / "hook.cjs"
PATIENCE_S = 10.0
FAIL_TO_PAY = "fetch('/api/pay').then(answer => answer.json())"

Launch = Callable[[str], tuple[Browser, Observation]]


@pytest.fixture(scope="module", params=["Playwright's way", "the short way"], autouse=True)
def is_short(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether Playwright's own process has our hook, as it has behind `gasoline run`."""
    is_short: bool = request.param == "the short way"
    with pytest.MonkeyPatch.context() as patch:
        if is_short:
            patch.setenv("NODE_OPTIONS", f"--require {HOOK}")
        yield is_short


@pytest.fixture(scope="module")
def playwright(*, is_short: bool) -> Iterator[Playwright]:
    assert is_short is (os.environ.get("NODE_OPTIONS", "").endswith(str(HOOK)))
    with sync_playwright() as running:
        yield running


@pytest.fixture
def launch(playwright: Playwright, server: RunningServer) -> Iterator[Launch]:
    """Start an observed browser whose evidence goes under a name."""
    browsers: list[Browser] = []

    def start(test_id: str) -> tuple[Browser, Observation]:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        browsers.append(browser)
        return browser, observe(browser, port=server.port, test_id=test_id)

    yield start
    for browser in browsers:
        browser.close()


def delivered(observation: Observation) -> bool:
    return observation.delivery.drain(PATIENCE_S) and observation.delivery.lost == 0


def test_closing_the_browser_right_after_the_last_event_loses_nothing(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("closed at once")
    page = browser.new_context().new_page()
    page.goto(site.url)
    page.evaluate("for (let i = 0; i < 120; i++) console.error(`last words ${i}`)")

    browser.close()

    assert delivered(observation)
    assert said(server, "closed at once") == [f"last words {i}" for i in range(120)]


def test_a_page_that_is_closed_right_away_still_tells_how_it_loaded(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("closed early")
    browser.new_page().goto(site.url)

    browser.close()

    assert delivered(observation)
    (load,) = snapshot_of(server, "closed early")["performance"]
    assert load["url"] == "/"
    assert load["timing"]["load"] > 0


LEAVE_SLOWLY = """addEventListener('beforeunload', () => {
  console.error('about to leave');
  setTimeout(() => {
    console.error('still here');
    fetch('/release');
  });
})"""


def test_what_a_page_says_while_the_next_one_is_on_its_way_is_kept(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("leaving")
    page = browser.new_page()
    page.goto(site.url)
    page.evaluate(LEAVE_SLOWLY)

    page.goto(f"{site.url}/held")
    browser.close()

    assert delivered(observation)
    assert said(server, "leaving") == ["about to leave", "still here"]


def test_what_a_page_held_is_kept_although_its_script_goes_on_while_the_next_one_comes(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("going on")
    page = browser.new_page()
    page.goto(site.url)

    # Longer than the next page takes to be there: whatever is said after that is too late.
    page.evaluate(
        """next => {
          console.error('held');
          setTimeout(() => {
            location.assign(next);
            for (const begun = performance.now(); performance.now() - begun < 300; );
          });
        }""",
        f"{site.other_url}/next",
    )
    page.wait_for_url("**/next")
    browser.close()

    assert delivered(observation)
    assert said(server, "going on") == ["held"]


def test_a_page_that_was_written_by_its_test_has_last_words_too(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("written")
    page = browser.new_page()
    page.set_content("<h1>Written</h1>")
    page.evaluate("addEventListener('beforeunload', () => console.error('about to leave'))")

    page.goto(site.url)
    browser.close()

    assert delivered(observation)
    assert said(server, "written") == ["about to leave"]


def test_what_a_page_says_while_it_is_closed_is_kept(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("closing")
    page = browser.new_page()
    page.goto(site.url)
    page.evaluate("addEventListener('pagehide', () => console.error('going'))")

    page.close()
    browser.close()

    assert delivered(observation)
    assert said(server, "closing") == ["going"]


def test_a_page_that_was_asked_and_stays_still_tells_all_when_it_leaves(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("stays")
    page = browser.new_page()
    page.goto(site.url)
    playwright_sync.drain()
    # Longer than it takes the page to see that it was not closed.
    page.evaluate("new Promise(done => setTimeout(done, 300))")

    # More than goes at once from a page that may be about to close.
    page.evaluate("for (let number = 0; number < 30; number++) console.error(`said ${number}`)")
    page.goto(f"{site.url}/held")
    browser.close()

    assert delivered(observation)
    assert said(server, "stays") == [f"said {number}" for number in range(30)]


def test_a_bug_report_names_the_browser(launch: Launch, server: RunningServer, site: Site) -> None:
    browser, observation = launch("named")
    page = browser.new_page()
    page.goto(site.url)
    page.click("body")
    browser.close()
    assert delivered(observation)

    assert browser_in_report(server, test_id="named") == f"Chrome {browser.version.split('.')[0]}"


def test_what_a_page_handed_over_between_tests_is_kept_once(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("handed over")
    page = browser.new_page()
    page.goto(site.url)
    page.evaluate("console.error('said once')")

    playwright_sync.drain()
    page.evaluate("window.__gasoline.flush()")
    browser.close()

    assert delivered(observation)
    assert said(server, "handed over") == ["said once"]


def test_every_way_to_a_page_is_observed(launch: Launch, server: RunningServer, site: Site) -> None:
    browser, observation = launch("every way")
    own_page = browser.new_page()
    own_page.set_content("<script>console.error('set content')</script>")
    own_page.close()
    page = browser.new_context().new_page()
    page.goto(site.url)
    with page.expect_popup() as opened:
        page.evaluate("void window.open('/popup')")
    opened.value.wait_for_load_state()
    opened.value.evaluate("console.error('popup')")
    opened.value.close()
    page.goto(f"{site.url}/frames")
    page.frame_locator("iframe").locator("body").wait_for(state="attached")
    page.goto(f"{site.url}/strict")
    page.evaluate("console.error('strict policy')")
    page.goto("data:text/html,<script>console.error('data page')</script>")
    page.evaluate("console.error('leaving'); location.href = 'about:blank'")
    page.wait_for_url("about:blank")

    page.context.close()

    assert delivered(observation)
    assert said(server, "every way") == [
        "set content",
        "popup",
        "in the frame",
        "strict policy",
        "data page",
        "leaving",
    ]


def test_what_happens_in_a_new_tab_s_empty_page_is_kept(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("empty")
    context = browser.new_context()

    def say_in_a_tab(said: str) -> None:
        context.new_page().evaluate("said => console.error(said)", said)

    say_in_a_tab("said by the test")
    written = context.new_page()
    written.set_content("<script>console.error('said by what the test wrote')</script>")
    spoken_to = context.new_page()
    context.new_cdp_session(spoken_to).send(
        "Runtime.evaluate", {"expression": "console.error('said past Playwright')"}
    )
    stays = context.new_page()
    with contextlib.suppress(Error):
        stays.goto(f"{site.url}/no-content")
    stays.evaluate("console.error('said where nothing came')")
    goes = context.new_page()
    goes.add_init_script("console.error('said before the page')")
    goes.goto(site.url)
    context.add_init_script("if (opener === null) console.error('said in every page')")
    say_in_a_tab("said after that")
    browser.close()

    assert delivered(observation)
    assert sorted(said(server, "empty")) == [
        "said after that",
        "said before the page",
        "said by the test",
        "said by what the test wrote",
        "said in every page",
        "said past Playwright",
        "said where nothing came",
    ]


def test_a_test_may_have_bindings_of_its_own(
    launch: Launch, server: RunningServer, site: Site, *, is_short: bool
) -> None:
    browser, observation = launch("own bindings")
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.url)
    # What Playwright puts into a page for the bindings that it knows of.
    assert page.evaluate("'__playwright__binding__' in window") is not is_short
    context.expose_function("double", lambda number: 2 * number)

    page.evaluate("double(21).then(answer => console.error(`answered ${answer}`))")
    page.goto(f"{site.url}/strict")
    page.evaluate("double(4).then(answer => console.error(`answered ${answer}`))")
    browser.close()

    assert delivered(observation)
    assert said(server, "own bindings") == ["answered 42", "answered 8"]


@pytest.mark.parametrize("nonsense", ["no batch", "/nowhere", "{}", "null"])
def test_what_a_page_says_to_our_binding_ends_no_test(
    launch: Launch, server: RunningServer, site: Site, nonsense: str
) -> None:
    browser, observation = launch(nonsense)
    page = browser.new_page()
    page.goto(site.url)

    page.evaluate("said => void Promise.resolve(__gasolineSend(said)).catch(() => {})", nonsense)
    page.evaluate("console.error('still here')")
    browser.close()

    assert delivered(observation)
    assert said(server, nonsense) == ["still here"]


def test_our_question_is_known_by_its_words() -> None:
    assert HAND_OVER in HOOK.read_text()


def test_requests_and_what_the_server_said_are_kept(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("requests")
    page = browser.new_context().new_page()
    page.goto(site.url)
    page.evaluate(FAIL_TO_PAY)

    page.close()

    assert delivered(observation)
    snapshot = snapshot_of(server, "requests")
    assert [(body["url"], body["status"]) for body in snapshot["network_bodies"]] == [
        (f"{site.url}/api/pay", 500)
    ]
    assert snapshot["stats"]["network_failures"] == 1


def test_the_test_sees_no_request_of_ours(launch: Launch, site: Site) -> None:
    browser, _observation = launch("unseen")
    page = browser.new_context().new_page()
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.route("**/api/pay", lambda route: route.fulfill(json={"paid": True}))

    page.goto(site.url, wait_until="networkidle")
    answer = page.evaluate(FAIL_TO_PAY)
    page.close()

    assert answer == {"paid": True}
    assert seen == [f"{site.url}/", f"{site.url}/api/pay"]


def test_a_page_that_hangs_is_waited_for_a_little_and_said_to(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("hangs")
    page = browser.new_context().new_page()
    page.goto(site.url)
    page.evaluate("void setTimeout(() => { for (;;); })")

    started_s = monotonic()
    playwright_sync.drain([page.context])
    waited_s = monotonic() - started_s

    # On a crowded machine the browser may take its time to answer, and the page then has as long.
    assert 0.2 < waited_s < FIRST_LOOK_S + 2 * LONGEST_FLUSH_S + 1
    assert delivered(observation)
    assert "[gasoline] Capture is partial: a page did not hand over what it held in time" in (
        said(server, "hangs", "info")
    )
    browser.close()


def test_a_page_that_crashes_is_said_to(launch: Launch, server: RunningServer, site: Site) -> None:
    browser, observation = launch("crashed")
    page = browser.new_context().new_page()
    page.goto(site.url)
    with page.expect_event("crash"), contextlib.suppress(Error):
        page.goto("chrome://crash")

    browser.close()

    assert delivered(observation)
    assert said(server, "crashed") == ["The page crashed"]
    capture = snapshot_of(server, "crashed")["capture"]
    assert (capture["state"], "a page crashed" in capture["why"]) == ("partial", True)


def test_a_persistent_context_is_observed(
    playwright: Playwright, server: RunningServer, tmp_path: Path
) -> None:
    context = playwright.chromium.launch_persistent_context(
        tmp_path, executable_path=BROWSER, args=list(FLAGS)
    )
    observation = observe(context, port=server.port, test_id="persistent")
    # Its first page was there before us.
    context.pages[0].set_content("<script>console.error('persistent')</script>")

    context.close()

    assert delivered(observation)
    assert said(server, "persistent") == ["persistent"]


def test_a_browser_connected_over_cdp_is_observed_and_lives_on(
    playwright: Playwright, server: RunningServer, site: Site, tmp_path: Path
) -> None:
    with running_chromium(tmp_path) as address:
        browser = playwright.chromium.connect_over_cdp(address)
        observation = observe(browser, port=server.port, test_id="over cdp")
        page = browser.contexts[0].new_page()
        page.goto(site.url)
        page.evaluate("console.error('remote')")

        browser.close()

        again = playwright.chromium.connect_over_cdp(address)
        assert again.is_connected()
        again.close()
    assert delivered(observation)
    assert said(server, "over cdp") == ["remote"]


def test_a_context_without_scripts_says_that_it_is_blind(
    launch: Launch, server: RunningServer, site: Site
) -> None:
    browser, observation = launch("no scripts")

    browser.new_context(java_script_enabled=False).new_page().goto(site.url)

    assert delivered(observation)
    assert said(server, "no scripts", "info") == [
        "[gasoline] Capture is blind: the browser context runs no JavaScript"
    ]


def test_contexts_of_others_are_left_alone(
    launch: Launch, playwright: Playwright, site: Site
) -> None:
    launch("patched by now")
    browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
    page = browser.new_page()
    page.goto(site.url)

    assert page.evaluate("'__gasoline' in window || '__gasolineSend' in window") is False
    browser.close()


def test_a_server_that_is_gone_harms_nobody(launch: Launch, site: Site) -> None:
    browser, observation = launch("gone")
    observation.delivery.port = 1
    page = browser.new_page()
    page.goto(site.url)
    page.evaluate("console.error('to nobody')")

    assert page.title() == "/"
    browser.close()


def run_async(story: Coroutine[Any, Any, None]) -> None:
    """In a thread: the sync API has made this one's event loop its own."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, story).result()


def test_the_async_api_loses_nothing_either(server: RunningServer, site: Site) -> None:
    async def story() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
            observation = await observe(browser, port=server.port, test_id="async")
            page = await (await browser.new_context()).new_page()
            await page.goto(f"{site.url}/strict")
            async with page.expect_popup() as opened:
                await page.evaluate("void window.open('/popup')")
            popup = await opened.value
            await popup.wait_for_load_state()
            await popup.evaluate("console.error('popup')")
            await page.evaluate("console.error('last words')")

            await browser.close()

        assert delivered(observation)

    run_async(story())

    assert sorted(said(server, "async")) == ["last words", "popup"]


def test_stopping_playwright_without_closing_anything_loses_nothing(server: RunningServer) -> None:
    async def story() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
            observation = await observe(browser, port=server.port, test_id="stopped")
            page = await browser.new_page()
            await page.evaluate("console.error('stopped')")
        assert delivered(observation)

    run_async(story())

    assert said(server, "stopped") == ["stopped"]
