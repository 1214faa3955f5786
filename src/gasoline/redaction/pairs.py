"""Secrets that a name gives away inside text: JSON, HTML, URLs, forms and log lines.

Text is never parsed and written again: bodies are often cut off, and what is not secret has to
survive byte for byte. Instead each telling name is found and the value after it is measured.
"""

from string import ascii_letters, digits
from typing import Any, Final, NamedTuple

from gasoline.redaction.marks import mark
from gasoline.redaction.named import mark_named
from gasoline.redaction.names import SECRET_NAME, URL_NAMES, find_rule, is_secret_value
from gasoline.redaction.patterns import compile_bytes
from gasoline.redaction.rules import NameRule, Place
from gasoline.redaction.values import (
    MARK,
    Value,
    find_element_text,
    find_json_value,
    find_logged_value,
    find_parameter,
    nesting_level,
)

PARAMETER_START: Final = r"[?&#;]|%3F|%26|%23"
NAME_CLOSERS: Final = r"(?:\]|%5D|\[[0-9]*\]|%5B[0-9]*%5D)*"

_PAIR = compile_bytes(
    # The marks come first: `[redacted:password:***]` is no password.
    rf"{MARK}"
    rf"|(?:\A|{PARAMETER_START}|\\*[\"']){URL_NAMES}(?:=|%3D)"
    rf"|(?:\A|{PARAMETER_START}|\\*[\"'])?{SECRET_NAME}{NAME_CLOSERS}"
    # As in JSON, `"password":`, in HTML, `name="csrf-token" content=`, and in code,
    # `password = `, `password := `, `password: string = `, `password => `, `<password>`.
    r"(?:\\*[\"'`]\s*(?:=>|:)|\\*[\"']\x20+(?:value|content)="
    r"|(?::?\x20*string)?[\x20\t]*(?:[:?+.|]{0,3}=>?|:)|>|%3D)",
    ignore_case=True,
    capture=False,  # measured: three times faster, and the parts are easily told apart
)
_ASSIGNED = frozenset({b'"', b"'", b"`", b" ", b"\\"})
_NAME_LETTERS = f"{ascii_letters}{digits}_$.-".encode()


class _Name(NamedTuple):
    """A telling name in the text, and what joins it to its value."""

    name: bytes
    place: Place
    joint: bytes
    end: int


def redact_pairs(text: bytes) -> bytes:
    """Replace the values of secret names by marks."""
    pieces: list[bytes] = []
    copied = position = 0
    while match := _PAIR.search(text, position):
        position = match.end()
        name = _read_name(text, match)
        rule = find_rule(name.name, name.place) if name else None
        value = _find_value(text, name, rule) if name and rule else None
        if name is None or rule is None or value is None:
            continue
        if _is_secret(text, value, rule, name.place):
            pieces += (text[copied : value.start], _mark_in_text(text, value, rule, name.place))
            copied = position = value.end
        elif name.place == "url":
            # Parameters do not nest; looking inside again would take quadratic time.
            position = value.end
    return b"".join((*pieces, text[copied:])) if pieces else text


def _read_name(text: bytes, match: Any) -> _Name | None:
    start, end = match.span()
    matched = text[start:end]
    if matched.startswith(b"["):
        return None
    rest = matched[3:] if matched.startswith(b"%") else matched.lstrip(b"?&#;\\\"'")
    joint = rest.lstrip(_NAME_LETTERS)
    name = rest[: len(rest) - len(joint)]
    is_parameter = start == 0 or len(rest) < len(matched) or joint[:1] in b"][%"
    # What is quoted or set apart is an assignment, not a parameter.
    is_assigned = text[end : end + 1] in _ASSIGNED or name.startswith((b"this.", b"self."))
    is_parameter = is_parameter and not is_assigned
    return _Name(name, _place_of(joint, is_parameter=is_parameter), joint, end)


def _place_of(joint: bytes, *, is_parameter: bool) -> Place:
    if (b'"' in joint or b"'" in joint) and b"=>" not in joint:
        return "data"
    if is_parameter and joint.endswith((b"=", b"%3D", b"%3d")) and b" " not in joint:
        return "url"
    return "log"


def _find_value(text: bytes, name: _Name, rule: NameRule) -> Value | None:
    if name.place == "data":
        level = nesting_level(name.joint.count(b"\\"))
        return find_json_value(text, name.end, level=level, in_json=b'"' in name.joint)
    if name.place == "url" and (
        value := find_parameter(text, name.end, encoded=not name.joint.endswith(b"="))
    ):
        return value
    if "log" not in rule.seen_in:
        return None
    if name.joint == b">":
        return find_element_text(text, name.end)
    return find_logged_value(text, name.end, is_cookie=rule.kind == "cookie")


def _is_secret(text: bytes, value: Value, rule: NameRule, place: Place) -> bool:
    if value.literal is not None:
        return rule.evidence == "none"
    return is_secret_value(text[value.start : value.end], rule, place)


def _mark_in_text(text: bytes, value: Value, rule: NameRule, place: Place) -> bytes:
    if value.literal is not None:
        return value.quote + mark(rule.kind, value.literal).encode() + value.quote
    return mark_named(text[value.start : value.end], rule, place)
