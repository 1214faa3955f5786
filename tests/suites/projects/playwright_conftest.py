"""The visitor of the journeys is driven by Playwright."""

import os
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page

BRIEFLY_S = 1.5


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": os.environ["BROWSER"], "args": os.environ["FLAGS"].split()}


class Visitor:
    """Somebody in the shop."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []
        page.on("console", self.hear)

    def hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.said.append(said.text)

    def open(self, path: str, fault: str) -> None:
        asked = "" if os.environ.get("SOUND") else f"?fault={fault}"
        self.page.goto(f"{os.environ['SHOP']}{path}{asked}")

    def click(self, selector: str) -> None:
        self.page.locator(selector).click()

    def fill(self, selector: str, text: str) -> None:
        self.page.locator(selector).fill(text.strip())
        if text.endswith("\n"):
            self.page.keyboard.press("Enter")

    def choose(self, selector: str, value: str) -> None:
        self.page.locator(selector).select_option(value)

    def text(self, selector: str, within_s: float = BRIEFLY_S) -> str:
        shown = self.page.locator(f":is({selector}):not(:empty)").first
        try:
            return shown.inner_text(timeout=within_s * 1000)
        except Error as error:
            raise AssertionError(f"nothing to read in {selector} after {within_s} s") from error

    def run(self, script: str) -> Any:
        return self.page.evaluate(script)

    def complaints(self) -> list[str]:
        return self.said


@pytest.fixture
def visitor(page: Page) -> Visitor:
    return Visitor(page)
