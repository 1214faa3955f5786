"""Which texts name one thing among many: numbers, UUIDs, hashes, dates, tokens."""

import re

_IDENTIFIER = re.compile(
    r"\d+"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[a-f]*\d)[0-9a-f]{8,}"
    r"|\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]+)?"
    # ULIDs, nanoids and their like: letters among digits, too long to be a word.
    r"|(?=[a-z_]*\d+[a-z_]+\d)\w{16,}"
    r"|[^@\s/]+@[^@\s/]+\.[a-z]{2,}",
    re.ASCII | re.IGNORECASE,
)
# Longer texts are no ids of ours to know, and patterns that look ahead stay cheap.
_LONGEST = 128
_SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)+|[a-z]+\d+[a-z0-9]*", re.IGNORECASE)


def is_identifier(text: str) -> bool:
    """Whether a text can only be an id, whatever stands beside it."""
    return len(text) <= _LONGEST and _IDENTIFIER.fullmatch(text) is not None


def is_slug(text: str) -> bool:
    """Whether a text may be the readable id of something: `red-shoes`, `sku42`."""
    return len(text) <= _LONGEST and _SLUG.fullmatch(text) is not None
