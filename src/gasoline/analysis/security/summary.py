"""An audit in one sentence and five numbers."""

from collections.abc import Sequence

from msgspec import Struct

from gasoline.analysis.security.finding import SEVERITIES, Finding, Scanned


class AuditSummary(Struct, frozen=True):
    """The conclusion, and the counts behind it."""

    conclusion: str
    total: int
    critical: int
    warning: int
    info: int
    scanned: Scanned


def summarise(findings: Sequence[Finding], scanned: Scanned) -> AuditSummary:
    """Count the findings and say what the worst of them is."""
    counts = {
        severity: sum(finding.severity == severity for finding in findings)
        for severity in reversed(SEVERITIES)
    }
    looked_at = f"{scanned.network_requests} requests and {scanned.console_entries} console entries"
    conclusion = f"Nothing found in {looked_at}."
    if findings:
        how_bad = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
        conclusion = f"{how_bad} in {looked_at}; worst: {findings[0].title}."
    return AuditSummary(conclusion=conclusion, total=len(findings), scanned=scanned, **counts)
