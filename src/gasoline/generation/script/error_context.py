"""The error that a reproduction is about."""

from collections.abc import Sequence

from msgspec import Struct

from gasoline.analysis.abnormal import noise_of, said_by
from gasoline.analysis.session import Session
from gasoline.analysis.stack import frames_of
from gasoline.records import LogEntry


class ErrorContext(Struct, frozen=True, omit_defaults=True):
    """What it said, and where in the source it was thrown, as far as that is known."""

    message: str
    file: str | None = None
    line: int | None = None


def find_error(sessions: Sequence[Session], *, about: str | None = None) -> ErrorContext | None:
    """Where the latest error was, or the latest that contains a text."""
    entry = find_error_entry([e for session in sessions for e in session.errors], about=about)
    return locate_error(entry) if entry else None


def find_error_entry(entries: Sequence[LogEntry], *, about: str | None = None) -> LogEntry | None:
    """The latest error, or the latest that contains a text; known noise for want of others."""
    told = [entry for entry in entries if entry.is_error and (not about or about in said_by(entry))]
    telling = [entry for entry in told if not noise_of(entry)]
    return max(telling or told, key=lambda entry: entry.at_ms, default=None)


def locate_error(entry: LogEntry) -> ErrorContext:
    """The place in the original source, else in what the browser ran."""
    message = said_by(entry)
    snippets = entry.ai_context.source_snippets
    if snippets:
        return ErrorContext(message, snippets[0].file, snippets[0].line)
    if entry.filename:
        return ErrorContext(message, entry.filename, entry.lineno)
    frames = frames_of(entry)
    return ErrorContext(message, frames[0].url, frames[0].line) if frames else ErrorContext(message)
