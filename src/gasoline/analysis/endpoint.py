"""An endpoint: the same request whatever ids it carries."""

import re
from urllib.parse import urlsplit

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_HEX = re.compile(r"(?=[a-f]*\d)[0-9a-f]{8,}", re.IGNORECASE)


def path_template(url: str) -> str:
    """The path of a URL with its ids replaced, segment by segment: `/users/:id/posts`."""
    return "/".join(_segment(segment) for segment in path_of(url).split("/"))


def path_of(url: str) -> str:
    """The path, without origin, query and fragment; the text itself when it is no URL."""
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return url


def _segment(segment: str) -> str:
    if _UUID.fullmatch(segment):
        return ":uuid"
    if _NUMBER.fullmatch(segment):
        return ":id"
    return ":hash" if _HEX.fullmatch(segment) else segment
