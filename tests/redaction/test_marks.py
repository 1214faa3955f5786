import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline.redaction.marks import (
    HEADER_MARK,
    INPUT_MARK,
    Mark,
    find_marks,
    is_mark,
    mark,
    mask,
    parse_mark,
)

KINDS = st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True)


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ("", "***"),
        ("hunter2", "***"),
        ("a" * 23, "***"),
        ("abcdef0123456789stuvwxyz", "abcdef...xyz"),
        ('ab"\\]\n0123456789 stuvw&=', "ab****...w**"),
        ("ü" * 24, "******...***"),
    ],
)
def test_a_mask_shows_nine_characters_of_a_long_value_only(value: str, masked: str) -> None:
    assert mask(value) == masked


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("github-token", "ghp_abcdefghijklmnopqrstuvwxyz", "[redacted:github-token:ghp_ab...xyz]"),
        ("password", "correct horse battery staple", "[redacted:password:***]"),
        ("pin", 1234, "[redacted:pin:number]"),
        ("pin", 1.5, "[redacted:pin:number]"),
        ("secret", True, "[redacted:secret:boolean]"),
    ],
)
def test_a_mark_names_the_kind_and_keeps_the_type(
    kind: str, value: str | float, expected: str
) -> None:
    assert mark(kind, value) == expected


@pytest.mark.parametrize(
    "text", [HEADER_MARK, INPUT_MARK, "[redacted:jwt:***]", "[redacted:pin:number]"]
)
def test_each_form_of_mark_is_recognised(text: str) -> None:
    assert is_mark(text)


@pytest.mark.parametrize(
    "text", ["", "redacted", "[redacted:]", "[redacted:jwt]", "[redacted:jwt:***] and more", "[x]"]
)
def test_other_text_is_not_a_mark(text: str) -> None:
    assert not is_mark(text)


def test_marks_are_found_where_they_stand() -> None:
    text = "é \ud800 [redacted:jwt:eyJhbG...abc]&b=[redacted:pin:number] [REDACTED]"

    marks = find_marks(text)

    assert marks == [
        Mark(kind="jwt", masked="eyJhbG...abc", start=4, end=31),
        Mark(kind="pin", masked="number", start=34, end=55),
    ]
    assert [text[found.start : found.end] for found in marks] == [
        "[redacted:jwt:eyJhbG...abc]",
        "[redacted:pin:number]",
    ]


@given(kind=KINDS, value=st.text())
def test_every_mark_can_be_read_back(kind: str, value: str) -> None:
    text = mark(kind, value)

    parsed = parse_mark(text)

    assert parsed is not None
    assert (parsed.kind, parsed.start, parsed.end) == (kind, 0, len(text))


@given(kind=KINDS, value=st.text())
def test_a_mark_breaks_neither_json_text_nor_a_url(kind: str, value: str) -> None:
    text = mark(kind, value)

    assert text.isascii()
    assert text.isprintable()
    assert not set(text) & set("\"'\\&#?=;<> ")
