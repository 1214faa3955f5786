"""Asking the page's own server for a script or a map: GET, on loopback, and nowhere else.

It blocks, so it runs in a thread. A page says which file, so that nothing else may follow from it:
no cookies, no other origin, no redirect to one, no more bytes and no more time than set here.
"""

import http.client
import ssl
import time
from collections.abc import Iterator, Mapping
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from gasoline.analysis.source_map import MAP_BYTES
from gasoline.sources.origin import loopback_addresses, origin_of

FETCH_S = 2.0
REDIRECTS = 3
CHUNK_BYTES = 256 * 1024
OK = 200
_MOVED = frozenset({301, 302, 303, 307, 308})


class Fetched(Struct, frozen=True):
    """A file, and where it was in the end."""

    url: str
    body: bytes
    headers: Mapping[str, str]


class CannotFetchError(Exception):
    """The file cannot be had; the message says why."""


def fetch(url: str, origin: str, *, timeout_s: float = FETCH_S) -> Fetched:
    """Get a file of a page's own origin."""
    deadline = time.monotonic() + timeout_s
    for _ in range(REDIRECTS + 1):
        answered = _get(url, origin, deadline)
        if isinstance(answered, Fetched):
            return answered
        url = answered
    raise CannotFetchError("it redirects in circles")


def _get(url: str, origin: str, deadline: float) -> Fetched | str:
    """The file, or the address that it moved to."""
    if origin_of(url) != origin:
        raise CannotFetchError("it is not of the page's own origin")
    addresses = loopback_addresses(origin)
    if not addresses:
        raise CannotFetchError("only pages on this machine are asked for their sources")
    parts = urlsplit(url)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    headers = {"Host": parts.netloc.rpartition("@")[2], "Accept-Encoding": "identity"}
    connection = _connect(origin, addresses, deadline)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        if response.status in _MOVED:
            return urljoin(url, response.headers.get("location", ""))
        if response.status != OK:
            raise CannotFetchError(f"its server answered {response.status}")
        body = b"".join(_read(connection, response, deadline))
    except TimeoutError as error:
        raise CannotFetchError(f"its server took over {FETCH_S:.0f} s") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CannotFetchError(f"its server did not answer: {error}") from error
    finally:
        connection.close()
    return Fetched(url, body, {name.lower(): value for name, value in response.getheaders()})


def _connect(origin: str, addresses: list[str], deadline: float) -> http.client.HTTPConnection:
    """The first of the addresses that answers: a development server may listen on either."""
    parts = urlsplit(origin)
    problem: OSError | None = None
    for address in addresses:
        connection = _connection(parts.scheme, address, parts.port or 0, _left(deadline))
        try:
            connection.connect()
        except OSError as error:
            problem = error
            continue
        return connection
    raise CannotFetchError(f"its server did not answer: {problem}")


def _connection(
    scheme: str, address: str, port: int, timeout_s: float
) -> http.client.HTTPConnection:
    if scheme == "http":
        return http.client.HTTPConnection(address, port, timeout=timeout_s)
    # A development certificate nobody signed is fine: this never leaves the machine.
    unverified = ssl._create_unverified_context()  # noqa: S323, SLF001  # as said
    return http.client.HTTPSConnection(address, port, timeout=timeout_s, context=unverified)


def _read(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
) -> Iterator[bytes]:
    size_bytes = 0
    while True:
        if connection.sock:
            connection.sock.settimeout(_left(deadline))
        chunk = response.read1(CHUNK_BYTES)
        size_bytes += len(chunk)
        if not chunk:
            return
        if size_bytes > MAP_BYTES:
            raise CannotFetchError(f"it is over the limit of {MAP_BYTES // 2**20} MB")
        yield chunk


def _left(deadline: float) -> float:
    left_s = deadline - time.monotonic()
    if left_s <= 0:
        raise TimeoutError
    return left_s
