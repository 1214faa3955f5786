"""Asking a tool as a client does: by name, with JSON arguments, reading the text of the answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

from gasoline.ingest import Ingest
from gasoline.live.browsers import Browser, Question, Tab
from gasoline.live.capture_overrides import CaptureOverrides
from gasoline.live.questions import Questions
from gasoline.sources.explainer import Explainer
from gasoline.sources.sources import Sources
from gasoline.store import Store
from gasoline.surfaces.mcp.answering import ToolAnswer, answer_call
from gasoline.tools.context import Context
from tests.builders import store

SILENCE = object()


def context_of(
    of: Store, questions: Questions | None = None, generated: Path | None = None
) -> Context:
    ingest = Ingest(of)
    explainer = Explainer(ingest, Sources())
    return Context(
        of, questions or Questions(), ingest, CaptureOverrides(), explainer, generated=generated
    )


def call(of: Store, name: str, /, **arguments: Any) -> ToolAnswer:
    return asyncio.run(answer_call(context_of(of), name, arguments))


def ask(of: Store, name: str, /, **arguments: Any) -> dict[str, Any]:
    answer = call(of, name, **arguments)
    assert not answer.is_error, answer.text
    parsed: dict[str, Any] = json.loads(answer.text)
    return parsed


class Page:
    """A connected browser that answers as a test wants, and remembers what it was asked."""

    def __init__(self, answer: Any, *tabs: Tab, **browser: Any) -> None:
        self.store = store()
        self.questions = Questions(timeout_s=0.05, audit_timeout_s=0.05)
        self.asked: list[Question] = []
        self._answer = answer
        self._context = context_of(self.store, self.questions)
        self._browser = Browser(ask=self._hear, hang_up=lambda: None, **browser)
        self._browser.tabs = tabs or (Tab(31, "http://shop/cart", "Cart", active=True),)
        self.questions.browsers.connect(self._browser)

    def call(self, name: str, **arguments: Any) -> ToolAnswer:
        return asyncio.run(answer_call(self._context, name, arguments))

    async def call_soon(self, name: str, **arguments: Any) -> ToolAnswer:
        return await answer_call(self._context, name, arguments)

    def ask(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self.call(name, **arguments)
        assert not answer.is_error, answer.text
        parsed: dict[str, Any] = json.loads(answer.text)
        return parsed

    def fail(self, name: str, **arguments: Any) -> str:
        answer = self.call(name, **arguments)
        assert answer.is_error, answer.text
        return answer.text

    def _hear(self, question: Question) -> None:
        self.asked.append(question)
        if self._answer is not SILENCE:
            asyncio.get_running_loop().call_soon(self._reply, question)

    def _reply(self, question: Question) -> None:
        answer = self._answer(question) if callable(self._answer) else self._answer
        self.questions.answer(question.id, answer, by=self._browser)
