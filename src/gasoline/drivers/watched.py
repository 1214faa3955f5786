"""Which Playwright contexts are observed, where to, and where they can be spoken to."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from gasoline.drivers.observation import Observation

# A browser has no cookies for this: asking for them takes it a round trip and nothing else.
NOWHERE = "http://127.0.0.1"
NO_SCRIPTS = "the browser context runs no JavaScript"
ALLOW_SCRIPTS = "Open the context without java_script_enabled=False."

# Playwright's names for browsers, and what these call themselves in requests.
OWN_NAMES = {"chromium": "Chrome", "firefox": "Firefox", "webkit": "Version"}

Provide = Callable[[], Observation]


class Watched(NamedTuple):
    """An observed context: its thread and, for the async API, its event loop."""

    observation: Observation
    thread: int
    loop: Any = None


class WatchList:
    """The observed contexts of one of Playwright's two APIs."""

    def __init__(self) -> None:
        self.contexts: WeakKeyDictionary[Any, Watched] = WeakKeyDictionary()
        self._browsers: WeakKeyDictionary[Any, Observation] = WeakKeyDictionary()
        self._everything: Provide | None = None

    def everything(self, provide: Provide) -> None:
        """Observe every context from now on; `provide` is asked when the first one opens."""
        self._everything = provide

    def browser(self, browser: Any, observation: Observation) -> None:
        self._browsers[browser] = observation

    def observation_for(self, browser: Any) -> Observation | None:
        if browser in self._browsers:
            return self._browsers[browser]
        return self._everything() if self._everything else None

    def add(self, context: Any, observation: Observation, loop: Any = None) -> None:
        observation.browsers += 1
        self.contexts[context] = Watched(observation, threading.get_ident(), loop)

    def reachable(self, loop: Any = None) -> list[Any]:
        """The contexts that this thread may speak to, of one event loop or of any."""
        here = threading.get_ident()
        return [
            context
            for context, watched in list(self.contexts.items())
            if watched.thread == here and (loop is None or watched.loop is loop)
        ]


def name_browser(context: Any, observation: Observation) -> None:
    """With either API; a persistent context does not say whose it is."""
    browser = context.browser
    if browser:
        name = OWN_NAMES.get(browser.browser_type.name, browser.browser_type.name)
        observation.delivery.name_browser(f"{name}/{browser.version}")


def hear_of_crashes(context: Any, observation: Observation) -> None:
    """With either API: of every page that a context has and will have."""

    def listen(page: Any) -> None:
        page.on("crash", lambda crashed: observation.page_crashed(crashed.url))

    context.on("page", listen)
    for page in context.pages:
        listen(page)
