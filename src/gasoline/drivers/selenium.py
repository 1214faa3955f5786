"""Selenium: what its Chrome or Edge shows goes to a Gasoline server."""

import contextlib
from types import ModuleType
from typing import Any, Protocol
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from selenium.webdriver.remote import webdriver as remote
from selenium.webdriver.remote.webdriver import WebDriver

from gasoline.drivers.delivery import Delivery
from gasoline.drivers.observation import PUT_IT_IN, Observation, quietly
from gasoline.drivers.polling import Polling
from gasoline.drivers.watched import Provide
from gasoline.drivers.wrapping import wrap

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
OPTIONS_OF_CHROMIUM = ("goog:chromeOptions", "ms:edgeOptions")


class Sight(Protocol):
    """A way to see what a driven browser shows."""

    def flush(self) -> None: ...

    def close(self) -> None: ...


_sights: WeakKeyDictionary[WebDriver, Sight] = WeakKeyDictionary()
_provide: Provide | None = None


def observe(
    driver: WebDriver,
    *,
    port: int,
    host: str | None = None,
    test_id: str | None = None,
    mode: str = "all",
    token: str | None = None,
) -> Observation:
    """Observe every window of a driven browser until it quits."""
    observation = Observation(Delivery(port, host=host, token=token), test_id=test_id, mode=mode)
    patch(remote)
    _attach(driver, observation)
    return observation


def everything(provide: Provide) -> None:
    """Observe every browser from now on; `provide` is asked when the first one starts."""
    global _provide  # noqa: PLW0603  # one answer for the whole process, as the classes are one
    _provide = provide


def patch(module: ModuleType) -> None:
    """Wrap the public class that all of Selenium's drivers extend."""
    wrap(module.WebDriver, "start_session", _start_session)
    wrap(module.WebDriver, "execute", _execute)
    wrap(module.WebDriver, "close", _close)
    wrap(module.WebDriver, "quit", _quit)


def drain() -> None:
    """Have open pages hand over what they hold."""
    for sight in list(_sights.values()):
        with quietly("ask a browser for what it holds"):
            sight.flush()


def _attach(driver: WebDriver, observation: Observation) -> None:
    if driver in _sights:
        return
    with quietly("observe a driven browser"):
        sight = _find_sight(driver, observation)
        if sight:
            _sights[driver] = sight
            return
        name = driver.capabilities.get("browserName", "the browser")
        observation.cannot_see(
            f"{name} driven by Selenium offers no debugging protocol", advice=PUT_IT_IN
        )


def _find_sight(driver: WebDriver, observation: Observation) -> Sight | None:
    address = _debugging_address(driver)
    if address:
        with contextlib.suppress(Exception):
            # A process of another environment may lack the library for WebSockets.
            from gasoline.drivers.cdp import Attachment  # noqa: PLC0415

            return Attachment(observation, address)
    if _chromium_options(driver) is None:
        return None
    with contextlib.suppress(Exception):
        return Polling(driver, observation)
    return None


def _debugging_address(driver: WebDriver) -> str | None:
    """A grid lends its own; the localhost of a driver elsewhere would be another browser."""
    lent = driver.capabilities.get("se:cdp")
    if lent:
        return str(lent)
    config = getattr(driver.command_executor, "client_config", None)
    server = urlsplit(str(getattr(config, "remote_server_addr", "")))
    address = (_chromium_options(driver) or {}).get("debuggerAddress")
    return str(address) if address and server.hostname in LOOPBACK_NAMES else None


def _chromium_options(driver: WebDriver) -> dict[str, Any] | None:
    for name in OPTIONS_OF_CHROMIUM:
        options = driver.capabilities.get(name)
        if isinstance(options, dict):
            return options
    return None


def _start_session(original: Any, driver: WebDriver, *args: Any, **kwargs: Any) -> Any:
    result = original(driver, *args, **kwargs)
    with quietly("observe a driven browser"):
        if _provide:
            _attach(driver, _provide())
    return result


def _execute(original: Any, driver: WebDriver, command: str, *args: Any, **kwargs: Any) -> Any:
    sight = _sights.get(driver)
    if isinstance(sight, Polling):
        sight.before(command)
    return original(driver, command, *args, **kwargs)


def _close(original: Any, driver: WebDriver, *args: Any, **kwargs: Any) -> Any:
    sight = _sights.get(driver)
    if sight:
        with quietly("ask a browser for what it holds"):
            sight.flush()
    return original(driver, *args, **kwargs)


def _quit(original: Any, driver: WebDriver, *args: Any, **kwargs: Any) -> Any:
    sight = _sights.pop(driver, None)
    if sight:
        with quietly("ask a browser for what it holds"):
            sight.flush()
            sight.close()
    return original(driver, *args, **kwargs)
