"""One site, one installation and one server for all suites; a folder for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playwright.site import running_site
from tests.playwright.suite import Suite, install, new_suite
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
    return new_suite(tmp_path / "suite", installed, site)


@pytest.fixture
def suite(lonely_suite: Suite, shared_server: RunningServer) -> Suite:
    lonely_suite.use(shared_server)
    return lonely_suite
