"""A click that leads to nothing is told; one that leads to anything is not."""

import pytest
from playwright.sync_api import Page

from examples.shop.server import running_shop
from tests.bridges import running_bridge
from tests.browser_extension.asking import logs
from tests.browser_extension.browsers import ExtensionBrowser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, wait_until

# Each does something else.
ALIVE = {
    "changes the page": "this.after('changed')",
    "changes an attribute": "this.className = 'pressed'",
    "asks a server": "fetch('/early')",
    "asks a server as before": "const r = new XMLHttpRequest(); r.open('GET', '/early'); r.send()",
    "changes the address": "history.pushState({}, '', '#paid')",
    "changes late": "setTimeout(() => this.after('late'), 700)",
    "goes to a field": "document.querySelector('input').focus()",
}


def dead_clicks(server: RunningServer) -> list[str]:
    return [entry["message"] for entry in logs(server, type="dead-click")]


def add_buttons(page: Page, buttons: dict[str, str]) -> None:
    page.evaluate(
        """buttons => {
            document.body.innerHTML = '<input aria-label="name">';
            for (const [name, does] of Object.entries(buttons)) {
                const button = document.createElement('button');
                button.textContent = name;
                button.setAttribute('onclick', does);
                document.body.append(button);
            }
        }""",
        buttons,
    )


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def page(chrome: ExtensionBrowser, site: Site) -> Page:
    return chrome.open(site.url)


def test_only_the_button_that_does_nothing_is_told(page: Page, server: RunningServer) -> None:
    add_buttons(page, ALIVE | {"Pay now": ""})

    for name in ALIVE:
        press(page, name)
        # Each has its second for itself, or it would be a sign of life for the one before.
        page.wait_for_timeout(1100)
    press(page, "Pay now")

    wait_until(lambda: bool(dead_clicks(server)), "the dead click")
    (told,) = dead_clicks(server)
    assert told.startswith('Nothing followed a click on "Pay now" within')


def test_a_dead_button_of_the_shop_is_pushed_to_a_client(
    chrome: ExtensionBrowser, server: RunningServer
) -> None:
    with running_shop() as shop, running_bridge(server.port, server.state_folder) as client:
        shop.switch(on=["dead-button"])
        client.shake_hands()
        client.call("configure_streaming", enabled=True, events=["user_frustration"])
        page = chrome.context.new_page()
        # The live stock and late recommendations would look like what followed the click.
        page.route_web_socket("**/feed", lambda _silent: None)
        page.goto(f"{shop.url}/products/101")
        page.wait_for_load_state("networkidle")
        page.get_by_role("button", name="Add to cart").click()
        heard = client.receive()["params"]

    assert (heard["category"], heard["severity"]) == ("user_frustration", "warning")
    assert 'Nothing followed a click on "Add to cart"' in heard["message"]
    assert heard["context"]["url"].endswith("/products/101")


def test_a_button_that_is_switched_off_is_not_dead(page: Page, server: RunningServer) -> None:
    add_buttons(page, {"Off": "", "Pay now": ""})
    page.get_by_role("button", name="Off").evaluate("button => button.ariaDisabled = 'true'")
    page.get_by_role("button", name="Off").click(force=True)
    page.wait_for_timeout(1100)
    press(page, "Pay now")

    wait_until(lambda: bool(dead_clicks(server)), "the dead click")
    assert len(dead_clicks(server)) == 1


def test_dead_clicks_come_whatever_the_level_and_not_when_actions_are_off(
    chrome: ExtensionBrowser, site: Site, server: RunningServer
) -> None:
    chrome.configure(logLevel="error")
    page = chrome.open(site.url)
    add_buttons(page, {"First": "", "Second": ""})
    press(page, "First")
    wait_until(lambda: bool(dead_clicks(server)), "the dead click")

    chrome.configure(actionReplayEnabled=False)
    quiet = chrome.open(site.url)
    add_buttons(quiet, {"Third": ""})
    press(quiet, "Third")
    quiet.wait_for_timeout(1200)
    quiet.evaluate("console.error('after the second')")
    wait_until(lambda: bool(logs(server, message="after the second")), "the word after")

    assert len(dead_clicks(server)) == 1
