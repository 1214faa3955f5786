"""The extension in a browser that nobody drives: idle for minutes, without a screen, under Xvfb."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser_extension.asker import running_asker
from tests.browser_extension.asking import wait_for_message
from tests.browser_extension.browsers import ASSETS, unattended_browser
from tests.browser_extension.site import Site
from tests.servers import RunningServer, running_server

XVFB = shutil.which("xvfb-run")
IDLE_S = 130.0
DISPLAYS = [
    pytest.param((), id="new headless"),
    pytest.param(
        (XVFB or "", "-a"),
        id="Xvfb",
        marks=pytest.mark.skipif(
            XVFB is None, reason="no xvfb-run: apt install xvfb xauth, or run scripts/test as root"
        ),
    ),
]


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path / "server") as running:
        yield running


@pytest.mark.parametrize("under", DISPLAYS)
def test_a_browser_in_ci_finds_the_server_by_itself(
    own_server: RunningServer, site: Site, tmp_path: Path, under: tuple[str, ...]
) -> None:
    with unattended_browser(tmp_path, own_server.url, f"{site.url}/early", under=under):
        entry = wait_for_message(own_server, "the first thing")

    assert entry["url"] == f"{site.url}/early"
    assert own_server.request("GET", "/health").json["capture"] == {"state": "complete"}


def test_the_documentation_shows_the_flags_that_work() -> None:
    page = (ASSETS.parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
    section = page.partition("## The extension in CI")[2].partition("\n## ")[0]
    command = section.partition("```sh\n")[2].partition("```")[0]

    for flag in ("headless=new", "user-data-dir=", "load-extension=", "disable-extensions-except="):
        assert f"--{flag}" in command
    assert "xvfb-run -a" in section


@pytest.mark.long
def test_after_two_idle_minutes_the_same_worker_answers(site: Site, tmp_path: Path) -> None:
    with running_asker() as asker, unattended_browser(tmp_path, asker.url, site.url):
        asker.wait_for_page(site.url)
        # Being idle is what this is about: no event ends it.
        time.sleep(IDLE_S)

        answer = asker.ask("page_info")

        # The line belongs to a worker: another one would have introduced itself again.
        assert answer["title"] == "Shop"
        assert asker.hellos == 1
