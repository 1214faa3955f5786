"""The shop's tests as unittest has them: one Chrome for a class."""

# ruff: noqa: PT009  # its own assertions are what this is about

import os
import unittest
from typing import ClassVar

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


class Shop(unittest.TestCase):
    driver: ClassVar[webdriver.Chrome]

    @classmethod
    def setUpClass(cls) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ["BROWSER"]
        for flag in os.environ["FLAGS"].split():
            options.add_argument(flag)
        cls.driver = webdriver.Chrome(options=options, service=Service(os.environ["DRIVER"]))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.driver.quit()

    def say(self, text: str) -> None:
        self.driver.get(os.environ["SHOP"])
        self.driver.execute_script("console.error(arguments[0])", text)

    def test_passes(self) -> None:
        self.say("of the one that passes")

    def test_fails(self) -> None:
        self.say("of the one that fails")
        self.assertEqual(self.driver.title, "Harbour Street")

    def test_breaks(self) -> None:
        self.say("of the one that breaks")
        raise OSError("the disk is full")

    def test_fails_in_part(self) -> None:
        for word in ("one", "two"):
            with self.subTest(word):
                self.say(f"of part {word}")
                self.assertEqual(word, "two")

    @unittest.skip("so that there is one to tell of")
    def test_is_skipped(self) -> None:
        raise AssertionError

    @unittest.expectedFailure
    def test_fails_as_expected(self) -> None:
        self.fail("as it should")

    @unittest.expectedFailure
    def test_passes_unexpectedly(self) -> None:
        pass


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self) -> None:
        self.assertTrue(os.environ["SHOP"])


class Unprepared(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        raise RuntimeError("no such browser")

    def test_never_runs(self) -> None:
        raise AssertionError
