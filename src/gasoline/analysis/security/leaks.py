"""What was leaked, from the marks that redaction left and from keys that are public by design."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, NamedTuple, TypeAlias

import re2

from gasoline.redaction.marks import SAMPLE, each_mark
from gasoline.redaction.patterns import any_of, compile_bytes
from gasoline.redaction.rules import (
    AWS_SECRET_RULE,
    NAME_RULES,
    PUBLIC_RULES,
    TOKEN_RULES,
    NameRule,
    PublicRule,
    TokenRule,
)

Rule: TypeAlias = NameRule | TokenRule | PublicRule
Place: TypeAlias = Literal["url", "request", "response", "console", "websocket"]

# As many as one body may contribute, and how much of it is searched for public keys.
MOST_LEAKS: Final = 100
SEARCHED_CHARS: Final = 10_240

_ALL: tuple[Rule, ...] = (*PUBLIC_RULES, *reversed(NAME_RULES), *TOKEN_RULES, AWS_SECRET_RULE)
_RULES = {rule.kind: rule for rule in _ALL}
_SEARCHED = [rule for rule in PUBLIC_RULES if rule.pattern]
_PUBLIC = compile_bytes(any_of(rf"\b({rule.pattern})\b" for rule in _SEARCHED))
_PREFIXES = [(rule.prefix, rule) for rule in PUBLIC_RULES if rule.prefix]
# The name before a value: `"apiKey":"`, `?api_key=`, `password: '`, with any escaping.
_NAME_BEFORE = re2.compile(
    r"([\w$.\[\]-]{1,60}?)(?:\\*[\"'`])?\s*(?:=>|[:=]|%3D)\s*(?:\\*[\"'`])?$"
)
_LOOK_BACK = 100


class Leak(NamedTuple):
    """One secret, or public key, in one text."""

    rule: Rule
    masked: str
    name: str
    start: int

    @property
    def is_sample(self) -> bool:
        return self.masked == SAMPLE

    @property
    def is_public(self) -> bool:
        return isinstance(self.rule, PublicRule)

    @property
    def shown(self) -> str:
        return "***" if self.is_sample else self.masked


def find_leaks(text: str) -> Iterator[Leak]:
    """List what was removed from a text, and what was left because it is public by design."""
    if "[redacted:" in text:
        yield from islice(_removed(text), MOST_LEAKS)
    yield from islice(_public(text[:SEARCHED_CHARS]), MOST_LEAKS)


def _removed(text: str) -> Iterator[Leak]:
    for mark in each_mark(text):
        rule = _RULES.get(mark.kind)
        if rule:
            name = _name_before(text, mark.start)
            yield Leak(_more_specific(rule, mark.masked), mark.masked, name, mark.start)


def _public(text: str) -> Iterator[Leak]:
    raw = text.encode("utf-8", "replace")
    for match in _PUBLIC.finditer(raw):
        rule = _SEARCHED[match.lastindex - 1]
        value = match[match.lastindex].decode("utf-8", "replace")
        start = len(raw[: match.start()].decode("utf-8", "replace"))
        yield Leak(rule, f"{value[:6]}...{value[-3:]}", _name_before(text, start), start)


def _more_specific(rule: Rule, masked: str) -> Rule:
    # A page removes by name what the server would have left: {"apiKey": "AIza..."}.
    if not isinstance(rule, NameRule):
        return rule
    return next((public for prefix, public in _PREFIXES if masked.startswith(prefix)), rule)


def _name_before(text: str, position: int) -> str:
    match = _NAME_BEFORE.search(text[max(0, position - _LOOK_BACK) : position])
    return match[1].rpartition(".")[2] if match else ""
