"""Maps that come in parts."""

import pytest

from gasoline.ingest.about_errors import UploadedSource
from gasoline.sources.parts import WAITING_BYTES, WAITING_MAPS, SourceParts

URL = "http://shop.test/app.js"
LOST = UploadedSource(URL, None, "a part of its map did not arrive")


def part(content: str, number: int, of: int, url: str = URL) -> UploadedSource:
    return UploadedSource(url, content, None, number, of)


def test_a_map_in_one_piece_and_the_reason_for_none_pass() -> None:
    parts = SourceParts()
    whole, none = UploadedSource(URL, "{}"), UploadedSource(URL, None, "over 16 MB")

    assert [parts.add(whole, None), parts.add(none, None)] == [whole, none]


def test_parts_become_one_map_once_the_last_is_here() -> None:
    parts = SourceParts()

    came = [
        parts.add(part(text, number, 3), "http://shop.test") for number, text in enumerate("abc")
    ]

    assert came == [None, None, UploadedSource(URL, "abc")]
    assert parts.size_bytes == 0


@pytest.mark.parametrize("arriving", [(1,), (0, 2), (0, 1, 1)])
def test_a_part_that_is_missing_is_said(arriving: tuple[int, ...]) -> None:
    parts = SourceParts()

    *_, last = [parts.add(part("x", number, 4), None) for number in arriving]

    assert last == LOST
    assert parts.size_bytes == 0


def test_a_page_gives_no_part_of_another_pages_map() -> None:
    parts = SourceParts()

    parts.add(part("a", 0, 2), "http://shop.test")

    assert parts.add(part("b", 1, 2), "http://evil.test") == LOST
    assert parts.add(part("b", 1, 2), "http://shop.test") == UploadedSource(URL, "ab")


def test_a_map_sent_anew_begins_anew() -> None:
    parts = SourceParts()

    came = [
        parts.add(part(text, number, 2), None) for text, number in (("a", 0), ("c", 0), ("d", 1))
    ]

    assert came[-1] == UploadedSource(URL, "cd")


def test_what_is_under_way_is_bounded_by_bytes() -> None:
    parts = SourceParts()
    half = "x" * (WAITING_BYTES // 2)

    parts.add(part(half, 0, 2, "first"), None)
    parts.add(part(half, 0, 2, "second"), None)
    assert parts.size_bytes == WAITING_BYTES
    parts.add(part("x", 0, 2, "third"), None)

    assert parts.size_bytes == WAITING_BYTES // 2 + 1
    assert parts.add(part("y", 1, 2, "third"), None) == UploadedSource("third", "xy")


def test_what_is_under_way_is_bounded_by_count() -> None:
    parts = SourceParts()

    for number in range(WAITING_MAPS + 1):
        parts.add(part("x", 0, 2, str(number)), None)

    assert parts.size_bytes == WAITING_MAPS
