"""The only way into the store: read, redact, tag, record, keep, acknowledge."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.ingest.about_errors import (
    MARK,
    ErrorContext,
    ErrorContexts,
    Explaining,
    UploadedSource,
    read_about_errors,
    write_context,
)
from gasoline.ingest.batch import Batch, read_batch, read_single_snapshot
from gasoline.ingest.boundary import BOUNDARY_ROUTE, Boundary, Marked, mark_boundary, read_boundary
from gasoline.ingest.darkroom import develop_sparingly
from gasoline.ingest.entry import Setting, Unusable, read_entry
from gasoline.ingest.json_text import read_object
from gasoline.ingest.plain_logs import read_plain_logs
from gasoline.ingest.rate import RateLimit
from gasoline.ingest.recorder import Recorder
from gasoline.ingest.refusal import TOO_MANY, RefusedBatch
from gasoline.ingest.screenshot import (
    TakenPicture,
    Upload,
    describe_picture,
    name_screenshot,
    read_upload,
    write_picture,
)
from gasoline.ingest.streams import LOGS, PERFORMANCE_SNAPSHOTS, Stream
from gasoline.records import LogEntry, Screenshot
from gasoline.records.console import ERROR
from gasoline.redaction import may_contain_secret
from gasoline.store import Arrival, Store

# The sender name of `gasoline doctor`: its probe must not make a blind server look healthy.
DOCTOR = "gasoline-doctor"


class Receipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a sender is told about its batch."""

    received: int
    rejected: int | None = None
    ack: int | None = None
    reason: str | None = None
    duplicate: bool = False


class Ingest:
    """Takes batches from anyone who may write."""

    def __init__(
        self,
        store: Store,
        *,
        rate_limit: RateLimit | None = None,
        recorder: Recorder | None = None,
        picture_folder: Path | None = None,
    ) -> None:
        self.store = store
        self.rate_limit = rate_limit or RateLimit()
        self.recorder = recorder
        self._picture_folder = picture_folder
        # Whoever finds out more about errors, once there is somebody.
        self.explaining: Explaining | None = None
        self._contexts = ErrorContexts(store)
        # One after the other: a large picture takes a hundred times its size while it is read.
        self._darkroom = ThreadPoolExecutor(1, "pictures")

    def take(
        self,
        stream: Stream,
        body: bytes,
        *,
        peer: str = "",
        test_id: str | None = None,
        origin: str | None = None,
    ) -> Receipt:
        """Accept one batch; `test_id` and the page's origin are what the request said itself."""
        batch = read_batch(stream, body)
        return self._accept(stream, batch, body, peer=peer, test_id=test_id, origin=origin)

    def take_single_snapshot(
        self, body: bytes, *, peer: str = "", test_id: str | None = None
    ) -> Receipt:
        """Accept the one snapshot of the older performance route."""
        batch = read_single_snapshot(body)
        return self._accept(PERFORMANCE_SNAPSHOTS, batch, body, peer=peer, test_id=test_id)

    def mark(self, body: bytes) -> tuple[Boundary, Marked]:
        """Open or close the attempt that a runner names."""
        boundary = read_boundary(body, test_id_chars=self.store.limits.test_id_chars)
        marked = mark_boundary(self.store, boundary)
        if self.recorder:
            told = msgspec.to_builtins(boundary)
            self.recorder.note(BOUNDARY_ROUTE, told, at_ms=self.store.now_ms())
        return boundary, marked

    async def take_screenshot(self, body: bytes, *, test_id: str | None = None) -> TakenPicture:
        """Accept the picture of an upload."""
        return await self.take_picture(read_upload(read_object(body)), test_id=test_id)

    async def take_picture(self, upload: Upload, *, test_id: str | None = None) -> TakenPicture:
        """Accept one picture. The record file gets its description, not its bytes."""
        loop = asyncio.get_running_loop()
        developed = await loop.run_in_executor(self._darkroom, develop_sparingly, upload.image)
        now_ms = self.store.now_ms()
        filename = name_screenshot(upload, developed.sent_format, now_ms)
        notes = (upload.note, *developed.notes) if upload.note else developed.notes
        wire = describe_picture(upload, developed, filename=filename, notes=notes, at_ms=now_ms)
        test_id = self._usable_test_id(upload.test_id) or self._usable_test_id(test_id)
        if self.recorder:
            self.recorder.batch(
                "/screenshots", "screenshots", [wire], at_ms=now_ms, test_id=test_id
            )
        kept = self.store.keep(
            Screenshot, wire, arrived_ms=now_ms, test_id=test_id, image=developed.pixels
        )
        self.store.heard_from_browser = True
        folder = self._picture_folder
        path = write_picture(folder, filename, upload.image) if folder else ""
        return TakenPicture(kept.read(Screenshot), path, developed)

    def explain(self, error_id: str, context: Any) -> None:
        """Add to an error what the server found out about it."""
        found = write_context(error_id, context)
        if self.recorder:
            now_ms = self.store.now_ms()
            self.recorder.batch(LOGS.route, LOGS.list_name, [found.wire], at_ms=now_ms)
        self._contexts.add(found)

    def _accept(
        self,
        stream: Stream,
        batch: Batch,
        body: bytes,
        *,
        peer: str,
        test_id: str | None,
        origin: str | None = None,
    ) -> Receipt:
        store, now_ms = self.store, self.store.now_ms()
        if batch.sender and batch.number and store.senders.has_seen(batch.sender, batch.number):
            return Receipt(
                received=len(batch.entries), rejected=0, ack=batch.number, duplicate=True
            )
        self._check_rate(stream, batch, peer, now_ms)
        test_id = self._usable_test_id(batch.test_id) or self._usable_test_id(test_id)
        setting = self._setting(stream, body, test_id, now_ms)
        read = _read_entries(batch, body, setting)
        entries = read.entries
        if self.recorder and (entries or read.contexts) and batch.sender != DOCTOR:
            wires = [entry.wire for entry in entries] + [one.wire for one in read.contexts]
            self._record(stream, batch, wires, test_id, now_ms)
        first = store.last_seq + 1
        store.keep_all(entries, arrived_ms=now_ms)
        if stream is LOGS:
            self._follow_errors(first, read, origin)
        store.rejected += read.rejected
        if batch.sender != DOCTOR and entries:
            store.heard_from_browser = True
        if batch.sender and batch.sender != DOCTOR:
            store.senders.note_batch(
                batch.sender,
                batch=batch.number,
                dropped=batch.dropped,
                test_id=test_id,
                now_ms=now_ms,
            )
        received = len(entries) + len(read.contexts) + len(read.sources)
        return Receipt(
            received=received, rejected=read.rejected, ack=batch.number, reason=read.reason
        )

    def _follow_errors(self, first: int, read: "_Read", origin: str | None) -> None:
        """Join contexts to their errors, and tell who finds out more of what there is."""
        joined = [self._contexts.add(context) for context in read.contexts]
        joined += self._contexts.catch_up(read.entries)
        if self.explaining is None:
            return
        for source in read.sources:
            self.explaining.take_source(source, origin)
        news = [
            seq
            for seq, entry in enumerate(read.entries, start=first)
            if entry.label == ERROR and entry.kind is LogEntry
        ]
        news += [seq for seq in joined if seq is not None]
        if news:
            self.explaining.note_errors(dict.fromkeys(news), origin)

    def _check_rate(self, stream: Stream, batch: Batch, peer: str, now_ms: float) -> None:
        if not stream.rate_limited:
            return
        if not self.rate_limit.admits(batch.sender or peer, len(batch.entries), now_ms=now_ms):
            raise RefusedBatch("rate_limited", TOO_MANY)

    def _usable_test_id(self, test_id: str | None) -> str | None:
        return test_id if test_id and len(test_id) <= self.store.limits.test_id_chars else None

    def _setting(self, stream: Stream, body: bytes, test_id: str | None, now_ms: float) -> Setting:
        limits = self.store.limits
        return Setting(
            stream=stream,
            dirty=may_contain_secret(body),
            arrived_ms=now_ms,
            test_id=test_id,
            entry_bytes=limits.entry_bytes,
            test_id_chars=limits.test_id_chars,
        )

    def _record(
        self,
        stream: Stream,
        batch: Batch,
        wires: list[bytes],
        test_id: str | None,
        now_ms: float,
    ) -> None:
        assert self.recorder is not None  # noqa: S101  # the caller looked
        self.recorder.batch(
            stream.route,
            stream.list_name,
            wires,
            at_ms=now_ms,
            sender=batch.sender,
            number=batch.number,
            dropped=batch.dropped,
            test_id=test_id,
        )


class _Read(Struct):
    """The usable entries, what is about errors, how many are neither, and why the first is not."""

    entries: list[Arrival] = []
    contexts: list[ErrorContext] = []
    sources: list[UploadedSource] = []
    rejected: int = 0
    reason: str | None = None


def _read_entries(batch: Batch, body: bytes, setting: Setting) -> _Read:
    plain = read_plain_logs(batch.entries, body, setting)
    if plain is not None:
        return _Read(plain)
    read = _Read()
    may_be_about_errors = setting.stream is LOGS and MARK in body
    for wire in batch.entries:
        try:
            about_errors = read_about_errors(wire) if may_be_about_errors else None
            if isinstance(about_errors, ErrorContext):
                read.contexts.append(about_errors)
            elif about_errors:
                read.sources.append(about_errors)
            else:
                read.entries.append(read_entry(wire, setting))
        except Unusable as error:
            read.rejected += 1
            read.reason = read.reason or str(error)
    return read
