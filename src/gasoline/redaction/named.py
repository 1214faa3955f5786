"""The mark of a value that a name gave away."""

from gasoline.redaction.credible import is_credible_value
from gasoline.redaction.marks import mark
from gasoline.redaction.rules import NameRule, Place
from gasoline.redaction.tokens import find_token_rule, mark_token

# Whatever a user typed here is a password, even if it looks like something else.
_NEVER_A_TOKEN = frozenset({"password", "pin", "one-time-code"})


def mark_named(value: bytes, rule: NameRule, place: Place) -> bytes:
    """Write the mark, as specific as the value allows: `api_key=ghp_...` is a GitHub token."""
    token_rule = None if rule.kind in _NEVER_A_TOKEN else find_token_rule(value)
    if token_rule:
        return mark_token(value, token_rule)
    credible = is_credible_value(value, rule, place)
    return mark(rule.kind, value.decode("utf-8", "replace"), credible=credible).encode()
