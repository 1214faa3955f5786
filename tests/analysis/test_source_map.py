"""From generated code back to what its author wrote."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.analysis.source_map import MAP_BYTES, name_source, read_source_map
from gasoline.analysis.vlq import InvalidMapError

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "source_maps" / "cases.json").read_text(encoding="utf-8")
)
URL = "http://localhost:5173/app.js.map"


def encoded(**fields: Any) -> bytes:
    content = {"version": 3, "sources": ["a.js"], "mappings": "AAAA"} | fields
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["valid"]], ids=lambda case: case["name"]
)
def test_valid_maps_of_the_specification_find_what_they_map(case: dict[str, Any]) -> None:
    decoded = read_source_map(json.dumps(case["map"]).encode(), URL)

    for line, column, *original in case.get("finds", []):
        found = decoded.find(line + 1, column + 1)
        shown = [found.file or None, found.line - 1, found.column - 1, found.name] if found else []
        assert shown == original, (line, column)


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case["valid"]], ids=lambda case: case["name"]
)
def test_invalid_maps_of_the_specification_are_refused_with_a_reason(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidMapError, match=r"\w+ \w+"):
        read_source_map(json.dumps(case["map"]).encode(), URL)


def test_a_map_may_be_guarded_against_being_run_as_a_script() -> None:
    assert read_source_map(b")]}'\n" + encoded(), URL).find(1, 1) is not None


@pytest.mark.parametrize("body", [b"", b"<!doctype html>", b"[]", b"{", b'"x"', b"\xff\xfe", b"1"])
def test_what_is_no_map_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidMapError, match="this is no source map"):
        read_source_map(body, URL)


def test_a_map_cut_off_anywhere_is_refused() -> None:
    body = encoded(sourcesContent=["let a"], names=["a"], mappings="AAAA,IAAIA")

    for length in range(len(body)):
        with pytest.raises(InvalidMapError):
            read_source_map(body[:length], URL)


def test_sections_within_sections_end_somewhere() -> None:
    nested: dict[str, Any] = {"version": 3, "sources": ["a.js"], "mappings": "AAAA"}
    for _ in range(3):
        section = {"offset": {"line": 0, "column": 0}, "map": nested}
        nested = {"version": 3, "sections": [section]}

    assert read_source_map(json.dumps(nested).encode(), URL).find(1, 1) is not None
    for _ in range(100):
        section = {"offset": {"line": 0, "column": 0}, "map": nested}
        nested = {"version": 3, "sections": [section]}
    with pytest.raises(InvalidMapError):
        read_source_map(json.dumps(nested).encode(), URL)


def test_a_map_at_the_limit_is_read_and_one_byte_more_is_refused_with_its_size() -> None:
    padding = MAP_BYTES - len(encoded(padding=""))

    assert read_source_map(encoded(padding="x" * padding), URL).find(1, 1)
    with pytest.raises(InvalidMapError, match=r"the map has 16\.0 MB, over the limit of 16 MB"):
        read_source_map(encoded(padding="x" * (padding + 1)), URL)


def test_columns_count_utf_16_units() -> None:
    # Before the mapped code stands a character of two units: column 4 counted from 1 in units.
    decoded = read_source_map(encoded(mappings="AAAA,GAAG"), URL)

    found = decoded.find(1, 4)

    assert found is not None
    assert found.column == 4


@pytest.mark.parametrize(
    ("source", "root", "map_url", "name"),
    [
        ("LoginForm.tsx", None, "http://localhost:5173/src/LoginForm.tsx", "src/LoginForm.tsx"),
        ("../../src/Cart.vue", None, "http://localhost/assets/index-3f.js.map", "src/Cart.vue"),
        ("webpack:///./src/a.ts?1a2b", None, URL, "src/a.ts"),
        ("webpack://shop/./src/a.ts", None, URL, "src/a.ts"),
        ("webpack:///src/a.ts", "", URL, "src/a.ts"),
        ("file:///home/ada/shop/a.ts", None, URL, "/home/ada/shop/a.ts"),
        ("/@fs/home/ada/lib/a.ts", None, URL, "/home/ada/lib/a.ts"),
        ("a b%20c.ts", None, URL, "a b c.ts"),
        ("a.ts", "/work", URL, "work/a.ts"),
        ("http://[broken/a.ts", None, URL, "http://[broken/a.ts"),
        (None, "root", URL, None),
    ],
)
def test_a_source_is_named_as_its_author_would(
    source: str | None, root: str | None, map_url: str, name: str | None
) -> None:
    assert name_source(source, root, map_url) == name


Positions = list[tuple[int, int, int, int]]


@settings(deadline=None)
@given(
    st.lists(
        st.lists(
            st.tuples(
                st.integers(0, 300), st.integers(0, 4), st.integers(0, 5000), st.integers(0, 300)
            ),
            unique_by=lambda one: one[0],
            max_size=200,
        ),
        max_size=8,
    )
)
def test_every_position_of_any_map_is_found_again(lines: list[Positions]) -> None:
    sources = [f"{number}.js" for number in range(5)]

    decoded = read_source_map(encoded(sources=sources, mappings=write_mappings(lines)), URL)

    for number, line in enumerate(lines, start=1):
        for column, source, original_line, original_column in line:
            found = decoded.find(number, column + 1)
            assert found is not None
            assert (found.file, found.line, found.column) == (
                sources[source],
                original_line + 1,
                original_column + 1,
            )


@settings(deadline=None)
@given(st.text("AC,;gDz+9*é", max_size=400))
def test_any_text_is_a_map_or_is_refused(mappings: str) -> None:
    try:
        decoded = read_source_map(encoded(mappings=mappings), URL)
    except InvalidMapError:
        return
    for column in range(1, 20):
        decoded.find(1, column)


def write_mappings(lines: list[Positions]) -> str:
    """What a compiler does: every number relative to the one before it."""
    written, before = [], (0, 0, 0)
    for line in lines:
        segments, column = [], 0
        for start, *original in line:
            steps = [now - then for now, then in zip(original, before, strict=True)]
            segments.append("".join(_digits(step) for step in [start - column, *steps]))
            column, before = start, (original[0], original[1], original[2])
        written.append(",".join(segments))
    return ";".join(written)


def _digits(number: int) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    value = (-number << 1 | 1) if number < 0 else number << 1
    digits = ""
    while value >= 32:
        digits += letters[value & 31 | 32]
        value >>= 5
    return digits + letters[value]
