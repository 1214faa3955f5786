"""A picture sent as a data URL: read, named, described."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gasoline.ingest import Ingest, RefusedBatch
from gasoline.ingest.screenshot import Upload, name_screenshot, read_upload, write_picture
from gasoline.records import Screenshot
from tests.builders import NOON_MS, store
from tests.pictures import data_url, encoded, opened, page_data_url, page_picture

IMAGE = encoded(page_picture(100, 50), "JPEG")
DATA_URL = data_url(IMAGE, "image/jpeg")


def read(**sent: Any) -> Upload:
    return read_upload({"dataUrl": DATA_URL, **sent})


def take(into: Ingest, **sent: Any) -> Any:
    """Deliver an upload as the bytes of a request, and return its record."""
    body = json.dumps({"dataUrl": DATA_URL, **sent}).encode()
    asyncio.run(into.take_screenshot(body))
    return next(into.store.newest(Screenshot))


def test_an_upload_is_read_in_both_spellings() -> None:
    camel = read(errorId="e", errorType="exception", actionId="a", tabId=3, testId="t", url="u")
    snake = read_upload(
        {
            "data_url": DATA_URL,
            "error_id": "e",
            "error_type": "exception",
            "action_id": "a",
            "tab_id": 3,
            "test_id": "t",
            "url": "u",
        }
    )

    assert camel == snake
    assert camel == Upload(
        image=IMAGE,
        url="u",
        trigger="error",
        error_id="e",
        error_type="exception",
        action_id="a",
        tab_id=3,
        test_id="t",
    )


@pytest.mark.parametrize(
    ("sent", "trigger"),
    [
        ({}, "explicit"),
        ({"errorId": "e1"}, "error"),
        ({"correlation_id": "e1"}, "error"),
        ({"trigger": "navigation", "errorId": "e1"}, "navigation"),
        ({"trigger": "action"}, "action"),
        ({"trigger": "nonsense"}, "explicit"),
    ],
)
def test_why_a_picture_was_taken_is_said_or_guessed(sent: dict[str, Any], trigger: str) -> None:
    assert read(**sent).trigger == trigger


@pytest.mark.parametrize(
    ("sent_url", "reason"),
    [
        (None, "Missing dataUrl"),
        ("", "Missing dataUrl"),
        ("no comma", "Invalid dataUrl format"),
        ("data:image/png;base64,%%%", "Invalid base64 data"),
        ("data:image/png;base64,YQ", "Invalid base64 data"),
        ("data:image/png;base64,é", "Invalid base64 data"),
        ("data:text/html;base64,YWJj", "dataUrl holds text/html, not a picture"),
    ],
)
def test_what_is_no_picture_is_refused(sent_url: str | None, reason: str) -> None:
    with pytest.raises(RefusedBatch) as refused:
        read(dataUrl=sent_url)

    assert (refused.value.reason, refused.value.status) == (reason, 400)


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
    url, error_type, error_id = parts
    upload = Upload(image=b"", url=url, error_type=error_type, error_id=error_id)

    assert name_screenshot(upload, "JPEG", NOON_MS) == name.format("20260301-120000")


@pytest.mark.parametrize(("form", "suffix"), [("JPEG", ".jpg"), ("PNG", ".png"), ("", ".png")])
def test_a_file_is_called_what_it_is(form: str, suffix: str) -> None:
    assert name_screenshot(Upload(image=b""), form, NOON_MS).endswith(suffix)


def test_a_picture_is_kept_as_png_with_its_thumbnail_and_description() -> None:
    kept = take(Ingest(store()), url="http://app/cart", errorId="e1", actionId="a7", tabId=3)

    assert kept.image is not None
    assert opened(kept.image.png).size == (100, 50)
    assert opened(kept.image.thumbnail).size == (320, 160)
    assert json.loads(kept.wire) == {
        "ts": NOON_MS,
        "url": "http://app/cart",
        "filename": "app-20260301-120000-unknown-e1.jpg",
        "mediaType": "image/png",
        "sizeBytes": len(kept.image.png),
        "width": 100,
        "height": 50,
        "trigger": "error",
        "relatedErrorId": "e1",
        "actionId": "a7",
        "tabId": 3,
    }


def test_ids_grow_and_notes_are_kept() -> None:
    into = Ingest(store())
    first = take(into)
    second = take(into, note="Only the visible part.", dataUrl=page_data_url(1300, 20))

    assert second.seq > first.seq
    assert second.read(Screenshot).notes == (
        "Only the visible part.",
        "Scaled from 1300 to 1280 px in width.",
    )


def test_the_description_holds_no_secret() -> None:
    kept = take(Ingest(store()), url="https://user:hunter2hunter2@app/?api_key=abcdefgh12345678")

    assert b"hunter2" not in kept.wire
    assert b"abcdefgh12345678" not in kept.wire


def test_an_endless_address_is_cut() -> None:
    assert len(take(Ingest(store()), url="http://app/" + "x" * 100_000).wire) < 5000


def test_files_of_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    paths = [write_picture(tmp_path / "new", "a.jpg", bytes([number])) for number in range(3)]

    assert [Path(path).name for path in paths] == ["a.jpg", "a-2.jpg", "a-3.jpg"]
    assert [Path(path).read_bytes() for path in paths] == [b"\0", b"\1", b"\2"]
