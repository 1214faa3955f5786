"""Playwright: what its browsers show goes to a Gasoline server, with either API."""

import sys
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, overload

from gasoline.drivers.delivery import Delivery
from gasoline.drivers.everywhere import patch_on_import
from gasoline.drivers.observation import Observation

if TYPE_CHECKING:
    from playwright import async_api, sync_api

patch_on_import("playwright.sync_api")
patch_on_import("playwright.async_api")


@overload
def observe(
    target: "sync_api.BrowserContext | sync_api.Browser",
    *,
    port: int,
    host: str | None = None,
    test_id: str | None = None,
    mode: str = "all",
    token: str | None = None,
) -> Observation: ...


@overload
def observe(
    target: "async_api.BrowserContext | async_api.Browser",
    *,
    port: int,
    host: str | None = None,
    test_id: str | None = None,
    mode: str = "all",
    token: str | None = None,
) -> Awaitable[Observation]: ...


def observe(
    target: Any,
    *,
    port: int,
    host: str | None = None,
    test_id: str | None = None,
    mode: str = "all",
    token: str | None = None,
) -> Observation | Awaitable[Observation]:
    """Observe a context, or every context of a browser; with the async API, await it."""
    observation = Observation(Delivery(port, host=host, token=token), test_id=test_id, mode=mode)
    async_api = sys.modules.get("playwright.async_api")
    if async_api and isinstance(target, async_api.Browser | async_api.BrowserContext):
        return _observe_async(target, observation)
    return _observe_sync(target, observation)


def _observe_sync(target: Any, observation: Observation) -> Observation:
    from playwright import sync_api  # noqa: PLC0415  # each API takes a while to import

    from gasoline.drivers import playwright_sync  # noqa: PLC0415  # imports the API

    playwright_sync.patch(sync_api)
    if isinstance(target, sync_api.Browser):
        playwright_sync.watched.browser(target, observation)
    for context in _contexts_of(target):
        playwright_sync.attach(context, observation)
    return observation


async def _observe_async(target: Any, observation: Observation) -> Observation:
    from playwright import async_api  # noqa: PLC0415  # each API takes a while to import

    from gasoline.drivers import playwright_async  # noqa: PLC0415  # imports the API

    playwright_async.patch(async_api)
    if isinstance(target, async_api.Browser):
        playwright_async.watched.browser(target, observation)
    for context in _contexts_of(target):
        await playwright_async.attach(context, observation)
    return observation


def _contexts_of(target: Any) -> list[Any]:
    return list(target.contexts) if hasattr(target, "contexts") else [target]
