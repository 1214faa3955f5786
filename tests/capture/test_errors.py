"""What goes wrong in a page."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.capture.capturing import LOGS, Captured
from tests.capture.site import Site

Capture = Callable[..., Captured]


def without_times(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in entry.items() if name not in {"ts", "timestamp", "_errorId"}
    }


def test_an_exception_says_what_and_where(capture: Capture) -> None:
    captured = capture("<script>\nfunction pay() {\n  total.sum();\n}\nsetTimeout(pay)</script>")

    (entry,) = captured.wait_for(LOGS)

    stack = entry["stack"]
    assert stack.splitlines()[0] == "ReferenceError: total is not defined"
    assert entry["_errorId"].startswith("err_")
    assert entry["ts"] == entry["timestamp"]
    assert without_times(entry) == {
        "level": "error",
        "type": "exception",
        "source": "exception",
        "url": captured.page.url,
        "message": "Uncaught ReferenceError: total is not defined",
        "args": [{"name": "ReferenceError", "message": "total is not defined", "stack": stack}],
        "stack": stack,
        "filename": captured.page.url,
        "lineno": 3,
        "colno": 3,
    }


REASONS: list[tuple[str, str, Any]] = [
    ("'text'", "text", "text"),
    ("null", "Unhandled Promise rejection", None),
    ("undefined", "Unhandled Promise rejection", None),
    ("0", "0", 0),
    ("{code: 7}", '{"code":7}', {"code": 7}),
    ("{message: 'told'}", "told", {"message": "told"}),
    ("Object.create(null, {message: {get() { throw 1 }}})", "{}", {}),
]


def test_a_rejection_says_its_reason(capture: Capture) -> None:
    rejections = "; ".join(f"Promise.reject({reason})" for reason, *_ in REASONS)
    captured = capture(f"<script>setTimeout(() => {{ {rejections} }})</script>")

    entries = captured.wait_for(LOGS, len(REASONS))

    assert [(entry["message"], entry["args"]) for entry in entries] == [
        (message, [argument]) for _, message, argument in REASONS
    ]
    assert {(entry["level"], entry["type"], entry["source"]) for entry in entries} == {
        ("error", "exception", "unhandledrejection")
    }


def test_a_rejection_with_an_error_has_its_stack(capture: Capture) -> None:
    captured = capture("<script>setTimeout(() => Promise.reject(new TypeError('bad')))</script>")

    (entry,) = captured.wait_for(LOGS)

    assert entry["message"] == "bad"
    assert entry["stack"].splitlines()[0] == "TypeError: bad"
    assert entry["args"][0]["name"] == "TypeError"


def test_a_file_that_does_not_load_is_named(capture: Capture, site: Site) -> None:
    captured = capture(
        """<img src="/missing.png?api_key=abcdefghijklmnop"><script src="/missing.js"></script>
        <link rel="stylesheet" href="/missing.css">"""
    )

    entries = captured.wait_for(LOGS, 3)

    assert {(entry["level"], entry["type"], entry["metadata"]["tag"]) for entry in entries} == {
        ("error", "resource", tag) for tag in ("img", "script", "link")
    }
    for entry in entries:
        tag = entry["metadata"]["tag"]
        assert entry["message"].startswith(f"Failed to load <{tag}>: {site.url('/missing.')}")
    assert "abcdefghijklmnop" not in str(entries)


@pytest.mark.parametrize(
    ("image", "address"),
    [
        ('<img srcset="/missing.png 1x">', "/missing.png"),
        ('<img src="/other.png" srcset="/missing.png 1x">', "/missing.png"),
        ('<img src="">', None),
    ],
)
def test_a_picture_is_named_by_the_address_that_was_tried(
    capture: Capture, site: Site, image: str, address: str | None
) -> None:
    (entry,) = capture(image).wait_for(LOGS)

    assert entry["filename"] == (site.url(address) if address else "")


@pytest.mark.parametrize(
    ("header", "level"),
    [
        ("Content-Security-Policy", "error"),
        ("Content-Security-Policy-Report-Only", "warn"),
    ],
)
def test_blocked_content_is_named(capture: Capture, site: Site, header: str, level: str) -> None:
    url = site.page('<img src="/status/200">', {header: "img-src 'none'"})
    captured = capture(url=url)

    entry = next(entry for entry in captured.wait_for(LOGS) if entry["type"] == "csp")

    blocked = site.url("/status/200")
    assert entry["level"] == level
    assert entry["message"] == f"Blocked by Content Security Policy (img-src): {blocked}"
    assert entry["metadata"]["blocked"] == blocked


def test_a_page_that_handles_its_errors_itself_is_captured_and_left_alone(capture: Capture) -> None:
    captured = capture(
        """<script>window.handled = [];
        window.onerror = (message) => { handled.push(message); return true };
        window.addEventListener('unhandledrejection', event => { handled.push(event.reason); event.preventDefault() });
        setTimeout(() => { Promise.reject('r'); setTimeout(() => { throw new Error('e') }) })</script>"""
    )

    assert {entry["message"] for entry in captured.wait_for(LOGS, 2)} == {"r", "Uncaught Error: e"}
    assert set(captured.run("handled")) == {"r", "Uncaught Error: e"}
