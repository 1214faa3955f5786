"""Record files read back: what a server that is gone had accepted."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from gasoline.ingest.boundary import mark_boundary, read_boundary
from gasoline.ingest.ingest import Ingest
from gasoline.ingest.rate import RateLimit
from gasoline.ingest.recorder import RecordLine, read_record_file
from gasoline.ingest.refusal import RefusedBatch
from gasoline.ingest.streams import STREAMS
from gasoline.store import Limits, RingLimit, Store

# A finished run is read once and reported: what it recorded should all be there.
_ROOMY = RingLimit(1_000_000, 2**31)
_LIMITS = Limits(
    logs=_ROOMY,
    websocket_events=_ROOMY,
    network_bodies=_ROOMY,
    enhanced_actions=_ROOMY,
    performance_snapshots=_ROOMY,
    dom_snapshots=_ROOMY,
    memory_bytes=2**31,
    archived_tests=1_000_000,
    archived_test_bytes=2**20,
    senders=1_000_000,
)
_STREAM_OF = {stream.route: stream for stream in STREAMS}


class _RecordedTime:
    """The clock of the run: it stands where its last line was written."""

    def __init__(self) -> None:
        self.now_ms = 0.0

    def __call__(self) -> float:
        return self.now_ms


def replay(paths: Iterable[Path]) -> tuple[Store, list[str]]:
    """Put recorded batches into a new store; notes say what could not be read.

    Several files are the shards of one run. A clearing is not repeated: it made room for the next
    test, while a report wants them all.
    """
    clock = _RecordedTime()
    store = Store(_LIMITS, clock=clock)
    ingest = Ingest(store, rate_limit=RateLimit(events_per_second=2**31))
    notes: list[str] = []
    for path in paths:
        for line in read_record_file(path):
            if isinstance(line, str):
                notes.append(line)
                continue
            clock.now_ms = line.at
            try:
                _repeat(ingest, line, shard=str(path))
            except RefusedBatch as refused:
                notes.append(f"{path}: a line was refused: {refused.reason}")
    for test in list(store.active_tests):
        # The recording ends before this test does: its runner or its server died.
        store.end_test(test.run.test_id, status="interrupted")
    return store, notes


def _repeat(ingest: Ingest, line: RecordLine, *, shard: str) -> None:
    content: dict[str, Any] = line.content
    if line.route == "/test-boundary":
        limit = ingest.store.limits.test_id_chars
        boundary = read_boundary(msgspec.json.encode(content), test_id_chars=limit)
        mark_boundary(ingest.store, boundary)
    elif stream := _STREAM_OF.get(line.route):
        if "sender" in content:
            # Numbers are unique per server; two shards may have had a sender of the same name.
            content = {**content, "sender": f"{content['sender']} {shard}"[-200:]}
        ingest.take(stream, msgspec.json.encode(content))
