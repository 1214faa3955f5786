"""What code read that was not there."""

import pytest

from gasoline.analysis.read_of_nothing import ReadOfNothing, find_read_of_nothing
from gasoline.records.ai_context import SnippetLine, SourceSnippet

READ_USER = "Cannot read properties of undefined (reading 'user')"


@pytest.mark.parametrize(
    ("message", "read"),
    [
        (READ_USER, ReadOfNothing("undefined", None, "user")),
        (
            "Uncaught TypeError: Cannot set properties of null (setting 'x')",
            ReadOfNothing("null", None, "x"),
        ),
        ("Cannot read property 'user' of null", ReadOfNothing("null", None, "user")),
        (
            "Cannot destructure property 'id' of 'props.order' as it is null.",
            ReadOfNothing("null", "props.order", "id"),
        ),
        (
            'can\'t access property "user", result.data is undefined',
            ReadOfNothing("undefined", "result.data", "user"),
        ),
        ("result.data is null", ReadOfNothing("null", "result.data", None)),
        (
            "undefined is not an object (evaluating 'result.data.user')",
            ReadOfNothing("undefined", "result.data", "user"),
        ),
        ("null is not an object (evaluating 'x')", ReadOfNothing("null", None, "x")),
        ("total is not a function", None),
        ("boom", None),
        ("", None),
    ],
)
def test_each_browser_says_it_in_its_own_way(message: str, read: ReadOfNothing | None) -> None:
    assert find_read_of_nothing(message) == read


def line_that_threw(text: str, column: int = 1) -> SourceSnippet:
    return SourceSnippet("a.ts", 3, column, [SnippetLine(3, text, is_error=True)])


@pytest.mark.parametrize(
    ("text", "column", "expression"),
    [
        ("  setUser(result.data.user)", 1, "result.data"),
        ("  return order.total?.user", 1, "order.total"),
        ("  return order!.user", 1, "order"),
        ("  load(a, b).items[0].user", 1, "load(a, b).items[0]"),
        ("  a.user + b.user", 14, "b"),
        ("  a.user + b.user", 1, None),
        ("  const {user} = data", 1, None),
        ("  a.userName", 1, None),
    ],
)
def test_chromium_does_not_say_what_was_undefined_but_the_line_does(
    text: str, column: int, expression: str | None
) -> None:
    read = find_read_of_nothing(READ_USER, line_that_threw(text, column))

    assert read == ReadOfNothing("undefined", expression, "user")


@pytest.mark.parametrize(
    ("expression", "field"),
    [("result.data", "data"), ("items[0]", "0"), ("load()", "load"), ("this", None), (None, None)],
)
def test_the_field_is_the_last_name_of_the_expression(
    expression: str | None, field: str | None
) -> None:
    assert ReadOfNothing("null", expression).field == field
