"""Secrets that give themselves away wherever they stand: provider tokens, keys, credentials."""

from functools import cache
from typing import Any

from gasoline.redaction.checks import is_jwt, read_supabase_role
from gasoline.redaction.credible import is_credible_token
from gasoline.redaction.marks import mark
from gasoline.redaction.names import is_ordinary
from gasoline.redaction.patterns import any_of, compile_bytes, compile_set, relax
from gasoline.redaction.rules import AWS_SECRET_RULE, TOKEN_RULES, TokenRule

# A token takes the letters that cling to it along. Otherwise its mark would set the next word
# free, and a second pass would find more than the first.
_REST = "[A-Za-z0-9]*"
_COUNTED = 8
_ANYWHERE = TokenRule("", "", "").after


def _in_context(rule: TokenRule, *, capture: bool = False) -> str:
    group = "(" if capture else "(?:"
    return f"{rule.after}{group}{relax(rule.pattern, counted=_COUNTED)}{_REST}){rule.before}"


# Without captures re2 stays with its fast automaton; which rule it was is asked afterwards.
_TOKENS = compile_bytes(any_of(map(_in_context, TOKEN_RULES)), capture=False)
_WHICH = compile_set(map(_in_context, TOKEN_RULES), ignore_case=False)
_SELF_EVIDENT = [rule for rule in TOKEN_RULES if rule.after == _ANYWHERE and not rule.before]
_WHOLE = compile_set((rule.pattern for rule in _SELF_EVIDENT), ignore_case=False)
_AWS_SECRET = compile_bytes(
    f"{AWS_SECRET_RULE.after}({AWS_SECRET_RULE.pattern}){AWS_SECRET_RULE.before}"
)
_LOWER, _UPPER, _DIGIT = (compile_bytes(letters) for letters in ("[a-z]", "[A-Z]", "[0-9]"))


def redact_tokens(text: bytes) -> bytes:
    """Replace everything that looks like a token of a known provider by a mark."""
    # First the secrets that need an access key id beside them, then the ids.
    return _redact_known(_redact_aws_secrets(text))


def mark_token(token: bytes, rule: TokenRule) -> bytes:
    """Write the mark of a token; a Supabase key says in itself whether it is public."""
    kind = rule.kind
    if kind == "jwt" and (role := read_supabase_role(token)):
        kind = "supabase-anon-key" if role == "anon" else "supabase-key"
    credible = is_credible_token(token, rule)
    return mark(kind, token.decode("utf-8", "replace"), credible=credible).encode()


def find_token_rule(value: bytes) -> TokenRule | None:
    """Find the rule of a value that is one token and nothing else."""
    fitting = (_SELF_EVIDENT[index] for index in sorted(_WHOLE.Match(value) or ()))
    return next((rule for rule in fitting if _is_secret(value, rule)), None)


def _escape_length(text: bytes, start: int) -> int:
    """How many letters at the start belong to an escape of JSON, which must stay whole."""
    # However many backslashes: JSON within JSON doubles them.
    if text[start - 1 : start] != b"\\":
        return 0
    return len(b"u0000") if text[start : start + 1] == b"u" else 1


def _redact_known(text: bytes) -> bytes:
    pieces: list[bytes] = []
    copied = position = 0
    while match := _TOKENS.search(text, position):
        start, position = match.span()
        for rule in _fitting_rules(text[start:position]):
            inner = _capturing(rule).match(text, start, position)
            token_start, token_end = inner.span(1)
            token_start += _escape_length(text, token_start)
            position = token_end
            token = text[token_start:token_end]
            if _is_secret(token, rule):
                pieces += (text[copied:token_start], mark_token(token, rule))
                copied = token_end
                break
    return b"".join((*pieces, text[copied:])) if pieces else text


def _fitting_rules(matched: bytes) -> list[TokenRule]:
    return [TOKEN_RULES[index] for index in sorted(_WHICH.Match(matched))]


@cache
def _capturing(rule: TokenRule) -> Any:
    return compile_bytes(_in_context(rule, capture=True))


@cache
def _exactly(rule: TokenRule) -> Any:
    return compile_bytes(rule.pattern, capture=False)


def _is_secret(token: bytes, rule: TokenRule) -> bool:
    if rule.evidence == "random":
        return not is_ordinary(token)
    # Longer than its form allows: a hash or an identifier that begins alike.
    return bool(_exactly(rule).fullmatch(token)) and (rule.check != "jwt" or is_jwt(token))


def _redact_aws_secrets(text: bytes) -> bytes:
    pieces: list[bytes] = []
    copied = position = 0
    while match := _AWS_SECRET.search(text, position):
        start, position = match.span(1)
        token = text[start:position]
        # A git commit is also forty characters long.
        if all(letters.search(token) for letters in (_LOWER, _UPPER, _DIGIT)):
            pieces += (text[copied:start], mark_token(token, AWS_SECRET_RULE))
            copied = position
    return b"".join((*pieces, text[copied:])) if pieces else text
