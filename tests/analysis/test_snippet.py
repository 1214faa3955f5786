"""The lines around a place."""

import zlib

import pytest

from gasoline.analysis.snippet import cut_snippet
from gasoline.analysis.source_map import Original
from gasoline.records.ai_context import SnippetLine, SourceSnippet


def original(text: str | None, *, line: int = 1, column: int = 1, file: str = "a.ts") -> Original:
    return Original(file, line, column, None if text is None else zlib.compress(text.encode()))


TWENTY = "\n".join(f"line {number}" for number in range(1, 21))


@pytest.mark.parametrize(("line", "first", "last"), [(10, 5, 15), (1, 1, 6), (20, 15, 20)])
def test_five_lines_before_and_after_within_the_file(line: int, first: int, last: int) -> None:
    assert cut_snippet(original(TWENTY, line=line, column=3)) == SourceSnippet(
        "a.ts",
        line,
        3,
        [
            SnippetLine(number, f"line {number}", is_error=number == line)
            for number in range(first, last + 1)
        ],
    )


@pytest.mark.parametrize(
    "place",
    [
        original(TWENTY, line=21),
        original(TWENTY, line=0),
        original(None),
        original(TWENTY, file=""),
    ],
)
def test_a_line_that_is_not_there_has_no_snippet(place: Original) -> None:
    assert cut_snippet(place) is None


def test_a_minified_line_shows_200_characters_around_its_column() -> None:
    line = "a" * 5000 + "HERE" + "b" * 5000

    snippet = cut_snippet(original(line, column=5001))

    assert snippet is not None
    assert snippet.snippet[0].text == "a" * 99 + "HERE" + "b" * 97


def test_a_line_of_200_characters_is_whole_and_a_longer_one_is_cut() -> None:
    snippet = cut_snippet(original("x" * 200 + "\n" + "y" * 201))

    assert snippet is not None
    assert [line.text for line in snippet.snippet] == ["x" * 200, "y" * 200]


def test_lines_end_as_any_editor_ends_them() -> None:
    snippet = cut_snippet(original("a\r\nb\rc\nd", line=3))

    assert snippet is not None
    assert [line.text for line in snippet.snippet] == ["a", "b", "c", "d"]
