"""What two messages have in common when only ids, times and positions differ."""

import re

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_PLACE = re.compile(r"(?:https?://|file://|/)?[\w./@-]+\.\w{1,5}(?:\?[\w=&.-]*)?:\d+(?::\d+)?")
_LINE = re.compile(r"\b(line|column|col) \d+", re.IGNORECASE)
_NUMBER = re.compile(r"\d{2,}")


def normalise_message(message: str) -> str:
    """The message with what changes from run to run replaced by marks; its first line only."""
    text = message.strip().split("\n", 1)[0]
    for pattern, mark in (
        (_UUID, "[uuid]"),
        (_TIMESTAMP, "[timestamp]"),
        (_PLACE, "[file]"),
        (_LINE, r"\1 [n]"),
        (_NUMBER, "[id]"),
    ):
        text = pattern.sub(mark, text)
    return text
