"""An endpoint: the same request whatever ids it carries."""

from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from gasoline.analysis.graphql import operation_of
from gasoline.analysis.identifier import is_identifier
from gasoline.records import NetworkBody
from gasoline.redaction.marks import is_mark

# Data URLs have megabytes of path.
PATH_CHARS = 500


class Endpoint(Struct, frozen=True, order=True):
    """What a request asks for: where, how, and which operation of those that share an address."""

    origin: str
    path: str
    method: str
    operation: str | None = None

    def __str__(self) -> str:
        address = f"{self.method} {self.path}"
        return f"{address} {self.operation}" if self.operation else address


def endpoint_of(exchange: NetworkBody) -> Endpoint:
    """The endpoint an exchange belongs to, by method, path template and GraphQL operation."""
    parts = _split(exchange.url)
    origin = f"{parts.scheme}://{parts.netloc}" if parts and parts.netloc else ""
    path = path_template(exchange.url)[:PATH_CHARS]
    return Endpoint(origin, path, exchange.method.upper(), operation_of(exchange))


def path_template(url: str) -> str:
    """The path of a URL with its ids replaced, segment by segment: `/users/:id/posts`."""
    parts = _split(url)
    if parts is None:
        return url
    return "/".join(segment_template(segment) for segment in (parts.path or "/").split("/"))


def path_of(url: str) -> str:
    """The path, without origin, query and fragment; the text itself when it is no URL."""
    parts = _split(url)
    return (parts.path or "/") if parts else url


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def segment_template(segment: str) -> str:
    """An id replaced by a mark; any other word as it is."""
    plain = unquote(segment)
    return ":id" if is_identifier(plain) or is_mark(plain) else segment
