"""Text from a page, made safe to show: nothing in it may hide, or steer what shows it."""

import re
from typing import Any

# Control characters but newline and tab; bidi controls; characters that show as nothing. Not
# U+200D, which joins emoji and is part of what the user saw.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)


def has_invisible(text: str) -> bool:
    return _INVISIBLE.search(text) is not None


def strip_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text)


def strip_within(value: Any) -> Any:
    """The same JSON with every text in it stripped."""
    if isinstance(value, str):
        return strip_invisible(value)
    if isinstance(value, dict):
        return {strip_invisible(key): strip_within(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strip_within(item) for item in value]
    return value
