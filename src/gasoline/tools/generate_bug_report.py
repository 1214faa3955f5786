"""A bug report that can be pasted into an issue."""

from typing import Annotated

from msgspec import Meta

from gasoline.analysis.session import Session, build_sessions
from gasoline.generation.bug_report import MOST_CHARS, Facts, write_bug_report
from gasoline.generation.script.error_context import find_error_entry, locate_error
from gasoline.generation.script.header import write_header
from gasoline.generation.script.planning import Options
from gasoline.generation.script.reproduction import write_reproduction
from gasoline.records import LogEntry
from gasoline.records.health import CaptureHealth
from gasoline.tools.context import Answer, Context
from gasoline.tools.generated_file import hand_over
from gasoline.tools.recorded import (
    Inline,
    Scope,
    cut_to_scope,
    judge_recording,
    missing_requests,
    nothing_recorded,
    read_recording,
    thumbnails_of,
)
from gasoline.tools.registry import tool

# The characters of a report may take four bytes each.
MOST_BYTES = 4 * MOST_CHARS


class Params(Scope, frozen=True, kw_only=True):
    """Which part of the session, and what only a person knows."""

    title: str | None = None
    expected: Annotated[str | None, Meta(description="What should have happened")] = None
    error_message: Annotated[str | None, Meta(description="The error it is about")] = None
    inline: Inline = False


class BugReport(Answer, frozen=True, kw_only=True):
    """Where a report lies that is too long for an answer, and how it begins."""

    path: str
    size_bytes: int
    first_lines: list[str]


@tool()
def generate_bug_report(context: Context, params: Params) -> Answer | str:
    """Write a Markdown bug report: steps with screenshots, error, requests, script."""
    recording = cut_to_scope(read_recording(context, test_id=params.test_id), params)
    capture = judge_recording(context, test_id=params.test_id)
    sessions = build_sessions(recording)
    error = find_error_entry(recording.logs, about=params.error_message)
    if not sessions and error is None:
        return nothing_recorded(capture, recording)
    report = write_bug_report(
        Facts(
            sessions=tuple(sessions),
            error=error,
            place=locate_error(error) if error else None,
            script=_script(context, params, sessions, error, capture),
            capture=capture,
            observed_ms=error.at_ms if error else recording.actions[-1].at_ms,
            expected=params.expected,
            title=params.title,
            user_agent=context.store.user_agent,
            thumbnails=thumbnails_of(context, test_id=params.test_id),
        )
    )
    file = hand_over(
        report,
        name="bug-report.md",
        folder=context.generated,
        inline_bytes=MOST_BYTES if params.inline else None,
    )
    if file.path is None or file.first_lines is None:
        return report
    return BugReport(
        summary=f"A bug report of {len(recording.actions)} actions, written to a file.",
        capture=capture,
        path=file.path,
        size_bytes=file.size_bytes,
        first_lines=file.first_lines,
        next="path has the whole report; inline=true gives it here.",
    )


def _script(
    context: Context,
    params: Params,
    sessions: list[Session],
    error: LogEntry | None,
    capture: CaptureHealth,
) -> str | None:
    if not sessions:
        return None
    missing = missing_requests(context, test_id=params.test_id)
    return write_reproduction(
        sessions,
        Options(),
        language="playwright",
        header=write_header(sessions, capture, missing_requests=missing),
        error=locate_error(error) if error else None,
    ).script
