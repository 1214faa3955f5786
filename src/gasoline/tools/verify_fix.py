"""Did the change help? The same scenario, before and after."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from gasoline.analysis.session_state import SeenError, SeenRequest, SessionState
from gasoline.analysis.verification import (
    MOST_FAILED_REQUESTS,
    Change,
    Verification,
    as_baseline,
    verify,
)
from gasoline.records.time import format_time
from gasoline.store import sessions
from gasoline.store.sessions import NoSuchSessionError, TooManySessionsError, Watch
from gasoline.tools.context import Answer, Context
from gasoline.tools.listing import fit
from gasoline.tools.registry import ToolError, tool
from gasoline.tools.session import current_state, gone_since, health_since
from gasoline.tools.wording import count_of, short

MESSAGE = "Monitoring started. Ask the user to reproduce the scenario."
# Lists share what an answer may hold.
SHARE_TOKENS = 1400


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a verification."""

    action: Annotated[
        Literal["start", "watch", "compare", "status", "cancel"],
        Meta(description="start before the change, watch after it, then compare"),
    ]
    session_id: Annotated[str | None, Meta(description="From start; for all other actions")] = None
    label: Annotated[str, Meta(max_length=200)] = ""
    url_filter: Annotated[str | None, Meta(description="Only if the URL contains this")] = None


class Baseline(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was wrong when the session began."""

    captured_at: str
    console_errors: int
    network_errors: int
    error_details: list[dict[str, Any]]
    set_aside: int = 0


class Session(Answer, frozen=True, kw_only=True):
    """Where a session stands."""

    session_id: str
    status: str
    label: str = ""
    message: str | None = None
    baseline: Baseline | None = None
    created_at: str | None = None
    watch_started_at: str | None = None
    url_filter: str | None = None
    page_url: str | None = None
    result: Verification | None = None


@tool(read_only=False)
def verify_fix(context: Context, params: Params) -> Session:
    """Tell whether a code change fixed what was broken, and what else changed."""
    if params.action == "start":
        return _start(context, params)
    session = _find(context, params.session_id)
    if params.action == "watch":
        return _watch(context, session)
    if params.action == "compare":
        return _compare(context, session)
    if params.action == "cancel":
        context.store.verifications.remove(session.id)
        session.status = "cancelled"
    return _describe(context, session)


def _start(context: Context, params: Params) -> Session:
    state = current_state(context.store, url_filter=params.url_filter)
    try:
        session = context.store.verifications.start(
            as_baseline(state), label=params.label, url_filter=params.url_filter
        )
    except TooManySessionsError as error:
        running = ", ".join(error.args[0])
        raise ToolError(
            f"{sessions.MOST_VERIFICATIONS} sessions are running ({running}). "
            "Compare or cancel one, then start again."
        ) from error
    baseline, omitted = _describe_baseline(state)
    return Session(
        summary=(
            f"Baseline taken: {_what_is_broken(state, baseline)}. "
            "Change the code, call watch, have the scenario repeated, then compare."
        ),
        capture=health_since(context.store, None),
        omitted=omitted,
        session_id=session.id,
        status=session.status,
        label=session.label,
        baseline=baseline,
    )


def _watch(context: Context, session: sessions.Verification[SessionState]) -> Session:
    store = context.store
    session.watch = Watch(store.now_ms(), store.last_seq, dict(store.arrived))
    session.status = "watching"
    return Session(
        summary=f"{MESSAGE} Then call compare.",
        capture=health_since(store, session.watch),
        session_id=session.id,
        status=session.status,
        label=session.label,
        message=MESSAGE,
    )


def _compare(context: Context, session: sessions.Verification[SessionState]) -> Session:
    watch = session.watch
    if watch is None:
        raise ToolError(
            f"{session.id} is not watching yet. Call watch, have the scenario repeated, "
            "then compare."
        )
    after = current_state(
        context.store, url_filter=session.url_filter, after_seq=watch.after_seq, earlier=True
    )
    result = verify(session.baseline, after)
    shown = _fit(result)
    session.status = "compared"
    return Session(
        summary=_conclude(result, after) + _admit(gone_since(context.store, watch)),
        capture=health_since(context.store, watch),
        omitted=_listed(result) - _listed(shown),
        session_id=session.id,
        status=session.status,
        label=session.label,
        result=shown,
    )


def _describe(context: Context, session: sessions.Verification[SessionState]) -> Session:
    watch = session.watch
    baseline, omitted = _describe_baseline(session.baseline)
    return Session(
        summary=f"{session.id} is {session.status.replace('_', ' ')}.",
        capture=health_since(context.store, watch),
        omitted=omitted,
        session_id=session.id,
        status=session.status,
        label=session.label,
        baseline=baseline,
        created_at=format_time(session.created_ms),
        watch_started_at=format_time(watch.started_ms) if watch else None,
        url_filter=session.url_filter,
        page_url=session.baseline.page_url or None,
    )


def _find(context: Context, session_id: str | None) -> sessions.Verification[SessionState]:
    if not session_id:
        raise ToolError("session_id is missing. Pass the one that start returned.")
    try:
        return context.store.verifications.get(session_id)
    except NoSuchSessionError as error:
        raise ToolError(
            f"There is no session {short(session_id)}: sessions end 30 minutes after start, on "
            "cancel, with the server, and once compared when another needs their place. Start a "
            "new one while the fault is still there."
        ) from error


def _describe_baseline(state: SessionState) -> tuple[Baseline, int]:
    """The baseline, and how many of its details there is no room for."""
    failed = state.failed_requests[-MOST_FAILED_REQUESTS:]
    details = [
        *(_describe_error(error) for error in state.errors),
        *(_describe_request(request) for request in failed),
    ]
    shown = fit(details, max_tokens=2 * SHARE_TOKENS)
    baseline = Baseline(
        captured_at=format_time(state.captured_ms),
        console_errors=state.error_count,
        network_errors=len(failed),
        error_details=shown,
        set_aside=state.set_aside,
    )
    return baseline, len(details) - len(shown)


def _what_is_broken(state: SessionState, baseline: Baseline) -> str:
    if state.url_filter and not state.records:
        return f"nothing captured so far matches {short(state.url_filter)}"
    return count_of(baseline.console_errors + baseline.network_errors, "issue")


def _fit(result: Verification) -> Verification:
    """What is still wrong first, as much as an answer holds."""
    changes = sorted(result.changes, key=lambda change: change.type == "resolved")
    return replace(
        result,
        changes=fit(changes, max_tokens=SHARE_TOKENS),
        new_issues=fit(result.new_issues, max_tokens=SHARE_TOKENS),
        not_observed=fit(result.not_observed, max_tokens=SHARE_TOKENS),
    )


def _listed(result: Verification) -> int:
    return len(result.changes) + len(result.new_issues) + len(result.not_observed)


def _describe_error(error: SeenError) -> dict[str, Any]:
    return {"type": "console", "message": error.message, "count": error.count}


def _describe_request(request: SeenRequest) -> dict[str, Any]:
    return {
        "type": "network",
        "method": request.method,
        "url": request.url,
        "status": request.status,
    }


def _conclude(result: Verification, after: SessionState) -> str:
    """One sentence that can be quoted."""
    gone = [change.before for change in result.changes if change.type == "resolved"]
    left = [_say_what_is_left(change) for change in result.changes if change.type != "resolved"]
    new = [change.after for change in result.new_issues]
    unseen = result.not_observed
    said = {
        "not_exercised": _say_unexercised(unseen, new, after),
        "no_issues_detected": "No issues, neither before nor after.",
        "fixed": f"Fixed: {_name(gone)} no longer, and nothing new.",
        "improved": f"Improved: {_improvement(gone, left, unseen)}.",
        "different_issue": f"Different issue: {_name(gone)} no longer, but now {_name(new)}.",
        "regressed": f"Regressed: now {_name([*new, *left])}.",
        "unchanged": f"Unchanged: still {_name(left)}.",
    }[result.verdict]
    load = result.performance_diff
    took = (
        f" The page loads in {load.load_time_after}, before in {load.load_time_before} "
        f"({load.change})."
        if load
        else ""
    )
    return said + took


def _say_unexercised(unseen: list[str], new: list[str], after: SessionState) -> str:
    matching = f" that matches {short(after.url_filter)}" if after.url_filter else ""
    happened = (
        f"{count_of(after.records, 'record')} arrived since watch, but nothing that touches it"
        if after.records
        else f"nothing{matching} was seen since watch"
    )
    what = f" {_name(unseen)}:" if unseen else ""
    meanwhile = f" New meanwhile: {_name(new)}." if new else ""
    return (
        f"Not exercised:{what} {happened}.{meanwhile} "
        "Have the scenario repeated, then compare again."
    )


def _say_what_is_left(change: Change) -> str:
    """As it is now; a request that fails otherwise than before is not just still failing."""
    if change.category == "network" and change.type == "changed":
        return f"{change.after} (was {change.before.rpartition('→')[2].strip()})"
    return change.after


def _admit(gone: int) -> str:
    if not gone:
        return ""
    return (
        f" {count_of(gone, 'record')} since watch {'is' if gone == 1 else 'are'} gone, pushed out "
        "or cleared: repeat the scenario to be sure."
    )


def _improvement(gone: list[str], left: list[str], unseen: list[str]) -> str:
    parts = [
        f"{_name(gone)} no longer" if gone else "fewer errors",
        *([f"still {_name(left)}"] if left else []),
        *([f"not exercised: {_name(unseen)}"] if unseen else []),
    ]
    return "; ".join(parts)


def _name(issues: list[str]) -> str:
    if not issues:
        return "nothing"
    more = f" and {len(issues) - 1} more" if len(issues) > 1 else ""
    return f"{short(issues[0])}{more}"
