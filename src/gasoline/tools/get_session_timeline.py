"""What the user did and what came of it, in one order."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gasoline.analysis.timeline import KINDS, Counts, Entry, Timeline, build_timeline
from gasoline.records.health import CaptureHealth
from gasoline.tools.context import Context
from gasoline.tools.listing import MaxTokens, fit_excerpts
from gasoline.tools.recorded import Scope, cut_to_scope, judge_recording, read_recording
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

# The specified limit of one answer, and the room that its frame takes.
MOST_BYTES = 100_000 - 1_000

Kind = Annotated[str, Meta(extra_json_schema={"enum": list(KINDS)})]


class Params(Scope, frozen=True, kw_only=True):
    """Which part of the session."""

    include: Annotated[list[Kind] | None, Meta(description="All if left out")] = None
    max_tokens: MaxTokens = 4000


class Summary(Counts, frozen=True, kw_only=True):
    """The specified counts, and the same in a sentence."""

    text: str


class SessionTimeline(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Oldest first; what did not fit is the oldest."""

    summary: Summary
    capture: CaptureHealth
    timeline: list[Entry]
    truncated: bool = False
    omitted: int = 0
    next: str | None = None


@tool()
def get_session_timeline(context: Context, params: Params) -> SessionTimeline:
    """Show user actions, requests, errors, pages and screenshots merged in order.

    Use it to see what caused what.
    """
    recording = cut_to_scope(read_recording(context, test_id=params.test_id), params)
    timeline = build_timeline(recording, include=params.include or ())
    room = min(params.max_tokens, MOST_BYTES // 4)
    shown = fit_excerpts(reversed(timeline.entries), max_tokens=room)[::-1]
    omitted = timeline.left_out + len(timeline.entries) - len(shown)
    return SessionTimeline(
        summary=_summarise(timeline),
        capture=judge_recording(context, test_id=params.test_id),
        timeline=shown,
        truncated=omitted > 0,
        omitted=omitted,
        next=_next(timeline, omitted),
    )


def _summarise(timeline: Timeline) -> Summary:
    counts = timeline.counts
    text = (
        f"{count_of(counts.actions, 'action')}, "
        f"{count_of(counts.network_requests, 'request')}, "
        f"{count_of(counts.console_errors, 'console error')} in {counts.duration_ms / 1000:.1f} s."
    )
    return Summary(**msgspec.structs.asdict(counts), text=text)


def _next(timeline: Timeline, omitted: int) -> str | None:
    if not omitted:
        return None
    most = f", at most {len(timeline.entries)} entries" if timeline.left_out else ""
    return f"The oldest are left out. max_tokens shows more{most}; include or url narrow it down."
