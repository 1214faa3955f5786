"""Every test's evidence, complete and its own: with the fixture, and with the hook alone."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.playwright.site import refusal
from tests.playwright.suite import FIXTURE, PLAIN, Ran, Suite, new_suite
from tests.servers import RunningServer

WAYS = "ways.spec.ts > "
PARALLEL = "parallel.spec.ts > talks "
MODULE = "module.spec.mjs > a test that is a module"
REPORTERS = [["json", {"outputFile": "report.json"}], ["gasoline-playwright/reporter"]]


class Whole(NamedTuple):
    """One run of every spec: starting the runner costs more than most tests."""

    ran: Ran
    runs: list[Any]
    said: dict[tuple[str, int], list[str]]
    refused: dict[str, list[tuple[int, str]]]

    def status(self, test_id: str, attempt: int = 1) -> str:
        (run,) = [r for r in self.runs if (r["test_id"], r["attempt"]) == (test_id, attempt)]
        return str(run["status"])


@pytest.fixture(scope="module", params=[FIXTURE, PLAIN])
def whole(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    installed: Path,
    site: str,
    shared_server: RunningServer,
) -> Whole:
    suite = new_suite(tmp_path_factory.mktemp("whole"), installed, site)
    suite.use(shared_server)
    suite.copy("parallel.spec.ts", "ways.spec.ts", "module.spec.mjs", runner=request.param)
    ran = suite.run(
        *("--workers", "4"),
        # The module imports Playwright's own `test`.
        *(() if request.param == PLAIN else ("parallel", "ways")),
        hook=request.param == PLAIN,
        options={} if request.param == PLAIN else {"reporter": REPORTERS},
    )
    assert ran.code == 1, ran.out
    return look_at(suite, ran)


def look_at(suite: Suite, ran: Ran) -> Whole:
    attempts = suite.attempts()
    return Whole(
        ran=ran,
        runs=suite.runs(),
        said={(test_id, attempt): suite.errors(test_id, attempt) for test_id, attempt in attempts},
        refused={
            test_id: [
                (body["status"], body["responseBody"])
                for body in suite.evidence(test_id)["network_bodies"]
                if body["status"] >= 400
            ]
            for test_id, _ in attempts
        },
    )


def assert_kept_apart(whole: Whole) -> None:
    expected = {
        f"{PARALLEL}{n}": {
            "said": [f"early {n}", f"late {n}"],
            "failed requests": [(500, refusal(n))],
            "status": "passed" if n % 2 == 0 else "failed",
        }
        for n in range(1, 5)
    }
    assert expected == {
        test_id: {
            "said": whole.said[test_id, 1],
            "failed requests": whole.refused[test_id],
            "status": whole.status(test_id),
        }
        for test_id, _ in whole.said
        if test_id.startswith(PARALLEL)
    }


def test_parallel_tests_keep_their_evidence_apart(whole: Whole) -> None:
    assert_kept_apart(whole)


def test_one_worker_after_the_other_keeps_it_apart_too(suite: Suite) -> None:
    suite.copy("parallel.spec.ts", runner=FIXTURE)

    ran = suite.run("--workers", "1")

    assert_kept_apart(look_at(suite, ran))


def test_every_way_to_a_page_and_every_ending_is_told(whole: Whole) -> None:
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
        (test_id.removeprefix(WAYS), attempt): (whole.status(test_id, attempt), said)
        for (test_id, attempt), said in whole.said.items()
        if test_id.startswith(WAYS)
    } == expected


@pytest.mark.parametrize("whole", [PLAIN], indirect=True)
def test_a_module_is_captured_and_its_end_says_what_playwright_says(whole: Whole) -> None:
    (run,) = [run for run in whole.runs if run["test_id"] == MODULE]

    (result,) = whole.ran.results()["a test that is a module"]
    assert whole.said[MODULE, 1] == ["from a module"]
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
