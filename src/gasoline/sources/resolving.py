"""Frames of a stack into snippets of source, within the limits of what an entry may carry."""

import time
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct

from gasoline.analysis.error_summary import summarise_error
from gasoline.analysis.snippet import cut_snippet
from gasoline.analysis.stack import Frame, frames_of
from gasoline.records import LogEntry
from gasoline.records.ai_context import SourceSnippet
from gasoline.redaction import may_contain_secret, redact_record
from gasoline.sources.cache import Looked, Missing

FRAMES = 3
SNIPPETS_BYTES = 10 * 1024
EXTRACTION_S = 0.05
CONTENT_FREE = "its source map holds no sources"


class Resolved(Struct, frozen=True):
    """What the stack's innermost calls look like in the source, or why they cannot be seen."""

    snippets: list[SourceSnippet] = []
    note: str = ""


def telling_frames(entry: LogEntry) -> list[Frame]:
    """The calls worth a look: the innermost."""
    return frames_of(entry)[:FRAMES]


def resolve(frames: Iterable[Frame], find: Callable[[str], Looked]) -> Resolved:
    """The snippets of frames, innermost first; the note is about the first that has none."""
    snippets: list[SourceSnippet] = []
    notes: list[str] = []
    deadline = time.perf_counter() + EXTRACTION_S
    for frame in frames:
        found = _resolve_frame(frame, find(frame.url))
        if isinstance(found, SourceSnippet):
            snippets.append(found)
        else:
            notes.append(f"No source for {frame.url[:200]}: {found.reason}.")
        if time.perf_counter() > deadline:
            break
    return Resolved(list(_within_limit(snippets)), "" if snippets or not notes else notes[0])


def _resolve_frame(frame: Frame, looked: Looked) -> SourceSnippet | Missing:
    if isinstance(looked, Missing):
        return looked
    original = looked.find(frame.line, max(1, frame.column))
    if original is None:
        return Missing("its source map says nothing about this place")
    if original.zipped_text is None:
        return Missing(CONTENT_FREE)
    return cut_snippet(original) or Missing("its source map points beyond the end of a file")


def _within_limit(snippets: list[SourceSnippet]) -> Iterator[SourceSnippet]:
    room = SNIPPETS_BYTES
    for snippet in snippets:
        room -= len(msgspec.json.encode(snippet)) + 1
        if room < 0:
            return
        yield snippet


def explain(entry: LogEntry, resolved: Resolved) -> dict[str, object]:
    """The parts of an error's context that the server knows: the code, and the sentence."""
    known = entry.ai_context
    snippets = known.source_snippets or _without_secrets(resolved.snippets)
    context = msgspec.structs.replace(known, source_snippets=snippets)
    parts: dict[str, object] = {}
    if snippets and not known.source_snippets:
        parts["sourceSnippets"] = snippets
    elif resolved.note and not snippets:
        parts["sourceNote"] = resolved.note
    parts["summary"] = summarise_error(entry, context)
    return parts


def _without_secrets(snippets: list[SourceSnippet]) -> list[SourceSnippet]:
    wire = msgspec.json.encode(snippets)
    if not may_contain_secret(wire):
        return snippets
    redacted = redact_record({"snippets": msgspec.json.decode(wire)})
    return msgspec.convert(redacted["snippets"], list[SourceSnippet])
