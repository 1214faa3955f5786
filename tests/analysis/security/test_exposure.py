"""Personal data that reaches whoever asks, or the console."""

import json
from typing import Any

import pytest

from tests.analysis.security.auditing import Session

USER = json.dumps({"id": 7, "email": "ann@mailpost.no", "phone": "+1 202 555 0143"})
URL = "https://shop.io/api/users/7"


def test_user_data_without_authentication_is_a_warning() -> None:
    (finding,) = (
        Session().call(url=URL, responseBody=USER, hasAuthHeader=False).find("auth_patterns")
    )

    assert finding.severity == "warning"
    assert finding.title == "Endpoint returns user data without authentication"
    assert finding.evidence == {
        "method": "GET",
        "url": URL,
        "status": 200,
        "auth_header_present": False,
        "response_contains_pii": True,
        "pii_fields": ["email", "phone"],
        "seq": 1,
    }


@pytest.mark.parametrize(
    "call",
    [
        {"responseBody": USER, "hasAuthHeader": True},
        {"responseBody": USER},
        {"responseBody": USER, "requestHeaders": {"authorization": "x"}},
        {"responseBody": '{"items":[1,2]}', "hasAuthHeader": False},
        {"responseBody": USER, "hasAuthHeader": False, "status": 404},
        {"responseBody": USER, "hasAuthHeader": False, "requestBody": USER},
    ],
    ids=["authenticated", "unknown", "by header", "public", "failed", "an echo"],
)
def test_other_endpoints_are_not(call: dict[str, Any]) -> None:
    assert Session().call(url=URL, **call).find("auth_patterns") == []


def test_headers_tell_where_the_flag_is_missing() -> None:
    session = Session().call(url=URL, responseBody=USER, requestHeaders={"accept": "*/*"})

    assert len(session.find("auth_patterns")) == 1


def test_an_endpoint_is_named_once_however_often_it_was_called() -> None:
    session = Session()
    for number in range(3):
        session.call(
            url=f"https://shop.io/api/users/{number}", responseBody=USER, hasAuthHeader=False
        )

    (finding,) = session.find("auth_patterns")

    assert finding.evidence["occurrences"] == 3


@pytest.mark.parametrize(
    ("authenticated", "severity"), [(True, "info"), (False, "warning"), (None, "info")]
)
def test_personal_data_in_a_response_is_rated_by_who_asked(
    authenticated: bool | None,  # noqa: FBT001  # a case
    severity: str,
) -> None:
    flag = {} if authenticated is None else {"hasAuthHeader": authenticated}

    (finding,) = Session().call(url=URL, responseBody=USER, **flag).find("pii_exposure")

    assert finding.severity == severity
    assert finding.cwe == "CWE-359"


def test_mock_data_is_information() -> None:
    body = '{"email":"test@mailpost.no"}'
    session = Session().call(url=URL, responseBody=body, hasAuthHeader=False)

    assert {finding.severity for finding in session.audit().findings} == {"info"}


@pytest.mark.parametrize(
    ("text", "severity", "pattern"),
    [
        ("signed in as ann@mailpost.no", "info", "email"),
        ("call +1 202 555 0143", "info", "phone"),
        ("ssn 078-05-1120", "warning", "ssn"),
        ("card 4242 4242 4242 4242", "warning", "credit_card"),
    ],
)
def test_personal_data_in_the_console_is_found_and_masked(
    text: str, severity: str, pattern: str
) -> None:
    (finding,) = Session().say(text).find("pii_exposure")

    assert (finding.severity, finding.evidence["pattern"]) == (severity, pattern)
    assert text.split(" ", 1)[1] not in finding.evidence["redacted_preview"]
