"""What the browser saw, for each test of a pytest run. Off until `--gasoline` or `gasoline run`."""

import contextlib
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from gasoline.surfaces.pytest_plugin.fixture import BrowserEvidence

RUN_PLUGIN = "gasoline-run"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gasoline", "what the browser saw")
    group.addoption(
        "--gasoline",
        action="store_true",
        help="Capture what browsers see during each test, and show it where a test fails.",
    )
    group.addoption(
        "--gasoline-port",
        type=int,
        metavar="PORT",
        help="Use the server on this port (also GASOLINE_PORT) instead of one for this run.",
    )
    group.addoption(
        "--gasoline-snapshot",
        action="store_true",
        help="Attach everything captured to a failing test, not only the summary.",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    asked = config.getoption("--gasoline")
    if not (asked or os.environ.get("GASOLINE_RUN")):
        return
    # Behind `gasoline run` pytest may be of another environment: no failure of ours is its own.
    with contextlib.nullcontext() if asked else contextlib.suppress(Exception):
        # A run without Gasoline pays for nothing but this file.
        from gasoline.surfaces.pytest_plugin.run import BrowserRun  # noqa: PLC0415

        config.pluginmanager.register(BrowserRun(config), RUN_PLUGIN)


@pytest.fixture
def gasoline(request: pytest.FixtureRequest) -> "BrowserEvidence":
    """What the browser saw during this test: `snapshot()`, `clear()`, `mark(text)`."""
    run = request.config.pluginmanager.get_plugin(RUN_PLUGIN)
    if run is None:
        pytest.skip("needs Gasoline: run pytest with --gasoline")
    from gasoline.drivers.naming import fit_test_id  # noqa: PLC0415  # as above
    from gasoline.surfaces.pytest_plugin.fixture import BrowserEvidence  # noqa: PLC0415  # as above

    return BrowserEvidence(run, fit_test_id(request.node.nodeid))
