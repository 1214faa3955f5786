"""Every rule has a severity, and every public key an example."""

import pytest

from gasoline.analysis.security.leaks import find_leaks
from gasoline.analysis.security.severity import _BY_NAME
from gasoline.redaction.rules import NAME_RULES, PUBLIC_RULES, TOKEN_RULES

_LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
_HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
PUBLIC = {
    "stripe-publishable-key": "pk_" + "live_" + _LETTERS[:24],
    "google-api-key": "AIza" + _LETTERS[:35],
    "mapbox-public-token": "pk.eyJ1" + _LETTERS + "." + _LETTERS[:22],
    "sentry-dsn": f"https://{_HEX}@o1.ingest.sentry.io/45",
    "posthog-project-key": "phc_" + _LETTERS,
    "supabase-publishable-key": "sb_publishable_" + _LETTERS[:31],
    "newrelic-browser-key": "NRJS-" + _HEX[:19],
    "datadog-client-token": "pub" + _HEX,
    "braintree-tokenization-key": "production_" + _HEX[:8] + "_" + _HEX[:16],
    "flutterwave-public-key": "FLWPUBK-" + _HEX + "-X",
    "razorpay-key-id": "rzp_" + "live_" + _LETTERS[:14],
    "square-application-id": "sq0idp-" + _LETTERS[:22],
    "recaptcha-site-key": "6L" + _LETTERS[:6] + "AAAAA" + _LETTERS[:27],
    "google-analytics-id": "G-AB12CD34EF",
    "arcgis-key": "AAPK" + _LETTERS * 2,
}


def test_every_name_has_a_severity_for_every_place() -> None:
    kinds = {rule.kind for rule in NAME_RULES}

    assert kinds <= _BY_NAME.keys()
    assert {len(severities) for severities in _BY_NAME.values()} == {5}


@pytest.mark.parametrize("rule", TOKEN_RULES, ids=lambda rule: rule.kind)
def test_every_token_has_a_weakness_and_a_way_out(rule: object) -> None:
    assert getattr(rule, "cwe", "").startswith("CWE-")
    assert getattr(rule, "recommendation", "").endswith(".")


@pytest.mark.parametrize(
    "rule", [rule for rule in PUBLIC_RULES if rule.pattern], ids=lambda one: one.kind
)
def test_every_public_key_is_known_and_left_as_it_is(rule: object) -> None:
    kind = getattr(rule, "kind", "")

    (leak,) = find_leaks(f'{{"id":"{PUBLIC[kind]}"}}')

    assert leak.rule is rule
    assert leak.is_public
