"""Stack traces of three browsers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.analysis.stack import LINES_READ, Frame, frames_of, read_stack
from gasoline.records import LogEntry

A = "http://localhost:5173/src/a.tsx?t=17"


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        (f"    at pay ({A}:12:9)", Frame("pay", A, 12, 9)),
        (f"    at {A}:12:9", Frame("", A, 12, 9)),
        (f"    at async pay ({A}:12:9)", Frame("pay", A, 12, 9)),
        (f"    at async {A}:12:9", Frame("", A, 12, 9)),
        (f"    at new Cart ({A}:1:2)", Frame("new Cart", A, 1, 2)),
        (f"    at Object.total [as sum] ({A}:1:2)", Frame("Object.total [as sum]", A, 1, 2)),
        (f"    at a (b) ({A}:1:2)", Frame("a (b)", A, 1, 2)),
        (f"    at eval (eval at pay ({A}:12:9), <anonymous>:1:5)", Frame("eval", A, 12, 9)),
        (
            f"    at eval (eval at x (eval at pay ({A}:12:9)), <anonymous>:1:5)",
            Frame("eval", A, 12, 9),
        ),
        ("    at f (blob:http://a/1-2:3:4)", Frame("f", "blob:http://a/1-2", 3, 4)),
        ("    at data:text/javascript,f():1:5", Frame("", "data:text/javascript,f()", 1, 5)),
        (
            "    at f (chrome-extension://ab/c.js:1:5)",
            Frame("f", "chrome-extension://ab/c.js", 1, 5),
        ),
        (
            "    at f (webpack-internal:///./a.js:1:5)",
            Frame("f", "webpack-internal:///./a.js", 1, 5),
        ),
        ("    at file:///a/b.js:1:5", Frame("", "file:///a/b.js", 1, 5)),
        ("    at f (<anonymous>)", None),
        ("    at Array.map (<anonymous>:1:5)", None),
        ("    at native", None),
        ("TypeError: total is not a function", None),
        (f"pay@{A}:12:9", Frame("pay", A, 12, 9)),
        (f"@{A}:12:9", Frame("", A, 12, 9)),
        (f"async*pay@{A}:12:9", Frame("pay", A, 12, 9)),
        (f"promise callback*pay@{A}:12:9", Frame("pay", A, 12, 9)),
        (f"EventListener.handleEvent*@{A}:12:9", Frame("", A, 12, 9)),
        (f"{A}:12:9", Frame("", A, 12, 9)),
        (f"Cart/<@{A}:12:9", Frame("Cart", A, 12, 9)),
        (f"global code@{A}:12:9", Frame("", A, 12, 9)),
        (f"module code@{A}:12:9", Frame("", A, 12, 9)),
        (f"eval code@{A}:12:9", Frame("", A, 12, 9)),
        (f"on@click@{A}:12:9", Frame("on@click", A, 12, 9)),
        ("on@click@http://a/@fs/b.js:1:2", Frame("on@click", "http://a/@fs/b.js", 1, 2)),
        (f"@@iterator@{A}:12:9", Frame("@@iterator", A, 12, 9)),
        ("f@http://a/@fs/b.js:1:2", Frame("f", "http://a/@fs/b.js", 1, 2)),
        (f"pay@{A} line 12 > eval:1:3", Frame("pay", A, 12, 0)),
        (f"anonymous@{A} line 7 > Function:3:1", Frame("anonymous", A, 7, 0)),
        ("forEach@[native code]", None),
        ("mail ada@example.com:25:1 failed", None),
    ],
)
def test_a_line_is_a_call_or_nothing(line: str, frame: Frame | None) -> None:
    assert read_stack(line) == ([frame] if frame else [])


def test_the_innermost_call_comes_first_and_the_message_is_no_call() -> None:
    stack = (
        f"Error: at least (one)\n  of http://x/y.js:1:2@z\n    at b ({A}:2:1)\n    at c ({A}:3:1)"
    )

    assert read_stack(stack) == [Frame("b", A, 2, 1), Frame("c", A, 3, 1)]


def test_an_endless_stack_is_read_to_a_limit() -> None:
    assert len(read_stack(f"    at b ({A}:2:1)\n" * 10_000)) == LINES_READ


def test_an_error_without_a_stack_has_the_place_that_the_browser_named() -> None:
    thrown = LogEntry(message="Uncaught boom", filename=A, lineno=4, colno=7)

    assert frames_of(thrown) == [Frame("", A, 4, 7)]
    assert frames_of(LogEntry(message="boom")) == []


def test_an_error_that_was_written_to_the_console_has_its_own_stack() -> None:
    said = {"name": "TypeError", "message": "x", "stack": f"TypeError: x\n    at pay ({A}:12:9)"}

    assert frames_of(LogEntry(type="console", args=["failed:", said])) == [Frame("pay", A, 12, 9)]
    assert frames_of(LogEntry(args=[{"stack": 7}, None, ["x"]])) == []


@settings(deadline=None)
@given(st.text(max_size=300) | st.text("at (@:/1<>) eval\n", max_size=300))
def test_any_text_is_read(text: str) -> None:
    for frame in read_stack(text):
        assert frame.url
        assert frame.line >= 0
