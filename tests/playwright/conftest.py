"""One site, one installation and one server for all suites; a folder for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playwright.site import running_site
from tests.playwright.suite import Suite, install
from tests.servers import RunningServer, running_server


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with running_site() as address:
        yield address


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    install(folder)
    return folder


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def lonely_suite(installed: Path, tmp_path: Path, site: str) -> Suite:
    """A suite for which no server runs."""
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "node_modules").symlink_to(installed / "node_modules")
    return Suite(folder, site)


@pytest.fixture
def suite(lonely_suite: Suite, shared_server: RunningServer) -> Suite:
    lonely_suite.use(shared_server)
    return lonely_suite
