"""Chromium with the extension in it, and the extension as a test talks to it."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Playwright, Worker

from tests.servers import wait_until

BROWSER = os.environ.get("GASOLINE_BROWSER") or shutil.which("chromium")
ASSETS = Path(__file__).parents[2] / "src" / "gasoline" / "assets"
DEFAULT_SERVER = "http://localhost:7890"
HEADLESS = "--headless=new"
FLAGS = (
    HEADLESS,
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
KNOWS_SETTINGS = """async () => {
    const [tab] = await chrome.tabs.query({active: true});
    const question = {type: 'areYouThere'};
    return chrome.tabs.sendMessage(tab.id, question).then(({told}) => told, () => false);
}"""
EVERYTHING = {
    "logLevel": "all",
    "webSocketCaptureEnabled": True,
    "webSocketCaptureMode": "messages",
}


class ExtensionBrowser:
    """A browser session with the extension loaded."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context

    @property
    def worker(self) -> Worker:
        if not self.context.service_workers:
            self.context.wait_for_event("serviceworker")
        return self.context.service_workers[-1]

    @property
    def address(self) -> str:
        return self.worker.url.rsplit("/", 1)[0]

    def ask(self, expression: str, argument: Any = None) -> Any:
        return self.worker.evaluate(expression, argument)

    def configure(self, **settings: Any) -> None:
        self.ask("settings => chrome.storage.local.set(settings)", settings)

    def stored(self) -> Any:
        return self.ask("() => chrome.storage.local.get()")

    @property
    def badge(self) -> str:
        text: str = self.ask("() => chrome.action.getBadgeText({})")
        return text

    @property
    def line(self) -> str:
        told = self.ask("() => chrome.storage.session.get('status')")
        return str(told.get("status", {}).get("line"))

    def connect(self, server_url: str) -> None:
        self.configure(serverUrl=server_url)
        wait_until(lambda: self.line in {"websocket", "polling"}, "the line to the server")

    def await_settings(self) -> None:
        """Wait until the page in front knows them: what it sees before is judged by them later."""
        wait_until(lambda: self.ask(KNOWS_SETTINGS) is True, "the page to know the settings")

    def stop_worker(self) -> None:
        """End the worker as Chrome does when it was idle."""
        page = self.open(f"{self.address}/options.html")
        session = self.context.new_cdp_session(page)
        session.send("ServiceWorker.enable")
        session.send("ServiceWorker.stopAllWorkers")
        page.close()

    def open(self, url: str) -> Page:
        page = self.context.new_page()
        page.goto(url)
        return page


@contextmanager
def extension_browser(
    playwright: Playwright,
    profile: Path,
    build: str = "extension",
    flags: Sequence[str] = (),
    **options: Any,
) -> Iterator[ExtensionBrowser]:
    """Start it with a profile of its own."""
    folder = ASSETS / build
    context = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=BROWSER,
        headless=False,
        args=[
            *FLAGS,
            *flags,
            f"--load-extension={folder}",
            f"--disable-extensions-except={folder}",
        ],
        **options,
    )
    try:
        yield ExtensionBrowser(context)
    finally:
        context.close()


@contextmanager
def unattended_browser(
    folder: Path, server_url: str, page_url: str, *, under: Sequence[str] = ()
) -> Iterator[None]:
    """Chromium as a user starts it: nothing is attached to it that would keep the worker awake.

    With a command to run it `under`, such as xvfb-run, it has windows.
    """
    extension = folder / "extension"
    shutil.copytree(ASSETS / "extension", extension)
    background = extension / "background.js"
    script = background.read_text()
    assert DEFAULT_SERVER in script
    background.write_text(script.replace(DEFAULT_SERVER, server_url))
    flags = [flag for flag in FLAGS if not (under and flag == HEADLESS)]
    command = [
        *under,
        BROWSER or "chromium",
        *flags,
        f"--user-data-dir={folder / 'profile'}",
        f"--load-extension={extension}",
        f"--disable-extensions-except={extension}",
        page_url,
    ]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
