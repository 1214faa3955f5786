"""Errors explained after they were taken in: nobody who sends one waits for its source."""

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Any

import msgspec

from gasoline.analysis.stack import Frame
from gasoline.ingest import Ingest
from gasoline.ingest.about_errors import UploadedSource
from gasoline.records import LogEntry
from gasoline.sources.cache import Looked, Missing
from gasoline.sources.origin import origin_of, vouched_origin
from gasoline.sources.parts import SourceParts
from gasoline.sources.resolving import explain, resolve, telling_frames
from gasoline.sources.sources import Sources

logger = logging.getLogger(__name__)

EXPLAIN_S = 3.0
# Resting so much longer than working leaves the server to its senders.
REST, SHORTEST_REST_S, LONGEST_REST_S = 20, 0.005, 0.1
WAITING_ERRORS = 500
WAITING_SOURCE_BYTES = 16 * 1024 * 1024
REMEMBERED = 500
SCRIPTS_LACKED = 50
# A page whose user wants no source in errors says so by an empty list of it.
NO_SOURCE_WANTED = b'"sourceSnippets":[]'
TOO_SLOW = Missing(f"it took over {EXPLAIN_S:.0f} s to look it up")


class Explainer:
    """Takes note of errors as they come, and finds out about them one after the other."""

    def __init__(self, ingest: Ingest, sources: Sources) -> None:
        self._ingest = ingest
        self._sources = sources
        # Ordered, because the first of a dict takes long to find where others before it are gone.
        self._waiting: OrderedDict[int, str | None] = OrderedDict()
        self._uploads: deque[tuple[UploadedSource, str | None]] = deque()
        self._upload_bytes = 0
        self._parts = SourceParts()
        self._awake = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        # What was found; for entries without an id, which stay as they were sent, only here.
        self._found: OrderedDict[int, dict[str, Any]] = OrderedDict()
        # Errors that lacked the map of a script: their page may yet send it.
        self._lacking: OrderedDict[str, dict[int, str | None]] = OrderedDict()

    def note_errors(self, seqs: Iterable[int], origin: str | None) -> None:
        """Find out about errors as soon as there is time."""
        self._waiting.update(dict.fromkeys(seqs, origin))
        _drop_oldest(self._waiting, WAITING_ERRORS)
        self._awake.set()

    def take_source(self, source: UploadedSource, origin: str | None) -> None:
        """Decode a map as soon as it is complete and there is time."""
        whole = self._parts.add(source, origin)
        if whole is None:
            return
        source, size_bytes = whole, len(whole.map or "")
        if self._upload_bytes + size_bytes > WAITING_SOURCE_BYTES:
            source, size_bytes = UploadedSource(source.url, None, "too many maps at once"), 0
        self._upload_bytes += size_bytes
        self._uploads.append((source, origin_of(origin or "")))
        self._awake.set()

    async def run(self) -> None:
        """Explain what comes, for as long as the server runs."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            try:
                await self._catch_up()
            except Exception:
                # One error that cannot be explained must not end the server.
                logger.exception("An error could not be explained; please report this")

    async def settle(self, seqs: Iterable[int] | None = None) -> None:
        """Find out now, about these errors or all that wait, but let nobody wait for long."""
        wanted = list(self._waiting if seqs is None else seqs)
        try:
            async with asyncio.timeout(EXPLAIN_S):
                # Also waits for what the background is at.
                await self._take_uploads()
                for seq in wanted:
                    await self._explain_waiting(seq)
        except TimeoutError:
            return

    def complete(self, entry: LogEntry) -> LogEntry:
        """The entry with what was found about it, where that is not a part of it."""
        found = self._found.get(entry.seq)
        if not found:
            return entry
        context = msgspec.to_builtins(entry.ai_context) | msgspec.to_builtins(found)
        completed = msgspec.convert(context, type(entry.ai_context))
        return msgspec.structs.replace(entry, ai_context=completed)

    def _is_worth_explaining(self, entry: LogEntry) -> bool:
        """Whether more can be said than the entry does: by a stack, or by what the page sent."""
        context = entry.ai_context
        if context.summary and entry.seq not in self._found:
            # Its client explained it: that stays as it is.
            return False
        known = bool(context.component_ancestry or context.state_snapshot)
        return known or bool(telling_frames(entry)) or entry.type == "exception"

    async def _catch_up(self) -> None:
        while self._uploads or self._waiting:
            await self._take_uploads()
            if self._waiting:
                started_s = time.monotonic()
                # The newest first: in a flood the oldest are gone before their turn comes.
                await self._explain_waiting(next(reversed(self._waiting)))
                # A flood of errors must not take the server from those who send them; whoever
                # asks about one does not wait for its turn.
                rest_s = max(SHORTEST_REST_S, REST * (time.monotonic() - started_s))
                await asyncio.sleep(min(LONGEST_REST_S, rest_s))

    async def _take_uploads(self) -> None:
        async with self._one_at_a_time:
            while self._uploads:
                await self._take_upload(*self._uploads.popleft())

    async def _take_upload(self, source: UploadedSource, origin: str | None) -> None:
        if source.map is None:
            self._sources.note_missing(source.url, source.error or "", origin)
            return
        self._upload_bytes -= len(source.map)
        await self._sources.take(source.url, source.map, origin)
        for seq, noted in self._lacking.pop(source.url, {}).items():
            self.note_errors([seq], noted)

    async def _explain_waiting(self, seq: int) -> None:
        async with self._one_at_a_time:
            if seq not in self._waiting:
                return
            origin = self._waiting.pop(seq)
            try:
                await self._explain(seq, origin)
            except asyncio.CancelledError:
                self._waiting.setdefault(seq, origin)
                raise

    async def _explain(self, seq: int, origin: str | None) -> None:
        kept = self._ingest.store.find_log(seq)
        if kept is None:
            return
        entry = kept.read(LogEntry)
        if not self._is_worth_explaining(entry):
            return
        has_source = NO_SOURCE_WANTED in kept.wire or entry.ai_context.source_snippets
        frames = [] if has_source else telling_frames(entry)
        looked = await self._look(frames, vouched_origin(origin, entry.url))
        found = await self._sources.in_thread(
            lambda: resolve(frames, lambda url: looked.get(url, TOO_SLOW))
        )
        for url, result in looked.items():
            if isinstance(result, Missing):
                self._lacking.setdefault(url, {})[seq] = origin
        _drop_oldest(self._lacking, SCRIPTS_LACKED)
        parts = explain(entry, found)
        self._found[seq] = {} if entry.error_id else parts
        _drop_oldest(self._found, REMEMBERED)
        if entry.error_id:
            self._ingest.explain(entry.error_id, parts)

    async def _look(self, frames: list[Frame], origin: str | None) -> dict[str, Looked]:
        looked: dict[str, Looked] = {}
        try:
            async with asyncio.timeout(EXPLAIN_S):
                for frame in frames:
                    if frame.url not in looked:
                        looked[frame.url] = await self._sources.find(frame.url, origin)
        except TimeoutError:
            pass
        return looked


def _drop_oldest(known: OrderedDict[Any, Any], count: int) -> None:
    while len(known) > count:
        known.popitem(last=False)
