r"""Where a value in text begins and ends, given that a name stands before it.

JSON inside JSON escapes its quotes: `\"`, then `\\\"`. The number of backslashes gives the level.
"""

from typing import Final, NamedTuple

from gasoline.redaction.names import is_ordinary
from gasoline.redaction.patterns import compile_bytes

MARK: Final = r"\[redacted(?::[^\]\s\"]*)?\]"

_SPACE = r"(?:\s|\\+[nrt])*"
_OPENING_QUOTE = compile_bytes(rf"{_SPACE}\\*[\"'`]", capture=False)
# The text of an XML element, and the block that YAML puts on the next line.
_ELEMENT_TEXT = compile_bytes(rf"{_SPACE}([^<>\s\\\"']{{8,}}){_SPACE}<\\*/")
_BLOCK = r"[|>]-?(?:\n|\\+n)\s+"
_REST_OF_JSON = compile_bytes(rf"{_SPACE}(?:[,}}\]:]|\z)", capture=False)
_NUMBER_OR_BOOLEAN = compile_bytes(rf"{_SPACE}(-?[0-9][0-9.eE+-]*|true|false)")
_BACKSLASH = ord("\\")
_CUT_OFF = b"... [truncated]"

_PARAMETER = compile_bytes(rf"{MARK}|[^&#;\s\"'<>\\]+", ignore_case=True, capture=False)
_ENCODED_PARAMETER = compile_bytes(
    rf"{MARK}|(?:[^&#;\s\"'<>\\%]|%[013-9A-F][0-9A-F]|%2[0-24-57-9A-F])+",
    ignore_case=True,
    capture=False,
)
_LOGGED_WORD = compile_bytes(
    rf"[ \t]*(?:{_BLOCK})?({MARK}|(?:(?:bearer|basic|digest|token|negotiate)\x20+)?"
    r"[^\s\"'<>\\&;,\[({][^\s\"'<>\\&;,]{3,})",
    ignore_case=True,
)
_LOGGED_COOKIES = compile_bytes(
    rf"[ \t]*({MARK}|[\w.$%-]+=[^\r\n\"'<>\\]*)",
    ignore_case=True,
)
_PROSE_FOLLOWS = compile_bytes(r"\x20(?:[A-Za-z]|\[redacted)", ignore_case=True, capture=False)
# Source code in bodies and snippets: `password = readPassword(`, `secret = self.secret`.
_CODE = compile_bytes(
    r"[A-Za-z_$][\w$.]*[(\[]|[A-Za-z_$]{1,20}(?:\.[A-Za-z_$]{1,20})+\z", capture=False
)
_TRAILING_PUNCTUATION = b"),.]}"


class Value(NamedTuple):
    """Where a value stands in the text."""

    start: int
    end: int
    literal: int | bool | None = None
    """A sample of the type, for a JSON number or boolean. Its mark needs quotes."""
    quote: bytes = b""


def find_json_value(text: bytes, start: int, *, level: int, in_json: bool) -> Value | None:
    """Find the value of a quoted name; `in_json` unless the quotes were apostrophes."""
    if opening := _OPENING_QUOTE.match(text, start):
        value_start = opening.end()
        if _level_of_quote(text, value_start - 1) != level:
            return None
        if not in_json and _REST_OF_JSON.match(text, value_start):
            return None
        return _find_quoted_value(text, value_start)
    literal = _NUMBER_OR_BOOLEAN.match(text, start)
    if literal is None:
        return None
    sample = literal[1] == b"true" if literal[1] in (b"true", b"false") else 0
    start, end = literal.span(1)
    return Value(start, end, sample, _quote_at(level))


def find_parameter(text: bytes, start: int, *, encoded: bool) -> Value | None:
    """Find the value of a query or form parameter; `encoded` when it stands in another one."""
    match = (_ENCODED_PARAMETER if encoded else _PARAMETER).match(text, start)
    if match is None:
        return None
    return Value(start, start + len(_without_punctuation(match[0])))


def find_logged_value(text: bytes, start: int, *, is_cookie: bool) -> Value | None:
    """Find the quoted text, the word or the cookies that follow a name in a log line."""
    if opening := _OPENING_QUOTE.match(text, start):
        # {"label": "Password:"} ends a string here, it does not begin one.
        ends_string = _REST_OF_JSON.match(text, opening.end())
        return None if ends_string else _find_quoted_value(text, opening.end())
    word = (_LOGGED_COOKIES if is_cookie else _LOGGED_WORD).match(text, start)
    if word is None:
        return None
    value = _without_punctuation(word[1])
    end = word.start(1) + len(value)
    is_prose = is_ordinary(value) and _PROSE_FOLLOWS.match(text, end)
    return None if is_prose or _is_code(value) else Value(word.start(1), end)


def find_element_text(text: bytes, start: int) -> Value | None:
    """Find the text of an element that a name opened."""
    match = _ELEMENT_TEXT.match(text, start)
    return Value(*match.span(1)) if match else None


def _is_code(value: bytes) -> bool:
    # What holds a mark was code before the mark, or it would be all mark now.
    is_marked = not value.startswith(b"[") and b"[redacted" in value.lower()
    return is_marked or bool(_CODE.match(value))


def nesting_level(backslashes: int) -> int:
    r"""Count how often a quote was put into JSON text: 0 for `"`, 1 for `\"`, 2 for `\\\"`."""
    # Each time n backslashes become 2n, and one more for the quote: trailing ones in binary.
    return (~backslashes & (backslashes + 1)).bit_length() - 1


def _find_quoted_value(text: bytes, start: int) -> Value:
    quote = text[start - 1 : start]
    end = _find_closing_quote(text, start, quote)
    if quote != b'"':
        # Inside JSON text an apostrophe must not reach beyond the string that it stands in.
        end = _cut_before(text, start, end, b'"')
    end = _cut_before(text, start, end, b"\n")
    if end == len(text) and text.endswith(_CUT_OFF):
        end = max(start, end - len(_CUT_OFF))
    return Value(start, end)


def _find_closing_quote(text: bytes, start: int, quote: bytes) -> int:
    level = _level_of_quote(text, start - 1)
    position = text.find(quote, start)
    while position >= 0:
        closing_level = _level_of_quote(text, position, after=start)
        if closing_level <= level:
            return position + 1 - len(_quote_at(closing_level))
        position = text.find(quote, position + 1)
    return len(text)


def _cut_before(text: bytes, start: int, end: int, stop: bytes) -> int:
    position = text.find(stop, start, end)
    if position < 0:
        return end
    while position > start and text[position - 1 : position] == b"\\":
        position -= 1
    return position


def _without_punctuation(value: bytes) -> bytes:
    return value if value.startswith(b"[") else value.rstrip(_TRAILING_PUNCTUATION)


def _level_of_quote(text: bytes, position: int, *, after: int = 0) -> int:
    start = position
    while start > after and text[start - 1] == _BACKSLASH:
        start -= 1
    return nesting_level(position - start)


def _quote_at(level: int) -> bytes:
    return b"\\" * ((1 << level) - 1) + b'"'
