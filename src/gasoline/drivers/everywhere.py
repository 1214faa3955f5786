"""Every browser that this process drives, with no change to the code that drives it."""

import importlib
import sys
from types import ModuleType

from gasoline.drivers.observation import quietly
from gasoline.drivers.on_import import Change, when_imported
from gasoline.drivers.watched import Provide

SYNC = "gasoline.drivers.playwright_sync"
ASYNC = "gasoline.drivers.playwright_async"
SELENIUM = "gasoline.drivers.selenium"
# Ours is imported when the driver's own module is: a suite may use no browser at all.
OURS_FOR = {
    "playwright.sync_api": SYNC,
    "playwright.async_api": ASYNC,
    "selenium.webdriver.remote.webdriver": SELENIUM,
}
UNITTEST = "gasoline.drivers.unittest_runs"


def observe_everything(provide: Provide) -> None:
    """Observe each browser as it opens; `provide` is asked for the way to the server then."""
    for drivers_own, ours in OURS_FOR.items():
        when_imported(drivers_own, _patching(ours, provide))


def tell_of_tests(provide: Provide) -> None:
    """Where each test of unittest starts and ends, should this process run any."""
    for module in ("unittest.case", "unittest.suite"):
        when_imported(module, _patching(UNITTEST, provide))


def patch_on_import(drivers_own: str) -> None:
    """Patch a driver early, for browsers that somebody will ask to observe.

    A `with` looks up its exit before its body runs: patching in there would come too late for it.
    """
    when_imported(drivers_own, _patching(OURS_FOR[drivers_own], None))


def _patching(ours: str, provide: Provide | None) -> Change:
    def patch(module: ModuleType) -> None:
        # Whatever version of the driver this is: its import must not fail because of us.
        with quietly(f"observe {module.__name__}"):
            driver = importlib.import_module(ours)
            if provide:
                driver.everything(provide)
            driver.patch(module)

    return patch


def drain_everything() -> None:
    """Have every open page hand over what it holds, between two steps of a test run."""
    if SYNC in sys.modules:
        sys.modules[SYNC].drain()
    if ASYNC in sys.modules:
        sys.modules[ASYNC].drain_from_outside()
    if SELENIUM in sys.modules:
        sys.modules[SELENIUM].drain()
