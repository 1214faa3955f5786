"""An error in one sentence."""

from typing import Any

import pytest

from gasoline.analysis.error_summary import error_type, summarise_error
from gasoline.records import LogEntry
from gasoline.records.ai_context import (
    AiContext,
    Component,
    ComponentAncestry,
    SnippetLine,
    SourceSnippet,
    StateSnapshot,
)

READ_USER = LogEntry(
    message="Uncaught TypeError: Cannot read properties of undefined (reading 'user')"
)
SNIPPET = SourceSnippet(
    "src/LoginForm.tsx", 42, 26, [SnippetLine(42, "      setUser(result.data.user)", is_error=True)]
)
ANCESTRY = ComponentAncestry(
    "react", [Component(name) for name in ("App", "AuthProvider", "LoginPage", "LoginForm")]
)
STATE = StateSnapshot(
    "redux", {}, {"auth.loading": False, "auth.error": "status 401", "auth.user": None, "n": 1}
)


def sentence(entry: LogEntry, **context: Any) -> str:
    return summarise_error(entry, AiContext(**context))


def test_everything_known_comes_as_error_then_state_then_components() -> None:
    said = sentence(
        READ_USER, source_snippets=[SNIPPET], state_snapshot=STATE, component_ancestry=ANCESTRY
    )

    assert said == (
        "TypeError in src/LoginForm.tsx:42 — `result.data` is undefined when reading `user`. "
        "Auth state: loading=false, error='status 401', user=null. N state: n=1. "
        "Component tree: App > AuthProvider > LoginPage > LoginForm."
    )


@pytest.mark.parametrize(
    ("entry", "context", "said"),
    [
        (
            READ_USER,
            {},
            "TypeError — Cannot read properties of undefined (reading 'user').",
        ),
        (
            LogEntry(message="total is not a function", stack="TypeError: total is not\n at x"),
            {"component_ancestry": ANCESTRY},
            (
                "TypeError — total is not a function. "
                "Component tree: App > AuthProvider > LoginPage > LoginForm."
            ),
        ),
        (
            LogEntry(message="Uncaught boom"),
            {"source_snippets": [SNIPPET]},
            "Error in src/LoginForm.tsx:42 — boom.",
        ),
        (LogEntry(message="It failed..."), {}, "It failed."),
        (LogEntry(message="Uncaught null"), {}, "null."),
        (
            LogEntry(message="Unhandled Promise Rejection: RangeError: too far"),
            {"component_ancestry": ComponentAncestry("vue", [])},
            "RangeError — too far.",
        ),
        (LogEntry(args=[{"code": 7}]), {"state_snapshot": StateSnapshot()}, '{"code":7}.'),
    ],
)
def test_what_is_unknown_is_left_out(entry: LogEntry, context: dict[str, Any], said: str) -> None:
    assert sentence(entry, **context) == said


@pytest.mark.parametrize("thrown", ["null", "out of stock", "[object Object]"])
def test_what_was_thrown_and_is_no_error_is_called_so(thrown: str) -> None:
    said = sentence(LogEntry(type="exception", message=f"Uncaught {thrown}"))

    assert said == f"code threw {thrown}, which is no Error and so has no stack."


def test_a_long_value_of_the_state_is_cut() -> None:
    state = StateSnapshot("redux", {}, {"cart.error": "x" * 300})

    assert f"error='{'x' * 78}…" in sentence(READ_USER, state_snapshot=state)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (LogEntry(message="Uncaught (in promise) SyntaxError: bad"), "SyntaxError"),
        (LogEntry(message="Error: plain"), "Error"),
        (LogEntry(message="ChunkLoadError: Loading failed"), "ChunkLoadError"),
        (LogEntry(message="x", stack="DOMException: no\n at y"), "DOMException"),
        (LogEntry(message="Warning: Each child"), None),
        (LogEntry(message="boom"), None),
    ],
)
def test_the_type_is_what_the_browser_said(entry: LogEntry, kind: str | None) -> None:
    assert error_type(entry) == kind


@pytest.mark.parametrize("message", ["Script error.", "Script error", "Uncaught Script error."])
def test_an_error_that_the_browser_hides_comes_with_the_remedy(message: str) -> None:
    said = sentence(LogEntry(message=message))

    assert "a script from another origin failed" in said
    assert 'crossorigin="anonymous"' in said
    assert "Access-Control-Allow-Origin" in said
    assert "hides" not in sentence(
        LogEntry(message=message, stack="Error\n    at x (http://a:1:1)")
    )
