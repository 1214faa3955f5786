"""What in a session is significant: it remembers just enough to know what is new."""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct

from gasoline.analysis.abnormal import SERVER_FAILURE, is_network_log, noise_of, said_by
from gasoline.analysis.endpoint import path_of, path_template
from gasoline.analysis.message import normalise_message
from gasoline.analysis.noise import noise_reason
from gasoline.analysis.security.credentials import credentials_sent
from gasoline.analysis.session_state import page_of
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, PerformanceSnapshot, Record
from gasoline.records.network import FAILURE_STATUS
from gasoline.records.time import format_time
from gasoline.stream.event import MESSAGE_CHARS, Category, StreamEvent

MOST_REMEMBERED = 200
PREVIEW_CHARS = 100
SLOWER_BY = 2
LONG_TASK_MS = 500
CLICKS, CLICKS_WITHIN_MS = 3, 5000
ANSWER_WITHIN_MS = 5000
OK_STATUSES = range(200, 300)
REJECTION = "Unhandled Promise Rejection: "
DEAD_CLICK = "dead-click"
ADDRESS_CHARS = 200


K = TypeVar("K")
V = TypeVar("V")


class Submit(Struct, frozen=True):
    """A form that waits for an answer, and when it is too late for one."""

    action: str
    url: str
    at_ms: float
    too_late_ms: float


class Attention:
    """Told of every record in order, it names those that matter."""

    def __init__(self) -> None:
        # By the hash of a message and of an endpoint: pages may send long ones.
        self._seen_errors: OrderedDict[int, None] = OrderedDict()
        self._last_good: OrderedDict[int, int] = OrderedDict()
        self._clicks: OrderedDict[str, deque[float]] = OrderedDict()
        self._submits: OrderedDict[str, Submit] = OrderedDict()
        self._last_answer_ms = 0.0
        self._set_aside = 0

    def remember(self, records: Iterable[Record]) -> None:
        """Learn what happened before anybody listened, so that it is not news."""
        for record in records:
            if isinstance(record, LogEntry) and record.is_error:
                self._is_new(normalise_message(said_by(record)))
            elif isinstance(record, NetworkBody):
                self._note_status(record)

    def notice(
        self, record: Record, *, now_ms: float, usual_load_ms: float | None = None
    ) -> Iterator[StreamEvent]:
        """The significant events that a record is. `now_ms` is of a clock that never jumps."""
        if isinstance(record, LogEntry):
            yield from self._notice_log(record)
        elif isinstance(record, NetworkBody):
            self._answer(record.at_ms)
            yield from self._notice_exchange(record)
        elif isinstance(record, EnhancedAction):
            yield from self._notice_action(record, now_ms)
        elif isinstance(record, PerformanceSnapshot):
            self._submits.clear()
            yield from _notice_load(record, usual_load_ms)

    def overdue(self, now_ms: float) -> Iterator[StreamEvent]:
        """Forms that were submitted and never answered."""
        for submit in list(self._submits.values()):
            if now_ms >= submit.too_late_ms:
                del self._submits[submit.action]
                yield _event(
                    "user_frustration",
                    "warning",
                    f"Form submit to {submit.action} — no response after 5s",
                    submit.at_ms,
                    {"url": submit.url, "action": submit.action},
                )

    def take_set_aside(self) -> int:
        """How many errors and failures were known noise since this was last asked."""
        count, self._set_aside = self._set_aside, 0
        return count

    @property
    def next_deadline_ms(self) -> float | None:
        return min((submit.too_late_ms for submit in self._submits.values()), default=None)

    def _notice_log(self, entry: LogEntry) -> Iterator[StreamEvent]:
        message = said_by(entry)
        # Scripts name the kind in `source`, the extension in `type`.
        is_dead_click = DEAD_CLICK in {entry.type, entry.source}
        if is_network_log(entry):
            self._answer(entry.at_ms)
        if not entry.is_error and not is_dead_click:
            return
        if noise_of(entry):
            self._set_aside += 1
            return
        if is_dead_click:
            page = {"url": page_of(entry)}
            yield _event("user_frustration", "warning", message, entry.at_ms, page)
            return
        if is_network_log(entry):
            if (entry.status or 0) >= SERVER_FAILURE:
                yield _server_error(entry.method, entry.url, entry.status or 0, entry.at_ms, {})
            return
        is_new = self._is_new(normalise_message(message))
        rejected = "unhandledrejection" in {entry.source, entry.type}
        context = {"url": entry.url, "source": _place(entry)}
        if rejected or message.startswith(REJECTION):
            text = f"Unhandled rejection: {message.removeprefix(REJECTION)}"
            yield _event("errors", "error", text, entry.at_ms, context)
        elif is_new:
            yield _event("errors", "error", f"New error: {message}", entry.at_ms, context)

    def _notice_exchange(self, exchange: NetworkBody) -> Iterator[StreamEvent]:
        if noise_reason(url=exchange.url):
            self._set_aside += exchange.failed
            return
        method, url, status = exchange.method, path_of(exchange.url), exchange.status
        was = self._note_status(exchange)
        context = {
            "page_url": exchange.page_url,
            "response_preview": (exchange.response_body or "")[:PREVIEW_CHARS],
            **({"previous_status": was} if was else {}),
        }
        if status >= SERVER_FAILURE:
            yield _server_error(method, exchange.url, status, exchange.at_ms, context)
        elif status >= FAILURE_STATUS and was:
            said = f"Auth/access issue: {method} {url} → {status} (was {was})"
            facts = {"method": method, "url": exchange.url, "status": status, **context}
            yield _event("network_errors", "warning", said, exchange.at_ms, facts)
        if kinds := credentials_sent(exchange):
            said = f"Possible credential exposure in {method} {url}"
            facts = {"method": method, "url": exchange.url, "kinds": kinds}
            yield _event("security", "warning", said, exchange.at_ms, facts)

    def _notice_action(self, action: EnhancedAction, now_ms: float) -> Iterator[StreamEvent]:
        if action.type == "navigate":
            self._submits.clear()
        elif action.type == "submit":
            self._await_answer(action, now_ms)
        elif action.type == "click":
            target = _name(action)
            # On either side: a clock that was set back must not make old clicks recent.
            recent = (
                at_ms
                for at_ms in self._clicks.get(target, ())
                if abs(action.at_ms - at_ms) < CLICKS_WITHIN_MS
            )
            clicks = deque((*recent, action.at_ms), maxlen=MOST_REMEMBERED)
            _keep(self._clicks, target, clicks)
            if len(clicks) >= CLICKS:
                yield _event(
                    "user_frustration",
                    "warning",
                    f"Repeated clicks on {target} — handler may be broken",
                    action.at_ms,
                    {"url": action.url, "selector": target, "clicks": len(clicks)},
                )

    def _await_answer(self, submit: EnhancedAction, now_ms: float) -> None:
        # What a page sends of requests may arrive before what it sends of actions.
        if submit.at_ms < self._last_answer_ms:
            return
        to, at = (submit.action or submit.url)[:ADDRESS_CHARS], submit.url[:ADDRESS_CHARS]
        _keep(self._submits, to, Submit(to, at, submit.at_ms, now_ms + ANSWER_WITHIN_MS))

    def _answer(self, at_ms: float) -> None:
        self._last_answer_ms = at_ms
        self._submits.clear()

    def _is_new(self, pattern: str) -> bool:
        key = hash(pattern)
        is_new = key not in self._seen_errors
        _keep(self._seen_errors, key, None)
        return is_new

    def _note_status(self, exchange: NetworkBody) -> int | None:
        """The last good status of the endpoint before this one."""
        key = hash((exchange.method, path_template(exchange.url)))
        was = self._last_good.get(key)
        if exchange.status in OK_STATUSES:
            _keep(self._last_good, key, exchange.status)
        return was


def _notice_load(load: PerformanceSnapshot, usual_ms: float | None) -> Iterator[StreamEvent]:
    took = load.timing.load
    if took and usual_ms and took > SLOWER_BY * usual_ms:
        times = f"{took:.0f}ms (baseline: {usual_ms:.0f}ms)"
        said = f"Performance regression: {load.url} loaded in {times}"
        facts = {"url": load.url, "load_ms": round(took), "baseline_ms": round(usual_ms)}
        yield _event("performance", "warning", said, load.at_ms, facts)
    longest = load.long_tasks.longest if load.long_tasks else 0
    if longest > LONG_TASK_MS:
        said = f"Main thread blocked for {longest:.0f}ms"
        yield _event("performance", "warning", said, load.at_ms, {"url": load.url})


def _server_error(
    method: str, url: str, status: int, at_ms: float, context: dict[str, Any]
) -> StreamEvent:
    said = f"Server error: {method or 'GET'} {path_of(url)} → {status}"
    facts = {"method": method or "GET", "url": url, "status": status, **context}
    return _event("network_errors", "error", said, at_ms, facts)


def _name(action: EnhancedAction) -> str:
    found = action.selectors
    by_id = f"#{found.id}" if found.id else None
    name = found.test_id or by_id or action.target or found.css_path or found.text or "an element"
    return name[:PREVIEW_CHARS]


def _place(entry: LogEntry) -> str:
    return f"{entry.filename}:{entry.lineno}" if entry.filename else page_of(entry)


def _keep(table: OrderedDict[K, V], key: K, value: V) -> None:
    table[key] = value
    table.move_to_end(key)
    if len(table) > MOST_REMEMBERED:
        table.popitem(last=False)


def _event(
    category: Category, severity: str, message: str, at_ms: float, context: dict[str, Any]
) -> StreamEvent:
    return StreamEvent(
        category=category,
        severity=severity,
        message=message[:MESSAGE_CHARS],
        timestamp=format_time(at_ms),
        context={
            key: value[:ADDRESS_CHARS] if isinstance(value, str) else value
            for key, value in context.items()
            if value not in (None, "")
        },
    )
