"""A browser with a debugging port, watched from outside."""

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from gasoline.drivers.cdp import Attachment, NoBrowserError, Target, find_websocket, observe
from gasoline.surfaces.daemon.port_holder import is_listened_on
from tests.drivers.browsers import browser_in_report, running_chromium, said, snapshot_of
from tests.drivers.site import Site
from tests.servers import (
    RunningServer,
    environment_of,
    free_port,
    run_gasoline,
    running_server,
    wait_until,
)

PATIENCE_S = 10.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_chromium(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Browser]:
    """Somebody else's driver, on the same browser."""
    with sync_playwright() as playwright:
        yield playwright.chromium.connect_over_cdp(address)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.contexts[0].new_page()
    yield page
    page.close()


def settle(attachment: Attachment) -> None:
    attachment.flush()
    assert attachment.delivery.drain(PATIENCE_S)
    attachment.close()


def test_a_page_that_crashes_is_said_to(
    address: str, browser: Browser, server: RunningServer, site: Site
) -> None:
    attachment = observe(address, port=server.port, test_id="crashed")
    page = browser.contexts[0].new_page()
    page.goto(site.url)

    with page.expect_event("crash"), contextlib.suppress(Error):
        page.goto("chrome://crash")
    wait_until(lambda: said(server, "crashed") == ["The page crashed"], "what became of the page")
    settle(attachment)
    page.close()

    (entry,) = snapshot_of(server, "crashed")["logs"][:1]
    assert entry["url"] == f"{site.url}/"
    capture = snapshot_of(server, "crashed")["capture"]
    assert (capture["state"], "a page crashed" in capture["why"]) == ("partial", True)
    # Nobody waits for what it would have said.
    assert "did not hand over" not in str(said(server, "crashed", "info"))


def test_frames_hand_over_what_they_hold_too(
    address: str, page: Page, server: RunningServer, site: Site
) -> None:
    attachment = observe(address, port=server.port, test_id="frames")
    page.goto(site.url)
    page.evaluate("""() => new Promise(done => {
        const frame = document.createElement('iframe');
        frame.onload = done;
        document.body.append(frame);
    })""")

    page.frames[1].evaluate("console.warn('from a frame of the same origin')")
    settle(attachment)

    assert said(server, "frames", "warn") == ["from a frame of the same origin"]


def test_pages_frames_popups_and_workers_are_watched(
    address: str, page: Page, server: RunningServer, site: Site
) -> None:
    targets: list[Target] = []
    attachment = observe(address, port=server.port, test_id="watched", on_target=targets.append)

    page.goto(f"{site.url}/frames")
    page.frame_locator("iframe").locator("body").wait_for(state="attached")
    with page.expect_popup() as opened:
        page.evaluate("void window.open('/popup')")
    opened.value.wait_for_load_state()
    opened.value.evaluate("console.error('popup')")
    # Who closes a page does not ask us first.
    wait_until(lambda: "popup" in said(server, "watched"), "what the popup said")
    opened.value.close()
    page.goto(f"{site.url}/strict")
    page.evaluate("console.error('strict policy')")
    page.goto(site.url)
    page.evaluate("""() => new Promise(done => {
        const code = "console.error('worker'); postMessage(1)";
        new Worker(URL.createObjectURL(new Blob([code]))).onmessage = done;
    })""")
    settle(attachment)

    assert said(server, "watched") == ["in the frame", "popup", "strict policy", "worker"]
    assert {"page", "iframe", "worker"} <= {target.kind for target in targets}


def test_a_bug_report_names_the_browser(
    address: str, page: Page, browser: Browser, server: RunningServer, site: Site
) -> None:
    attachment = observe(address, port=server.port, test_id="named")
    page.goto(site.url)
    page.click("body")

    settle(attachment)

    major = browser.version.split(".")[0]
    assert browser_in_report(server, test_id="named") == f"Headless Chrome {major}"


def test_a_page_that_was_open_before_is_watched_from_now_on(
    address: str, page: Page, server: RunningServer, site: Site
) -> None:
    page.goto(site.url)

    attachment = observe(address, port=server.port, test_id="open before")
    page.evaluate("console.error('now')")
    settle(attachment)

    assert said(server, "open before") == ["now"]


def test_the_browser_lives_on_when_it_is_let_go(
    address: str, page: Page, server: RunningServer, site: Site
) -> None:
    observe(address, port=server.port, test_id="let go").close()

    page.goto(site.url)

    assert page.evaluate("console.error('to nobody'), 1") == 1


def test_an_address_without_a_browser_says_how_to_start_one() -> None:
    with pytest.raises(NoBrowserError, match="--remote-debugging-port=9222"):
        find_websocket("http://127.0.0.1:1")


def test_a_server_that_is_no_browser_is_told_from_one(server: RunningServer) -> None:
    with pytest.raises(NoBrowserError, match="No browser answers"):
        find_websocket(str(server.port))


def test_attach_says_what_it_watches_and_what_it_delivered(
    address: str, page: Page, server: RunningServer, site: Site
) -> None:
    page.goto(site.url)
    command = ["attach", "--cdp", address, "--port", str(server.port), "--test-id", "by command"]

    with subprocess.Popen(
        [sys.executable, "-m", "gasoline", *command],
        env=environment_of(server.state_folder),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        heard: list[str] = []
        for line in lines:
            heard.append(line.strip())
            if line.startswith("Watching"):
                break
        page.evaluate("console.error('told')")
        wait_until(lambda: said(server, "by command") == ["told"], "the page's error")
        # Not SIGINT: where the tests run in the background, that is ignored.
        process.terminate()
        heard += [line.strip() for line in lines]

    assert process.returncode == 0
    assert f"page           {site.url}/" in heard
    assert heard[-1].endswith("batches delivered")


def test_attach_finds_a_server_on_another_address(address: str, page: Page, tmp_path: Path) -> None:
    with running_server(tmp_path, "--host", "127.0.0.2") as server:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "gasoline",
                "attach",
                "--cdp",
                address,
                "--port",
                f"{server.port}",
            ],
            env=environment_of(server.state_folder),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith("Watching"))
        page.evaluate("console.error('told')")
        process.terminate()
        said_last, _ = process.communicate(timeout=PATIENCE_S)

    assert re.fullmatch(r"[1-9]\d* batch(es)? delivered\n", said_last)


@pytest.mark.parametrize("nobody", ["127.0.0.1:1", "ws://127.0.0.1:1/devtools/browser/x"])
def test_attach_to_nothing_fails_with_one_line_and_starts_no_server(
    tmp_path: Path, nobody: str
) -> None:
    port = free_port()

    finished = run_gasoline(tmp_path, "attach", "--cdp", nobody, "--port", str(port))

    assert (finished.code, finished.out) == (1, "")
    assert "chromium --remote-debugging-port=9222" in finished.err
    assert not is_listened_on(port)


def test_a_browser_that_goes_ends_the_watching(tmp_path: Path, server: RunningServer) -> None:
    with running_chromium(tmp_path) as address:
        attachment = observe(address, port=server.port)

    assert attachment.ended.wait(PATIENCE_S)
    attachment.close()
