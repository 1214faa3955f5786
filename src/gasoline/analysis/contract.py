"""What an endpoint keeps to: the shape of its answers, learned one response at a time."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gasoline.analysis.abnormal import words_of_server
from gasoline.analysis.breach import Breach, find_breaches
from gasoline.analysis.endpoint import PATH_CHARS, Endpoint
from gasoline.analysis.graphql import has_graphql_errors
from gasoline.analysis.json_body import UnreadableBodyError, read_answer, read_request
from gasoline.analysis.shape import Shape, merge_shapes, shape_of
from gasoline.analysis.shape_differences import find_differences
from gasoline.records import NetworkBody
from gasoline.records.network import FAILURE_STATUS

RESPONSES_TO_ESTABLISH = 3
STATUSES_REMEMBERED = 20
ERROR_BODY_CHARS = 200
# Requests are described, not judged: the first ones are enough for that.
REQUESTS_LEARNED = 20
MOST_BREACHES = 10
SUCCESS, REDIRECT = 200, 300


class Outcome(Struct, frozen=True):
    """How one call ended. GraphQL fails with a status of 200."""

    at_ms: float
    status: int
    failed: bool

    @property
    def succeeded(self) -> bool:
        return not self.failed and SUCCESS <= self.status < REDIRECT


class Contract(Struct, frozen=True, kw_only=True):
    """Everything remembered of one endpoint: shapes and counts, never its data."""

    endpoint: Endpoint
    url: str
    first_ms: float
    last_ms: float
    calls: int = 0
    statuses: dict[int, int] = {}
    history: tuple[Outcome, ...] = ()
    shape: Shape | None = None
    request_shape: Shape | None = None
    matching: int = 0
    settled_for: int = 0
    surprises: int = 0
    breaches: tuple[Breach, ...] = ()
    breaches_left_out: int = 0
    last_error: Any = None

    @property
    def is_established(self) -> bool:
        """Three alike will do; an endpoint that keeps surprising is given longer to settle."""
        return self.settled_for >= RESPONSES_TO_ESTABLISH * max(1, self.surprises)


def learn(contract: Contract, exchange: NetworkBody) -> Contract:
    """Take in one more exchange with the contract's endpoint."""
    answer, is_readable = _answer_of(exchange)
    failed = exchange.status >= FAILURE_STATUS or (is_readable and has_graphql_errors(answer))
    outcome = Outcome(exchange.at_ms, exchange.status, failed)
    known = _note_call(contract, exchange, outcome)
    if failed:
        return replace(known, last_error=_quote_error(exchange, answer))
    if not outcome.succeeded:
        return known
    if not is_readable:
        return replace(known, matching=known.matching + 1)
    return _learn_answer(known, answer, exchange.at_ms)


def _answer_of(exchange: NetworkBody) -> tuple[Any, bool]:
    try:
        return read_answer(exchange), True
    except UnreadableBodyError:
        return None, False


def _note_call(contract: Contract, exchange: NetworkBody, outcome: Outcome) -> Contract:
    status = outcome.status
    return replace(
        contract,
        url=exchange.url.partition("?")[0][:PATH_CHARS],
        last_ms=exchange.at_ms,
        calls=contract.calls + 1,
        statuses={**contract.statuses, status: contract.statuses.get(status, 0) + 1},
        history=(*contract.history, outcome)[-STATUSES_REMEMBERED:],
        request_shape=_learn_request(contract, exchange),
    )


def _learn_request(contract: Contract, exchange: NetworkBody) -> Shape | None:
    known = contract.request_shape
    if contract.calls >= REQUESTS_LEARNED:
        return known
    try:
        sent = shape_of(read_request(exchange))
    except UnreadableBodyError:
        return known
    return merge_shapes([known, sent]) if known else sent


def _learn_answer(contract: Contract, answer: Any, at_ms: float) -> Contract:
    actual = shape_of(answer)
    if contract.shape is None:
        return replace(contract, shape=actual, matching=contract.matching + 1, settled_for=1)
    found = list(find_differences(contract.shape, actual))
    merged = merge_shapes([contract.shape, actual])
    if contract.is_established and found:
        broken = find_breaches(
            found, answer, (contract.shape, actual), after=contract.matching, at_ms=at_ms
        )
        only_new = all(difference.departure == "new" for difference in found)
        # Else the shape stays: a lasting break would soon pass for normal.
        return _note_breaches(replace(contract, shape=merged) if only_new else contract, broken)
    return replace(
        contract,
        shape=merged,
        matching=contract.matching + 1,
        settled_for=1 if found else contract.settled_for + 1,
        surprises=contract.surprises + bool(found),
    )


def _note_breaches(contract: Contract, broken: Iterable[Breach]) -> Contract:
    breaches = {breach.key: breach for breach in contract.breaches}
    left_out = contract.breaches_left_out
    for breach in broken:
        known = breaches.get(breach.key)
        if known is None and len(breaches) >= MOST_BREACHES:
            left_out += 1
            continue
        breaches[breach.key] = known.again(breach) if known else breach
    return replace(contract, breaches=tuple(breaches.values()), breaches_left_out=left_out)


def _quote_error(exchange: NetworkBody, answer: Any) -> Any:
    """A short error as the server wrote it, the telling words of a long one."""
    body = exchange.response_body or ""
    if len(body) > ERROR_BODY_CHARS or exchange.response_truncated:
        return words_of_server(exchange)
    return answer if answer is not None else body or None
