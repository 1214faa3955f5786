"""What an audit looks at."""

from msgspec import Struct

from gasoline.analysis.endpoint import path_of, path_template
from gasoline.records import LogEntry, NetworkBody, WebSocketEvent
from gasoline.redaction.marks import show_masked

URL_CHARS = 300
SEARCHED_URL_CHARS = 2048


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


def shown_url(url: str) -> str:
    """An address as evidence: masked, and cut to what a reader can use."""
    shown = show_masked(url[:SEARCHED_URL_CHARS])
    return shown if len(shown) <= URL_CHARS else shown[: URL_CHARS - 3] + "..."


def shown_path(url: str) -> str:
    return path_of(shown_url(url))
