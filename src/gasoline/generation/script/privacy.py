"""What must not turn up in traffic: more about persons than was there, secrets in addresses."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from gasoline.records import NetworkBody

# Names as they end; the same patterns look at what was recorded and, in a test, at what comes.
PERSONAL = (
    "(?:e?mail|phone|mobile|ssn|iban|card_?number|birth_?(?:day|date)|date_?of_?birth|street"
    "|(?:post|home|billing|delivery)[a-z]*_?address)$"
)
SECRET = "(?:token|secret|passw(?:or)?d|api_?key|session_?id)$"  # noqa: S105  # what names end with

_PERSONAL = re.compile(PERSONAL, re.IGNORECASE)
_SECRET = re.compile(SECRET, re.IGNORECASE)


def personal_fields(exchanges: Sequence[NetworkBody]) -> tuple[str, ...] | None:
    """Fields about persons in answers; None where an answer cannot be read as a whole."""
    found: set[str] = set()
    for exchange in exchanges:
        if exchange.response_truncated or "json" not in exchange.content_type:
            return None
        try:
            found.update(_names(msgspec.json.decode(exchange.response_body or "")))
        except (msgspec.DecodeError, RecursionError):
            return None
    return tuple(sorted(name for name in found if _PERSONAL.search(name)))


def secret_parameters(exchanges: Sequence[NetworkBody]) -> tuple[str, ...]:
    """Parameters of addresses whose name tells of a secret."""
    names = {name for exchange in exchanges for name in _parameters(exchange.url)}
    return tuple(sorted(name for name in names if _SECRET.search(name)))


def _names(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        content = waiting.pop()
        if isinstance(content, dict):
            yield from content
            waiting += content.values()
        elif isinstance(content, list):
            waiting += content


def _parameters(url: str) -> list[str]:
    try:
        return [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
    except ValueError:
        return []
