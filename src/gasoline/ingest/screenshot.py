"""A picture sent as a data URL, checked and named."""

import base64
import binascii
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from gasoline.ingest.json_text import read_object
from gasoline.ingest.refusal import RefusedBatch
from gasoline.redaction import redact_record

PART_CHARS = 50
DEFAULT_MEDIA_TYPE = "image/jpeg"


class Picture(Struct, frozen=True):
    """The bytes of an image, and the record that describes it, redacted, as JSON."""

    filename: str
    image: bytes
    wire: bytes
    test_id: str | None


def read_screenshot(body: bytes, *, arrived_ms: float) -> Picture:
    """Read an upload in either spelling, or say what is wrong with it."""
    sent = read_object(body)
    data_url = _text(sent, "dataUrl", "data_url")
    if not data_url:
        raise RefusedBatch("Missing dataUrl")
    head, comma, encoded = data_url.partition(",")
    if not comma:
        raise RefusedBatch("Invalid dataUrl format")
    try:
        image = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise RefusedBatch("Invalid base64 data") from error
    url, error_id = _text(sent, "url"), _text(sent, "errorId", "error_id", "correlation_id")
    error_type = _text(sent, "errorType", "error_type")
    filename = name_screenshot(url, error_type, error_id, arrived_ms)
    described = {
        "ts": arrived_ms,
        "url": url,
        "filename": filename,
        "mediaType": head.removeprefix("data:").partition(";")[0] or DEFAULT_MEDIA_TYPE,
        "sizeBytes": len(image),
        "trigger": _text(sent, "trigger") or ("error" if error_id else "explicit"),
        "relatedErrorId": error_id or None,
        "actionId": _text(sent, "actionId", "action_id") or None,
    }
    return Picture(
        filename,
        image,
        msgspec.json.encode(redact_record(described)),
        _text(sent, "test_id", "testId") or None,
    )


def name_screenshot(url: str, error_type: str, error_id: str, at_ms: float) -> str:
    """`<host>-<YYYYMMDD-HHMMSS>-<type>-<id>.jpg`, safe as a file name whatever the page sent."""
    try:
        # Without user and password, which a URL may name before the host.
        host = urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    parts = (
        host or "unknown",
        f"{moment:%Y%m%d-%H%M%S}",
        error_type or "unknown",
        error_id or "manual",
    )
    return "-".join(re.sub(r"[^A-Za-z0-9._-]", "_", part)[:PART_CHARS] for part in parts) + ".jpg"


def _text(sent: dict[str, Any], *names: str) -> str:
    return next((sent[name] for name in names if isinstance(sent.get(name), str)), "")
