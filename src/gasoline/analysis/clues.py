"""What is remarkable in a session in which nothing failed openly: facts, the most telling first."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from gasoline.analysis.answers import find_deviations
from gasoline.analysis.elsewhere import Elsewhere, is_unusual
from gasoline.analysis.endpoint import path_of, path_template
from gasoline.analysis.json_body import UnreadableBodyError, read_json, read_success
from gasoline.analysis.json_fields import walk_fields
from gasoline.analysis.unanswered import unanswered_at_the_end
from gasoline.records import EnhancedAction, NetworkBody, PerformanceSnapshot, WebSocketEvent
from gasoline.records.evidence import Evidence
from gasoline.redaction import find_marks

SLOW_MS = 1000
BUSY_MESSAGES_PER_S = 50.0
LONG_TASK_MS = 200
HEAVY_BYTES = 3_000_000
# From here on a layout shift is poor: https://web.dev/articles/cls
POOR_LAYOUT_SHIFT = 0.25
LEAST_ADDRESSES = 2
VALUES_TRACED = 3
FIELDS_NAMED = 12
SHOWN_CHARS = 80
DEPTH = 6

_FOR_DATA = re.compile(r"(?:^|/)(?:api|graphql|rest|rpc|v\d+)(?:/|$)|\.json$", re.IGNORECASE)
_JSON_TYPE = re.compile(r"[/+]json\s*(?:;|$)", re.IGNORECASE)
# What keeps foreign pages from running an answer as a script; the page cuts it off.
_GUARD = re.compile(r"^(?:\)\]\}',?|while\s*\(1\);|for\s*\(;;\);)\s*")
_RECEIVED = re.compile(
    r"^\s*(?:Received(?: string| value)?|Actual value):\s*(.+)$|\bassert (.+?) (?:==|in) ",
    re.MULTILINE,
)
_UNFILLED = re.compile(r"\b(?:undefined|NaN)\b|\[object Object\]")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,3}")


class Clue(Struct, frozen=True):
    """Something that may explain a failure; equal signatures tell of equal causes."""

    text: str
    signature: str
    exchange: NetworkBody | None = None


def find_clues(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[Clue]:
    """Everything remarkable, the most telling first."""
    yield from unlike_the_others(evidence, elsewhere)
    yield from _no_json(evidence.exchanges)
    yield from _secrets_in_addresses(evidence.exchanges)
    yield from _busy_connections(evidence.websocket_events)
    yield from _slow_requests(evidence, elsewhere)
    yield from _unanswered(evidence, elsewhere)
    yield from _click_without_effect(evidence.actions, evidence.exchanges)
    received = _received(evidence.run.message or "")
    yield from _unfilled(received, evidence.exchanges)
    yield from _traced(received, evidence.exchanges)
    yield from _personal_data(evidence.exchanges)
    # Last: on a busy machine any page loads badly at times.
    yield from _bad_loads(evidence, elsewhere)


def unlike_the_others(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[Clue]:
    """Answers that have another form than the same endpoint gives in other tests."""
    said = set()
    for endpoint, answers in elsewhere.answers_of(evidence).items():
        usual = elsewhere.usual_answer(evidence, endpoint)
        for exchange, shape in answers:
            for deviation in find_deviations(exchange, shape, usual):
                if deviation.signature not in said:
                    said.add(deviation.signature)
                    yield Clue(deviation.what, deviation.signature, exchange)


def _no_json(exchanges: Iterable[NetworkBody]) -> Iterator[Clue]:
    """Answers that are not the JSON they should be; Chromium tells no page of that."""
    for exchange in exchanges:
        body = (exchange.response_body or "").lstrip()
        if not body or exchange.failed or exchange.response_truncated:
            continue
        if _JSON_TYPE.search(exchange.content_type) and not _is_json(body):
            what = "called its answer JSON, which it is not"
        elif body.startswith("<") and _FOR_DATA.search(path_of(exchange.url)):
            what = "answered a web page where data was asked for"
        else:
            continue
        where = f"{exchange.method} {path_template(exchange.url)}"
        yield Clue(f"{exchange.method} {path_of(exchange.url)} {what}", f"{where} {what}", exchange)
        return


def _is_json(body: str) -> bool:
    try:
        read_json(_GUARD.sub("", body))
    except UnreadableBodyError:
        return False
    return True


def _secrets_in_addresses(exchanges: Iterable[NetworkBody]) -> Iterator[Clue]:
    for exchange in exchanges:
        if not find_marks(exchange.url):
            continue
        # Not urlsplit: it refuses an address with a mark where its password was.
        _, _, query = exchange.url.partition("?")
        pairs = parse_qsl(query.replace("+", "%2B"))
        names = [name for name, value in pairs if find_marks(value)]
        if names:
            where = f"{exchange.method} {path_of(exchange.url)}"
            yield Clue(
                f"{where} carried a secret in its address: {', '.join(names)}",
                f"secret in the address of {exchange.method} {path_template(exchange.url)}",
            )
            return


def _busy_connections(events: Iterable[WebSocketEvent]) -> Iterator[Clue]:
    rates: dict[str, float] = {}
    for event in events:
        if event.sampled and (rate := _per_second(event.sampled.rate)) >= BUSY_MESSAGES_PER_S:
            rates[event.url] = max(rate, rates.get(event.url, 0.0))
    for url, rate in rates.items():
        yield Clue(
            f"WebSocket {path_of(url)} carried up to {rate:.0f} messages a second",
            f"busy WebSocket {path_template(url)}",
        )


def _per_second(rate: str) -> float:
    try:
        return float(rate.removesuffix("/s"))
    except ValueError:
        return 0.0


def _bad_loads(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[Clue]:
    for load in evidence.loads:
        others = elsewhere.other_loads(evidence, load.url)
        task_ms = _longest_task_ms(load)
        if task_ms >= LONG_TASK_MS and is_unusual(task_ms, [_longest_task_ms(o) for o in others]):
            yield Clue(
                f"One task kept the main thread of {load.url} busy for {task_ms:.0f} ms",
                f"long task in {path_template(load.url)}",
            )
        size = load.network.transfer_size
        if size >= HEAVY_BYTES and is_unusual(size, [o.network.transfer_size for o in others]):
            yield Clue(
                f"{load.url} loaded {size / 1e6:.1f} MB{_largest(load)}",
                f"heavy page {path_template(load.url)}",
            )
        shift = load.cumulative_layout_shift or 0.0
        if shift >= POOR_LAYOUT_SHIFT:
            yield Clue(
                f"The layout of {load.url} shifted by {shift:.2f} (poor from {POOR_LAYOUT_SHIFT})",
                f"layout shift in {path_template(load.url)}",
            )


def _longest_task_ms(load: PerformanceSnapshot) -> float:
    return load.long_tasks.longest if load.long_tasks else 0.0


def _largest(load: PerformanceSnapshot) -> str:
    requests = load.network.slowest_requests
    largest = max(requests, key=lambda request: request.size, default=None)
    if largest is None or not largest.size:
        return ""
    return f", such as {path_of(largest.url)} of {largest.size / 1e6:.1f} MB"


def _slow_requests(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[Clue]:
    slow = [
        exchange
        for exchange in evidence.exchanges
        if (exchange.duration or 0) >= SLOW_MS
        and not exchange.pending
        and elsewhere.is_slow(evidence, exchange)
    ]
    slowest = max(slow, key=lambda exchange: exchange.duration or 0, default=None)
    if slowest:
        yield Clue(
            f"The slowest request took {slowest.duration:.0f} ms: "
            f"{slowest.method} {path_of(slowest.url)}",
            f"slow {slowest.method} {path_template(slowest.url)}",
        )


def _unanswered(evidence: Evidence, elsewhere: Elsewhere) -> Iterator[Clue]:
    for exchange in islice(unanswered_at_the_end(evidence, elsewhere), 1):
        yield Clue(
            f"{exchange.method} {path_of(exchange.url)} was still without an answer at the end, "
            f"after {exchange.duration or 0:.0f} ms",
            f"no answer to {exchange.method} {path_template(exchange.url)}",
        )


def _click_without_effect(
    actions: Iterable[EnhancedAction], exchanges: Iterable[NetworkBody]
) -> Iterator[Clue]:
    clicks = [action for action in actions if action.type in {"click", "submit"}]
    if clicks and not any(exchange.at_ms >= clicks[-1].at_ms for exchange in exchanges):
        what = clicks[-1].text or clicks[-1].target or "an element"
        yield Clue(
            f'The last {clicks[-1].type} was on "{what}" and no answered request followed it',
            f'no request after {clicks[-1].type} on "{what}"',
        )


def _received(message: str) -> str:
    """What a failed assertion found, in the words of Playwright and pytest."""
    found = _RECEIVED.search(message)
    return (found[1] or found[2] or "").strip() if found else ""


def _unfilled(received: str, exchanges: Sequence[NetworkBody]) -> Iterator[Clue]:
    if not _UNFILLED.search(received) or _UNFILLED.fullmatch(received.strip("\"'")):
        return
    told = [exchange for exchange in exchanges if isinstance(read_success(exchange), dict)]
    source = next((exchange for exchange, _, _ in _sources(received, told)), None)
    source = source or (told[-1] if told else None)
    shown = f"The page shows {received[:SHOWN_CHARS]}: a value is missing there"
    if source:
        fields = ", ".join(list(read_success(source))[:FIELDS_NAMED])
        shown += f"; {source.method} {path_of(source.url)} had answered only {fields}"
    yield Clue(shown, f"the page shows {received[:SHOWN_CHARS]}", source)


def _traced(received: str, exchanges: Sequence[NetworkBody]) -> Iterator[Clue]:
    """Where a number that a test found comes from: an answer, or the page's own arithmetic."""
    if _UNFILLED.search(received):
        return
    for exchange, path, number in islice(_sources(received, exchanges), 1):
        where = f"{exchange.method} {path_of(exchange.url)}"
        yield Clue(
            f"The page shows {received[:SHOWN_CHARS]}; {where} had answered {number:g} in {path}",
            f"the page shows {path} of {exchange.method} {path_template(exchange.url)}",
            exchange,
        )


def _sources(
    text: str, exchanges: Sequence[NetworkBody]
) -> Iterator[tuple[NetworkBody, str, float]]:
    """The fields, newest answers first, that hold a number of this text."""
    wanted = {float(number) for number in _NUMBER.findall(text)[:VALUES_TRACED]}
    for exchange in reversed(exchanges if wanted else ()):
        for path, number in _numbers(read_success(exchange)):
            if number in wanted:
                yield exchange, path, number


def _numbers(answer: Any) -> Iterator[tuple[str, float]]:
    for path, value in walk_fields(answer, depth=DEPTH):
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):
                yield path, float(value)


def _personal_data(exchanges: Iterable[NetworkBody]) -> Iterator[Clue]:
    for exchange in exchanges:
        body = exchange.response_body or ""
        if exchange.has_auth_header is not False or "@" not in body:
            continue
        addresses = set(_EMAIL.findall(body))
        if len(addresses) >= LEAST_ADDRESSES:
            where = f"{exchange.method} {path_of(exchange.url)}"
            yield Clue(
                f"{where} answered {len(addresses)} e-mail addresses to a request "
                "without credentials",
                f"personal data from {exchange.method} {path_template(exchange.url)}",
            )
