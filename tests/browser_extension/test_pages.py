"""Popup and options: what they show, and that what is set there stays set."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser_extension.asking import messages, wait_for_message
from tests.browser_extension.browsers import ExtensionBrowser, extension_browser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, wait_until


def open_popup(chrome: ExtensionBrowser) -> Page:
    return chrome.open(f"{chrome.address}/popup.html")


def test_the_popup_says_that_it_is_connected_and_counts(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/early")
    wait_for_message(server, "the first thing")

    popup = open_popup(chrome)

    expect(popup.locator("#status")).to_have_text("Connected")
    expect(popup.locator("#entries")).to_have_text("1 / 1,000")
    expect(popup.locator("#trouble")).to_be_hidden()


def test_the_popup_clears_the_logs(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    chrome.open(f"{site.url}/early")
    wait_for_message(server, "the first thing")

    popup = open_popup(chrome)
    popup.click("#clear")

    expect(popup.locator("#said")).to_have_text("Cleared")
    expect(popup.locator("#errors")).to_have_text("0")
    assert messages(server) == []


def test_without_a_server_the_popup_says_what_to_do(chrome: ExtensionBrowser) -> None:
    chrome.configure(serverUrl="http://127.0.0.1:9")

    popup = open_popup(chrome)

    expect(popup.locator("#status")).to_have_text("Disconnected")
    expect(popup.locator("#problem")).to_have_text("Nothing answers at http://127.0.0.1:9.")
    expect(popup.get_by_text("gasoline serve")).to_be_visible()


def test_every_switch_of_the_popup_works_by_keyboard_and_persists(
    chrome: ExtensionBrowser,
) -> None:
    popup = open_popup(chrome)
    popup.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    popup.check('[data-setting="screenshotsEnabled"]')
    popup.check('[data-setting="debugMode"]')
    switches = popup.locator("input[data-setting]")
    before = [switch.is_checked() for switch in switches.all()]

    for switch in switches.all():
        if switch.is_enabled():
            switch.press("Space")
    popup.locator('[data-setting="logLevel"]').select_option("warn")
    after = [switch.is_checked() for switch in switches.all()]

    assert after != before
    wait_until(lambda: chrome.stored().get("logLevel") == "warn", "the settings in storage")
    popup.reload()
    expect(popup.locator('[data-setting="logLevel"]')).to_have_value("warn")
    assert [switch.is_checked() for switch in switches.all()] == after


@pytest.mark.parametrize("path", ["popup.html", "options.html"])
def test_every_control_has_a_name(chrome: ExtensionBrowser, path: str) -> None:
    page = chrome.open(f"{chrome.address}/{path}")

    named = page.evaluate(
        """() => [...document.querySelectorAll('input, select, textarea')]
            .filter(one => !(one.labels[0] && one.labels[0].textContent.trim()))
            .map(one => one.outerHTML)"""
    )

    assert named == []


def test_options_are_saved_cleaned_and_kept(
    chrome: ExtensionBrowser, server: RunningServer
) -> None:
    options = chrome.open(f"{chrome.address}/options.html")
    options.fill("#server-url", f"{server.url}/some/path")
    options.fill("#domains", "https://Example.com/cart\n\n*.shop.test\nlocalhost:3000\nexample.com")
    options.fill("#buffer", "900")
    options.check('[data-setting="screenshotsEnabled"]')

    options.click("button[type=submit]")

    expect(options.locator("#saved")).to_have_text("Saved!")
    stored = chrome.stored()
    assert stored["serverUrl"] == server.url
    assert stored["domainFilters"] == ["example.com", "shop.test", "localhost:3000"]
    assert stored["reproductionBufferSize"] == 50
    assert stored["screenshotsEnabled"] is True
    expect(options.locator("#saved")).to_have_text("", timeout=3000)


def test_the_address_can_be_tested_before_it_is_saved(
    chrome: ExtensionBrowser, server: RunningServer, site: Site
) -> None:
    options = chrome.open(f"{chrome.address}/options.html")
    said = options.locator("#tested")

    options.fill("#server-url", server.url)
    options.click("#test")
    expect(said).to_contain_text("answers.")
    options.fill("#server-url", site.url)
    options.click("#test")
    expect(said).to_have_text("Something other than Gasoline answers there.")
    options.fill("#server-url", "http://127.0.0.1:9")
    options.click("#test")
    expect(said).to_contain_text("Nothing answers there.")


def test_the_debug_log_can_be_exported(chrome: ExtensionBrowser, tmp_path: Path) -> None:
    chrome.configure(debugMode=True, serverUrl="http://127.0.0.1:9")
    popup = open_popup(chrome)
    popup.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")

    with popup.expect_download() as waiting:
        popup.click("#export-debug")

    waiting.value.save_as(tmp_path / "log.json")
    exported = json.loads((tmp_path / "log.json").read_text())
    assert isinstance(exported["lines"], list)
    assert exported["extension"]


AI_CONTEXT = {
    "aiContextEnabled": True,
    "aiContextSourceSnippets": True,
    "aiContextComponentTree": True,
    "aiContextStateSnapshot": False,
}


@pytest.mark.parametrize("path", ["popup.html", "options.html"])
def test_ai_context_is_switched_in_both_places_with_its_defaults(
    chrome: ExtensionBrowser, path: str
) -> None:
    page = chrome.open(f"{chrome.address}/{path}")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    switches = {name: page.locator(f'[data-setting="{name}"]') for name in AI_CONTEXT}
    for name, on in AI_CONTEXT.items():
        expect(switches[name]).to_be_checked(checked=on)

    for name in reversed(AI_CONTEXT):
        switches[name].press("Space")
    if path == "options.html":
        page.click("button[type=submit]")
        expect(page.locator("#saved")).to_have_text("Saved!")

    changed = {name: not on for name, on in AI_CONTEXT.items()}
    wait_until(lambda: changed.items() <= chrome.stored().items(), "the settings in storage")
    page.reload()
    for name, on in changed.items():
        expect(switches[name]).to_be_checked(checked=on)


def test_settings_outlive_the_browser(driver: Playwright, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    with extension_browser(driver, profile) as chrome:
        chrome.configure(aiContextStateSnapshot=True, logLevel="warn")

    with extension_browser(driver, profile) as chrome:
        stored = chrome.stored()

    assert (stored["aiContextStateSnapshot"], stored["logLevel"]) == (True, "warn")
