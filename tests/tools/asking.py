"""Asking a tool as a client does: by name, with JSON arguments, reading the text of the answer."""

import asyncio
import json
from typing import Any

from gasoline.live.questions import Questions
from gasoline.store import Store
from gasoline.surfaces.mcp.answering import ToolAnswer, answer_call
from gasoline.tools.context import Context


def call(of: Store, name: str, **arguments: Any) -> ToolAnswer:
    return asyncio.run(answer_call(Context(of, Questions()), name, arguments))


def ask(of: Store, name: str, **arguments: Any) -> dict[str, Any]:
    answer = call(of, name, **arguments)
    assert not answer.is_error, answer.text
    parsed: dict[str, Any] = json.loads(answer.text)
    return parsed
