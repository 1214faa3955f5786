import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.redaction import is_secret_header, redact_text
from gasoline.redaction.marks import mark
from gasoline.redaction.names import find_key_rule
from gasoline.redaction.rules import (
    AWS_SECRET_RULE,
    NAME_RULES,
    TELLING_WORDS,
    TOKEN_RULES,
    NameRule,
    TokenRule,
)
from tests.redaction.samples import AWS_SECRET, TOKENS, in_context

RULES = (*NAME_RULES, *TOKEN_RULES, AWS_SECRET_RULE)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{type(rule).__name__}-{rule.kind}")
def test_a_rule_has_a_kind_that_fits_into_a_mark_and_a_title(rule: NameRule | TokenRule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.kind)
    assert rule.title


@pytest.mark.parametrize(
    "rule", [rule for rule in NAME_RULES if rule.in_page], ids=lambda rule: rule.kind
)
def test_whatever_a_rule_of_the_page_finds_has_a_telling_word(rule: NameRule) -> None:
    @settings(deadline=None)
    @given(name=st.from_regex(rule.pattern, fullmatch=True))
    def is_told(name: str) -> None:
        assert any(word in name.lower() for word in TELLING_WORDS)

    is_told()


@pytest.mark.parametrize(
    "text", ["http://127.0.0.1:8000/api/session", '{"author":"Ana M.","session":"morning"}']
)
def test_a_page_need_not_look_twice_at_ordinary_words(text: str) -> None:
    assert not any(word in text for word in TELLING_WORDS)


@pytest.mark.parametrize("rule", TOKEN_RULES, ids=lambda rule: rule.kind)
def test_a_token_rule_leaves_capturing_to_its_user(rule: TokenRule) -> None:
    assert re.compile(f"{rule.after}{rule.pattern}{rule.before}").groups == 0


def test_there_is_a_sample_of_every_token() -> None:
    assert sorted(TOKENS) == sorted(rule.kind for rule in TOKEN_RULES)


@pytest.mark.parametrize("kind", TOKENS)
def test_a_token_is_replaced_wherever_it_stands(kind: str) -> None:
    before, token, after = in_context(kind)

    redacted = redact_text(f"{before}{token}{after}")

    assert redacted == f"{before}{mark(kind, token)}{after}"


@pytest.mark.parametrize(
    "token",
    [
        "gho_" + "a1B2" * 9,
        "ghs_" + "a1B2" * 9,
        "github_pat_" + "a1B2" * 10,
        "xapp-1-A0123456789-abc",
        "xoxp-1234567890-abc",
        "sk_" + "test_" + "a1B2" * 6,
        "rk_" + "live_" + "a1B2" * 6,
        "whsec_" + "a1B2" * 8,
        "sk-" + "a1B2" * 12,
        "ya29." + "a1B2" * 10,
        "ASIA" + "IOSFODNN7EXAMPLE",
        "eyJhbGciOiJub25l.eyJzdWIiOiIxMjM0",
        "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF",
        "-----BEGIN OPENSSH " + "PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAA\\n",
    ],
)
def test_every_form_of_a_token_is_known(token: str) -> None:
    redacted = redact_text(f"({token})")

    assert redacted.startswith("([redacted:")
    assert token[-12:] not in redacted


@pytest.mark.parametrize(
    "text",
    [
        f"aws: {AWS_SECRET}",
        f"SECRET {AWS_SECRET}.",
        f"{TOKENS['aws-access-key-id']} {AWS_SECRET}",
    ],
)
def test_forty_characters_next_to_aws_are_a_secret(text: str) -> None:
    redacted = redact_text(text)

    assert mark("aws-secret-access-key", AWS_SECRET) in redacted
    assert AWS_SECRET not in redacted


@pytest.mark.parametrize(
    "text",
    [
        f"digest {AWS_SECRET}",
        f"aws {AWS_SECRET}A",
        "aws sdk at commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
        f"aws {'.' * 60} {AWS_SECRET}",
    ],
)
def test_forty_characters_elsewhere_are_not(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("PASSWORD", "password"),
        ("passwd", "password"),
        ("pwd", "password"),
        ("passphrase", "password"),
        ("newPassword", "password"),
        ("old-password", "password"),
        ("password_confirmation", "password"),
        ("passwordHash", "password"),
        ("password2", "password"),
        ("user.password", "password"),
        ("db_pass", "password"),
        ("secret", "secret"),
        ("client_secret", "secret"),
        ("clientSecret", "secret"),
        ("stripeSecretKey", "secret"),
        ("aws_secret_access_key", "secret"),
        ("api_key", "api-key"),
        ("apiKey", "api-key"),
        ("api-key", "api-key"),
        ("X-API-Key", "api-key"),
        ("api_secret", "api-key"),
        ("access_token", "token"),
        ("accessToken", "token"),
        ("refresh_token", "token"),
        ("id_token", "token"),
        ("authToken", "token"),
        ("session_token", "token"),
        ("csrf_token", "csrf-token"),
        ("csrfmiddlewaretoken", "csrf-token"),
        ("authenticity_token", "csrf-token"),
        ("session_id", "session-id"),
        ("sessionId", "session-id"),
        ("JSESSIONID", "session-id"),
        ("PHPSESSID", "session-id"),
        ("private_key", "private-key"),
        ("privateKeyPem", "private-key"),
        ("pin", "pin"),
        ("newPin", "pin"),
        ("cvv", "card-security-code"),
        ("cardCvc", "card-security-code"),
        ("cvv2", "card-security-code"),
        ("card_number", "card-number"),
        ("creditCardNumber", "card-number"),
        ("ccNumber", "card-number"),
        ("ssn", "ssn"),
        ("otp", "one-time-code"),
        ("mfaCode", "one-time-code"),
        ("Authorization", "authorization"),
        ("set-cookie", "cookie"),
        ("token", "token"),
        ("_token", "token"),
    ],
)
def test_a_name_that_promises_a_secret_is_known(name: str, kind: str) -> None:
    rule = find_key_rule(name)

    assert rule is not None
    assert rule.kind == kind


@pytest.mark.parametrize(
    "name",
    [
        "passwordless",
        "password_hint",
        "passwordResetUrl",
        "tokenize",
        "tokens",
        "tokens_used",
        "max_tokens",
        "token_type",
        "nextPageToken",
        "cancelToken",
        "invalid_token",
        "secretary",
        "secretName",
        "keyboard",
        "key",
        "primaryKey",
        "publicKey",
        "public_api_key",
        "author",
        "authors",
        "authorizationUrl",
        "session",
        "sessionCount",
        "pinned",
        "spin",
        "pinch",
        "shipping",
        "laptop",
        "accountNumber",
        "card",
        "cardType",
        "cookies",
        "cookieConsent",
        "pass",
        "passed",
        "compass",
        "code",
        "statusCode",
        "",
    ],
)
def test_a_name_that_only_sounds_secret_is_left_alone(name: str) -> None:
    assert find_key_rule(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "authorization",
        "Authorization",
        "AUTHORIZATION",
        "proxy-authorization",
        "cookie",
        "Set-Cookie",
        "x-auth-token",
        "x-api-key",
        "X-CSRF-Token",
        "x-xsrf-token",
        "x-access-token",
        "x-goog-api-key",
        "x-amz-security-token",
        "api-key",
        "apikey",
        "x-session-token",
        "x-session-id",
        "x-vault-token",
        "private-token",
    ],
)
def test_a_header_with_credentials_is_known(name: str) -> None:
    assert is_secret_header(name)


@pytest.mark.parametrize(
    "name",
    [
        "content-type",
        "accept",
        "etag",
        "x-request-id",
        "access-control-allow-headers",
        "sec-websocket-key",
        "idempotency-key",
        "x-ratelimit-remaining-tokens",
        "authority",
        ":authority",
        "www-authenticate",
        "",
    ],
)
def test_an_ordinary_header_is_left_alone(name: str) -> None:
    assert not is_secret_header(name)
