"""A site for the suites of one module."""

from collections.abc import Iterator

import pytest

from tests.drivers.site import Site, running_site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running
