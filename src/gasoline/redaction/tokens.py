"""Secrets that give themselves away wherever they stand: provider tokens, keys, credentials."""

from typing import Any

from gasoline.redaction.marks import mark
from gasoline.redaction.names import is_ordinary
from gasoline.redaction.patterns import any_of, compile_bytes
from gasoline.redaction.rules import AWS_SECRET_RULE, TOKEN_RULES, TokenRule

# A token takes the letters that cling to it along. Otherwise its mark would set the next word
# free, and a second pass would find more than the first.
_REST = "[A-Za-z0-9]*"


def _compile(rules: tuple[TokenRule, ...], rest: str) -> Any:
    return compile_bytes(
        any_of(f"{rule.after}({rule.pattern}{rest}){rule.before}" for rule in rules)
    )


_TOKENS = _compile(TOKEN_RULES, _REST)
_AWS_SECRET = _compile((AWS_SECRET_RULE,), "")
_LOWER, _UPPER, _DIGIT = (compile_bytes(letters) for letters in ("[a-z]", "[A-Z]", "[0-9]"))


def redact_tokens(text: bytes) -> bytes:
    """Replace everything that looks like a token of a known provider by a mark."""
    # First the secrets that need an access key id beside them, then the ids.
    return _redact(_redact(text, _AWS_SECRET, (AWS_SECRET_RULE,)), _TOKENS, TOKEN_RULES)


def _redact(text: bytes, pattern: Any, rules: tuple[TokenRule, ...]) -> bytes:
    pieces: list[bytes] = []
    copied = position = 0
    while match := pattern.search(text, position):
        rule = rules[match.lastindex - 1]
        start, position = match.span(match.lastindex)
        token = text[start:position]
        if _is_secret(token, rule):
            replacement = mark(rule.kind, token.decode("utf-8", "replace"))
            pieces += (text[copied:start], replacement.encode())
            copied = position
    return b"".join((*pieces, text[copied:])) if pieces else text


def _is_secret(token: bytes, rule: TokenRule) -> bool:
    if rule is AWS_SECRET_RULE:
        # A git commit is also forty characters long.
        return all(letters.search(token) for letters in (_LOWER, _UPPER, _DIGIT))
    return rule.evidence == "none" or not is_ordinary(token)
