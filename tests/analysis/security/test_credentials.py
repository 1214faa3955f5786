"""Secrets in URLs, bodies, console messages and WebSocket data."""

import json

import pytest

from tests.analysis.security.auditing import Session
from tests.redaction.samples import AWS_SECRET, TOKENS, in_context

KEY = "hl9f2c7d41b86e5a03c9d7"
LONG_KEY = "Zx8kQ0pLm3Vt9Rw2Yb5Nc7Hd"


def test_a_key_in_a_query_is_found_with_its_place_and_masked() -> None:
    url = f"https://shop.io/api/data?page=2&api_key={LONG_KEY}"

    (finding,) = Session().call(url=url).find("credentials")

    assert finding.severity == "critical"
    assert finding.title == "API key exposed in URL query parameter"
    assert finding.cwe == "CWE-598"
    assert finding.evidence == {
        "method": "GET",
        "url": "https://shop.io/api/data?page=2&api_key=Zx8kQ0...7Hd",
        "field": "query_param",
        "param_name": "api_key",
        "redacted_value": "Zx8kQ0...7Hd",
        "seq": 1,
    }
    assert LONG_KEY not in repr(finding)


@pytest.mark.parametrize(
    "name", ["api_key", "apikey", "APIKEY", "key", "token", "secret", "password", "auth", "bearer"]
)
def test_every_specified_parameter_is_critical(name: str) -> None:
    (finding,) = Session().call(url=f"https://shop.io/a?{name}={KEY}").find("credentials")

    assert finding.severity == "critical"
    assert finding.evidence["param_name"] == name


@pytest.mark.parametrize("name", ["mysecretvalue", "user_password_1", "xtokenx", "passwd"])
def test_a_name_that_contains_a_secret_word_is_critical_in_a_url(name: str) -> None:
    (finding,) = Session().call(url=f"https://shop.io/a?{name}={KEY}").find("credentials")

    assert finding.severity == "critical"


@pytest.mark.parametrize(
    "query",
    [
        "key=enter",
        "token=short",
        "api_key=test_key_1234567890",
        "token=my-sample-value-1",
        "key=dev_0123456789",
        "api_key=",
        "sort=token",
    ],
)
def test_a_short_a_sample_or_an_empty_value_is_not(query: str) -> None:
    assert Session().call(url=f"https://shop.io/a?{query}").find("credentials") == []


def test_twenty_letters_in_a_row_are_no_word() -> None:
    url = "https://shop.io/a?token=abcdefghijklmnopqrst"

    (finding,) = Session().call(url=url).find("credentials")

    assert finding.severity == "critical"


def test_the_first_line_of_a_private_key_is_enough() -> None:
    body = "-----BEGIN EC PRIVATE" + " KEY-----\nMIIE..."

    (finding,) = Session().call(responseBody=body).find("credentials")

    assert (finding.severity, finding.cwe) == ("critical", "CWE-321")


def test_one_parameter_gives_one_finding_with_the_most_specific_title() -> None:
    url = f"https://shop.io/a?auth_token={TOKENS['github-token']}"

    (finding,) = Session().call(url=url).find("credentials")

    assert finding.title == "GitHub token exposed in URL query parameter"


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize("field", ["responseBody", "requestBody"])
def test_every_token_is_found_in_bodies(kind: str, field: str) -> None:
    body = json.dumps({"note": "".join(in_context(kind))})

    found = Session().call(**{field: body}).find("credentials", severity_min="warning")

    assert len(found) == 1
    assert found[0].cwe
    assert found[0].recommendation


@pytest.mark.parametrize("kind", TOKENS)
def test_no_finding_ever_holds_the_secret(kind: str) -> None:
    text, token = "".join(in_context(kind)), in_context(kind)[1]
    session = Session().call(responseBody=text, requestBody=text).say(text, args=[text]).hear(text)

    audit = session.audit()

    assert audit.findings
    assert token not in repr(audit)
    assert token[6:-3] not in repr(audit) or len(token) < 24


def test_an_aws_secret_is_found_beside_its_name() -> None:
    (finding,) = Session().call(responseBody=f"aws key: {AWS_SECRET}").find("credentials")

    assert finding.title == "AWS secret access key in response body"


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ({"assertion": TOKENS["jwt"]}, "warning"),
        ({"api_key": "abcd1234efgh"}, "warning"),
        ({"apiKey": "abcd1234efgh"}, "warning"),
        ({"api_secret": "abcd1234efgh"}, "warning"),
        ({"k": TOKENS["github-token"]}, "critical"),
        ({"k": TOKENS["stripe-secret-key"]}, "critical"),
        ({"k": TOKENS["aws-access-key-id"]}, "critical"),
        ({"k": TOKENS["private-key"]}, "critical"),
    ],
)
def test_a_secret_in_a_request_body_is_rated(body: dict[str, str], severity: str) -> None:
    (finding,) = Session().call(requestBody=json.dumps(body)).find("credentials")

    assert finding.severity == severity
    assert finding.evidence["field"] == "request_body"


@pytest.mark.parametrize(
    "body",
    [
        '{"user":"ann","password":"Tr0ub4dor3"}',
        "user=ann&password=Tr0ub4dor3",
        '{"refresh_token":"a8f7d9e0b1c2d3e4f5"}',
        '{"otp":"482913"}',
        '{"csrf_token":"a8f7d9e0b1c2d3e4f5"}',
    ],
)
def test_what_belongs_into_a_request_body_is_no_finding(body: str) -> None:
    assert Session().call(requestBody=body).find("credentials", "pii_exposure") == []


def test_a_stripe_test_key_is_a_warning() -> None:
    key = "sk_" + "test_" + "a1B2c3D4e5F6g7H8i9J0k1L2"

    (finding,) = Session().call(responseBody=f'{{"k":"{key}"}}').find("credentials")

    assert finding.severity == "warning"


@pytest.mark.parametrize("word", ["test", "dev", "example", "sample", "demo", "dummy"])
def test_a_key_with_a_sample_word_is_not_flagged(word: str) -> None:
    key = f"ghp_{word}" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"[: 36 - len(word)]
    session = Session().call(url=f"https://shop.io/{key}", requestBody=key).say(key)

    assert session.find("credentials", "pii_exposure") == []


def test_a_mock_key_in_a_response_is_information() -> None:
    key = "ghp_example" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o"

    (finding,) = Session().call(responseBody=key).find("credentials")

    assert finding.severity == "info"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("pk_" + "live_a1B2c3D4e5F6g7H8i9J0k1L2", "Publishable Stripe key in response body"),
        ("AIza" + "SyD-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P", "Google API key in response body"),
        (
            "https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o1.ingest.sentry.io/45",
            "Sentry DSN in response",
        ),
        ("phc_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "PostHog project key in response body"),
        ("pk.eyJ1" + "a1B2c3D4e5F6g7H8i9J0k1." + "a1B2c3D4e5F6g7H8i9J0k1", "Public Mapbox token"),
    ],
)
def test_a_key_that_is_public_by_design_is_information(text: str, title: str) -> None:
    (finding,) = Session().call(responseBody=f'{{"id":"{text}"}}').find("credentials")

    assert finding.severity == "info"
    assert finding.title.startswith(title)


def test_a_public_key_that_its_name_had_removed_is_still_known() -> None:
    firebase = {"apiKey": "AIza" + "SyD-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P", "projectId": "shop"}

    (finding,) = Session().call(responseBody=json.dumps(firebase)).find("credentials")

    assert (finding.severity, finding.title) == ("info", "Google API key in response body")


def test_the_same_key_for_a_billed_api_is_critical() -> None:
    key = "AIza" + "SyD-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"
    url = f"https://generativelanguage.googleapis.com/v1/models?key={key}"

    (finding,) = Session().call(url=url).find("credentials")

    assert finding.severity == "critical"


def test_the_anonymous_supabase_key_is_public_and_the_service_key_is_not() -> None:
    anonymous = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJhbm9uIn0.a1B2c3D4e5F6g7H8"
    service = (
        "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdXBhYmFzZSIsInJvbGUiOiJzZXJ2aWNlX3JvbGUifQ.a1B2c3D4e5F6g7"
    )

    (public,) = Session().call(responseBody=anonymous).find("credentials")
    (leaked,) = Session().call(responseBody=service).find("credentials")

    assert (public.severity, leaked.severity) == ("info", "critical")
    assert leaked.title == "Supabase secret key in response body"


@pytest.mark.parametrize(
    ("text", "severity", "pattern"),
    [
        (f"Token: {TOKENS['jwt']}", "critical", "jwt_token"),
        (f"api_key={LONG_KEY}", "critical", "api_key"),
        ("sent Bearer a8f7d9e0b1c2d3e4", "critical", "bearer_token"),
        ("login with password: hunter2x", "warning", "password"),
        (TOKENS["openai-key"], "critical", "openai_key"),
    ],
)
@pytest.mark.parametrize("level", ["log", "info", "debug", "warn", "error"])
def test_a_secret_in_the_console_is_exposed_data(
    level: str, text: str, severity: str, pattern: str
) -> None:
    (finding,) = Session().say(text, level=level, source="auth.js:45").find("pii_exposure")

    assert finding.severity == severity
    assert finding.cwe == "CWE-532"
    assert finding.evidence["type"] == "console"
    assert finding.evidence["level"] == level
    assert finding.evidence["pattern"] == pattern
    assert finding.evidence["source"] == "auth.js:45"
    assert "redacted" not in finding.evidence["redacted_preview"]


def test_console_secrets_answer_to_both_checks_but_count_once() -> None:
    session = Session().say(f"key {TOKENS['github-token']}")

    assert [one.category for one in session.find("credentials")] == ["credentials"]
    assert [one.category for one in session.find("pii_exposure")] == ["pii_exposure"]
    assert len(session.audit().findings) == 1


def test_console_arguments_are_searched_as_well() -> None:
    args = ["config", {"auth": {"value": TOKENS["slack-token"]}}]

    (finding,) = Session().say("config", args=args).find("credentials")

    assert finding.title == "Slack token logged to console"


@pytest.mark.parametrize("field", ["password", "token", "accessToken"])
def test_a_password_or_token_in_any_response_is_critical(field: str) -> None:
    body = json.dumps({"user": {field: "a8f7d9e0b1c2d3e4f5"}})

    (finding,) = Session().call(responseBody=body, hasAuthHeader=True).find("pii_exposure")

    assert finding.severity == "critical"
    assert finding.evidence["param_name"] == field


def test_websocket_data_and_addresses_are_searched() -> None:
    session = Session().hear(f'{{"key":"{TOKENS["openai-key"]}"}}', direction="outgoing")
    session.hear("{}", url=f"wss://shop.io/live?token={KEY}")

    found = session.find("credentials")

    assert [one.title for one in found] == [
        "Access token in WebSocket URL",
        "OpenAI API key in outgoing WebSocket message",
    ]


def test_calls_of_one_endpoint_are_one_finding_that_counts_them() -> None:
    session = Session()
    for number in range(5):
        session.call(url=f"https://shop.io/users/{number}?api_key={KEY}")

    (finding,) = session.find("credentials")

    assert finding.evidence["occurrences"] == 5
    assert finding.evidence["url"].startswith("https://shop.io/users/4")


def test_headers_are_not_searched() -> None:
    headers = {"Authorization": f"Bearer {TOKENS['jwt']}", "Cookie": "sid=a8f7d9e0b1c2d3e4f5"}

    assert Session().call(requestHeaders=headers).find("credentials", "pii_exposure") == []
