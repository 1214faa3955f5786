"""The one table of what counts as a secret; redaction, its prefilter and the audit read it.

Card numbers, e-mail addresses and the like are personal data: the audit looks for those, redaction
leaves them alone.
"""

from typing import Final

from gasoline.redaction.rules.business import AI, CHAT, MAIL, PAYMENT, SOCIAL
from gasoline.redaction.rules.cloud import CLOUD
from gasoline.redaction.rules.credentials import CREDENTIALS
from gasoline.redaction.rules.development import BUILDS, MONITORING, REGISTRIES, SOURCE_HOSTING
from gasoline.redaction.rules.names import HARMLESS_NAMES, NAME_RULES, NAME_TAIL, TELLING_WORDS
from gasoline.redaction.rules.public import PUBLIC_RULES
from gasoline.redaction.rules.rule import (
    IN_HEADERS,
    IN_URLS,
    Check,
    Evidence,
    NameRule,
    Place,
    PublicRule,
    TokenRule,
    revoke,
)

__all__ = [
    "AWS_SECRET_RULE",
    "HARMLESS_NAMES",
    "IN_HEADERS",
    "IN_URLS",
    "NAME_RULES",
    "NAME_TAIL",
    "PUBLIC_RULES",
    "SENSITIVE_INPUT_TYPES",
    "SENSITIVE_INPUT_WORDS",
    "TELLING_WORDS",
    "TOKEN_RULES",
    "Check",
    "Evidence",
    "NameRule",
    "Place",
    "PublicRule",
    "TokenRule",
]

# The first rule that matches names the kind.
TOKEN_RULES: Final[tuple[TokenRule, ...]] = (
    *CREDENTIALS,
    *CLOUD,
    *SOURCE_HOSTING,
    *REGISTRIES,
    *BUILDS,
    *MONITORING,
    *PAYMENT,
    *MAIL,
    *CHAT,
    *AI,
    *SOCIAL,
)

# Forty characters prove nothing by themselves; they do next to a word that says what they are.
# The gap stops at brackets, so that a mark never serves as that word.
AWS_SECRET_RULE: Final = TokenRule(
    "aws-secret-access-key",
    "AWS secret access key",
    r"[A-Za-z0-9/+]{40}",
    revoke("IAM console, security credentials"),
    after=r"(?:(?i:aws|secret)|A[KS]IA[0-9A-Z]{16})(?:[^\n\[\]]{0,40}?[^A-Za-z0-9/+=\n\[\]])",
    before=r"(?:[^A-Za-z0-9/+=]|\z)",
    trigger=r"(?:(?i:aws|secret)|A[KS]IA)(?:[^\"\\]|\\.)*[A-Za-z0-9/+\\]{40}",
)

# Inputs whose value the page's own capture hides; the contract says "contains".
SENSITIVE_INPUT_TYPES: Final = r"password|credit-card|cc-.*"
SENSITIVE_INPUT_WORDS: Final = r"password|passwd|secret|token|credit|card|cvv|cvc|ssn|cc-"
