"""Errors of a finished run, explained from build folders: nobody serves its pages any more."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec

from gasoline.records import LogEntry
from gasoline.records.evidence import Evidence
from gasoline.sources.cache import Looked
from gasoline.sources.folders import BuildFolders
from gasoline.sources.resolving import explain, resolve, telling_frames
from gasoline.sources.sources import find_in_folders


def explain_evidence(evidence: Sequence[Evidence], folders: Sequence[Path]) -> list[Evidence]:
    """The evidence with the source of its errors, where a folder has the map."""
    named = BuildFolders(folders)
    find = cache(lambda script: find_in_folders(named, script))
    return [
        msgspec.structs.replace(one, logs=tuple(_explain(entry, find) for entry in one.logs))
        for one in evidence
    ]


def _explain(entry: LogEntry, find: Callable[[str], Looked]) -> LogEntry:
    known = entry.ai_context
    frames = telling_frames(entry)
    if not entry.is_error or known.source_snippets or not frames:
        return entry
    resolved = resolve(frames, find)
    if not resolved.snippets:
        return entry
    parts = msgspec.to_builtins(explain(entry, resolved))
    context = msgspec.convert(msgspec.to_builtins(known) | parts, type(known))
    return msgspec.structs.replace(entry, ai_context=context)
