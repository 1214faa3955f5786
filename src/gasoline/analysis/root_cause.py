"""Why the page failed as it did: the answer that its code stumbled over, or what a server said."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from gasoline.analysis.abnormal import AbnormalEvent, words_of_server
from gasoline.analysis.answer_gaps import find_gap, find_missing
from gasoline.analysis.answers import KINDS_IN_WORDS
from gasoline.analysis.clues import Clue
from gasoline.analysis.endpoint import path_of
from gasoline.analysis.json_body import read_success
from gasoline.analysis.json_fields import walk_fields
from gasoline.analysis.read_of_nothing import ReadOfNothing, find_read_of_nothing
from gasoline.analysis.shape import kind_of
from gasoline.records import NetworkBody

# How long before an exception an answer may have arrived and still be what the code read.
RECENT_MS = 5000
# How long after a failed request the page still complains of it.
COMPLAINT_MS = 1000
NULLS_SHOWN = 3
DEPTH = 4
_UNFIT = re.compile(r"([\w$.\[\]]+?)(?:\.[\w$]+ is not a function| is not iterable)")
_WRONG_TYPE = re.compile(r"is not (a function|iterable|an object|defined)|properties of")
_WORD = re.compile(r"[A-Za-z_$][\w$]+")


def find_root_cause(
    primary: AbnormalEvent, exchanges: Sequence[NetworkBody], unlike: Iterable[Clue]
) -> str | None:
    """What led to this event, if the evidence says so; unlike are answers of another form."""
    if primary.exchange:
        words = words_of_server(primary.exchange)
        return f'the server said "{words}"' if words else primary.exchange.error
    recent = [exchange for exchange in exchanges if _answered_before(primary, exchange, RECENT_MS)]
    read = find_read_of_nothing(primary.title, primary.context.place)
    if read and (found := next(_what_was_lacking(read, recent), None)):
        return found
    if _WRONG_TYPE.search(primary.title):
        return next(_what_was_read(primary.title, read, recent, unlike), None)
    failed = [
        exchange
        for exchange in recent
        if (exchange.failed or exchange.error) and _answered_before(primary, exchange, COMPLAINT_MS)
    ]
    return _refusal(failed[-1]) if failed else None


def find_nulls(exchange: NetworkBody) -> list[str]:
    """The paths of null fields in a successful JSON answer."""
    fields = _fields(exchange)
    return list(islice((path for path, value in fields if path and value is None), NULLS_SHOWN))


def _what_was_lacking(read: ReadOfNothing, recent: Sequence[NetworkBody]) -> Iterator[str]:
    """The latest answer without what the line that threw reads; null tells more than absence."""
    answers = [(exchange, read_success(exchange)) for exchange in reversed(recent)]
    for find in (find_gap, find_missing):
        for exchange, answer in answers:
            if answer is not None and (gap := find(answer, read)):
                yield f"{_answered(exchange)} {gap}"


def _what_was_read(
    message: str,
    read: ReadOfNothing | None,
    recent: Sequence[NetworkBody],
    unlike: Iterable[Clue],
) -> Iterator[str]:
    words = set(_WORD.findall(message))
    suspects = [clue for clue in unlike if clue.exchange in recent]
    suspects.sort(key=lambda clue: not words & set(_WORD.findall(clue.text)))
    yield from (clue.text for clue in suspects)
    # JSON knows no undefined: whatever was, no null of an answer made it so.
    if read and read.nothing == "null":
        for exchange in reversed(recent):
            if nulls := find_nulls(exchange):
                yield f"{_answered(exchange)} with null in {', '.join(nulls)}"
    if unfit := _UNFIT.search(message):
        for exchange in reversed(recent):
            for path, value in _fields(exchange):
                if _ends_in(unfit[1], path):
                    kind = KINDS_IN_WORDS[kind_of(value)]
                    yield f"{_answered(exchange)} with {kind} in {path}"
    for exchange in reversed(recent):
        if exchange.failed:
            yield _refusal(exchange)


def _answered_before(primary: AbnormalEvent, exchange: NetworkBody, within_ms: float) -> bool:
    return 0 <= primary.at_ms - exchange.at_ms - (exchange.duration or 0) <= within_ms


def _answered(exchange: NetworkBody) -> str:
    return f"{exchange.method} {path_of(exchange.url)} had answered {exchange.status}"


def _refusal(exchange: NetworkBody) -> str:
    said = words_of_server(exchange) or exchange.error
    return _answered(exchange) + (f': "{said}"' if said else "")


def _fields(exchange: NetworkBody) -> Iterator[tuple[str, Any]]:
    return walk_fields(read_success(exchange), depth=DEPTH, elements=1)


def _ends_in(name: str, path: str) -> bool:
    """Whether a path ends as the name does: `items[].price.amount` for `price.amount`."""
    _, _, last = name.rpartition(".")
    return (
        path == name
        or path.endswith(f".{name}")
        or ("." in name and f".{path}".endswith(f".{last}"))
    )
