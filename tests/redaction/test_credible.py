"""Telling live secrets from words, samples and placeholders."""

import zlib

import pytest

from gasoline.redaction import redact_record, redact_text
from gasoline.redaction.checks import _base62
from gasoline.redaction.marks import SAMPLE, find_marks
from tests.redaction.samples import TOKENS, in_context


def is_sample(text: str) -> bool:
    (mark,) = find_marks(redact_text(text))
    return mark.masked == SAMPLE


@pytest.mark.parametrize(
    "text",
    [
        '{"password":"Passwort"}',
        '{"api_key":"YOUR_API_KEY"}',
        "api_key = 'insert-your-key-here'",
        'secret = "changeme"',
        "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE",
        "ghp_" + "x" * 36,
        "password: string",
        "token=test_1234567890abcdef&x=1",
    ],
)
def test_a_sample_is_removed_and_marked_as_one(text: str) -> None:
    assert is_sample(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"password":"hunter2"}',
        '{"password":"lighthouse"}',
        "password = 'super$ecret'",
        'api_key = "951bc382db9abad29c68634761dd6e19"',
        "sk_" + "test_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
        "clientSecret: 'Ufvuj-d6alhwGKvvLh_8Nq0K'",
        "heroku_key = '5ac1ef07-5e0a-4b1f-9d9a-7a2e8f0c1d3b'",
        "?token=hl9f2c7d41b86e5a03c9d7",
    ],
)
def test_a_live_secret_is_not(text: str) -> None:
    assert not is_sample(text)


@pytest.mark.parametrize("kind", TOKENS)
def test_no_token_of_the_samples_is_taken_for_an_example(kind: str) -> None:
    assert not is_sample("".join(in_context(kind)))


def test_a_right_checksum_overrules_a_sample_word() -> None:
    body = "a1B2test" + "c3D4e5F6g7H8i9J0k1L2m3"
    checksum = _base62(zlib.crc32(body.encode())).rjust(6, "0")

    assert not is_sample(f"ghp_{body}{checksum}")
    assert is_sample(f"ghp_{body}000000")


def test_a_named_token_is_known_by_its_provider() -> None:
    redacted = redact_record({"apiKey": TOKENS["github-token"], "token": TOKENS["slack-token"]})

    assert [find_marks(value)[0].kind for value in redacted.values()] == [
        "github-token",
        "slack-token",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{n} = "{s}"',
        "{n}={s}",
        "{n}: '{s}'",
        "{n} := `{s}`",
        'var {n} string = "{s}"',
        "{n}: string = '{s}'",
        '{n} ?= "{s}"',
        '{n} ::= "{s}"',
        "'{n}' => '{s}'",
        "<{n}>{s}</{n}>",
        "<{n}>\n  {s}\n</{n}>",
        "{n}: |\n  {s}",
        '{{"{n}": "{s}"}}',
    ],
)
@pytest.mark.parametrize("name", ["serviceToken", "datadog_key", "CLIENT_SECRET"])
def test_every_form_of_assignment_is_understood(text: str, name: str) -> None:
    secret = "q4k8f0z1w9x7c3v5b6n2m8l0p1o9i7u3"

    assert secret not in redact_text(text.format(n=name, s=secret))
