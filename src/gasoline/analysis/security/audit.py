"""The whole audit: every check over one session's traffic, filtered, sorted and bounded."""

from collections.abc import Collection, Iterator
from typing import Final

from gasoline.analysis.security.credentials import find_credentials
from gasoline.analysis.security.exposure import find_exposure
from gasoline.analysis.security.finding import (
    CATEGORIES,
    SEVERITIES,
    Audit,
    Category,
    Finding,
    Occurrence,
    Scanned,
    Severity,
    merge,
)
from gasoline.analysis.security.traffic import Traffic, endpoint_of
from gasoline.analysis.security.transport import find_insecure_transport

FINDINGS_PER_CATEGORY: Final = 20


def audit(
    traffic: Traffic,
    *,
    checks: Collection[Category] = CATEGORIES,
    url_filter: str = "",
    severity_min: Severity = "warning",
    per_category: int = FINDINGS_PER_CATEGORY,
) -> Audit:
    """Find weaknesses at or above a severity, worst first."""
    traffic = _matching(traffic, url_filter)
    least = SEVERITIES.index(severity_min)
    found = [
        finding
        for finding in merge(_check(traffic, checks))
        if SEVERITIES.index(finding.severity) >= least
    ]
    kept = _limited(found, per_category)
    scanned = Scanned(
        network_requests=len(traffic.exchanges),
        console_entries=len(traffic.logs),
        unique_endpoints=len({endpoint_of(exchange) for exchange in traffic.exchanges}),
    )
    return Audit(tuple(kept), scanned, len(found) - len(kept))


def _check(traffic: Traffic, checks: Collection[Category]) -> Iterator[Occurrence]:
    yield from find_credentials(traffic, checks)
    yield from find_exposure(traffic, checks)
    if "transport" in checks:
        yield from find_insecure_transport(traffic)


def _matching(traffic: Traffic, part: str) -> Traffic:
    if not part:
        return traffic
    return Traffic(
        tuple(one for one in traffic.exchanges if part in one.url or part in one.page_url),
        tuple(one for one in traffic.logs if part in one.url or part in one.page_url),
        tuple(one for one in traffic.websocket_events if part in one.url),
    )


def _limited(findings: list[Finding], per_category: int) -> list[Finding]:
    counts: dict[Category, int] = dict.fromkeys(CATEGORIES, 0)
    kept = []
    for finding in findings:
        counts[finding.category] += 1
        if counts[finding.category] <= per_category:
            kept.append(finding)
    return kept
