"""What differs between two sessions: errors, endpoints, load times, connections."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gasoline.analysis.load_change import MetricChange, compare_loads
from gasoline.analysis.session_state import (
    SeenConnection,
    SeenError,
    SeenRequest,
    SessionState,
)
from gasoline.analysis.shape import Shape
from gasoline.analysis.shape_notation import write_shape

# A duration that changed by this much, in milliseconds and as a share, is worth a line.
NOTABLE_MS = 100
NOTABLE_SHARE = 0.5


class CountedError(Struct, frozen=True, kw_only=True):
    """An error as a diff shows it."""

    type: str
    message: str
    count: int


class ErrorDiff(Struct, frozen=True, kw_only=True):
    """Errors by where they occurred."""

    new: list[CountedError]
    resolved: list[CountedError]
    unchanged: list[CountedError]


class EndpointCall(Struct, frozen=True, kw_only=True):
    """An endpoint and the status that stands for it."""

    method: str
    url: str
    status: int


class StatusChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An endpoint that answers otherwise, or much faster or slower."""

    method: str
    url: str
    before: int
    after: int
    duration_change: str | None = None


class ShapeChange(Struct, frozen=True, kw_only=True):
    """An endpoint whose answers look different."""

    method: str
    url: str
    before: Any
    after: Any


class NetworkDiff(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Endpoints by method and path."""

    new_errors: list[EndpointCall]
    status_changes: list[StatusChange]
    new_endpoints: list[EndpointCall]
    missing_endpoints: list[EndpointCall]
    shape_changes: list[ShapeChange] = []


class ConnectionChange(Struct, frozen=True, kw_only=True):
    """A WebSocket whose state differs; `absent` is one that was not there."""

    url: str
    before: str
    after: str


class SocketDiff(Struct, frozen=True, kw_only=True):
    """WebSockets by address."""

    connection_changes: list[ConnectionChange]


class SessionDiff(Struct, frozen=True, kw_only=True):
    """Everything that differs."""

    errors: ErrorDiff
    network: NetworkDiff
    performance: dict[str, MetricChange]
    websockets: SocketDiff


class Verdict(Struct, frozen=True, kw_only=True):
    """The difference in one word and four numbers."""

    verdict: str
    new_errors: int
    resolved_errors: int
    performance_regressions: int
    new_network_errors: int


def compare_sessions(a: SessionState, b: SessionState) -> SessionDiff:
    """Compare two states of the session."""
    return SessionDiff(
        errors=diff_errors(a.errors, b.errors),
        network=diff_network(a, b),
        performance=_diff_loads(a, b),
        websockets=diff_connections(a.connections, b.connections),
    )


def judge(diff: SessionDiff) -> Verdict:
    """improved, regressed, mixed or unchanged."""
    new = sum(error.count for error in diff.errors.new)
    resolved = sum(error.count for error in diff.errors.resolved)
    regressions = sum(change.regression for change in diff.performance.values())
    failing = len(diff.network.new_errors)
    if resolved and (new or regressions):
        verdict = "mixed"
    elif new or regressions or failing:
        verdict = "regressed"
    else:
        verdict = "improved" if resolved else "unchanged"
    return Verdict(
        verdict=verdict,
        new_errors=new,
        resolved_errors=resolved,
        performance_regressions=regressions,
        new_network_errors=failing,
    )


def diff_errors(a: Sequence[SeenError], b: Sequence[SeenError]) -> ErrorDiff:
    """Errors of b that a has not, those that are gone, and those of both as b counts them."""
    return ErrorDiff(
        new=[_counted(error) for error in b if not _has(a, error)],
        resolved=[_counted(error) for error in a if not _has(b, error)],
        unchanged=[_counted(error) for error in b if _has(a, error)],
    )


def diff_network(a: SessionState, b: SessionState) -> NetworkDiff:
    """The last call stands for an endpoint; one failing call makes it an erroring one."""
    before, after = _last_calls(a.requests), _last_calls(b.requests)
    failing_before = {request.key for request in a.failed_requests}
    failing_after = {request.key: request for request in b.failed_requests}
    return NetworkDiff(
        new_errors=[
            _call(request) for key, request in failing_after.items() if key not in failing_before
        ],
        status_changes=list(_status_changes(before, after)),
        new_endpoints=[_call(after[key]) for key in after if key not in before],
        missing_endpoints=[_call(before[key]) for key in before if key not in after],
        shape_changes=list(_shape_changes(a.requests, b.requests)),
    )


def diff_connections(a: Sequence[SeenConnection], b: Sequence[SeenConnection]) -> SocketDiff:
    """WebSockets that opened, closed or went."""
    before = {connection.url: connection.state for connection in a}
    after = {connection.url: connection.state for connection in b}
    return SocketDiff(
        connection_changes=[
            ConnectionChange(
                url=url, before=before.get(url, "absent"), after=after.get(url, "absent")
            )
            for url in {**before, **after}
            if before.get(url) != after.get(url)
        ]
    )


def _diff_loads(a: SessionState, b: SessionState) -> dict[str, MetricChange]:
    """The page that b loaded last and a loaded too."""
    earlier = {load.url: load for load in a.loads}
    for load in reversed(b.loads):
        if known := earlier.get(load.url):
            return compare_loads(known, load)
    return {}


def _has(errors: Sequence[SeenError], wanted: SeenError) -> bool:
    return any(wanted.is_same_as(error) for error in errors)


def _counted(error: SeenError) -> CountedError:
    return CountedError(type="console", message=error.message, count=error.count)


def _last_calls(requests: Sequence[SeenRequest]) -> dict[str, SeenRequest]:
    return {request.key: request for request in requests}


def _call(request: SeenRequest) -> EndpointCall:
    return EndpointCall(method=request.method, url=request.url, status=request.status)


def _status_changes(
    before: Mapping[str, SeenRequest], after: Mapping[str, SeenRequest]
) -> Iterator[StatusChange]:
    for key, request in before.items():
        now = after.get(key)
        if now is None:
            continue
        slower = _duration_change(request.duration, now.duration)
        if request.status != now.status or slower:
            yield StatusChange(
                method=request.method,
                url=now.url,
                before=request.status,
                after=now.status,
                duration_change=slower,
            )


def _duration_change(before: float | None, after: float | None) -> str | None:
    if before is None or after is None:
        return None
    change = after - before
    if abs(change) < NOTABLE_MS or abs(change) < NOTABLE_SHARE * before:
        return None
    return f"{change:+.0f}ms"


def _shape_changes(
    before: Sequence[SeenRequest], after: Sequence[SeenRequest]
) -> Iterator[ShapeChange]:
    earlier = {request.key: request.shape for request in before if request.shape}
    for request in after:
        known = earlier.get(request.key)
        if request.shape and known and not _is_alike(known, request.shape):
            yield ShapeChange(
                method=request.method,
                url=request.url,
                before=write_shape(known),
                after=write_shape(request.shape),
            )


def _is_alike(a: Shape, b: Shape) -> bool:
    return bool(write_shape(a) == write_shape(b))
