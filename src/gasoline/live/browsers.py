"""Browsers that can be asked something now, and the tabs open in them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct


class Tab(Struct, frozen=True, rename="camel"):
    """A page that is open."""

    tab_id: int
    url: str = ""
    title: str = ""
    active: bool = False


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to find out in the page now, as clients that poll see it."""

    id: str
    type: str
    params: dict[str, Any]
    tab_id: int | None = None


class Browser(Struct, kw_only=True, eq=False):
    """One connected extension: a profile of a browser, what it told, and how to reach it."""

    ask: Callable[[Question], None]
    hang_up: Callable[[], None]
    session: str = ""
    can_debug: bool = False
    tabs: tuple[Tab, ...] = ()

    def find_tab(self, tab_id: int) -> Tab | None:
        return next((tab for tab in self.tabs if tab.tab_id == tab_id), None)

    @property
    def only_active_tab(self) -> Tab | None:
        """The tab in front; each window has one, and which window is in front is not told."""
        active = [tab for tab in self.tabs if tab.active]
        return active[0] if len(active) == 1 else None


class Browsers:
    """The connected browsers, the one that was heard of last at the end."""

    def __init__(self) -> None:
        self._connected: list[Browser] = []

    def __len__(self) -> int:
        return len(self._connected)

    def __iter__(self) -> Iterator[Browser]:
        return iter(self._connected)

    @property
    def latest(self) -> Browser | None:
        return self._connected[-1] if self._connected else None

    @property
    def tabs(self) -> list[Tab]:
        return [tab for browser in self for tab in browser.tabs]

    def connect(self, browser: Browser) -> None:
        """Take in a browser; the earlier connection of the same one is dead, so it is cut."""
        for earlier in self._connected:
            if earlier is not browser and browser.session and earlier.session == browser.session:
                earlier.hang_up()
        self._move_to_end(browser)

    def note_tabs(self, browser: Browser, tabs: Iterable[Tab]) -> None:
        browser.tabs = tuple(tabs)
        self._move_to_end(browser)

    def disconnect(self, browser: Browser) -> None:
        self._connected = [other for other in self._connected if other is not browser]

    def with_tab(self, tab_id: int) -> tuple[Browser, Tab] | None:
        for browser in reversed(self._connected):
            if tab := browser.find_tab(tab_id):
                return browser, tab
        return None

    def _move_to_end(self, browser: Browser) -> None:
        self.disconnect(browser)
        self._connected.append(browser)
