"""Text from a page, made safe to show: nothing in it may hide, or steer what shows it."""

import re

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
