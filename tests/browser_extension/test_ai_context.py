"""The switches for what errors are told with: what a page sends once they are set."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser_extension.asking import logs, wait_for_message
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, wait_until

# Stands in for a framework and a store: what has the focus belongs to both.
SHOP = """<!doctype html><button id=go autofocus>Go</button><script>
go.focus();
go.__reactFiber$test = {type: function Cart() {}, memoizedProps: {items: 1}};
window.store = {getState: () => ({cart: {status: 'open'}}), dispatch() {}};
console.error('at the start');
</script>"""
LATER = "at last"
CART = {"framework": "react", "components": [{"name": "Cart", "propKeys": ["items"]}]}


@pytest.fixture
def shop(chrome: ExtensionBrowser, site: Site) -> Iterator[str]:
    address = f"{site.url}/shop"

    def answer(route: Route) -> None:
        route.fulfill(body=SHOP, content_type="text/html")

    chrome.context.route(address, answer)
    yield address
    chrome.context.unroute(address)


def set_in_popup(chrome: ExtensionBrowser, **settings: bool) -> None:
    popup = chrome.open(f"{chrome.address}/popup.html")
    popup.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    for name, value in settings.items():
        popup.locator(f'[data-setting="{name}"]').set_checked(value)
    wait_until(lambda: settings.items() <= chrome.stored().items(), "the settings in storage")
    popup.close()


def set_in_options(chrome: ExtensionBrowser, **settings: bool) -> None:
    options = chrome.open(f"{chrome.address}/options.html")
    for name, value in settings.items():
        options.locator(f'[data-setting="{name}"]').set_checked(value)
    options.click("button[type=submit]")
    expect(options.locator("#saved")).to_have_text("Saved!")
    options.close()


def errors_of_a_visit(chrome: ExtensionBrowser, server: RunningServer, shop: str) -> list[Any]:
    """One of before the page knew the settings, and one of after."""
    page = chrome.open(shop)
    fail(page)
    return [wait_for_message(server, message) for message in ("at the start", LATER)]


def fail(page: Page) -> None:
    page.evaluate("async message => { await __gasoline.flush(); console.error(message) }", LATER)


def test_by_default_errors_come_with_components_and_without_state(
    chrome: ExtensionBrowser, server: RunningServer, shop: str
) -> None:
    for entry in errors_of_a_visit(chrome, server, shop):
        assert entry["_aiContext"]["componentAncestry"] == CART
        assert "stateSnapshot" not in entry["_aiContext"]


def test_switched_off_errors_look_as_if_there_were_no_context(
    chrome: ExtensionBrowser, server: RunningServer, shop: str
) -> None:
    set_in_popup(chrome, aiContextEnabled=False)

    for entry in errors_of_a_visit(chrome, server, shop):
        assert {"_errorId", "_aiContext"}.isdisjoint(entry)
        assert "aiContext" not in entry.get("_enrichments", [])


def test_without_components_errors_have_none(
    chrome: ExtensionBrowser, server: RunningServer, shop: str
) -> None:
    set_in_popup(chrome, aiContextComponentTree=False)

    for entry in errors_of_a_visit(chrome, server, shop):
        assert "_errorId" in entry
        assert "componentAncestry" not in entry.get("_aiContext", {})


def test_without_source_snippets_errors_say_so(
    chrome: ExtensionBrowser, server: RunningServer, shop: str
) -> None:
    set_in_options(chrome, aiContextSourceSnippets=False)

    for entry in errors_of_a_visit(chrome, server, shop):
        assert entry["_aiContext"]["sourceSnippets"] == []
        assert entry["_aiContext"]["componentAncestry"] == CART


def test_the_state_comes_along_once_it_is_asked_for_in_a_page_that_is_open(
    chrome: ExtensionBrowser, server: RunningServer, shop: str
) -> None:
    page = chrome.open(shop)
    wait_for_message(server, "at the start")

    set_in_options(chrome, aiContextStateSnapshot=True)

    def told() -> list[Any]:
        page.evaluate("console.error('is it on?', performance.now())")
        page.evaluate("__gasoline.flush()")
        contexts = [entry.get("_aiContext", {}) for entry in logs(server, level="error")]
        return [context["stateSnapshot"] for context in contexts if "stateSnapshot" in context]

    wait_until(lambda: bool(told()), "the state")
    assert told()[0] == {
        "source": "redux",
        "keys": {"cart": {"type": "object", "keys": ["status"]}},
        "relevantSlice": {"cart.status": "open"},
    }
