"""However a test ends and whatever it is called: every report tells of it, and stays whole."""

import re
from xml.etree import ElementTree as ET

import pytest

from examples.shop.server import RunningShop
from tests.suites.running import PLAYWRIGHT_TEST, PYTEST, Project, Reported

ENDINGS = "endings.spec.ts > "


@pytest.fixture(scope="module")
def reported(project_for_all: Project, shop: RunningShop) -> Reported:
    project_for_all.take(endings="endings.spec.ts")
    return project_for_all.run(*PLAYWRIGHT_TEST, "--workers", "2", SHOP=shop.url)


def test_every_ending_has_its_status(reported: Reported) -> None:
    assert reported.code == 1, reported.out
    named = {name.removeprefix(ENDINGS): status for name, status in reported.statuses.items()}
    assert named == {
        "crashes": "fail",
        "times out": "fail",
        "loses its page": "fail",
        "waits for an answer": "fail",
        "is skipped": "skipped",
        "again > passes on retry": "pass",
        "needs no browser": "fail",
        "public origin and strict policy": "fail",
        "without the policy > policy bypassed": "fail",
        '"it\'s" <b>|`x`\\': "fail",
        "two\nlines": "fail",
        "🛒 café 名": "fail",
        "x" * 2000: "fail",
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("crashes", "before the crash"),
        ("times out", "before the timeout"),
        ("loses its page", "The page crashed"),
        ("public origin", "said in public"),
        ("policy bypassed", "said inline"),
        ("it's", "said in quotes"),
        ("two\nlines", "said in newline"),
        ("🛒", "said in emoji"),
        ("xxx", "said in long"),
    ],
)
def test_what_pages_said_until_then_is_there(reported: Reported, name: str, said: str) -> None:
    test = reported.test(name)

    assert test["errors"][0]["message"] == said
    # On a busy machine a page may not hand over all of it in time, and then says so.
    assert test["capture"]["state"] in {"complete", "partial"}


def test_a_flaky_test_shows_both_attempts(reported: Reported) -> None:
    test = reported.test("passes on retry")

    assert (test["flaky"], test["attempts"]) == (True, 2)
    assert [one["status"] for one in test["history"]] == ["fail", "pass"]
    assert test["history"][0]["hints"] == ["Primary failure: said in attempt 1"]
    assert "attempt 1 failed (said in attempt 1), attempt 2 passed" in reported.ai_context


def test_a_test_without_a_browser_says_what_it_said_itself(reported: Reported) -> None:
    section = reported.section("needs no browser")

    assert "Test said: Error: no browser was asked" in section
    assert "The browser reported nothing abnormal" in section


def test_a_request_that_is_never_answered_is_named(reported: Reported) -> None:
    section = reported.section("waits for an answer")

    assert "Primary failure: POST /api/never → never answered (waited 1" in section
    assert "POST /api/never → no answer yet (1" in section


def test_odd_names_break_no_format(reported: Reported) -> None:
    cases = ET.parse(reported.folder / "junit.xml").getroot().iter("testcase")  # noqa: S314  # our own

    names = [case.get("name") for case in cases]
    assert {'"it\'s" <b>|`x`\\', "two lines", "🛒 café 名"} <= set(names)
    headings = re.findall("^## Test Failure: (.*)$", reported.ai_context, re.MULTILINE)
    assert {len(heading) <= 120 for heading in headings} == {True}
    assert len(headings) == 11


PURE = """
import pytest

def test_arithmetic():
    assert 1 + 1 == 3

def test_fine():
    assert True
"""


def test_a_suite_without_any_browser_is_reported_by_its_own_words(project: Project) -> None:
    project.write("test_pure.py", PURE)

    ran = project.run(*PYTEST)

    assert ran.code == 1
    assert ran.statuses == {
        "test_pure.py::test_arithmetic": "fail",
        "test_pure.py::test_fine": "pass",
    }
    assert "Test said: assert (1 + 1) == 3" in ran.ai_context
    assert "no browser" in ran.ai_context.lower()


DIES = """
import {expect, test} from '@playwright/test';
test.describe.configure({mode: 'serial', retries: 0});
const say = (page, text) => page.evaluate(text => console.error(text), text);
const health = `http://127.0.0.1:${process.env.GASOLINE_PORT}/health`;
test('before', async ({page}) => {
  test.fail();
  await say(page, 'still heard');
  throw new Error('on purpose');
});
test('during', async ({page}) => {
  await page.goto('/');
  const {pid} = await (await fetch(health)).json();
  process.kill(pid, 'SIGKILL');
});
test('after', async ({page}) => {
  await page.goto('/');
  expect(await page.title()).toContain('Harbour Lane');
});
"""


def test_a_server_that_dies_harms_no_test_and_the_report_says_what_is_missing(
    project: Project, shop: RunningShop
) -> None:
    project.write("dies.spec.ts", DIES)

    ran = project.run(*PLAYWRIGHT_TEST, "--workers", "1", SHOP=shop.url)

    assert ran.code == 0, ran.out
    assert "3 passed" in ran.out
    (note,) = ran.json["notes"]
    assert note.startswith("the server died during the run; this is what it had recorded until ")
    assert note.endswith("whatever came later is missing; cut short: dies.spec.ts > during")
    assert ran.statuses == {"dies.spec.ts > before": "pass", "dies.spec.ts > during": "error"}
    assert note in (ran.folder / "report.txt").read_text()
