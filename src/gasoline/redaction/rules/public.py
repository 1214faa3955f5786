"""Keys that are made to be seen by browsers. They are kept as they are; the audit mentions them."""

from typing import Final

from gasoline.redaction.rules.rule import PublicRule

_RESTRICT = "Made for browsers. Restrict it to your domains and to the APIs that the page needs."
_NOTHING = "Made for browsers: nothing to do unless it belongs to another environment."

PUBLIC_RULES: Final = (
    PublicRule(
        "stripe-publishable-key",
        "Publishable Stripe key",
        r"pk_(?:live|test)_[A-Za-z0-9]{16,}",
        _NOTHING,
        prefix="pk_",
    ),
    PublicRule(
        "google-api-key",
        "Google API key",
        r"AIza[\w-]{35}",
        f"{_RESTRICT} A key that opens Gemini or other paid server APIs belongs on your server.",
        prefix="AIza",
    ),
    PublicRule(
        "mapbox-public-token",
        "Public Mapbox token",
        r"pk\.eyJ1[\w-]{20,}\.[\w-]{20,}",
        _RESTRICT,
        prefix="pk.eyJ",
    ),
    PublicRule(
        "sentry-dsn",
        "Sentry DSN",
        r"https?://[0-9a-f]{32}@(?:[\w-]+\.)*[\w-]+\.[a-z]{2,}/[0-9]+",
        _NOTHING,
    ),
    PublicRule(
        "posthog-project-key",
        "PostHog project key",
        r"phc_[A-Za-z0-9]{30,}",
        _NOTHING,
        prefix="phc_",
    ),
    PublicRule(
        "supabase-publishable-key",
        "Publishable Supabase key",
        r"sb_publishable_[\w-]{20,}",
        "Made for browsers, as long as row level security is on for every table.",
        prefix="sb_pub",
    ),
    PublicRule(
        "supabase-anon-key",
        "Anonymous Supabase key",
        # A JSON Web Token: only its content tells, and redaction has read that.
        "",
        "Made for browsers, as long as row level security is on for every table.",
    ),
    PublicRule(
        "newrelic-browser-key",
        "New Relic browser key",
        r"NRJS-[0-9a-f]{19}",
        _NOTHING,
        prefix="NRJS-",
    ),
    PublicRule(
        "datadog-client-token",
        "Datadog client token",
        r"pub[0-9a-f]{32}",
        _NOTHING,
        prefix="pub",
    ),
    PublicRule(
        "braintree-tokenization-key",
        "Braintree tokenization key",
        r"(?:production|sandbox)_[a-z0-9]{8}_[a-z0-9]{16}",
        _NOTHING,
    ),
    PublicRule(
        "flutterwave-public-key",
        "Flutterwave public key",
        r"FLWPUBK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?",
        _NOTHING,
        prefix="FLWPUB",
    ),
    PublicRule(
        "razorpay-key-id",
        "Razorpay key id",
        r"rzp_(?:live|test)_[A-Za-z0-9]{14}",
        _NOTHING,
        prefix="rzp_",
    ),
    PublicRule(
        "square-application-id",
        "Square application id",
        r"sq0idp-[\w-]{22}",
        _NOTHING,
        prefix="sq0idp",
    ),
    PublicRule(
        "recaptcha-site-key",
        "reCAPTCHA site key",
        r"6L[\w-]{6}AAAAA[\w-]{27}",
        _NOTHING,
        prefix="6L",
    ),
    PublicRule(
        "google-analytics-id",
        "Google Analytics id",
        r"(?:G-[A-Z0-9]{10}|UA-[0-9]{4,10}-[0-9]{1,2})",
        _NOTHING,
    ),
    PublicRule("arcgis-key", "ArcGIS API key", r"AAPK[\w.-]{60,}", _RESTRICT, prefix="AAPK"),
)
