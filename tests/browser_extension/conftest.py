"""One browser, one site and one server for all tests that only add to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tests.browser_extension.asker import Asker, running_asker
from tests.browser_extension.browsers import (
    BROWSER,
    EVERYTHING,
    ExtensionBrowser,
    extension_browser,
)
from tests.browser_extension.site import Site, running_site
from tests.servers import RunningServer, running_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if BROWSER is None:
        for item in items:
            if "tests/browser_extension/" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason="no Chromium; set GASOLINE_BROWSER"))


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="package")
def shared_chrome(
    driver: Playwright, server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExtensionBrowser]:
    with extension_browser(driver, tmp_path_factory.mktemp("profile")) as started:
        started.connect(server.url)
        yield started


@pytest.fixture
def chrome(shared_chrome: ExtensionBrowser, server: RunningServer) -> Iterator[ExtensionBrowser]:
    """The shared one, capturing everything, with no page open and nothing captured."""
    others = [name for name in shared_chrome.stored() if name != "serverUrl"]
    shared_chrome.ask("names => chrome.storage.local.remove(names)", others)
    shared_chrome.connect(server.url)
    shared_chrome.configure(**EVERYTHING)
    server.request("POST", "/clear")
    shared_chrome.ask("() => chrome.storage.session.remove(['screenshotTimes'])")
    yield shared_chrome
    for page in shared_chrome.context.pages:
        page.close()


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    with running_asker() as running:
        yield running


@pytest.fixture(scope="module")
def asked_chrome(
    driver: Playwright, asker: Asker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExtensionBrowser]:
    with extension_browser(driver, tmp_path_factory.mktemp("profile")) as started:
        started.connect(asker.url)
        yield started


@pytest.fixture
def own_chrome(driver: Playwright, tmp_path: Path) -> Iterator[ExtensionBrowser]:
    """A browser of its own, for a test that breaks something."""
    with extension_browser(driver, tmp_path / "profile") as started:
        started.configure(**EVERYTHING)
        yield started
