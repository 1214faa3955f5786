"""Whose files may be asked for: those of the page that an error came from, and only on loopback."""

import ipaddress
from urllib.parse import urlsplit

WEB = {"http": 80, "https": 443}


def origin_of(url: str) -> str | None:
    """`http://localhost:5173`, with its port always; None for what is no web address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in WEB or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port or WEB[parts.scheme]}"


def vouched_origin(said_by_request: str | None, page_url: str) -> str | None:
    """The origin of the page that an error came from.

    A browser vouches for its Origin header. Without one, or with that of an extension, a program of
    this user sent the batch, and what that says of its page holds.
    """
    if said_by_request is None or "-extension://" in said_by_request:
        return origin_of(page_url)
    return origin_of(said_by_request)


def loopback_addresses(origin: str) -> list[str]:
    """The addresses behind an origin, without asking any name server; none beyond this machine."""
    host = urlsplit(origin).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1", "::1"]
    try:
        return [host] if ipaddress.ip_address(host).is_loopback else []
    except ValueError:
        return []
