"""What pages do reaches the server, from wherever it happens, and pages see nothing of it."""

from typing import Any

import pytest
from playwright.sync_api import Playwright

from tests.browser_extension.asking import messages, snapshot, wait_for_message
from tests.browser_extension.browsers import ASSETS, BROWSER, FLAGS, ExtensionBrowser
from tests.browser_extension.scenario import KINDS, play, shapes
from tests.browser_extension.site import Site
from tests.servers import RunningServer, running_server, wait_until


def test_the_first_words_of_a_page_arrive(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(f"{site.url}/early")

    entry = wait_for_message(server, "the first thing")

    assert entry["url"] == page.url
    assert isinstance(entry["tabId"], int)
    capture = server.request("GET", "/health").json["capture"]
    assert capture == {"state": "complete"}


def test_what_a_page_says_that_leaves_before_it_has_loaded_arrives(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.context.new_page()
    page.route("**/never.png", lambda _route: None)
    left = """<!doctype html><img src="/never.png"><script>
        console.error('said on the way');
        setTimeout(() => location.replace('/'), 200)</script>"""
    page.route("**/leaves", lambda route: route.fulfill(body=left, content_type="text/html"))

    page.goto(f"{site.url}/leaves", wait_until="commit")
    page.wait_for_url(site.url + "/")

    wait_for_message(server, "said on the way")


def test_a_strict_policy_does_not_matter(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/strict")

    wait_for_message(server, "under a strict policy")


def test_every_kind_of_frame_is_captured(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/frames")

    said = {"in srcdoc", "in about:blank", "in a frame", "in a sandbox"}
    wait_until(lambda: said <= set(messages(server)), "all frames")


def test_a_blank_popup_is_captured_even_when_it_is_written_anew(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)

    page.evaluate(
        """() => {
            const popup = window.open('about:blank');
            popup.console.error('from the popup');
            popup.document.write('<script>console.error("written into it")</' + 'script>');
            popup.document.close();
        }"""
    )

    said = {"from the popup", "written into it"}
    wait_until(lambda: said <= set(messages(server)), "the popup")


def test_a_page_sees_nothing_of_us(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(f"{site.url}/listening")
    wait_for_message(server, "said while listening")
    chrome.configure(logLevel="warn")
    page.evaluate("console.error('said later')")
    wait_for_message(server, "said later")

    assert page.evaluate("heard") == []
    assert page.evaluate("Object.keys(window).filter(name => /gasoline/i.test(name))") == []
    assert page.evaluate("document.documentElement.outerHTML.includes('gasoline')") is True
    assert page.evaluate("document.querySelectorAll('script').length") == 2


def test_what_a_page_says_while_it_goes_arrives(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)
    page.evaluate("addEventListener('pagehide', () => console.error('going'))")

    page.close()

    wait_for_message(server, "going")


@pytest.mark.parametrize("name", ["DEV_CONSOLE_LOG", "GASOLINE_LOG"])
def test_page_scripts_of_the_past_are_heard(
    chrome: ExtensionBrowser, server: RunningServer, site: Site, name: str
) -> None:
    page = chrome.open(site.url)
    page.wait_for_timeout(50)

    page.evaluate(
        """type => window.postMessage({type, payload: {level: 'error', type: 'console',
            message: 'the old way', args: ['the old way']}}, '*')""",
        name,
    )

    wait_for_message(server, "the old way")


def test_a_frame_cannot_speak_for_its_page(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(f"{site.url}/frames")
    page.frames[1].evaluate(
        """() => parent.postMessage({type: 'GASOLINE_LOG',
            payload: {level: 'error', message: 'forged'}}, '*')"""
    )
    page.evaluate("console.error('after the forgery')")

    wait_for_message(server, "after the forgery")
    assert "forged" not in messages(server)


def test_whether_a_request_was_authorized_is_told_and_by_what_is_not(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = chrome.open(site.url)

    page.evaluate(
        """async () => {
            const secret = 'Bearer abcdefghijklmnopqrstuvwxyz';
            await fetch('/api/ok?1', {headers: {AUTHORIZATION: secret}});
            await fetch('/api/ok?2', {headers: new Headers({Authorization: secret})});
            await fetch('/api/ok?3');
            await __gasoline.flush();
        }"""
    )

    wait_until(lambda: len(snapshot(server)["network_bodies"]) == 3, "the requests")
    bodies = sorted(snapshot(server)["network_bodies"], key=lambda body: str(body["url"]))
    assert [body["hasAuthHeader"] for body in bodies] == [True, True, False]
    assert "abcdefghijklmnop" not in str(bodies)


def test_how_fast_a_page_loaded_is_told(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/red")

    def told() -> Any:
        return server.request("GET", "/performance-snapshot?url=/red").json["snapshot"]

    wait_until(lambda: told() is not None, "the snapshot after the load")
    assert told()["timing"]["load"] > 0


def test_records_are_those_of_gasoline_ci(
    chrome: ExtensionBrowser,
    server: RunningServer,
    site: Site,
    driver: Playwright,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    play(chrome.open(site.url), site)
    wait_until(lambda: len(shapes(server)) >= KINDS, "the whole scenario")

    with running_server(tmp_path_factory.mktemp("other")) as other:
        plain = driver.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        page = plain.new_page()
        page.add_init_script(
            f"__GASOLINE_PORT={other.port};__GASOLINE_CAPTURE_MODE='all';"
            + (ASSETS / "gasoline-ci.js").read_text()
        )
        page.goto(site.url)
        play(page, site)
        wait_until(lambda: len(shapes(other)) >= KINDS, "the whole scenario again")
        plain.close()

        # What is found out about an error joins it later.
        wait_until(lambda: shapes(server) == shapes(other), "records of the same shapes")
        assert {type(entry["tabId"]) for entry in snapshot(server)["logs"]} == {int}
