"""What an audit looks at."""

from msgspec import Struct

from gasoline.analysis.endpoint import path_template
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent

URL_CHARS = 300


class Traffic(Struct, frozen=True):
    """Records of one session, in any order."""

    exchanges: tuple[NetworkBody, ...] = ()
    logs: tuple[LogEntry, ...] = ()
    websocket_events: tuple[WebSocketEvent, ...] = ()


def endpoint_of(exchange: NetworkBody) -> str:
    """The same for every call of one operation, whatever ids its path carries."""
    return f"{exchange.method.upper()} {origin_of(exchange.url)}{path_template(exchange.url)}"


def origin_of(url: str) -> str:
    """Scheme and host; nothing for a relative address."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}://{rest.split('/', 1)[0].split('?', 1)[0]}" if mark else ""


def short_url(url: str) -> str:
    return url if len(url) <= URL_CHARS else url[: URL_CHARS - 3] + "..."
