"""Secrets out, a typed mark in, before anything is stored, logged or written."""

from gasoline.redaction.marks import (
    HEADER_MARK,
    INPUT_MARK,
    Mark,
    find_marks,
    is_mark,
    mark,
    mask,
    parse_mark,
)
from gasoline.redaction.names import is_secret_header
from gasoline.redaction.prefilter import may_contain_secret
from gasoline.redaction.redact import redact_record, redact_text
from gasoline.redaction.rules import (
    AWS_SECRET_RULE,
    NAME_RULES,
    TOKEN_RULES,
    NameRule,
    TokenRule,
)

__all__ = [
    "AWS_SECRET_RULE",
    "HEADER_MARK",
    "INPUT_MARK",
    "NAME_RULES",
    "TOKEN_RULES",
    "Mark",
    "NameRule",
    "TokenRule",
    "find_marks",
    "is_mark",
    "is_secret_header",
    "mark",
    "mask",
    "may_contain_secret",
    "parse_mark",
    "redact_record",
    "redact_text",
]
