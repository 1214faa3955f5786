"""One made-up secret per rule. Built from parts, so that secret scanners do not mistake them."""

from typing import Final

_LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
_HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

TOKENS: Final = {
    "private-key": (
        "-----BEGIN RSA PRIVATE" + f" KEY-----\nMIIE{_LETTERS}\n-----END RSA PRIVATE KEY-----"
    ),
    "url-password": "hunter2secret",
    "bearer-token": "abc123",
    "basic-credentials": "dXNlcjpwYXNz",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "aws-access-key-id": "AKIA" + "IOSFODNN7EXAMPLE",
    "github-token": "ghp_" + _LETTERS[:36],
    "gitlab-token": "glpat-" + _LETTERS[:20],
    "slack-token": "xoxb-" + _LETTERS[:24],
    "slack-webhook": "T0000/B0000/" + _LETTERS[:24],
    "stripe-secret-key": "sk_" + "live_" + _LETTERS[:24],
    "anthropic-key": "sk-ant-" + _LETTERS,
    "openai-key": "sk-proj-" + _LETTERS,
    "google-oauth-secret": "GOCSPX-" + _LETTERS[:28],
    "sendgrid-key": "SG." + _LETTERS[:22] + "." + _LETTERS,
    "mailgun-key": "key-" + _HEX,
    "twilio-key": "SK" + _HEX,
    "npm-token": "npm_" + _LETTERS[:36],
    "pypi-token": "pypi-" + _LETTERS + _LETTERS,
    "huggingface-token": "hf_" + _LETTERS[:34],
    "digitalocean-token": "dop_v1_" + _HEX + _HEX,
    "shopify-token": "shpat_" + _HEX,
    "square-token": "sq0csp-" + _LETTERS,
    "discord-token": "MTIzNDU2Nzg5MDEy" + "MzQ1Njc4." + _LETTERS[:6] + "." + _LETTERS[:27],
    "telegram-token": "123456789:AA" + _LETTERS[:33],
    "service-token": "lin_api_" + _LETTERS,
}

# Where a rule needs company, what stands around the secret.
AROUND: Final = {
    "url-password": ("postgres://admin:", "@localhost/shop"),
    "bearer-token": ("sent Bearer ", " to /api"),
    "basic-credentials": ("sent Basic ", " to /api"),
    "slack-webhook": ("https://hooks.slack.com/services/", " answered 200"),
}

AWS_SECRET: Final = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"


def in_context(kind: str) -> tuple[str, str, str]:
    """Give a token of this kind and the text before and after it."""
    before, after = AROUND.get(kind, ("got ", " from the server"))
    return before, TOKENS[kind], after
