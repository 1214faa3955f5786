"""Where a script says that its source map is."""

import base64
import binascii
import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

# The specification's rule without a parser: a comment with nothing but comments behind it.
# https://tc39.es/ecma426/#sec-linking-generated-code
_COMMENT = re.compile(rb"(?://|/\*)[#@]\s*sourceMappingURL=(?P<address>[^\s*'\"]+)[ \t]*(?:\*/)?")
_ONLY_COMMENTS = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = b"sourceMappingURL="
HEADERS = ("sourcemap", "x-sourcemap")
PLACES_LOOKED_AT = 5
OPENING_BYTES = 20
# A comment may stand behind the map's; a whole script behind it makes it no last word.
TAIL_BYTES = 1000


def find_map_address(script: bytes, headers: Mapping[str, str]) -> str | None:
    """The address of the map, in the answer's headers or at the end of the script."""
    for name in HEADERS:
        if headers.get(name):
            return headers[name].strip()
    end = len(script)
    for _ in range(PLACES_LOOKED_AT):
        place = script.rfind(_NAME, 0, end)
        if place < 0:
            return None
        found = _COMMENT.search(script, max(0, place - OPENING_BYTES))
        if found and found.start() < place and _is_last_word(script[found.end() :]):
            return found["address"].decode("utf-8", "replace")
        end = place
    return None


def _is_last_word(rest: bytes) -> bool:
    return len(rest) <= TAIL_BYTES and _ONLY_COMMENTS.fullmatch(rest) is not None


def read_data_address(address: str) -> bytes | None:
    """The content of a `data:` address; None for any other, or one that is broken."""
    if not address.startswith("data:"):
        return None
    kind, comma, content = address.partition(",")
    if not comma:
        return None
    if not kind.endswith(";base64"):
        return unquote_to_bytes(content)
    try:
        return base64.b64decode(unquote_to_bytes(content), validate=True)
    except binascii.Error:
        return None
