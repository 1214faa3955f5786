"""A page's server for each test."""

from collections.abc import Iterator

import pytest

from tests.sources.site import Site, running_site


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running
