"""Deciding in microseconds that a batch holds nothing to redact, before it is even decoded."""

from gasoline.redaction.encoded import ENCODED_QUOTE
from gasoline.redaction.names import HEADER_ENDS, NAME_ENDS, URL_NAMES
from gasoline.redaction.pairs import NAME_CLOSERS, PARAMETER_START
from gasoline.redaction.patterns import any_of, compile_bytes, relax
from gasoline.redaction.rules import (
    AWS_SECRET_RULE,
    SENSITIVE_INPUT_WORDS,
    TOKEN_RULES,
)

# Enough to tell most identifiers from tokens.
_COUNTED = 12
# JSON may spell any letter as an escape ("pass\u0077ord"); honest serializers do not.
_ESCAPED_LETTER = r"\\u00[2-7]"
_NAME = (
    rf"(?i:{NAME_ENDS}{NAME_CLOSERS}"
    r"(?:\\*[\"'`]?(?:\s|\\t)*(?:string(?:\s|\\t)*)?(?:[?+.|]{0,2}=|[:>])"
    rf"|\\*[\"']\x20+(?:value|content)=|%3D|{ENCODED_QUOTE}))"
)
_HEADER = rf"(?i:{HEADER_ENDS}\"\s*:)"
_HEADER_PAIR = rf"(?i:\[\s*\"[\w$.-]*{any_of([NAME_ENDS, HEADER_ENDS])}\")"
_URL_PARAMETER = rf"(?i:(?:[\"']|{PARAMETER_START}){URL_NAMES}(?:=|%3D))[^&#;\s\"]{{8}}"
# An input by its type or name, or a pair such as {"name": "x-api-key", "value": ...}.
_NAMED_VALUE = (
    r"(?i:\"(?:input_?type|type|autocomplete|name|id|test_?id|data-testid)\"\s*:\s*\""
    rf"(?:[^\"\\]|\\.)*(?:{SENSITIVE_INPUT_WORDS}|{any_of([NAME_ENDS, HEADER_ENDS])}\"))"
)

_TRIGGER = compile_bytes(
    any_of(
        (
            _ESCAPED_LETTER,
            _NAME,
            _HEADER,
            _HEADER_PAIR,
            _URL_PARAMETER,
            _NAMED_VALUE,
            AWS_SECRET_RULE.trigger,
            *(relax(rule.triggered_by, counted=_COUNTED) for rule in TOKEN_RULES),
        )
    ),
    capture=False,
)


def may_contain_secret(raw: bytes) -> bool:
    """Tell whether redaction could change anything in this JSON body; False is certain."""
    return _TRIGGER.search(raw) is not None
