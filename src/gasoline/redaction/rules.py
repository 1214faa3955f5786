"""The one table of what counts as a secret; redaction, its prefilter and the audit read it.

Patterns are re2 syntax, over bytes. Card numbers, e-mail addresses and the like are personal data:
the audit looks for those, redaction leaves them alone.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

# log: free text. data: object keys, JSON text. url: query strings, fragments, form bodies.
Place: TypeAlias = Literal["log", "data", "url", "header"]

# What a value must look like before its name is believed.
Evidence: TypeAlias = Literal["none", "random", "pairs"]

EVERYWHERE: Final = frozenset[Place]({"log", "data", "url", "header"})
IN_DATA: Final = frozenset[Place]({"data", "url", "header"})
IN_URLS: Final = frozenset[Place]({"url"})
IN_HEADERS: Final = frozenset[Place]({"header"})


class NameRule(Struct, frozen=True):
    """A name whose value is secret, such as `newPassword` or `x-api-key`."""

    kind: str
    title: str
    pattern: str
    """The end of the name, in any case; see NAME_TAIL for what may still follow."""
    seen_in: frozenset[Place] = IN_DATA
    evidence: Evidence = "none"
    whole_name: bool = False
    """Whether nothing may precede the pattern: `pin` is secret, `spin` is not."""


class TokenRule(Struct, frozen=True):
    """A value that gives itself away wherever it stands, such as `ghp_...`."""

    kind: str
    title: str
    pattern: str
    trigger: str
    """Found in every JSON text, however escaped, that holds a match of the rule."""
    after: str = r"(?:\b|\\[bfnrt])"
    """What precedes the secret and is kept. A word may begin after an escape such as `\\n`."""
    before: str = ""
    evidence: Evidence = "none"


# What may follow the telling part of a name: `password_confirmation`, `tokenHash`, `password2`.
NAME_TAIL: Final = (
    r"(?:[_-]?(?:confirm(?:ation|ed)?|repeat(?:ed)?|again|new|old|current|value|hash(?:ed)?"
    r"|digest|plain(?:text)?|raw|encrypted|base64|[0-9]{1,2}))*"
)

# Names that end like a secret and hold none.
HARMLESS_NAMES: Final = (
    r"(?:page|next|prev|previous|continuation|start|end|cancel|cancellation|design|sync|valid"
    r"|invalid|syntax|expected|unexpected)[_-]?token"
    r"|public[_-]?(?:api|access)[_-]?key"
)

# The first rule that fits names the kind.
NAME_RULES: Final = (
    NameRule(
        kind="password",
        title="Password",
        pattern=(r"pass[_-]?(?:word|wd|phrase|code)|pwd|(?:user|db|smtp|ftp|auth|login)[_-]?pass"),
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="private-key",
        title="Private key",
        pattern=r"private[_-]?key(?:[_-]?pem)?",
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="api-key",
        title="API key",
        pattern=(
            r"api[_-]?(?:key|secret|token)"
            r"|(?:auth|account|master|encryption|signing|subscription|service[_-]?role)[_-]?key"
        ),
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="one-time-code",
        title="One-time code",
        pattern=(
            r"(?:(?:sms|email|user|login|mfa|phone|new)[_-]?)?t?otp(?:[_-]?(?:code|token|secret))?"
            r"|(?:mfa|2fa|tfa|two[_-]?factor|verification|one[_-]?time|sms|backup|recovery)[_-]?code"
        ),
        whole_name=True,
    ),
    NameRule(
        kind="secret",
        title="Secret",
        pattern=r"secret(?:[_-]?(?:access[_-]?)?key|[_-]?token)?",
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="csrf-token",
        title="CSRF token",
        pattern=(
            r"(?:csrf|xsrf)[_-]?(?:middleware)?[_-]?token"
            r"|authenticity[_-]?token|request[_-]?verification[_-]?token"
        ),
    ),
    NameRule(
        kind="token",
        title="Access token",
        pattern=(
            r"(?:access|refresh|id|auth|authentication|authorization|session|bearer|security|user"
            r"|login|reset|remember(?:[_-]?me)?|verification|oauth|jwt|device|push|bot)[_-]?token"
        ),
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="session-id",
        title="Session identifier",
        pattern=r"session[_-]?(?:id|key)|sess[_-]?id",
    ),
    NameRule(
        kind="authorization",
        title="Authorization credentials",
        pattern=r"authorization",
        seen_in=EVERYWHERE,
    ),
    NameRule(
        kind="cookie",
        title="Cookie",
        pattern=r"(?:set[_-]?)?cookie",
        seen_in=EVERYWHERE,
        evidence="pairs",
        whole_name=True,
    ),
    NameRule(
        kind="pin",
        title="PIN",
        pattern=(
            r"(?:(?:user|card|account|new|old|current|confirm|login|security|atm|debit|sim)[_-]?)?"
            r"pin(?:[_-]?number)?"
        ),
        whole_name=True,
    ),
    NameRule(
        kind="card-security-code",
        title="Card security code",
        pattern=r"cvv|cvc|card[_-]?(?:security[_-]?)?code",
    ),
    NameRule(
        kind="card-number",
        title="Card number",
        pattern=r"card[_-]?(?:number|num|no)",
    ),
    NameRule(
        kind="card-number",
        title="Card number",
        pattern=r"cc[_-]?(?:number|num)",
        whole_name=True,
    ),
    NameRule(
        kind="ssn",
        title="Social security number",
        pattern=(
            r"(?:(?:user|customer|patient|employee|applicant|tax)[_-]?)?ssn"
            r"|social[_-]?security(?:[_-]?(?:number|no))?"
        ),
        whole_name=True,
    ),
    NameRule(
        kind="signature",
        title="Signed URL",
        pattern=r"x-(?:amz|goog)-(?:signature|credential)",
    ),
    NameRule(
        kind="token",
        title="Token",
        pattern=r"token|jwt|bearer|csrf|xsrf|access[_-]?key",
        evidence="random",
    ),
    NameRule(
        kind="url-secret",
        title="Secret in a URL",
        pattern=r"key|code|session|sid|sig|signature|auth|ticket",
        seen_in=IN_URLS,
        evidence="random",
        whole_name=True,
    ),
    NameRule(
        kind="header",
        title="Credentials in a header",
        pattern=r"token|api-?key|x-auth|x-auth-key|x-functions-key|cookie2?|csrf|xsrf|x-session",
        seen_in=IN_HEADERS,
    ),
)

TOKEN_RULES: Final = (
    TokenRule(
        kind="private-key",
        title="Private key",
        # A key that was cut off has no END line.
        pattern=(
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\+[nr])*"
            r"(?:[A-Za-z-]+: [^\r\n\\\"']*(?:\s|\\+[nr])+)*"
            r"(?:[A-Za-z0-9+/=\s]|\\+[nr]){16,}"
            r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        trigger=r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY",
        after="",
    ),
    TokenRule(
        kind="url-password",
        title="Password in a URL",
        after=r":\\*/\\*/[^\s/@:\"'<>\\?#\[\],]*:",
        pattern=r"[^\s/@\"'<>\\?#\[\],]+",
        before=r"@",
        trigger=r"/\\*/[^\s/@:\"?#]*:[^\s/@\"?#]+@",
    ),
    TokenRule(
        kind="bearer-token",
        title="Bearer token",
        after=r"(?i:\bbearer|\\[bfnrt]bearer)(?:\s|%20|\+)+",
        pattern=r"[A-Za-z0-9._~+/=-]{6,}",
        trigger=r"(?i:bearer)(?:[\s\\+]|%20)",
        evidence="random",
    ),
    TokenRule(
        kind="basic-credentials",
        title="Basic authentication credentials",
        after=r"(?i:\bbasic|\\[bfnrt]basic)(?:\s|%20|\+)+",
        pattern=r"[A-Za-z0-9+/]{8,}={0,2}",
        trigger=r"(?i:basic)(?:[\s\\+]|%20)(?:[\s\\+nrtfu0-9]|%20)*[A-Za-z0-9+/\\]{8}",
        evidence="random",
    ),
    TokenRule(
        kind="jwt",
        title="JSON Web Token",
        pattern=(r"eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*)"),
        trigger=r"eyJ[\w-]{8,}\.[\w-]{8}",
    ),
    TokenRule(
        kind="aws-access-key-id",
        title="AWS access key id",
        pattern=r"A[KS]IA[0-9A-Z]{16}",
        trigger=r"A[KS]IA[0-9A-Z]{16}",
    ),
    TokenRule(
        kind="github-token",
        title="GitHub token",
        pattern=r"(?:gh[pousr]_\w{30,}|github_pat_\w{22,})",
        trigger=r"gh[pousr]_\w{30}|github_pat_",
    ),
    TokenRule(
        kind="gitlab-token",
        title="GitLab token",
        pattern=r"gl(?:pat|ptt|dt|rt|cbt)-[\w-]{20,}",
        trigger=r"gl(?:pat|ptt|dt|rt|cbt)-[\w-]{20}",
    ),
    TokenRule(
        kind="slack-token",
        title="Slack token",
        pattern=r"(?:xox[a-z]|xapp)-[\w-]{10,}",
        trigger=r"(?:xox[a-z]|xapp)-",
    ),
    TokenRule(
        kind="slack-webhook",
        title="Slack webhook address",
        after=r"hooks\.slack\.com\\*/(?:services|workflows|triggers)\\*/",
        pattern=r"\w{2,}(?:\\*/\w+)*",
        trigger=r"hooks\.slack\.com",
    ),
    TokenRule(
        kind="stripe-secret-key",
        title="Stripe secret key",
        pattern=r"(?:[sr]k_(?:live|test)_\w{16,}|whsec_[\w+/=]{16,})",
        trigger=r"[sr]k_(?:live|test)_|whsec_",
    ),
    TokenRule(
        kind="anthropic-key",
        title="Anthropic API key",
        pattern=r"sk-ant-[\w-]{20,}",
        trigger=r"sk-ant-",
    ),
    TokenRule(
        kind="openai-key",
        title="OpenAI API key",
        pattern=r"sk-(?:(?:proj|svcacct|admin|or)-[\w-]{20,}|[A-Za-z0-9]{32,})",
        trigger=r"sk-(?:(?:proj|svcacct|admin|or)-|[A-Za-z0-9]{32})",
    ),
    TokenRule(
        kind="google-oauth-secret",
        title="Google OAuth secret",
        pattern=r"(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})",
        trigger=r"ya29\.[\w-]{20}|GOCSPX-",
    ),
    TokenRule(
        kind="sendgrid-key",
        title="SendGrid API key",
        pattern=r"SG\.[\w-]{16,}\.[\w-]{16,}",
        trigger=r"SG\.[\w-]{16,}\.",
    ),
    TokenRule(
        kind="mailgun-key",
        title="Mailgun API key",
        pattern=r"key-[0-9a-f]{32}",
        trigger=r"key-[0-9a-f]{32}",
    ),
    TokenRule(
        kind="twilio-key",
        title="Twilio API key",
        pattern=r"SK[0-9a-f]{32}",
        trigger=r"SK[0-9a-f]{32}",
    ),
    TokenRule(
        kind="npm-token",
        title="npm token",
        pattern=r"npm_[A-Za-z0-9]{36}",
        trigger=r"npm_[A-Za-z0-9]{36}",
    ),
    TokenRule(
        kind="pypi-token",
        title="PyPI token",
        pattern=r"pypi-[\w-]{50,}",
        trigger=r"pypi-[\w-]{50}",
    ),
    TokenRule(
        kind="huggingface-token",
        title="Hugging Face token",
        pattern=r"hf_[A-Za-z0-9]{30,}",
        trigger=r"hf_[A-Za-z0-9]{30}",
    ),
    TokenRule(
        kind="digitalocean-token",
        title="DigitalOcean token",
        pattern=r"do[opr]_v1_[0-9a-f]{64}",
        trigger=r"do[opr]_v1_",
    ),
    TokenRule(
        kind="shopify-token",
        title="Shopify token",
        pattern=r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
        trigger=r"shp(?:at|ca|pa|ss)_",
    ),
    TokenRule(
        kind="square-token",
        title="Square token",
        pattern=r"sq0[a-z]{3}-[\w-]{22,}",
        trigger=r"sq0[a-z]{3}-",
    ),
    TokenRule(
        kind="discord-token",
        title="Discord bot token",
        # It begins with the bot's number in base64; each four characters stand for three digits.
        pattern=(r"(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){5,}[\w-]{0,8}\.[\w-]{6}\.[\w-]{27,}"),
        trigger=r"(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){3}",
    ),
    TokenRule(
        kind="telegram-token",
        title="Telegram bot token",
        pattern=r"(?:bot)?[0-9]{8,10}:AA[\w-]{33}",
        trigger=r"[0-9]:AA[\w-]{33}",
    ),
    TokenRule(
        kind="service-token",
        title="Service token",
        pattern=(
            r"(?:lin_api_\w{32,}|ntn_\w{40,}|dapi[0-9a-f]{32}|sbp_[0-9a-f]{40}|gsk_\w{40,}"
            r"|xai-\w{40,}|pplx-\w{40,}|sntry[su]_[\w+/=]{40,}|ATATT3[\w=-]{40,})"
        ),
        trigger=(
            r"lin_api_|ntn_\w{40}|dapi[0-9a-f]{32}|sbp_[0-9a-f]{40}|gsk_\w{40}"
            r"|xai-\w{40}|pplx-\w{40}|sntry[su]_|ATATT3"
        ),
    ),
)

# Forty characters prove nothing by themselves; they do next to a word that says what they are.
# The gap stops at brackets, so that a mark never serves as that word.
AWS_SECRET_RULE: Final = TokenRule(
    kind="aws-secret-access-key",
    title="AWS secret access key",
    after=r"(?:(?i:aws|secret)|A[KS]IA[0-9A-Z]{16})(?:[^\n\[\]]{0,40}?[^A-Za-z0-9/+=\n\[\]])",
    pattern=r"[A-Za-z0-9/+]{40}",
    before=r"(?:[^A-Za-z0-9/+=]|\z)",
    trigger=r"(?:(?i:aws|secret)|A[KS]IA)(?:[^\"\\]|\\.)*[A-Za-z0-9/+\\]{40}",
)

# Inputs whose value the page's own capture hides; the contract says "contains".
SENSITIVE_INPUT_TYPES: Final = r"password|credit-card|cc-.*"
SENSITIVE_INPUT_WORDS: Final = r"password|passwd|secret|token|credit|card|cvv|cvc|ssn|cc-"
