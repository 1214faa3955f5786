"""Suites of unittest behind `gasoline run`: every test has its own evidence, as with pytest."""

import sys

import pytest

from examples.shop.server import RunningShop
from tests.suites.running import PYTEST, Project, Reported

UNITTEST = (sys.executable, "-m", "unittest", "test_shop")
SHOP = "test_shop.Shop."


@pytest.fixture(scope="module")
def reported(project_for_all: Project, shop: RunningShop) -> Reported:
    project_for_all.take(unittest_shop="test_shop.py")
    return project_for_all.run(*UNITTEST, SHOP=shop.url)


def test_every_ending_has_its_status(reported: Reported) -> None:
    assert reported.code == 1, reported.out
    assert {name.removeprefix(SHOP): status for name, status in reported.statuses.items()} == {
        "test_passes": "pass",
        "test_fails": "fail",
        "test_breaks": "error",
        "test_fails_in_part": "fail",
        "test_is_skipped": "skipped",
        "test_fails_as_expected": "pass",
        "test_passes_unexpectedly": "fail",
        "test_shop.Asynchronous.test_waits": "pass",
        "setUpClass (test_shop.Unprepared)": "error",
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("test-fails", ["of the one that fails"]),
        ("test-breaks", ["of the one that breaks"]),
        ("test-fails-in-part", ["of part one", "of part two"]),
    ],
)
def test_what_pages_said_belongs_to_the_test_that_ran(
    reported: Reported, name: str, said: list[str]
) -> None:
    (test,) = [test for test in reported.json["tests"] if test["test_id"].endswith(_name(name))]

    assert [error["message"] for error in test["errors"]] == said


@pytest.mark.parametrize(
    "said",
    [
        "!= 'Harbour Street'",
        "Test said: OSError: the disk is full",
        "Test said: AssertionError: 'one' != 'two'",
        "Test said: Expected to fail, but passed.",
        "Test said: RuntimeError: no such browser",
    ],
)
def test_each_failure_is_told_in_its_own_words(reported: Reported, said: str) -> None:
    assert said in " ".join(reported.ai_context.split())


def test_unittest_says_what_it_always_says(reported: Reported) -> None:
    assert "Ran 8 tests" in reported.out
    assert "FAILED (failures=2, errors=2, skipped=1, expected failures=1" in reported.out
    assert "gasoline" not in reported.out.split("Ran 8 tests")[0]


ODD = """
import unittest

class Spare:
    __slots__ = ("heard",)
    shouldStop = False
    def startTest(self, test): self.heard = []
    def stopTest(self, test): print(*self.heard)
    def addSuccess(self, test): self.heard.append("passed")
    def addFailure(self, test, error): self.heard.append("failed")

class Nameless(unittest.TestCase):
    def id(self): raise LookupError("no name")
    def test_passes(self): pass

class Named(unittest.TestCase):
    def test_fails(self): self.fail()

Nameless("test_passes").run(Spare())
Named("test_fails").run(Spare())
Nameless("test_passes").run(unittest.TestResult())
print("to the end")
"""


def test_results_and_tests_of_an_odd_kind_run_as_ever(project: Project) -> None:
    project.write("odd.py", ODD)

    ran = project.run(sys.executable, "odd.py")

    told = "Gasoline could not mark the start of a test: no name"
    assert (ran.code, ran.out.splitlines()) == (0, ["passed", "failed", told, "to the end"])


def test_pytest_tells_of_the_same_classes_itself(project: Project, shop: RunningShop) -> None:
    project.take(unittest_shop="test_shop.py")

    ran = project.run(*PYTEST, "-k", "test_fails or test_passes", SHOP=shop.url)

    statuses = {name for name in ran.statuses if "Shop::test_fails" in name}
    assert "test_shop.py::Shop::test_fails" in statuses
    assert not [name for name in ran.statuses if name.startswith(SHOP)]


def _name(fault: str) -> str:
    return f".{fault.replace('-', '_')}"
