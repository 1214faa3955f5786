r"""Secrets in JSON whose quotes are written otherwise: `&quot;`, `%22`, `\u0022`."""

from typing import Any, Final

from gasoline.redaction.marks import mark
from gasoline.redaction.named import mark_named
from gasoline.redaction.names import SECRET_NAME, find_rule, is_secret_value
from gasoline.redaction.patterns import compile_bytes
from gasoline.redaction.rules import NameRule

_ESCAPED_QUOTE: Final = r"\\+u0022"
ENCODED_QUOTE: Final = r"(?:&quot;|&#(?:34|x22);|%22)"

_QUOTE = rf"(?:{_ESCAPED_QUOTE}|{ENCODED_QUOTE})"
_SPACE = r"(?:\s|%20|\+)*"
_PAIR = compile_bytes(
    rf"{_QUOTE}({SECRET_NAME}){_QUOTE}{_SPACE}(?::|%3A){_SPACE}"
    rf"(?:({_QUOTE})([^\"\n]*?)(?:{_QUOTE}|[\"\n]|\.\.\. \[truncated\]|\z)|(-?[0-9][0-9.]*))",
    ignore_case=True,
)
_HINT = compile_bytes(_QUOTE, ignore_case=True, capture=False)


def redact_encoded_pairs(text: bytes) -> bytes:
    """Replace the values of secret names between encoded quotes by marks."""
    return _PAIR.sub(_redact_pair, text) if _HINT.search(text) else text


def _redact_pair(match: Any) -> bytes:
    whole: bytes = match[0]
    rule = find_rule(match[1], "data")
    if rule is None:
        return whole
    if match[4] is not None:
        return _replace_number(match, rule)
    # Before a plain quote they belong to it.
    value: bytes = match[3].rstrip(b"\\")
    if not is_secret_value(value, rule, "data"):
        return whole
    start = match.start(3) - match.start()
    return whole[:start] + mark_named(value, rule, "data") + whole[start + len(value) :]


def _replace_number(match: Any, rule: NameRule) -> bytes:
    whole: bytes = match[0]
    if rule.evidence != "none":
        return whole
    # The quote that opened the name closes it as well.
    quote = whole[: match.start(1) - match.start()]
    return whole[: match.start(4) - match.start()] + quote + mark(rule.kind, 0).encode() + quote
