"""Addresses of pages: whether two are the same page, and whether a script can open one."""

from urllib.parse import urljoin, urlsplit, urlunsplit

OPENABLE = frozenset({"http", "https", "file", "data"})


def resolve(url: str | None, base: str) -> str:
    """An address as the browser would have it; what cannot be resolved stays as it is."""
    try:
        return urljoin(base, url or "")
    except ValueError:
        return url or ""


def origin_of(url: str) -> str:
    """Scheme, host and port; nothing for what has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def is_same_page(one: str, other: str) -> bool:
    """Whether two addresses show the same document, wherever in it."""
    return _without_fragment(one) == _without_fragment(other)


def can_be_opened(url: str) -> bool:
    """Whether an address means the same page to another browser: that of a blob does not."""
    try:
        return urlsplit(url).scheme in OPENABLE
    except ValueError:
        return False


def _without_fragment(url: str) -> str:
    try:
        return urlunsplit(urlsplit(url)._replace(fragment=""))
    except ValueError:
        return url
