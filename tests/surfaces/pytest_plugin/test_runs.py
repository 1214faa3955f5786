"""Other ways to run: in parallel, async, with Selenium, without a browser, without a server."""

from pathlib import Path

import pytest

from tests.drivers.browsers import DRIVER, said
from tests.drivers.site import Site
from tests.servers import running_server
from tests.surfaces.pytest_plugin.suites import run_suite, statuses

PARALLEL = """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_many(page, site, number):
    page.goto(site)
    page.evaluate(f"for (let i = 0; i < 5; i++) console.error('of {number}')")
    assert number != 3
"""


def test_parallel_workers_share_a_server_and_no_evidence(tmp_path: Path, site: Site) -> None:
    with running_server(tmp_path) as server:
        port = str(server.port)

        finished = run_suite(
            tmp_path, PARALLEL, "--gasoline", "--gasoline-port", port, "-n", "2", site=site.url
        )

        assert finished.code == 1
        assert {
            number: said(server, f"test_suite.py::test_many[chromium-{number}]")
            for number in range(6)
        } == {number: [f"of {number}"] * 5 for number in range(6)}
        assert (
            sorted(status for (status,) in statuses(server).values()) == ["failed"] + ["passed"] * 5
        )


def test_a_run_starts_a_server_of_its_own_and_takes_it_along(tmp_path: Path, site: Site) -> None:
    finished = run_suite(tmp_path, PARALLEL, "--gasoline", "-n", "2", site=site.url)

    (section,) = finished.sections
    assert finished.code == 1
    assert section.startswith("Primary failure: of 3\n")
    assert "did not reach" not in finished.out
    assert not list((tmp_path / "state").glob("*.json"))


TURNS_GREEN = """
import os

def test_outcome():
    assert os.environ["OUTCOME"] == "good"
"""


def test_a_second_run_on_the_same_server_is_not_another_attempt(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        port = str(server.port)

        for outcome in ("bad", "good"):
            run_suite(tmp_path, TURNS_GREEN, "--gasoline", "--gasoline-port", port, OUTCOME=outcome)

        assert statuses(server) == {"test_suite.py::test_outcome": ["passed"]}


ASYNC = """
import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

@pytest_asyncio.fixture
async def page(launch_options):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options)
        yield await browser.new_page()
        await browser.close()

@pytest.mark.asyncio
async def test_fails(page, site):
    await page.goto(site)
    await page.evaluate("console.error('async trouble')")
    assert False

@pytest.mark.asyncio
async def test_asks(page, site, gasoline):
    await page.goto(site)
    await page.evaluate("console.error('expected')")
    await gasoline.settle()
    assert gasoline.snapshot()["stats"]["error_count"] == 1

@pytest.mark.anyio
async def test_anyio(site, launch_options):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options)
        page = await browser.new_page()
        await page.goto(site)
        await page.evaluate("console.error('anyio trouble')")
        await browser.close()
    assert False

@pytest.fixture
def anyio_backend():
    return "asyncio"
"""


def test_async_tests_are_observed_alike(tmp_path: Path, site: Site) -> None:
    finished = run_suite(tmp_path, ASYNC, "--gasoline", "-p", "no:playwright", site=site.url)

    assert "2 failed, 1 passed" in finished.out
    assert [section.splitlines()[0] for section in finished.sections] == [
        "Primary failure: async trouble",
        "Primary failure: anyio trouble",
    ]


SELENIUM = """
import os
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

@pytest.fixture(scope="module")
def driver(launch_options):
    options = webdriver.ChromeOptions()
    options.binary_location = launch_options["executable_path"]
    for flag in launch_options["args"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(os.environ["DRIVER"]))
    yield driver
    driver.quit()

def test_first(driver, site):
    driver.get(site)
    driver.execute_script("console.error('of the first')")
    assert False

def test_second(driver, site):
    driver.execute_script("console.error('of the second')")
    assert False
"""


@pytest.mark.skipif(DRIVER is None, reason="no chromedriver on the PATH")
def test_selenium_suites_are_observed_alike(tmp_path: Path, site: Site) -> None:
    finished = run_suite(tmp_path, SELENIUM, "--gasoline", "-p", "no:playwright", site=site.url)

    assert [section.splitlines()[0] for section in finished.sections] == [
        "Primary failure: of the first",
        "Primary failure: of the second",
    ]


DYING = """
import os
import signal

def test_before(page, site):
    page.goto(site)
    page.evaluate("console.error('before')")

def test_server_dies(page):
    os.kill(int(os.environ["SERVER"]), signal.SIGKILL)

def test_after(page, site):
    page.goto(site)
    page.evaluate("console.error('after')")
    assert page.title() == "/"

def test_fails_after(page, site):
    page.goto(site)
    assert page.title() == "gone"
"""


def test_a_server_that_dies_harms_no_test(tmp_path: Path, site: Site) -> None:
    with running_server(tmp_path) as server:
        port, pid = str(server.port), str(server.pid)

        finished = run_suite(
            tmp_path, DYING, "--gasoline", "--gasoline-port", port, site=site.url, SERVER=pid
        )

    assert "1 failed, 3 passed" in finished.out
    assert finished.sections == [f"Capture was blind: the server on port {port} does not answer.\n"]
    assert "did not reach the server; what the browser saw is incomplete" in finished.out


PLAIN = """
import sys

def test_fails():
    assert 1 == 2

def test_no_server_was_started():
    import psutil
    assert psutil.Process().children() == []

def test_no_driver_was_imported():
    assert not {"playwright", "selenium"} & set(sys.modules)
"""


def test_a_suite_without_a_browser_starts_and_imports_nothing(tmp_path: Path) -> None:
    finished = run_suite(tmp_path, PLAIN, "--gasoline", "-p", "no:playwright")

    assert "1 failed, 2 passed" in finished.out
    assert (finished.sections, "did not reach" in finished.out) == ([], False)


OFF = """
import sys

def test_asks(gasoline):
    gasoline.snapshot()

def test_nothing_of_it_was_imported():
    ours = {name for name in sys.modules if name.startswith("gasoline")}
    assert ours == {"gasoline", "gasoline.surfaces", "gasoline.surfaces.pytest_plugin"}
"""


def test_it_is_off_until_asked_for(tmp_path: Path) -> None:
    finished = run_suite(tmp_path, OFF, "-rs", "-p", "no:playwright")

    assert "1 passed, 1 skipped" in finished.out
    assert "needs Gasoline: run pytest with --gasoline" in finished.out


def test_gasoline_run_switches_it_on_and_a_flag_attaches_everything(
    tmp_path: Path, site: Site
) -> None:
    with running_server(tmp_path) as server:
        port = str(server.port)

        finished = run_suite(
            tmp_path,
            PARALLEL,
            *("-k", "3", "--gasoline-snapshot"),
            site=site.url,
            GASOLINE_RUN="1",
            GASOLINE_PORT=port,
        )

        assert said(server, "test_suite.py::test_many[chromium-3]") == ["of 3"] * 5
    assert "- Browser snapshot (Gasoline) -" in finished.out
    assert '"error_count": 5' in finished.out


HANGING = """
def test_hangs(page, site):
    page.goto(site)
    page.evaluate("void setTimeout(() => { for (;;); })")
    assert False
"""


def test_a_page_that_cannot_be_asked_does_not_pass_for_a_quiet_one(
    tmp_path: Path, site: Site
) -> None:
    finished = run_suite(tmp_path, HANGING, "--gasoline", site=site.url)

    (section,) = finished.sections
    assert section.startswith(
        "Capture was partial: a page did not hand over what it held in time\n"
    )


def test_a_token_that_the_user_has_set_opens_the_run_s_own_server(
    tmp_path: Path, site: Site
) -> None:
    finished = run_suite(
        tmp_path,
        PARALLEL,
        *("--gasoline", "--gasoline-snapshot", "-k", "3"),
        site=site.url,
        GASOLINE_TOKEN="secret",
    )

    (section,) = finished.sections
    assert section.startswith("Primary failure: of 3\n")
    assert '"error_count": 5' in finished.out
    assert "did not reach" not in finished.out
