"""Recorded data made fit for fixtures: small, without secrets, without what changes by itself."""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from gasoline.generation.script.literal import Repeated, Secret
from gasoline.records import EnhancedAction
from gasoline.redaction.marks import INPUT_MARK, find_marks

LIST_ITEMS = 3
# Beyond this an answer is told by one example and a number.
READ_BYTES = 10 * 1024
DEEPEST = 12
BETWEEN_WORDS = "\n"
SHORTEST_PART = 4
SAFE_EMAIL = "test@example.com"
MOCK_TOKEN = "mock-token-value"  # noqa: S105  # it grants nothing
USER_PROVIDED = "[user-provided]"
_EMAIL = re.compile(r"[^@\s\"'<>]+@[^@\s\"'<>]+\.[a-zA-Z]{2,}")
_PASSWORD = re.compile(r"pass(?:word|wd|code|phrase)?$|^pin$|^cvv$|^cvc$", re.IGNORECASE)
_TOKEN = re.compile(r"token$|jwt$|secret$|api_?key$", re.IGNORECASE)
_BOOKKEEPING = re.compile(
    r"^_|(?:_at|At)$|^(?:created|updated|modified|timestamp|etag|meta|metadata|__typename)$"
)


class Kind(Struct, frozen=True):
    """What the data is for: a request to make, or an answer to give."""

    is_request: bool
    # All words by which the user's actions pointed at data, as one text.
    mentioned: str = ""


def sample(value: Any, kind: Kind) -> Any:
    """The same data, small and safe."""
    return _sample(value, "", kind, DEEPEST)


def sample_large(value: Any, kind: Kind) -> Any:
    """The same, every long list told by its first element and its length."""
    if isinstance(value, dict):
        return {key: sample_large(item, kind) for key, item in value.items()}
    if isinstance(value, list) and len(value) > LIST_ITEMS:
        return Repeated(len(value), _sample(value[0], "", kind, DEEPEST))
    return _sample(value, "", kind, DEEPEST)


def mentions_of(actions: Iterable[EnhancedAction]) -> str:
    """Words by which the user's actions pointed at data: names, ids in addresses."""
    words: set[str] = set()
    for action in actions:
        selectors = action.selectors
        role, scope = selectors.role, selectors.scope
        words.update(
            word
            for word in (
                role.name if role else None,
                scope.text if scope else None,
                selectors.text,
                selectors.test_id,
                action.selected_value,
                *action.url.split("/"),
                *(action.to_url or "").split("/"),
            )
            if word
        )
    return BETWEEN_WORDS + BETWEEN_WORDS.join(words) + BETWEEN_WORDS


def _sample(value: Any, key: str, kind: Kind, depth: int) -> Any:
    if depth == 0:
        return None
    if isinstance(value, dict):
        return {
            name: _sample(item, name, kind, depth - 1)
            for name, item in value.items()
            if not (kind.is_request and _BOOKKEEPING.search(name))
        }
    if isinstance(value, list):
        return [_sample(item, key, kind, depth - 1) for item in _few(value, kind.mentioned)]
    return _safe(value, key, kind)


def _few(items: list[Any], mentioned: str) -> list[Any]:
    """The first few, and those that the user had to do with."""
    if not mentioned:
        return items[:LIST_ITEMS]
    touched = [
        item
        for item in items[LIST_ITEMS:]
        if isinstance(item, dict) and _is_mentioned(item, mentioned)
    ]
    return [*items[:LIST_ITEMS], *touched]


def _is_mentioned(item: dict[str, Any], mentioned: str) -> bool:
    return any(_occurs(value, mentioned) for value in item.values())


def _occurs(value: Any, mentioned: str) -> bool:
    if not isinstance(value, str | int) or isinstance(value, bool):
        return False
    text = str(value)
    # Short texts are part of anything: they must be a word of their own.
    return (
        text if len(text) >= SHORTEST_PART else f"{BETWEEN_WORDS}{text}{BETWEEN_WORDS}"
    ) in mentioned


def _safe(value: Any, key: str, kind: Kind) -> Any:
    is_text = isinstance(value, str)
    is_hidden = is_text and "[redacted" in value and _is_mark(value)
    if _PASSWORD.search(key):
        return Secret("GASOLINE_PASSWORD") if kind.is_request else USER_PROVIDED
    if is_hidden or (is_text and _TOKEN.search(key)):
        name = re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)).upper()[:40]
        return Secret(f"GASOLINE_{name or 'VALUE'}") if kind.is_request else MOCK_TOKEN
    return _EMAIL.sub(SAFE_EMAIL, value) if is_text and "@" in value else value


def _is_mark(value: str) -> bool:
    return value == INPUT_MARK or bool(find_marks(value))
