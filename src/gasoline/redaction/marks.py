"""What stands in a record where a secret was: enough to report the leak, too little to use it."""

import re
from collections.abc import Iterator
from string import ascii_letters, digits
from typing import Final

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
        "netrc-password",
    }
)

# Anything else could end the mark early, or break the JSON text or the URL around it.
_HARMLESS = frozenset(f"{ascii_letters}{digits}_.+-")
# Python's own patterns here: this one can match in one way only, so it is linear as well.
_MARK = re.compile(r"\[redacted:([a-z0-9-]+):([A-Za-z0-9_.+*-]*)\]")


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
    if not text.startswith("["):
        return False
    return text in (HEADER_MARK, INPUT_MARK) or parse_mark(text) is not None


def parse_mark(text: str) -> Mark | None:
    """Read back a text that is one typed mark."""
    marks = find_marks(text)
    return marks[0] if marks and marks[0].end - marks[0].start == len(text) else None


def find_marks(text: str) -> list[Mark]:
    """List the typed marks in a text, in order."""
    return list(each_mark(text))


def each_mark(text: str) -> Iterator[Mark]:
    """Go through the typed marks of a text that may hold more than anyone wants to know."""
    for match in _MARK.finditer(text):
        yield Mark(kind=match[1], masked=match[2], start=match.start(), end=match.end())


def show_masked(text: str) -> str:
    """The text with each mark replaced by the masked form of what it hides."""
    return _MARK.sub(lambda found: _HIDDEN if found[2] == SAMPLE else found[2], text)


def _masked(kind: str, value: str | float) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return _HIDDEN if kind in _FULLY_HIDDEN_KINDS else mask(value)


def _harmless(text: str) -> str:
    return "".join(letter if letter in _HARMLESS else "*" for letter in text)
