"""One browser and one site for all tests here; a context of its own for each."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.capture.capturing import ROOT, Captured, Inbox, configure
from tests.capture.site import FAR_HOST, Site, running_site
from tests.servers import LOOPBACK, RunningServer, running_server

DEFAULT_BROWSER = "/usr/bin/chromium"
LAB = ROOT / "packages" / "capture" / "test" / "lab.ts"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    named = os.environ.get("GASOLINE_BROWSER", DEFAULT_BROWSER)
    path = named if Path(named).exists() else None
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--js-flags=--expose-gc",
                "--enable-precise-memory-info",
                f"--host-resolver-rules=MAP {FAR_HOST} {LOOPBACK}",
            ],
        )
        yield started
        started.close()


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context()
    yield opened
    opened.close()


@pytest.fixture
def capture(context: BrowserContext, site: Site) -> Callable[..., Captured]:
    """Open a page that is captured through the binding."""
    inbox = Inbox()
    ready: list[bool] = []

    def open_page(html: str = "", *, url: str | None = None, **options: Any) -> Captured:
        settings = {f"__GASOLINE_{name.upper()}": value for name, value in options.items()}
        if not ready:
            context.expose_binding("__gasolineSend", inbox.receive)
            configure(context, settings)
            ready.append(True)
        page = context.new_page()
        page.goto(url or site.page(html))
        return Captured(page, inbox)

    return open_page


@pytest.fixture(scope="package")
def plain_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def plain(plain_page: Page, site: Site) -> Page:
    """A page without capture: what the captured ones must look like to themselves."""
    plain_page.goto(site.page())
    return plain_page


@pytest.fixture(scope="package")
def lab_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("lab") / "lab.js"
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    subprocess.run(
        [
            esbuild,
            LAB,
            "--bundle",
            "--format=iife",
            "--target=es2022",
            f"--outfile={built}",
            "--log-level=error",
        ],
        check=True,
    )
    return built


@pytest.fixture(scope="package")
def lab_page(browser: Browser, site: Site, lab_script: Path) -> Iterator[Page]:
    context = browser.new_context()
    context.add_init_script(path=lab_script)
    page = context.new_page()
    page.goto(site.page())
    yield page
    context.close()


@pytest.fixture
def lab(lab_page: Page) -> Page:
    """A page without capture whose `lab` has the parts of it; empty, but the same for all: they keep no state."""
    lab_page.evaluate("document.body.replaceChildren()")
    return lab_page
