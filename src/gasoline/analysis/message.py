"""What two messages have in common when only ids, times and positions differ."""

import re
from functools import lru_cache

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")
# Begun only where a word begins: from within one, a long word would be read once per letter.
_PLACE = re.compile(
    r"(?<![\w./@-])(?:https?://|file://|/)?[\w./@-]+\.\w{1,5}(?:\?[\w=&.-]*)?:\d+(?::\d+)?"
)
_LINE = re.compile(r"\b(line|column|col) \d+", re.IGNORECASE)
# A number that is an id, or the name of a property, whose number tells it from its neighbours.
_NUMBER = re.compile(r"((?:reading|setting|property) ['\"`][^'\"`]{1,100}['\"`])|\d{2,}")
# In this order, each with a letter without which it cannot match: most messages have none of them.
_MARKS = (
    (_UUID, "[uuid]", "-"),
    (_TIMESTAMP, "[timestamp]", "-"),
    (_PLACE, "[file]", ":"),
    (_LINE, r"\1 [n]", " "),
)
LOOKED_AT_CHARS = 1000


def normalise_message(message: str) -> str:
    """The message with what changes from run to run replaced by marks; its first line only."""
    return _normalise(message.strip().split("\n", 1)[0][:LOOKED_AT_CHARS])


# Errors repeat, and are looked at again with every question.
@lru_cache(maxsize=1024)
def _normalise(text: str) -> str:
    for pattern, mark, within in _MARKS:
        if within in text:
            text = pattern.sub(mark, text)
    return _NUMBER.sub(lambda found: found[1] or "[id]", text)
