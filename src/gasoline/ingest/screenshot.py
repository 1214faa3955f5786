"""A picture sent as a data URL: read, named, described."""

import base64
import binascii
import logging
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from gasoline.ingest.picture import Developed
from gasoline.ingest.refusal import RefusedBatch
from gasoline.records import Screenshot
from gasoline.redaction import redact_record

logger = logging.getLogger(__name__)

PART_CHARS = 50
TEXT_CHARS = 2000
TRIGGERS = ("navigation", "action", "error", "explicit")
SUFFIXES = {"JPEG": ".jpg", "PNG": ".png", "WEBP": ".webp", "GIF": ".gif"}


class Upload(Struct, frozen=True, kw_only=True):
    """A picture as it was sent, and why it was taken."""

    image: bytes
    url: str = ""
    trigger: str = "explicit"
    error_id: str = ""
    error_type: str = ""
    action_id: str = ""
    note: str = ""
    tab_id: int | None = None
    test_id: str | None = None


class TakenPicture(Struct, frozen=True):
    """What became of a picture: its record, its file if there is one, and itself."""

    record: Screenshot
    path: str
    developed: Developed


def read_upload(sent: dict[str, Any]) -> Upload:
    """Read an upload in either spelling, or say what is wrong with it."""
    data_url = _text(sent, "dataUrl", "data_url")
    if not data_url:
        raise RefusedBatch("Missing dataUrl")
    error_id = _text(sent, "errorId", "error_id", "correlation_id")
    trigger = _text(sent, "trigger")
    tab_id = sent.get("tabId", sent.get("tab_id"))
    return Upload(
        image=_decode(data_url),
        url=_text(sent, "url")[:TEXT_CHARS],
        trigger=trigger if trigger in TRIGGERS else ("error" if error_id else "explicit"),
        error_id=error_id[:TEXT_CHARS],
        error_type=_text(sent, "errorType", "error_type"),
        action_id=_text(sent, "actionId", "action_id")[:TEXT_CHARS],
        note=_text(sent, "note")[:TEXT_CHARS],
        tab_id=tab_id if isinstance(tab_id, int) else None,
        test_id=_text(sent, "test_id", "testId") or None,
    )


def _decode(data_url: str) -> bytes:
    head, comma, encoded = data_url.partition(",")
    if not comma:
        raise RefusedBatch("Invalid dataUrl format")
    media_type = head.removeprefix("data:").partition(";")[0]
    if media_type and not media_type.startswith("image/"):
        raise RefusedBatch(f"dataUrl holds {media_type[:PART_CHARS]}, not a picture")
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise RefusedBatch("Invalid base64 data") from error


def describe_picture(
    upload: Upload, developed: Developed, *, filename: str, notes: tuple[str, ...], at_ms: float
) -> bytes:
    """The record of a picture without its pixels, redacted, as JSON."""
    described = {
        "ts": at_ms,
        "url": upload.url,
        "filename": filename,
        "mediaType": "image/png",
        "sizeBytes": len(developed.pixels.png),
        "width": developed.width,
        "height": developed.height,
        "trigger": upload.trigger,
        "relatedErrorId": upload.error_id or None,
        "actionId": upload.action_id or None,
        **({"tabId": upload.tab_id} if upload.tab_id is not None else {}),
        **({"notes": notes} if notes else {}),
    }
    return msgspec.json.encode(redact_record(described))


def name_screenshot(upload: Upload, sent_format: str, at_ms: float) -> str:
    """`<host>-<YYYYMMDD-HHMMSS>-<type>-<id>.jpg`, safe as a file name whatever the page sent."""
    try:
        # Without user and password, which a URL may name before the host.
        host = urlsplit(upload.url).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    parts = (
        host or "unknown",
        f"{moment:%Y%m%d-%H%M%S}",
        upload.error_type or "unknown",
        upload.error_id or "manual",
    )
    safe = (re.sub(r"[^A-Za-z0-9._-]", "_", part)[:PART_CHARS] for part in parts)
    return "-".join(safe) + SUFFIXES.get(sent_format, ".png")


def write_picture(folder: Path, filename: str, image: bytes) -> str:
    """Write a picture as it was sent: where it is now, or nothing if that could not be done."""
    target, taken = folder / filename, 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while target.exists():
            taken += 1
            target = folder / f"{Path(filename).stem}-{taken}{Path(filename).suffix}"
        target.write_bytes(image)
    except OSError as error:
        # The picture is not lost: memory still has it.
        logger.warning("Cannot write %s: %s", target, error)
        return ""
    return str(target)


def _text(sent: dict[str, Any], *names: str) -> str:
    return next((sent[name] for name in names if isinstance(sent.get(name), str)), "")
