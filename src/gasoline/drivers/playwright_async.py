"""Playwright's async API: capture into every context, and nothing left in a page that closes."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gasoline.drivers.observation import (
    BINDING,
    FIRST_LOOK_S,
    HAND_OVER,
    LONGEST_FLUSH_S,
    PUT_IT_IN,
    Observation,
    crowding,
    patience_with_page,
    quietly,
)
from gasoline.drivers.watched import (
    ALLOW_SCRIPTS,
    NO_SCRIPTS,
    NOWHERE,
    WatchList,
    hear_of_crashes,
    name_browser,
)
from gasoline.drivers.wrapping import wrap

if TYPE_CHECKING:
    # For types only: what patches Playwright must not be what imports it.
    from playwright.async_api import Browser, BrowserContext, Frame, Page

SETTLE_S = 1.0

watched = WatchList()
everything = watched.everything


def patch(api: ModuleType) -> None:
    """Wrap the public classes. Only contexts that are observed notice."""
    wrap(api.Browser, "new_context", _new_context)
    wrap(api.Browser, "new_page", _new_page)
    wrap(api.BrowserType, "launch_persistent_context", _launch_persistent_context)
    wrap(api.BrowserType, "connect_over_cdp", _connect_over_cdp)
    wrap(api.Page, "close", _close_page)
    wrap(api.BrowserContext, "close", _close_context)
    wrap(api.Browser, "close", _close_browser)
    wrap(api.PlaywrightContextManager, "__aexit__", _stop)


async def attach(context: "BrowserContext", observation: Observation) -> None:
    """Put capture into a context: its pages to come, and those that are open already."""
    if context in watched.contexts:
        return
    try:
        await context.expose_binding(BINDING, observation.take_from)
        await context.add_init_script(script=observation.script)
        watched.add(context, observation, asyncio.get_running_loop())
    except Exception as error:  # noqa: BLE001  # whatever it is, the test goes on without us
        observation.cannot_see(
            f"a browser context could not be observed ({error})", advice=PUT_IT_IN
        )
        return
    with quietly("name a browser"):
        name_browser(context, observation)
    with quietly("hear of crashes"):
        hear_of_crashes(context, observation)
    with quietly("put capture into an open page"):
        await _ask_frames(context.pages, lambda frame: frame.evaluate(observation.script), SETTLE_S)


async def drain(contexts: "Iterable[BrowserContext] | None" = None) -> None:
    """Have open pages hand over what they hold."""
    loop = asyncio.get_running_loop()
    chosen = watched.reachable(loop) if contexts is None else contexts
    pages = [page for context in chosen if context in watched.contexts for page in context.pages]
    await _drain_pages(pages)


def drain_from_outside() -> None:
    """Drain between two steps of the event loop, where a test runner stands."""
    loops = {watched.contexts[context].loop for context in watched.reachable()}
    for loop in loops:
        if loop.is_closed() or loop.is_running():
            continue
        draining = drain()
        try:
            loop.run_until_complete(draining)
        except RuntimeError:
            # Another loop runs in this thread: whoever runs it has to drain from inside.
            draining.close()


async def _drain_pages(pages: "Iterable[Page]") -> None:
    asked = list(pages)
    with contextlib.suppress(Exception):
        if await _ask_frames(asked, partial(_hand_over, 1), FIRST_LOOK_S):
            return
        context = asked[0].context
        patience_s = patience_with_page(await _round_trip_s(context), crowding=crowding())
        if not await _ask_frames(asked, partial(_hand_over, 2), patience_s):
            watched.contexts[context].observation.page_was_late()


async def _round_trip_s(context: "BrowserContext") -> float:
    asked_s = time.monotonic()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(context.cookies(NOWHERE), LONGEST_FLUSH_S)
    return time.monotonic() - asked_s


async def _hand_over(nth: int, frame: "Frame") -> None:
    answer = await frame.evaluate(HAND_OVER, nth)
    watched.contexts[frame.page.context].observation.take_answer(answer, frame.url)


async def _ask_frames(
    pages: "Iterable[Page]", ask: "Callable[[Frame], Awaitable[Any]]", timeout_s: float
) -> bool:
    """Whether every frame has answered within the time."""
    frames = [frame for page in pages if not page.is_closed() for frame in page.frames]
    asked = asyncio.gather(*map(ask, frames), return_exceptions=True)
    try:
        await asyncio.wait_for(asked, timeout_s)
    except TimeoutError:
        return False
    return True


async def _observe_new(browser: Any, context: "BrowserContext", options: dict[str, Any]) -> None:
    with quietly("observe a browser context"):
        observation = watched.observation_for(browser)
        if observation is None:
            return
        if options.get("java_script_enabled") is False:
            observation.cannot_see(NO_SCRIPTS, advice=ALLOW_SCRIPTS)
        await attach(context, observation)


async def _new_context(
    original: Any, browser: "Browser", *args: Any, **kwargs: Any
) -> "BrowserContext":
    context: BrowserContext = await original(browser, *args, **kwargs)
    await _observe_new(browser, context, kwargs)
    return context


async def _new_page(original: Any, browser: "Browser", *args: Any, **kwargs: Any) -> "Page":
    page: Page = await original(browser, *args, **kwargs)
    await _observe_new(browser, page.context, kwargs)
    return page


async def _launch_persistent_context(
    original: Any, kind: Any, *args: Any, **kwargs: Any
) -> "BrowserContext":
    context: BrowserContext = await original(kind, *args, **kwargs)
    await _observe_new(None, context, kwargs)
    return context


async def _connect_over_cdp(original: Any, kind: Any, *args: Any, **kwargs: Any) -> "Browser":
    browser: Browser = await original(kind, *args, **kwargs)
    for context in browser.contexts:
        await _observe_new(browser, context, {})
    return browser


async def _close_page(original: Any, page: "Page", *args: Any, **kwargs: Any) -> Any:
    with contextlib.suppress(Exception):
        if page.context in watched.contexts:
            await _drain_pages([page])
    return await original(page, *args, **kwargs)


async def _close_context(
    original: Any, context: "BrowserContext", *args: Any, **kwargs: Any
) -> Any:
    await drain([context])
    return await original(context, *args, **kwargs)


async def _close_browser(original: Any, browser: "Browser", *args: Any, **kwargs: Any) -> Any:
    with contextlib.suppress(Exception):
        await drain(browser.contexts)
    return await original(browser, *args, **kwargs)


async def _stop(original: Any, manager: Any, *args: Any) -> Any:
    await drain()
    return await original(manager, *args)
