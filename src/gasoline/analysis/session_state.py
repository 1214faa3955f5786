"""A session in brief: errors, requests, connections and one page load, small enough to keep."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from gasoline.analysis.abnormal import is_network_log, noise_of, said_by
from gasoline.analysis.endpoint import path_of, path_template
from gasoline.analysis.json_body import UnreadableBodyError, read_answer
from gasoline.analysis.message import normalise_message
from gasoline.analysis.noise import noise_reason
from gasoline.analysis.recording import mentions
from gasoline.analysis.shape import Shape, shape_of
from gasoline.records import (
    LogEntry,
    NetworkBody,
    PerformanceSnapshot,
    Record,
)
from gasoline.records.network import FAILURE_STATUS

MOST_CONSOLE_ENTRIES = 50
MOST_REQUESTS = 100
MESSAGE_CHARS = 300
PATH_CHARS = 200
MOST_LOADS = 20
# The largest shapes are the least read; together they stay a part of what a snapshot may take.
SHAPE_BYTES = 2000
SHAPES_BYTES = 24_000


class SeenError(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error and how often it occurred, told apart by its pattern and its original file."""

    message: str
    pattern: str
    count: int
    page: str = ""
    file: str | None = None
    addresses: tuple[str, ...] = ()

    def is_same_as(self, other: "SeenError") -> bool:
        """A line that moved does not make another error; a file that is unknown may be any."""
        return self.pattern == other.pattern and (
            self.file == other.file or self.file is None or other.file is None
        )


class SeenRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request without what was sent and answered."""

    method: str
    url: str
    endpoint: str
    status: int
    duration: float | None = None
    response_size: int = 0
    content_type: str = ""
    error: str | None = None
    shape: Shape | None = None
    addresses: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.status >= FAILURE_STATUS or self.error is not None

    @property
    def key(self) -> str:
        """Equal for calls of the same endpoint."""
        return f"{self.method} {self.endpoint}"

    def __str__(self) -> str:
        outcome = str(self.status) if self.status or not self.error else f"failed ({self.error})"
        return f"{self.method} {self.url} → {outcome}"


Seen = TypeVar("Seen", SeenError, SeenRequest)


class SeenConnection(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A WebSocket as it stood."""

    url: str
    state: str
    message_rate: float = 0


class SessionState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the browser had been through at one moment."""

    captured_ms: float
    url_filter: str | None = None
    first_seq: int = 0
    last_seq: int = 0
    records: int = 0
    page_url: str = ""
    pages: frozenset[str] = frozenset()
    errors: tuple[SeenError, ...] = ()
    # Before the last fifty: seen, though neither counted nor kept with a baseline.
    earlier_errors: tuple[SeenError, ...] = ()
    warnings: tuple[SeenError, ...] = ()
    requests: tuple[SeenRequest, ...] = ()
    connections: tuple[SeenConnection, ...] = ()
    loads: tuple[PerformanceSnapshot, ...] = ()
    set_aside: int = 0

    @property
    def failed_requests(self) -> list[SeenRequest]:
        return [request for request in self.requests if request.failed]

    @property
    def error_count(self) -> int:
        return sum(error.count for error in self.errors)


def sum_up(
    records: Sequence[Record],
    connections: Iterable[SeenConnection],
    *,
    captured_ms: float,
    url_filter: str | None = None,
    shapes: bool = False,
    earlier: bool = False,
) -> SessionState:
    """Reduce records, in the order of capture, to a state; known noise is counted apart."""
    chosen = [record for record in records if not url_filter or mentions(record, url_filter)]
    telling = [record for record in chosen if not _is_noise(record)]
    logs = [record for record in telling if isinstance(record, LogEntry)]
    exchanges = [record for record in telling if isinstance(record, NetworkBody)]
    said = [entry for entry in logs if not is_network_log(entry)]
    all_errors = [entry for entry in said if entry.is_error]
    errors = all_errors[-MOST_CONSOLE_ENTRIES:]
    room = MOST_CONSOLE_ENTRIES - len(errors)
    warnings = [entry for entry in said if entry.is_warning][-room:] if room else []
    return SessionState(
        captured_ms=captured_ms,
        url_filter=url_filter,
        first_seq=chosen[0].seq if chosen else 0,
        last_seq=chosen[-1].seq if chosen else 0,
        records=len(chosen),
        page_url=_last_page(chosen)[:PATH_CHARS],
        pages=frozenset(_page_template(page) for page in set(_pages_used(chosen))),
        errors=_group(errors),
        earlier_errors=_group(all_errors[:-MOST_CONSOLE_ENTRIES]) if earlier else (),
        warnings=_group(warnings),
        requests=_sum_up_requests(exchanges, logs, shapes=shapes),
        connections=tuple(
            connection
            for connection in connections
            if url_filter is None or url_filter in connection.url
        ),
        loads=_latest_loads(telling),
        set_aside=len(chosen) - len(telling),
    )


def narrow(state: SessionState, url_filter: str) -> SessionState:
    """What of a state a filter lets through that was not there when it was taken."""

    def matching(seen: tuple[Seen, ...]) -> tuple[Seen, ...]:
        return tuple(one for one in seen if any(url_filter in url for url in one.addresses))

    return msgspec.structs.replace(
        state,
        url_filter=url_filter,
        errors=matching(state.errors),
        warnings=matching(state.warnings),
        requests=matching(state.requests),
        connections=tuple(one for one in state.connections if url_filter in one.url),
        loads=tuple(load for load in state.loads if url_filter in load.url),
    )


def _pages_used(records: Iterable[Record]) -> Iterator[str]:
    """Pages that were used; what a page still sends while it is left is no use of it."""
    for record in records:
        page = page_of(record)
        if page and not isinstance(record, PerformanceSnapshot):
            yield page


def _last_page(records: Sequence[Record]) -> str:
    return next((page_of(record) for record in reversed(records) if page_of(record)), "")


def page_of(record: Record) -> str:
    """The address of the page that a record comes from, as far as it says."""
    page = getattr(record, "page_url", "")
    if page or isinstance(record, NetworkBody):
        return str(page)
    # The entry of a failed request has the request's address where others have the page's.
    return "" if isinstance(record, LogEntry) and is_network_log(record) else record.url


def _page_template(page: str) -> str:
    return path_template(page)[:PATH_CHARS] if page else ""


def _addresses(record: Record) -> tuple[str, ...]:
    """What a filter looks at, as far as a summary keeps it."""
    found = (record.url, page_of(record))
    return tuple(dict.fromkeys(address[:PATH_CHARS] for address in found if address))


def _is_noise(record: Record) -> bool:
    if isinstance(record, LogEntry) and (record.is_error or record.is_warning):
        return noise_of(record) is not None
    return isinstance(record, NetworkBody) and noise_reason(url=record.url) is not None


def _group(entries: Iterable[LogEntry]) -> tuple[SeenError, ...]:
    groups: dict[tuple[str, str | None], SeenError] = {}
    for entry in entries:
        message = said_by(entry)
        key = normalise_message(message)[:MESSAGE_CHARS], original_file(entry)
        known = groups.get(key)
        count = max(1, entry.repeats or 1)
        groups[key] = (
            msgspec.structs.replace(known, count=known.count + count)
            if known
            else SeenError(
                message=message[:MESSAGE_CHARS],
                pattern=key[0],
                count=count,
                page=_page_template(page_of(entry)),
                file=key[1],
                addresses=_addresses(entry),
            )
        )
    return tuple(groups.values())


def original_file(entry: LogEntry) -> str | None:
    """The source file that an error was thrown in, once its stack has been resolved."""
    snippets = entry.ai_context.source_snippets
    return snippets[0].file if snippets else None


def _sum_up_requests(
    exchanges: Sequence[NetworkBody], logs: Iterable[LogEntry], *, shapes: bool
) -> tuple[SeenRequest, ...]:
    """The newest requests, in order: those with bodies, and failures that only the log tells."""
    exchanges = [one for one in exchanges if not one.pending]
    with_bodies = {(one.method, path_of(one.url), one.status) for one in exchanges}
    only_logged = [
        entry
        for entry in logs
        if is_network_log(entry)
        and entry.is_error
        and (entry.method or "GET", path_of(entry.url), entry.status or 0) not in with_bodies
    ]
    told: list[NetworkBody | LogEntry] = [*exchanges, *only_logged]
    newest = sorted(told, key=lambda record: record.seq)[-MOST_REQUESTS:]
    shape_of_exchange = (
        _shapes([one for one in newest if isinstance(one, NetworkBody)]) if shapes else {}
    )
    return tuple(
        _from_log(record)
        if isinstance(record, LogEntry)
        else _from_exchange(record, shape_of_exchange.get(record.seq))
        for record in newest
    )


def _from_exchange(exchange: NetworkBody, shape: Shape | None) -> SeenRequest:
    return SeenRequest(
        method=exchange.method,
        url=path_of(exchange.url)[:PATH_CHARS],
        endpoint=path_template(exchange.url)[:PATH_CHARS],
        addresses=_addresses(exchange),
        status=exchange.status,
        duration=exchange.duration,
        response_size=len(exchange.response_body or ""),
        content_type=exchange.content_type[:100],
        error=exchange.error[:MESSAGE_CHARS] if exchange.error else None,
        shape=shape,
    )


def _from_log(entry: LogEntry) -> SeenRequest:
    return SeenRequest(
        method=entry.method or "GET",
        url=path_of(entry.url)[:PATH_CHARS],
        endpoint=path_template(entry.url)[:PATH_CHARS],
        addresses=_addresses(entry),
        status=entry.status or 0,
        duration=entry.duration,
        error=str(entry.error or said_by(entry))[:MESSAGE_CHARS] if not entry.status else None,
    )


def _shapes(exchanges: Sequence[NetworkBody]) -> dict[int, Shape]:
    """The shape of the last good answer of each endpoint, as far as there is room."""
    last_good = {
        (exchange.method, path_template(exchange.url)): exchange
        for exchange in exchanges
        if not exchange.failed
    }
    found: dict[int, Shape] = {}
    room = SHAPES_BYTES
    for exchange in last_good.values():
        try:
            shape = shape_of(read_answer(exchange))
        except UnreadableBodyError:
            continue
        size = len(msgspec.json.encode(shape))
        if size <= min(room, SHAPE_BYTES):
            found[exchange.seq] = shape
            room -= size
    return found


def _latest_loads(records: Iterable[Record]) -> tuple[PerformanceSnapshot, ...]:
    """The last load of each page, the latest load last, without what it was made of."""
    loads: dict[str, PerformanceSnapshot] = {}
    for record in records:
        if isinstance(record, PerformanceSnapshot):
            loads.pop(record.url, None)
            loads[record.url] = record
    return tuple(_in_totals(load) for load in list(loads.values())[-MOST_LOADS:])


def _in_totals(load: PerformanceSnapshot) -> PerformanceSnapshot:
    network = msgspec.structs.replace(load.network, by_type={}, slowest_requests=[])
    return msgspec.structs.replace(load, network=network, url=load.url[:PATH_CHARS])
