"""Whether a fix worked: what was wrong before, and what the same scenario shows now."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gasoline.analysis.session_state import SeenError, SeenRequest, SessionState
from gasoline.records import PerformanceSnapshot

MOST_FAILED_REQUESTS = 50
NOT_SEEN = "(not seen)"
NOTHING = "(none)"


class Change(Struct, frozen=True, kw_only=True):
    """One issue before and after: resolved, unchanged, changed or new."""

    type: str
    category: str
    before: str
    after: str


class Issues(Struct, frozen=True, kw_only=True):
    """How much was wrong on one side."""

    console_errors: int
    network_errors: int
    total_issues: int


class LoadTimeChange(Struct, frozen=True, kw_only=True):
    """How long the same page took to load."""

    load_time_before: str
    load_time_after: str
    change: str


class Verification(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict and everything it rests on."""

    verdict: str
    before: Issues
    after: Issues
    changes: list[Change] = []
    new_issues: list[Change] = []
    not_observed: list[str] = []
    performance_diff: LoadTimeChange | None = None
    set_aside: int = 0


def as_baseline(state: SessionState) -> SessionState:
    """What of a state is worth keeping until it is compared: what was wrong, and the loads."""
    failed = state.failed_requests[-MOST_FAILED_REQUESTS:]
    return replace(state, requests=tuple(failed), pages=frozenset(), warnings=())


def verify(before: SessionState, after: SessionState) -> Verification:
    """Compare a baseline with what was seen since; what was not exercised is never called fixed."""
    known_requests = before.failed_requests[-MOST_FAILED_REQUESTS:]
    failures = after.failed_requests[-MOST_FAILED_REQUESTS:]
    errors = [error for error in before.errors if _is_exercised(error, after)]
    called = {request.key for request in after.requests}
    requests = [request for request in known_requests if request.key in called]
    seen = (*after.errors, *after.earlier_errors)
    changes = [*_compare_errors(errors, seen), *_compare_requests(requests, after)]
    new = [
        *_new_errors(before.errors, after.errors),
        *_new_failures(known_requests, after),
    ]
    unexercised = [
        *(_count(error) for error in before.errors if error not in errors),
        *(str(request) for request in known_requests if request not in requests),
    ]
    return Verification(
        verdict=_judge(
            changes,
            new,
            comparable=sum(error.count for error in errors) + len(requests),
            remaining=after.error_count + len(failures),
            not_observed=list(dict.fromkeys(unexercised)),
            is_quiet=after.records == 0,
        ),
        before=_issues(before.error_count, len(known_requests)),
        after=_issues(after.error_count, len(failures)),
        changes=changes,
        new_issues=new,
        not_observed=list(dict.fromkeys(unexercised)),
        performance_diff=_compare_loads(before.loads, after.loads),
        set_aside=after.set_aside,
    )


def _judge(
    changes: Sequence[Change],
    new: Sequence[Change],
    *,
    comparable: int,
    remaining: int,
    not_observed: Sequence[str],
    is_quiet: bool,
) -> str:
    if is_quiet or (not_observed and not comparable):
        return "not_exercised"
    if not comparable and not remaining:
        return "no_issues_detected"
    resolved = any(change.type == "resolved" for change in changes)
    if remaining > comparable:
        return "regressed"
    if new:
        return "different_issue" if resolved else "regressed"
    if remaining == 0 and not not_observed:
        return "fixed"
    return "improved" if resolved or remaining < comparable else "unchanged"


def _is_exercised(error: SeenError, after: SessionState) -> bool:
    """Whether its page was open since; an error that names no page could be on any."""
    if any(error.is_same_as(seen) for seen in (*after.errors, *after.earlier_errors)):
        return True
    return error.page in after.pages if error.page else after.records > 0


def _compare_errors(before: Sequence[SeenError], after: Sequence[SeenError]) -> Iterator[Change]:
    for error in before:
        same = next((seen for seen in after if error.is_same_as(seen)), None)
        if same is None:
            yield _change("resolved", "console", _count(error), NOT_SEEN)
        else:
            kind = "unchanged" if same.count == error.count else "changed"
            yield _change(kind, "console", _count(error), _count(same))


def _new_errors(before: Sequence[SeenError], after: Sequence[SeenError]) -> Iterator[Change]:
    for error in after:
        if not any(error.is_same_as(known) for known in before):
            yield _change("new", "console", NOTHING, _count(error))


def _compare_requests(before: Sequence[SeenRequest], after: SessionState) -> Iterator[Change]:
    """Endpoint by endpoint: one failure since outweighs any success."""
    for request in {request.key: request for request in before}.values():
        calls = [call for call in after.requests if call.key == request.key]
        failures = [call for call in calls if call.failed]
        now = (failures or calls)[-1]
        same = now.status == request.status
        kind = "resolved" if not now.failed else "unchanged" if same else "changed"
        yield _change(kind, "network", str(request), str(now))


def _new_failures(before: Sequence[SeenRequest], after: SessionState) -> Iterator[Change]:
    known = {request.key for request in before}
    for key, request in {request.key: request for request in after.failed_requests}.items():
        if key not in known:
            yield _change("new", "network", NOTHING, str(request))


def _compare_loads(
    before: Sequence[PerformanceSnapshot], after: Sequence[PerformanceSnapshot]
) -> LoadTimeChange | None:
    """The page loaded last that both sides have loaded."""
    earlier = {load.url: load.timing.load for load in before}
    for load in reversed(after):
        was, now = earlier.get(load.url), load.timing.load
        if was and now is not None:
            return LoadTimeChange(
                load_time_before=f"{was:.0f}ms",
                load_time_after=f"{now:.0f}ms",
                change=f"{(now - was) / was:+.0%}",
            )
    return None


def _issues(console_errors: int, network_errors: int) -> Issues:
    return Issues(
        console_errors=console_errors,
        network_errors=network_errors,
        total_issues=console_errors + network_errors,
    )


def _change(kind: str, category: str, before: str, after: str) -> Change:
    return Change(type=kind, category=category, before=before, after=after)


def _count(error: SeenError) -> str:
    return f"{error.message} (x{error.count})" if error.count > 1 else error.message
