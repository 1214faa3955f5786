"""One visit for all tests that only ask about it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright

from examples.shop.server import running_shop
from tests.browser_extension.browsers import BROWSER, EVERYTHING, extension_browser
from tests.servers import running_server
from tests.visits.visit import Visit

FAULTS = ("changed-type", "missing-field", "slow-page", "long-task", "open-personal-data")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if BROWSER is None:
        for item in items:
            if "tests/visits/" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason="no Chromium; set GASOLINE_BROWSER"))


@pytest.fixture(scope="package")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """The shop while it worked, and once faults were switched on."""
    with (
        running_shop() as shop,
        running_server(tmp_path_factory.mktemp("server")) as server,
        sync_playwright() as playwright,
        extension_browser(playwright, tmp_path_factory.mktemp("profile")) as chrome,
    ):
        chrome.connect(server.url)
        chrome.configure(**EVERYTHING)
        shopping = Visit(shop, server, chrome.context.new_page())
        shopping.go_while_all_is_well()
        shop.switch(on=FAULTS)
        shopping.go_once_things_are_wrong()
        yield shopping
