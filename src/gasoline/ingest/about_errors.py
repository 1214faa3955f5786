"""What follows an error through the log queue: its context, and maps of the code that threw it.

Neither is a log entry. Context joins the entry it belongs to, whatever ring or archive holds that
by now; a map goes to whoever resolves stacks.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import msgspec
from msgspec import Raw, Struct

from gasoline.ingest.entry import CONTEXT_TYPE, SOURCE_TYPE, Unusable
from gasoline.records.console import ERROR
from gasoline.redaction import may_contain_secret, redact_record
from gasoline.store import Arrival, Store

MARK = b'"gasoline-'
ID_CHARS = 200
URL_CHARS = 4096
SOURCE_PARTS = 64
# Batches overtake each other when one is sent again: what comes before its error waits for it.
EARLY_CONTEXTS = 50
EARLY_BYTES = 64 * 1024
# Of its parts the page knows these; the sentence about them must then be made anew.
_FROM_PAGE = frozenset({"componentAncestry", "stateSnapshot"})


class ErrorContext(Struct, frozen=True):
    """What is known about the error of an id beyond its own entry."""

    error_id: str
    parts: dict[str, Raw]
    # As it goes into the record file.
    wire: bytes


class UploadedSource(Struct, frozen=True):
    """The source map of a script that only the page can reach, or a part, or why it has none."""

    url: str
    map: str | None = None
    error: str | None = None
    # A large map comes in parts, counted from 0.
    part: int = 0
    parts: int = 1


class Explaining(Protocol):
    """Whoever finds out more about errors."""

    def note_errors(self, seqs: Iterable[int], origin: str | None) -> None: ...

    def take_source(self, source: UploadedSource, origin: str | None) -> None: ...

    async def settle(self) -> None: ...


class _Sent(Struct, frozen=True):
    type: str
    error_id: Any = msgspec.field(default=None, name="_errorId")
    context: Raw = msgspec.field(default=Raw(), name="_aiContext")
    url: Any = None
    map: Any = None
    error: Any = None
    part: Any = 0
    parts: Any = 1


def read_about_errors(wire: bytes) -> ErrorContext | UploadedSource | None:
    """What an entry says about errors; None when it is an entry like any other."""
    if MARK not in wire:
        return None
    try:
        sent = msgspec.json.decode(wire, type=_Sent)
        if sent.type == SOURCE_TYPE:
            return _read_source(sent)
        return _read_context(wire, sent) if sent.type == CONTEXT_TYPE else None
    except (msgspec.DecodeError, RecursionError):
        return None


def _read_source(sent: _Sent) -> UploadedSource:
    told = [text for text in (sent.map, sent.error) if isinstance(text, str)]
    if not isinstance(sent.url, str) or not 0 < len(sent.url) <= URL_CHARS or not told:
        raise Unusable(f"{SOURCE_TYPE} needs url, and map or error, as text")
    if not _are_numbers(sent.part, sent.parts) or not 0 <= sent.part < sent.parts <= SOURCE_PARTS:
        raise Unusable(f"{SOURCE_TYPE} needs part, from 0, below parts, at most {SOURCE_PARTS}")
    return UploadedSource(
        sent.url,
        sent.map if isinstance(sent.map, str) else None,
        sent.error if isinstance(sent.error, str) else None,
        sent.part,
        sent.parts,
    )


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _read_context(wire: bytes, sent: _Sent) -> ErrorContext:
    error_id = sent.error_id
    if not isinstance(error_id, str) or not 0 < len(error_id) <= ID_CHARS:
        raise Unusable(f"{CONTEXT_TYPE} needs _errorId, a text of up to {ID_CHARS} characters")
    parts = _read_parts(sent.context)
    if parts is None:
        raise Unusable(f"{CONTEXT_TYPE} needs _aiContext, an object")
    if may_contain_secret(wire):
        wire = msgspec.json.encode(redact_record(msgspec.json.decode(wire)))
        parts = _read_parts(msgspec.json.decode(wire, type=_Sent).context) or {}
    return ErrorContext(error_id, parts, wire)


def _read_parts(context: Raw) -> dict[str, Raw] | None:
    try:
        return msgspec.json.decode(context, type=dict[str, Raw])
    except msgspec.DecodeError:
        return None


def write_context(error_id: str, context: Any) -> ErrorContext:
    """Context that the server found itself, in the form that pages send."""
    wire = msgspec.json.encode({"type": CONTEXT_TYPE, "_errorId": error_id, "_aiContext": context})
    return ErrorContext(error_id, _read_parts(Raw(msgspec.json.encode(context))) or {}, wire)


class ErrorContexts:
    """Joins contexts to the entries they belong to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._early: dict[str, ErrorContext] = {}

    def add(self, context: ErrorContext) -> int | None:
        """The number of the entry that has it now; None while its error has not arrived."""
        kept = self._store.find_error(context.error_id)
        if kept is None:
            self._wait(context)
            return None
        self._store.rewrite(kept, merge_context(kept.wire, context.parts))
        return kept.seq

    def catch_up(self, arrivals: list[Arrival]) -> Iterator[int]:
        """Join what came before its error, now that some errors have arrived."""
        if not self._early or all(arrival.label != ERROR for arrival in arrivals):
            return
        for context in list(self._early.values()):
            if self._store.find_error(context.error_id):
                del self._early[context.error_id]
                seq = self.add(context)
                if seq is not None:
                    yield seq

    def _wait(self, context: ErrorContext) -> None:
        if len(context.wire) > EARLY_BYTES:
            return
        self._early[context.error_id] = context
        while len(self._early) > EARLY_CONTEXTS:
            del self._early[next(iter(self._early))]


def merge_context(wire: bytes, parts: dict[str, Raw]) -> bytes:
    """The entry with parts of its context added; every other field stays the text it was."""
    entry = msgspec.json.decode(wire, type=dict[str, Raw])
    context = _read_parts(entry.get("_aiContext", Raw())) or {}
    if _FROM_PAGE & parts.keys():
        context.pop("summary", None)
    if "sourceSnippets" in parts:
        context.pop("sourceNote", None)
    entry["_aiContext"] = Raw(msgspec.json.encode(context | parts))
    entry["_enrichments"] = Raw(msgspec.json.encode(_with_context(entry.get("_enrichments"))))
    # Copied, because msgspec leaves up to half of the length unused behind what it encodes.
    return bytes(memoryview(msgspec.json.encode(entry)))


def _with_context(enrichments: Raw | None) -> list[Any]:
    try:
        known = msgspec.json.decode(enrichments or b"[]", type=list[Any])
    except msgspec.DecodeError:
        known = []
    return known if "aiContext" in known else [*known, "aiContext"]
