"""Every test's evidence, complete and its own: with the fixture, and with the hook alone."""

import pytest

from tests.playwright.site import refusal
from tests.playwright.suite import FIXTURE, PLAIN, Suite

WAYS = "ways.spec.ts > "
PARALLEL = "parallel.spec.ts > talks "


@pytest.mark.parametrize("workers", ["1", "4"])
@pytest.mark.parametrize("runner", [FIXTURE, PLAIN])
def test_parallel_tests_keep_their_evidence_apart(suite: Suite, runner: str, workers: str) -> None:
    suite.copy("parallel.spec.ts", runner=runner)

    ran = suite.run("--workers", workers, hook=runner == PLAIN)

    assert ran.code == 1, ran.out
    expected = {
        f"{PARALLEL}{n}": {
            "said": [f"early {n}", f"late {n}"],
            "failed requests": [(500, refusal(n))],
            "status": "passed" if n % 2 == 0 else "failed",
        }
        for n in range(1, 5)
    }
    statuses = suite.attempts()
    assert expected == {
        test_id: {
            "said": suite.errors(test_id),
            "failed requests": [
                (body["status"], body["responseBody"])
                for body in suite.evidence(test_id)["network_bodies"]
                if body["status"] >= 400
            ],
            "status": statuses[test_id, attempt],
        }
        for test_id, attempt in statuses
    }


@pytest.mark.parametrize("runner", [FIXTURE, PLAIN])
def test_every_way_to_a_page_and_every_ending_is_told(suite: Suite, runner: str) -> None:
    suite.copy("ways.spec.ts", runner=runner)
    reporters = [["json", {"outputFile": "report.json"}], ["gasoline-playwright/reporter"]]

    ran = suite.run(
        *("--workers", "2"),
        hook=runner == PLAIN,
        options={} if runner == PLAIN else {"reporter": reporters},
    )

    assert ran.code == 1, ran.out
    odd = {'"it\'s" <b>\\': "quotes", "two\nlines": "newline", "🛒 café 名": "emoji"}
    expected: dict[tuple[str, int], tuple[str, list[str]]] = {
        ("popup", 1): ("passed", ["opener", "popup", "late popup"]),
        ("frame", 1): ("passed", ["frame"]),
        ("own context", 1): ("passed", ["own context", "own page"]),
        ("persistent context", 1): ("passed", ["first page", "second page"]),
        ("browser closed at once", 1): ("passed", ["last words"]),
        ("joined over CDP", 1): ("passed", ["joined"]),
        ("routed and offline", 1): ("passed", ["offline"]),
        ("again > retries", 1): ("failed", ["attempt 1"]),
        ("again > retries", 2): ("passed", ["attempt 2"]),
        ("crashes", 1): ("failed", ["before the crash"]),
        ("times out", 1): ("timedOut", ["before the timeout"]),
        ("skipped", 1): ("skipped", []),
        ("fails as expected", 1): ("passed", ["expected"]),
        ("passes against expectation", 1): ("failed", []),
        ("no browser", 1): ("passed", []),
        ("shared page > first", 1): ("passed", ["before all", "in first"]),
        ("shared page > second", 1): ("passed", ["in second"]),
        ("x" * 2000, 1): ("passed", ["long"]),
        **{(title, 1): ("passed", [said]) for title, said in odd.items()},
    }
    assert {
        (test_id.removeprefix(WAYS), attempt): (status, suite.errors(test_id, attempt))
        for (test_id, attempt), status in suite.attempts().items()
    } == expected


def test_a_module_is_captured_and_its_end_says_what_playwright_says(suite: Suite) -> None:
    suite.copy("module.spec.mjs")

    ran = suite.run(hook=True)

    assert ran.code == 1, ran.out
    assert suite.errors("module.spec.mjs > a test that is a module") == ["from a module"]
    (result,) = ran.results()["a test that is a module"]
    (run,) = suite.runs()
    assert (run["status"], run["attempt"]) == ("failed", 1)
    assert run["message"].startswith("Error: one is two\n\nexpect(received).toBe(expected)")
    assert "\x1b" not in run["message"]
    assert 0 < run["duration_ms"] <= result["duration"]


def test_the_same_test_in_two_projects_is_two_tests(suite: Suite) -> None:
    suite.copy("parallel.spec.ts")

    suite.run(
        *("-g", "talks 2", "--workers", "2", "--repeat-each", "2"),
        hook=True,
        options={"projects": [{"name": "wide"}, {"name": "narrow"}]},
    )

    assert {test_id: suite.errors(test_id) for test_id, _ in suite.attempts()} == {
        f"[{project}] > {PARALLEL}2{repetition}": ["early 2", "late 2"]
        for project in ("wide", "narrow")
        for repetition in ("", " > (repetition 2)")
    }
