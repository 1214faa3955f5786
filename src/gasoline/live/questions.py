"""Questions waiting for a page to answer them."""

import asyncio
from typing import Any

from msgspec import Struct

PENDING_LIMIT = 5


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to find out in the page now, as clients that poll see it."""

    id: str
    type: str
    params: dict[str, Any]
    tab_id: int | None = None


class Questions:
    """The questions asked and not yet answered; the oldest gives way to a sixth."""

    def __init__(self) -> None:
        self._asked = 0
        self._waiting: dict[str, tuple[Question, asyncio.Future[Any]]] = {}

    @property
    def pending(self) -> list[Question]:
        return [question for question, _ in self._waiting.values()]

    async def ask(
        self, question_type: str, params: dict[str, Any], *, tab_id: int | None, timeout_s: float
    ) -> Any:
        """Put a question to the page and wait; raises TimeoutError when nobody answers."""
        self._asked += 1
        question = Question(id=f"q-{self._asked}", type=question_type, params=params, tab_id=tab_id)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[question.id] = (question, answer)
        if len(self._waiting) > PENDING_LIMIT:
            _, displaced = self._waiting.pop(next(iter(self._waiting)))
            if not displaced.done():
                displaced.set_exception(TimeoutError("displaced by newer questions"))
        try:
            async with asyncio.timeout(timeout_s):
                return await answer
        finally:
            self._waiting.pop(question.id, None)

    def answer(self, question_id: str, result: Any) -> bool:
        """Deliver an answer; False when nobody waits for it any more."""
        waiting = self._waiting.pop(question_id, None)
        if waiting is None or waiting[1].done():
            return False
        waiting[1].set_result(result)
        return True
