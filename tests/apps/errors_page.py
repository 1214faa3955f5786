"""docs/errors.md: what an AI is told of one error, in each framework."""

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def put_answers(page: str, answers: dict[str, dict[str, Any]]) -> str:
    """The page with these answers under their titles."""
    for title, answer in answers.items():
        written = f"### {title}\n\n```json\n{json.dumps(answer, indent=1, ensure_ascii=False)}\n```"
        page = re.sub(
            rf"### {re.escape(title)}\n\n```json\n.*?\n```",
            lambda _found, written=written: written,  # type: ignore[misc]  # mypy sees no default
            page,
            flags=re.DOTALL,
        )
    return page


def without_chance(page: str) -> str:
    """The page less what differs from run to run: ports, times, numbers and ids."""
    for pattern, mark in (
        (r"127\.0\.0\.1:\d+", "127.0.0.1"),
        (r'"ts": "[^"]+"', '"ts"'),
        (r'"seq": \d+', '"seq"'),
        (r'"_errorId": "[^"]+"', '"_errorId"'),
        (r"[\d.]+ (ms|s) before", "before"),
    ):
        page = re.sub(pattern, mark, page)
    return page
