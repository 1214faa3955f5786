"""Which names promise a secret, and whether the value beside them keeps the promise."""

from functools import lru_cache
from typing import Final

from gasoline.redaction.patterns import any_of, compile_bytes, compile_set
from gasoline.redaction.randomness import looks_random
from gasoline.redaction.rules import (
    HARMLESS_NAMES,
    IN_HEADERS,
    IN_URLS,
    NAME_RULES,
    NAME_TAIL,
    Evidence,
    NameRule,
    Place,
)

_PREFIX = r"[\w$.-]*"
_URL_ONLY = [rule for rule in NAME_RULES if rule.seen_in == IN_URLS]
_HEADER_ONLY = [rule for rule in NAME_RULES if rule.seen_in == IN_HEADERS]
_IN_TEXT = [rule for rule in NAME_RULES if rule not in _URL_ONLY + _HEADER_ONLY]

# The telling end of a name. A name that the classifier below accepts always contains one of these.
NAME_ENDS: Final = any_of(rule.pattern for rule in _IN_TEXT) + NAME_TAIL
URL_NAMES: Final = any_of(rule.pattern for rule in _URL_ONLY)
HEADER_ENDS: Final = any_of(rule.pattern for rule in _HEADER_ONLY) + NAME_TAIL
SECRET_NAME: Final = _PREFIX + NAME_ENDS

_NAME_AT_END = compile_bytes(f"({SECRET_NAME})\\z", ignore_case=True)
_HEADER_NAME = compile_bytes(f"{_PREFIX}{any_of([NAME_ENDS, HEADER_ENDS])}", ignore_case=True)
_HARMLESS = compile_bytes(f"{_PREFIX}{any_of([HARMLESS_NAMES])}{NAME_TAIL}", ignore_case=True)
_RULES = compile_set(
    ("" if rule.whole_name else _PREFIX) + any_of([rule.pattern]) + NAME_TAIL for rule in NAME_RULES
)

_LONGEST_NAME = 100
_SHORTEST_IN_URL = 8
_SHORTEST_IN_DATA = 16
_LONGEST_WORDS = 32

# `enter`, `ArrowLeft`, `sort-by-name`, `ENTER_KEY`: words people chose, not secrets. No
# word of twenty letters is among them.
_ORDINARY_WORDS = compile_bytes(
    r"[A-Z]?[a-z]{1,19}(?:[-_.][A-Z]?[a-z]{2,19}|[A-Z][a-z]{1,19})*|[A-Z]{1,19}(?:[-_.][A-Z]+)*",
    capture=False,
)
_WORD = r"(?:[A-Z]?[a-z']{1,20}|[0-9]{1,3})[,.:!?]?"
_SENTENCE = compile_bytes(rf"{_WORD}(?:\x20{_WORD})+", capture=False)
_RANDOM_VALUE = compile_bytes(r"[\w.~+/=:|%-]+", capture=False)
_DIGIT_OR_MIXED_CASE = compile_bytes(r"[0-9]|[a-z].*[A-Z]|[A-Z].*[a-z]", capture=False)

_MIXED = compile_bytes(r"[^\s\"'<>\\\[(){}]{6,}", capture=False)

# Marks of our own and of other tools, and values that were never filled in.
_UNFILLED = frozenset({b"", b"null", b"undefined", b"none", b"nil", b"nan", b"true", b"false"})
_PLACEHOLDER = compile_bytes(
    r"(?:\*|\xe2\x80\xa2)+|\[(?:redacted|filtered|removed|hidden|masked|object )[^\]]*\]"
    r"|\$?\{{1,2}\s*[\w.]+\s*\}{1,2}|<[\w .-]*>",
    ignore_case=True,
    capture=False,
)
_PLACEHOLDER_STARTS = frozenset(b"*[{$<\xe2")


def find_rule(name: bytes, place: Place) -> NameRule | None:
    """Find the rule that makes this name secret in this place."""
    return _find_rule(name[-_LONGEST_NAME:], place)


@lru_cache(maxsize=4096)
def find_key_rule(key: str) -> NameRule | None:
    """Find the rule that makes the values under this object key secret."""
    match = _NAME_AT_END.search(key.encode("utf-8", "replace")[-_LONGEST_NAME:])
    return _find_rule(match[1], "data") if match else None


def is_secret_header(name: str) -> bool:
    """Tell whether a header of this name carries credentials."""
    raw = name.encode("utf-8", "replace")[-_LONGEST_NAME:]
    return bool(_HEADER_NAME.fullmatch(raw)) and _find_rule(raw, "header") is not None


def is_secret_value(value: bytes, rule: NameRule, place: Place) -> bool:
    """Tell whether a value is worth removing under a name that this rule found."""
    if _is_placeholder(value) or _is_label(value, rule):
        return False
    return _has_evidence(value, rule.evidence, place)


def is_ordinary(value: bytes) -> bool:
    """Tell whether a value is made of words."""
    return len(value) <= _LONGEST_WORDS and bool(_ORDINARY_WORDS.fullmatch(value))


@lru_cache(maxsize=4096)
def _find_rule(name: bytes, place: Place) -> NameRule | None:
    if _HARMLESS.fullmatch(name):
        return None
    last_part = name.rpartition(b".")[2]
    # `config.slack.key`: the part before the dot may be what tells.
    fitting = sorted({*(_RULES.Match(last_part) or ()), *(_RULES.Match(name) or ())})
    rules = (NAME_RULES[index] for index in fitting)
    return next((rule for rule in rules if place in rule.seen_in), None)


def _is_placeholder(value: bytes) -> bool:
    if value.lower() in _UNFILLED:
        return True
    return value[0] in _PLACEHOLDER_STARTS and bool(_PLACEHOLDER.fullmatch(value))


def _is_label(value: bytes, rule: NameRule) -> bool:
    # Forms and translations: {"password": "Enter your password"}.
    is_about_password = rule.kind == "password" and b"password" in value.lower()
    return is_about_password and bool(_SENTENCE.fullmatch(value))


def _has_evidence(value: bytes, evidence: Evidence, place: Place) -> bool:
    if evidence == "none":
        return True
    if evidence == "pairs":
        return b"=" in value
    if b"[redacted" in value.lower() or is_ordinary(value):
        return False
    if evidence == "mixed":
        return bool(_MIXED.fullmatch(value)) and bool(_DIGIT_OR_MIXED_CASE.search(value))
    return _looks_drawn(value, place)


def _looks_drawn(value: bytes, place: Place) -> bool:
    if place == "url":
        return len(value) >= _SHORTEST_IN_URL
    if len(value) < _SHORTEST_IN_DATA or not _RANDOM_VALUE.fullmatch(value):
        return False
    return looks_random(value) if place == "log" else bool(_DIGIT_OR_MIXED_CASE.search(value))
