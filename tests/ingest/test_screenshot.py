"""A picture sent as a data URL, checked and named."""

import base64
import json
from typing import Any

import pytest

from gasoline.ingest import RefusedBatch
from gasoline.ingest.screenshot import Picture, name_screenshot, read_screenshot
from tests.builders import NOON_MS

IMAGE = b"\x89PNG and so on"
DATA_URL = "data:image/png;base64," + base64.b64encode(IMAGE).decode()


def read(**sent: Any) -> Picture:
    body = json.dumps({"dataUrl": DATA_URL, **sent}).encode()
    return read_screenshot(body, arrived_ms=NOON_MS)


def test_a_picture_is_its_bytes_and_a_description() -> None:
    picture = read(url="http://app/cart", errorType="exception", errorId="e1", testId="t")

    assert (picture.image, picture.test_id) == (IMAGE, "t")
    assert picture.filename == "app-20260301-120000-exception-e1.jpg"
    assert json.loads(picture.wire) == {
        "ts": NOON_MS,
        "url": "http://app/cart",
        "filename": picture.filename,
        "mediaType": "image/png",
        "sizeBytes": len(IMAGE),
        "trigger": "error",
        "relatedErrorId": "e1",
        "actionId": None,
    }


@pytest.mark.parametrize(
    ("sent", "trigger"),
    [
        ({}, "explicit"),
        ({"errorId": "e1"}, "error"),
        ({"correlation_id": "e1"}, "error"),
        ({"trigger": "navigation", "errorId": "e1"}, "navigation"),
    ],
)
def test_why_a_picture_was_taken_is_said_or_guessed(sent: dict[str, Any], trigger: str) -> None:
    assert json.loads(read(**sent).wire)["trigger"] == trigger


@pytest.mark.parametrize(
    ("data_url", "media_type"),
    [("data:,", "image/jpeg"), ("data:image/webp;base64,", "image/webp")],
)
def test_the_media_type_is_taken_from_the_data_url(data_url: str, media_type: str) -> None:
    assert json.loads(read(dataUrl=data_url).wire)["mediaType"] == media_type


def test_the_description_holds_no_secret() -> None:
    wire = read(url="https://user:hunter2hunter2@app/?api_key=abcdefgh12345678").wire

    assert b"hunter2" not in wire
    assert b"abcdefgh12345678" not in wire


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (
            ("http://localhost:5173/a", "exception", "err_1"),
            "localhost_5173-{}-exception-err_1.jpg",
        ),
        (("", "", ""), "unknown-{}-unknown-manual.jpg"),
        (("/relative", "", ""), "unknown-{}-unknown-manual.jpg"),
        (("http://[broken", "", ""), "unknown-{}-unknown-manual.jpg"),
        (("http://u:p@app/", "", ""), "app-{}-unknown-manual.jpg"),
        (("http://app/", "../x", "a b\x00"), "app-{}-.._x-a_b_.jpg"),
        (("http://münchen/", "é", "💥"), "m_nchen-{}-_-_.jpg"),
        (("http://" + "h" * 99, "t" * 99, "i" * 99), f"{'h' * 50}-{{}}-{'t' * 50}-{'i' * 50}.jpg"),
    ],
    ids=repr,
)
def test_a_file_name_is_safe_whatever_the_page_sent(parts: tuple[str, str, str], name: str) -> None:
    assert name_screenshot(*parts, NOON_MS) == name.format("20260301-120000")


@pytest.mark.parametrize(
    ("data_url", "reason"),
    [
        (None, "Missing dataUrl"),
        ("", "Missing dataUrl"),
        ("no comma", "Invalid dataUrl format"),
        ("data:image/png;base64,%%%", "Invalid base64 data"),
        ("data:image/png;base64,YQ", "Invalid base64 data"),
        ("data:image/png;base64,é", "Invalid base64 data"),
    ],
)
def test_what_is_no_picture_is_refused(data_url: str | None, reason: str) -> None:
    with pytest.raises(RefusedBatch) as refused:
        read(dataUrl=data_url)

    assert (refused.value.reason, refused.value.status) == (reason, 400)
