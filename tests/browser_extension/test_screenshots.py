"""Pictures of the page: visible, whole, of one element, and those that come by themselves."""

import base64
import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Playwright

from tests.browser_extension.asker import Asker, running_asker
from tests.browser_extension.asking import logs, snapshot
from tests.browser_extension.browsers import ExtensionBrowser, extension_browser
from tests.browser_extension.site import Site
from tests.extension import answer_of, call_tool
from tests.servers import RunningServer, wait_until

RED, BLUE = (255, 0, 0), (0, 0, 255)
# A page is painted one frame after it is laid out.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
PAGE_OF = """height => {
    document.body.style.cssText = 'margin:0;background:red';
    document.body.innerHTML = `<div style="height:${height - 20}px"></div>`
        + '<div id="last" style="height:20px;background:blue"></div>';
}"""


def opened(answer: dict[str, Any]) -> Image.Image:
    """The picture of an answer; what is said about its size must be true."""
    head, _, encoded = answer["dataUrl"].partition(",")
    assert head == "data:image/png;base64"
    picture = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB")
    assert picture.size == (answer["width"], answer["height"])
    return picture


def colour_at_the_end(picture: Image.Image) -> Any:
    return picture.getpixel((picture.width // 2, picture.height - 4))


@pytest.fixture(scope="module")
def debugging(
    driver: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ExtensionBrowser, Asker]]:
    """The debugger build on a screen of double density."""
    with (
        running_asker() as asker,
        extension_browser(
            driver,
            tmp_path_factory.mktemp("profile"),
            "extension-debugger",
            flags=("--force-device-scale-factor=2", "--window-size=1400,900"),
            no_viewport=True,
        ) as chrome,
    ):
        chrome.connect(asker.url)
        yield chrome, asker


@pytest.fixture
def dense(
    debugging: tuple[ExtensionBrowser, Asker],
) -> Iterator[tuple[ExtensionBrowser, Asker]]:
    yield debugging
    for page in debugging[0].context.pages[1:]:
        page.close()


def test_what_is_visible_is_photographed(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(f"{site.url}/red")
    page.evaluate(PAINTED)

    answer = asker.ask("screenshot")

    assert answer["url"] == page.url
    assert opened(answer).getpixel((300, 300)) == RED
    assert "note" not in answer


@pytest.mark.parametrize(
    ("asked", "what"),
    [({"full_page": True}, "A full page"), ({"selector": "#x"}, "A single element")],
)
def test_without_the_debugger_it_is_the_visible_part_and_says_so(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site, asked: dict[str, Any], what: str
) -> None:
    asked_chrome.open(f"{site.url}/red")

    answer = asker.ask("screenshot", **asked)

    assert 50 < answer["height"] < 3000
    assert answer["note"].startswith(f"{what} needs the debugger build")


def test_a_tab_in_the_background_is_not_mistaken_for_the_one_in_front(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    asked_chrome.open(f"{site.url}/red")
    behind = asked_chrome.ask("async () => (await chrome.tabs.query({active: true}))[0].id")
    asked_chrome.open(site.url)

    answer = asker.ask("screenshot", tab_id=behind)

    assert answer["error"] == "screenshot_failed"
    assert "bring it to the front" in answer["message"]


@pytest.mark.parametrize("zoom", [1, 1.5])
def test_a_whole_page_fits_however_dense_the_screen_and_however_large_the_zoom(
    dense: tuple[ExtensionBrowser, Asker], site: Site, zoom: float
) -> None:
    chrome, asker = dense
    page = chrome.open(site.url)
    page.evaluate(PAGE_OF, 3000)
    chrome.ask(
        "async zoom => chrome.tabs.setZoom((await chrome.tabs.query({active: true}))[0].id, zoom)",
        zoom,
    )

    answer = asker.ask("screenshot", full_page=True)

    picture = opened(answer)
    assert picture.width == 1280
    assert picture.height == pytest.approx(3000 * 1280 / page.evaluate("innerWidth"), rel=0.02)
    assert picture.getpixel((5, 5)) == RED
    assert colour_at_the_end(picture) == BLUE
    assert "note" not in answer


@pytest.mark.parametrize(("height", "ends_in"), [(16_384, BLUE), (16_404, RED)])
def test_a_page_is_photographed_to_16384_pixels_and_cropped_past_them(
    dense: tuple[ExtensionBrowser, Asker], site: Site, height: int, ends_in: tuple[int, ...]
) -> None:
    chrome, asker = dense
    chrome.open(site.url).evaluate(PAGE_OF, height)

    answer = asker.ask("screenshot", full_page=True)

    picture = opened(answer)
    assert picture.width <= 1280
    assert picture.height <= 16_384
    assert colour_at_the_end(picture) == ends_in
    cropped = f"The page is {height} px tall: cropped to 16384 px."
    assert answer.get("note") == (None if height == 16_384 else cropped)


def test_an_element_below_the_fold_is_photographed_alone(
    dense: tuple[ExtensionBrowser, Asker], site: Site
) -> None:
    chrome, asker = dense
    chrome.open(site.url).evaluate(PAGE_OF, 5000)

    picture = opened(asker.ask("screenshot", selector="#last"))

    assert picture.height < 50
    assert {picture.getpixel((x, picture.height // 2)) for x in (0, picture.width - 1)} == {BLUE}


@pytest.mark.parametrize("selector", ["#nowhere", "head", ">>"])
def test_an_element_that_cannot_be_seen_is_said_to_be_missing(
    dense: tuple[ExtensionBrowser, Asker], site: Site, selector: str
) -> None:
    chrome, asker = dense
    chrome.open(site.url)

    answer = asker.ask("screenshot", selector=selector)

    assert (
        answer["message"]
        == f"No visible element matches {selector}: query_dom tells what is there."
    )


def test_where_the_debugger_is_denied_it_is_the_visible_part_and_says_why(
    dense: tuple[ExtensionBrowser, Asker], site: Site
) -> None:
    chrome, asker = dense
    chrome.open(site.url).evaluate(PAGE_OF, 5000)
    chrome.ask(
        """() => {
            self.attach = chrome.debugger.attach;
            chrome.debugger.attach = () => Promise.reject(new Error('denied'));
        }"""
    )

    answer = asker.ask("screenshot", full_page=True)
    chrome.ask("() => { chrome.debugger.attach = self.attach; }")

    assert opened(answer).height < 1500
    assert answer["note"].startswith("The debugger could not be used (Error: denied)")


def test_the_page_does_not_notice_that_it_is_photographed(
    asked_chrome: ExtensionBrowser, asker: Asker, site: Site
) -> None:
    page = asked_chrome.open(site.url)
    page.evaluate(PAGE_OF, 5000)
    page.evaluate(
        """() => {
            scrollTo(0, 700); window.seen = [];
            requestAnimationFrame(() => requestAnimationFrame(() => {
                for (const name of ['resize', 'scroll', 'visibilitychange', 'blur'])
                    addEventListener(name, () => seen.push(name), true);
                window.ready = true;
            }));
        }"""
    )
    page.wait_for_function("window.ready")

    asker.ask("screenshot")

    assert page.evaluate("[scrollY, seen]") == [700, []]


def test_an_agent_gets_a_whole_page_of_a_dense_screen(
    debugging: tuple[ExtensionBrowser, Asker], server: RunningServer, site: Site
) -> None:
    chrome, asker = debugging
    chrome.connect(server.url)
    chrome.open(site.url).evaluate(PAGE_OF, 16_384)
    wait_until(lambda: "isError" not in call_tool(server, "get_page_info"), "the page to answer")

    result = call_tool(server, "capture_screenshot", full_page=True)

    told = answer_of(result)
    assert told["width"] <= 1280
    assert told["size_bytes"] <= 500_000
    image = next(one for one in result["content"] if one["type"] == "image")
    kept = Image.open(io.BytesIO(base64.b64decode(image["data"]))).convert("RGB")
    assert kept.size == (told["width"], told["height"])
    assert colour_at_the_end(kept) == BLUE
    chrome.connect(asker.url)


def pictures(server: RunningServer) -> list[Any]:
    return logs(server, type="screenshot")


def test_nothing_is_photographed_by_itself_until_that_is_switched_on(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)
    page.evaluate("setTimeout(() => { throw new Error('nobody photographs this'); })")
    wait_until(lambda: logs(server, type="exception") != [], "the error")

    # The next thing that is photographed is the first.
    chrome.configure(screenshotsEnabled=True)
    page.evaluate("setTimeout(() => { throw new Error('photograph this'); })")
    wait_until(lambda: pictures(server) != [], "a picture")

    errors = {entry["_errorId"]: entry["message"] for entry in logs(server, type="exception")}
    assert [errors[entry["relatedErrorId"]] for entry in pictures(server)] == [
        "Uncaught Error: photograph this"
    ]


@pytest.mark.parametrize(
    "fail",
    [
        "setTimeout(() => { throw new Error('broken'); })",
        "Promise.reject(new Error('broken'))",
        "console.error('broken')",
    ],
)
def test_an_error_is_photographed_once_that_is_switched_on(
    chrome: ExtensionBrowser, server: RunningServer, site: Site, fail: str
) -> None:
    chrome.configure(screenshotsEnabled=True)
    page = chrome.open(site.url)

    page.evaluate(f"() => {{ {fail} }}")

    wait_until(lambda: pictures(server) != [], "the picture of an error")
    [entry] = pictures(server)
    assert entry["trigger"] == "error"
    assert entry["relatedErrorId"].startswith("err_")
    assert entry["screenshotFile"].endswith(".jpg")
    assert entry["_enrichments"] == ["screenshot"]
    assert entry["url"] == page.url


def test_a_page_is_photographed_a_second_after_it_has_loaded(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(screenshotsEnabled=True, screenshotOnError=False, screenshotOnNavigation=True)
    page = chrome.open(f"{site.url}/red")
    loaded_ms = page.evaluate(
        "performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventEnd"
    )
    page.evaluate("setTimeout(() => { throw new Error('not of interest'); })")

    wait_until(lambda: pictures(server) != [], "the picture of the loaded page")

    [entry] = pictures(server)
    assert (entry["trigger"], entry["url"]) == ("navigation", page.url)
    settled = "entry => Date.parse(entry.ts) - entry.loaded"
    assert page.evaluate(settled, {"ts": entry["ts"], "loaded": loaded_ms}) >= 1000


def action_of(entry: dict[str, Any], server: RunningServer) -> Any:
    """The action that a picture was taken of, which may come after it."""

    def actions() -> dict[str, Any]:
        return {one["actionId"]: one for one in snapshot(server).get("enhanced_actions", [])}

    wait_until(lambda: entry["relatedActionId"] in actions(), "the action of a picture")
    return actions()[entry["relatedActionId"]]


def test_a_click_that_changes_the_page_is_photographed_with_its_action(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(screenshotsEnabled=True, screenshotOnError=False, screenshotOnAction=True)
    page = chrome.open(site.url)
    # Of a click before it knows them a page cannot say whether it changed anything.
    chrome.await_settings()
    page.evaluate("document.querySelector('#pay').onclick = () => document.body.append('paid')")

    page.click("h1")
    page.click("#pay")

    wait_until(lambda: pictures(server) != [], "the picture of a click")
    [entry] = pictures(server)
    assert entry["trigger"] == "action"
    assert action_of(entry, server)["selectors"]["id"] == "pay"


def test_a_submitted_form_that_changes_the_page_is_photographed(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(screenshotsEnabled=True, screenshotOnError=False, screenshotOnAction=True)
    page = chrome.open(site.url)
    page.evaluate(
        "document.forms[0].onsubmit = () => { document.body.append('sent'); return false; }"
    )

    page.evaluate("document.forms[0].requestSubmit()")

    wait_until(lambda: pictures(server) != [], "the picture of a submitted form")
    [entry] = pictures(server)
    assert action_of(entry, server)["type"] == "submit"


def test_a_tool_switches_on_what_is_photographed_by_itself(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(site.url)
    wait_until(lambda: "isError" not in call_tool(server, "get_page_info"), "the page to answer")
    wanted = {"on_navigation": True, "on_error": False, "on_action": False}

    answer_of(call_tool(server, "capture_screenshot", auto_screenshot=wanted))

    wait_until(
        lambda: chrome.stored().get("captureOverrides", {}).get("auto_screenshot") == wanted,
        "the override",
    )
    chrome.open(f"{site.url}/red")
    wait_until(lambda: pictures(server) != [], "the picture of the loaded page")
    assert {entry["trigger"] for entry in pictures(server)} == {"navigation"}
    call_tool(server, "capture_screenshot", auto_screenshot={"on_error": False})


def test_a_picture_that_the_server_refuses_leaves_a_line_in_the_debug_log(
    asked_chrome: ExtensionBrowser, site: Site
) -> None:
    asked_chrome.configure(debugMode=True, screenshotsEnabled=True, logLevel="error")

    asked_chrome.open(f"{site.url}/early")

    def noted() -> list[str]:
        kept = asked_chrome.ask("() => chrome.storage.session.get('debugLog')")
        return [line["what"] for line in kept.get("debugLog", [])]

    wait_until(lambda: "no screenshot" in noted(), "a line about the picture")
