"""Where a test starts and ends, as its runner says."""

from typing import Any

import msgspec
from msgspec import Struct

from gasoline.ingest.json_text import read_object
from gasoline.ingest.refusal import RefusedBatch
from gasoline.records import TestRun
from gasoline.redaction import redact_text
from gasoline.store import Store

BOUNDARY_ROUTE = "/test-boundary"
ACTIONS = ("start", "end")
LARGEST_ATTEMPT = 10_000
STATUS_CHARS = 40
MESSAGE_CHARS = 4096


class Boundary(Struct, frozen=True, kw_only=True):
    """The start of an attempt, or its end and outcome."""

    test_id: str
    action: str
    attempt: int | None = None
    status: str | None = None
    duration_ms: float | None = None
    message: str | None = None


def read_boundary(body: bytes, *, test_id_chars: int) -> Boundary:
    """Read a boundary; the first thing wrong with it is the reason of the refusal."""
    sent = read_object(body)
    test_id, action = sent.get("test_id", sent.get("testId")), sent.get("action")
    if not isinstance(test_id, str) or not test_id:
        raise RefusedBatch("test_id is required")
    if len(test_id) > test_id_chars:
        raise RefusedBatch(f"test_id is longer than {test_id_chars} characters")
    if action not in ACTIONS:
        raise RefusedBatch("action must be 'start' or 'end'")
    return Boundary(
        test_id=test_id,
        action=action,
        attempt=_read_attempt(sent.get("attempt")),
        status=_read_text(sent.get("status"), STATUS_CHARS),
        duration_ms=_read(sent.get("duration_ms", sent.get("durationMs")), float),
        message=_read_text(sent.get("message"), MESSAGE_CHARS),
    )


class Marked(Struct, frozen=True):
    """What a boundary did: the attempt it opened or closed, or why it changed nothing."""

    run: TestRun | None = None
    ignored: str | None = None


def mark_boundary(store: Store, boundary: Boundary) -> Marked:
    """Open or close the attempt that a boundary names."""
    if boundary.action == "start":
        return Marked(store.start_test(boundary.test_id, attempt=boundary.attempt))
    running = store.active_tests.get(boundary.test_id)
    ended = store.end_test(
        boundary.test_id,
        attempt=boundary.attempt,
        status=boundary.status,
        duration_ms=boundary.duration_ms,
        message=boundary.message,
    )
    if ended:
        return Marked(ended)
    if running is None:
        return Marked(ignored="no test of this test_id is running; its start was not marked")
    return Marked(
        ignored=f"attempt {boundary.attempt} is not running, attempt {running.run.attempt} is; "
        "only the end of that one ends it"
    )


def _read_attempt(value: Any) -> int | None:
    attempt: int | None = _read(value, int)
    return attempt if attempt is not None and 1 <= attempt <= LARGEST_ATTEMPT else None


def _read_text(value: Any, chars: int) -> str | None:
    text: str | None = _read(value, str)
    # Redacted whole, then cut: half a secret would no longer be recognised.
    return redact_text(text)[:chars] if text is not None else None


def _read(value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return None
