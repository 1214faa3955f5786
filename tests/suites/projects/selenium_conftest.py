"""The visitor of the journeys is driven by Selenium: one Chrome for all tests."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

BRIEFLY_S = 1.5
PATIENCE_S = 10.0


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["BROWSER"]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in os.environ["FLAGS"].split():
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(os.environ["DRIVER"]))
    yield driver
    driver.quit()


class Visitor:
    """Somebody in the shop."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, path: str, fault: str) -> None:
        asked = "" if os.environ.get("SOUND") else f"?fault={fault}"
        self.driver.get(f"{os.environ['SHOP']}{path}{asked}")

    def find(self, selector: str, within_s: float = PATIENCE_S) -> WebElement:
        waiting = WebDriverWait(self.driver, within_s, poll_frequency=0.05)
        return waiting.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))[0]

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def fill(self, selector: str, text: str) -> None:
        self.find(selector).send_keys(text)

    def choose(self, selector: str, value: str) -> None:
        Select(self.find(selector)).select_by_value(value)

    def text(self, selector: str, within_s: float = BRIEFLY_S) -> str:
        try:
            return self.find(f":is({selector}):not(:empty)", within_s).text
        except TimeoutException as error:
            raise AssertionError(f"nothing to read in {selector} after {within_s} s") from error

    def run(self, script: str) -> Any:
        return self.driver.execute_async_script(
            f"Promise.resolve({script}).then(arguments[arguments.length - 1])"
        )

    def complaints(self) -> list[str]:
        logs = self.driver.get_log("browser")  # type: ignore[no-untyped-call]  # theirs
        return [entry["message"] for entry in logs if entry["level"] == "SEVERE"]


@pytest.fixture
def visitor(driver: webdriver.Chrome) -> Iterator[Visitor]:
    visitor = Visitor(driver)
    visitor.complaints()  # what the test before left in the log
    yield visitor
    driver.execute_script("localStorage.clear(); sessionStorage.clear()")
    driver.delete_all_cookies()
    driver.get("about:blank")
