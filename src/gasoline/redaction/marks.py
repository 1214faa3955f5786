"""What stands in a record where a secret was: enough to report the leak, too little to use it."""

from string import ascii_letters, digits
from typing import Final

import re2
from msgspec import Struct

HEADER_MARK: Final = "[REDACTED]"
INPUT_MARK: Final = "[redacted]"

_SHORTEST_SHOWN = 24
_HIDDEN = "***"
# What stands for a value that nobody could use: a word, a placeholder, an example.
SAMPLE: Final = "sample"
_FULLY_HIDDEN_KINDS = frozenset(
    {
        "password",
        "pin",
        "one-time-code",
        "card-number",
        "card-security-code",
        "ssn",
        "url-password",
        "curl-password",
    }
)

# Anything else could end the mark early, or break the JSON text or the URL around it.
_HARMLESS = frozenset(f"{ascii_letters}{digits}_.+-")
_MARK = re2.compile(r"\[redacted:([a-z0-9-]+):([A-Za-z0-9_.+*-]*)\]")


class Mark(Struct, frozen=True):
    """One secret that was removed, and where its mark stands in the text."""

    kind: str
    masked: str
    start: int
    end: int


def mask(value: str) -> str:
    """Show the first six and last three characters, or nothing of a value that is short."""
    if len(value) < _SHORTEST_SHOWN:
        return _HIDDEN
    return f"{_harmless(value[:6])}...{_harmless(value[-3:])}"


def mark(kind: str, value: str | float, *, credible: bool = True) -> str:
    """Name what was removed; a number or boolean keeps its type on record."""
    return f"[redacted:{kind}:{_masked(kind, value) if credible else SAMPLE}]"


def is_mark(text: str) -> bool:
    """Tell whether the whole text is a mark of any of the three forms."""
    return text in (HEADER_MARK, INPUT_MARK) or parse_mark(text) is not None


def parse_mark(text: str) -> Mark | None:
    """Read back a text that is one typed mark."""
    marks = find_marks(text)
    return marks[0] if marks and marks[0].end - marks[0].start == len(text) else None


def find_marks(text: str) -> list[Mark]:
    """List the typed marks in a text, in order."""
    return [
        Mark(kind=match[1], masked=match[2], start=match.start(), end=match.end())
        for match in _MARK.finditer(_encodable(text))
    ]


def _masked(kind: str, value: str | float) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return _HIDDEN if kind in _FULLY_HIDDEN_KINDS else mask(value)


def _harmless(text: str) -> str:
    return "".join(letter if letter in _HARMLESS else "*" for letter in text)


def _encodable(text: str) -> str:
    # re2 reads UTF-8; a lone surrogate becomes one "?", so positions stay true.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
