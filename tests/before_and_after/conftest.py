"""A shop of its own for each test, watched by a server of its own; one browser for all."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from examples.shop.server import running_shop
from tests.capture.capturing import configure
from tests.servers import running_server
from tests.visits.visit import Visit


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=os.environ.get("GASOLINE_BROWSER", "/usr/bin/chromium"),
            args=["--no-sandbox"],
        )
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    with (
        running_shop() as shop,
        running_server(tmp_path_factory.mktemp("server")) as server,
        browser.new_context() as context,
    ):
        configure(context, {"__GASOLINE_PORT": server.port, "__GASOLINE_CAPTURE_MODE": "all"})
        yield Visit(shop, server, context.new_page())
