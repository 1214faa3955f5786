"""How bad it is that a secret of some kind was seen in some place."""

from typing import Final
from urllib.parse import urlsplit

from gasoline.analysis.security.finding import Severity
from gasoline.analysis.security.leaks import Leak, Place

# Kinds that a name gave away, by place: url, request, response, console, websocket. None is how
# things should be: users do type passwords into forms.
_BY_NAME: Final[dict[str, tuple[Severity | None, ...]]] = {
    "password": ("critical", None, "critical", "warning", None),
    "private-key": ("critical", "critical", "critical", "critical", "critical"),
    "api-key": ("critical", "warning", "critical", "critical", "critical"),
    "secret": ("critical", "warning", "critical", "critical", "critical"),
    "service-key": ("critical", "warning", "critical", "critical", "critical"),
    "token": ("critical", None, "critical", "critical", "warning"),
    "authorization": ("critical", "warning", "critical", "critical", "critical"),
    "session-id": ("critical", None, "warning", "warning", None),
    "cookie": ("critical", "warning", "warning", "critical", "warning"),
    "url-secret": ("critical", None, "warning", "warning", "warning"),
    "csrf-token": ("warning", None, None, None, None),
    "one-time-code": ("warning", None, "warning", "warning", None),
    "pin": ("critical", None, "warning", "warning", None),
    "card-security-code": ("critical", None, "critical", "critical", "critical"),
    "card-number": ("critical", None, "warning", "critical", "warning"),
    "ssn": ("critical", None, "warning", "critical", "warning"),
    "signature": ("info", None, None, None, None),
    "header": (None, None, None, None, None),
    # Tokens that applications are made of: normal to send, bad to show.
    "jwt": ("critical", "warning", "critical", "critical", "warning"),
    "bearer-token": ("critical", "warning", "critical", "critical", "warning"),
    "basic-credentials": ("critical", "warning", "critical", "critical", "warning"),
}
_PLACES: Final[tuple[Place, ...]] = ("url", "request", "response", "console", "websocket")
# Kinds that a JSON number can be; `"secret": 3` is none.
_NUMBERS = frozenset(
    {"password", "pin", "one-time-code", "card-number", "card-security-code", "ssn"}
)
_TEST_KEYS = ("sk_tes", "rk_tes")
# The same kind of key as for maps, but here each call is billed and no browser should make one.
_BILLED_HOSTS = ("generativelanguage.googleapis.com", "aiplatform.googleapis.com")


def rate(leak: Leak, place: Place, url: str) -> Severity | None:
    """None where the secret belongs, or where it is none."""
    if leak.is_public:
        is_billed = leak.rule.kind == "google-api-key" and _host(url).endswith(_BILLED_HOSTS)
        return "critical" if is_billed else "info"
    if leak.masked == "boolean" or (leak.masked == "number" and leak.rule.kind not in _NUMBERS):
        return None
    severities = _BY_NAME.get(leak.rule.kind)
    severity = severities[_PLACES.index(place)] if severities else "critical"
    if leak.is_sample:
        return "info" if severity and place == "response" else None
    if severity == "critical" and leak.masked.startswith(_TEST_KEYS):
        return "warning"
    return severity


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
