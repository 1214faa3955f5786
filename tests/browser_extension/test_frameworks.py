"""The same journey through React, Vue and Svelte leaves the same records, however captured."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tests.apps.running import BROKEN_ORDER, FRAMEWORKS, App, Framework, running_app
from tests.browser_extension.asking import logs, snapshot
from tests.browser_extension.browsers import ASSETS, BROWSER, FLAGS, ExtensionBrowser
from tests.servers import RunningServer, running_server, wait_until


class Scripted(NamedTuple):
    """A page with gasoline-ci.js in it, and where that sends to."""

    page: Page
    server: RunningServer


@pytest.fixture(scope="module")
def apps() -> Iterator[dict[Framework, App]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(running_app(name)) for name in FRAMEWORKS}


@pytest.fixture(scope="module")
def plain_browser(driver: Playwright) -> Iterator[Browser]:
    with driver.chromium.launch(executable_path=BROWSER, args=list(FLAGS)) as started:
        yield started


@pytest.fixture
def scripted(plain_browser: Browser, script_server: RunningServer) -> Iterator[Scripted]:
    page = plain_browser.new_page()
    page.add_init_script(
        f"__GASOLINE_PORT={script_server.port};__GASOLINE_CAPTURE_MODE='all';"
        + (ASSETS / "gasoline-ci.min.js").read_text()
    )
    script_server.request("POST", "/clear")
    yield Scripted(page, script_server)
    page.close()


@pytest.fixture(scope="module")
def script_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


def travel(page: Page, app: App) -> None:
    """Type, choose, load, and do what fails."""
    page.goto(app.url)
    page.fill("[data-testid=search]", "lamp")
    page.select_option("select", "open")
    page.click("text=Load order")
    page.click("text=Show total")
    page.wait_for_function("window.__gasoline !== undefined")
    page.evaluate("__gasoline.flush()")


def errors(server: RunningServer) -> list[Any]:
    """Thrown, or told by a framework that caught it: Vue does so."""
    return logs(server, level="error")


def tell(server: RunningServer) -> dict[str, Any]:
    """What of the journey's records does not depend on time, place or bundler."""
    wait_until(lambda: errors(server) != [], "the error")
    wait_until(lambda: len(snapshot(server)["enhanced_actions"]) >= 4, "the actions")
    told = snapshot(server)
    return {
        "actions": [_action(action) for action in told["enhanced_actions"]],
        "errors": [entry["message"].partition("TypeError: ")[2] for entry in errors(server)],
        "said": [entry["args"] for entry in logs(server, type="console", level="log")],
        "requests": [
            (body["method"], body["status"], json.loads(body["responseBody"]))
            for body in told["network_bodies"]
        ],
    }


def _action(action: dict[str, Any]) -> tuple[str, Any, Any]:
    return action["type"], action["selectors"], action.get("value") or action.get("selectedValue")


def selectors(path: str, role: str, name: str, **more: str) -> dict[str, Any]:
    """Those of an element that each of them finds alone."""
    found = {"cssPath": f"#app > main > {path}", "role": {"role": role, "name": name}, **more}
    return {**found, "unique": dict.fromkeys(found, True)}


JOURNEY = {
    "actions": [
        (
            "input",
            selectors("form > label:nth-child(1) > input", "textbox", "Search", testId="search"),
            "lamp",
        ),
        ("select", selectors("form > label:nth-child(2) > select", "combobox", "Status"), "open"),
        ("click", selectors("button", "button", "Load order", text="Load order"), None),
        ("click", selectors("section > button", "button", "Show total", text="Show total"), None),
    ],
    "errors": ["Cannot read properties of null (reading 'amount')"],
    "said": [["order loaded", BROKEN_ORDER]],
    "requests": [("GET", 200, BROKEN_ORDER)],
}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_journey_leaves_the_same_records_whatever_the_page_is_made_of(
    framework: Framework,
    apps: dict[Framework, App],
    scripted: Scripted,
    chrome: ExtensionBrowser,
    server: RunningServer,
) -> None:
    travel(scripted.page, apps[framework])
    travel(chrome.context.new_page(), apps[framework])

    assert tell(scripted.server) == JOURNEY
    assert tell(server) == JOURNEY
