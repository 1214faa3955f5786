"""A suite with pytest-playwright, unchanged: each test's evidence is its own."""

from collections.abc import Iterator

import pytest

from tests.drivers.browsers import said, snapshot_of
from tests.drivers.site import Site
from tests.servers import RunningServer, running_server
from tests.surfaces.pytest_plugin.suites import Finished, run_suite, statuses

SUITE = """
import pytest

PAY = "fetch('/api/pay').then(r => r.json()).then(() => console.error('checkout broke'))"

def test_checkout(page, site):
    page.goto(site)
    page.evaluate(PAY)
    assert page.title() == "Paid"

def test_teardown_comes_after_the_report(page, site):
    page.goto(site)
    page.evaluate("console.error('right before the end')")

def test_plain():
    assert 1 == 2, "no browser here"

@pytest.mark.skip
def test_skipped(page):
    pass

@pytest.fixture
def broken():
    raise RuntimeError("no such user")

def test_error(broken):
    pass

attempts = []

@pytest.mark.flaky(reruns=1)
def test_flaky(page):
    attempts.append(1)
    page.set_content(f"<script>console.error('attempt {len(attempts)}')</script>")
    assert len(attempts) == 2

class TestSharedPage:
    @pytest.fixture(scope="class")
    def shared(self, browser, site):
        page = browser.new_page()
        page.goto(site)
        yield page
        page.close()

    def test_first(self, shared):
        shared.evaluate("console.error('of the first')")

    def test_second(self, shared):
        shared.evaluate("console.error('of the second')")

def test_asks(page, site, gasoline):
    page.goto(site)
    page.evaluate("console.error('expected')")
    gasoline.mark("asking")
    first = gasoline.snapshot()
    gasoline.clear()
    assert first["stats"]["error_count"] == 1
    assert "asking" in [entry["message"] for entry in first["logs"]]
    assert gasoline.snapshot()["stats"]["total_logs"] == 0

NAMES = ['a "quote"', "new\\nline", "\\N{FIRE}", "x" * 2000, "y" * 5000 + "1", "y" * 5000 + "2"]

@pytest.mark.parametrize("name", NAMES)
def test_names(page, name):
    page.set_content("<script>console.error('named')</script>")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def finished(
    tmp_path_factory: pytest.TempPathFactory, server: RunningServer, site: Site
) -> Finished:
    port = str(server.port)
    folder = tmp_path_factory.mktemp("suite")
    return run_suite(folder, SUITE, "--gasoline", "--gasoline-port", port, site=site.url)


def test_the_server_knows_how_every_attempt_ended(
    finished: Finished, server: RunningServer
) -> None:
    known = statuses(server)

    assert finished.code == 1
    names = [key for key in known if "::test_names" in key]
    assert len(names) == 6
    assert {key: value for key, value in known.items() if key not in names} == {
        "test_suite.py::test_checkout[chromium]": ["failed"],
        "test_suite.py::test_teardown_comes_after_the_report[chromium]": ["passed"],
        "test_suite.py::test_plain": ["failed"],
        "test_suite.py::test_skipped[chromium]": ["skipped"],
        "test_suite.py::test_error": ["error"],
        "test_suite.py::test_flaky[chromium]": ["failed", "passed"],
        "test_suite.py::TestSharedPage::test_first[chromium]": ["passed"],
        "test_suite.py::TestSharedPage::test_second[chromium]": ["passed"],
        "test_suite.py::test_asks[chromium]": ["passed"],
    }


def test_the_server_knows_what_a_test_said_when_it_failed(
    finished: Finished, server: RunningServer
) -> None:
    assert finished.code == 1
    (plain,) = [
        test for test in server.request("GET", "/tests").json["tests"] if "plain" in test["test_id"]
    ]

    assert plain["message"] == "AssertionError: no browser here\nassert 1 == 2"


def test_a_failing_test_shows_the_cause_that_the_browser_saw(finished: Finished) -> None:
    checkout, flaky, *more = [*finished.sections, "", ""]

    assert "Primary failure: GET /api/pay \u2192 500" in checkout
    assert 'Root cause likely: the server said "the database is down"' in checkout
    # pytest shows a rerun that passed as passed; what has no browser has no section.
    assert (flaky, [text for text in more if text]) == ("", [])


def test_the_boundary_says_why_a_test_failed(finished: Finished, server: RunningServer) -> None:
    tests = server.request("GET", "/tests").json["tests"]
    (plain,) = [test for test in tests if test["test_id"] == "test_suite.py::test_plain"]

    assert plain["message"].startswith("AssertionError: no browser here")
    assert plain["duration_ms"] >= 0


def test_what_a_page_says_while_its_fixture_closes_it_is_kept(
    finished: Finished, server: RunningServer
) -> None:
    name = "test_suite.py::test_teardown_comes_after_the_report[chromium]"

    assert said(server, name) == ["right before the end"]


def test_a_page_that_outlives_its_test_speaks_for_the_one_that_runs(
    finished: Finished, server: RunningServer
) -> None:
    of = "test_suite.py::TestSharedPage::test_{}[chromium]"

    assert said(server, of.format("first")) == ["of the first"]
    assert said(server, of.format("second")) == ["of the second"]


def test_each_attempt_has_its_own_evidence(finished: Finished, server: RunningServer) -> None:
    query = "/snapshot?test_id=test_suite.py::test_flaky[chromium]&attempt={}"
    messages = [
        [entry["message"] for entry in server.request("GET", query.format(n)).json["logs"]]
        for n in (1, 2)
    ]

    assert [[m for m in of if m.startswith("attempt")] for of in messages] == [
        ["attempt 1"],
        ["attempt 2"],
    ]


def test_a_test_may_be_called_anything(finished: Finished, server: RunningServer) -> None:
    names = [key for key in statuses(server) if "::test_names" in key]

    assert [said(server, name) for name in names] == [["named"]] * 6


def test_a_test_can_ask_and_clear_its_own(finished: Finished, server: RunningServer) -> None:
    assert snapshot_of(server, "test_suite.py::test_asks[chromium]")["stats"]["error_count"] == 0
