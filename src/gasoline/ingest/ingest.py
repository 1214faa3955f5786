"""The only way into the store: read, redact, tag, record, keep, acknowledge."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from gasoline.ingest.batch import Batch, read_batch, read_single_snapshot
from gasoline.ingest.entry import Setting, Unusable, read_entry
from gasoline.ingest.json_text import read_object
from gasoline.ingest.picture import develop
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
from gasoline.ingest.streams import PERFORMANCE_SNAPSHOTS, Stream
from gasoline.records import Screenshot
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
        # One after the other: a large picture takes a hundred times its size while it is read.
        self._darkroom = ThreadPoolExecutor(1, "pictures")

    def take(
        self, stream: Stream, body: bytes, *, peer: str = "", test_id: str | None = None
    ) -> Receipt:
        """Accept one batch; `test_id` is what the request said outside its body."""
        return self._accept(stream, read_batch(stream, body), body, peer=peer, test_id=test_id)

    def take_single_snapshot(
        self, body: bytes, *, peer: str = "", test_id: str | None = None
    ) -> Receipt:
        """Accept the one snapshot of the older performance route."""
        batch = read_single_snapshot(body)
        return self._accept(PERFORMANCE_SNAPSHOTS, batch, body, peer=peer, test_id=test_id)

    async def take_screenshot(self, body: bytes, *, test_id: str | None = None) -> TakenPicture:
        """Accept the picture of an upload."""
        return await self.take_picture(read_upload(read_object(body)), test_id=test_id)

    async def take_picture(self, upload: Upload, *, test_id: str | None = None) -> TakenPicture:
        """Accept one picture. The record file gets its description, not its bytes."""
        loop = asyncio.get_running_loop()
        developed = await loop.run_in_executor(self._darkroom, develop, upload.image)
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

    def _accept(
        self, stream: Stream, batch: Batch, body: bytes, *, peer: str, test_id: str | None
    ) -> Receipt:
        store, now_ms = self.store, self.store.now_ms()
        if batch.sender and batch.number and store.senders.has_seen(batch.sender, batch.number):
            return Receipt(
                received=len(batch.entries), rejected=0, ack=batch.number, duplicate=True
            )
        self._check_rate(stream, batch, peer, now_ms)
        test_id = self._usable_test_id(batch.test_id) or self._usable_test_id(test_id)
        setting = self._setting(stream, body, test_id, now_ms)
        entries, rejected, reason = _read_entries(batch, body, setting)
        if self.recorder and entries and batch.sender != DOCTOR:
            self._record(stream, batch, entries, test_id, now_ms)
        store.keep_all(entries, arrived_ms=now_ms)
        store.rejected += rejected
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
        return Receipt(received=len(entries), rejected=rejected, ack=batch.number, reason=reason)

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
        entries: list[Arrival],
        test_id: str | None,
        now_ms: float,
    ) -> None:
        assert self.recorder is not None  # noqa: S101  # the caller looked
        self.recorder.batch(
            stream.route,
            stream.list_name,
            [entry.wire for entry in entries],
            at_ms=now_ms,
            sender=batch.sender,
            number=batch.number,
            dropped=batch.dropped,
            test_id=test_id,
        )


def _read_entries(
    batch: Batch, body: bytes, setting: Setting
) -> tuple[list[Arrival], int, str | None]:
    """The usable entries, how many are not, and what is wrong with the first of those."""
    plain = read_plain_logs(batch.entries, body, setting)
    if plain is not None:
        return plain, 0, None
    entries: list[Arrival] = []
    rejected, reason = 0, None
    for wire in batch.entries:
        try:
            entries.append(read_entry(wire, setting))
        except Unusable as error:
            rejected += 1
            reason = reason or str(error)
    return entries, rejected, reason
