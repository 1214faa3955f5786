"""Pictures of pages, delivered to a real server."""

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pictures import data_url, encoded, noise_picture, page_picture
from tests.servers import RunningServer, running_server
from tests.surfaces.http.asking import mark, post

PIXELS = encoded(page_picture(120, 60), "JPEG")
DATA_URL = data_url(PIXELS, "image/jpeg")
UNREADABLE = "The picture cannot be read: send a whole PNG, JPEG, WEBP, GIF file"


class Filing:
    """A server that writes pictures into a folder and everything else into a record."""

    def __init__(self, server: RunningServer, folder: Path, record: Path) -> None:
        self.server = server
        self.folder = folder
        self.record = record

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.record.read_text().splitlines()]


@pytest.fixture(scope="module")
def filing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filing]:
    place = tmp_path_factory.mktemp("filing")
    folder, record = place / "pictures" / "of pages", place / "record.jsonl"
    flags = ("--screenshots", str(folder), "--record", str(record))
    with running_server(place, *flags) as server:
        yield Filing(server, folder, record)


@pytest.mark.parametrize("spelling", ["dataUrl", "data_url"])
def test_a_picture_is_named_and_kept_in_memory_only(server: RunningServer, spelling: str) -> None:
    sent = {
        spelling: DATA_URL,
        "url": "http://user:pw@localhost:5173/cart?q=1",
        "errorType": "exception",
        "errorId": "err/../1",
    }

    answer = post(server, "/screenshots", sent)

    assert re.fullmatch(r"localhost_5173-\d{8}-\d{6}-exception-err_\.\._1\.jpg", answer["filename"])
    assert (answer["path"], answer["id"] > 0) == ("", True)


def test_kept_pictures_count_and_clear(server: RunningServer) -> None:
    server.request("POST", "/clear")
    post(server, "/screenshots", {"dataUrl": DATA_URL})
    before = server.request("GET", "/health").json

    removed = post(server, "/clear", {})["removed"]

    assert before["memory"]["bytes"] > 1000
    assert before["capture"]["state"] == "complete"
    assert removed["screenshots"] == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "Invalid JSON"),
        (b"[]", "Invalid JSON"),
        (b"{}", "Missing dataUrl"),
        (b'{"dataUrl":""}', "Missing dataUrl"),
        (b'{"dataUrl":7}', "Missing dataUrl"),
        (b'{"dataUrl":"data:image/jpeg;base64"}', "Invalid dataUrl format"),
        (b'{"dataUrl":"data:image/jpeg;base64,!!!!"}', "Invalid base64 data"),
        (b'{"dataUrl":"data:image/jpeg;base64,abc"}', "Invalid base64 data"),
        ('{"dataUrl":"data:image/jpeg;base64,é"}'.encode(), "Invalid base64 data"),
        (b'{"dataUrl":"data:text/html;base64,YWJj"}', "dataUrl holds text/html, not a picture"),
        (b'{"dataUrl":"data:image/png;base64,YWJj"}', UNREADABLE),
        (b'{"dataUrl":"data:image/png;base64,"}', UNREADABLE),
    ],
)
def test_what_is_no_picture_is_refused(server: RunningServer, body: bytes, reason: str) -> None:
    answer = server.request("POST", "/screenshots", body)

    assert (answer.status, answer.json) == (400, {"error": reason})


def test_a_picture_is_posted(server: RunningServer) -> None:
    answer = server.request("GET", "/screenshots")

    assert (answer.status, answer.json) == (405, {"error": "Method not allowed"})


def test_two_pictures_of_one_second_are_two_files(filing: Filing) -> None:
    sent = {"dataUrl": DATA_URL, "url": "http://app/", "errorId": "twice"}

    paths = [Path(post(filing.server, "/screenshots", sent)["path"]) for _ in range(2)]

    assert len(set(paths)) == 2
    assert [path.parent for path in paths] == [filing.folder] * 2
    assert [path.read_bytes() for path in paths] == [PIXELS] * 2


@pytest.mark.parametrize(
    "url",
    ["../../etc/passwd", "http://../..", "http://[", "http://\\..\\x", "file:///a", "", "\x00"],
)
def test_no_url_leads_out_of_the_folder(filing: Filing, url: str) -> None:
    sent = {"dataUrl": DATA_URL, "url": url, "errorType": "../..", "errorId": "/etc/x"}

    answer = post(filing.server, "/screenshots", sent)

    assert Path(answer["path"]).resolve().parent == filing.folder.resolve()


def test_the_record_describes_the_picture_of_a_test_without_its_bytes(filing: Filing) -> None:
    mark(filing.server, "pictured", "start")
    sent = {"dataUrl": DATA_URL, "url": "http://app/?token=abcdefghijklmnop123456", "errorId": "e9"}

    filename = post(filing.server, "/screenshots?test_id=pictured", sent)["filename"]

    mark(filing.server, "pictured", "end")
    line = next(
        line
        for line in filing.lines()
        if line["route"] == "/screenshots" and line.get("test_id") == "pictured"
    )
    (described,) = line["screenshots"]
    assert described.pop("ts") == line["at"]
    assert described == {
        "url": "http://app/?token=[redacted:token:***]",
        "filename": filename,
        "mediaType": "image/png",
        "sizeBytes": described["sizeBytes"],
        "width": 120,
        "height": 60,
        "trigger": "error",
        "relatedErrorId": "e9",
        "actionId": None,
    }


def test_a_folder_that_cannot_be_written_loses_no_picture(tmp_path: Path) -> None:
    in_the_way = tmp_path / "a file"
    in_the_way.write_text("")

    with running_server(tmp_path, "--screenshots", str(in_the_way / "folder")) as server:
        answer = post(server, "/screenshots", {"dataUrl": DATA_URL})
        removed = post(server, "/clear", {})["removed"]

    assert answer["path"] == ""
    assert removed["screenshots"] == 1
    assert any("Cannot write" in line for line in server.said)


def test_other_requests_are_answered_while_a_large_picture_is_read(server: RunningServer) -> None:
    large = data_url(encoded(page_picture(2500, 12_000)))
    upload = threading.Thread(target=post, args=(server, "/screenshots", {"dataUrl": large}))
    upload.start()
    answered = 0
    while upload.is_alive():
        server.request("GET", "/health")
        answered += 1
    upload.join()

    assert answered > 5


def test_twenty_one_large_pictures_stay_within_ten_megabytes(server: RunningServer) -> None:
    server.request("POST", "/clear")
    hard_to_compress = data_url(encoded(noise_picture(900, 500), "JPEG"), "image/jpeg")

    answers = [post(server, "/screenshots", {"dataUrl": hard_to_compress}) for _ in range(21)]

    assert all(answer["size_bytes"] <= 500_000 for answer in answers)
    assert [answer["id"] for answer in answers] == sorted({answer["id"] for answer in answers})
    assert server.request("GET", "/health").json["memory"]["bytes"] <= 10_100_000
