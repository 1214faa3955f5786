"""A shop, an installation of the Node packages, and a folder for each suite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.shop.server import RunningShop, running_shop
from tests.playwright.suite import install
from tests.suites.running import Project


@pytest.fixture(scope="session")
def shop() -> Iterator[RunningShop]:
    with running_shop() as running:
        yield running


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install(folder)
    return folder


@pytest.fixture
def project(tmp_path: Path, packages: Path) -> Project:
    return Project(tmp_path / "project", packages)


@pytest.fixture(scope="module")
def project_for_all(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Project:
    """A folder whose one run all tests of a module look at."""
    return Project(tmp_path_factory.mktemp("module") / "project", packages)
