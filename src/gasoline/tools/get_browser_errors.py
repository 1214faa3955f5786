"""What broke in the page, and why."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated

import msgspec
from msgspec import Meta

from gasoline.analysis.error_groups import ErrorGroup, group_errors, order_by_cause
from gasoline.analysis.root_cause import RECENT_MS
from gasoline.generation.error_view import Past, conclude, show_briefly, show_fully
from gasoline.records import EnhancedAction, LogEntry, NetworkBody, Record
from gasoline.records.console import ERROR
from gasoline.records.health import CaptureHealth
from gasoline.tools.context import Answer, Context, Excerpt
from gasoline.tools.listing import (
    BYTES_PER_TOKEN,
    FRAME_TOKENS,
    Limit,
    Selection,
    fit,
    list_records,
)
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of, path_of, short

SUMMARY_CHARS = 300


class Params(Selection, frozen=True, kw_only=True):
    """Which errors."""

    limit: Annotated[Limit, Meta(description="Newest n errors")] = 50
    raw: Annotated[bool, Meta(description="Entries as captured, oldest first")] = False


class BrowserErrors(Answer, frozen=True, kw_only=True):
    """Errors, the likely cause of the latest failure first."""

    errors: list[Excerpt]


@tool()
async def get_browser_errors(context: Context, params: Params) -> BrowserErrors:
    """Explain what broke, likely cause first: source, component, state, what led to it."""
    await context.explainer.settle(_newest(context, params))
    found = list_records(
        context, LogEntry, _whole(params), limit=0, label=lambda label: label == ERROR
    )
    entries = [context.explainer.complete(entry) for entry in reversed(found.matched)]
    before = params.before_seq
    # Repeats of an error that an earlier page showed belong to that page.
    groups = [one for one in group_errors(entries) if before is None or one.entry.seq < before]
    actions = context.store.oldest(EnhancedAction, test_id=params.test_id)
    past = Past(
        list(_exchanges_before(groups, context, params.test_id)),
        [kept.read(EnhancedAction) for kept in actions],
    )
    summary = _summarise(order_by_cause(groups), past, found.examined)
    capture = context.health(LogEntry, test_id=params.test_id)
    if params.raw:
        return _answer_raw(context, params, summary, capture)
    newest = groups[: -params.limit - 1 : -1]
    shown = newest[: len(fit(list(map(show_briefly, newest)), max_tokens=params.max_tokens))]
    omitted = len(groups) - len(shown)
    return BrowserErrors(
        summary=summary,
        capture=capture,
        omitted=omitted,
        next=_how_to_see_the_rest(shown) if omitted else None,
        errors=_show(order_by_cause(shown), past, max_tokens=params.max_tokens),
    )


def _newest(context: Context, params: Params) -> list[int]:
    newest = context.store.newest(LogEntry, test_id=params.test_id)
    errors = (kept.seq for kept in newest if kept.label == ERROR)
    return list(islice(errors, params.limit))


def _whole(params: Params) -> Params:
    return msgspec.structs.replace(params, before_seq=None)


class _Timing(Record, frozen=True):
    """As much of an exchange as tells when it was answered."""

    duration: float | None = None


def _exchanges_before(
    groups: Sequence[ErrorGroup], context: Context, test_id: str | None
) -> Iterator[NetworkBody]:
    """Those whose answers an error may have come from: bodies are long, and most are older."""
    errors_ms = sorted(group.event.at_ms for group in groups)
    for kept in context.store.oldest(NetworkBody, test_id=test_id):
        told = kept.read(_Timing)
        answered_ms = told.at_ms + (told.duration or 0)
        following = bisect_left(errors_ms, answered_ms)
        if following < len(errors_ms) and errors_ms[following] - answered_ms <= RECENT_MS:
            yield kept.read(NetworkBody)


def _answer_raw(
    context: Context, params: Params, summary: str, capture: CaptureHealth
) -> BrowserErrors:
    listing = list_records(
        context, LogEntry, params, limit=params.limit, label=lambda label: label == ERROR
    )
    return BrowserErrors(
        summary=summary,
        capture=capture,
        omitted=listing.omitted,
        next=listing.next,
        errors=listing.shown[::-1],
    )


def _show(ordered: Sequence[ErrorGroup], past: Past, *, max_tokens: int) -> list[Excerpt]:
    """Everything about the first, and about the others as long as there is room; noise is brief."""
    views = [show_briefly(group) for group in ordered]
    room = (max_tokens - FRAME_TOKENS) * BYTES_PER_TOKEN - sum(map(_size, views))
    for number, group in enumerate(ordered):
        full = views[number] if group.noise else show_fully(group, past)
        room -= _size(full) - _size(views[number])
        if room < 0:
            break
        views[number] = full
    return views


def _size(view: Excerpt) -> int:
    return len(msgspec.json.encode(view)) + 1


def _how_to_see_the_rest(shown: Sequence[ErrorGroup]) -> str:
    if not shown:
        return "Raise max_tokens: not even one error fits."
    oldest = min(group.entry.seq for group in shown)
    return f"before_seq={oldest} pages back; a higher limit or max_tokens shows more."


def _summarise(ordered: Sequence[ErrorGroup], past: Past, examined: int) -> str:
    if not ordered:
        return f"No browser errors found among {count_of(examined, 'log entry', 'log entries')}."
    total, first = sum(group.count for group in ordered), ordered[0]
    noise = ", likely noise" if first.noise else ""
    where = f" on {path_of(first.entry.url)}" if first.entry.url else ""
    look = f" of {len(ordered)} kinds{noise}; first the one{where}" if len(ordered) > 1 else where
    said = short(conclude(first, past), SUMMARY_CHARS)
    return f"{count_of(total, 'browser error')}{look or noise}: {said}"
