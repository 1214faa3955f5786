"""What happens before a page has loaded, and before it knows the settings."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser_extension.asking import messages, snapshot, wait_for_message
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, wait_until

# Loads as long as somebody looks at it.
LOADING = """<!doctype html><title>Slow</title><img src="/never.png">
<form onsubmit="return false"><button data-testid="buy">Buy it</button></form>
<script>throw new Error('while it loads')</script>"""
HANGING = """<!doctype html><title>Hangs</title><button data-testid="buy">Buy it</button>
<script>console.error('while it hangs')</script><script src="/never.js"></script>"""
LEAVING = """<!doctype html><img src="/never.png"><button data-testid="go">Go</button><script>
    console.error('an error on the way');
    console.log('a word on the way');
    document.querySelector('button').onclick = () => location.replace('/red');
    document.querySelector('button').click();
</script>"""


def open_early(chrome: ExtensionBrowser, site: Site, html: str) -> Page:
    """A page that never finishes loading."""
    page = chrome.context.new_page()
    page.route("**/never.*", lambda _route: None)
    page.route("**/slow", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{site.url}/slow", wait_until="commit")
    return page


def actions(server: RunningServer, kind: str) -> list[Any]:
    # Left out while there are none.
    seen = snapshot(server).get("enhanced_actions", [])
    return [action for action in seen if action["type"] == kind]


@pytest.mark.parametrize("html", [LOADING, HANGING])
def test_what_the_user_does_while_a_page_loads_is_told_with_its_selectors(
    chrome: ExtensionBrowser, server: RunningServer, site: Site, html: str
) -> None:
    page = open_early(chrome, site, html)

    page.get_by_test_id("buy").click()

    wait_until(lambda: bool(actions(server, "click")), "the click")
    (click,) = actions(server, "click")
    assert click["selectors"]["testId"] == "buy"
    assert click["selectors"]["role"]["name"] == "Buy it"


def test_a_page_whose_html_does_not_end_is_heard(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    open_early(chrome, site, HANGING)

    wait_for_message(server, "while it hangs")


def test_an_error_while_a_page_loads_has_its_context(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.configure(aiContextSourceSnippets=False)
    open_early(chrome, site, LOADING)

    error = wait_for_message(server, "Uncaught Error: while it loads")

    assert error["_aiContext"]["sourceSnippets"] == []
    assert "aiContext" in error["_enrichments"]


@pytest.mark.parametrize(
    ("settings", "arrives"),
    [
        ({}, {"an error on the way", "a word on the way"}),
        ({"logLevel": "error"}, {"an error on the way"}),
        ({"domainFilters": ["example.com"]}, set()),
    ],
)
def test_what_a_page_says_that_leaves_before_it_knows_the_settings_is_held_against_them(
    chrome: ExtensionBrowser,
    server: RunningServer,
    site: Site,
    settings: dict[str, Any],
    arrives: set[str],
) -> None:
    chrome.configure(**settings)
    page = open_early(chrome, site, LEAVING)
    page.wait_for_url(f"{site.url}/red")

    # What a page says that comes later comes behind it.
    chrome.configure(domainFilters=[])
    page.evaluate("console.error('there')")
    wait_for_message(server, "there")

    assert set(messages(server)) - {"there"} == arrives


def test_a_click_that_leaves_before_it_can_be_described_is_told(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    page = open_early(chrome, site, LEAVING)
    page.wait_for_url(f"{site.url}/red")

    wait_until(lambda: bool(actions(server, "click")), "the click")

    (click,) = actions(server, "click")
    assert click["target"] == "button"
    assert click["url"] == f"{site.url}/slow"


def test_a_dialog_of_the_first_script_is_told(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    open_early(chrome, site, "<!doctype html><script>alert('Welcome')</script><img src='/red'>")

    wait_until(lambda: bool(actions(server, "dialog")), "the dialog")

    (dialog,) = actions(server, "dialog")
    assert (dialog["text"], dialog["value"]) == ("Welcome", "accept")
