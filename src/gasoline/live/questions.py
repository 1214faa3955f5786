"""Questions to a page that is open now: who is asked, and who waits for the answer."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from gasoline.live.browsers import Browser, Browsers, Question, Tab

PENDING_LIMIT = 5
TIMEOUT_S = 10.0
AUDIT_TIMEOUT_S = 30.0
# Clients that poll do it every second; one that was silent for so long has gone.
POLLED_LATELY_S = 5.0


class NobodyThereError(Exception):
    """No page can be asked."""


class UnknownTabError(Exception):
    """The tab that was asked for is not open in any connected browser."""

    def __init__(self, tab_id: int, known: list[Tab]) -> None:
        super().__init__(f"There is no tab {tab_id}")
        self.tab_id = tab_id
        self.known = known


class PageGoneError(Exception):
    """The browser went away before it answered."""


class Destination(Struct, frozen=True):
    """Who is asked: a tab of a connected browser, or whoever polls."""

    browser: Browser | None = None
    tab_id: int | None = None
    url: str = ""

    @property
    def can_debug(self) -> bool:
        return self.browser is not None and self.browser.can_debug


POLLING_CLIENT = Destination()


class _Waiting(Struct, frozen=True):
    question: Question
    answer: asyncio.Future[Any]
    browser: Browser | None


class Questions:
    """The connected browsers, and the questions asked and not yet answered."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        timeout_s: float = TIMEOUT_S,
        audit_timeout_s: float = AUDIT_TIMEOUT_S,
    ) -> None:
        self.browsers = Browsers()
        self._clock = clock
        self._timeout_s = timeout_s
        self._audit_timeout_s = audit_timeout_s
        self._polled_s: float | None = None
        self._asked = 0
        self._waiting: dict[str, _Waiting] = {}

    @property
    def pending(self) -> list[Question]:
        """What clients that poll may answer."""
        return [waiting.question for waiting in self._waiting.values() if not waiting.browser]

    def poll(self) -> list[Question]:
        """The same, for such a client: from now on it counts as connected for a while."""
        self._polled_s = self._clock()
        return self.pending

    def timeout_s(self, question_type: str) -> float:
        return self._audit_timeout_s if question_type == "a11y" else self._timeout_s

    def choose(self, tab_id: int | None) -> Destination:
        """Find who can answer for a tab, or for the one in front; raises when nobody can."""
        if tab_id is not None and (found := self.browsers.with_tab(tab_id)):
            browser, tab = found
            return Destination(browser, tab_id, tab.url)
        if tab_id is None and (latest := self.browsers.latest):
            front = latest.only_active_tab
            return Destination(latest, front.tab_id, front.url) if front else Destination(latest)
        if self._is_polled:
            return Destination(None, tab_id)
        if tab_id is not None and self.browsers:
            raise UnknownTabError(tab_id, self.browsers.tabs)
        raise NobodyThereError

    async def ask(self, question_type: str, params: dict[str, Any], *, to: Destination) -> Any:
        """Put a question and wait. Raises TimeoutError, or PageGoneError when the browser leaves.

        The oldest question to clients that poll gives way to a sixth.
        """
        self._asked += 1
        question = Question(
            id=f"q-{self._asked}", type=question_type, params=params, tab_id=to.tab_id
        )
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[question.id] = _Waiting(question, answer, to.browser)
        try:
            if to.browser:
                to.browser.ask(question)
            else:
                self._displace_oldest()
            async with asyncio.timeout(self.timeout_s(question_type)):
                return await answer
        finally:
            self._waiting.pop(question.id, None)

    def answer(self, question_id: str, result: Any, *, by: Browser | None = None) -> bool:
        """Deliver an answer; False when nobody waits for it, or not for one by this browser."""
        waiting = self._waiting.get(question_id)
        if waiting is None or waiting.answer.done() or by not in {None, waiting.browser}:
            return False
        del self._waiting[question_id]
        waiting.answer.set_result(result)
        return True

    def disconnect(self, browser: Browser) -> None:
        """A browser left: whoever waits for its answer is told at once."""
        self.browsers.disconnect(browser)
        for waiting in self._waiting.values():
            if waiting.browser is browser and not waiting.answer.done():
                waiting.answer.set_exception(PageGoneError())

    @property
    def _is_polled(self) -> bool:
        return self._polled_s is not None and self._clock() - self._polled_s < POLLED_LATELY_S

    def _displace_oldest(self) -> None:
        polled = [waiting for waiting in self._waiting.values() if not waiting.browser]
        if len(polled) <= PENDING_LIMIT:
            return
        del self._waiting[polled[0].question.id]
        if not polled[0].answer.done():
            polled[0].answer.set_exception(TimeoutError("displaced by newer questions"))
