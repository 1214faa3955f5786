"""A server and a site for the tests of one module."""

from collections.abc import Iterator

import pytest

from tests.drivers.site import Site, running_site
from tests.servers import RunningServer, running_server


@pytest.fixture(scope="module")
def server_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def server(server_of_all: RunningServer) -> RunningServer:
    """Knows nothing yet, also not of this test when it is tried once more."""
    assert server_of_all.request("POST", "/clear").status == 200
    return server_of_all


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running
