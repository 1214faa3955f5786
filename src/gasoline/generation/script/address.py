"""Addresses in scripts: without secrets, on the right origin, and as patterns."""

import re
from collections.abc import Collection
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from gasoline.analysis.page_address import origin_of
from gasoline.generation.script.literal import pattern_of
from gasoline.redaction.marks import find_marks

_SECRET_NAME = re.compile(
    r"(?:.*[_.-])?(?:token|secret|password|passwd|api[_-]?key|signature|session[_-]?id)"
    r"|auth|key|apikey|session|sig|code",
    re.IGNORECASE,
)
# Whatever follows the path, or nothing.
PATH_END = "(?:[?#]|$)"
ANY_SEGMENT = "[^/?#]+"


def strip_secrets(url: str) -> tuple[str, bool]:
    """The address without the parameters that grant access, and whether there were any."""
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return url, False
    kept = [(name, value) for name, value in pairs if not _is_secret(name, value)]
    clean_fragment = "" if _hides_secret(parts.fragment) else parts.fragment
    if len(kept) == len(pairs) and clean_fragment == parts.fragment:
        return url, False
    return urlunsplit(parts._replace(query=urlencode(kept), fragment=clean_fragment)), True


def on_origin(url: str, base_url: str | None) -> str:
    """The same page on another origin."""
    origin = origin_of(url)
    if not base_url or not origin:
        return url
    return base_url.rstrip("/") + url.removeprefix(origin)


def url_pattern(url: str, *, minted: Collection[str] = ()) -> str:
    """What an address must match: its path, and the route in its fragment if it has one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return pattern_of(url)
    path = path_pattern(parts.path or "/", minted=minted)
    if parts.fragment.startswith(("/", "!")):
        return f"{path}(?:\\?[^#]*)?#{pattern_of(parts.fragment)}$"
    return path + PATH_END


def path_pattern(path: str, *, minted: Collection[str] = ()) -> str:
    """A path in which whatever the session itself brought into being may be anything."""
    return "\\/".join(
        ANY_SEGMENT if is_minted(segment, minted) else pattern_of(segment)
        for segment in path.split("/")
    )


def is_minted(segment: str, minted: Collection[str]) -> bool:
    return bool(segment) and unquote(segment) in minted


def _is_secret(name: str, value: str) -> bool:
    return bool(_SECRET_NAME.fullmatch(name)) or _hides_secret(value)


def _hides_secret(text: str) -> bool:
    return bool(find_marks(text)) or "[redacted" in text or "access_token=" in text
