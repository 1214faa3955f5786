"""Two moments of the session, side by side."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from gasoline.analysis.capture_health import judge_capture
from gasoline.analysis.session_diff import SessionDiff, Verdict, compare_sessions, judge
from gasoline.analysis.session_state import SessionState, narrow
from gasoline.generation.untrusted import strip_invisible
from gasoline.records.time import format_time
from gasoline.store.sessions import NoSuchSessionError
from gasoline.tools.context import Answer, Context
from gasoline.tools.listing import fit
from gasoline.tools.registry import ToolError, tool
from gasoline.tools.session import current_state
from gasoline.tools.wording import count_of, short

CURRENT = "current"
NAME_CHARS = 50
# Each list of a diff may take this much.
SHARE_TOKENS = 700


class Params(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to do with which snapshot."""

    action: Literal["capture", "compare", "list", "delete"]
    name: Annotated[str | None, Meta(description="For capture and delete")] = None
    compare_a: Annotated[str | None, Meta(description="The earlier snapshot")] = None
    compare_b: Annotated[str | None, Meta(description="The later one, or current")] = None
    url_filter: Annotated[str | None, Meta(description="Only if the URL contains this")] = None


class Difference(Struct, frozen=True, kw_only=True):
    """The difference in a sentence, a word and four numbers."""

    text: str
    verdict: str
    new_errors: int
    resolved_errors: int
    performance_regressions: int
    new_network_errors: int


class Snapshots(Answer, frozen=True, kw_only=True):
    """What was done, and what came of it."""

    summary: str | Difference  # type: ignore[assignment]  # the specified object, where one is
    action: str
    name: str | None = None
    snapshot: dict[str, Any] | None = None
    snapshots: list[dict[str, Any]] | None = None
    a: str | None = None
    b: str | None = None
    diff: SessionDiff | None = None
    # How many records of each side were known noise.
    set_aside: dict[str, int] | None = None
    note: str | None = None


@tool(read_only=False)
def diff_sessions(context: Context, params: Params) -> Snapshots:
    """Keep named snapshots of the session and compare two of them, or one with now."""
    actions = {"capture": _capture, "compare": _compare, "list": _list, "delete": _delete}
    return actions[params.action](context, params)


def _capture(context: Context, params: Params) -> Snapshots:
    name = _check_name(params.name)
    state = current_state(context.store, url_filter=params.url_filter, shapes=True)
    # Which pages were used is for telling whether a scenario was repeated, which no diff asks.
    context.store.snapshots[name] = replace(state, pages=frozenset())
    return Snapshots(
        summary=f"Snapshot {name} taken: {_in_words(state)}.",
        capture=judge_capture(context.store.capture_facts()),
        action="captured",
        name=name,
        snapshot=_describe(state),
    )


def _compare(context: Context, params: Params) -> Snapshots:
    if not params.compare_a or not params.compare_b:
        raise ToolError("compare needs compare_a and compare_b: snapshot names, or current.")
    a, b = _both(context, params.compare_a, params.compare_b, params.url_filter)
    diff = compare_sessions(a, b)
    verdict = judge(diff)
    shown = _fit(diff)
    return Snapshots(
        summary=Difference(
            text=_conclude(verdict, diff, params.compare_a, params.compare_b), **asdict(verdict)
        ),
        capture=judge_capture(context.store.capture_facts()),
        omitted=_listed(diff) - _listed(shown),
        action="compared",
        a=params.compare_a,
        b=params.compare_b,
        diff=shown,
        set_aside={"a": a.set_aside, "b": b.set_aside} if a.set_aside or b.set_aside else None,
        note=_overlap(a, b, verdict),
    )


def _list(context: Context, _params: Params) -> Snapshots:
    listed = [
        {
            "name": name,
            "captured_at": format_time(state.captured_ms),
            "page_url": state.page_url,
            "error_count": state.error_count,
        }
        for name, state in context.store.snapshots.oldest_first()
    ]
    return Snapshots(
        summary=f"{count_of(len(listed), 'snapshot')} kept, each for two hours.",
        capture=judge_capture(context.store.capture_facts()),
        action="listed",
        snapshots=listed,
    )


def _delete(context: Context, params: Params) -> Snapshots:
    name = _check_name(params.name)
    try:
        del context.store.snapshots[name]
    except NoSuchSessionError as error:
        raise _missing(context, name) from error
    return Snapshots(
        summary=f"Snapshot {name} deleted.",
        capture=judge_capture(context.store.capture_facts()),
        action="deleted",
        name=name,
    )


def _check_name(name: str | None) -> str:
    if not name or not name.strip():
        raise ToolError("name is missing. Give the snapshot a name of 1 to 50 characters.")
    if name == CURRENT:
        raise ToolError("current is what is live now. Choose another name.")
    if len(name) > NAME_CHARS:
        raise ToolError(f"The name has {len(name)} characters. Use at most {NAME_CHARS}.")
    if strip_invisible(name) != name or not name.isprintable():
        raise ToolError("The name has invisible characters. Use letters that can be seen.")
    return name


def _both(
    context: Context, a: str, b: str, url_filter: str | None
) -> tuple[SessionState, SessionState]:
    """Both sides through one filter: the one asked for, else the one a snapshot was taken by."""
    known = {name: _find(context, name, url_filter) for name in (a, b) if name != CURRENT}
    filters = [url_filter, *(state.url_filter for state in known.values())]
    known[CURRENT] = current_state(
        context.store, url_filter=next(filter(None, filters), None), shapes=True
    )
    return known[a], known[b]


def _find(context: Context, name: str, url_filter: str | None) -> SessionState:
    try:
        state: SessionState = context.store.snapshots[name]
    except NoSuchSessionError as error:
        raise _missing(context, name) from error
    return narrow(state, url_filter) if url_filter else state


def _missing(context: Context, name: str) -> ToolError:
    known = ", ".join(name for name, _ in context.store.snapshots.oldest_first()) or "none"
    return ToolError(
        f"There is no snapshot {short(name)}; kept are: {known}. Snapshots last two hours, ten at "
        "a time, and end with the server. Capture a new one."
    )


def _describe(state: SessionState) -> dict[str, Any]:
    load = state.loads[-1] if state.loads else None
    return {
        "captured_at": format_time(state.captured_ms),
        "console_errors": state.error_count,
        "console_warnings": sum(warning.count for warning in state.warnings),
        "network_requests": len(state.requests),
        "network_errors": len(state.failed_requests),
        "websocket_connections": len(state.connections),
        "performance": {
            "load_time": load.timing.load,
            "request_count": load.network.request_count,
            "transfer_size": load.network.transfer_size,
        }
        if load
        else None,
        "unique_endpoints": len({request.key for request in state.requests}),
        "page_url": state.page_url,
        "set_aside": state.set_aside,
    }


def _in_words(state: SessionState) -> str:
    return (
        f"{count_of(state.error_count, 'error')}, "
        f"{count_of(len(state.requests), 'request')}, {len(state.failed_requests)} failed"
    )


def _conclude(verdict: Verdict, diff: SessionDiff, a: str, b: str) -> str:
    worse = [name for name, change in diff.performance.items() if change.regression]
    facts = [
        (verdict.new_errors, f"{count_of(verdict.new_errors, 'new error')}"),
        (verdict.resolved_errors, f"{count_of(verdict.resolved_errors, 'error')} resolved"),
        (verdict.new_network_errors, f"{count_of(verdict.new_network_errors, 'endpoint')} failing"),
        (len(worse), f"worse: {', '.join(worse)}"),
        (len(diff.network.shape_changes), "response shapes changed"),
    ]
    found = ", ".join(said for count, said in facts if count) or "no differences that matter"
    first = next(iter(diff.errors.new), None)
    quoted = f"; first: {short(first.message)}" if first else ""
    return f"{b} against {a}: {verdict.verdict} ({found}{quoted})."


def _overlap(a: SessionState, b: SessionState, verdict: Verdict) -> str | None:
    """A later snapshot of buffers that were never cleared holds the earlier one's errors too."""
    if a.error_count and a is not b and b.first_seq <= a.last_seq and not verdict.resolved_errors:
        return (
            "The later state still holds what the earlier one saw, so nothing can show as "
            "resolved: call clear_browser_logs before the second run."
        )
    return None


def _fit(diff: SessionDiff) -> SessionDiff:
    return replace(
        diff,
        errors=replace(diff.errors, **_fit_lists(diff.errors)),
        network=replace(diff.network, **_fit_lists(diff.network)),
        websockets=replace(diff.websockets, **_fit_lists(diff.websockets)),
    )


def _fit_lists(part: Struct) -> dict[str, list[Any]]:
    return {
        name: fit(getattr(part, name), max_tokens=SHARE_TOKENS) for name in part.__struct_fields__
    }


def _listed(diff: SessionDiff) -> int:
    return sum(
        len(getattr(part, name))
        for part in (diff.errors, diff.network, diff.websockets)
        for name in part.__struct_fields__
    )
