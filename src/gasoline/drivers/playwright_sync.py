"""Playwright's sync API: capture into every context, and nothing left in a page that closes."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
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
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

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
    wrap(api.PlaywrightContextManager, "__exit__", _stop)


def attach(context: "BrowserContext", observation: Observation) -> None:
    """Put capture into a context: its pages to come, and those that are open already."""
    if context in watched.contexts:
        return
    try:
        context.expose_binding(BINDING, observation.take_from)
        context.add_init_script(script=observation.script)
        watched.add(context, observation)
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
        _ask_frames(context.pages, lambda frame: frame.evaluate(observation.script), SETTLE_S)


def drain(contexts: "Iterable[BrowserContext] | None" = None) -> None:
    """Have open pages hand over what they hold."""
    chosen = watched.reachable() if contexts is None else contexts
    pages = [page for context in chosen if context in watched.contexts for page in context.pages]
    _drain_pages(pages)


def _drain_pages(pages: "Iterable[Page]") -> None:
    asked = list(pages)
    with contextlib.suppress(Exception):
        if _ask_frames(asked, partial(_hand_over, 1), FIRST_LOOK_S):
            return
        context = asked[0].context
        patience_s = patience_with_page(_round_trip_s(context), crowding=crowding())
        if not _ask_frames(asked, partial(_hand_over, 2), patience_s):
            watched.contexts[context].observation.page_was_late()


def _round_trip_s(context: "BrowserContext") -> float:
    asked_s = time.monotonic()
    _within(LONGEST_FLUSH_S, lambda: context.cookies(NOWHERE))
    return time.monotonic() - asked_s


def _hand_over(nth: int, frame: "Frame") -> None:
    answer = frame.evaluate(HAND_OVER, nth)
    watched.contexts[frame.page.context].observation.take_answer(answer, frame.url)


def _ask_frames(
    pages: "Iterable[Page]", ask: "Callable[[Frame], object]", timeout_s: float
) -> bool:
    """Whether every frame has answered within the time."""
    deadline_s = time.monotonic() + timeout_s
    in_time = True
    for frame in [frame for page in pages if not page.is_closed() for frame in page.frames]:
        left_s = deadline_s - time.monotonic()
        if left_s <= 0:
            return False
        # A frame may go while we ask; its page has handed over what it held.
        with contextlib.suppress(Exception):
            in_time &= _within(left_s, partial(ask, frame))
    return in_time


def _within(timeout_s: float, call: Callable[[], Any]) -> bool:
    """Make one call, or give up on it in time: `evaluate` waits for ever for a page that hangs.

    Between calls the sync API has its event loop marked as running. The first task that a call
    makes is the call itself.
    """
    loop = asyncio.get_running_loop()
    earlier = loop.get_task_factory()
    calls: list[asyncio.Future[Any]] = []

    def make_task(loop: Any, coroutine: Any, **options: Any) -> Any:
        loop.set_task_factory(earlier)
        calls.append(loop.create_task(coroutine, **options))
        return calls[0]

    loop.set_task_factory(make_task)
    timer = loop.call_later(timeout_s, lambda: [task.cancel() for task in calls])
    try:
        call()
    except asyncio.CancelledError:
        if not calls or not calls[0].cancelled():
            raise
        return False
    else:
        return True
    finally:
        timer.cancel()
        loop.set_task_factory(earlier)


def _observe_new(browser: Any, context: "BrowserContext", options: dict[str, Any]) -> None:
    with quietly("observe a browser context"):
        observation = watched.observation_for(browser)
        if observation is None:
            return
        if options.get("java_script_enabled") is False:
            observation.cannot_see(NO_SCRIPTS, advice=ALLOW_SCRIPTS)
        attach(context, observation)


def _new_context(original: Any, browser: "Browser", *args: Any, **kwargs: Any) -> "BrowserContext":
    context: BrowserContext = original(browser, *args, **kwargs)
    _observe_new(browser, context, kwargs)
    return context


def _new_page(original: Any, browser: "Browser", *args: Any, **kwargs: Any) -> "Page":
    page: Page = original(browser, *args, **kwargs)
    _observe_new(browser, page.context, kwargs)
    return page


def _launch_persistent_context(
    original: Any, kind: Any, *args: Any, **kwargs: Any
) -> "BrowserContext":
    context: BrowserContext = original(kind, *args, **kwargs)
    _observe_new(None, context, kwargs)
    return context


def _connect_over_cdp(original: Any, kind: Any, *args: Any, **kwargs: Any) -> "Browser":
    browser: Browser = original(kind, *args, **kwargs)
    for context in browser.contexts:
        _observe_new(browser, context, {})
    return browser


def _close_page(original: Any, page: "Page", *args: Any, **kwargs: Any) -> Any:
    with contextlib.suppress(Exception):
        if page.context in watched.contexts:
            _drain_pages([page])
    return original(page, *args, **kwargs)


def _close_context(original: Any, context: "BrowserContext", *args: Any, **kwargs: Any) -> Any:
    drain([context])
    return original(context, *args, **kwargs)


def _close_browser(original: Any, browser: "Browser", *args: Any, **kwargs: Any) -> Any:
    with contextlib.suppress(Exception):
        drain(browser.contexts)
    return original(browser, *args, **kwargs)


def _stop(original: Any, manager: Any, *args: Any) -> Any:
    drain()
    return original(manager, *args)
