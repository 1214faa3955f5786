"""Any text of any page, as source code that means just that text."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gasoline.generation.script.css import css_attribute, css_id
from gasoline.generation.script.literal import (
    Secret,
    js_literal,
    js_regex,
    js_text,
    one_line,
    pattern_of,
    py_literal,
    py_regex,
    py_text,
)

NODE = shutil.which("node") or "node"
NASTY = [
    "it's", 'say "hi"', "`tick` ${x}", "back\\slash", "\\", "'", "*/ // <!--", "line\nbreak\r\n",
    "\u2028\u2029", "\u202eevil\u200b", "\x00\x1b[31m", "🎉", "שלום", "\U000e0041", "a/b?c=d#e",
    "[x](y)*+{1}", "</script>", "#{x} %s {{y}}", "\ud800", "\t", "",
]  # fmt: skip
texts = st.text() | st.sampled_from(NASTY)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)


@given(texts)
@example("\ud800")
def test_python_text_reads_back_as_itself(text: str) -> None:
    assert ast.literal_eval(py_text(text)) == text


@given(values)
def test_python_values_read_back_as_themselves(value: Any) -> None:
    assert ast.literal_eval(py_literal(value)) == value


@given(texts)
def test_a_pattern_matches_its_text_and_nothing_around_it(text: str) -> None:
    source = ast.literal_eval(py_regex(f"^{pattern_of(text)}$").removeprefix("re.compile(")[:-1])

    assert re.search(source, text)
    assert not re.search(source, f"{text}x")


def test_a_pattern_with_counters_matches_any_number() -> None:
    assert re.fullmatch(pattern_of("Inbox (3)", counted=True), "Inbox (1204)")
    assert not re.fullmatch(pattern_of("Inbox (3)", counted=True), "Inbox (x)")


@given(texts)
def test_a_comment_cannot_be_left(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert "\u2028" not in one_line(text)


def test_secrets_are_read_from_the_environment_and_fall_back() -> None:
    secret = Secret("GASOLINE_PASSWORD")

    assert js_literal({"p": secret}) == "{ p: process.env.GASOLINE_PASSWORD ?? '[user-provided]' }"
    assert py_literal(secret) == 'os.environ.get("GASOLINE_PASSWORD", "[user-provided]")'


@pytest.fixture(scope="module")
def gathered() -> list[Any]:
    """Texts and values that Hypothesis comes up with, for one run of Node."""
    found: list[Any] = [*NASTY, {"__proto__": 1, "a b": [None, True, "x"], "": {}}]

    @settings(max_examples=300, database=None)
    @given(values)
    def gather(value: Any) -> None:
        found.append(value)

    gather()
    return found


def test_javascript_reads_back_as_itself(gathered: list[Any], tmp_path: Path) -> None:
    texts_only = [value for value in gathered if isinstance(value, str)]
    lines = [f"same({js_literal(value)}, {json.dumps(value)});" for value in gathered]
    lines += [
        f"matches({js_regex(f'^{pattern_of(text)}$')}, {json.dumps(text)});" for text in texts_only
    ]
    script = tmp_path / "values.mjs"
    script.write_text(
        "import assert from 'node:assert';\n"
        "const same = (a, b) => assert.deepStrictEqual(a, JSON.parse(JSON.stringify(b)));\n"
        "const matches = (pattern, text) => assert.ok(pattern.test(text), String(pattern));\n"
        + "\n".join(line.replace('"__proto__":', '["__proto__"]:') for line in lines),
        encoding="utf-8",
    )

    finished = subprocess.run([NODE, script], capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stderr[:2000]


@pytest.mark.parametrize("text", NASTY)
def test_text_is_escaped_where_it_would_hide(text: str) -> None:
    assert not set(js_text(text)) & set("\n\r\u2028\u2029\u202e\u200b\x00\x1b")


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (css_id("email"), "#email"),
        (css_id("1st.a:b"), r"#\31 st\.a\:b"),
        (css_attribute("data-cy", 'a"b\\c'), '[data-cy="a\\"b\\\\c"]'),
    ],
)
def test_selectors_take_any_id_and_any_value(selector: str, expected: str) -> None:
    assert selector == expected
