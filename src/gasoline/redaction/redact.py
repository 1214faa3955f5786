"""Taking the secrets out of decoded JSON on its way into the store."""

from itertools import count
from typing import Any, Final, TypeAlias

import msgspec

from gasoline.redaction.encoded import redact_encoded_pairs
from gasoline.redaction.marks import HEADER_MARK, INPUT_MARK, is_mark, mark
from gasoline.redaction.named import mark_named
from gasoline.redaction.names import find_key_rule, is_secret_header, is_secret_value
from gasoline.redaction.pairs import redact_pairs
from gasoline.redaction.patterns import compile_bytes
from gasoline.redaction.prefilter import may_contain_secret
from gasoline.redaction.rules import SENSITIVE_INPUT_TYPES, SENSITIVE_INPUT_WORDS
from gasoline.redaction.tokens import redact_tokens

# A container still to redact, in place, and whether it holds headers.
_Visit: TypeAlias = tuple[dict[str, Any] | list[Any], bool]

HEADER_KEYS: Final = frozenset(
    {"headers", "requestHeaders", "responseHeaders", "request_headers", "response_headers"}
)

_TYPE_KEYS = ("inputType", "input_type", "type")
_NAME_KEYS = ("autocomplete", "name", "id", "testId", "test_id", "data-testid")
_INPUT_KEYS = frozenset({"inputType", "input_type", "autocomplete", "selectors"})
_INPUT_TYPE = compile_bytes(SENSITIVE_INPUT_TYPES, ignore_case=True, capture=False)
_INPUT_WORD = compile_bytes(SENSITIVE_INPUT_WORDS, ignore_case=True, capture=False)
_PAIR_LENGTH = 2
_SHORTEST_PAIR = len("pwd=1")
_SHORTEST_TOKEN = len("AKIAIOSFODNN7EXAMPLE")


def redact_record(record: Any) -> Any:
    """Return the record with every secret replaced by a mark, and all else as it was.

    The record is any decoded JSON. Redacting twice changes nothing more than redacting once.
    """
    return _redact_containers(record) if _may_hold_secret(record) else record


def redact_text(text: str) -> str:
    """Return the text with every secret replaced by a mark. JSON text stays JSON text."""
    is_clean = _is_plain_word(text) or not _may_hold_secret(text)
    return text if is_clean else _redact_suspicious(text)


def _redact_suspicious(text: str) -> str:
    raw = _bytes(text)
    redacted = redact_tokens(redact_encoded_pairs(redact_pairs(raw)))
    return text if redacted is raw else redacted.decode("utf-8", "surrogatepass")


def _is_plain_word(text: str) -> bool:
    # Most keys and many values; asking costs a tenth of searching.
    return len(text) < _SHORTEST_TOKEN and (text.isidentifier() or len(text) < _SHORTEST_PAIR)


def _may_hold_secret(value: Any) -> bool:
    try:
        return may_contain_secret(msgspec.json.encode(value))
    except (UnicodeEncodeError, RecursionError):
        return True


def _redact_containers(record: Any) -> Any:
    root = [record]
    # A list of visits, not recursion: a hostile record may be nested a thousand deep.
    visits: list[_Visit] = [(root, False)]
    while visits:
        container, holds_headers = visits.pop()
        if isinstance(container, dict):
            _redact_object(container, visits, holds_headers=holds_headers)
        else:
            _redact_array(container, visits, holds_headers=holds_headers)
    return root[0]


def _redact_object(fields: dict[str, Any], visits: list[_Visit], *, holds_headers: bool) -> None:
    members = list(fields.items())
    hides_input = _is_sensitive_input(fields)
    named = fields.get("name")
    fields.clear()
    for key, value in members:
        # {"name": "x-api-key", "value": "..."} is how HAR files and form fields say it.
        name = named if key == "value" and isinstance(named, str) else key
        if key == "value" and hides_input:
            redacted = _hide(value, INPUT_MARK)
        elif holds_headers and is_secret_header(name):
            redacted = _hide(value, HEADER_MARK)
        else:
            redacted = _redact_member(name, value)
        new_key = _free_key(redact_text(key), fields)
        fields[new_key] = _revisit(redacted, visits, holds_headers=key in HEADER_KEYS)


def _redact_array(items: list[Any], visits: list[_Visit], *, holds_headers: bool) -> None:
    if holds_headers and _is_header_pair(items):
        items[1] = _hide(items[1], HEADER_MARK)
    for index, item in enumerate(items):
        redacted = redact_text(item) if isinstance(item, str) else item
        items[index] = _revisit(redacted, visits, holds_headers=holds_headers)


def _free_key(key: str, fields: dict[str, Any]) -> str:
    # Two tokens used as keys may get the same mark; neither entry may be lost.
    copies = count(2)
    free = key
    while free in fields:
        free = f"{key} ({next(copies)})"
    return free


def _revisit(value: Any, visits: list[_Visit], *, holds_headers: bool) -> Any:
    """Copy a container, so that the caller's stays as it is, and put the copy on the list."""
    if not isinstance(value, dict | list):
        return value
    copy = value.copy()
    visits.append((copy, holds_headers))
    return copy


def _redact_member(name: str, value: Any) -> Any:
    rule = find_key_rule(name)
    if isinstance(value, str):
        is_secret = rule is not None and is_secret_value(_bytes(value), rule, "data")
        if rule and is_secret:
            return mark_named(_bytes(value), rule, "data").decode()
        return redact_text(value)
    if rule and rule.evidence == "none" and isinstance(value, int | float):
        return mark(rule.kind, value)
    return value


def _hide(value: Any, sign: str) -> Any:
    if isinstance(value, list):
        return [item if isinstance(item, list) else _hide(item, sign) for item in value]
    if isinstance(value, str):
        return value if value == "" or is_mark(value) else sign
    return sign if isinstance(value, int | float) else value


def _is_header_pair(items: list[Any]) -> bool:
    return len(items) == _PAIR_LENGTH and isinstance(items[0], str) and is_secret_header(items[0])


def _is_sensitive_input(fields: dict[str, Any]) -> bool:
    if "value" not in fields:
        return False
    types = (fields.get(key) for key in _TYPE_KEYS)
    if any(isinstance(kind, str) and _INPUT_TYPE.fullmatch(_bytes(kind)) for kind in types):
        return True
    if _INPUT_KEYS.isdisjoint(fields):
        return False
    selectors = fields.get("selectors")
    sources = (fields, selectors) if isinstance(selectors, dict) else (fields,)
    return any(_names_sensitive_input(source.get(key)) for source in sources for key in _NAME_KEYS)


def _names_sensitive_input(name: Any) -> bool:
    # A mark may say "token" without the page having said so.
    if not isinstance(name, str) or "[redacted" in name:
        return False
    return bool(_INPUT_WORD.search(_bytes(name))) or find_key_rule(name) is not None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
