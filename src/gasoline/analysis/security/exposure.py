"""Personal data that reaches whoever asks, or the console."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final

from gasoline.analysis.security.credentials import place_of, preview, said_in, source_of
from gasoline.analysis.security.finding import Category, Finding, Occurrence, Severity
from gasoline.analysis.security.personal_data import PersonalField, find_in_json, find_in_text
from gasoline.analysis.security.traffic import Traffic, endpoint_of, shown_path, shown_url
from gasoline.records import LogEntry, NetworkBody
from gasoline.records.network import FAILURE_STATUS

_CREDENTIAL_HEADERS: Final = frozenset(
    {
        "authorization",
        "cookie",
        "x-api-key",
        "x-auth-token",
        "x-access-token",
        "proxy-authorization",
    }
)
_EXPOSED = "CWE-359"
_NO_AUTHENTICATION = "CWE-306"
_CONSOLE_SEVERITY: Final[dict[str, Severity]] = {"email": "info", "phone": "info"}


def find_exposure(traffic: Traffic, checks: Collection[Category]) -> Iterator[Occurrence]:
    """Answers with personal data, under both checks that speak of them, and console messages."""
    for exchange in traffic.exchanges:
        fields = _fields_of(exchange)
        if not fields:
            continue
        is_authenticated = has_credentials(exchange)
        if "auth_patterns" in checks and is_authenticated is False:
            yield _occurrence(exchange, _open_endpoint(exchange, fields))
        if "pii_exposure" in checks:
            yield _occurrence(
                exchange, _exposed(exchange, fields, is_authenticated=is_authenticated)
            )
    if "pii_exposure" in checks:
        for entry in traffic.logs:
            yield from _in_console(entry)


def has_credentials(exchange: NetworkBody) -> bool | None:
    """Tell whether the request authenticated itself; None where its capture did not say."""
    if exchange.has_auth_header is not None:
        return exchange.has_auth_header
    if not exchange.request_headers:
        return None
    return any(name.lower() in _CREDENTIAL_HEADERS for name in exchange.request_headers)


def _fields_of(exchange: NetworkBody) -> list[PersonalField]:
    if exchange.status >= FAILURE_STATUS or not exchange.response_body:
        return []
    # What the user has just sent comes back: nobody learns anything.
    sent = f"{exchange.url} {exchange.request_body or ''}"
    fields = find_in_json(exchange.response_body)
    return [field for field in fields if field.value not in sent]


def _occurrence(exchange: NetworkBody, finding: Finding) -> Occurrence:
    return Occurrence(
        key=(finding.category, "personal data", endpoint_of(exchange)),
        seq=exchange.seq,
        url=exchange.url,
        severity=finding.severity,
        write=lambda: finding,
    )


def _open_endpoint(exchange: NetworkBody, fields: Sequence[PersonalField]) -> Finding:
    kinds = _kinds(fields)
    return Finding(
        severity=_lowered("warning", fields),
        category="auth_patterns",
        title="Endpoint returns user data without authentication",
        description=(
            f"{exchange.method} {shown_path(exchange.url)} returned user PII "
            f"({', '.join(kinds)}) but no Authorization header was present in the request."
        ),
        evidence={
            "method": exchange.method,
            "url": shown_url(exchange.url),
            "status": exchange.status,
            "auth_header_present": False,
            "response_contains_pii": True,
            "pii_fields": kinds,
        },
        recommendation=(
            "Ensure this endpoint requires authentication. If public by design, verify no "
            "sensitive data is exposed."
        ),
        cwe=_NO_AUTHENTICATION,
    )


def _exposed(
    exchange: NetworkBody, fields: Sequence[PersonalField], *, is_authenticated: bool | None
) -> Finding:
    kinds = _kinds(fields)
    who = {True: "authenticated ", False: "unauthenticated ", None: ""}[is_authenticated]
    severity: Severity = "warning" if is_authenticated is False else "info"
    return Finding(
        severity=_lowered(severity, fields),
        category="pii_exposure",
        title=f"Personal data in {who}response",
        description=(
            f"{exchange.method} {shown_path(exchange.url)} returned {', '.join(kinds)} "
            f"in answer to an {who or 'unverified '}request."
        ),
        evidence={
            "method": exchange.method,
            "url": shown_url(exchange.url),
            "status": exchange.status,
            "auth_header_present": is_authenticated,
            "pii_fields": kinds,
            "json_keys": list(dict.fromkeys(field.name for field in fields))[:10],
        },
        recommendation="Return only the fields that the page shows, and only to who may see them.",
        cwe=_EXPOSED,
    )


def _in_console(entry: LogEntry) -> Iterator[Occurrence]:
    text = said_in(entry)
    seen: set[str] = set()
    for field in find_in_text(text):
        if field.kind in seen:
            continue
        seen.add(field.kind)
        yield Occurrence(
            key=("console", field.kind, place_of(entry), entry.level),
            seq=entry.seq,
            url=entry.url,
            severity=_lowered(_CONSOLE_SEVERITY.get(field.kind, "warning"), [field]),
            write=partial(_logged, entry, text, field),
        )


def _logged(entry: LogEntry, text: str, field: PersonalField) -> Finding:
    severity = _lowered(_CONSOLE_SEVERITY.get(field.kind, "warning"), [field])
    shown = preview(text, text.find(field.value)).replace(field.value, _masked(field))
    return Finding(
        severity=severity,
        category="pii_exposure",
        title=f"{_TITLES[field.kind]} logged to console",
        description=f"console.{entry.level or 'log'}() call includes personal data: {field.kind}.",
        evidence={
            "type": "console",
            "level": entry.level,
            "pattern": field.kind,
            "redacted_preview": shown,
            "source": source_of(entry),
        },
        recommendation="Log an id instead: consoles are recorded, shared and read by extensions.",
        cwe="CWE-532",
    )


_TITLES: Final = {
    "email": "E-mail address",
    "phone": "Phone number",
    "ssn": "Social security number",
    "credit_card": "Card number",
}


def _masked(field: PersonalField) -> str:
    if field.kind == "email":
        return f"{field.value[0]}***@{field.value.partition('@')[2]}"
    return f"***{field.value[-2:]}"


def _kinds(fields: Sequence[PersonalField]) -> list[str]:
    return sorted({field.kind for field in fields})


def _lowered(severity: Severity, fields: Sequence[PersonalField]) -> Severity:
    return "info" if all(field.is_mock for field in fields) else severity
