"""Values as source code: any text of any page, in quotes that it cannot leave."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from gasoline.generation.untrusted import has_invisible, strip_invisible

_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_REGEX_SPECIAL = re.compile(r"[.*+?^${}()|\[\]\\/]")
_NUMBER = re.compile(r"\d+")
# Line ends to JavaScript, though to nobody else.
_LINE_ENDS = "\n\r\u2028\u2029\x85\x0b\x0c"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


class Secret(Struct, frozen=True):
    """A value that was never captured: whoever runs the script provides it."""

    variable: str
    fallback: str = "[user-provided]"


class Repeated(Struct, frozen=True):
    """A list too long to be written out: so many times the same."""

    count: int
    item: Any


Value = str | Secret


def one_line(text: str, chars: int = 300) -> str:
    """Text for a comment: on one line, which nothing in it can end."""
    flat = strip_invisible(re.sub(f"[{_LINE_ENDS}\t]+", " ", text)).strip()
    return flat if len(flat) <= chars else flat[: chars - 1] + "…"


def js_text(text: str) -> str:
    """A JavaScript string in single quotes."""
    return "'" + "".join(_escape(character, "'", wide="\\u{{{:x}}}") for character in text) + "'"


def py_text(text: str) -> str:
    """A Python string in double quotes."""
    return '"' + "".join(_escape(character, '"', wide="\\U{:08x}") for character in text) + '"'


def js_value(value: Value) -> str:
    if isinstance(value, Secret):
        return f"process.env.{value.variable} ?? {js_text(value.fallback)}"
    return js_text(value)


def py_value(value: Value) -> str:
    if isinstance(value, Secret):
        return f"os.environ.get({py_text(value.variable)}, {py_text(value.fallback)})"
    return py_text(value)


def one_or_all(expressions: Iterable[str]) -> str:
    """One expression as it is, any other number of them as a list."""
    several = list(expressions)
    return several[0] if len(several) == 1 else f"[{', '.join(several)}]"


def pattern_of(text: str, *, counted: bool = False) -> str:
    """A regular expression that matches just this text, or this text with any numbers."""
    escaped = _REGEX_SPECIAL.sub(r"\\\g<0>", text)
    return _NUMBER.sub(r"\\d+", escaped) if counted else escaped


def js_regex(pattern: str) -> str:
    """A regular expression literal."""
    return "/" + "".join(_escape_in_regex(character) for character in pattern) + "/"


def py_regex(pattern: str) -> str:
    return f"re.compile({py_text(py_pattern(pattern))})"


def py_pattern(pattern: str) -> str:
    """The same pattern where a slash needs no escape."""
    return pattern.replace("\\/", "/")


def js_literal(value: Any, indent: int = 0) -> str:
    """A JSON value, secrets in it included, as a JavaScript expression."""
    return _literal(value, indent, _JAVASCRIPT)


def py_literal(value: Any, indent: int = 0) -> str:
    """The same as a Python expression."""
    return _literal(value, indent, _PYTHON)


class _Language(Struct, frozen=True):
    text: Any
    value: Any
    true: str
    false: str
    null: str
    repeated: str
    bare_names: bool


_JAVASCRIPT = _Language(
    js_text,
    js_value,
    "true",
    "false",
    "null",
    "Array.from({{ length: {count} }}, () => ({item}))",
    bare_names=True,
)
_PYTHON = _Language(
    py_text,
    py_value,
    "True",
    "False",
    "None",
    "[{item} for _ in range({count})]",
    bare_names=False,
)


def _literal(value: Any, indent: int, language: _Language) -> str:
    if isinstance(value, str | Secret):
        return str(language.value(value))
    if isinstance(value, Repeated):
        item = _literal(value.item, indent, language)
        return language.repeated.format(count=value.count, item=item)
    if isinstance(value, bool):
        return language.true if value else language.false
    if value is None:
        return language.null
    if isinstance(value, dict):
        pairs = [
            f"{_key(key, language)}: {_literal(item, indent + 2, language)}"
            for key, item in value.items()
        ]
        return _enclose("{", pairs, "}", indent)
    if isinstance(value, list | tuple):
        return _enclose("[", [_literal(item, indent + 2, language) for item in value], "]", indent)
    return msgspec.json.encode(value).decode()


def _key(key: str, language: _Language) -> str:
    # `__proto__: x` would set the prototype instead of a property.
    if language.bare_names and _NAME.fullmatch(key) and key != "__proto__":
        return key
    quoted: str = language.text(key)
    return f"[{quoted}]" if key == "__proto__" and language.bare_names else quoted


def _enclose(opening: str, items: list[str], closing: str, indent: int) -> str:
    if not items:
        return opening + closing
    flat = f"{opening} {', '.join(items)} {closing}" if opening == "{" else f"[{', '.join(items)}]"
    if len(flat) + indent <= 90 and "\n" not in flat:  # noqa: PLR2004  # a line that reads well
        return flat
    margin = " " * (indent + 2)
    inside = "".join(f"{margin}{item},\n" for item in items)
    return f"{opening}\n{inside}{' ' * indent}{closing}"


def _escape(character: str, quote: str, *, wide: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character == quote:
        return "\\" + quote
    if not _must_be_escaped(character):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else wide.format(code)  # noqa: PLR2004  # one UTF-16 unit


def _escape_in_regex(character: str) -> str:
    if not _must_be_escaped(character):
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    # Without the `u` flag there is no escape for what takes two units but the two of them.
    units = [code] if code <= 0xFFFF else _surrogates(code)  # noqa: PLR2004  # one UTF-16 unit
    return "".join(f"\\u{unit:04x}" for unit in units)


def _surrogates(code: int) -> list[int]:
    offset = code - 0x10000
    return [0xD800 + (offset >> 10), 0xDC00 + (offset & 0x3FF)]


def _must_be_escaped(character: str) -> bool:
    return (
        character in _LINE_ENDS
        or character == "\t"
        or has_invisible(character)
        or 0xD800 <= ord(character) <= 0xDFFF  # noqa: PLR2004  # half of a character
    )
