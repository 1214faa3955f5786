"""The apps do what the tests that use them take for granted."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.apps.running import (
    FRAMEWORKS,
    WHOLE_ORDER,
    App,
    Framework,
    running_app,
    running_dev_server,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=os.environ.get("GASOLINE_BROWSER", "/usr/bin/chromium"),
            args=["--no-sandbox"],
        )
        yield started
        started.close()


def served(framework: Framework, how: str) -> AbstractContextManager[App]:
    if how == "dev server":
        return running_dev_server(framework)
    return running_app(framework, "development" if how == "development build" else "production")


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("how", ["production build", "development build", "dev server"])
def test_app_works_with_a_whole_order_and_throws_with_a_broken_one(
    browser: Browser, framework: Framework, how: str
) -> None:
    with served(framework, how) as app, browser.new_page() as page:
        page.goto(app.url)
        page.get_by_role("button", name="Load order").click()
        # Vue in production writes what handlers throw to the console.
        told = "console" if (framework, how) == ("vue", "production build") else "pageerror"
        with page.expect_event(told, lambda said: "'amount'" in getattr(said, "text", str(said))):
            page.get_by_role("button", name="Show total").click()
        app.order = WHOLE_ORDER
        page.get_by_role("button", name="Load order").click()
        page.get_by_role("button", name="Remove").nth(1).click()
        page.get_by_role("button", name="Show total").click()

        expect(page.locator("output")).to_have_text("42.50 EUR")
        expect(page.get_by_role("listitem")).to_have_count(1)
